# SPDX-License-Identifier: MIT
"""bench/page/page.py from outside. Usage: page_test.py PATH-OF-PAGE.PY [unittest options]."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

PAGE = ""
FIGURES = (1, 5, 6, 7, 8, 9, 10)
SVG = "{http://www.w3.org/2000/svg}"


def row(bench, variant, workers, n, seconds, **more):
    return {"bench": bench, "variant": variant, "workers": workers, "n": n, "seconds": seconds,
            "ratio": 1.0, "samples": [seconds], **more}


def rows_of_lookups(bench):
    """Reducers take twice the array's time, hypermaps eight times, two workers half of one's."""
    return [row(bench, variant, workers, n, factor / workers)
            for n in (4, 1024) for workers in (1, 2)
            for variant, factor in (("array", 1.0), ("saguaro", 2.0), ("hypermap", 8.0),
                                    ("spinlock", 9.0))]


def rows_of_overhead():
    return [row("reduce-overhead", variant, 2, n, 1.0,
                parts={"creation": factor * 4e-3, "insertion": factor * 1e-3,
                       "transferal": factor * 1e-3, "merge": factor * 2e-3})
            for n in (4, 1024) for variant, factor in (("saguaro", 1), ("hypermap", 10))]


def rows_of_search():
    return [row("pbfs", variant, workers, 100, seconds)
            for variant, workers, seconds in (("serial", 1, 2.0), ("saguaro", 1, 2.5),
                                              ("saguaro", 2, 1.5), ("tbb", 1, 3.0),
                                              ("tbb", 2, 1.75))]


def rows_of_vms():
    """Vthread takes a 50th of pthreads' time on one core, a 100th on two."""
    cycles = [row("vms", "master", 1, 1000, 1.0,
                  parts={"master_loop": 70.4, "switch": 20.6, "lock": -0.5, "malloc": 12.0,
                         "create": 30.0}),
              row("vms", "ssr", 1, 1000, 1.0, parts={"concur": 33.0, "all": 44.0}),
              row("vms", "vcilk", 1, 1000, 1.0, parts={"all": 55.0})]
    products = [row("vms-matmul", variant, workers, n, n * factor)
                for n in (81, 100) for variant, workers, factor in
                (("serial", 1, 1.0), ("vcilk", 1, 2.0), ("vcilk", 2, 1.5))]
    return cycles + products + [
        row("vthread-cond", variant, workers, 1000, seconds)
        for variant, workers, seconds in (("pthread", 1, 0.005), ("saguaro", 1, 0.0001),
                                          ("pthread", 2, 0.03), ("saguaro", 2, 0.0003))]


def all_rows():
    lookups = [one for bench in ("add-n", "min-n", "max-n") for one in rows_of_lookups(bench)]
    return lookups + rows_of_overhead() + rows_of_search()


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.html = os.path.join(self.folder, "bench.html")

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def run_page(self, *arguments):
        return subprocess.run([PAGE, self.html, *arguments], capture_output=True, text=True,
                              timeout=300, check=False)

    def figures(self, *files, options=()):
        """{number: text of its element} of a page that must be made."""
        paths = [self.file(f"{i}.json", json.dumps(rows)) for i, rows in enumerate(files)]
        done = self.run_page(*paths, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.html, encoding="utf-8") as page:
            self.page = page.read()
        tables = re.findall(r'<figure id="table-([\w-]+)">(.*?)</figure>', self.page, re.DOTALL)
        self.tables = dict(tables)
        found = re.findall(r'<figure id="figure-(\d+)">(.*?)</figure>', self.page, re.DOTALL)
        return {int(number): text for number, text in found}

    def lines(self, table):
        """The cells of each line."""
        found = re.findall(r"<tr>(.*?)</tr>", table)
        return [re.findall(r"<t[hd]>(.*?)</t[hd]>", line) for line in found]

    def words(self, figure):
        """All texts of a figure's drawing."""
        drawings = re.findall(r"<svg.*?</svg>", figure, re.DOTALL)
        self.assertEqual(len(drawings), 1)
        root = ElementTree.fromstring(drawings[0])
        return ["".join(text.itertext()) for text in root.iter(SVG + "text")]


