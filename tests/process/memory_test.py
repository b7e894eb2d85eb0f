# SPDX-License-Identifier: MIT
"""What a program with workers takes of the memory where untouched memory costs something: of a
process that locks its memory, and where what may be written is limited.

vm.overcommit_memory is the whole system's: it is set to 2 for a moment, and back, only if
SAGUARO_TEST_OVERCOMMIT=1 is in the environment and the machine lets it be written. RLIMIT_DATA, which
bounds the same for one process, is always tried.

Usage: memory_test.py PATH-OF-PROCESS_MEMORY SANITIZER [unittest options].
"""

import os
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without

STRICT = Path("/proc/sys/vm/overcommit_memory")
MB = 1 << 20
# What the program's own objects are when it starts: the regions of all that are outside, given back
# before its main begins.
AT_THE_START = 256 * MB


def limit_data(size):
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (size, size))


class Memory(ProcessCase):
    def used(self, mode, *arguments, **settings):
        """VmRSS, VmLck and VmData in megabytes."""
        printed = self.output(mode, *arguments, **settings)
        if printed == "refused\n":
            self.skipTest("mlockall is refused: needs CAP_IPC_LOCK, or ulimit -l unlimited")
        return [int(number) / 1024 for number in printed.split()]

    # Two threads' own stacks are 16 MB of it, if ulimit -s is 8 MB.
    @without(["address", "thread"], "it has its own memory")
    def test_a_process_that_locks_its_memory_before(self):
        resident, _, _ = self.used("lock-before", WORKERS="2")
        self.assertLess(resident, 48)

    @without(["address", "thread"], "it has its own memory")
    def test_a_process_that_locks_its_memory_when_the_workers_are_there(self):
        for settings in [{}, {"STACK_SIZE": "65536"}]:
            resident, _, _ = self.used("lock-after", WORKERS="2", **settings)
            self.assertLess(resident, 64)

    @without(["address", "thread"], "it has its own memory")
    def test_what_is_used_is_committed(self):
        # 5,000 reducers, 2,000 stacks, and what is in memory of each.
        resident, _, _ = self.used("lock-and-grow", WORKERS="2")
        self.assertLess(resident, 128)

    @without(["address", "thread"], "it has its own memory")
    def test_little_is_writable_before_the_workers_are_there(self):
        _, _, writable = self.used("plain", WORKERS="2", STACK_SIZE="65536")
        self.assertLess(writable, 64)

    @without(["address", "thread"], "it has its own memory")
    def test_a_limit_on_what_may_be_written(self):
        small = {"STACK_SIZE": "65536"}
        # Of stacks of the usual size some ten can be had. Spawns without one are calls.
        for mode, depth, settings in [("plain", 0, {}), ("plain", 0, small), ("grow", 100, small)]:
            with self.subTest(mode=mode):
                done = self.run_program(
                    mode, depth, before=limit_data(AT_THE_START), WORKERS="2", **settings
                )
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertLess(int(done.stdout.split()[2]) * 1024, AT_THE_START)

    @without(["address", "thread"], "it has its own memory")
    def test_a_system_that_keeps_strict_account(self):
        if os.environ.get("SAGUARO_TEST_OVERCOMMIT") != "1":
            self.skipTest("SAGUARO_TEST_OVERCOMMIT=1 sets vm.overcommit_memory for a moment")
        former = STRICT.read_text(encoding="ascii")
        try:
            STRICT.write_text("2", encoding="ascii")
        except OSError as refused:
            self.skipTest(f"vm.overcommit_memory cannot be written: {refused}")
        try:
            for mode in ["plain", "grow"]:
                done = self.run_program(mode, 100, WORKERS="2")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        finally:
            STRICT.write_text(former, encoding="ascii")


if __name__ == "__main__":
    process_case.main(1)
