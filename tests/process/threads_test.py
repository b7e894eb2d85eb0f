# SPDX-License-Identifier: MIT
"""Threads that enter the workers, and threads that tasks make.

Usage: threads_test.py PATH-OF-PROCESS_THREADS SANITIZER [unittest options].
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without


class Threads(ProcessCase):
    def each(self, mode, *arguments, workers=("1", "2", "4")):
        for count in workers:
            with self.subTest(mode=mode, workers=count):
                self.assertEqual(self.output(mode, *arguments, WORKERS=count), "")

    def test_thousands_come_and_go(self):
        self.each("come-and-go", 2000 if process_case.SANITIZER == "none" else 400, workers=["2"])

    def test_sixty_four_at_once(self):
        self.each("at-once")

    def test_nested_runs_and_callbacks(self):
        self.each("nested")

    def test_threads_that_tasks_make(self):
        for mode in ["std-thread", "std-async", "pthread-create"]:
            self.each(mode, workers=["2", "4"])

    @without(["thread"], "it does not know such threads")
    def test_threads_that_the_c_library_makes_for_a_task(self):
        for mode in ["thrd-create", "timer"]:
            self.each(mode, workers=["2", "4"])

    @without(["address", "thread"], "it has a state of its own for each thread that it knows")
    def test_threads_that_a_task_clones(self):
        self.each("clone", workers=["2", "4"])

    def test_exceptions_leave_run(self):
        self.each("exceptions")

    @without(["address", "thread"], "it does not follow jumps on stacks that it did not make")
    def test_jumps_within_a_task(self):
        self.each("jumps")

    def test_nobody_stops_the_workers_of_others(self):
        self.each("stop-meanwhile")

    def test_times_are_complete_when_run_returns(self):
        self.each("times", workers=["1"])


if __name__ == "__main__":
    process_case.main(1)