class Figures(Page):
    def test_each_figure_has_a_title_both_axes_and_its_command(self):
        figures = self.figures(all_rows())
        self.assertEqual(tuple(figures), FIGURES)
        axes = {
            1: ["what is updated", "time / time of L1 memory"],
            5: ["microbenchmark", "execution time [s]"],
            6: ["number of reducers; one worker", "time beyond the array's [s]"],
            7: ["number of reducers; 2 workers", "reduce overhead [ms]"],
            8: ["number of reducers; 2 workers", "reduce overhead [ms]"],
            9: ["P, number of workers", "speedup, time of 1 worker / time of P"],
            10: ["graph", "time / time of the serial search"],
        }
        for number, labels in axes.items():
            with self.subTest(figure=number):
                words = self.words(figures[number])
                for label in labels:
                    self.assertTrue(any(label in word for word in words), (label, words))
                self.assertIn(f"<h2>Figure {number}: ", figures[number])
                self.assertRegex(figures[number], "Made by <code>build/bin/saguaro-bench [a-z]+")
                self.assertIn("<figcaption><p>There", figures[number])

    def test_what_the_figures_say(self):
        figures = self.figures(all_rows())
        words = {number: self.words(text) for number, text in figures.items()}
        for height in ("1.00", "2.00", "8.00", "9.00"):
            self.assertIn(height, words[1])
        for cell in ("add-4", "min-1024", "max-4", "hypermap reducers"):
            self.assertIn(cell, words[5])
        for panel in ("; 1 worker", "; 2 workers"):
            self.assertTrue(any(word.endswith(panel) for word in words[5]), words[5])
        for part in ("view creation", "view insertion", "view transferal", "hypermerge"):
            self.assertIn(part, words[8])
        for line in ("add-4", "add-1024"):
            self.assertIn(line, words[9])
        for bar in ("Saguaro, 1 worker", "oneTBB, 2 workers"):
            self.assertIn(bar, words[10])

    def test_bars_are_as_high_as_their_values(self):
        # Figure 8 is two stacks of 4, 1, 1 and 2 ms, drawn part by part.
        figure = self.figures(all_rows())[8]
        bars = re.findall(r'<path d="([^"]*)" clip-path=[^>]*style="fill: (?!none)', figure)
        heights = []
        for bar in bars:
            levels = [float(y) for y in re.findall(r"[ML] [\d.]+ ([\d.]+)", bar)]
            heights.append(max(levels) - min(levels))
        self.assertEqual([round(height / heights[2], 2) for height in heights],
                         [4, 4, 1, 1, 1, 1, 2, 2])

    def test_graphs_and_their_sizes(self):
        searched = row("pbfs", "serial", 1, 8000000, 2.0, graph="grid3d200", vertices=8000000,
                       edges=55760000, depth=598)
        more = [searched, dict(searched, variant="saguaro", seconds=2.5)]
        figure = self.figures(all_rows(), more)[10]
        for cell in ("grid3d:100", "1,000,000", "6,940,000", "298"):
            self.assertIn(f"<td>{cell}</td>", figure)
        for cell in ("grid3d200", "8,000,000", "55,760,000", "598"):
            self.assertIn(f"<td>{cell}</td>", figure)
        self.assertIn("grid3d200", self.words(figure))

    def test_tables_of_virtual_processors(self):
        self.figures(all_rows() + rows_of_vms())
        lines = {name: self.lines(text) for name, text in self.tables.items()}
        self.assertEqual(list(self.tables), ["2", "3-left", "3-right"])
        cycles = {line[0]: line[1:] for line in lines["2"]}
        self.assertEqual(cycles["VMS: switch VPs"], ["21", "77", "130"])
        self.assertEqual(cycles["SSR: plugin, concur"], ["33", "190", "540"])
        self.assertEqual(cycles["VCilk: plugin, all"], ["55", "330", "1800"])
        self.assertEqual(cycles["VCilk: plugin, concur"], ["", "65", "260"])
        self.assertEqual(
            [line[:4] for line in lines["3-left"]],
            [["matrix", "serial, 1 [s]", "vcilk, 1 [s]", "vcilk, 2 [s]"],
             ["81 x 81", "81.00000", "162.00000", "121.50000"],
             ["100 x 100", "100.00000", "200.00000", "150.00000"]])
        self.assertEqual(lines["3-left"][1][4:], ["0.017", "0.008"])
        self.assertEqual([line[1:5] for line in lines["3-right"][1:]],
                         [["1", "100", "5000", "50 : 1"], ["2", "300", "30000", "100 : 1"]])

    def test_where_it_was_measured(self):
        self.figures(all_rows(), options=["--compiler", "gcc <12>"])
        self.assertRegex(self.page, r"Measured \d{4}-\d\d-\d\d \d\d:\d\d; gcc &lt;12&gt;; .+, \d+ "
                                    r"processors, Linux ")


