# SPDX-License-Identifier: MIT
"""detmpiexec: which MPI library its ranks load, without the user's doing."""

import os
import subprocess
import sys
import unittest

LAUNCHER, PROGRAMS = sys.argv[1:3]


def launch(*words, **variables):
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"} | variables
    return subprocess.run(
        [LAUNCHER, *words], capture_output=True, text=True, timeout=60, check=False, env=environment
    )


def program(name):
    return f"{PROGRAMS}/{name}"


class Libraries(unittest.TestCase):
    def knows_the_others(self, *words, **variables):
        done = launch("-n", "3", *words, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), ["0 of 3", "1 of 3", "2 of 3"])

    def refuses(self, name, *causes):
        done = launch("-n", "3", program(name))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        for cause in (f"detmpiexec: {program(name)}: it ", *causes):
            self.assertIn(cause, done.stderr)

    def test_program_of_the_standard_abi_finds_its_library(self):
        self.knows_the_others(program("abi_program"))

    def test_program_that_is_linked_against_mpich_gets_ours(self):
        self.knows_the_others(program("mpich_program"))

    def test_own_variable_does_not_lead_away(self):
        others = program("others_12")
        self.knows_the_others(program("mpich_program"), LD_LIBRARY_PATH=others)
        self.knows_the_others("-env", "LD_LIBRARY_PATH", others, program("mpich_program"))

    def test_variable_stays_behind_ours(self):
        done = launch("sh", "-c", "echo $LD_LIBRARY_PATH", LD_LIBRARY_PATH="/a:/b")
        first, rest = done.stdout.split(":", 1)
        self.assertTrue(os.path.exists(f"{first}/libmpi.so.12"))
        self.assertEqual(rest, "/a:/b\n")

    def test_another_library_is_named(self):
        self.refuses("open_mpi_program", "another MPI library", "others_40/libmpi.so.40", "detmpicc")

    def test_another_library_of_the_same_name_is_named(self):
        self.refuses("mpich_forever_program", "another MPI library", "others_12/libmpi.so.12")

    def test_another_library_is_found_through_others(self):
        self.refuses("solver_program", "others_40/libmpi.so.40")

    def test_library_that_is_nowhere_is_named(self):
        self.refuses("lost_program", "needs the MPI library libmpi.so.99", "nor found")

    def test_another_library_is_named_behind_a_script(self):
        done = launch("-n", "2", "sh", "-c", f"exec {program('open_mpi_program')}", STAY="20")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has loaded another MPI library", done.stderr)
        self.assertIn("others_40/libmpi.so.40", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_another_library_may_be_open_beside_ours(self):
        other = program("others_40/libmpi.so.40")
        self.knows_the_others(program("opening_program"), other, "libmpi.so.12")

    def test_another_library_is_named_that_a_program_opens_alone(self):
        other = program("others_40/libmpi.so.40")
        done = launch("-n", "2", program("opening_program"), other)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"has loaded another MPI library, {other}", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_nothing_begins_if_one_of_several_programs_is_wrong(self):
        done = launch("echo", "begun", ":", program("open_mpi_program"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
