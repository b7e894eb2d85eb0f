# SPDX-License-Identifier: MIT
"""The programs of spaces and channels, each run many times and disturbed at random: they always print the
same, and the spaces send and receive the same.

Usage: perturbed_test.py DIRECTORY-OF-THE-PROGRAMS SLEEPER RACY [unittest options]

SG_TEST_PERTURBED=COUNT runs each program so often, the full number is 1000; SG_TEST_SEED=N begins with
this seed. A run that differs is named by its seed.
"""

import os
import random
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support import commands
from support.disturbances import Disturbance

PROGRAMS = Path(".")
SLEEPER = ""
RACY = ""

COUNT = int(os.environ.get("SG_TEST_PERTURBED", "10"))
FIRST_SEED = int(os.environ.get("SG_TEST_SEED", "1"))

WAITS = re.compile(r'\n[^\n]*"cat":"wait"[^\n]*')
TIMES = re.compile(r'"(ts|dur)":[0-9.]+,?')


def trace_of(path):
    """What SAGUARO_TRACE has made, but for times, and for waits, which are there or not. Removes the file, so
    that the next run has to make its own."""
    text = Path(path).read_text(encoding="utf-8")
    os.unlink(path)
    return TIMES.sub("", WAITS.sub("", text))


def sleeping(seed):
    return {"LD_PRELOAD": SLEEPER, "SLEEPER_SEED": str(seed)}


def disturbances(count):
    return (Disturbance(seed, sleeping) for seed in range(FIRST_SEED, FIRST_SEED + count))


def some_text():
    words = random.Random(5)
    return " ".join("".join(words.choices("abc", k=words.randint(1, 3))) for _ in range(20_000))


class Perturbed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = folder.name + "/trace.json"

    def is_always_the_same(self, name, *arguments):
        words = [str(PROGRAMS / name), *map(str, arguments)]
        expected = commands.run(*words, SAGUARO_TRACE=self.trace)
        self.assertEqual(expected.returncode, 0, expected.stderr)
        expected_trace = trace_of(self.trace)
        for each in disturbances(COUNT):
            code, out, err = each.run(words, SAGUARO_TRACE=self.trace)
            how = (f"{name}, {each}; SG_TEST_SEED={each.seed} SG_TEST_PERTURBED=1 "
                   f"repeats the disturbance\n{err}")
            self.assertEqual((code, out), (0, expected.stdout), how)
            self.assertEqual(trace_of(self.trace), expected_trace, how)

    def test_sieve(self):
        self.is_always_the_same("sieve", 12)

    def test_matmult(self):
        self.is_always_the_same("matmult_mp", 40, 3)

    def test_halo(self):
        self.is_always_the_same("halo", 60, 100, 4)

    def test_wordfreq(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(some_text())
            file.flush()
            self.is_always_the_same("wordfreq", file.name, 3, 12)

    def test_a_race_is_noticed(self):
        """Else the runs above would show nothing."""
        seen = {commands.run(RACY).stdout}
        for each in disturbances(200):
            code, out, err = each.run([RACY])
            self.assertEqual(code, 0, err)
            seen.add(out)
            if len(seen) > 1:
                return
        self.fail(f"in 200 runs it always printed {seen}")


if __name__ == "__main__":
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    SLEEPER = sys.argv.pop(1)
    RACY = sys.argv.pop(1)
    unittest.main()
