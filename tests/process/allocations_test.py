# SPDX-License-Identifier: MIT
"""Each allocation of an entry point fails in turn.

Usage: allocations_test.py PATH-OF-PROCESS_ALLOCATIONS SANITIZER [unittest options].
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase

ENTRIES = [
    "start", "first run", "first loop", "first spawn", "first task", "loop", "reduce", "sort",
    "scan", "reducers", "scope", "scope in a run", "exceptions", "exceptions in a run", "group",
    "group in a run", "group of other flows", "arena", "isolate", "blocking", "threads", "c", "stop",
]


class Allocations(ProcessCase):
    maxDiff = None

    def search(self, kind, workers, entries):
        def outcome(entry):
            done = self.run_program(kind, entry, WORKERS=workers)
            return done.stdout + done.stderr + ("" if done.returncode == 0 else f"{entry}: ended")

        with ThreadPoolExecutor(2) as several:
            self.assertEqual("".join(several.map(outcome, entries)), "")

    def test_of_the_c_library(self):
        self.search("malloc", "3", ENTRIES)

    def test_of_the_kernel(self):
        self.search("mmap", "3", ENTRIES)

    def test_with_one_worker(self):
        self.search("malloc", "1", ["first run", "first spawn", "first task", "c"])


if __name__ == "__main__":
    process_case.main(1)
