# SPDX-License-Identifier: MIT
"""detmpiexec -reduce: sums against rational numbers.

Usage: reduce_test.py LAUNCHER REDUCING-PROGRAM [unittest options]
"""

import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

LAUNCHER, PROGRAM = sys.argv[1:3]

# Binary digits of the mantissa, the exponent of the least subnormal number, that of the first power
# of 2 that is too great.
TYPES = {"float": (24, -149, 128), "double": (53, -1074, 1024), "long-double": (64, -16445, 16384)}


def rounded(exact, kind):
    """To nearest, ties to even; None for an infinity."""
    digits, least, most = TYPES[kind]
    if exact == 0:
        return exact
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** max(exponent - digits + 1, least)
    value = round(size / unit) * unit
    return None if value >= Fraction(2) ** most else value if exact > 0 else -value


def written(value):
    """Of a number that has few digits in base 2: for strtold."""
    size = abs(value.numerator)
    zeros = max((size & -size).bit_length() - 1, 0)
    exponent = zeros - (value.denominator.bit_length() - 1)
    return f"{'-' if value < 0 else ''}{hex(size >> zeros)}p{exponent}"


def read(text):
    """What printf has written by %La; None for an infinity."""
    if "inf" in text:
        return None
    mantissa, exponent = text.split("p")
    sign = -1 if mantissa[0] == "-" else 1
    whole, _, part = mantissa.lstrip("-")[2:].partition(".")
    return sign * Fraction(int(whole + part, 16)) * Fraction(2) ** (int(exponent) - 4 * len(part))


class Column:
    """Makes numbers for one sum."""

    def __init__(self, chance, kind):
        digits, least, most = TYPES[kind]
        self.chance = chance
        self.kind = kind
        self.digits = chance.choice((1, 5, digits))
        # All at one place, or over some digits, or over all exponents.
        span = chance.choice((0, 3, digits, 3 * digits, most - least))
        self.low = chance.randint(least, max(least, most - self.digits - span))
        self.high = min(most - self.digits, self.low + span)

    def number(self, earlier):
        chance = self.chance
        if earlier and chance.random() < 0.3:  # much is cancelled
            return -chance.choice(earlier)
        sign = chance.choice((1, -1))
        mantissa = chance.getrandbits(self.digits)
        return rounded(sign * mantissa * Fraction(2) ** chance.randint(self.low, self.high),
                       self.kind)

    def numbers(self, count):
        made = []
        for _ in range(count):
            made.append(self.number(made))
        self.chance.shuffle(made)
        return made


def sums(kind, rows, *options):
    """What the program prints, as numbers: those of allreduce, and of scan but for the last row."""
    with tempfile.NamedTemporaryFile("w") as file:
        for row in rows:
            file.write(" ".join(map(written, row)) + "\n")
        file.flush()
        done = subprocess.run([LAUNCHER, *options, "-n", str(len(rows)), PROGRAM, kind, file.name],
                              capture_output=True, text=True, timeout=300, check=False)
    if (done.returncode, done.stderr) != (0, ""):
        raise AssertionError(done.stderr)
    return [[read(word) for word in line.split()] for line in done.stdout.splitlines()]


class Reduce(unittest.TestCase):
    def expect_exact(self, kind, seed, ranks, count):
        chance = random.Random(seed)
        columns = [Column(chance, kind).numbers(ranks) for _ in range(count)]
        rows = list(zip(*columns))
        expected = [[rounded(sum(column), kind) for column in columns],
                    [rounded(sum(column[:-1]), kind) for column in columns]]
        self.assertEqual(sums(kind, rows, "-reduce", "invariant"), expected)
        return rows, expected

    def test_sums_are_exact_and_rounded_once(self):
        for kind in TYPES:
            for ranks in (2, 3, 7, 16):
                with self.subTest(kind=kind, ranks=ranks):
                    rows, expected = self.expect_exact(kind, f"{kind} {ranks}", ranks, 150)
                    # Else the numbers would show nothing.
                    if ranks > 2:
                        self.assertNotEqual(sums(kind, rows), expected)
                        self.assertEqual(sums(kind, rows), sums(kind, rows, "-reduce", "ordered"))

    def test_more_ranks_than_are_few(self):
        self.expect_exact("double", 20, 20, 150)

    def test_wrong_rules_get_a_line(self):
        done = subprocess.run([LAUNCHER, "-reduce", "fast", PROGRAM], capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "detmpiexec: -reduce fast: it is ordered or invariant "
                             "(detmpiexec --help tells more)\n"))
        done = subprocess.run([LAUNCHER, "-env", "SAGUARO_MPI_REDUCE", "fast", PROGRAM, "float",
                               "/dev/null"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("SAGUARO_MPI_REDUCE=fast: it is ordered or invariant", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
