# SPDX-License-Identifier: MIT
"""Programs that race by other MPI libraries, each disturbed at random: all runs have the same outcomes and
clocks, and the ranks send the same messages.

Usage: racy_test.py LAUNCHER DIRECTORY-OF-THE-PROGRAMS [unittest options]

SG_TEST_PERTURBED=COUNT runs each program so often, the full number is 1000; SG_TEST_SEED=N begins with
this seed. A run that differs is named by its seed.
"""

import collections
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support import commands
from support.disturbances import Disturbance

LAUNCHER, PROGRAMS = sys.argv[1:3]

COUNT = int(os.environ.get("SG_TEST_PERTURBED", "2"))
FIRST_SEED = int(os.environ.get("SG_TEST_SEED", "1"))

# Runs by arrival of which not all may be the same.
RACES = 100


def sleeping(seed):
    return {"RACY_SEED": str(seed)}


def launched(name, ranks, *options):
    return [LAUNCHER, "-bind", "none", *options, "-n", str(ranks), f"{PROGRAMS}/racy_{name}"]


def messages(path, are_answers_certain):
    """Of each channel what was sent and received: the sizes of messages with data, in their order, and how many
    have none. The answer to a synchronous send is one of these; the receiver sends it when it reads the message,
    so its place among the others is left to chance. A lock of a window is handed on by such a message only if
    somebody waits for it, so their number is left to chance. Removes the file, so that the next run has to make
    its own."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    os.unlink(path)
    seen = collections.defaultdict(lambda: {"sizes": [], "empty": 0})
    for event in events:
        if event["ph"] == "X" and event["name"] in ("send", "receive"):
            of = seen[event["name"], event["args"]["channel"], event["args"]["space"]]
            if event["args"]["bytes"] != 0:
                of["sizes"].append(event["args"]["bytes"])
            elif are_answers_certain:
                of["empty"] += 1
    return dict(seen)


class Racy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = folder.name + "/trace.json"

    def has_one_outcome(self, name, ranks, are_answers_certain=True):
        words = launched(name, ranks, "-trace", self.trace)
        expected = commands.run(*words, RACY_SEED="0")
        self.assertEqual((expected.returncode, expected.stderr), (0, ""))
        lines = sorted(expected.stdout.splitlines())
        self.assertEqual(len(lines), ranks)
        self.assertNotIn(": clock 0,", expected.stdout)
        expected_messages = messages(self.trace, are_answers_certain)
        self.assertGreaterEqual(len(expected_messages), ranks)
        for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
            each = Disturbance(seed, sleeping)
            code, out, err = each.run(words)
            how = (f"{name}, {each}; SG_TEST_SEED={seed} SG_TEST_PERTURBED=1 "
                   f"repeats the disturbance\n{err}")
            self.assertEqual((code, sorted(out.splitlines())), (0, lines), how)
            self.assertEqual(messages(self.trace, are_answers_certain), expected_messages, how)

    def races_by_arrival(self, name, ranks):
        """Else the runs above would show nothing."""
        words = launched(name, ranks, "-order", "arrival")
        seen = set()
        for seed in range(FIRST_SEED, FIRST_SEED + RACES):
            done = commands.run(*words, RACY_SEED=str(seed))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            # But for the clock: it counts there, too, and decides nothing.
            seen.add(tuple(sorted(re.sub(r"clock \d+", "", done.stdout).splitlines())))
            if len(seen) > 1:
                return
        self.fail(f"in {RACES} runs {name} always printed {seen}")

    def check(self, name, ranks):
        self.races_by_arrival(name, ranks)
        self.has_one_outcome(name, ranks)

    def test_first_answer(self):
        self.check("first_answer", 5)

    def test_master_worker(self):
        self.check("master_worker", 8)

    def test_work_stealing(self):
        self.check("work_stealing", 6)

    def test_polling(self):
        self.check("polling", 4)

    def test_waitany_farm(self):
        self.check("waitany_farm", 9)

    def test_waitsome(self):
        self.check("waitsome", 7)

    def test_ring(self):
        self.check("ring", 16)

    def test_communicators(self):
        self.check("communicators", 8)

    def test_collectives(self):
        self.check("collectives", 6)

    def test_ssend(self):
        self.check("ssend", 3)

    def test_matched(self):
        self.check("matched", 2)
        self.has_one_outcome("matched", 5)

    # Turns at a window are by the clock under each rule: it does not race by arrival.
    def test_window_locks(self):
        self.has_one_outcome("window_locks", 4, are_answers_certain=False)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
