# SPDX-License-Identifier: MIT
"""Compiles and runs every code block of README.md, examples/README.md and docs/, as README.md beside
this says.

Usage: code_blocks_test.py CONFIGURATION.json [unittest options]

The configuration, written by tests/docs/CMakeLists.txt, says which build the blocks are linked to.
Each block that is run is a test of its own, named for its page and line; the commands of a page are
one test.
"""

import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import blocks as reading
import programs

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands

CONFIGURATION = {}
JOBS = 2
TWO_WORKERS = {"SAGUARO_WORKERS": "2", "OMP_NUM_THREADS": "2"}

# Does nothing but look whether its Makefile has the target.
FAKE_MAKE = """#!/bin/sh
grep -q "^$1:" '{makefile}' || {{ echo "make: no target $1" >&2; exit 1; }}
"""


def run(*command, **options):
    """(exit code, what was printed to both), with two workers."""
    return commands.run_merged(*command, **{**TWO_WORKERS, **options})


class Documents(unittest.TestCase):
    """Base of both kinds of test: makes what they share, once."""

    def assert_output(self, block, expected, code, printed):
        self.assertEqual(code, 0, f"{block.name}: exit code {code}\n{printed}")
        if expected is not None and not reading.matches(expected, printed):
            self.fail(f"{block.name} printed\n{printed}\nand not\n{expected}")


class Programs(Documents):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="saguaro-docs-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        names = ("launcher", "c", "cxx", "cilkc", "include", "library")
        cls.tools = programs.Tools(cls.directory, **{name: CONFIGURATION[name] for name in names})
        cls.units = programs.units_of(CONFIGURATION["blocks"], JOBS)
        cls.left_out = set() if cls.tools.has_onetbb() else {"oneTBB"}
        cls.of_block = {}
        for unit in cls.units:
            for number, block in enumerate(unit.blocks):
                cls.of_block[block.name] = (unit, number)
        with ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(cls.compile_one, enumerate(cls.units)))

    @classmethod
    def compile_one(cls, numbered):
        number, unit = numbered
        if unit.dialect not in cls.left_out:
            cls.tools.compile_unit(unit, number)

    def test_all_compile(self):
        for unit in self.units:
            with self.subTest(dialect=unit.dialect):
                self.assertEqual(unit.error, "")

    def check_cpp(self, block):
        unit, number = self.of_block[block.name]
        if unit.dialect in self.left_out:
            self.skipTest(f"no {unit.dialect} here")
        if unit.error:
            self.skipTest("its translation unit does not compile: see test_all_compile")
        code, printed = run(unit.path, number)
        self.assert_output(block, block.expected, code, printed)

    def check_c(self, block):
        if not block.is_cilk:
            self.check_compiled(block, self.tools.compile_c(block))
        elif self.tools.cilkc:
            self.check_compiled(block, self.tools.compile_cilk(block))
        else:
            self.skipTest("no cilkc was built")

    check_cilk = check_c

    def check_compiled(self, block, compiled):
        path, error = compiled
        self.assertEqual(error, "")
        code, printed = run(path)
        self.assert_output(block, block.expected, code, printed)


class Commands(Documents):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix="saguaro-docs-home-")
        cls.addClassCleanup(shutil.rmtree, cls.home)
        command = [CONFIGURATION["cmake"], "--install", CONFIGURATION["build"]]
        code, printed = run(*command, "--prefix", os.path.join(cls.home, "saguaro"))
        if code != 0:
            raise AssertionError(printed)

    def workspace(self, page_blocks):
        """A directory like the repository after `make build`, with the page's files."""
        root = Path(tempfile.mkdtemp(prefix="saguaro-docs-page-"))
        self.addCleanup(shutil.rmtree, root)
        (root / "include").symlink_to(CONFIGURATION["include"])
        (root / "examples").symlink_to(CONFIGURATION["source"] + "/examples")
        (root / "build/release/src").mkdir(parents=True)
        built = Path(CONFIGURATION["library"]).parent
        (root / "build/release/src/libsaguaro.a").symlink_to(CONFIGURATION["library"])
        (root / "build/release/src/mpi").symlink_to(built / "mpi")
        (root / "build/release/lib").symlink_to(built.parent / "lib")
        (root / "build/bin").symlink_to(CONFIGURATION["bin"])
        (root / "fake").mkdir()
        make = root / "fake/make"
        make.write_text(FAKE_MAKE.format(makefile=CONFIGURATION["source"] + "/Makefile"))
        make.chmod(0o755)
        for block in page_blocks:
            if block.file:
                with open(root / block.file, "a", encoding="utf-8") as file:
                    file.write(block.code)
        return root

    def check_page(self, page_blocks):
        root = self.workspace(page_blocks)
        search = f"{root}/fake:{os.environ['PATH']}"
        for block in page_blocks:
            if block.language not in reading.COMMANDS:
                continue
            if "cilkc" in block.code and not CONFIGURATION["cilkc"]:
                continue
            for command, expected in reading.commands_of(block):
                code, printed = run("sh", "-c", command, cwd=root, HOME=self.home, PATH=search)
                with self.subTest(command=command):
                    self.assert_output(block, expected, code, printed)


