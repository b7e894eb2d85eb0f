# SPDX-License-Identifier: MIT
"""detmpiexec: what it runs, what it says of ranks that fail, and that nothing stays behind."""

import os
import socket
import subprocess
import sys
import time
import unittest

LAUNCHER, PROGRAM = sys.argv[1:3]
HOST = socket.gethostname()


def launch(*words, given=""):
    begin = time.monotonic()
    done = subprocess.run(
        [LAUNCHER, *words], input=given, capture_output=True, text=True, timeout=20, check=False
    )
    done.seconds = time.monotonic() - begin
    return done


def left_behind():
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(PROGRAM):
                found.append(pid)
        except OSError:
            pass
    return found


class Ends(unittest.TestCase):
    def fails(self, word, code, cause):
        done = launch("-n", "4", PROGRAM, word)
        self.assertEqual(done.returncode, code)
        self.assertIn(f"detmpiexec: rank 1 on {HOST}, {PROGRAM}: {cause}\n", done.stderr)
        self.assertEqual(done.stderr.count("detmpiexec:"), 1)
        self.assertLess(done.seconds, 2)
        self.assertEqual(left_behind(), [])

    def test_rank_killed_by_a_signal_ends_the_job(self):
        self.fails("signal", 128 + 11, "signal 11 (Segmentation fault)")

    def test_exit_code_ends_the_job(self):
        self.fails("exit", 7, "exit code 7")

    def test_end_without_finalize_ends_the_job(self):
        self.fails("early", 1, "it has ended without MPI_Finalize")

    def test_abort_ends_the_job(self):
        self.fails("abort", 5, "exit code 5")

    def test_exit_code_behind_finalize_is_the_jobs(self):
        self.fails("code", 9, "exit code 9")

    def test_end_of_a_rank_behind_a_failed_one_ends_the_job(self):
        done = launch("-n", "3", PROGRAM, "two")
        self.assertEqual(done.returncode, 3)
        self.assertIn("detmpiexec: rank 0", done.stderr)
        self.assertLess(done.seconds, 5)
        self.assertEqual(left_behind(), [])

    def test_program_that_fails_before_it_is_a_rank_ends_the_job(self):
        done = launch("-n", "1", PROGRAM, "wait", ":", "-n", "1", "false")
        self.assertEqual(done.returncode, 1)
        self.assertIn("detmpiexec: rank 1", done.stderr)
        self.assertLess(done.seconds, 5)
        self.assertEqual(left_behind(), [])

    def test_circle_of_receives_is_named(self):
        done = launch("-n", "3", PROGRAM, "circle")
        self.assertEqual(done.returncode, 2)
        self.assertIn(
            "rank 0 waits for 1; rank 1 waits for 2; rank 2 waits for 0\n", done.stderr
        )


class Runs(unittest.TestCase):
    def test_lines_are_whole_and_tagged(self):
        done = launch(
            "-tag", "-n", "1", "-env", "COLOR", "red", PROGRAM, "say", ":", "-n", "2", PROGRAM, "say"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        expected = [f"[{r}] rank {r} of 3, {'red' if r == 0 else 'none'}" for r in range(3)] * 200
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(expected))

    def test_rank_0_reads_the_input(self):
        done = launch("-n", "2", PROGRAM, "read", given="hello\n")
        self.assertEqual(
            sorted(done.stdout.splitlines()), ["rank 0: hello", "rank 1: nothing"]
        )

    def test_programs_without_mpi_run_as_well(self):
        for _ in range(20):  # some end before the launcher looks at them
            done = launch("-n", "3", PROGRAM, "stranger")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_wrong_words_get_a_line(self):
        for words, line in (
            (["-n", "0", PROGRAM], "a number of ranks is 1 to 1024"),
            (["-n"], "nothing follows -n"),
            (["-speed", PROGRAM], "-speed is no option"),
            ([], "which program?"),
            (["-n", "2", PROGRAM, ":"], "which program?"),
            (["no_such_program"], "No such file or directory"),
        ):
            done = launch(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(line, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
