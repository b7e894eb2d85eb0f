# SPDX-License-Identifier: MIT
"""Makes programs of a page's blocks: few translation units with many blocks each.

The rule is in README.md beside this file.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from blocks import BadPage

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands

INCLUDE = re.compile(r"^\s*#\s*include\s.*$", re.MULTILINE)

# A fragment of ours runs on a worker; the others are called as they are.
CALL = {"Saguaro": "saguaro::run([] { statements(); });"}

# What stands at the top of the file.
PREAMBLE = {
    "Saguaro": "#include <saguaro/saguaro.hpp>\n",
    "Cilk Plus": (
        "#define cilk_spawn\n#define cilk_sync ((void)0)\n#define cilk_for for\n"
        "#define cilk_reducer(...)\n"
    ),
}

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
# Beside what all have.
OPTIONS = {"OpenMP": ["-fopenmp"], "Cilk Plus": ["-Wno-unused"]}
LIBRARIES = {"oneTBB": ["-ltbb"]}


@dataclass
class Unit:
    """A program that runs one of its blocks: the one whose number it is given."""

    dialect: str
    blocks: list
    path: str = ""
    error: str = ""


def namespace_of(page):
    return "page_" + re.sub(r"\W", "_", page)


def without_includes(code):
    return INCLUDE.sub("", code)


def located(block, line, code):
    return f'#line {line} "{block.page}"\n{without_includes(code)}\n'


def whole_program(block):
    """The block with its main renamed, and with the return that only ::main may leave out."""
    code, mains = re.subn(r"^int main\(\)", "int block_main()", block.code, flags=re.MULTILINE)
    end = code.rstrip()
    if mains != 1 or not end.endswith("\n}"):
        raise BadPage(f"{block.name}: main() takes no arguments, and its brace ends the block")
    return located(block, block.line, end[:-1] + "return 0; }")


def fragment(block):
    # Nano-threads are not started by a task.
    starts_its_own = "<saguaro/nanothreads.hpp>" in block.given + block.code
    call = "statements();" if starts_its_own else CALL.get(block.dialect, "statements();")
    return (
        f"void statements() {{\n{located(block, block.line, block.code)}}}\n"
        f"int block_main() {{ {call} return 0; }}\n"
    )


def source_of(unit):
    """The unit's text."""
    codes = [text for block in unit.blocks for text in (block.given, block.code)]
    includes = sorted({line.strip() for code in codes for line in INCLUDE.findall(code)})
    if unit.dialect == "Cilk Plus":
        includes = [line for line in includes if "<cilk/" not in line]
    parts = [PREAMBLE.get(unit.dialect, ""), "\n".join(includes), "\n#include <cstdlib>\n"]
    cases = []
    for number, block in enumerate(unit.blocks):
        page = namespace_of(block.page)
        given = located(block, block.given_line, block.given) if block.given else ""
        body = whole_program(block) if block.is_whole else fragment(block)
        inner = f"block_{block.line}"
        parts.append(f"namespace {page} {{ namespace {inner} {{\n{given}{body}}} }}\n")
        cases.append(f"case {number}: return {page}::{inner}::block_main();\n")
    parts.append("int main(int, char **arguments) { switch (std::atoi(arguments[1])) {\n")
    parts.append("".join(cases))
    parts.append("default: return 99; } }\n")
    return "".join(parts)


def units_of(blocks, most):
    """The C++ blocks as units: each other dialect in one, ours, by pages, in at most `most`."""
    by_dialect = {}
    for block in blocks:
        if block.language == "cpp" and not block.file:
            by_dialect.setdefault(block.dialect, {}).setdefault(block.page, []).append(block)
    units = []
    for dialect, pages in by_dialect.items():
        groups = [[] for _ in range(most if dialect == "Saguaro" else 1)]
        for page in sorted(pages.values(), key=len, reverse=True):
            min(groups, key=len).extend(page)
        units += [Unit(dialect, group) for group in groups if group]
    return units


@dataclass
class Tools:
    """What programs are made with, and where."""

    directory: str
    launcher: list
    c: str
    cxx: str
    cilkc: str
    include: str
    library: str

    def has_onetbb(self):
        done = subprocess.run(
            [self.cxx, "-E", "-x", "c++", "-"],
            input="#include <oneapi/tbb.h>\n",
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode == 0

    def compile_unit(self, unit, number):
        """Sets the unit's path, and its error to what the compiler says."""
        unit.path = os.path.join(self.directory, f"unit_{number}")
        write(unit.path + ".cpp", source_of(unit))
        options = ["-std=c++20", "-O1", *WARNINGS, *OPTIONS.get(unit.dialect, ())]
        libraries = LIBRARIES.get(unit.dialect, ())
        unit.error = self.compiled(self.cxx, unit.path, ".cpp", options) or self.linked(
            unit.path, [*OPTIONS.get(unit.dialect, ()), *libraries]
        )

    def compile_c(self, block):
        """Compiles a program in C. Returns (path, error)."""
        path = os.path.join(self.directory, f"{namespace_of(block.page)}_{block.line}")
        write(path + ".c", f'#line {block.line} "{block.page}"\n{block.code}')
        options = ["-std=c11", "-O1", *WARNINGS, "-Wpedantic"]
        return path, self.compiled(self.c, path, ".c", options) or self.linked(path, [])

    def compile_cilk(self, block):
        """Compiles a program in either dialect of Cilk. Returns (path, error)."""
        path = os.path.join(self.directory, f"{namespace_of(block.page)}_{block.line}")
        source = f"{path}.{block.language}"
        write(source, f'#line {block.line} "{block.page}"\n{block.code}')
        return path, error_of([self.cilkc, "-O1", "-Wall", "-Wextra", "-Werror", source, "-o", path])

    def compiled(self, compiler, path, suffix, options):
        source, target = path + suffix, path + ".o"
        return error_of(
            [*self.launcher, compiler, *options, "-I", self.include, "-c", source, "-o", target]
        )

    def linked(self, path, libraries):
        return error_of(
            [self.cxx, path + ".o", "-o", path, *libraries, self.library, "-pthread", "-ldl"]
        )


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def error_of(command):
    """Empty, or what the command says when it fails."""
    code, printed = commands.run_merged(*command)
    return "" if code == 0 else f"{' '.join(command)}\n{printed}"
