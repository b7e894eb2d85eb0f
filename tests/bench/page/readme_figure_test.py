# SPDX-License-Identifier: MIT
"""The README's picture, made from a few rows. Usage: readme_figure_test.py PATH-OF-README_FIGURE"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = ""
PAGE = "# Page\n\n<!-- readme -->\nold\n<!-- /readme -->\n\nAfter.\n"
KERNELS = ("nqueens", "cilksort", "matmul", "strassen", "heat", "pbfs")


def row(bench, variant, workers, seconds, n=7, **more):
    return {"bench": bench, "variant": variant, "workers": workers, "n": n, "seconds": seconds, **more}


def all_rows():
    forks = [("serial", 0.5), ("cilkc", 0.75), ("tbb", 40.0)]
    read = [row("fib", name, 1, ns / 100, 32, ns_per_op=ns, ratio=ns / 0.5) for name, ns in forks]
    for bench in KERNELS:
        read += [row(bench, "serial", 1, 1.0), row(bench, "tbb", 2, 0.625)]
    return read


class ReadmeFigure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE, encoding="utf-8")
        self.picture = self.folder / "picture.svg"

    def draw(self, read):
        file = self.folder / "rows.json"
        file.write_text(json.dumps(read), encoding="utf-8")
        command = [PROGRAM, self.picture, self.page, file]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    def refusal(self, read):
        done = self.draw(read)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertFalse(self.picture.exists())
        return done.stderr

    def test_draws_what_there_is(self):
        done = self.draw(all_rows())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        picture = self.picture.read_text(encoding="utf-8")
        for text in ("cilkc", "0.75", "40.00", "oneTBB", *KERNELS):
            self.assertIn(f">{text}</text>", picture)
        self.assertNotIn("Lace", picture)
        self.draw(all_rows() + [row("fib", "lace", 1, 0.02, 32, ns_per_op=2.25)])
        self.assertIn(">2.25</text>", self.picture.read_text(encoding="utf-8"))

    def test_draws_the_machine_s_ceiling(self):
        told = {"marked": [], "control": [0.02, 0.02]}
        self.draw(all_rows())
        self.assertNotIn("serial programs at once", self.picture.read_text(encoding="utf-8"))
        done = self.draw(all_rows() + [row("heat", "ceiling", 2, 0.6, **told)])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("serial programs at once", self.picture.read_text(encoding="utf-8"))

    def test_the_same_rows_make_the_same_picture(self):
        self.draw(all_rows())
        first = self.picture.read_bytes()
        self.draw(all_rows())
        self.assertEqual(self.picture.read_bytes(), first)

    def test_writes_the_rows_where_the_page_wants_them(self):
        self.draw(all_rows())
        page = self.page.read_text(encoding="utf-8")
        self.assertTrue(page.startswith("# Page\n\n<!-- readme -->\nMachine: "))
        self.assertTrue(page.endswith("|\n<!-- /readme -->\n\nAfter.\n"))
        self.assertNotIn("old", page)
        self.assertIn("\n| fib | tbb | 1 | 32 | 0.400000 | 80.00 | 40.00 |\n", page)
        self.assertIn("\n| heat | tbb | 2 | 7 | 0.625000 |  |  |\n", page)

    def test_says_what_needs_an_explanation(self):
        more = [row("heat", "cilkc-serial", 1, 0.9), row("heat", "cilkc", 2, 0.4)]
        done = self.draw(all_rows() + more)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("heat, Saguaro, cilkc: 2.25 times as fast on two workers", done.stdout)

    def test_refuses_rows_that_lack_something(self):
        self.assertIn("no row of heat, serial", self.refusal(
            [each for each in all_rows() if each["bench"] != "heat"]))
        self.assertIn("no row of fib, serial at n = 32", self.refusal(all_rows()[1:]))
        self.assertIn("without 'ns_per_op'", self.refusal(
            all_rows() + [row("fib", "tbb", 2, 1.0)]))
        self.assertIn("'seconds' is -1", self.refusal(all_rows() + [row("fib", "tbb", 2, -1)]))

    def test_refuses_a_page_without_a_place(self):
        self.page.write_text("# Page\n", encoding="utf-8")
        self.assertIn(f"{self.page}: 0 places", self.refusal(all_rows()))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
