# SPDX-License-Identifier: MIT
"""Common parts of the tests of examples/cpp: the program under test, and its refusals."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands

WORKERS = (1, 2, 8)


class Example(unittest.TestCase):
    program = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_it(self, *arguments, workers=2):
        """What the program prints; that it ends well and says on how many workers it ran."""
        done = commands.run(self.program, *arguments, seconds=300, SAGUARO_WORKERS=str(workers))
        self.assertEqual(done.returncode, 0, done.stderr)
        serial = "--serial" in arguments
        how = "serial" if serial else f"{workers} worker\\(s\\)"
        self.assertRegex(done.stderr, rf"^\d+\.\d\d\d seconds, {how}\n$")
        return done.stdout

    def assert_refused(self, code, message, *arguments):
        """That the program ends with this exit code and this one line."""
        done = commands.run(self.program, *arguments, seconds=300)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (code, "", message + "\n"))

    def assert_bad_number(self, name, least, most, *before):
        for text in (str(least - 1), str(most + 1), "many", "3x", "", "-3", "9" * 30):
            with self.subTest(text=text):
                self.assert_refused(
                    2,
                    f"{name} '{text}': accepted is a whole number from {least} to {most}",
                    *before,
                    text,
                )


def main():
    Example.program = sys.argv.pop(1)
    unittest.main()
