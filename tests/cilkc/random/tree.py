# SPDX-License-Identifier: MIT
"""The text of a generated program as a tree, so that a failing one can be made smaller."""


class Node:
    """Pieces of text: a string is a line, a list holds nodes that stand deeper."""

    def __init__(self, *pieces, removable=True):
        self.pieces = pieces
        self.removable = removable
        self.removed = False

    def lines(self, depth=0):
        if self.removed:
            return
        for piece in self.pieces:
            if isinstance(piece, str):
                yield "    " * depth + piece
            else:
                for node in piece:
                    yield from node.lines(depth + 1)

    def walk(self):
        """This node and those inside, the outer ones first."""
        yield self
        for piece in self.pieces:
            if not isinstance(piece, str):
                for node in piece:
                    yield from node.walk()


def text_of(nodes):
    return "".join(line + "\n" for node in nodes for line in node.lines())


def shrink(nodes, still_fails, most_tries):
    """Removes nodes as long as `still_fails()` holds, in at most so many tries."""
    tries = 0
    progress = True
    while progress:
        progress = False
        for node in [n for root in nodes for n in root.walk()]:
            if node.removed or not node.removable:
                continue
            if tries == most_tries:
                return
            tries += 1
            node.removed = True
            if still_fails():
                progress = True
            else:
                node.removed = False
