# SPDX-License-Identifier: MIT
"""The figures of simulated machines, and simulated speedups beside measured ones.

Usage: sim_test.py DIRECTORY-OF-THE-SCRIPTS SAGUARO-SIM [unittest options]
"""

import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = ""
SIM = ""
SHORT = {"4.2", "4.3", "4.4", "5.2", "5.3", "5.4", "5.5", "stream", "break-even", "steals"}
RECORDED = {"sparse": "numa/sparse_cholesky", "pbfs": "pbfs"}

# A kernel that takes two seconds on one worker and one on two, and records that.
FAKE = """#!/usr/bin/python3
import os, sys
if "SAGUARO_RECORD" in os.environ:
    with open(os.environ["SAGUARO_RECORD"], "wb") as out:
        out.write(b"SGRECORD\\1\\0\\0\\0" + b"\\2\\1\\x80\\x80\\x40\\3\\1\\x80\\x80\\x40\\0")
print({1: 2.0, 2: %s}[int(sys.argv[3])])
"""


class Simulated(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_script(self, name, *arguments):
        return subprocess.run([os.path.join(SCRIPTS, name), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=500)

    def test_figures(self):
        rows, page = (os.path.join(self.folder, name) for name in ("sim.json", "sim.html"))
        programs = os.path.dirname(SIM)
        short = SHORT | {figure for figure, program in RECORDED.items()
                         if os.path.exists(os.path.join(programs, program))}
        done = self.run_script("simulate.py", SIM, rows, "--size", "small", "--programs", programs)
        if "hwloc" in done.stderr:
            self.skipTest("hwloc is missing")
        self.assertEqual(done.stderr, "")
        with open(rows, encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual({row["policy"] for row in found}, {"uniform", "nearest", "biased"})
        self.assertEqual({row["figure"] for row in found}, short - {"4.4"})
        self.assertEqual(self.run_script("page.py", page, rows).stderr, "")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(set(re.findall(r'<figure id="figure-([^"]+)"', text)), short)
        self.assertEqual(text.count("<svg"), len(short))
        captions = re.findall(r"<figcaption><p>(.*?)</p>", text)
        self.assertTrue(all(captions))
        self.assertIn("The policies differ by", captions[0])

    def measured(self, on_two):
        fake = os.path.join(self.folder, "fake")
        with open(fake, "w", encoding="utf-8") as out:
            out.write(FAKE % on_two)
        os.chmod(fake, stat.S_IRWXU)
        return self.run_script("measured.py", "--kernels", fake, "--sim", SIM, "--workers", "2",
                               "--rounds", "1", "--only", "fib")

    def test_measured_speedup_as_simulated(self):
        done = self.measured(1.005)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"fib .* 1\.99 .* [-+]0\.\d %")

    def test_measured_speedup_is_another(self):
        self.assertEqual(self.measured(1.5).returncode, 1)


if __name__ == "__main__":
    SCRIPTS, SIM = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
