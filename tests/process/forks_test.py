# SPDX-License-Identifier: MIT
"""Processes that fork while they have workers.

Usage: forks_test.py PATH-OF-PROCESS_FORKS SANITIZER [unittest options].
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without

# The child lacks the threads whose stacks hold the last pointers to what they have allocated.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

BLIND = "in the child it ignores what the forking flow synchronizes, and only that"

AMID = (
    "saguaro: a process that forked while tasks of a task_group were under way needs threads that "
    "only its parent has; wait for the group before fork\n"
)

ALONE = (
    "saguaro: a process that forked in a task needs a thread that only its parent has; "
    "leave the task with exec or _exit\n"
)


class Forks(ProcessCase):
    def each(self, mode, *arguments, workers=("1", "2", "4"), **settings):
        for count in workers:
            with self.subTest(mode=mode, workers=count):
                self.assertEqual(self.output(mode, *arguments, WORKERS=count, **settings), "")

    @without(["thread"], "it allows no threads after a fork of several")
    def test_the_child_has_workers_of_its_own(self):
        self.each("outside")
        self.each("other-options")

    @without(["thread"], "it allows no threads after a fork of several")
    def test_while_others_run(self):
        self.each("while-others-run", 20)

    @without(["thread"], "it allows no threads after a fork of several")
    def test_the_child_stops_its_workers_while_another_thread_of_the_parent_runs(self):
        self.each("while-another-runs")

    def test_while_workers_end(self):
        self.assertEqual(self.output("while-workers-end"), "")

    def test_the_locks_of_pools_are_taken_last(self):
        self.assertEqual(self.output("pools-are-locked-last"), "")

    @without(["thread"], BLIND)
    def test_the_child_of_a_task_goes_on_alone(self):
        self.each("in-a-task", 4)

    @without(["thread"], BLIND)
    def test_with_pops_that_always_ask(self):
        """Then the child takes each of its deques' locks."""
        for count in ["1", "3"]:
            done = self.run_program("in-a-task", 3, WORKERS=count, STATS="1")
            self.assertEqual(done.returncode, 0, done.stderr)

    @without(["thread"], BLIND)
    def test_the_child_of_a_task_comes_back_to_the_thread_that_forked(self):
        for workers in ["1", "4"]:
            self.assertEqual(self.output("back-from-a-task", WORKERS=workers), "the parent\n")

    @without(["thread"], BLIND)
    def test_the_child_of_a_task_does_not_come_back_to_another(self):
        for mode, workers in [("back-to-another-thread", "2"), ("back-to-a-join", "2")]:
            done = self.run_program(mode, WORKERS=workers)
            self.assertEqual((done.stdout, done.stderr, done.returncode),
                             ("the parent\n", ALONE, 0), mode)

    def test_exit_in_the_child_of_a_task(self):
        self.each("exits-from-a-task")

    @without(["thread"], "it allows no threads after a fork of several")
    def test_threads_in_the_child_of_a_task(self):
        self.each("threads-from-a-task")

    @without(["thread"], "it allows no threads after a fork of several")
    def test_the_child_begins_what_no_thread_had_begun(self):
        self.each("amid-a-group", workers=("1", "2"))

    @without(["thread"], "it allows no threads after a fork of several")
    def test_several_threads_of_the_child_use_an_idle_group(self):
        self.each("beside-an-idle-group", workers=("1", "2"))

    @without(["thread"], BLIND)
    def test_the_child_does_not_wait_for_what_a_thread_had_begun(self):
        for workers in ["1", "2"]:
            done = self.run_program("beside-a-task", WORKERS=workers)
            self.assertEqual((done.stdout, done.stderr, done.returncode),
                             ("the parent\n", AMID * 5, 0))

    def test_exec_and_its_like(self):
        self.each("programs")


if __name__ == "__main__":
    process_case.main(1)
