# SPDX-License-Identifier: MIT
"""Figures in the documents are those of docs/measurements.md.

Usage: figures_test.py ROOT-OF-THE-REPOSITORY [unittest options]

A figure is a number with two to four decimals, outside of code, that is no version. Decisions and
dependencies have figures of their own; the README's quotients of two figures, in the row that
begins with "faster by", are computed anew.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(".")

CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
VERSION = re.compile(r"(Linux|oneTBB|gcc|clang|CMake) \d+[.\d]*")
FIGURE = re.compile(r"(?<![\d.])\d+\.\d{2,4}(?![\d.])")
ROW = re.compile(r"^\| (\S+) \| (\S+) \| (\d+) \| (\d+) \| ([\d.]+) \|", re.MULTILINE)
OWN_FIGURES = ("measurements.md", "decisions.md", "dependencies.md")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def figures(text):
    return FIGURE.findall(VERSION.sub("", CODE.sub("", text)))


class Figures(unittest.TestCase):
    def test_are_measured(self):
        measured = set(FIGURE.findall(read("docs/measurements.md")))
        pages = [f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")]
        pages = [page for page in pages if Path(page).name not in OWN_FIGURES]
        found = [(page, figure) for page in pages for figure in figures(read(page))]
        found += [
            ("README.md", figure)
            for line in read("README.md").splitlines()
            if not line.startswith("| faster by")
            for figure in figures(line)
        ]
        self.assertGreater(len(found), 20)
        self.assertEqual([each for each in found if each[1] not in measured], [])

    def test_quotients_are_those_of_the_measurements(self):
        """Of one worker's seconds and two workers', in any of the tables."""
        seconds = {}
        for bench, variant, workers, size, value in ROW.findall(read("docs/measurements.md")):
            times = seconds.setdefault((bench, variant, size), {})
            times.setdefault(workers, []).append(float(value))
        quotients = {
            f"{one / two:.2f}"
            for times in seconds.values()
            for one, two in zip(times.get("1", []), times.get("2", []))
        }
        self.assertGreater(len(quotients), 5)
        (row,) = re.findall(r"^\| faster by .*$", read("README.md"), re.MULTILINE)
        self.assertGreater(len(FIGURE.findall(row)), 2)
        self.assertEqual([each for each in FIGURE.findall(row) if each not in quotients], [])


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1))
    unittest.main()
