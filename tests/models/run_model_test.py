#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_model.py itself: what it accepts, and that it fails where a search proves nothing."""

import os
import subprocess
import sys
import tempfile
import unittest

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_model.py")

MODEL = """
byte n;
active proctype counter() {
    do
    :: n < 50 -> n++
    :: n == 50 -> break
    od;
#ifdef BUG_miscounts
    n++;
#endif
#ifdef BUG_hangs
    n == 0;
#endif
#ifdef BUG_harmless
    skip;
#endif
    assert(n == 50 + OFFSET)
}
"""


class runner(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.model = os.path.join(self.folder.name, "counter.pml")
        with open(self.model, "w", encoding="utf-8") as text:
            text.write(MODEL)

    def run_it(self, *arguments, changes="", **environment):
        """Exit code and output of the runner, some of whose constants are changed."""
        code = (f"import sys; sys.argv = ['run_model.py', *{arguments!r}]\n"
                f"source = open({RUNNER!r}).read()\n"
                f"entry = source.index('if __name__')\n"
                f"exec(source[:entry] + {changes + chr(10)!r} + 'main()')")
        done = subprocess.run([sys.executable, "-c", code], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **environment})
        return done.returncode, done.stdout

    def test_a_model_without_errors(self):
        code, said = self.run_it(self.model, "-DOFFSET=0")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"[1-9]\d* states searched")

    def test_an_error_without_a_seeded_bug(self):
        code, said = self.run_it(self.model, "-DOFFSET=1")
        self.assertEqual(code, 1, said)
        self.assertIn("assertion violated", said)

    def test_seeded_bugs_that_are_found(self):
        for bug, what in (("miscounts", "assertion violated"), ("hangs", "invalid end state")):
            code, said = self.run_it("--bug", bug, self.model, "-DOFFSET=0")
            self.assertEqual(code, 0, said)
            self.assertIn(what, said)

    def test_a_seeded_bug_that_is_not_found(self):
        code, said = self.run_it("--bug", "harmless", self.model, "-DOFFSET=0")
        self.assertEqual(code, 1, said)
        self.assertIn("does not find the seeded bug harmless", said)

    def test_a_seeded_bug_that_is_not_there(self):
        code, said = self.run_it("--bug", "unheard_of", self.model, "-DOFFSET=0")
        self.assertEqual(code, 1, said)
        self.assertIn("has no seeded bug unheard_of", said)

    def test_a_search_that_is_not_exhaustive(self):
        for bug in ([], ["--bug", "harmless"]):
            code, said = self.run_it(*bug, self.model, "-DOFFSET=0", changes="DEEPEST = 20")
            self.assertEqual(code, 1, said)
            self.assertIn("not exhaustive", said)

    def test_without_spin(self):
        code, said = self.run_it(self.model, "-DOFFSET=0", PATH="/nonexistent")
        self.assertEqual(code, 1, said)
        self.assertIn("spin is missing", said)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_a_model_that_spin_does_not_understand(self):
        with open(self.model, "a", encoding="utf-8") as text:
            text.write("proctype {")
        code, said = self.run_it(self.model, "-DOFFSET=0")
        self.assertEqual(code, 1, said)
        self.assertIn("syntax error", said)


if __name__ == "__main__":
    unittest.main()
