# SPDX-License-Identifier: MIT
"""Recordings of programs that cilkc has compiled with -cilk-profile: work and span of computations
of known shape, in both dialects.

Usage: recording_test.py CILKC TOLD_TIME COMPILER... [unittest options]
"""

import os
import unittest
from pathlib import Path

import pairs_test
import profile_test
from support import recordings

HERE = Path(__file__).resolve().parent
UNIT = profile_test.UNIT * 1000  # ns
MISSING = ("saguaro: SAGUARO_RECORD: spawns of C functions are missing, which were not compiled with "
           "cilkc -cilk-profile\n")


class Recordings(profile_test.Measurements):
    def setUp(self):
        self.file = f"{self.directory}/run.rec"

    def build(self, program, compiler, *options):
        executable = f"{self.directory}/{Path(program).name}"
        self.compile(compiler, "-O2", *options, HERE / program, *profile_test.told_time(), "-o",
                     executable)
        return executable

    def record(self, *command, **settings):
        """The recording, and what the program says on stdout and stderr."""
        done = pairs_test.commands.run(*command, SAGUARO_RECORD=self.file, **settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        return recordings.Recording(self.file), done.stdout, done.stderr

    def check_shape(self, executable, name, units):
        seen, _, said = self.record(executable, name)
        self.assertEqual(said, "")
        self.check_time(seen.work, units[0] * UNIT, f"{name}: work")
        self.check_time(seen.span, units[1] * UNIT, f"{name}: span")

    def test_c_shapes(self):
        for compiler in pairs_test.COMPILERS:
            executable = self.build("profile/shapes.c", compiler, "-cilk-profile")
            for name, units in profile_test.C.items():
                with self.subTest(compiler=compiler, shape=name):
                    self.check_shape(executable, name, units)

    def test_mit_shapes(self):
        for compiler in pairs_test.COMPILERS:
            with self.subTest(compiler=compiler):
                executable = self.build("profile/shapes.cilk", compiler, "-cilk-profile")
                seen, out, said = self.record(executable)
                self.assertEqual(said, "")
                # What a strand measures is another run's business.
                self.assertIn("chain 20 0.000 0.000\n", out)
                self.assertGreater(seen.work, sum(w for w, _ in profile_test.MIT.values()) * UNIT)
                self.assertGreater(seen.span, sum(s for _, s in profile_test.MIT.values()) * UNIT)
                self.assertGreater(seen.work / seen.span, 1.2)
                self.assertGreater(seen.count[recordings.SYNC], 5)

    def test_functions_that_tell_nothing_are_missed(self):
        executable = self.build("profile/shapes.c", pairs_test.COMPILERS[0])
        seen, _, said = self.record(executable, "pairs")
        self.assertEqual(said, MISSING)
        self.assertEqual(seen.count[recordings.SPAWN], 0)
        self.check_time(seen.work, profile_test.C["pairs"][0] * UNIT, "pairs")

    def test_loops_are_heard_in_any_program(self):
        executable = self.build("profile/shapes.c", pairs_test.COMPILERS[0])
        self.check_shape(executable, "loop", profile_test.C["loop"])

    def test_child_of_a_fork_ends_what_its_parent_began(self):
        for compiler in pairs_test.COMPILERS:
            with self.subTest(compiler=compiler):
                executable = self.build("profile/fork.c", compiler, "-cilk-profile")
                seen, out, said = self.record(executable)
                self.assertEqual((out, said), ("", ""))
                self.check_time(seen.work, 3 * UNIT, "the parent's")

    def test_results_are_the_same(self):
        for number, name in enumerate(profile_test.MEASURED):
            compiler = pairs_test.COMPILERS[number % len(pairs_test.COMPILERS)]
            program = HERE / "programs" / name
            said = pairs_test.directives(program)
            with self.subTest(program=name, compiler=compiler):
                parts = (HERE / "programs/parts" / part for part in said.get("files", "").split())
                executable = self.build(program, compiler, "-cilk-profile", *parts)
                # With the long grain the recording dozes wherever a function spawns often.
                for grain in ("500", "1000000"):
                    self.check_run(executable, program, said, 1, SAGUARO_RECORD=self.file,
                                   SAGUARO_RECORD_GRAIN=grain)
                    recordings.Recording(self.file)

    def test_silent_clones_compute_the_same(self):
        every = sorted(HERE.glob("programs/[!.]*.c*")) if pairs_test.EVERYTHING else [
            HERE / "programs" / name for name in profile_test.MEASURED]
        silent = ("-cilk-profile", "-Dsg_profile_dozes=sg_plain_dozes",
                  "-Dsg_profile_still_dozes=sg_plain_still_dozes",
                  "-Dsg_profile_dozes_on=sg_plain_dozes_on", "-include",
                  pairs_test.FORCED / "silent.h")
        for number, program in enumerate(every):
            compiler = pairs_test.COMPILERS[number % len(pairs_test.COMPILERS)]
            said = pairs_test.directives(program)
            with self.subTest(program=program.name, compiler=compiler):
                parts = (HERE / "programs/parts" / part for part in said.get("files", "").split())
                executable = self.build(program, compiler, *silent,
                                        *said.get("options", "").split(), *parts)
                self.check_run(executable, program, said, 1)

    def test_fine_functions_are_heard_in_part(self):
        for compiler in pairs_test.COMPILERS:
            with self.subTest(compiler=compiler):
                executable = self.build("profile/fine.c", compiler, "-cilk-profile")
                exact, out, said = self.record(executable, "27", SAGUARO_RECORD_GRAIN="0")
                self.assertEqual((out, said), ("196418\n", ""))
                self.assertEqual(exact.count[recordings.SPAWN], 317810)
                # Not by the grain alone: what is not heard takes no time to be heard.
                seen, out, said = self.record(executable, "27", SAGUARO_RECORD_GRAIN="5000")
                self.assertEqual((out, said), ("196418\n", ""))
                self.assertLess(seen.count[recordings.SPAWN], 10000)
                # Of a tree that is thought fine, after those that were, a part is one strand.
                seen, _, _ = self.record(executable, "20", "tree", SAGUARO_RECORD_GRAIN="5000")
                self.check_time(seen.work, 128_000_000, "tree")
                self.assertGreater(seen.work / seen.span, 4)
                # Of a row too, but its later spawns are heard: the function begins late.
                seen, _, _ = self.record(executable, "20", "row", SAGUARO_RECORD_GRAIN="5000")
                self.check_time(seen.work, 64_000_000, "row")
                self.assertGreater(seen.work / seen.span, 6)

    def test_spawns_of_other_files_functions_end_a_doze(self):
        for compiler in pairs_test.COMPILERS:
            with self.subTest(compiler=compiler):
                executable = self.build("profile/halves.cilk", compiler, "-cilk-profile",
                                        HERE / "profile/quarters.cilk")
                seen, out, said = self.record(executable)
                self.assertEqual((out, said), ("64\n", ""))
                self.check_time(seen.work, 64_000_000, "halves")
                self.assertGreater(seen.work / seen.span, 2)


if __name__ == "__main__":
    os.environ["TOLD_TO_RECORDER"] = "yes"
    profile_test.read_command_line()
    unittest.main()
