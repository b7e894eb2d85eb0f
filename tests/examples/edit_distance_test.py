# SPDX-License-Identifier: MIT
"""edit_distance from outside. Usage: edit_distance_test.py PATH-OF-EDIT_DISTANCE"""

import os
import random
import subprocess
import sys
import tempfile
import unittest

COMMAND = []


class EditDistance(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_it(self, *texts, options=()):
        paths = []
        for number, text in enumerate(texts):
            paths.append(os.path.join(self.folder, str(number)))
            with open(paths[-1], "wb") as file:
                file.write(text)
        return subprocess.run([*COMMAND, *options, *paths], capture_output=True, text=True,
                              timeout=300)

    def test_known_distances(self):
        for left, right, distance in ((b"kitten", b"sitting", 3), (b"", b"abc", 3), (b"", b"", 0),
                                      (b"same", b"same", 0), (b"x" * 600, b"y" * 300, 600)):
            with self.subTest(left=left[:9], right=right[:9]):
                self.assertEqual(self.run_it(left, right).stdout, f"{distance}\n")

    def test_against_two_loops(self):
        letters = random.Random(3)
        texts = [bytes(letters.choices(b"acgt", k=length)) for length in (5000, 4097)]
        done = self.run_it(*texts, options=["--check"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r" 341 threads on \d+ stacks\n")  # 20 x 17, and the main one

    def test_bad_input_is_one_line(self):
        done = subprocess.run([*COMMAND, "/nonexistent", "/nonexistent"], capture_output=True,
                              text=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "edit_distance: /nonexistent: No such file or directory\n"))
        done = self.run_it(b"only one")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))


if __name__ == "__main__":
    COMMAND.append(sys.argv.pop(1))
    unittest.main()
