# SPDX-License-Identifier: MIT
"""Instances that cannot go on: each says in one line who waits for what, and none hangs.

Usage: failures_test.py PATH-OF-VMS_FAILURES SANITIZER [unittest options].
"""

import re
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without

CORES = [1, 2, 4]


class Failures(ProcessCase):
    def assert_fails(self, mode, error, says):
        """The run returns this error, and stderr is one line that matches."""
        for cores in CORES:
            for slots in [1, 4]:
                with self.subTest(mode=mode, cores=cores, slots=slots):
                    done = self.run_program(mode, cores, slots)
                    self.assertRegex(done.stderr, r"\Asaguaro: " + says + r"\n\Z")
                    self.assertEqual((done.stdout, done.returncode), (error + "\n", 0))

    def test_deadlock_says_who_waits_for_what(self):
        self.assert_fails(
            "deadlock",
            "EDEADLK",
            r"ssr: deadlock: all 2 VPs are blocked: "
            r"VP 1 receives type 7; VP 2 receives from VP 1",
        )
        self.assert_fails(
            "deadlock-of-one",
            "EDEADLK",
            r"ssr: deadlock: the only VP is blocked: VP 1 sends to VP 1",
        )
        self.assert_fails(
            "deadlock-of-many",
            "EDEADLK",
            r"ssr: deadlock: all 20 VPs are blocked: "
            + "; ".join(f"VP {n} receives type 1" for n in range(2, 10))
            + "; and 12 more",
        )
        self.assert_fails(
            "philosophers",
            "EDEADLK",
            r"ssr: deadlock: all 2 VPs are blocked: "
            r"VP 1 begins the transaction 0x[0-9a-f]+, which VP 2 is in; "
            r"VP 2 begins the transaction 0x[0-9a-f]+, which VP 1 is in",
        )

    def test_partners_that_have_ended(self):
        self.assert_fails(
            "returns-while-received-from",
            "ESRCH",
            r"ssr: VP (2 has ended while VP 1 receives from it|1 receives from VP 2, which has ended)",
        )
        self.assert_fails(
            "returns-while-sent-to",
            "ESRCH",
            r"ssr: VP (2 has ended while VP 1 sends to it|1 sends to VP 2, which has ended)",
        )
        self.assert_fails(
            "message-to-the-dissipated",
            "ESRCH",
            "ssr: VP 1 sends to VP 2, which has ended",
        )

    def test_transactions_and_singletons(self):
        self.assert_fails(
            "ends-in-a-transaction", "EDEADLK", r"ssr: VP 1 has ended in the transaction \(nil\)"
        )
        self.assert_fails(
            "ends-another-transaction",
            "EINVAL",
            "ssr: VP 1 ends the transaction 0x10, which is not the last that it began",
        )
        self.assert_fails(
            "begins-twice", "EDEADLK", r"ssr: VP 1 begins the transaction \(nil\), which it is in"
        )
        self.assert_fails(
            "singleton-of-itself",
            "EDEADLK",
            r"ssr: VP 1 comes back to the singleton \(nil\) that it executes",
        )

    def test_core_that_there_is_not(self):
        self.assert_fails("no-such-core", "EINVAL", r"ssr: VP 1 creates a VP on core (\d); there are \1")

    def test_plugins_that_break_the_rules(self):
        for mode, says in [
            ("resumed-twice", "resumes VP 1, which is ready already"),
            ("resumed-while-animated", "resumes VP 1, which is animated already"),
            ("resumed-when-dissipated", "resumes VP 1, which is dissipated"),
            ("resumed-after-its-return", "resumes VP 1, whose function has returned"),
            ("dissipated-while-animated", "dissipates VP 1, which is animated already"),
            ("scheduled-while-blocked", "schedules VP 2, which is blocked"),
        ]:
            self.assert_fails(mode, "EPROTO", "bare: the plug-in " + says)
        self.assert_fails(
            "never-scheduled",
            "EPROTO",
            "bare: the plug-in's scheduler gives no core any of the 1 VPs that are ready",
        )

    def test_plugin_gives_up(self):
        self.assert_fails("plugin-fails", "EBUSY", "bare: number 1")
        self.assert_fails("scheduler-fails", "EBUSY", "bare: no more")
        self.assert_fails("fails-beside-others", "EBUSY", "bare: enough")

    def test_calls_from_where_they_cannot_be(self):
        self.assert_fails(
            "handler-asks",
            "EPROTO",
            "bare: the plug-in calls sg_vms_request inside a handler or a scheduler",
        )
        self.assert_fails(
            "asks-for-another",
            "EINVAL",
            "bare: VP 1 calls sg_vms_request for VP 2: only that VP may",
        )

    @without(["address", "thread"], "they look at the stack of the thread that ends")
    def test_thread_that_is_not_the_vps_own(self):
        for cores in CORES:
            done = self.run_program("ends-its-thread", cores)
            self.assertEqual(
                (done.stderr, done.returncode),
                ("saguaro: a virtual processor ends the thread that it runs on (pthread_exit, "
                 "pthread_cancel); return from the virtual processor instead\n", -signal.SIGABRT))

    def test_no_more_stacks(self):
        # What other cores are just mapping is not there yet.
        self.assert_fails(
            "no-stacks",
            "ENOMEM",
            r"bare: VP \d+: no more stacks: there are (1[7-9]|20) of 8388608 bytes, "
            r"and more are not accepted",
        )

    @without({"address", "thread"}, "reports it in its own way")
    def test_stack_that_is_too_small(self):
        for cores in CORES:
            with self.subTest(cores=cores):
                done = self.run_program("overflows", cores)
                self.assertRegex(
                    done.stderr,
                    r"\Asaguaro: VP 3 overflowed its stack of 8388608 bytes; "
                    r"SAGUARO_STACK_SIZE=BYTES makes it larger\n\Z",
                )
                self.assertEqual((done.stdout, done.returncode), ("", -signal.SIGSEGV))

    @without({"address", "thread"}, "reports it in its own way")
    def test_frame_larger_than_the_guard(self):
        for cores in CORES:
            with self.subTest(cores=cores):
                done = self.run_program("steps-over-the-guard", cores)
                self.assertRegex(done.stderr, r"\Asaguaro: VP [0-9]+ overflowed its stack of 8388608 bytes; ")
                self.assertEqual((done.stdout, done.returncode), ("", -signal.SIGSEGV))


# What starts the program in an emulator is a script, and the emulator takes time of its own.
EMULATED = Path(sys.argv[1]).read_bytes().startswith(b"#!")


class Idle(ProcessCase):
    def test_waiting_cores_sleep_until_they_are_woken(self):
        for cores in CORES:
            with self.subTest(cores=cores):
                woken, error, asleep = self.output("idle", cores).split()
                self.assertEqual((woken, error), ("woken", "0"))
                self.assertEqual(int(asleep), int(cores) - 1)


if __name__ == "__main__":
    process_case.main(1)
