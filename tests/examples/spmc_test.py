# SPDX-License-Identifier: MIT
"""The programs of spaces and channels: what they print, and that it is always the same.

Usage: spmc_test.py DIRECTORY-OF-THE-PROGRAMS [unittest options]
"""

import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS = Path(".")

# How a run is disturbed: one processor for all, low priority, or neither.
DISTURBED = ([], ["taskset", "-c", str(min(os.sched_getaffinity(0)))], ["nice", "-n", "10"])


def run(*arguments, before=()):
    program, *rest = (str(each) for each in arguments)
    return subprocess.run([*before, str(PROGRAMS / program), *rest], capture_output=True, text=True,
                          timeout=300)


def primes(count):
    found = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


class Programs(unittest.TestCase):
    def output(self, *arguments, before=()):
        done = run(*arguments, before=before)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def assert_always(self, expected, *arguments):
        for before in DISTURBED:
            with self.subTest(arguments=arguments, before=before):
                self.assertEqual(self.output(*arguments, before=before), expected)

    def test_sieve(self):
        for count in (1, 2, 5, 6, 40, 100):
            self.assert_always(" ".join(map(str, primes(count))) + "\n", "sieve", count)

    def test_matmult(self):
        one = self.output("matmult_mp", 100, 1)
        self.assertRegex(one, r"^the sum of the diagonal is -?\d+\.\d{9}\n$")
        for spaces in (2, 7, 100, 130):
            self.assert_always(one, "matmult_mp", 100, spaces)

    def test_matmult_is_the_product(self):
        # A product of 1 x 1 matrices: the first random numbers of seeds 1 and 2.
        def first(seed):
            return ((seed * 1664525 + 1013904223) % 2**32 >> 8) / 2**24 - 0.5

        self.assertEqual(self.output("matmult_mp", 1, 1),
                         f"the sum of the diagonal is {first(1) * first(2):.9f}\n")

    def test_halo(self):
        def rod(cells, steps):
            now = [0.0] * cells
            for _ in range(steps):
                padded = [1.0, *now, 0.0]
                now = [padded[i] + 0.25 * (padded[i - 1] - 2 * padded[i] + padded[i + 1])
                       for i in range(1, cells + 1)]
            return now

        now = rod(60, 300)
        expected = ("the heat at a tenth, a third and the middle: "
                    f"{now[6]:.17g} {now[20]:.17g} {now[30]:.17g}\n")
        for spaces in (1, 2, 3, 16, 60):
            self.assert_always(expected, "halo", 60, 300, spaces)

    def test_conjugate(self):
        def neighbours(i, size):
            row, column = divmod(i, size)
            return [i + step for step, is_inside in
                    ((-size, row > 0), (size, row + 1 < size), (-1, column > 0),
                     (1, column + 1 < size)) if is_inside]

        def mean_heat(size):
            heat = [0.0] * size**2
            around = [neighbours(i, size) for i in range(size**2)]
            for _ in range(30 * size**2):  # Gauss and Seidel's, which comes to the same
                for i, others in enumerate(around):
                    heat[i] = (1 + sum(heat[j] for j in others)) / 4
            return sum(heat) / size**2 / (size + 1)**2

        for size in (1, 2, 7):
            expected = rf"^\d+ steps, mean heat {mean_heat(size):.9f}\n$"
            for spaces in range(1, size + 1):
                self.assertRegex(self.output("conjugate", size, spaces), expected)
        self.assert_always(self.output("conjugate", 40, 7), "conjugate", 40, 7)

    def test_wordfreq(self):
        words = random.Random(5)
        text = " ".join("".join(words.choices("abc", k=words.randint(1, 9)))
                        for _ in range(300_000))
        counts = {}
        for word in text.split():
            counts[word] = counts.get(word, 0) + 1
        ranking = sorted((-count, word) for word, count in counts.items())[:12]
        expected = "".join(f"{-count} {word}\n" for count, word in ranking)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            for spaces in (1, 3, 8):
                self.assert_always(expected, "wordfreq", file.name, spaces, 12)

    def test_refuses_what_it_does_not_take(self):
        for arguments, line in (
                (("sieve", 0), "sieve: PRIMES '0': accepted is a whole number from 1 to 200"),
                (("sieve", 1, 2), "usage: sieve [PRIMES]"),
                (("matmult_mp", "x"),
                 "matmult_mp: N 'x': accepted is a whole number from 1 to 8192"),
                (("halo", 5, 1, 6), "halo: SPACES '6': accepted is a whole number from 1 to 5"),
                (("conjugate", 3, 4),
                 "conjugate: SPACES '4': accepted is a whole number from 1 to 3"),
                (("wordfreq",), "usage: wordfreq FILE [SPACES] [WORDS]"),
                (("wordfreq", "/nowhere"), "wordfreq: /nowhere: No such file or directory")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", line + "\n"))


if __name__ == "__main__":
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    unittest.main()