class Speedups(Page):
    """Beside the machine's ceiling."""

    ROWS = [row("fib", "serial", 1, 1000, 4.0),
            row("fib", "ceiling", 2, 1000, 2.5, control=[1, 1, 1, 2], marked=[3]),
            row("fib", "saguaro-c", 1, 1000, 5.0), row("fib", "saguaro-c", 2, 1000, 3.0),
            # Another size of it, and a bench whose base has another name.
            row("fib", "serial", 1, 20, 8.0),
            row("fib", "ceiling", 2, 20, 5.0, control=[1, 1], marked=[]),
            row("fib", "tbb", 2, 20, 4.0),
            row("lu", "cilkc-serial", 1, 30, 6.0),
            row("lu", "ceiling", 2, 30, 3.0, control=[1, 2], marked=[1]),
            row("lu", "cilkc", 2, 30, 6.0)]

    def table(self, rows):
        self.figures(rows)
        return re.search(r'<figure id="own-table-1">(.*?)</figure>', self.page, re.DOTALL)[1]

    def test_lines(self):
        lines = self.lines(self.table(all_rows() + self.ROWS))
        self.assertEqual(lines[0][4:7], ["speedup", "speedup of the ceiling", "time beyond it"])
        self.assertEqual(lines[1:], [
            ["fib", "1,000", "saguaro-c", "2", "1.33", "1.60", "+20 %", "in 1 of 3 rounds, left out"],
            ["fib", "20", "tbb", "2", "2.00", "1.60", "-20 %", ""],
            ["lu", "30", "cilkc", "2", "1.00", "2.00", "+100 %", "in every round"]])

    def test_without_ceilings(self):
        table = self.table(all_rows())
        self.assertNotIn("<table", table)
        self.assertIn("saguaro-bench all --json", table)


class NanoThreads(Page):
    """The second paper's: figure 1 and table 2."""

    ROWS = [row("empty", variant, workers, 1000, seconds / workers, stacks=stacks * workers,
                descriptors=100 * workers, peak_mb=megabytes)
            for workers in (1, 2)
            for variant, seconds, stacks, megabytes in (("saguaro-dos", 8.0, 1001, 4100.4),
                                                        ("saguaro-lsa", 2.0, 3, 70.2),
                                                        ("saguaro-dsr", 1.0, 2, 70.0))]

    def elements(self, rows):
        self.figures(rows)
        found = re.findall(r'<figure id="nano-(?:figure|table)-(\d+)">(.*?)</figure>', self.page, re.DOTALL)
        return {int(number): text for number, text in found}

    def test_times_are_those_of_the_slowest(self):
        drawn = self.elements(self.ROWS + [row("empty", "tbb", 1, 1000, 9.0, peak_mb=1)])[1]
        words = self.words(drawn)
        for word in ("DOS", "LSA", "DSR", "1 worker", "2 workers", "time / time of the slowest"):
            self.assertIn(word, words)

    def test_what_each_design_used(self):
        table = self.elements(self.ROWS)[2]
        self.assertIn("<h2>Table 2: ", table)
        cells = self.lines(table)
        self.assertEqual(cells[0], ["", "DOS S", "DOS MB", *(f"{design} {what}" for design in
                                                             ("LSA", "DSR")
                                                             for what in ("S", "D", "MB"))])
        self.assertEqual(cells[1],
                         ["1 worker", "1,001", "4,100", "3", "100", "70", "2", "100", "70"])
        self.assertEqual(cells[2][1], "2,002")

    def test_a_design_that_was_left_out(self):
        table = self.elements([one for one in self.ROWS if one["variant"] != "saguaro-dos"])[2]
        self.assertNotIn("DOS S", table)
        self.assertIn("LSA S", table)

    def test_without_rows(self):
        for text in self.elements([]).values():
            self.assertIn("saguaro-bench empty --json", text)


