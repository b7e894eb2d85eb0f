# SPDX-License-Identifier: MIT
"""Programs in Cilk that a user compiles with a sanitizer, linked with the ordinary library: nothing is
reported that is no error, and a race of the program's own is.

Usage: sanitizers_test.py CILKC [unittest options]
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CILKC = ""
SOURCES = Path(__file__).resolve().parent / "sanitized"
COMPILERS = {".c": ("gcc", "clang-19"), ".cpp": ("g++", "clang++-19")}
# Of sanitized programs, so that each is likely to meet a theft.
RUNS = 5


class Sanitizers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="cilkc-sanitizers-")
        self.addCleanup(self.folder.cleanup)

    def compiled(self, source, compiler, sanitizer):
        program = f"{self.folder.name}/{compiler}-{sanitizer}"
        driver = CILKC + ("++" if source.endswith(".cpp") else "")
        subprocess.run([driver, f"--cc={compiler}", "-g", "-O1", f"-fsanitize={sanitizer}",
                        str(SOURCES / source), "-o", program], check=True)
        alone = self.run_it(program, 1)
        # gcc 12's runs nothing where the kernel randomizes addresses by 32 bits.
        if alone.returncode != 0 and "unexpected memory mapping" in alone.stderr:
            self.skipTest(alone.stderr)
        return program

    def run_it(self, program, workers):
        environment = {**os.environ, "TSAN_OPTIONS": "atexit_sleep_ms=0", "ASAN_OPTIONS": "",
                       "SAGUARO_WORKERS": str(workers)}
        return subprocess.run([program], capture_output=True, text=True, env=environment, timeout=300)

    def check_sound(self, source, sanitizer):
        for compiler in COMPILERS[Path(source).suffix]:
            program = self.compiled(source, compiler, sanitizer)
            for workers in [1] + [4] * RUNS:
                done = self.run_it(program, workers)
                self.assertEqual((done.stdout, done.stderr, done.returncode),
                                 ("6765 1850000\n", "", 0), f"{compiler}, {workers} workers")

    def test_c_hands_over_without_a_race(self):
        self.check_sound("handed_over.c", "thread")

    def test_cxx_hands_over_without_a_race(self):
        self.check_sound("handed_over.cpp", "thread")

    def test_address_sanitizer_reports_nothing(self):
        self.check_sound("handed_over.cpp", "address")

    def test_a_race_is_found(self):
        program = self.compiled("race.c", "clang-19", "thread")
        found = [self.run_it(program, 4) for _ in range(RUNS)]
        self.assertTrue(any(one.returncode == 66 and "data race" in one.stderr for one in found),
                        found[-1].stderr)


if __name__ == "__main__":
    CILKC = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
