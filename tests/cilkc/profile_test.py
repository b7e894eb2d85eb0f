# SPDX-License-Identifier: MIT
"""cilkc -cilk-profile: work and critical path of computations of known shape, in both dialects.

Usage: profile_test.py CILKC TOLD_TIME COMPILER... [unittest options]

A strand of the programs in profile/ takes 100 µs of the time that the object file TOLD_TIME tells, and
all else takes none: work and path are known exactly, whatever the machine does.
"""

import os
import re
import sys
import unittest
from pathlib import Path

import pairs_test

HERE = Path(__file__).resolve().parent
UNIT = 100  # µs
TOLD_TIME = ""

# Name: units of work, and of critical path.
MIT = {
    "chain": (20, 20),
    "wide": (32, 1),
    "phases": (20, 5),
    "uneven": (16, 8),
    "staircase": (16, 9),
}
C = {
    "loop": (32, 1),
    "coarse_loop": (16, 1),
    "nested": (32, 1),
    "plain": (16, 1),
    "pairs": (16, 1),
    "phases": (16, 4),
    "blocks": (5, 3),
}
# Programs whose results must not change because they are measured: all that clones can have.
MEASURED = ("abort_search.cilk", "errno.cilk", "inlets.cilk", "memory.cilk", "operators.cilk",
            "queens.cilk", "synched.cilk", "callers.c", "for_bodies.c", "reducer_own.c", "scope.c",
            "serial_spawns.c", "structs.c", "vla.c")


def told_time():
    """What a program is linked with that calls busy(), before its own files, so that it is initialised
    first. Only a static library has its clock replaced."""
    return "-static-libsaguaro", TOLD_TIME


def read_command_line():
    """Takes CILKC TOLD_TIME COMPILER... off the command line."""
    global TOLD_TIME
    TOLD_TIME = os.path.abspath(sys.argv.pop(2))
    pairs_test.read_command_line()