class Gaps(Page):
    def test_without_rows_each_figure_says_what_to_run(self):
        figures = self.figures([])
        self.assertEqual(tuple(figures), FIGURES)
        for number, bench in ((1, "add-n"), (5, "add-n min-n max-n"), (7, "reduce-overhead"),
                              (10, "pbfs")):
            self.assertNotIn("<svg", figures[number])
            self.assertIn("No rows for this figure", figures[number])
            self.assertIn(f"saguaro-bench {bench} --json", figures[number])
        for name, benches in (("2", "vms"), ("3-left", "vms-matmul"),
                              ("3-right", "vthread-cond vthread-mutex")):
            self.assertNotIn("<table", self.tables[name])
            self.assertIn(f"saguaro-bench {benches} --json", self.tables[name])

    def test_one_worker_and_no_hypermap(self):
        rows = [one for one in all_rows() if one["workers"] == 1 and one["variant"] != "hypermap"]
        figures = self.figures(rows)
        drawn = [number for number, text in figures.items() if "<svg" in text]
        # Without rows of two workers there is no speedup, and no overhead of a reduction.
        self.assertEqual(drawn, [1, 5, 6, 10])
        self.assertNotIn("8.00", self.words(figures[1]))

    def test_other_benches_are_not_in_the_way(self):
        figures = self.figures([row("fib", "tbb", 1, 32, 1.0)] + all_rows())
        self.assertTrue(all("<svg" in text for text in figures.values()))


class Faults(Page):
    def assert_refused(self, path, *parts):
        done = self.run_page(path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith(f"page.py: {path}: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertFalse(os.path.exists(self.html))

    def test_broken_files(self):
        good = row("add-n", "saguaro", 1, 4, 1.0)
        overhead = rows_of_overhead()[0]
        self.assert_refused(self.file("a", "[{]"), "not JSON", "--json")
        self.assert_refused(self.file("b", "{}"), "not an array")
        self.assert_refused(self.file("c", "[3]"), "row 1", "not an object")
        for member in ("bench", "variant", "workers", "n", "seconds"):
            with self.subTest(missing=member):
                short = {name: value for name, value in good.items() if name != member}
                self.assert_refused(self.file("d", json.dumps([good, short])), "row 2",
                                    f"no member '{member}'")
        for member, value in (("workers", 0), ("workers", True), ("n", "4"), ("n", 1.5),
                              ("seconds", -1), ("seconds", "1"), ("bench", None)):
            with self.subTest(member=member, value=value):
                bad = json.dumps([dict(good, **{member: value})])
                self.assert_refused(self.file("e", bad), f"'{member}' is {json.dumps(value)}")
        for value in ("NaN", "Infinity"):
            bad = json.dumps([good]).replace("1.0", value)
            self.assert_refused(self.file("f", bad), "'seconds'", value)
        parts = dict(overhead["parts"], merge=-1)
        self.assert_refused(self.file("g", json.dumps([dict(overhead, parts=parts)])), "'parts'",
                            "creation, insertion, transferal, merge")
        ceiling = Speedups.ROWS[1]
        for member, value in (("control", [1]), ("control", None), ("marked", [0]), ("marked", 3)):
            with self.subTest(member=member, value=value):
                bad = json.dumps([dict(ceiling, **{member: value})])
                self.assert_refused(self.file("i", bad), f"'{member}' is {json.dumps(value)}")
        cycles = dict(rows_of_vms()[0], parts={"switch": "20"})
        self.assert_refused(self.file("h", json.dumps([cycles])), "'parts'", "cycles by name")

    def test_missing_file(self):
        self.assert_refused(os.path.join(self.folder, "none.json"), "No such file")

    def test_page_that_cannot_be_written(self):
        path = self.file("good.json", "[]")
        self.html = os.path.join(self.folder, "none", "bench.html")
        done = self.run_page(path)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("No such file", done.stderr)


if __name__ == "__main__":
    PAGE = sys.argv.pop(1)
    unittest.main()
