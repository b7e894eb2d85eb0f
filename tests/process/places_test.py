# SPDX-License-Identifier: MIT
"""What may be called from where: makes each call in each place, and compares the outcomes with the
table in docs/guarantees.md.

Usage: places_test.py PATH-OF-PROCESS_PLACES PLUGIN ROOT-OF-THE-REPOSITORY SANITIZER [--write]
[unittest options]. With --write it writes the table into the page; `make calls-table` does that.
"""

import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from process.page_table import check_page
from support import process_case
from support.process_case import ProcessCase

CALLS = {
    "run": "`run`, empty",
    "parallel_for": "a loop",
    "scope": "`scope`",
    "task_group": "`task_group`",
    "reducer": "a reducer's view",
    "isolate": "`isolate`",
    "arena": "`arena`",
    "blocking": "`blocking`",
    "stop, start": "`stop`, `start`",
    "worker_id": "`worker_id`",
}
PLACES = {
    "task": "a task",
    "child": "a child of a scope",
    "thread": "a thread outside of any run",
    "thread_local": "a destructor of a `thread_local` object, at the end of a worker's thread",
    "exit handler": "an exit handler",
    "signal handler": "a signal handler",
    "fork": "the child process of a thread outside of any run",
    "fork in a task": "the child process of a task",
    "another copy": "a task of another copy of the library",
    "arena": "a task in an arena",
    "blocking": "a blocking scope",
    "monoid": "a monoid's function",
}


class Places(ProcessCase):
    maxDiff = None

    def outcome(self, place, call):
        done = self.run_program(place, call, self.programs[1], WORKERS="2")
        if done.returncode == 0:
            self.assertEqual((done.stderr, done.stdout.count("\n")), ("", 1), (place, call))
            return done.stdout.strip()
        self.assertRegex(done.stderr, "^saguaro: .*\n$", (place, call))
        return "a line"

    def table(self):
        with ThreadPoolExecutor(2) as several:
            rows = {
                place: several.map(lambda call, place=place: self.outcome(place, call), CALLS)
                for place in PLACES
            }
            lines = ["| from | " + " | ".join(CALLS.values()) + " |", "|---|" + "---|" * len(CALLS)]
            for place, outcomes in rows.items():
                lines.append(f"| {PLACES[place]} | " + " | ".join(outcomes) + " |")
        return "\n".join(lines)

    def test_the_page_has_what_happens(self):
        check_page(self, self.programs[2], "calls", self.table())


if __name__ == "__main__":
    process_case.main(3)
