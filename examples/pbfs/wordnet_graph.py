#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns WordNet's database into a graph in Matrix Market form.

usage: wordnet_graph.py DIR OUT.mtx

DIR holds data.noun, data.verb, data.adj and data.adv (Debian's wordnet-base puts them into
/usr/share/wordnet). The vertices are the synsets, numbered as they stand in these files, in this
order; the edges are the pointers between them, whatever relation they mean. The format of the
database is described in the manual page wndb(5WN).
"""

import os
import sys

FILES = (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r"))


class Fault(Exception):
    """What is wrong with the input, in one line."""


def read_synsets(path, part):
    """Yields ((part of speech, offset), [the same of each synset pointed to]) for a data file."""
    with open(path, encoding="latin-1") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("  "):  # the licence, in front of the data
                continue
            try:
                words = line.split("|", 1)[0].split()
                at = 4 + 2 * int(words[3], 16)  # behind the synset's words, with their ids
                first, count = at + 1, int(words[at])
                if len(words) < first + 4 * count:
                    raise ValueError
                pointers = [(words[i + 2], int(words[i + 1]))
                            for i in range(first, first + 4 * count, 4)]
                yield (part, int(words[0])), pointers
            except (ValueError, IndexError):
                raise Fault(f"{path}:{number}: not a synset as wndb(5WN) describes it") from None


def read_graph(folder):
    """The number of synsets and the sorted list of edges (from, to), counted from 1."""
    synsets = []
    for name, part in FILES:
        synsets.extend(read_synsets(os.path.join(folder, "data." + name), part))
    number = {key: i for i, (key, _) in enumerate(synsets, 1)}
    edges = set()
    for key, pointers in synsets:
        for target in pointers:
            if target not in number:
                raise Fault(f"{folder}: synset {key} points to {target}, which no file has")
            edges.add((number[key], number[target]))
    return len(synsets), sorted(edges)


def write_matrix(path, count, edges):
    # Another name first: whoever finds OUT.mtx finds all of it.
    partial = path + ".part"
    with open(partial, "w", encoding="ascii") as out:
        out.write("%%MatrixMarket matrix coordinate pattern general\n")
        out.write("% WordNet: synsets (noun, verb, adj, adv) and their pointers\n")
        out.write(f"{count} {count} {len(edges)}\n")
        out.writelines(f"{start} {end}\n" for start, end in edges)
    os.replace(partial, path)


def main(arguments):
    if len(arguments) != 2:
        print("usage: wordnet_graph.py DIR OUT.mtx", file=sys.stderr)
        return 2
    try:
        count, edges = read_graph(arguments[0])
        write_matrix(arguments[1], count, edges)
    except Fault as fault:
        print(f"wordnet_graph.py: {fault}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"wordnet_graph.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{arguments[1]}: {count} synsets, {len(edges)} pointers")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
