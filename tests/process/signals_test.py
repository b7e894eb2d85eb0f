# SPDX-License-Identifier: MIT
"""Signals that arrive while workers run.

Usage: signals_test.py PATH-OF-PROCESS_SIGNALS SANITIZER [unittest options].
"""

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without


class Signals(ProcessCase):
    def test_a_storm(self):
        for workers in ["1", "2", "4"]:
            self.assertEqual(self.output("storm", 500, WORKERS=workers), "")

    def test_a_storm_with_every_pop_asking(self):
        done = self.run_program("storm", 300, WORKERS="2", STATS="1")
        self.assertEqual(done.returncode, 0, done.stderr)

    @without(["address"], "its handlers need more than that")
    def test_a_storm_on_the_smallest_stacks(self):
        self.assertEqual(self.output("storm", 500, WORKERS="2", STACK_SIZE="65536"), "")

    def test_a_storm_on_alternate_stacks(self):
        self.assertEqual(self.output("storm-on-other-stacks", 500, WORKERS="2"), "")

    def test_workers_have_an_alternate_stack(self):
        self.assertEqual(self.output("other-stack", WORKERS="2"), "")

    def test_the_default_action_ends_the_process(self):
        for which in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            with subprocess.Popen(
                [self.program, "wait"],
                env=process_case.environment({"WORKERS": "2"}),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                # As a shell's background job or under nohup, these tests inherit that it is ignored.
                preexec_fn=partial(signal.signal, which, signal.SIG_DFL),
            ) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(which)
                rest, errors = process.communicate(timeout=300)
                self.assertEqual((rest, errors, process.returncode), ("", "", -which))


if __name__ == "__main__":
    process_case.main(1)
