# SPDX-License-Identifier: MIT
"""The Cilk programs of examples/cilk, which check their own results: with 1, 2 and 8 workers, and
as their serial elisions; and their command line.

Usage: cilk_test.py DIRECTORY-OF-PROGRAMS [unittest options]
"""

import os
import re
import subprocess
import sys
import unittest

DIRECTORY = ""

# Sizes at which each program spawns a few thousand times at most, and one that is no power of two.
SIZES = {
    "allqueens": (8, 3),
    "cholesky": (60, 97),
    "cilksort": (100000, 54321),
    "connect4": (9, 10),
    "fft": (65536, 3),
    "fib": (20, 0),
    "fib-mit": (20, 0),
    "heat": (200, 77),
    "knapsack": (28, 36),
    "lu": (256, 201),
    "matmul": (256, 201),
    "nqueens": (8, 7),
    "queens": (20, 16),
    "quickhull": (30000, 1),
    "raytracer": (64, 1),
    "rectmul": (300, 1),
    "strassen": (256, 201),
    "wordcount": (30000, 1),
    "words": (200000, 1),
}
MIT = {"cholesky", "connect4", "fib-mit", "heat", "knapsack", "lu", "queens"}


def run(program, *arguments, workers=None):
    settings = {k: v for k, v in os.environ.items() if not re.match("SAGUARO_|CILK_", k)}
    words = [os.path.join(DIRECTORY, program)]
    if workers is not None and program in MIT:
        words += ["--nproc", str(workers)]
    elif workers is not None:
        settings["CILK_NWORKERS"] = str(workers)
    return subprocess.run(
        [*words, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=settings,
        timeout=300,
        check=False,
    )


class Answers(unittest.TestCase):
    def check(self, program, size, workers, name):
        done = run(name, "--check", size, workers=workers)
        where = f"{name} {size}, {workers} workers"
        self.assertEqual((done.returncode, done.stderr), (0, ""), where)
        self.assertIn("(checked)", done.stdout, where)
        self.assertRegex(done.stdout, r"\n\d+\.\d{6} seconds\n$", where)
        return done.stdout.split("\n")[0]

    def answers(self, program):
        for size in SIZES[program]:
            serial = self.check(program, size, None, f"{program}-serial")
            for workers in (1, 2, 8):
                with self.subTest(program=program, size=size, workers=workers):
                    answer = self.check(program, size, workers, program)
                    # Which of many solutions is found first is nobody's promise.
                    if program != "queens":
                        self.assertEqual(answer, serial)


def add_tests():
    """A test for each program."""
    for program in SIZES:
        name = "test_" + program.replace("-", "_")
        setattr(Answers, name, lambda self, program=program: self.answers(program))


class CommandLine(unittest.TestCase):
    def refused(self, arguments, *parts):
        done = run("matmul", *arguments)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in ("matmul", *parts):
            self.assertIn(part, done.stderr)

    def test_bad_numbers(self):
        for text in ("0", "-3", "many", "3x", "", "99999999999999999999"):
            with self.subTest(text=text):
                self.refused(["--seed", "-1"] if text == "-3" else [text], "whole number from")

    def test_unknown_option(self):
        self.refused(["--frobnicate"], "'--frobnicate'", "--help")

    def test_option_without_its_number(self):
        self.refused(["--seed"], "seed", "whole number from")

    def test_help_names_all_options(self):
        done = run("rectmul", "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        options = ("--inner", "--columns", "--seed", "--check", "--time")
        for part in ("rectmul [M]", *options, "CILK_NWORKERS", "--nproc"):
            self.assertIn(part, done.stdout)

    def test_time_alone(self):
        done = run("fib", "--time", "--check", 10, workers=1)
        self.assertRegex(done.stdout, r"^\d+\.\d{9}\n$")

    def test_a_seed_changes_the_answer(self):
        answers = {run("matmul", 64, "--seed", seed).stdout.split("\n")[0] for seed in (1, 1, 2)}
        self.assertEqual(len(answers), 2)


if __name__ == "__main__":
    DIRECTORY = sys.argv.pop(1)
    add_tests()
    unittest.main()
