# SPDX-License-Identifier: MIT
"""Figures in the documents are those of docs/measurements.md and docs/lessons.md.

Usage: figures_test.py ROOT-OF-THE-REPOSITORY [unittest options]

A figure is a number with two to four decimals, outside of code, that is no version. The README's are
all of one run, the one between the comments `readme` in docs/measurements.md; the README's last comment
names their rows. The tables above that run are made of its rows. Decisions and dependencies have figures
of their own.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(".")

CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
VERSION = re.compile(r"(Linux|glibc|oneTBB|gcc|clang|CMake|MIT Cilk) \d+[.\d]*")
FIGURE = re.compile(r"(?<![\d.])\d+\.\d{2,4}(?![\d.])")
ROW = re.compile(
    r"^\| (\S+) \| (\S+) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]*) \| ([\d.]*) \|$", re.MULTILINE
)
RUN = re.compile(r"<!-- readme -->\n(.*?)<!-- /readme -->", re.DOTALL)
ABOUT_RUN = re.compile(r"^## The run behind the README\n(.*?)<!-- readme -->", re.MULTILINE | re.DOTALL)
BEHIND = re.compile(r"^<!-- The rows .*?\n(.*?)-->", re.MULTILINE | re.DOTALL)
MEASURED = ("measurements.md", "lessons.md")
OWN_FIGURES = (*MEASURED, "decisions.md", "dependencies.md")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def figures(text):
    return FIGURE.findall(VERSION.sub("", CODE.sub("", text)))


def expected(word, times):
    """The figure that `bench/variant/workers/n:what` stands for: nanoseconds or microseconds of an
    operation (ns, us), the ratio, or the time of the row by that of another one."""
    row, what = word.split(":")
    seconds, ratio, each = times[row]
    if what == "us":
        return f"{float(each) / 1000:.2f}"
    if what in times:
        return f"{float(seconds) / float(times[what][0]):.2f}"
    return {"ns": each, "ratio": ratio}[what]


class Figures(unittest.TestCase):
    def test_are_measured(self):
        measured = {each for page in MEASURED for each in FIGURE.findall(read(f"docs/{page}"))}
        pages = [f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")]
        pages = [page for page in pages if Path(page).name not in OWN_FIGURES]
        found = [(page, figure) for page in pages for figure in figures(read(page))]
        self.assertGreater(len(found), 10)
        self.assertEqual([each for each in found if each[1] not in measured], [])

    def test_those_above_the_run_s_rows_are_the_run_s(self):
        page = read("docs/measurements.md")
        (about,) = ABOUT_RUN.findall(page)
        (run,) = RUN.findall(page)
        found = figures(about)
        self.assertGreater(len(found), 10)
        self.assertEqual([each for each in found if each not in FIGURE.findall(run)], [])

    def test_the_readme_s_are_of_one_run(self):
        (run,) = RUN.findall(read("docs/measurements.md"))
        times = {"/".join(cells[:4]): cells[4:] for cells in ROW.findall(run)}
        (words,) = BEHIND.findall(read("README.md"))
        wanted = [(word, expected(word, times)) for word in words.split()]
        found = figures(BEHIND.sub("", read("README.md")))
        self.assertGreater(len(found), 10)
        self.assertEqual(found, [figure for _, figure in wanted], wanted)


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1))
    unittest.main()
