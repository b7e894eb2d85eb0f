# SPDX-License-Identifier: MIT
"""Recordings of the programs that name their memory, and what the simulator makes of them.

Usage: recordings_test.py DIRECTORY SAGUARO-SIM PROGRAM... [unittest options]"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands, recordings

PROGRAMS = Path(".")
SIM = Path(".")
BUILT = []

TILE = 128 * 128 * 8
LINE = 64
# Of each program: what makes it small, and how many bytes it touches.
SMALL = {
    "numa/stream": ("65536", 10 * 2 * 65536 * 8),
    # Two tiles a side. Each tile of c, and two factors for each of its two products.
    "numa/matmul": ("256", 4 * (1 + 2 * 2) * TILE),
    # Eight quadrants to read and eight to write, seven products, and seven quadrants to add up.
    "numa/strassen": ("256", (16 + 7 * 3 + 7) * TILE),
    # Factor a tile, divide the one below, subtract its square from the last, factor that.
    "numa/cholesky": ("256", (1 + 2 + 2 + 1) * TILE),
}


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def record(self, program, *arguments):
        """The file of a run on one worker."""
        file = self.folder / "run.rec"
        done = commands.run(PROGRAMS / program, *arguments, "--repeat", "1", "--workers", "1", "--check",
                            SAGUARO_RECORD=str(file))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "check: ok")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.rec"])
        return file

    def simulate(self, file, *options):
        """A run on one of two nodes with a core each, for each --memory."""
        done = commands.run(SIM, file, "--topology", "pack:2 numa:1 core:1 pu:1", "--workers", "1",
                            "--json", *options)
        if "hwloc" in done.stderr:
            self.skipTest("hwloc is missing")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)["runs"]

    def test_programs_name_what_they_touch(self):
        for program, (size, touched) in SMALL.items():
            for variant in ("plain", "placed", "local") if program in BUILT else ():
                with self.subTest(program=program, variant=variant):
                    file = self.record(program, size, "--variant", variant)
                    self.assertEqual(recordings.Recording(file).touched, touched)

    def test_a_sparse_factor_names_what_it_touches(self):
        if "numa/sparse_cholesky" not in BUILT:
            self.skipTest("not built")
        file = self.record("numa/sparse_cholesky", "grid2d:40", "--variant", "plain")
        seen = recordings.Recording(file)
        self.assertGreater(seen.count[recordings.FREE], 10)  # what a child contributes
        self.assertGreater(seen.touched, 2 * 1600 * 8)

    def test_a_search_names_what_it_touches(self):
        seen = recordings.Recording(self.record("pbfs", "grid3d:20"))
        self.assertEqual(seen.count[recordings.OBJECT], 3)
        least = 8001 * 8 + (7 * 8000 - 6 * 400) * 4 + 8000 * 4
        self.assertGreaterEqual(seen.touched, least)
        self.assertLess(seen.touched, 4 * least)

    def test_a_search_of_a_scale_free_graph(self):
        seen = recordings.Recording(self.record("pbfs", "rmat:16"))
        self.assertGreater(seen.touched, 65536 * 12)

    def test_misses_are_where_the_memory_is(self):
        size, touched = SMALL["numa/stream"]
        file = self.record("numa/stream", size, "--variant", "plain")
        near, far, first = self.simulate(file, "--memory", "node:0,node:1,recorded")
        lines = touched // LINE
        self.assertEqual((near["own_lines"], near["remote_lines"]), (lines, [0]))
        self.assertEqual((far["own_lines"], far["remote_lines"]), (0, [lines]))
        self.assertEqual((first["own_lines"], first["remote_lines"]), (lines, [0]))
        # 20 ns more for each line.
        self.assertAlmostEqual(far["distance"], lines * 20e-9, delta=1e-6)

    def test_placed_memory_is_placed_in_the_simulation(self):
        size, touched = SMALL["numa/stream"]
        file = self.record("numa/stream", size, "--variant", "placed")
        lines = touched // LINE
        run, = self.simulate(file, "--memory", "recorded")
        self.assertEqual((run["own_lines"], run["remote_lines"]), (lines // 2, [lines // 2]))

    def test_local_temporaries_are_near_and_the_data_are_not(self):
        if "numa/strassen" not in BUILT:
            self.skipTest("not built")
        for variant, memory in (("local", "recorded"), ("plain", "node:1+local")):
            file = self.record("numa/strassen", "256", "--variant", variant)
            run, = self.simulate(file, "--memory", memory)
            # Of the data: eight quadrants to read, eight factors and four results of products, four
            # quadrants at the end.
            data = (8 + 6 + 4 + 4) * TILE // LINE
            far = data if variant == "plain" else data // 2
            self.assertEqual(run["remote_lines"], [far], variant)


if __name__ == "__main__":
    PROGRAMS, SIM = (Path(sys.argv.pop(1)) for _ in range(2))
    while len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        BUILT.append("numa/" + sys.argv.pop(1))
    unittest.main()
