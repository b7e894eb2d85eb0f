# SPDX-License-Identifier: MIT
"""The programs of examples/numa from outside.

Usage: numa_test.py DIRECTORY SANITIZER PROGRAM... SANITIZER: address, thread or none."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands

PROGRAMS = Path(".")
BUILT = []
NUMBERS_OF_WORKERS = ["1", "2", "5"]
VARIANTS = ["plain", "placed", "local"]
# Of each program: arguments that make it small, from one tile to several whose last is padded.
SMALL = {
    "matmul": ["1", "7", "128", "129", "300", "520"],
    "strassen": ["1", "7", "128", "129", "300", "520"],
    "cholesky": ["1", "7", "128", "129", "300", "520"],
    "stream": ["1", "8191", "8192", "8193", "100000"],
    "sparse_cholesky": ["grid2d:1", "grid2d:2", "grid2d:40", "grid3d:7", "grid3d:14"],
}
MOST = {"matmul": 32768, "strassen": 32768, "cholesky": 32768, "stream": 8589934592}


def run(name, *arguments, **settings):
    return commands.run(PROGRAMS / name, *arguments, seconds=200, **settings)


class Numa(unittest.TestCase):
    """What the classes below share."""

    def each(self, of):
        """Those of the programs that are built, with what `of` has of them."""
        for name in BUILT:
            for value in of.get(name, []) if isinstance(of.get(name), list) else [of.get(name)]:
                if value is not None:
                    with self.subTest(program=name, value=value):
                        yield name, value

    def lines(self, name, *arguments):
        done = run(name, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.splitlines()

    def assert_refused(self, name, *arguments, says):
        done = run(name, *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith(f"{name}: "), done.stderr)
        for each in says:
            self.assertIn(each, done.stderr)


class Programs(Numa):
    def test_output_that_cannot_be_written_is_an_error(self):
        for name, size in self.each({each: SMALL[each][0] for each in SMALL}):
            for arguments in ((size, "--repeat", "1"), ("--help",)):
                done = commands.run_into_full_device(PROGRAMS / name, *arguments)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr,
                                 f"{name}: standard output: No space left on device\n")

    def test_a_setting_that_is_not_accepted_gets_one_line(self):
        for name, size in self.each({each: SMALL[each][0] for each in SMALL}):
            done = run(name, size, "--repeat", "1", SAGUARO_CPUS="999999")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("SAGUARO_CPUS=999999 is not accepted", done.stderr)

    def test_results_are_right_in_all_variants(self):
        for name, size in self.each(SMALL):
            for workers in NUMBERS_OF_WORKERS:
                lines = self.lines(name, size, "--check", "--workers", workers, "--repeat", "2")
                self.assertEqual(lines[-1], "check: ok")
                of_variants = [line.split() for line in lines if "serial" in line[10:]]
                kinds = [variant for variant in VARIANTS for _ in ([1] if workers == "1" else [1, 2])]
                self.assertEqual([line[0] for line in of_variants], kinds, lines)

    def test_all_data_of_a_machine_with_one_node_are_on_it(self):
        nodes = list(Path("/sys/devices/system/node").glob("node[0-9]*"))
        if len(nodes) > 1:
            self.skipTest("several nodes")
        for name, size in self.each(SMALL):
            for line in self.lines(name, size, "--repeat", "1"):
                if "of the data" in line:
                    self.assertRegex(line, r"^(plain|placed|local) +100 % of the data on node 0$")

    def test_json(self):
        for name, size in self.each({each: SMALL[each][-1] for each in SMALL}):
            with tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "out.json"
                self.lines(name, size, "--json", out, "--workers", "2", "--repeat", "1")
                rows = json.loads(out.read_text(encoding="ascii"))
            self.assertEqual([(row["variant"], row["workers"]) for row in rows],
                             [("serial", 1)] + [(v, w) for v in VARIANTS for w in (1, 2)])
            for row in rows:
                self.assertEqual((row["bench"], row["input"]), (name, size))
                self.assertGreater(row["seconds"], 0)
                self.assertAlmostEqual(row["ratio"], row["seconds"] / rows[0]["seconds"])
                self.assertGreater(sum(row["pages"].values()), 0)

    def test_one_variant_alone(self):
        for name, size in self.each({each: SMALL[each][1] for each in SMALL}):
            lines = self.lines(name, size, "--variant", "placed", "--repeat", "1")
            self.assertFalse([line for line in lines if line.startswith(("plain", "local"))])
            self.assertTrue([line for line in lines if line.startswith("placed")])

    def test_refuses_what_it_does_not_take(self):
        for name, most in self.each(MOST):
            for text in ("0", str(most + 1), "many", "3x", "-3"):
                self.assert_refused(name, "--", text, says=[
                    f"N '{text}': accepted is a whole number from 1 to {most}"])
        for name, size in self.each({each: SMALL[each][0] for each in SMALL}):
            self.assert_refused(name, size, "--nonsense", says=["--nonsense"])
            self.assert_refused(name, size, "--workers", "0", says=["--workers", "1 "])
            self.assert_refused(name, size, "--repeat", "0", says=["--repeat", "1 "])
            self.assert_refused(name, size, "--variant", "far", says=["--variant", "local"])
            self.assert_refused(name, size, "--json", "/none/out.json", says=["--json /none/out"])


# HB/lund_a of the SuiteSparse collection, which a Debian package has.
LUND_A = Path("/usr/lib/R/library/Matrix/external/lund_a.mtx")
BANNER = "%%MatrixMarket matrix coordinate real symmetric\n"
# Contents of a file; what the message says.
FAULTS = {
    "general": ("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n",
                [":1: symmetry 'general'", "accepted: symmetric"]),
    "pattern": ("%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n",
                [":1: field 'pattern'", "accepted: real, integer"]),
    "twice": (BANNER + "2 2 3\n1 1 4\n2 1 1\n1 2 1\n",
              ["row 2, column 1 is given twice", "accepted: each entry once"]),
    "too_large": (BANNER + "1 1 1\n1 1 1e400\n", [":3: value '1e400' is too large"]),
    "no_factor": (BANNER + "2 2 3\n1 1 1\n2 1 2\n2 2 1\n", ["not positive definite"]),
    "no_diagonal": (BANNER + "2 2 1\n2 1 2\n", ["not positive definite"]),
}


class SparseCholesky(Numa):
    def setUp(self):
        if "sparse_cholesky" not in BUILT:
            self.skipTest("not built")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, contents):
        path = self.folder / (name + ".mtx")
        path.write_text(contents, encoding="ascii")
        return path

    def check(self, path):
        lines = self.lines("sparse_cholesky", path, "--check", "--workers", "2")
        self.assertEqual(lines[-1], "check: ok")
        return lines[:2]

    def test_a_file(self):
        # In either triangle and any order, with a part that nothing joins to the others.
        entries = "3 3 5\n1 1 4\n2 1 -1\n2 2 4\n2 3 1e0\n4 4 7\n"
        matrix, factor = self.check(self.file("small", BANNER + "4 4 6\n" + entries))
        self.assertIn("4 x 4, 6 entries", matrix)
        self.assertIn("2 dense blocks", factor)
        integers = BANNER.replace("real", "integer")
        self.check(self.file("integers", integers + "2 2 3\n1 1 4\n2 1 -1\n2 2 4\n"))

    def test_a_long_path_and_a_star(self):
        n = 3000
        for name, edges in (("path", [(i + 1, i) for i in range(1, n)]),
                            ("star", [(i, 1) for i in range(2, n + 1)])):
            diagonal = "".join(f"{i} {i} {n}\n" for i in range(1, n + 1))
            rest = "".join(f"{i} {j} -1\n" for i, j in edges)
            self.check(self.file(name, BANNER + f"{n} {n} {2 * n - 1}\n" + diagonal + rest))

    def test_a_matrix_of_the_suitesparse_collection(self):
        if not LUND_A.exists():
            self.skipTest("no lund_a.mtx (Debian: r-cran-matrix)")
        self.assertIn("147 x 147, 1298 entries", self.check(LUND_A)[0])

    def test_faults(self):
        for name, (contents, says) in FAULTS.items():
            with self.subTest(name):
                self.assert_refused("sparse_cholesky", self.file(name, contents), says=says)
        self.assert_refused("sparse_cholesky", "none.mtx", says=["none.mtx", "No such file"])
        # Names of graphs that pbfs makes, which is another program.
        for name in ("rmat:5", "grid4d:3"):
            self.assert_refused("sparse_cholesky", name, says=[
                f"{name}: cannot be opened: No such file",
                "; accepted: a Matrix Market file (.mtx, .mtx.gz), grid2d:K or grid3d:K\n"])
        for grid, most in (("grid2d", 4000), ("grid3d", 250)):
            for k in ("0", str(most + 1), "x", "", "3x"):
                self.assert_refused("sparse_cholesky", f"{grid}:{k}",
                                    says=[f"{grid}:{k}: accepted is {grid}:K with K from 1 to {most}"])


if __name__ == "__main__":
    PROGRAMS = Path(sys.argv.pop(1))
    if sys.argv.pop(1) != "none":  # it makes the arithmetic ten times as slow
        SMALL = {name: sizes[1::2] for name, sizes in SMALL.items()}
        NUMBERS_OF_WORKERS = ["2"]
    while len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        BUILT.append(sys.argv.pop(1))
    unittest.main()
