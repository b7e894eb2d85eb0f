# SPDX-License-Identifier: MIT
"""Each construct inside each other one, on 1, 2 and 8 workers: it is right, or ends with one line,
and with the same one each time. Nothing hangs, nothing crashes.

Usage: constructs_test.py PATH-OF-PROCESS_CONSTRUCTS PATH-OF-THE-SAME-WITH-MPI DETMPIEXEC
ROOT-OF-THE-REPOSITORY SANITIZER [--write] [unittest options]. Without MPI the second path is none.
With --write it writes the table into docs/guarantees.md; `make calls-table` does that.
"""

import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from process.page_table import check_page
from support import process_case
from support.process_case import ProcessCase, environment

WORKERS = [1, 2, 8]
PLACES = {
    "thread": "the main thread",
    "task": "a task",
    "child": "a child of a scope",
    "nano-thread": "a nano-thread",
    "VP": "a VP",
    "handler": "a handler of VMS",
    "nano-thread in a task": "a nano-thread of a task's run",
    "VP in a task": "a VP of a task's run",
}
CONSTRUCTS = {
    "parallel_invoke": "`parallel_invoke`",
    "loop": "a loop",
    "scope": "`scope`",
    "task_group": "`task_group`",
    "own reducer": "a reducer made there, in a loop as well",
    "shared reducer": "a reducer of the main thread",
    "shared reducer in a loop": "the same, in a loop",
    "cilk": "a Cilk function in C",
    "run": "`run`",
    "nano run": "`sg_nt_run`",
    "vms run": "`sg_vms_run`",
    "vms request": "`sg_vms_request`",
    "vms message": "`sg_vms_send`",
    "yield": "`nt::yield`",
    "join": "`nt::fork` and `join`",
    "message to itself": "a channel to itself",
    "message of a task": "a channel between two tasks, the receiver first",
    "mpi": "a call of MPI",
}

# Lines, without "saguaro: " and addresses; and what the program prints, if it goes on.
NOT_CREATED_HERE = (
    "reducer at 0x... of saguaro::add<long> was used by {} that did not create it: updates of "
    "several at once would be lost; share it in saguaro::run, or give each its own"
)
NO_VP = (
    "{}: called by a thread that animates no virtual processor, or inside a run that one has started"
)
IN_A_HANDLER = "plug-in: the plug-in calls {} inside a handler or a scheduler"
NO_NANO_THREAD = "nano-threads: {} was called by a thread that is no nano-thread"
LINES = {
    "nano-thread's": ("a line", NOT_CREATED_HERE.format("a nano-thread")),
    "VP's": ("a line", NOT_CREATED_HERE.format("a virtual processor")),
    "no VP asks": ("a line", NO_VP.format("sg_vms_request")),
    "no VP sends": ("a line", NO_VP.format("sg_vms_send")),
    "handler asks": ("EPROTO", IN_A_HANDLER.format("sg_vms_request")),
    "handler sends": ("EPROTO", IN_A_HANDLER.format("sg_vms_send")),
    "nobody yields": ("a line", NO_NANO_THREAD.format("sg_nt_yield")),
    "nobody forks": ("a line", NO_NANO_THREAD.format("sg_nt_fork")),
    "alone": (
        "a line",
        "spmc: space 0: waits for channel 0x..., and no other space is left",
    ),
}

IN_A_TASK = " in a task"
ELSEWHERE = [place for place in PLACES if not place.endswith(IN_A_TASK)]

# What is expected: "yes", or one of these lines, or "no", which is not tried. Of three, one for each
# number of workers.
OF_VPS = {"VP": "VP's", "handler": "VP's"}
EXPECTED = {
    "shared reducer": {"nano-thread": "nano-thread's", **OF_VPS},
    "shared reducer in a loop": {"nano-thread": "nano-thread's", **OF_VPS},
    "vms request": dict.fromkeys(ELSEWHERE, "no VP asks") | {"VP": "yes", "handler": "handler asks"},
    "vms message": dict.fromkeys(ELSEWHERE, "no VP sends") | {"VP": "yes", "handler": "handler sends"},
    "yield": dict.fromkeys(ELSEWHERE, "nobody yields") | {"nano-thread": "yes"},
    "join": dict.fromkeys(ELSEWHERE, "nobody forks") | {"nano-thread": "yes"},
    "message of a task": dict.fromkeys(PLACES, ("alone", "yes", "yes")),
    "mpi": dict.fromkeys(["nano-thread", "VP", "handler"], "no"),
}


def expected(construct, place):
    """For each number of workers. What holds in a run holds in one that a task has started."""
    what = EXPECTED.get(construct, {}).get(place.removesuffix(IN_A_TASK), "yes")
    return list(what) if isinstance(what, tuple) else [what] * len(WORKERS)


def in_words(construct, place):
    """A cell of the table."""
    words = [LINES[each][0] if each in LINES else each for each in expected(construct, place)]
    if len(set(words)) == 1:
        return words[0]
    parts = {}
    for workers, word in zip(WORKERS, words):
        parts.setdefault(word, []).append(str(workers))
    return "; ".join(f"{word} on {' and '.join(on)}" for word, on in parts.items())


class Constructs(ProcessCase):
    maxDiff = None

    def seen(self, construct, place, workers):
        """What a process prints, its lines without addresses, and its exit code."""
        command = [self.programs[0]]
        if construct == "mpi":
            command = [self.programs[2], "-n", "1", self.programs[1]]
        done = subprocess.run(
            [*command, construct, place, str(workers)],
            env=environment({}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        said = re.sub("0x[0-9a-f]+", "0x...", done.stderr)
        said = re.sub("^detmpiexec: .*\n", "", said, flags=re.MULTILINE)
        return done.stdout.strip(), said, done.returncode

    def check_construct(self, construct):
        cells = [
            (place, workers)
            for place in PLACES
            for workers in WORKERS
            if expected(construct, place)[0] != "no"
        ]
        with ThreadPoolExecutor(2) as several:
            all_seen = list(several.map(lambda cell: self.seen(construct, *cell), cells))
        for place in PLACES:
            for workers, what in zip(WORKERS, expected(construct, place)):
                if what == "no":
                    continue
                printed, said, code = all_seen[cells.index((place, workers))]
                with self.subTest(construct=construct, place=place, workers=workers):
                    if what == "yes":
                        self.assertEqual((printed, said, code), ("yes", "", 0))
                        continue
                    how, line = LINES[what]
                    self.assertEqual(said, f"saguaro: {line}\n")
                    if how == "a line":
                        self.assertNotEqual(code, 0)
                    else:
                        self.assertEqual((printed, code), (how, 0))

    def test_the_page_has_what_is_expected(self):
        lines = ["| | " + " | ".join(PLACES.values()) + " |", "|---|" + "---|" * len(PLACES)]
        for construct, name in CONSTRUCTS.items():
            cells = [in_words(construct, place) for place in PLACES]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
        check_page(self, self.programs[3], "constructs", "\n".join(lines))


def test_of(construct):
    def test(self):
        if construct == "mpi" and self.programs[1] == "none":
            self.skipTest("MPI is not built")
        self.check_construct(construct)

    return test


for each in CONSTRUCTS:
    setattr(Constructs, "test_" + each.replace(" ", "_"), test_of(each))


if __name__ == "__main__":
    process_case.main(4)
