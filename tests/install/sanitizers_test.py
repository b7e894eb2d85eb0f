# SPDX-License-Identifier: MIT
"""A user's program with a sanitizer, linked with the ordinary library: nothing is reported that is no
error, and the program's own errors are.

Usage: sanitizers_test.py PROGRAM-WITH-ADDRESS-SANITIZER PROGRAM-WITH-THREAD-SANITIZER [unittest options].
"""

import os
import subprocess
import sys
import unittest

PROGRAMS = {}
# In place of what the stage sets for its own tests.
OPTIONS = {"ASAN_OPTIONS": "detect_stack_use_after_return=1", "TSAN_OPTIONS": "atexit_sleep_ms=0"}


def run(program, mode, workers=2):
    environment = {**os.environ, **OPTIONS, "SAGUARO_WORKERS": str(workers)}
    return subprocess.run([program, mode], capture_output=True, text=True, env=environment, timeout=300)


class Sanitizers(unittest.TestCase):
    def program(self, sanitizer):
        """gcc 12's ThreadSanitizer runs nothing where the kernel randomizes addresses by 32 bits."""
        program = PROGRAMS[sanitizer]
        alone = run(program, "nothing")
        if alone.returncode != 0 and "unexpected memory mapping" in alone.stderr:
            self.skipTest(alone.stderr)
        return program

    def check_sound(self, sanitizer, mode):
        program = self.program(sanitizer)
        for workers in 1, 2, 4:
            done = run(program, mode, workers)
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0),
                             f"{mode} with {workers} workers")

    def check_found(self, sanitizer, mode, what, code):
        done = run(self.program(sanitizer), mode)
        self.assertIn(f"{sanitizer.capitalize()}Sanitizer: {what}", done.stderr, mode)
        self.assertEqual(done.returncode, code, mode)

    def test_address_sanitizer_reports_nothing(self):
        self.check_sound("address", "sound")
        self.check_sound("address", "forks")
        self.check_sound("address", "exit in a task")

    def test_address_sanitizer_finds_errors(self):
        for mode, what in (("overflow", "stack-buffer-overflow"),
                           ("use after return", "stack-use-after-return"),
                           ("overflow of local memory", "heap-buffer-overflow"),
                           ("leak", "40 byte(s) leaked in 1 allocation(s)")):
            self.check_found("address", mode, what, 1)

    def test_thread_sanitizer_reports_nothing(self):
        self.check_sound("thread", "sound")

    def test_thread_sanitizer_finds_races(self):
        for mode in ("invoked strands", "children", "tasks of a group", "nano-threads"):
            self.check_found("thread", f"race of {mode}", "data race", 66)


def main(address, thread):
    PROGRAMS.update(address=address, thread=thread)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])


if __name__ == "__main__":
    main(*sys.argv[1:3])
