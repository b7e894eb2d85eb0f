# SPDX-License-Identifier: MIT
"""Reads the fenced blocks of a page, with the comments that say what to do with them.

The rule is in README.md beside this file.
"""

import re
from dataclasses import dataclass

PROGRAMS = ("cpp", "c", "cilk")
COMMANDS = ("sh", "console")
DIALECTS = ("OpenMP", "oneTBB", "Cilk Plus")

FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*(.*)$")
HEADING = re.compile(r"^#+ ")


class BadPage(Exception):
    """A page that breaks the rule; the message names page and line."""


@dataclass
class Block:
    page: str  # as seen from the root of the repository
    line: int  # of the first line of code
    language: str
    code: str
    dialect: str = "Saguaro"
    file: str = ""
    given: str = ""
    given_line: int = 0
    expected: str | None = None

    @property
    def name(self):
        return f"{self.page}:{self.line}"

    @property
    def is_whole(self):
        return re.search(r"^(cilk )?int main\(", self.code, re.MULTILINE) is not None

    @property
    def is_cilk(self):
        """Whether it takes cilkc: in either dialect."""
        return self.language == "cilk" or "#include <cilk/" in self.code


def comments_above(lines, fence):
    """The comments directly above the line with this index, as (line number, text)."""
    found = []
    end = fence
    while end > 0 and lines[end - 1].rstrip().endswith("-->"):
        begin = end - 1
        while not lines[begin].startswith("<!--"):
            begin -= 1
            if begin < 0:
                return found
        text = "\n".join(lines[begin:end]).strip()
        found.append((begin + 1, text[len("<!--") : -len("-->")]))
        end = begin
    return found


def apply_comments(block, comments):
    """Sets what the comments say."""
    for line, comment in comments:
        text = comment.strip()
        if text.startswith("file:"):
            block.file = text[len("file:") :].strip()
        elif text.startswith("given:"):
            # The code begins behind the colon: as many lines down as there are before it.
            head, code = comment.split("given:", 1)
            block.given, block.given_line = code, line + head.count("\n")
        elif text in DIALECTS:
            block.dialect = text
        else:
            raise BadPage(f"{block.page}:{line}: the comment '{text}' above a block means nothing")


def check(block):
    if block.language == "cmake" and not block.file:
        raise BadPage(f"{block.name}: a cmake block needs a file's name")
    if block.language in ("c", "cilk") and not block.file and not block.is_whole:
        raise BadPage(f"{block.name}: a block of C must be a whole program")
    if block.language not in PROGRAMS + COMMANDS + ("cmake",):
        accepted = ", ".join(PROGRAMS + COMMANDS + ("cmake", "text"))
        raise BadPage(f"{block.name}: '{block.language}' is no language; accepted: {accepted}")


def blocks_of(page, text):
    """The blocks of a page, in order."""
    lines = text.split("\n")
    blocks = []
    before = None  # the program whose output a text block would be
    at = 0
    while at < len(lines):
        if HEADING.match(lines[at]):
            before = None
        fence = FENCE.match(lines[at])
        if fence is None:
            at += 1
            continue
        indentation, mark, language = fence.groups()
        if indentation:
            raise BadPage(f"{page}:{at + 1}: a fence must not be indented")
        end = at + 1
        while end < len(lines) and lines[end].rstrip() != mark:
            end += 1
        if end == len(lines):
            raise BadPage(f"{page}:{at + 1}: the fence is not closed")
        code = "\n".join(lines[at + 1 : end]) + "\n"
        block = Block(page, at + 2, language.strip(), code)
        apply_comments(block, comments_above(lines, at))
        at = end + 1
        if block.language == "text":
            if before is None:
                raise BadPage(f"{block.name}: output, but no program before it")
            before.expected, before = code, None
            continue
        check(block)
        blocks.append(block)
        before = block if block.language in PROGRAMS and not block.file else None
    return blocks


def commands_of(block):
    """What an sh or console block hands to a shell, each with its expected output or None."""
    if block.language == "sh":
        return [("set -e\n" + block.code, None)]
    commands = []
    for line in block.code.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], ""))
        elif commands:
            command, expected = commands[-1]
            commands[-1] = (command, expected + line + "\n")
        else:
            raise BadPage(f"{block.name}: a console block begins with '$ '")
    return commands


def matches(expected, printed):
    """Whether `printed` is `expected`, where `...` stands for anything."""

    def stripped(text):
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    parts = (re.escape(part) for part in stripped(expected).split("..."))
    return re.fullmatch(".*".join(parts), stripped(printed), re.DOTALL) is not None
