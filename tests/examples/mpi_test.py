# SPDX-License-Identifier: MIT
"""The MPI programs: their results on several numbers of ranks, and that these are always the same.

Usage: mpi_test.py DETMPIEXEC DIRECTORY-OF-THE-PROGRAMS [unittest options]
"""

import collections
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAUNCHER = Path(".")
PROGRAMS = Path(".")

RANKS = (1, 2, 4, 7)

# How a run is disturbed: one processor for all ranks, low priority, or neither.
DISTURBED = ([], ["taskset", "-c", str(min(os.sched_getaffinity(0)))], ["nice", "-n", "10"])


def run(ranks, *arguments, before=()):
    program, *rest = (str(each) for each in arguments)
    return subprocess.run([*before, str(LAUNCHER), "-n", str(ranks), str(PROGRAMS / program), *rest],
                          capture_output=True, text=True, timeout=300)


def random_number(i):
    """As example.h has it."""
    mask = 2**64 - 1
    x = (i + 1) * 0x9E3779B97F4A7C15 & mask
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & mask
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & mask
    return x ^ (x >> 31)


class Programs(unittest.TestCase):
    def output(self, ranks, *arguments, before=()):
        done = run(ranks, *arguments, before=before)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def assert_always(self, expected, *arguments):
        for ranks in RANKS:
            for before in DISTURBED:
                with self.subTest(ranks=ranks, arguments=arguments, before=before):
                    self.assertEqual(self.output(ranks, *arguments, before=before), expected)

    def test_matmult(self):
        def matrix(n, seed):
            return [[random_number((seed << 32) + i * n + j) % 19 - 9 for j in range(n)]
                    for i in range(n)]

        # Also of fewer rows than ranks.
        for n in (1, 5, 40):
            a, b = matrix(n, 1), matrix(n, 2)
            diagonal = sum(a[i][k] * b[k][i] for i in range(n) for k in range(n))
            self.assert_always(f"the sum of the diagonal is {diagonal}\n", "matmult", n)

    def test_heat(self):
        def middle(n, steps):
            now = [[1.0] * (n + 2)] + [[0.0] * (n + 2) for _ in range(n + 1)]
            for _ in range(steps):
                new = [row[:] for row in now]
                for i in range(1, n + 1):
                    for j in range(1, n + 1):
                        new[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j]
                                            + now[i][j - 1] + now[i][j + 1])
                now = new
            return now[n // 2 + 1][n // 2 + 1]

        for n, steps in ((7, 1), (7, 50), (20, 130)):
            self.assert_always(f"the middle is at {middle(n, steps):.17g} after {steps} steps\n",
                               "heat", n, steps)

    def test_heat_ends_when_nothing_changes(self):
        printed = self.output(3, "heat", 8, 1000000)
        found = re.fullmatch(r"the middle is at ([\d.]+) after (\d+) steps\n", printed)
        self.assertLess(int(found[2]), 2000)
        self.assertEqual(int(found[2]) % 100, 0)

    def test_farm(self):
        def steps(number):
            count = 0
            while number != 1:
                number = number // 2 if number % 2 == 0 else 3 * number + 1
                count += 1
            return count

        for limit in (1, 999, 12345):
            best = max(range(1, limit + 1), key=lambda i: (steps(i), -i))
            first = f"{best} takes {steps(best)} steps\n"
            for ranks in RANKS:
                printed = {self.output(ranks, "farm", limit, before=before)
                           for before in DISTURBED + DISTURBED}
                # Who did what is the same in each run, and all is done.
                self.assertEqual(len(printed), 1, printed)
                line, ranges = printed.pop().split("ranges of each rank:")
                self.assertEqual(line, first)
                self.assertEqual(len(ranges.split()), ranks)
                self.assertEqual(sum(map(int, ranges.split())), (limit + 999) // 1000)

    def test_samplesort(self):
        for n in (1, 6, 5000):
            middle = sorted(random_number(i) for i in range(n))[n // 2]
            self.assert_always(f"{n} numbers, the middle one is {middle}\n", "samplesort", n)

    def test_words(self):
        rng = random.Random(5)
        letters = "aB" * 20 + "cdefg"
        text = "".join(
            rng.choice(["", " ", "\n", ", ", "1", "-"])
            + "".join(rng.choice(letters) for _ in range(rng.choice((1, 2, 3, 30))))
            for _ in range(3000))
        for content in (text, "", "a", "x" * 31 + " " + "y" * 31, " word"):
            counts = collections.Counter(
                word[:31].lower() for word in re.findall("[A-Za-z]+", content))
            expected = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:20]
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                file.write(content)
                file.flush()
                self.assert_always("".join(f"{count} {word}\n" for word, count in expected),
                                   "words", file.name, 20)

    def test_bad_arguments(self):
        number = "argument 1 has to be a whole number from 1 to "
        for arguments, line in (
                (("matmult",), number + "4000"),
                (("matmult", "0"), number + "4000"),
                (("matmult", "12x"), number + "4000"),
                (("heat", "10", "-1"), "argument 2 has to be a whole number from 1 to 1000000000"),
                (("heat", "2", "5"), "each rank needs a row"),
                (("farm", ""), number + "100000000"),
                (("samplesort", "99999999999999999999"), number + "100000000"),
                (("words", "/no/such/file", "3"), "the file cannot be read"),
                (("words", "/", "3"), "the file cannot be read")):
            with self.subTest(arguments=arguments):
                done = run(3, *arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"{arguments[0]}: {line}\n", done.stderr)
                self.assertEqual(done.stderr.count(line), 1)


if __name__ == "__main__":
    LAUNCHER, PROGRAMS = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main()
