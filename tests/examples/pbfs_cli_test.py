# SPDX-License-Identifier: MIT
"""pbfs and wordnet_graph.py from outside: reports, messages and exit codes.

usage: pbfs_cli_test.py PBFS WORDNET_GRAPH
"""

import gzip
import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import commands

PBFS, WORDNET_GRAPH = sys.argv[1:3]

PATTERN = "%%MatrixMarket matrix coordinate pattern general\n"
REAL = "%%MatrixMarket matrix coordinate real general\n"
INTEGER = "%%MatrixMarket matrix coordinate integer symmetric\n"
BANNER = "%%MatrixMarket matrix coordinate "

# Contents of a file; the line that the message names; what the message says; what it accepts.
FAULTS = {
    "empty": ("", 1, "the file is empty", "%%MatrixMarket"),
    "no_banner": ("3 3 1\n1 1\n", 1, "first word '3'", "%%matrixmarket"),
    "vector": ("%%MatrixMarket vector coordinate real general\n", 1, "object 'vector'", "matrix"),
    "array": ("%%MatrixMarket matrix array real general\n", 1, "format 'array'", "coordinate"),
    "complex": (BANNER + "complex general\n", 1, "field 'complex'", "pattern, real, integer"),
    "hermitian": (BANNER + "real hermitian\n", 1, "symmetry 'hermitian'", "general, symmetric"),
    "skew": (BANNER + "real skew-symmetric\n", 1, "symmetry 'skew-symmetric'",
             "general, symmetric"),
    "short_banner": (BANNER + "real\n", 1, "symmetry ''", "general, symmetric"),
    "long_banner": (PATTERN[:-1] + " more\n", 1, "'more' is one word too many", "five words"),
    "no_size": (PATTERN + "% only a comment\n", 2, "ends before the size line", "rows, columns"),
    "short_size": (PATTERN + "3 3\n", 2, "number of entries is missing", "0 to 9"),
    "long_size": (PATTERN + "3 3 1 1\n", 2, "'1' is one word too many", "rows, columns"),
    "word_size": (PATTERN + "3 three 1\n", 2, "columns 'three' is not a number", "1 to 4294967294"),
    "negative": (PATTERN + "-3 3 1\n", 2, "rows '-3' is out of range", "1 to 4294967294"),
    "no_vertices": (PATTERN + "0 0 0\n", 2, "rows '0' is out of range", "1 to 4294967294"),
    "not_square": (PATTERN + "3 4 1\n1 1\n", 2, "3 rows and 4 columns", "a square matrix"),
    "oversized": (PATTERN + "4294967295 4294967295 1\n", 2, "is out of range", "1 to 4294967294"),
    "overflow": (PATTERN + "3 3 99999999999999999999999\n", 2, "is out of range", "0 to 9"),
    "too_dense": (PATTERN + "3 3 10\n", 2, "entries '10' is out of range", "0 to 9"),
    "too_dense_half": (INTEGER + "3 3 7\n", 2, "entries '7' is out of range", "0 to 6"),
    "huge_count": (PATTERN + "4000000 4000000 15000000000000\n1 1\n", 3, "ends after 1 entries",
                   "15000000000000"),
    "not_numeric": (PATTERN + "3 3 2\n1 1\n1 x\n", 4, "column 'x' is not a number", "1 to 3"),
    "fraction": (PATTERN + "3 3 1\n1.5 1\n", 3, "row '1.5' is not a number", "1 to 3"),
    "row_range": (PATTERN + "3 3 1\n4 1\n", 3, "row '4' is out of range", "1 to 3"),
    "column_zero": (PATTERN + "3 3 1\n1 0\n", 3, "column '0' is out of range", "1 to 3"),
    "column_huge": (PATTERN + "3 3 1\n1 4294967297\n", 3, "is out of range", "1 to 3"),
    "one_field": (PATTERN + "3 3 1\n1\n", 3, "column is missing", "1 to 3"),
    "trailing": (PATTERN + "3 3 1\n1 2 3\n", 3, "'3' is one word too many", "row and column"),
    "no_value": (REAL + "3 3 1\n1 2\n", 3, "value is missing", "a real number"),
    "bad_value": (REAL + "3 3 1\n1 2 1.5x\n", 3, "value '1.5x' is not a number", "a real number"),
    "real_value": (INTEGER + "3 3 1\n2 1 1.5\n", 3, "value '1.5' is not a number", "an integer"),
    "two_values": (REAL + "3 3 1\n1 2 0 1\n", 3, "'1' is one word too many", "column and value"),
    "truncated": (PATTERN + "3 3 3\n1 2\n2 3\n", 4, "ends after 2 entries", "3 that the size line"),
    "too_many": (PATTERN + "3 3 1\n1 2\n2 3\n", 4, "an entry too many", "1 that the size line"),
    "binary": ("\x7fELF\x00\x01\x02\n\n", 1, "first word", "%%matrixmarket"),
}


