# SPDX-License-Identifier: MIT
"""The manual pages: mandoc accepts them; they say what the programs and the settings' table say.

Usage: manual_pages_test.py ROOT-OF-THE-REPOSITORY DIRECTORY-OF-THE-PROGRAMS PROGRAM...

The programs are those whose help has the form that CLI11 gives it.
"""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(".")
PROGRAMS = Path(".")

HELP_LIKE_CLI11S = []

SETTING = re.compile(r"^\| `(SAGUARO_\w+)` \| (.*?) \| (.*?) \| (.*) \|$", re.MULTILINE)


def page(name):
    return (ROOT / "docs/man" / name).read_text(encoding="utf-8")


def options_of_help(program):
    """The options that --help lists, each without its dashes."""
    done = subprocess.run(
        [PROGRAMS / program, "--help"], capture_output=True, text=True, check=True, timeout=300
    )
    lines = re.findall(r"^  (-\S+)", done.stdout, re.MULTILINE)
    return {name.lstrip("-") for names in lines for name in names.split(",")}


def described_options(name):
    """The options that the page has an entry for, each without its dashes."""
    entries = re.findall(r"^\.It Fl (.*)$", page(name), re.MULTILINE)
    words = (entry.replace(",", " ").split() for entry in entries)
    return {word.lstrip("-") for entry in words for word in before_arguments(entry)}


def before_arguments(words):
    """The words of an entry up to its first argument."""
    return words[: words.index("Ar")] if "Ar" in words else words


def described_settings():
    """{variable: (meaning, range, default)} as saguaro.7 has them."""
    section = page("saguaro.7").split(".Sh ENVIRONMENT\n")[1].split("\n.Sh ")[0] + "\n"
    entries = re.findall(r"\.It Ev (SAGUARO_\w+)\n(.*)\n(.*); default: (.*)\.\n", section)
    return {
        name: (meaning.rstrip("."), limits, default) for name, meaning, limits, default in entries
    }


class ManualPages(unittest.TestCase):
    def test_mandoc_has_nothing_to_say(self):
        if shutil.which("mandoc") is None:
            self.skipTest("no mandoc here")
        found = sorted((ROOT / "docs/man").glob("*.[1-8]"))
        self.assertGreaterEqual(len(found), 3)
        done = subprocess.run(
            ["mandoc", "-T", "lint", "-W", "warning", *found],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.assertEqual((done.stdout, done.returncode), ("", 0))

    def test_options_are_those_of_help(self):
        for program in HELP_LIKE_CLI11S:
            with self.subTest(program=program):
                if program == "cilk2c" and not (PROGRAMS / program).exists():
                    self.skipTest("Clang's libraries are not here, so neither is cilk2c")
                described = described_options(program + ".1")
                self.assertIn("help", described)
                self.assertEqual(described, options_of_help(program))

    def test_options_of_the_launcher_are_those_of_help(self):
        if not (PROGRAMS / "detmpiexec").exists():
            self.skipTest("this build has no MPI library")
        done = subprocess.run([PROGRAMS / "detmpiexec", "--help"], capture_output=True, text=True,
                              check=True, timeout=300)
        listed = set()
        for entry in re.findall(r"^  (-.*?)(?:  |$)", done.stdout, re.MULTILINE):
            listed |= {word.lstrip("-") for word in re.findall(r"(?:^|(?<= ))-[-\w]+", entry)}
        described = set()
        for entry in re.findall(r"^\.It Fl (.*)$", page("detmpiexec.1"), re.MULTILINE):
            described |= {name.lstrip("-") for name in re.findall(r"(?:^|Fl )(\S+)", entry)}
        self.assertGreater(len(listed), 10)
        self.assertEqual(listed, described)

    def test_synopses_name_every_option(self):
        for program in HELP_LIKE_CLI11S:
            with self.subTest(program=program):
                synopsis = page(program + ".1").split(".Sh SYNOPSIS\n")[1].split(".Sh ")[0]
                named = set(re.findall(r"Fl -?([\w-]+)", synopsis)) | {"help"}
                self.assertEqual(named, described_options(program + ".1"))

    def test_settings_are_those_of_the_table(self):
        settings = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
        table = {
            name: (meaning, limits, default)
            for name, default, limits, meaning in SETTING.findall(settings)
        }
        self.assertGreaterEqual(len(table), 6)
        self.assertEqual(described_settings(), table)

    def test_the_program_is_the_first_page_s(self):
        """The example of saguaro(7), but for its line breaks."""
        example = page("saguaro.7").split(".Bd -literal\n")[1].split(".Ed\n")[0]
        first = (ROOT / "docs/index.md").read_text(encoding="utf-8")
        program = first.split("```cpp\n")[1].split("```\n")[0]
        self.assertEqual(example.replace("\\e", "\\").split(), program.split())

    def test_the_program_of_spmc_is_its_page_s(self):
        """The example of spmc(7)."""
        example = page("spmc.7").split(".Bd -literal\n")[1].split(".Ed\n")[0]
        first = (ROOT / "docs/spmc.md").read_text(encoding="utf-8")
        program = first.split("```c\n")[1].split("```\n")[0]
        self.assertEqual(example.replace("\\e", "\\"), program)

    def test_the_functions_of_spmc_are_those_of_the_header(self):
        header = (ROOT / "include/saguaro/spmc.h").read_text(encoding="utf-8")
        declared = re.findall(r"^[a-z_ ]+ \*?(spmc_\w+)\(", header, re.MULTILINE)
        self.assertGreaterEqual(len(declared), 11)
        synopsis = page("spmc.7").split(".Sh SYNOPSIS\n")[1].split(".Sh ")[0]
        self.assertEqual(re.findall(r"^\.Fn (\w+)", synopsis, re.MULTILINE), declared)


if __name__ == "__main__":
    ROOT, PROGRAMS = (Path(sys.argv.pop(1)) for _ in range(2))
    HELP_LIKE_CLI11S, sys.argv[1:] = sys.argv[1:], []
    unittest.main()
