# SPDX-License-Identifier: MIT
"""Racy programs that are compiled for the standard ABI, for MPICH and for Open MPI: the outcomes and clocks
are the same, however the ranks are disturbed.

Usage: faces_test.py LAUNCHER DIRECTORY-OF-THE-PROGRAMS
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support import commands

LAUNCHER, PROGRAMS = sys.argv[1:3]
# By name: how many ranks.
RACES = {
    "master_worker": 5,
    "polling": 3,
    "waitany_farm": 6,
    "collectives": 4,
    "window_locks": 3,
}


def lines_of(program, ranks, seed):
    words = [LAUNCHER, "-bind", "none", "-n", str(ranks), f"{PROGRAMS}/racy_{program}"]
    done = commands.run(*words, RACY_SEED=str(seed))
    return done.returncode, done.stderr, sorted(done.stdout.splitlines())


class Faces(unittest.TestCase):
    def test_have_the_same_outcomes(self):
        for name, ranks in RACES.items():
            expected = lines_of(name, ranks, 0)
            self.assertEqual(expected[:2], (0, ""))
            self.assertEqual(len(expected[2]), ranks)
            for seed, face in enumerate(("mpich", "ompi"), 1):
                with self.subTest(name=name, face=face):
                    self.assertEqual(lines_of(f"{face}_{name}", ranks, seed), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
