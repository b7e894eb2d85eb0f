# SPDX-License-Identifier: MIT
"""The shared library in a program that is not linked with it: no setting ends that program.

Usage: guest_test.py LIBSAGUARO.SO [unittest options]
"""

import os
import subprocess
import sys
import unittest

LIBRARY = ""

# Calls in twice, and says how often the function was called and how many workers there were.
CALLS_IN = """
import ctypes
library = ctypes.CDLL({library!r})
calls = []
called = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: calls.append(library.sg_workers()))
library.sg_run(called, None)
library.sg_stop()
library.sg_run(called, None)
print(*calls)
"""

STARTS = """
import ctypes
print(ctypes.CDLL({library!r}).sg_start(None))
"""


def run(code, **settings):
    """Exit code, output and errors of a Python that runs the code."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("SAGUARO_")}
    settings = {f"SAGUARO_{name}": value for name, value in settings.items()}
    done = subprocess.run([sys.executable, "-c", code.format(library=LIBRARY)], text=True,
                          env={**environment, **settings}, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


RUNS_NANO_THREADS = """
import ctypes
called = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
print(ctypes.CDLL({library!r}).sg_nt_run(None, called, None, None))
"""


class Guest(unittest.TestCase):
    def test_a_default_stands_in_for_what_is_not_accepted(self):
        processors = len(os.sched_getaffinity(0))
        for name, value in [("STACK_SIZE", "8M"), ("POLICY", "fastest"), ("PIN", "yes"),
                            ("SPIN", "-1"), ("CPUS", "0-"), ("TOPOLOGY", "/no/such/file.xml"),
                            ("RECORD_GRAIN", "x")]:
            with self.subTest(name=name):
                code, printed, errors = run(CALLS_IN, **{name: value}, WORKERS="2")
                self.assertEqual((code, printed), (0, "2 2\n"), errors)
                self.assertRegex(
                    errors, rf"\Asaguaro: SAGUARO_{name}={value} is not accepted: .*; it is not heeded\n\Z")
        code, printed, errors = run(CALLS_IN, WORKERS="many")
        self.assertEqual(code, 0, errors)
        first, second = map(int, printed.split())
        self.assertEqual(first, second)
        self.assertLessEqual(first, processors)
        self.assertRegex(errors, r"\Asaguaro: SAGUARO_WORKERS=many is not accepted: .*\n\Z")

    def test_each_of_several_has_its_line(self):
        code, _, errors = run(CALLS_IN, WORKERS="many", PIN="yes", SPIN="-1")
        self.assertEqual(code, 0, errors)
        self.assertEqual(sorted(line.split("=")[0] for line in errors.splitlines()),
                         ["saguaro: SAGUARO_PIN", "saguaro: SAGUARO_SPIN",
                          "saguaro: SAGUARO_WORKERS"])

    def test_so_it_does_for_what_cannot_be_had(self):
        for name, value in [("CPUS", "4000"), ("RECORD", "/no/such/folder/file")]:
            with self.subTest(name=name):
                code, printed, errors = run(CALLS_IN, **{name: value}, WORKERS="1")
                self.assertEqual((code, printed), (0, "1 1\n"), errors)
                for line in errors.splitlines():
                    self.assertRegex(line, rf"\Asaguaro: SAGUARO_{name}={value}.*; it is not heeded\Z")

    def test_an_empty_variable_is_unset(self):
        code, printed, errors = run(CALLS_IN, WORKERS="", POLICY="", CPUS="", RECORD="")
        self.assertEqual((code, errors), (0, ""))
        self.assertNotEqual(printed, "")

    def test_a_call_that_can_return_an_error_does(self):
        code, printed, errors = run(STARTS, WORKERS="many")
        self.assertEqual((code, printed), (0, "22\n"))
        self.assertRegex(errors, r"\Asaguaro: sg_start: SAGUARO_WORKERS=many is not accepted: .*\n\Z")

    def test_nano_threads_return_an_error_as_well(self):
        code, printed, errors = run(RUNS_NANO_THREADS, NANOTHREADS_DESIGN="many")
        self.assertEqual((code, printed), (0, "22\n"))
        self.assertRegex(errors, r"\Asaguaro: sg_nt_run: SAGUARO_NANOTHREADS_DESIGN=many is not .*\n\Z")


if __name__ == "__main__":
    LIBRARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