class Rule(unittest.TestCase):
    """That the rule itself finds what it is to find."""

    def refusal(self, text):
        with self.assertRaises(reading.BadPage) as caught:
            for block in reading.blocks_of("page.md", text):
                reading.commands_of(block)
        return str(caught.exception)

    def test_refuses_what_it_does_not_know(self):
        self.assertIn("page.md:2: 'ruby' is no", self.refusal("```ruby\nputs\n```\n"))
        self.assertIn("'' is no language", self.refusal("```\nx\n```\n"))
        self.assertIn("page.md:2: a fence must", self.refusal("- x\n  ```cpp\n  ```\n"))
        self.assertIn("not closed", self.refusal("```cpp\nint x;\n"))
        self.assertIn("no program before", self.refusal("```text\n1\n```\n"))
        self.assertIn("whole program", self.refusal("```c\nint x;\n```\n"))
        self.assertIn("file's name", self.refusal("```cmake\nproject(x)\n```\n"))
        self.assertIn("means nothing", self.refusal("<!-- gven: x -->\n```cpp\n```\n"))
        self.assertIn("begins with", self.refusal("```console\nls\n```\n"))

    def test_output_belongs_to_the_program_before_it(self):
        program, output = "```cpp\nint x;\n```\n", "```text\n7\n```\n"
        (block,) = reading.blocks_of("p", program + "It prints\n\n" + output)
        self.assertEqual((block.expected, block.line), ("7\n", 2))
        self.assertIn("no program", self.refusal(program + "# Next\n" + output))
        self.assertIn("no program", self.refusal(program + output + output))

    def test_given_code_keeps_its_lines(self):
        text = "Text.\n\n<!-- given:\nint x;\n-->\n<!-- OpenMP -->\n```cpp\n++x;\n```\n"
        (block,) = reading.blocks_of("p", text)
        self.assertEqual((block.given.split("\n")[1], block.given_line), ("int x;", 3))
        self.assertEqual(block.dialect, "OpenMP")

    def test_dots_match_anything_and_nothing_else_does(self):
        self.assertTrue(reading.matches("a\n...\nz", "a\nb\nc\nz\n"))
        self.assertTrue(reading.matches("took ... s", "took 1.5 s\n"))
        self.assertFalse(reading.matches("took ... s", "took 1.5 ms\n"))
        self.assertFalse(reading.matches("1.5", "115"))
        self.assertFalse(reading.matches("a", "a\nb"))


def add_tests(pages):
    """One test for each program and for the commands of each page."""
    for page, page_blocks in pages.items():
        name = re.sub(r"\W", "_", page)
        for block in page_blocks:
            if block.language in reading.PROGRAMS and not block.file:

                def check(self, block=block):
                    getattr(self, f"check_{block.language}")(block)

                setattr(Programs, f"test_{name}_{block.line:04}", check)
        if any(block.language in reading.COMMANDS for block in page_blocks):

            def check_commands(self, page_blocks=page_blocks):
                self.check_page(page_blocks)

            setattr(Commands, f"test_{name}", check_commands)


def read_pages(source):
    root = Path(source)
    pages = {}
    for path in [root / "README.md", root / "examples/README.md", *sorted((root / "docs").glob("*.md"))]:
        page = str(path.relative_to(root))
        pages[page] = reading.blocks_of(page, path.read_text(encoding="utf-8"))
    return pages


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as configuration:
        CONFIGURATION.update(json.load(configuration))
    try:
        PAGES = read_pages(CONFIGURATION["source"])
    except reading.BadPage as bad:
        sys.exit(str(bad))
    CONFIGURATION["blocks"] = [block for each in PAGES.values() for block in each]
    add_tests(PAGES)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