class Measurements(pairs_test.Pairs):
    """How measured programs are built, run and checked."""

    def build(self, program, compiler, *options):
        executable = f"{self.directory}/{Path(program).name}"
        self.compile(compiler, "-cilk-profile", *told_time(), *options, program, "-o", executable)
        return executable

    def run_program(self, *command, **settings):
        done = pairs_test.commands.run(*command, **settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, done.stderr

    def check_shapes(self, shapes, measured):
        """That the measured {name: (work, path)}, in µs, are what the shapes are, in units."""
        self.assertEqual(set(measured), set(shapes))
        for name, units in shapes.items():
            for what, seen, expected in zip(("work", "path"), measured[name], units):
                self.check_time(seen, expected * UNIT, f"{name}: {what}")

    def check_time(self, seen, expected, what):
        """A recorder reads its clock, and each reading takes a moment."""
        self.assertGreaterEqual(seen, expected * 0.999999, what)
        self.assertLessEqual(seen, expected * 1.001, what)

    def check_c(self, executable, shapes, **settings):
        measured = {}
        for name in shapes:
            _, err = self.run_program(executable, name, SAGUARO_STATS="1", **settings)
            match = re.search(r"seconds: (\S+) work, (\S+) critical path; parallelism (\S+)\n", err)
            self.assertIsNotNone(match, err)
            work, path, ratio = (float(group) for group in match.groups())
            self.assertAlmostEqual(work / path, ratio, delta=0.02 * ratio)
            measured[name] = (work * 1e6, path * 1e6)
        self.check_shapes(shapes, measured)

    COLUMNS = ("tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),"
               "burdened_parallelism")

    def work_span_lines(self, text):
        """Work and span, in µs, by tag."""
        columns, *lines = text.splitlines()
        self.assertEqual(columns, self.COLUMNS)
        found = {}
        for line in lines:
            tag, *numbers = line.split(",")
            work, span, ratio, burdened_span, burdened_ratio = map(float, numbers)
            self.assertEqual((burdened_span, burdened_ratio), (span, ratio))
            self.assertAlmostEqual(work / span, ratio, delta=0.02 * ratio)
            found[tag] = (work * 1e6, span * 1e6)
        return found

    def check_work_span(self, executable, **settings):
        """profile/work_span.c, whichever language it is compiled as."""
        out, err = self.run_program(executable, **settings)
        self.assertEqual((out[-len("measured\n"):], err), ("measured\n", ""))
        self.check_shapes({"main": (4, 1), "children": (4, 1), "loop": (4, 1)},
                          self.work_span_lines(out.removesuffix("measured\n")))


class Profile(Measurements):
    def setUp(self):
        self.forced = ("-Dsg_pop=sg_plain_pop", "-include", pairs_test.FORCED / "pop.h", self.hook)

    def check_mit(self, executable, **settings):
        out, err = self.run_program(executable, "--stats", "1", **settings)
        lines = [line.split() for line in out.splitlines()]
        results = {words[0]: int(words[1]) for words in lines}
        self.assertEqual((results["chain"], results["wide"], results["fib"]), (20, 32, 2584))
        self.assertEqual(results["stopped"], 3)
        self.assertRegex(err, r"\nWork = .*\nCritical path = .*\nParallelism = ")
        self.check_shapes(MIT, {words[0]: (float(words[2]), float(words[3])) for words in lines
                                if words[0] in MIT})

    def test_mit_shapes(self):
        for compiler in pairs_test.COMPILERS:
            executable = self.build(HERE / "profile/shapes.cilk", compiler, "-O2")
            for workers in ("1", "2"):
                with self.subTest(compiler=compiler, workers=workers):
                    self.check_mit(executable, SAGUARO_WORKERS=workers)

    def test_mit_shapes_with_steals(self):
        executable = self.build(HERE / "profile/shapes.cilk", pairs_test.COMPILERS[0], "-O1",
                                *self.forced)
        for seed in ("1", "2"):
            with self.subTest(seed=seed):
                self.check_mit(executable, SAGUARO_WORKERS="2", FORCED_SEED=seed)

    def test_c_shapes(self):
        for compiler in pairs_test.COMPILERS:
            executable = self.build(HERE / "profile/shapes.c", compiler, "-O2")
            for workers in ("1", "2"):
                with self.subTest(compiler=compiler, workers=workers):
                    self.check_c(executable, C, SAGUARO_WORKERS=workers)

    def test_c_shapes_with_steals(self):
        executable = self.build(HERE / "profile/shapes.c", pairs_test.COMPILERS[0], "-O1",
                                *self.forced)
        self.check_c(executable, C, SAGUARO_WORKERS="2", FORCED_SEED="1")

    def test_a_program_that_exits_in_a_strand(self):
        executable = self.build(HERE / "profile/shapes.cilk", pairs_test.COMPILERS[0], "-O1")
        out, err = self.run_program(executable, "--nproc", "2", "--stats", "1", "exit")
        measured = [line.split() for line in out.splitlines()]
        work = float(re.search(r"\nWork = (\S+) ms\n", err).group(1)) * 1000
        path = float(re.search(r"\nCritical path = (\S+) ms\n", err).group(1)) * 1000
        self.assertAlmostEqual(work, sum(float(words[2]) for words in measured), delta=0.1)
        self.assertAlmostEqual(path, sum(float(words[3]) for words in measured), delta=0.1)

    def test_opencilks_names_for_work_and_span(self):
        program = HERE / "profile/work_span.c"
        for compiler, option in zip(pairs_test.COMPILERS * 2, ("-fcilktool=cilkscale", "-cilk-span")):
            with self.subTest(compiler=compiler, option=option):
                executable = f"{self.directory}/work_span"
                self.compile(compiler, "-O2", option, program, *told_time(), "-o", executable)
                self.check_work_span(executable, SAGUARO_WORKERS="2")

    def test_lines_of_work_and_span_go_where_they_shall(self):
        executable = self.build(HERE / "profile/work_span.c", pairs_test.COMPILERS[0])
        file = f"{self.directory}/lines.csv"
        for _ in range(2):  # The second run's lines take the place of the first one's.
            done = self.run_program(executable, CILKSCALE_OUT=file)
            self.assertEqual(done, ("measured\n", ""))
            self.assertEqual(list(self.work_span_lines(Path(file).read_text(encoding="utf-8"))),
                             ["main", "children", "loop"])
        out, err = self.run_program(executable, CILKSCALE_OUT="/nowhere/lines.csv")
        self.assertEqual(err, "saguaro: CILKSCALE_OUT=/nowhere/lines.csv cannot be written: No such "
                              "file or directory; standard output is taken\n")
        self.assertTrue(out.startswith(self.COLUMNS))

    def test_files_without_cilk_read_work_and_span_too(self):
        parts = {"spawning.c": "#include <cilk/cilk.h>\n#include \"busy.h\"\n"
                               "static void child(void) { busy(100); }\nvoid two(void);\n"
                               "void two(void) { cilk_spawn child(); child(); }\n",
                 "main.c": "#include <cilk/cilkscale.h>\nvoid two(void);\nint main(void) {\n"
                           "    two();\n    return wsp_getworkspan().work == 200000 ? 0 : 1;\n}\n"}
        for name, text in parts.items():
            Path(self.directory, name).write_text(text, encoding="utf-8")
        executable = f"{self.directory}/parts"
        files = [f"{self.directory}/{name}" for name in parts]
        self.compile(pairs_test.COMPILERS[0], "-cilk-profile", "-O1", f"-I{HERE / 'profile'}", *files,
                     *told_time(), "-o", executable)
        self.run_program(executable)

    def test_work_and_span_are_0_where_nothing_is_measured(self):
        executable = f"{self.directory}/unmeasured"
        for option in ("-O1", "-fcilk-serial"):
            self.compile(pairs_test.COMPILERS[0], "-Wall", "-Wextra", "-Werror", option,
                         HERE / "profile/work_span.c", *told_time(), "-o", executable)
            self.assertEqual(self.run_program(executable), ("0 0\n", ""))

    def test_nothing_is_said_of_what_was_not_measured(self):
        executable = f"{self.directory}/plain"
        self.compile(pairs_test.COMPILERS[0], "-O1", HERE / "programs/fib.cilk", "-o", executable)
        _, err = self.run_program(executable, "--stats", "1")
        self.assertIn("Wall-clock", err)
        self.assertNotIn("Work", err)

    def test_by_the_systems_clocks(self):
        executable = f"{self.directory}/fib"
        self.compile(pairs_test.COMPILERS[0], "-cilk-profile", "-O1", HERE / "programs/fib.cilk", "-o",
                     executable)
        _, err = self.run_program(executable, "--stats", "1")
        for what in ("Work", "Critical path"):
            time = re.search(rf"\n{what} = (\S+) \S*s\n", err)
            self.assertIsNotNone(time, err)
            self.assertGreater(float(time.group(1)), 0)

    def test_results_are_the_same(self):
        for number, name in enumerate(MEASURED):
            compiler = pairs_test.COMPILERS[number % len(pairs_test.COMPILERS)]
            program = HERE / "programs" / name
            said = pairs_test.directives(program)
            with self.subTest(program=name, compiler=compiler):
                parts = (HERE / "programs/parts" / part for part in said.get("files", "").split())
                executable = f"{self.directory}/{name}"
                self.compile(compiler, "-cilk-profile", "-O1", *self.forced, program, *parts, "-o",
                             executable)
                self.check_run(executable, program, said, 2, FORCED_SEED="3")


if __name__ == "__main__":
    read_command_line()
    unittest.main()
