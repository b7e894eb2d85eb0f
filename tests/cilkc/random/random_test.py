# SPDX-License-Identifier: MIT
"""Random Cilk programs, whose parallel results must be those of their serial elisions.

Usage: random_test.py CILKC COMPILER... [--programs N] [--first SEED] [--dialect c|cxx|mit]
                      [--keep DIRECTORY] [--tries N] [--sanitizer address|thread]

Programs come in files of some; a file meets one of the compilers and of the levels of optimization,
and runs with 1, 2 and 8 workers; three of four are compiled such that pops wait for thieves
(../forced/pop.c). The elision is made here, by leaving words out, and compiled by gcc or g++: inlets
become nested functions. In C++ each program meets cilkc++ and the compilers of C++.

A program is the same for the same seed and dialect. One that fails is named by its seed, generated
again alone, made smaller as long as it fails, and kept: its file is printed.
"""

import argparse
import itertools
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cxx_program import CXX
from program import C, MIT
from tree import shrink

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support import commands

FORCED = Path(__file__).resolve().parent.parent / "forced"
DIALECTS = {"c": C, "cxx": CXX, "mit": MIT}
# What is wrong in a clone is mostly wrong at any level: the others, which take four times as long as
# -O0, get fewer programs.
LEVELS = ("-O1", "-O2", "-O3")
PROGRAMS_IN_FILE = {"-O0": 40, "-O1": 10, "-O2": 10, "-O3": 10}
WORKERS = ("1", "2", "8")
PATIENCE = 600  # seconds for one command, on a machine that does much else
RUNS_ALONE = 12  # of a single program, with different seeds, before it counts as right


class Failure(Exception):
    """What went wrong with a file; `names` are the programs concerned, if that is known."""

    def __init__(self, text, names=()):
        super().__init__(text)
        self.names = names


def run(command, **settings):
    """Its stdout; a Failure if it does not end well."""
    try:
        done = commands.run(*command, seconds=PATIENCE, **settings)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]}: not done after {PATIENCE} seconds, {settings}") from None
    if done.returncode != 0:
        said = "\n".join(done.stderr.splitlines()[:12])
        words = " ".join(map(str, command))
        raise Failure(f"{words}: exit code {done.returncode}, {settings}\n{said}")
    return done.stdout


class Setting:
    """How a file is compiled: by which compiler, at which level, with pops that wait or not."""

    def __init__(self, number, compiler, level):
        self.compiler = compiler
        self.level = level
        self.is_forced = number % 4 != 3

    def __str__(self):
        forced = ", pops wait" if self.is_forced else ""
        return f"--cc={self.compiler} {self.level}{forced}"


class Runner:
    def __init__(self, cilkc, folder, sanitizer=None):
        self.cilkc = cilkc
        self.sanitizer = sanitizer
        self.folder = Path(folder)
        self.hook = self.folder / "pop.o"
        run([cilkc, "-O2", "-c", FORCED / "pop.c", "-o", self.hook])

    def expected(self, dialect, text):
        source = self.folder / f"elision{dialect.suffix}"
        source.write_text(dialect.serial_elision(text), encoding="utf-8")
        executable = self.folder / "elision"
        run([*dialect.elision_command, "-w", "-ffp-contract=off", source, "-o", executable])
        return run([executable])

    def compile(self, dialect, source, setting):
        executable = self.folder / "parallel"
        forced = [*dialect.force_options, self.hook] if setting.is_forced else []
        sanitizer = [f"-fsanitize={self.sanitizer}", "-g"] if self.sanitizer else []
        run([self.cilkc + dialect.driver_suffix, f"--cc={setting.compiler}", setting.level, "-w",
             "-ffp-contract=off", *forced, *sanitizer, source, "-o", executable])
        return executable

    def check(self, dialect, programs, setting, runs=1):
        """Raises Failure if a result is another than the elision's."""
        text = dialect.file_of(programs)
        source = self.folder / f"parallel{dialect.suffix}"
        source.write_text(text, encoding="utf-8")
        executable = self.compile(dialect, source, setting)
        right = self.expected(dialect, text)
        for seed in range(runs):
            # Side by side: most of the time they wait for thieves.
            with ThreadPoolExecutor(len(WORKERS)) as pool:
                started = [
                    pool.submit(run, [executable], SAGUARO_WORKERS=n, FORCED_SEED=str(seed))
                    for n in WORKERS
                ]
            for workers, done in zip(WORKERS, started):
                found = done.result()
                if found != right:
                    pairs = zip(right.splitlines(), found.splitlines())
                    wrong = [line.split()[0] for line, other in pairs if line != other]
                    raise Failure(f"{workers} workers: wrong results of {' '.join(wrong)}", wrong)


