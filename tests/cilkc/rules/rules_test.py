# SPDX-License-Identifier: MIT
"""What Cilk forbids. Each program in this folder begins with the messages that it must get, whichever
compiler preprocesses it, a line each:

    // error: LINE:COLUMN: text

Usage: rules_test.py CILKC COMPILER... [--cxx] [unittest options]

With --cxx it is the programs in C++ that are checked, by cilkc++.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CILKC = ""
COMPILERS = []
FOLDER = os.path.dirname(os.path.abspath(__file__))
IS_CXX = "--cxx" in sys.argv
SUFFIXES = (".cpp",) if IS_CXX else (".c", ".cilk")
PROGRAMS = sorted(name for name in os.listdir(FOLDER) if name.endswith(SUFFIXES))


def expected(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return [f"{name}:{line.removeprefix('// error: ').rstrip()}"
                for line in file if line.startswith("// error: ")]


def without_error(line):
    """file:7:5: error: text -> file:7:5: text"""
    return re.sub(r"^(\S+:\d+:\d+:) error: ", r"\1 ", line)


class Rules(unittest.TestCase):
    def test_each_broken_rule_is_named_at_its_place(self):
        self.assertGreaterEqual(len(PROGRAMS), 8 if IS_CXX else 40)
        self.assertTrue(COMPILERS)
        with tempfile.TemporaryDirectory() as folder:
            for compiler, name in itertools.product(COMPILERS, PROGRAMS):
                with self.subTest(name, compiler=compiler):
                    output = os.path.join(folder, "output.o")
                    command = [CILKC, f"--cc={compiler}", "-c", name, "-o", output]
                    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True,
                                          timeout=300, check=False)
                    found = [without_error(line) for line in done.stderr.splitlines()
                             if ": error: " in line]
                    self.assertTrue(expected(name), "the file says no message")
                    self.assertEqual(found, expected(name), done.stderr)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertFalse(os.path.exists(output))


if __name__ == "__main__":
    if IS_CXX:
        sys.argv.remove("--cxx")
    CILKC = os.path.abspath(sys.argv.pop(1))
    while len(sys.argv) > 1 and shutil.which(sys.argv[1]):
        COMPILERS.append(sys.argv.pop(1))
    unittest.main()
