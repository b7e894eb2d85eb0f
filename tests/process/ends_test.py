# SPDX-License-Identifier: MIT
"""Processes that end while they have workers.

Usage: ends_test.py PATH-OF-PROCESS_ENDS SANITIZER [unittest options].
"""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without

WORKERS = ["1", "2", "4"]


class Ends(ProcessCase):
    def assert_ends(self, mode, number, stdout, code):
        for count in WORKERS:
            with self.subTest(mode=mode, workers=count):
                done = self.run_program(mode, number, WORKERS=count)
                self.assertEqual((done.stdout, done.returncode), (stdout, code))
                self.assertNotIn("saguaro", done.stderr)

    def test_exit_without_handlers(self):
        for code in [0, 3]:
            self.assert_ends("exit-in-a-task", code, "", code)
        self.assert_ends("exit-beside", 3, "", 3)

    def test_quick_exit(self):
        for code in [0, 3]:
            self.assert_ends("quick-exit-in-a-task", code, "quick\n", code)
        self.assert_ends("quick-exit-beside", 3, "quick\n", 3)

    def test_abort(self):
        self.assert_ends("abort-in-a-task", 0, "", -signal.SIGABRT)
        self.assert_ends("abort-beside", 0, "", -signal.SIGABRT)

    def test_main_returns_while_a_run_is_under_way(self):
        self.assert_ends("busy", 0, "", 0)
        self.assert_ends("busy-group", 0, "", 0)

    def test_a_static_group_waits(self):
        self.assert_ends("static-group", 0, "task\n" * 3, 0)

    def test_exit_handlers_compute(self):
        self.assert_ends("handlers", 0, "handler\n" * 3, 0)
        self.assert_ends("handlers-in-a-task", 0, "handler\n", 0)
        self.assert_ends("destructors", 0, "static\n", 0)

    def test_workers_of_exit_handlers_are_ended_too(self):
        """One report for main and the last handler, one for each of the others."""
        done = self.run_program("handlers", STATS="1", WORKERS="2")
        self.assertEqual(done.stderr.count("saguaro: 2 workers"), 3, done.stderr)

    def test_thread_local_objects_end_with_their_worker(self):
        self.assertEqual(self.output("thread-locals", WORKERS="2"), "gone\nstopped\n" * 2)

    @without(["address", "thread"], "it would miss the threads")
    def test_threads_that_have_done_nothing_are_not_waited_for(self):
        self.assert_ends("held", 0, "", 0)

    @without(["thread"], "it begins no threads in the child of a fork")
    def test_what_the_end_has_left_is_ended_when_others_are_wanted(self):
        self.assert_ends("left", 0, "handler\n" * 2, 0)

    @without(["thread"], "it begins no threads in the child of a fork")
    def test_destructors_of_thread_local_objects_call(self):
        self.assert_ends("destructors-call", 0, "", 0)
        self.assert_ends("destructors-call-at-exit", 0, "all\n", 0)


if __name__ == "__main__":
    process_case.main(1)
