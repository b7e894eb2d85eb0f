# SPDX-License-Identifier: MIT
"""Programs on Vthread that wait for ever or break POSIX's rules: each ends with one line.

Usage: vthread_failures_test.py PATH-OF-VMS_VTHREAD_FAILURES SANITIZER [unittest options].
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase

CORES = [1, 2, 4]
AT = "0x[0-9a-f]+"


class Failures(ProcessCase):
    def assert_fails(self, mode, says):
        """Exit code 1, and stderr is one line that matches."""
        for cores in CORES:
            with self.subTest(mode=mode, cores=cores):
                done = self.run_program(mode, cores)
                self.assertRegex(done.stderr, r"\Asaguaro: vthread: " + says + r"\n\Z")
                self.assertEqual((done.stdout, done.returncode), ("", 1))

    def test_deadlocks_say_who_waits_for_what(self):
        self.assert_fails(
            "opposite-orders",
            "deadlock: all 2 VPs are blocked: "
            f"VP 1 locks mutex {AT}, which VP 2 holds; VP 2 locks mutex {AT}, which VP 1 holds",
        )
        self.assert_fails(
            "lost-signal",
            f"deadlock: the only VP is blocked: VP 1 waits at condition variable {AT}",
        )
        self.assert_fails(
            "joins-one-that-waits",
            "deadlock: all 2 VPs are blocked: "
            f"VP 1 joins VP 2; VP 2 waits at condition variable {AT}",
        )
        self.assert_fails(
            "woken-without-the-mutex",
            "deadlock: all 2 VPs are blocked: VP 1 joins VP 2; VP 2 was woken from condition "
            f"variable {AT} and waits for mutex {AT}, which VP 1 holds",
        )
        self.assert_fails(
            "circle-of-joins",
            "deadlock: all 2 VPs are blocked: VP 2 joins VP 3; VP 3 joins VP 2",
        )

    def test_mutexes(self):
        self.assert_fails("locks-twice", f"VP 1 locks mutex {AT}, which it holds")
        self.assert_fails("unlocks-a-free-one", f"VP 1 unlocks mutex {AT}, which is free")
        self.assert_fails("unlocks-anothers", f"VP 2 unlocks mutex {AT}, which VP 1 holds")
        self.assert_fails("ends-with-a-mutex", "VP 2 has ended and holds 1 lock")
        self.assert_fails(
            "uses-another-instances-mutex", f"VP 1 locks mutex {AT} of another instance"
        )

    def test_rwlocks(self):
        for mode in ["ends-while-it-writes", "ends-when-it-was-given-an-rwlock"]:
            self.assert_fails(mode, "VP 2 has ended and holds 1 lock")
        self.assert_fails(
            "unlocks-another-instances-rwlock", f"VP 1 unlocks rwlock {AT} of another instance"
        )

    def test_condition_variables(self):
        self.assert_fails("waits-without-the-mutex", f"VP 1 waits with mutex {AT}, which is free")
        self.assert_fails(
            "waits-with-another-mutex",
            f"VP 1 waits at condition variable {AT} with mutex {AT}; others do with mutex {AT}",
        )

    def test_threads(self):
        for mode in ["joins-twice", "joins-one-that-another-followed"]:
            self.assert_fails(mode, "VP 1 joins VP 2, which has been joined")
        self.assert_fails("two-join-one", "VP [345] joins VP 2, which VP [345] joins")
        self.assert_fails("joins-itself", "VP 2 joins itself")
        self.assert_fails(
            "creates-where-no-core-is", r"VP 1 creates a thread on core (\d); there are \1"
        )


if __name__ == "__main__":
    process_case.main(1)
