# SPDX-License-Identifier: MIT
"""Reducers whose end is that of the process: a run that is under way may still use them.

Usage: reducer_ends_test.py PROGRAM PROGRAM-WITH-THE-SHARED-LIBRARY LIBRARY SANITIZER [unittest
options].
"""

import os
import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase

KINDS = ["global", "late", "of-a-task", "heap", "c", "hyper"]
# What a process prints that ends by exit, and by quick_exit.
EXIT = "constructed behind\nhandler\nconstructed before\n"
QUICK = "quick\n"
WAYS = {
    "exit-in-a-task": EXIT,
    "exit-beside": EXIT,
    "exit-from-a-stranger": EXIT,
    "fork-in-a-task": EXIT,
    "fork-beside": EXIT,
    "return": EXIT,
    "return-before-use": EXIT,
    "quick-exit-in-a-task": QUICK,
    "quick-exit-beside": QUICK,
}
# Those with a value whose destructor speaks, if nothing is under way.
LOUD = ["global", "late", "of-a-task", "heap"]


def of_a_process_that_is_under_way():
    """What runs when the process ends is not freed, and nobody shall look for it."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {"ASAN_OPTIONS": f"{options}:detect_leaks=0".lstrip(":")}


class ReducerEnds(ProcessCase):
    def assert_ends(self, program, way, kind, *library):
        if kind == "heap" and not (way.endswith("in-a-task") or way == "after"):
            return  # whoever destroys one that is not static knows that nobody is going to use it
        # ThreadSanitizer waits a second at each end.
        plain = process_case.SANITIZER == "none"
        for workers in ["1", "2", "4"] if plain else ["2"]:
            for code in [0, 3] if plain else [3]:
                with self.subTest(program=program, way=way, kind=kind, workers=workers, code=code):
                    self.program = program
                    with mock.patch.dict(os.environ, of_a_process_that_is_under_way()):
                        done = self.run_program(
                            way, kind, code, *library, WORKERS=workers, timeout=300
                        )
                    self.assertEqual(done.stderr, "")
                    self.assertEqual(sorted(done.stdout.split("\n")),
                                     sorted(WAYS[way].split("\n")))
                    self.assertEqual(done.returncode, code)

    def test_the_process_ends_with_its_own_code(self):
        for way in WAYS:
            for kind in KINDS:
                self.assert_ends(self.programs[0], way, kind)

    def test_with_the_shared_library(self):
        for way in WAYS:
            for kind in KINDS:
                self.assert_ends(self.programs[1], way, kind)

    def test_reducers_of_an_object_that_is_loaded(self):
        for way in WAYS:
            self.assert_ends(self.programs[1], way, "library", self.programs[2])

    def test_where_nothing_is_under_way_all_are_destroyed(self):
        for program in self.programs[:2]:
            for kind in KINDS:
                with self.subTest(program=program, kind=kind):
                    self.program = program
                    lines = self.output("after", kind, 0, WORKERS="2").splitlines()
                    views = ["view"] if kind in LOUD else []
                    if kind != "global":
                        views.append("view")  # that of the program, which is not used
                    self.assertEqual(sorted(lines), sorted(EXIT.splitlines() + views))


if __name__ == "__main__":
    process_case.main(3)
