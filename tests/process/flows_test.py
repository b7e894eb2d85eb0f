# SPDX-License-Identifier: MIT
"""Reducers in virtual processors and nano-threads: no update is lost without a word.

Usage: flows_test.py PATH-OF-PROCESS_FLOWS SANITIZER [unittest options].
"""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase

FLOWS = {"nanothreads": "a nano-thread", "vps": "a virtual processor"}
PROCESSORS = [1, 2, 4]


class Flows(ProcessCase):
    def assert_refused(self, what, monoid):
        for flows, one in FLOWS.items():
            for processors in PROCESSORS:
                with self.subTest(what=what, flows=flows, processors=processors):
                    done = self.run_program(f"{what}-{flows}", processors, WORKERS="2")
                    self.assertEqual((done.stdout, done.returncode), ("", -signal.SIGABRT))
                    self.assertRegex(
                        done.stderr,
                        rf"\Asaguaro: reducer at 0x[0-9a-f]+ of {monoid} was used by {one} that "
                        r"did not create it: updates of several at once would be lost; share it in "
                        r"saguaro::run, or give each its own\n\Z",
                    )

    def test_two_that_share_one_are_refused(self):
        self.assert_refused("share", r"saguaro::add<long( int)?>")

    def test_so_are_those_that_had_a_run_before(self):
        self.assert_refused("after-a-run", r"saguaro::add<long( int)?>")

    def test_and_those_to_whom_another_has_passed_it_on(self):
        self.assert_refused("pass-on", r"saguaro::add<long( int)?>")

    def test_monoids_of_c_have_the_name_that_they_say(self):
        self.assert_refused("c", "hits")

    def assert_printed(self, what, expected):
        for flows in FLOWS:
            for processors in PROCESSORS:
                with self.subTest(what=what, flows=flows, processors=processors):
                    printed = self.output(f"{what}-{flows}", processors, WORKERS="2")
                    self.assertEqual(printed, expected)

    def test_what_each_has_made_and_runs_are_right(self):
        self.assert_printed("own", "80000 40001\n")

    def test_they_are_outside_else(self):
        self.assert_printed("as-outside", "2\n")


if __name__ == "__main__":
    process_case.main(1)
