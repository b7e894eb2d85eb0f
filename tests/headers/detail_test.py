# SPDX-License-Identifier: MIT
"""Only headers include the headers in include/saguaro/detail/, and each of them is needed.

Usage: detail_test.py ROOT-OF-THE-REPOSITORY [unittest options]

The library and its tests may include any header: they are built with the headers of their own
version.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(".")

INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]saguaro/([^>\"]+)[>\"]", re.MULTILINE)
# What programs are made from: a user's, or those that a user reads to write one.
PROGRAMS = ("README.md", "docs", "examples", "bench", "tests/install/outside")
HEADERS = ("include", "tools/cilkc/include")


def files(places):
    for place in places:
        path = ROOT / place
        yield from [path] if path.is_file() else (f for f in sorted(path.rglob("*")) if f.is_file())


def included(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace"))


class Detail(unittest.TestCase):
    def test_no_program_includes_it(self):
        including = {path: included(path) for path in files(PROGRAMS)}
        found = [f"{path} includes saguaro/{name}"
                 for path, names in including.items() for name in names
                 if name.startswith("detail/")]
        self.assertEqual(found, [])
        self.assertIn("saguaro.hpp", including[ROOT / "README.md"])

    def test_a_header_includes_each(self):
        needed = {name for path in files(HEADERS) for name in included(path)}
        there = {f"detail/{path.name}" for path in files(["include/saguaro/detail"])}
        self.assertEqual(there, {name for name in needed if name.startswith("detail/")})


if __name__ == "__main__":
    ROOT = Path(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
