# SPDX-License-Identifier: MIT
"""Reads recordings (docs/recording.md)."""

END, WORK, SPAWN, RETURN, SYNC, CALL, LEAVE, OBJECT, TOUCH, REUSE, FREE = range(11)
ON_NODE = 1
NUMBERS = {WORK: 1, OBJECT: 3, TOUCH: 3, REUSE: 3, FREE: 1}


class Bad(Exception):
    """The file is no recording, or a part of one."""


def events(data):
    """Yields (kind, numbers) up to the end."""
    if data[:12] != b"SGRECORD\1\0\0\0":
        raise Bad("no recording")
    bytes_left = iter(data[12:])

    def number():
        value = shift = 0
        for byte in bytes_left:
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
        raise Bad("cut off")

    for kind in bytes_left:
        if kind == END:
            if next(bytes_left, None) is not None:
                raise Bad("more after the end")
            return
        numbers = [number() for _ in range(NUMBERS.get(kind, 0))]
        if kind == OBJECT and numbers[2] == ON_NODE:
            numbers.append(number())
        yield kind, numbers
    raise Bad("cut off")


class Recording:
    """Work and span in ns, how many events of each kind there are, and the footprints' bytes."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.work = 0
        self.count = [0] * 11
        self.touched = self.reused = 0
        open_ones = []
        longest, path_to = 0, 0
        for kind, numbers in events(data):
            self.count[kind] += 1
            if kind == WORK:
                self.work += numbers[0]
                path_to += numbers[0]
            elif kind in (SPAWN, CALL):
                open_ones.append((kind, path_to, longest))
                longest = 0
            elif kind in (RETURN, LEAVE):
                end = max(path_to, longest)
                begun, path_to, longest = open_ones.pop()
                if begun != {RETURN: SPAWN, LEAVE: CALL}[kind]:
                    raise Bad("ends what has not begun")
                if kind == RETURN:
                    longest = max(longest, end)
                else:
                    path_to = end
            elif kind == SYNC:
                path_to, longest = max(path_to, longest), 0
            elif kind == TOUCH:
                self.touched += numbers[2]
            elif kind == REUSE:
                self.reused += numbers[2]
        if open_ones:
            raise Bad("not all has ended")
        self.span = path_to
