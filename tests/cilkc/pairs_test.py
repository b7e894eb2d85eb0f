# SPDX-License-Identifier: MIT
"""Programs and what they print, for every construct of each dialect.

Usage: pairs_test.py CILKC DIRECTORY SUFFIX COMPILER... [unittest options]

Each NAME.SUFFIX of the directory (c, cilk or cpp) is compiled by the real translator and run with 1, 2
and 8 workers, as the scheduler happens to steal; again with children that wait for thieves
(forced/pop.c); and as its serial elision. Each time it must print what its last comment says:
comments.py has the form of that, and what else a program says about its test.

The compilers and -O0 to -O3 are spread over the programs: each program meets two of the eight
combinations, one of them with children that wait. With CILKC_PAIRS=part in the environment each third
program meets one of the two, with CILKC_PAIRS=rest all that is left of them is met, and with
CILKC_PAIRS=all every one of the eight. CILKC_PAIRS_PIECE=1/3 is the first of three pieces of the
programs: a piece is over in time on a busy machine, and others run beside it.
"""

import os
import shutil
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from comments import directives, output_of
from support import commands

CILKC = ""
COMPILERS = []
PROGRAMS = Path()
FORCED = Path(__file__).resolve().parent / "forced"
LEVELS = ("-O0", "-O1", "-O2", "-O3")
WORKERS = (1, 2, 8)
SEEDS = (1, 2)
SHARE = os.environ.get("CILKC_PAIRS", "both")
SHARES = ("both", "part", "rest", "all")
EVERYTHING = SHARE == "all"
FORCE = {
    "cpp": ("-I", FORCED / "cxx"),
    "c": ("-Dsg_pop=sg_plain_pop", "-include", FORCED / "pop.h"),
}
SUFFIX = ""


def piece():
    """Which of how many pieces of the programs is tested, from 0."""
    which, _, pieces = os.environ.get("CILKC_PAIRS_PIECE", "1/1").partition("/")
    if not (which.isdecimal() and pieces.isdecimal() and 1 <= int(which) <= int(pieces)):
        sys.exit(f"CILKC_PAIRS_PIECE={which}/{pieces}: accepted is K/N, such as 1/3")
    return int(which) - 1, int(pieces)


def is_left_out(number, at):
    """Whether the share leaves out this one of the program's two combinations."""
    is_in_part = number % 3 == 0 and (number + at) % 2 == 0
    return SHARE == ("rest" if is_in_part else "part")


def combinations(number):
    """The (compiler, level) pairs that the program with this number meets."""
    every = [(compiler, level) for level in LEVELS for compiler in COMPILERS]
    if EVERYTHING:
        return every
    # Neighbours among the programs differ in both; 3 has no divisor in common with 4 and 8.
    first = 3 * number
    second = first + len(every) // 2 + 1
    return [every[first % len(every)], every[second % len(every)]]


class Pairs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="cilkc-pairs-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.hook = f"{cls.directory}/pop.o"
        language = ("-x", "c") if SUFFIX == "cpp" else ()
        cls.compile(COMPILERS[0], "-O2", *language, "-c", FORCED / "pop.c", "-o", cls.hook)

    @staticmethod
    def compile(compiler, *arguments):
        printed = commands.output(CILKC, f"--cc={compiler}", *arguments)
        if printed != "":
            command = " ".join(map(str, arguments))
            raise AssertionError(f"cilkc --cc={compiler} {command}\n{printed}")

    def check_run(self, executable, program, said, workers, **settings):
        if "environment" in said:
            name, value = said["environment"].split("=")
            settings[name] = value
        else:
            settings["SAGUARO_WORKERS"] = str(workers)
        done = commands.run(executable, *said.get("arguments", "").split(), **settings)
        where = f"{program.name} with {settings}"
        self.assertEqual(done.stdout, output_of(program), f"{where}\n{done.stderr}")
        if said.get("status") == "failure":
            self.assertNotIn(done.returncode, (0, None), where)
            self.assertIn(said["errors"], done.stderr, where)
        else:
            self.assertEqual((done.returncode, done.stderr), (0, ""), where)

    def check_runs(self, executable, program, said, runs):
        """Side by side: most of the time they wait for thieves."""
        with ThreadPoolExecutor(len(runs)) as pool:
            started = [
                pool.submit(self.check_run, executable, program, said, workers, **settings)
                for workers, settings in runs
            ]
            for one in started:
                one.result()

    def check_program(self, program, number):
        said = directives(program)
        files = [program, *(PROGRAMS / "parts" / name for name in said.get("files", "").split())]
        options = said.get("options", "").split()
        executable = f"{self.directory}/{program.stem}"
        chosen = combinations(number)
        for at, (compiler, level) in enumerate(chosen):
            if is_left_out(number, at):
                continue
            with self.subTest(compiler=compiler, level=level):
                is_forced = EVERYTHING or at % 2 == 1
                if EVERYTHING or not is_forced:
                    self.compile(compiler, level, *options, *files, "-o", executable)
                    every = WORKERS[: 1 if "environment" in said else None]
                    self.check_runs(executable, program, said, [(w, {}) for w in every])
                if is_forced:
                    force = (*FORCE.get(SUFFIX, FORCE["c"]), self.hook)
                    self.compile(compiler, level, *options, *force, *files, "-o", executable)
                    seeds = [(WORKERS[1 + s % 2], {"FORCED_SEED": str(s)}) for s in SEEDS]
                    self.check_runs(executable, program, said, seeds)
        if "serial" not in said and (EVERYTHING or number % 4 == 0 and not is_left_out(number, number)):
            with self.subTest(compiler=chosen[0][0], level="serial"):
                serial = ("-O0", "-fcilk-serial")
                self.compile(chosen[0][0], *serial, *options, *files, "-o", executable)
                self.check_run(executable, program, said, 1)


def add_tests(suffix):
    which, pieces = piece()
    for number, program in enumerate(sorted(PROGRAMS.glob(f"*.{suffix}"))):
        # Three neighbours are together: of them one is in the part.
        if number // 3 % pieces != which:
            continue

        def check(self, program=program, number=number):
            self.check_program(program, number)

        setattr(Pairs, f"test_{program.stem}", check)


def read_command_line():
    """Takes CILKC COMPILER... off the command line."""
    global CILKC
    CILKC = os.path.abspath(sys.argv.pop(1))
    while len(sys.argv) > 1 and shutil.which(sys.argv[1]):
        COMPILERS.append(sys.argv.pop(1))


if __name__ == "__main__":
    PROGRAMS, SUFFIX = Path(sys.argv.pop(2)).resolve(), sys.argv.pop(2)
    read_command_line()
    if SHARE not in SHARES:
        sys.exit(f"CILKC_PAIRS={SHARE}: accepted are {', '.join(SHARES)}")
    add_tests(SUFFIX)
    unittest.main()