def run(*arguments, **settings):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("SAGUARO_")} | settings
    return subprocess.run(arguments, capture_output=True, text=True, env=environment, check=False)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, contents):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def expect_fault(self, result, *parts):
        """Exit code 2, no output, and one line of message that has all the parts."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.endswith("\n"), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def report(self, *arguments):
        """The report's lines, by their first word, of a run that must succeed."""
        result = run(PBFS, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines()}


class Faults(Case):
    def test_faults_in_a_file(self):
        for name, (contents, line, what, accepted) in FAULTS.items():
            for ending in (".mtx", ".mtx.gz"):
                with self.subTest(name + ending):
                    data = contents.encode()
                    if ending == ".mtx.gz":
                        data = gzip.compress(data)
                    path = self.file(name + ending, data)
                    self.expect_fault(run(PBFS, path), f"pbfs: {path}:{line}: ", what, accepted)

    def test_output_that_cannot_be_written(self):
        for arguments in (("grid3d:3", "--repeat", "1"), ("--help",)):
            done = commands.run_into_full_device(PBFS, *arguments)
            self.assertEqual(done.returncode, 1)
            # The progress is shown before.
            self.assertTrue(done.stderr.endswith(
                "pbfs: standard output: No space left on device\n"), done.stderr)

    def test_a_setting_that_is_not_accepted_gets_one_line(self):
        for settings in ({"SAGUARO_CPUS": "999999"}, {"SAGUARO_CPUS": "1-0"},
                         {"SAGUARO_WORKERS": "many"}):
            done = run(PBFS, "grid3d:3", "--repeat", "1", **settings)
            name, value = next(iter(settings.items()))
            # The progress is shown before.
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(f"{name}={value} is not accepted", done.stderr)

    def test_missing_file_and_folder(self):
        path = os.path.join(self.folder, "none.mtx")
        self.expect_fault(run(PBFS, path), f"pbfs: {path}: cannot be opened", "No such file",
                          "grid3d:K")
        self.expect_fault(run(PBFS, self.folder), f"pbfs: {self.folder}: cannot be read",
                          "directory")

    def test_compressed_file_that_breaks_off(self):
        entries = "".join(f"{i} {i * 7919 % 50000 + 1}\n" for i in range(1, 50001))
        data = gzip.compress((PATTERN + "50000 50000 50000\n" + entries).encode())
        path = self.file("short.mtx.gz", data[:len(data) // 2])
        result = run(PBFS, path)
        self.expect_fault(result, f"pbfs: {path}:", "the gzip stream breaks off")
        line = int(result.stderr[len(f"pbfs: {path}:"):].split(":")[0])
        self.assertTrue(1000 < line < 50000, line)

    def test_compressed_file_that_is_damaged(self):
        data = bytearray(gzip.compress((PATTERN + "3 3 1\n1 2\n").encode()))
        data[-6] ^= 0xff  # in the checksum
        path = self.file("damaged.mtx.gz", bytes(data))
        self.expect_fault(run(PBFS, path), f"pbfs: {path}:", "the gzip stream is damaged")

    def test_more_vertices_than_memory(self):
        with open("/proc/meminfo", encoding="ascii") as lines:
            free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
        if free * 1024 > 16 * 4294967294:
            self.skipTest("this machine has room for the largest graph")
        path = self.file("vast.mtx", PATTERN + "4294967294 4294967294 1\n1 1\n")
        self.expect_fault(run(PBFS, path), f"pbfs: {path}:2: ", "MiB of memory")

    def test_generators(self):
        self.expect_fault(run(PBFS, "grid3d:0"), "pbfs: grid3d:0: ", "1 to 1625")
        self.expect_fault(run(PBFS, "grid3d:x"), "'x'", "accepted")
        self.expect_fault(run(PBFS, "rmat:99"), "pbfs: rmat:99: ", "1 to 31")
        self.expect_fault(run(PBFS, "rmat99"), "pbfs: rmat:99: ", "1 to 31")
        # Not quite such a name: a file, which is not there.
        self.expect_fault(run(PBFS, "grid3d"), "pbfs: grid3d: cannot be opened")
        self.expect_fault(run(PBFS, "rmat23x"), "pbfs: rmat23x: cannot be opened")

    def test_options(self):
        self.expect_fault(run(PBFS), "GRAPH")
        self.expect_fault(run(PBFS, "grid3d:3", "--nonsense"), "--nonsense")
        self.expect_fault(run(PBFS, "grid3d:3", "grid3d:4"), "grid3d:4")
        self.expect_fault(run(PBFS, "grid3d:3", "--workers"), "--workers")
        for option in ("--workers", "--repeat"):
            for value in ("0", "-3", "many", "99999999999"):
                with self.subTest(f"{option} {value}"):
                    self.expect_fault(run(PBFS, "grid3d:3", option, value), option, value, "1 ")
        self.expect_fault(run(PBFS, "grid3d:3", "--memory", "far"), "--memory", "local")
        self.expect_fault(run(PBFS, "grid3d:3", "--source", "27"), "--source 27", "0 to 26")
        self.expect_fault(run(PBFS, "grid3d:3", "--source", "x"), "--source", "x")
        path = os.path.join(self.folder, "none", "out.json")
        self.expect_fault(run(PBFS, "grid3d:3", "--json", path), f"--json {path}")


class Reports(Case):
    def test_help(self):
        result = run(PBFS, "--help")
        self.assertEqual(result.returncode, 0)
        for word in ("GRAPH", "--source", "--workers", "--check", "--json", "--repeat",
                     "--memory"):
            self.assertIn(word, result.stdout)

    def test_a_grid(self):
        report = self.report("grid3d:20", "--workers", "2", "--check")
        self.assertEqual(report["|V|"], ["8000"])
        self.assertEqual(report["|E|"], [str(7 * 8000 - 6 * 400)])
        self.assertEqual(report["D"][:2], ["58", "layers"])
        self.assertGreaterEqual(int(report["lookups"][0]), 58)
        self.assertEqual(report["check:"], ["ok"])
        for line in ("serial", "1", "2"):
            self.assertIn("ms", " ".join(report[line]))

    def test_memory_with_a_place(self):
        out = os.path.join(self.folder, "out.json")
        for memory in ("plain", "placed", "local"):
            for name in ("grid3d:1", "grid3d:20", "rmat:12"):
                report = self.report(name, "--memory", memory, "--workers", "2", "--repeat", "2",
                                     "--check", "--json", out)
                self.assertEqual((report["memory"], report["check:"]), ([memory], ["ok"]))
                with open(out, encoding="ascii") as text:
                    self.assertEqual({row["memory"] for row in json.load(text)}, {memory})

    def test_names_of_published_tables(self):
        for published, name in (("grid3d20", "grid3d:20"), ("rmat9", "rmat:9")):
            one = self.report(published, "--repeat", "1")
            other = self.report(name, "--repeat", "1")
            for line in ("|V|", "|E|", "D"):
                self.assertEqual(one[line], other[line])

    def test_a_long_load_shows_on_a_terminal_what_it_does(self):
        # What is shown is redrawn ten times a second: each of these takes longer than that.
        try:
            terminal, other_end = pty.openpty()
        except OSError as no:
            self.skipTest(f"no pseudo-terminals here: {no}")
        with subprocess.Popen([PBFS, "rmat:21", "--repeat", "1"], stdout=subprocess.DEVNULL,
                              stderr=other_end) as process:
            os.close(other_end)
            shown = b""
            try:
                while b"sorting rows" not in shown:
                    shown += os.read(terminal, 4096)
            except OSError:  # the program has ended
                pass
            process.kill()
        os.close(terminal)
        for step in (b"making rmat:21: ", b"placing edges: ", b"sorting rows: "):
            self.assertIn(step, shown)

    def test_source_counts_from_0(self):
        path = self.file("path.mtx", PATTERN + "3 3 2\n1 2\n2 3\n")
        for source, layers in (("0", "3"), ("1", "2"), ("2", "1")):
            self.assertEqual(self.report(path, "--source", source, "--check")["D"][0], layers)

    def test_json(self):
        out = os.path.join(self.folder, "out.json")
        self.report("grid3d:10", "--workers", "2", "--repeat", "2", "--json", out)
        with open(out, encoding="ascii") as text:
            rows = json.load(text)
        self.assertEqual([(row["variant"], row["workers"]) for row in rows],
                         [("serial", 1), ("saguaro", 1), ("saguaro", 2)])
        for row in rows:
            self.assertEqual((row["bench"], row["graph"]), ("pbfs", "grid3d:10"))
            self.assertEqual((row["n"], row["vertices"], row["edges"], row["depth"]),
                             (1000, 1000, 6400, 28))
            self.assertGreater(row["seconds"], 0)
            self.assertAlmostEqual(row["ratio"], row["seconds"] / rows[0]["seconds"])
        self.assertEqual(rows[0]["lookups"], 0)
        self.assertGreaterEqual(rows[1]["lookups"], 28)


class Wordnet(Case):
    # Two nouns and an adjective: 1 <-> 2, 1 -> 3 twice (kept once), 3 -> 1.
    LICENCE = "  1 This software and database\n"
    DATA = {
        "noun": LICENCE +
        "00000100 03 n 02 cactus 0 tree_cactus 0 003 ~ 00000200 n 0000 = 00000050 a 0101 "
        "+ 00000050 a 0201 | a plant; \"a | in an example\"  \n"
        "00000200 03 n 01 saguaro 0 001 @ 00000100 n 0000 | a tall one  \n",
        "verb": LICENCE,
        "adj": LICENCE + "00000050 00 s 01 prickly 0 001 = 00000100 n 0101 | with spines  \n",
        "adv": LICENCE,
    }

    def convert(self, data):
        for name, contents in data.items():
            self.file("data." + name, contents)
        out = os.path.join(self.folder, "out.mtx")
        return run(sys.executable, WORDNET_GRAPH, self.folder, out), out

    def test_synsets_and_pointers(self):
        result, out = self.convert(self.DATA)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out, encoding="ascii") as text:
            lines = [line for line in text.read().splitlines() if not line.startswith("%")]
        self.assertEqual(lines, ["3 3 4", "1 2", "1 3", "2 1", "3 1"])
        self.assertEqual(self.report(out, "--check")["D"][0], "2")

    def test_faults(self):
        usage = run(sys.executable, WORDNET_GRAPH)
        self.expect_fault(usage, "usage: wordnet_graph.py DIR OUT.mtx")
        result, _ = self.convert({"noun": self.DATA["noun"]})
        self.expect_fault(result, "data.verb", "No such file")
        result, _ = self.convert(dict(self.DATA, verb="00000100 29 v 02 run 0 001 | cut off\n"))
        self.expect_fault(result, "data.verb:1: not a synset")
        result, out = self.convert(dict(self.DATA, adj=self.LICENCE, verb=self.LICENCE))
        self.expect_fault(result, "which no file has")
        self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
