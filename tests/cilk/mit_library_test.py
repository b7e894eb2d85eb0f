# SPDX-License-Identifier: MIT
"""The library of MIT Cilk and the API of Cilk Plus, as whole programs.

Usage: mit_library_test.py MIT-PROGRAM C-PROGRAM [unittest options].
"""

import os
import subprocess
import sys
import unittest


def run(program, *arguments, **settings):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("SAGUARO_", "CILK_"))}
    return subprocess.run([program, *arguments], env={**environment, **settings},
                          capture_output=True, text=True, timeout=300)


class Options(unittest.TestCase):
    def lines(self, *arguments, status=0):
        done = run(MIT, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_are_taken_off_the_command_line(self):
        for options in (["--nproc", "2"], ["-nproc", "2"], ["--nproc", "2", "--stats", "0"],
                        ["--stack", "4000", "--no-stats", "--yield", "--nproc", "2"],
                        ["--alloc-batch", "8", "--nproc", "2", "--"]):
            self.assertEqual(self.lines(*options, "a", "--nproc"),
                             ["1 a", "2 --nproc", "null 1, on a worker 1 of 2"], options)

    def test_end_at_what_is_none(self):
        self.assertEqual(self.lines("--", "--nproc", "1")[:2], ["1 --nproc", "2 1"])
        self.assertEqual(self.lines("--mine", "--nproc", "7")[:3],
                         ["1 --mine", "2 --nproc", "3 7"])
        self.assertEqual(self.lines("-", "x")[:2], ["1 -", "2 x"])

    def test_the_result_is_the_status(self):
        self.assertEqual(self.lines("--nproc", "1", status=5), ["null 1, on a worker 1 of 1"])

    def test_all_processors_by_default(self):
        (last,) = self.lines(status=5)
        every = run(MIT, "--nproc", "0").stdout.splitlines()
        self.assertEqual([last], every)
        self.assertEqual(run(MIT, SAGUARO_WORKERS="3").stdout.split()[-1], "3")
        self.assertEqual(run(MIT, "--nproc", "2", SAGUARO_WORKERS="3").stdout.split()[-1], "2")

    def test_bad_values_end_the_program(self):
        for arguments, said in (
                (["--nproc", "x"], "--nproc x is not accepted: a whole number from 0 to 4096"),
                (["--nproc", "5000"], "--nproc 5000 is not accepted: a whole number from 0 to 4096"),
                (["-stats", "7"], "-stats 7 is not accepted: a whole number from 0 to 6"),
                (["--nproc"], "--nproc  is not accepted: a whole number from 0 to 4096")):
            done = run(MIT, *arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (2, "", f"saguaro: {said}\n"))

    def test_help_and_version(self):
        done = run(MIT, "--nproc", "2", "--help", "x")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--nproc <n>", "--stack <n>", "--stats <n>", "--no-stats", "--help"):
            self.assertIn(option, done.stdout)
        self.assertNotIn("null", done.stdout)
        self.assertEqual(run(MIT, "--version").stdout, "MIT Cilk 5.4 on Saguaro\n")

    def test_statistics(self):
        one = run(MIT, "--nproc", "2", "--stats", "1", "x").stderr
        self.assertRegex(one, r"\A\nRUNTIME SYSTEM STATISTICS:\n\n"
                              r"Wall-clock running time on 2 processors = [0-9.]+ (us|ms|s)\n\Z")
        two = run(MIT, "--nproc", "1", "--stats", "2", "lock").stderr
        self.assertRegex(two, r"running time on 1 processor = ")
        self.assertRegex(two, r"\nSteals = 0\n")
        exited = run(MIT, "--stats", "1", "exit")
        self.assertEqual(exited.returncode, 3)
        self.assertIn("Wall-clock", exited.stderr)


class Library(unittest.TestCase):
    def last(self, *arguments):
        done = run(MIT, "--nproc", "3", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()[-1]

    def test_locks(self):
        self.assertEqual(self.last("lock"), "count 100000")

    def test_random_numbers(self):
        self.assertEqual(self.last("random"), "again 1, other 1")

    def test_time(self):
        self.assertEqual(self.last("time"), "later")

    def test_self(self):
        self.assertEqual(self.last("self"), "self 1")

    def test_ends(self):
        done = run(MIT, "die")
        self.assertEqual((done.returncode, done.stderr), (1, "fatal error: 17 is too many\n"))
        self.assertIn("null 1", done.stdout)
        self.assertEqual(run(MIT, "exit").returncode, 3)
        done = run(MIT, "assert")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"mit_program.c:\d+: Cilk_assert\(argc == 1\) failed\n")

    def test_contexts(self):
        done = run(MIT, "contexts", "--nproc", "2", "x", "y")
        self.assertEqual(done.stdout.splitlines(),
                         ["left 3, 2 workers", "started 1", "started 0"], done.stderr)


class Api(unittest.TestCase):
    def lines(self, *arguments, **settings):
        done = run(C, *arguments, **settings)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_workers(self):
        self.assertEqual(self.lines(CILK_NWORKERS="3"), ["3 workers, started 0, number 0"])
        self.assertEqual(self.lines("run", CILK_NWORKERS="3"),
                         ["worker 1", "3 workers, started 1, number 0"])
        self.assertEqual(self.lines("init", "end", CILK_NWORKERS="2"),
                         ["2 workers, started 0, number 0"])

    # Programs ask in their inner loops.
    def test_number_of_workers_is_read_once(self):
        self.assertEqual(self.lines("files", CILK_NWORKERS="")[:3],
                         ["at first: some, then 0 files, the same",
                          "another setting: some, then 0 files, the same",
                          "1 workers on one processor"])

    def test_parameters(self):
        self.assertEqual(
            self.lines("nworkers=3", "stack size=0x20000", "run", "nworkers=2"),
            ["nworkers 3: 0", "stack size 0x20000: 0", "worker 1", "nworkers 2: 0",
             "2 workers, started 1, number 0"])
        self.assertEqual(
            self.lines("nworkers=many", "nworkers=5000", "stack size=1", "force reduce=1",
                       "nworkers=-1", "init", "nworkers=3", CILK_NWORKERS="2"),
            ["nworkers many: 3", "nworkers 5000: 2", "stack size 1: 2", "force reduce 1: 1",
             "nworkers -1: 3", "nworkers 3: 4", "2 workers, started 1, number 0"])


if __name__ == "__main__":
    MIT, C = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
