# SPDX-License-Identifier: MIT
"""detmpiexec: nearly as many ranks as a job can have meet.

Usage: many_ranks_test.py DETMPIEXEC LAUNCHED_PROGRAM
"""

import subprocess
import sys
import unittest

LAUNCHER, PROGRAM = sys.argv[1:3]


class ManyRanks(unittest.TestCase):
    def test_they_meet(self):
        done = subprocess.run([LAUNCHER, "-n", "1000", PROGRAM], capture_output=True, text=True,
                              timeout=500, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
