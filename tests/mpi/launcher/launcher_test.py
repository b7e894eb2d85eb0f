# SPDX-License-Identifier: MIT
"""detmpiexec: what it runs, what it says of ranks that fail, and that nothing stays behind."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

LAUNCHER, PROGRAM, ABORTING, UNTIMELY, ENDED_PROCESS = sys.argv[1:6]
HOST = socket.gethostname()


def launch(*words, given="", **variables):
    return subprocess.run(
        [LAUNCHER, *words], input=given, capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | variables
    )


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
        self.assertEqual(left_behind(), [])

    def test_rank_killed_by_a_signal_ends_the_job(self):
        self.fails("signal", 128 + 11, "signal 11 (Segmentation fault)")

    def test_exit_code_ends_the_job(self):
        self.fails("exit", 7, "exit code 7")

    def test_end_without_finalize_ends_the_job(self):
        self.fails("early", 1, "it has ended without MPI_Finalize")

    def test_abort_ends_the_job(self):
        self.fails("abort", 5, "exit code 5")

    def test_abort_does_not_wait_for_another_thread(self):
        done = launch("-n", "2", ABORTING)
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr.count("\n"), 2, done.stderr)

    def test_call_out_of_time_ends_the_job(self):
        for when, line in (
            ("before", "saguaro: mpi: MPI_Comm_size is called before MPI_Init"),
            ("after", "saguaro: mpi: rank 0: MPI_Barrier is called after MPI_Finalize"),
        ):
            with self.subTest(when=when):
                done = launch("-n", "1", UNTIMELY, when)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(done.stderr.splitlines()[0], line)

    def test_calls_that_may_be_made_at_any_time(self):
        done = launch("-n", "2", UNTIMELY, "allowed")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""))

    def test_abort_with_0_ends_the_job_with_0_as_mpichs(self):
        self.fails("abort_well", 0, "MPI_Abort with code 0")

    def test_exit_code_behind_finalize_is_the_jobs(self):
        self.fails("code", 9, "exit code 9")

    def test_end_of_a_rank_behind_a_failed_one_ends_the_job(self):
        done = launch("-n", "3", PROGRAM, "two")
        self.assertEqual(done.returncode, 3)
        self.assertIn("detmpiexec: rank 0", done.stderr)
        self.assertEqual(left_behind(), [])

    def test_program_that_fails_before_it_is_a_rank_ends_the_job(self):
        done = launch("-n", "1", PROGRAM, "wait", ":", "-n", "1", "false")
        self.assertEqual(done.returncode, 1)
        self.assertIn("detmpiexec: rank 1", done.stderr)
        self.assertEqual(left_behind(), [])

    def test_circle_of_receives_is_named(self):
        done = launch("-n", "3", PROGRAM, "circle")
        self.assertEqual(done.returncode, 2)
        self.assertIn(
            "rank 0 waits for 1; rank 1 waits for 2; rank 2 waits for 0\n", done.stderr
        )


class Orphans(unittest.TestCase):
    """What the ranks have begun besides, and nobody has waited for."""

    def ends(self, *words, **variables):
        mark = f"{os.getpid()}.{time.monotonic_ns()}"  # seconds that nobody else sleeps for
        done = launch(*[word.replace("MARK", f"1{mark}") for word in words], **variables)
        found = subprocess.run(["pgrep", "-f", f" 1{mark}"], capture_output=True, check=False)
        self.assertEqual(found.stdout, b"")
        return done

    def test_end_with_the_job(self):
        done = self.ends("-n", "2", "sh", "-c", "sleep MARK & true")
        self.assertEqual(done.returncode, 0)

    def test_end_although_they_ignore_signals(self):
        done = self.ends("-n", "1", "sh", "-c",
                         '(trap "" TERM INT HUP; exec sleep MARK) & sleep 0.2')
        self.assertEqual(done.returncode, 0)

    def test_end_with_a_job_that_has_no_more_time(self):
        self.ends("-timeout", "1", "-n", "2", "sh", "-c", "sleep MARK; true")

    def test_end_with_a_job_that_fails(self):
        done = self.ends("-n", "1", "sh", "-c", "sleep MARK; true", ":", "-n", "1", "sh", "-c",
                         "sleep 0.2; kill -9 $$")
        self.assertEqual(done.returncode, 128 + 9)

    # The kernel tells a process's parent behind its name.
    def test_end_whatever_their_names_are(self):
        with tempfile.TemporaryDirectory() as place:
            name = f"{place}/a) R 1 1 b"
            os.symlink(shutil.which("sleep"), name)
            done = self.ends("-n", "1", "sh", "-c", '"$0" MARK & sleep 0.2', name)
        self.assertEqual(done.returncode, 0)

    def test_end_although_another_process_ends_while_the_launcher_reads_of_it(self):
        done = self.ends("-n", "1", "sh", "-c", "sleep MARK & true", LD_PRELOAD=ENDED_PROCESS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_ranks_of_a_script_that_is_killed_end(self):
        launch("-n", "3", "sh", "-c", '(sleep 0.1; kill -9 $$) & "$0" two; true', PROGRAM)
        self.assertEqual(left_behind(), [])


class Spawns(unittest.TestCase):
    def test_children_and_parents_talk(self):
        done = launch("-n", "3", PROGRAM, "spawn_answer")
        self.assertEqual((done.returncode, done.stdout), (0, "3\n" * 3))

    def test_children_keep_freed_memory_as_their_parents(self):
        own = "glibc.malloc.mmap_max=9"
        done = launch("-env", "GLIBC_TUNABLES", own, "-n", "1", PROGRAM, "spawn_memory")
        self.assertEqual((done.returncode, done.stdout), (0, own + "\n"))
        show = launch("-n", "3", "sh", "-c", "echo $GLIBC_TUNABLES").stdout
        done = launch("-n", "1", PROGRAM, "spawn_memory")
        self.assertEqual((done.returncode, done.stdout * 3), (0, show))

    def test_missing_program_is_an_error_of_all_parents(self):
        done = launch("-n", "2", PROGRAM, "spawn_nothing")
        self.assertEqual((done.returncode, done.stdout), (0, "refused\n" * 2))

    def test_more_children_than_there_is_room_for_are_an_error(self):
        done = launch("-n", "2", PROGRAM, "spawn_crowd")
        self.assertEqual((done.returncode, done.stdout), (0, "refused\n" * 2))
        self.assertIn("room for 1024 ranks, and those that have ended count; this one has had 2, "
                      "and asks for 1024 more\n", done.stderr)

    def test_order_of_children_does_not_depend_on_who_is_faster(self):
        done = launch("-n", "2", PROGRAM, "spawn_two")
        self.assertEqual((done.returncode, done.stdout), (0, "1\n2\n4\n5\n"))

    def test_many_children_come_and_go(self):
        done = launch("-n", "1", PROGRAM, "spawn_many")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_who_waits_for_any_rank_waits_for_those_that_are_spawned_meanwhile(self):
        done = launch("-n", "2", PROGRAM, "spawn_guest")
        self.assertEqual((done.returncode, sorted(done.stdout.split())), (0, ["found", "met"]))

    def test_death_of_a_child_ends_the_job(self):
        done = launch("-n", "2", PROGRAM, "spawn_die")
        self.assertEqual(done.returncode, 6)
        self.assertIn(f"detmpiexec: rank 3 on {HOST}, {PROGRAM}: exit code 6\n", done.stderr)
        self.assertEqual(left_behind(), [])

    def test_parents_and_children_that_wait_for_each_other_are_named(self):
        done = launch("-n", "2", PROGRAM, "spawn_wait")
        self.assertEqual(done.returncode, 2)
        self.assertIn(
            "rank 0 waits for 2; rank 1 waits for 2; rank 2 waits for 0; rank 3 waits for 0; "
            "in MPI_Recv on MPI_COMM_PARENT: rank 2, 3; "
            "in MPI_Recv on a communicator of 2 ranks: rank 0, 1\n",
            done.stderr,
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

    def test_programs_that_a_script_begins_are_the_ranks(self):
        for before in ["", "timeout 20 ", "env true; "]:
            done = launch("-n", "2", "sh", "-c", f'{before}"$0" say; true', PROGRAM)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("rank 1 of 2, none\n"), 200)

    def test_second_program_of_a_script_is_no_rank(self):
        done = launch("-n", "2", "sh", "-c", '"$0" meet; "$0" meet', PROGRAM)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the first one that calls is the space\n", done.stderr)

    def test_first_messages_cost_no_pages_where_channels_are_reserved(self):
        def faults(*words):
            done = launch(*words, "-n", "8", PROGRAM, "faults")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return sum(map(int, done.stdout.split()))

        none = faults()
        self.assertLess(4 * faults("-channels", "p2p"), 3 * none)
        self.assertLess(4 * faults("-channels", "m2s,s2a"), 3 * none)
        # Rings from and to the master are a quarter of all.
        self.assertGreater(4 * faults("-channels", "m2s,s2m"), 3 * none)
        done = launch("-channels", "p2p,q2q", PROGRAM)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "detmpiexec: -channels: q2q is no kind of channels\n"))

    def test_many_ranks_meet(self):
        done = launch("-n", "256", PROGRAM)
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
