# SPDX-License-Identifier: MIT
"""Generated C++ programs, and files of them."""

import random
from pathlib import Path

import cxx_prelude
from cxx_statements import Statements
from cxx_values import U64, Parameter, Procedure, random_procedure
from tree import Node, text_of

MOST_FUEL = 3


class Program:
    """A few procedures and an entry, the same for the same seed. Its names begin with its own.

    It has exceptions or reducers: what was reduced beside an exception is lost or not."""

    def __init__(self, dialect, seed, name):
        self.dialect = dialect
        self.seed = seed
        self.name = name
        draw = random.Random(f"c++ {seed}")
        throws = draw.random() < 0.6
        self.reducers = [] if throws else [
            f"{name}_{what}" for what in ("hash", "sum", "list", "kept", "far")]
        count = draw.randrange(2, 5)
        self.procedures = [
            random_procedure(draw, f"{name}_{i}", throws and draw.random() < 0.6)
            for i in range(count)
        ]
        self.entry = Procedure(f"{name}_entry", "function", U64, [Parameter("a0", U64, "value")],
                               throws and draw.random() < 0.5)
        self.nodes = [self.write(draw, p) for p in [*self.procedures, self.entry]]

    def write(self, draw, procedure):
        body = Statements(draw, procedure, self.procedures, self.reducers, procedure.may_throw)
        return Node(procedure.head() + " {", body.write(), "}", removable=False)

    def text(self):
        parts = []
        if self.reducers:
            for name, monoid in zip(self.reducers, ("hash_monoid", "cilk::op_add<u64>",
                                                    "cilk::op_vector<u64>")):
                parts.append(f"static cilk::reducer<{monoid}> {name};\n")
            kept, far = self.reducers[3:]
            parts.append(f"static cells {kept};\nextern sum_cell {far};\n")
        parts += [p.declaration() + "\n" for p in [*self.procedures, self.entry]]
        defined = f"sum_cell {self.reducers[4]} = 3;\n" if self.reducers else ""
        return "".join(parts) + text_of(self.nodes) + defined

    def run_text(self):
        """What main does with it."""
        kept = ""
        if self.reducers:
            hash_, sum_, list_, cells, far = self.reducers
            kept = f"    result = mix(mix(result, {hash_}->get()), {sum_}.get_value());\n" \
                   f"    result = mix(result, d({list_}.get_value()));\n" \
                   f"    result = mix(mix(result, {cells}.sum), {far});\n" \
                   f"    for (auto &one : {cells}.rows) result = mix(result, one.get());\n"
        return "".join([
            "    try {\n",
            f"        result = {self.name}_entry({MOST_FUEL}, {self.seed});\n",
            "    } catch (const oops &o) {\n        result = mix(o.value, 77);\n    }\n",
            kept,
            f'    std::printf("{self.name} %016lx %ld\\n", result, living.load());\n',
        ])


class CxxDialect:
    """What random_test.py asks of each dialect."""

    suffix = ".cpp"
    driver_suffix = "++"
    elision_command = ("g++", "-std=c++17", "-DELISION")
    force_options = ("-I", Path(__file__).resolve().parent.parent / "forced" / "cxx")
    program = Program

    @staticmethod
    def file_of(programs):
        parts = [cxx_prelude.TEXT]
        parts += [program.text() for program in programs]
        parts.append("int main() {\n    u64 result;\n")
        parts += [program.run_text() for program in programs]
        parts.append("    return 0;\n}\n")
        return "".join(parts)

    @staticmethod
    def serial_elision(text):
        return text


CXX = CxxDialect()
