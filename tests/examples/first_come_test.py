# SPDX-License-Identifier: MIT
"""examples/mpi/first_come.c: the last step of `make demo`.

Usage: first_come_test.py ROOT-OF-THE-REPOSITORY DIRECTORY-OF-THE-PROGRAMS [unittest options]
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands

ROOT, PROGRAMS = (Path(word).resolve() for word in sys.argv[1:3])
TEN_TIMES = ROOT / "examples/mpi/ten_times"
LAUNCHER, PROGRAM = PROGRAMS / "detmpiexec", PROGRAMS / "first_come"


class FirstCome(unittest.TestCase):
    def test_has_one_outcome_in_ten_runs_on_a_busy_machine(self):
        printed = commands.output(TEN_TIMES, LAUNCHER, "-n", "4", PROGRAM, "200")
        self.assertRegex(printed, r"\A10 times: sum 0x1\.[0-9a-f]+p[-+]\d+\n\Z")

    def test_outcomes_are_counted(self):
        printed = commands.output(TEN_TIMES, "sh", "-c", "echo $(($$ % 2))")
        self.assertLessEqual(len(printed.splitlines()), 2)
        self.assertEqual(sum(int(line.split()[0]) for line in printed.splitlines()), 10)
        printed = commands.output(TEN_TIMES, "sh", "-c", "echo $$")
        self.assertEqual(len(printed.splitlines()), 10)

    def test_wrong_words_get_a_line(self):
        for words in (["-n", "1", PROGRAM], ["-n", "2", PROGRAM, "0"]):
            done = commands.run(LAUNCHER, *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("first_come: it takes two ranks", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