def fails(runner, dialect, programs, setting):
    try:
        runner.check(dialect, programs, setting, RUNS_ALONE)
    except Failure as failure:
        return str(failure)
    return None


def report(runner, options, dialect, programs, setting, failure):
    """Finds a program that fails alone, makes it smaller, keeps it."""
    print(f"{setting}: {failure}", file=sys.stderr)
    suspects = [p for p in programs if p.name in failure.names] or programs
    for one in suspects:
        if not fails(runner, dialect, [one], setting):
            continue
        shrink(one.nodes, lambda: fails(runner, dialect, [one], setting), options.tries)
        said = fails(runner, dialect, [one], setting)
        kept = Path(options.keep) / f"random_{one.seed}{dialect.suffix}"
        kept.write_text(dialect.file_of([one]), encoding="utf-8")
        what = f"{dialect.suffix} program of seed {one.seed}, {setting}"
        print(f"{what}: {kept}\n{said}", file=sys.stderr)
        return
    kept = Path(options.keep) / f"random_{programs[0].seed}_and_on{dialect.suffix}"
    kept.write_text(dialect.file_of(programs), encoding="utf-8")
    print(f"no program of {kept} fails alone (seeds {programs[0].seed} to {programs[-1].seed})",
          file=sys.stderr)


def combinations(compilers):
    """Compilers and levels without end. The last compiler, clang, is twice as quick at -O0."""
    for level in itertools.cycle(LEVELS):
        for compiler in compilers:
            yield compiler, level
            yield compilers[-1], "-O0"
        yield compilers[0], "-O0"


def files(options):
    """For each file its setting, the first program's seed, and their number."""
    done = 0
    for number, (compiler, level) in enumerate(combinations(options.compilers)):
        count = min(PROGRAMS_IN_FILE[level], options.programs - done)
        if count == 0:
            return
        yield Setting(number, compiler, level), options.first + done, count
        done += count


def check_all(runner, options):
    """How many files failed."""
    failures = 0
    names = [options.dialect] if options.dialect else sorted(DIALECTS)
    for setting, first, count in files(options):
        for name in names:
            dialect = DIALECTS[name]
            seeds = range(first, first + count)
            programs = [dialect.program(dialect, seed, f"p{seed}") for seed in seeds]
            try:
                runner.check(dialect, programs, setting)
            except Failure as failure:
                failures += 1
                report(runner, options, dialect, programs, setting, failure)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cilkc")
    parser.add_argument("compilers", nargs="+")
    parser.add_argument("--programs", type=int, default=500, help="of each dialect")
    parser.add_argument("--first", type=int, default=1, help="the first program's seed")
    parser.add_argument("--dialect", choices=sorted(DIALECTS))
    parser.add_argument("--keep", default=".", help="where failing programs go")
    parser.add_argument("--tries", type=int, default=150, help="to make a failing program smaller")
    parser.add_argument("--sanitizer", choices=("address", "thread", "undefined"))
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="cilkc-random-")
    try:
        failures = check_all(Runner(options.cilkc, folder, options.sanitizer), options)
    finally:
        shutil.rmtree(folder)
    if failures:
        sys.exit(f"{failures} files with wrong programs")
    print(f"{options.programs} programs of a dialect: all results are those of the elisions")


if __name__ == "__main__":
    main()
