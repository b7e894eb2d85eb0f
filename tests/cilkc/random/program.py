# SPDX-License-Identifier: MIT
"""Generated programs, and files of them."""

import random
import re
from pathlib import Path

from c_dialect import REDUCER_TEXT, CStatements
from mit_dialect import MitStatements
from procedures import PLAIN, PLAIN_TEXT, Parameter, Procedure, random_procedure
from tree import Node, text_of
from values import TYPES_TEXT, U64

MOST_FUEL = 3
FORCED = Path(__file__).resolve().parent.parent / "forced"
FORCE_POPS = ("-Dsg_pop=sg_plain_pop", "-include", FORCED / "pop.h")


class Dialect:
    def __init__(self, suffix, statements, spawn, sync, synched, spawnable_plain, first, prefix,
                 specifiers):
        self.suffix = suffix
        self.statements = statements
        self.spawn = spawn
        self.sync = sync
        self.synched = synched
        self.spawnable_plain = spawnable_plain  # plain C functions that can be spawned
        self.first = first  # the first lines of a file
        self.prefix = prefix  # of each procedure that spawns
        self.specifiers = specifiers  # one of them behind the prefix

    # What random_test.py asks of each dialect.
    driver_suffix = ""
    elision_command = ("gcc", "-std=gnu11", "-x", "c")  # whatever the name of its file
    force_options = FORCE_POPS

    @property
    def program(self):
        return Program

    def file_of(self, programs):
        return file_of(self, programs)

    @staticmethod
    def serial_elision(text):
        return serial_elision(text)


CILK_H = "#include <cilk/cilk.h>\n"
SPECIFIERS = ["", "static ", "static inline ", "__attribute__((noinline)) static "]
C = Dialect(".c", CStatements, "cilk_spawn", "cilk_sync", None, PLAIN, CILK_H, "",
            [*SPECIFIERS, "[[gnu::noinline]] "])
MIT = Dialect(".cilk", MitStatements, "spawn", "sync", "SYNCHED", [], "", "cilk ", SPECIFIERS)


class Program:
    """A few procedures and an entry, the same for the same seed. Its names begin with its own."""

    def __init__(self, dialect, seed, name):
        self.dialect = dialect
        self.seed = seed
        self.name = name
        draw = random.Random(f"{dialect.suffix} {seed}")
        has_track = dialect is C and draw.random() < 0.5
        self.track = f"{name}_track" if has_track else ""
        count = draw.randrange(1, 3)
        self.procedures = [random_procedure(draw, f"{name}_{i}") for i in range(count)]
        self.entry = Procedure(f"{name}_entry", U64, [Parameter("seed", U64)])
        written = [(p, *self.write(draw, p)) for p in [*self.procedures, self.entry]]
        draw.shuffle(written)
        self.prototypes = [
            text for i in range(len(written)) for text in prototypes(draw, written, i)
        ]
        self.nodes = [node for _, _, node in written]

    def write(self, draw, procedure):
        """(what stands before its head, the definition)"""
        body = self.dialect.statements(
            draw, self.dialect, procedure, self.procedures, self.track
        )
        prefix = self.dialect.prefix + draw.choice(self.dialect.specifiers)
        head = f"{prefix}{procedure.head()} {{"
        return prefix, Node(head, body.write(), "}", removable=False)

    def text(self):
        heads = [f"{text};\n" for text in self.prototypes]
        if self.track:
            reducer = "struct track cilk_reducer(track_identity, track_reduce)"
            heads.append(f"{reducer} {self.track} = {{0, 1}};\n")
        return "".join(heads) + text_of(self.nodes)


def prototypes(draw, written, i):
    """What declares the procedure written[i] before all definitions: a prototype if one of those
    before its own uses it, else anything that C allows."""
    procedure, prefix, _ = written[i]
    before = text_of([node for _, _, node in written[:i]])
    if re.search(rf"\b{procedure.name}\b", before):
        return [prefix + procedure.head()]
    return draw.choice(([], [], [prefix + procedure.head()], [prefix + procedure.loose_head()]))


def file_of(dialect, programs):
    """A file whose main runs these programs and prints a line for each."""
    parts = ["#include <stdio.h>\n#include <string.h>\n", dialect.first, TYPES_TEXT, PLAIN_TEXT]
    parts.append(REDUCER_TEXT if dialect is C else "")
    parts += [program.text() for program in programs]
    word = "spawn " if dialect is MIT else ""
    parts.append(f"{dialect.prefix}int main(void) {{\n    u64 result;\n")
    for program in programs:
        parts.append(f"    result = {word}{program.entry.name}({MOST_FUEL}, {program.seed});\n")
        parts.append("    sync;\n" if dialect is MIT else "")
        track = f" ^ {program.track}.hash" if program.track else ""
        parts.append(f'    printf("{program.name} %016lx\\n", result{track});\n')
    parts.append("    return 0;\n}\n")
    return "".join(parts)


def serial_elision(text):
    """The file without its Cilk, as gcc takes it: inlets are its nested functions."""
    text = re.sub(r"#include <cilk/cilk.h>|#pragma cilk.*", "", text)
    text = re.sub(r"\bcilk_for\b", "for", text)
    text = re.sub(r"\bcilk_reducer\([^)]*\)", "", text)
    text = re.sub(r"\b(cilk_spawn|cilk_sync|cilk_scope)\b", "", text)
    text = re.sub(r"\b(cilk|spawn|inlet)\b", "", text)
    text = re.sub(r"\b(sync|abort);", ";", text)
    text = re.sub(r"\bSYNCHED\b", "1", text)
    return re.sub(r"\bCilk_alloca\b", "__builtin_alloca", text)
