# SPDX-License-Identifier: MIT
"""bench/mpi/beside.py, with launchers and programs of the shell."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

DRIVER = sys.argv[1]
# A launcher that is given its answers, one for each run: it prints a line, where
# \n begins another one, and drops it.
LAUNCHER = """#!/bin/sh
echo "$(basename "$0") $*" >> order
printf '%b\\n' "$(head -n 1 "$0.says")"; sed -i 1d "$0.says"
"""


class Beside(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place = pathlib.Path(self.folder.name)

    def launcher(self, name, *lines):
        path = self.place / name
        path.write_text(LAUNCHER)
        path.chmod(0o755)
        path.with_name(name + ".says").write_text("".join(line + "\n" for line in lines))
        return str(path)

    def beside(self, ours, theirs, *words):
        return subprocess.run(
            [sys.executable, DRIVER, "--ours", ours, "--theirs", theirs, *words, "--", "prog", "x"],
            capture_output=True, text=True, timeout=300, check=False, cwd=self.place,
            env=os.environ)

    def refused(self, expected, ours, theirs, *words):
        done = self.beside(ours, theirs, *words)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(expected, done.stderr.splitlines()[-1])
        self.assertEqual(done.stdout, "")

    def test_medians_and_ratio_of_runs_in_turn(self):
        ours = self.launcher("a", "time 9", "time 2", "time 3")
        theirs = self.launcher("b", "time 4", "time 60", "time 6")
        done = self.beside(ours, theirs, "-n", "4", "--rounds", "3", "--value", r"time (\S+)")
        self.assertEqual((done.stdout, done.stderr),
                         ("prog x -n 4: ours 3, theirs 6, ratio 0.50\n", ""))
        self.assertEqual((self.place / "order").read_text(),
                         "a -n 4 prog x\nb -n 4 prog x\n" * 3)

    def test_wall_time(self):
        done = self.beside(self.launcher("a", ""), self.launcher("b", ""), "--rounds", "1")
        self.assertRegex(done.stdout, r"^prog x -n 2: ours 0\.\d+, theirs 0\.\d+, ratio \S+\n$")

    def test_a_result_that_is_wrong(self):
        right = " Time in seconds = 2  Verification = SUCCESSFUL"
        wrong = " Time in seconds = 2  Verification = UNSUCCESSFUL"
        good = self.launcher("a", right)
        self.refused("the output has no Verification", good, self.launcher("b", wrong),
                     "--kind", "npb", "--rounds", "1")

    def test_a_table_of_osu_s(self):
        table = self.launcher("a", "# Size  Latency (us)")
        self.refused("the output has no", table, table, "--kind", "osu")
        one = self.launcher("a", "# Size\\n8      0.50\\n16     0.75")
        other = self.launcher("b", "# Size\\n8      0.25")
        done = self.beside(one, other, "--kind", "osu", "--rounds", "1", "--expect", "^8 ")
        self.assertIn("ours 0.5, theirs 0.25, ratio 2.00", done.stdout)
        one = self.launcher("a", "# Avg Latency(us)\\n             0.13")
        other = self.launcher("b", "# Avg Latency(us)\\n             0.26")
        done = self.beside(one, other, "--kind", "osu", "--rounds", "1")
        self.assertIn("ours 0.13, theirs 0.26, ratio 0.50", done.stdout)

    def test_what_is_refused(self):
        good = self.launcher("a", "1", "1")
        self.refused("there is no ./none", "./none", good)
        self.refused("exit code 1", "false", good)
        self.refused("1 or more", good, good, "--rounds", "0")
        self.refused("one group", good, good, "--value", "no group")
        self.refused("no regular expression", good, good, "--expect", "(")
        self.refused("none is no number", self.launcher("c", "none"), good, "--value", r"(\S+)")
        slow = self.place / "slow"
        slow.write_text("#!/bin/sh\nexec sleep 5\n")
        slow.chmod(0o755)
        self.refused("no end after 0.2 s", str(slow), good, "--timeout", "0.2")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
