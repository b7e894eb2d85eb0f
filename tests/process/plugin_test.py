# SPDX-License-Identifier: MIT
"""A shared object that contains the library is loaded and unloaded.

Usage: plugin_test.py PATH-OF-PLUGIN_HOST PATH-OF-PLUGIN SANITIZER [unittest options].
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without


class Plugin(ProcessCase):
    def assert_rounds(self, mode, rounds, **settings):
        self.assertEqual(
            self.output(self.programs[1], mode, rounds, **settings), f"{rounds} rounds\n"
        )

    def test_stopped_before_it_is_unloaded(self):
        self.assert_rounds("stop", 20, WORKERS="4")

    def test_unloaded_with_its_workers(self):
        self.assert_rounds("leave", 20, WORKERS="4")
        self.assert_rounds("leave", 1, WORKERS="1")

    def test_unloading_ends_the_workers(self):
        done = self.run_program(self.programs[1], "leave", 3, WORKERS="2", STATS="1")
        self.assertEqual(done.stderr.count("saguaro: 2 workers"), 3, done.stderr)

    def test_never_used(self):
        self.assert_rounds("idle", 20)

    def test_kept_to_the_end(self):
        self.assert_rounds("keep", 3, WORKERS="4")

    def test_nothing_stays_mapped(self):
        """Not one of the stacks: each has more than 16 MB of addresses."""
        for mode in ["stop", "leave"]:
            done = self.run_program(self.programs[1], mode, 5, "maps", WORKERS="2")
            sizes = [int(size) for size in re.findall(r"^(\d+) MB$", done.stdout, re.MULTILINE)]
            self.assertEqual(len(sizes), 5, done.stdout)
            # The first round leaves what the C library keeps for threads.
            self.assertLess(max(sizes[1:]) - sizes[0], 16, done.stdout)

    def test_stopped_workers_keep_nothing_of_it(self):
        """A worker's thread_local object keeps it loaded, until the worker ends."""
        self.assert_rounds("thread-locals", 5, WORKERS="2")

    def test_its_tasks_make_threads(self):
        self.assert_rounds("threads", 5, WORKERS="2")

    def test_unloaded_before_a_thread_that_has_freed_blocks_ends(self):
        self.assert_rounds("outlive", 3)

    def test_without_a_key_for_the_blocks_of_threads(self):
        self.assert_rounds("no-keys", 3)


if __name__ == "__main__":
    process_case.main(2)
