# SPDX-License-Identifier: MIT
"""Each figure in the documents is that of the row of a table from which it comes.

Usage: figures_test.py ROOT-OF-THE-REPOSITORY [unittest options]

A figure is a number with two decimals or more, or with a unit (of time or memory, a rate, `times`, `%`), outside of
code. The last comment of a page names the rows, in the order of the page's figures; README.md of this folder
says how.
"""

import re
import sys
import unittest
from pathlib import Path

import figures

ROOT = Path(".")
# Pages that hold measurements themselves: their figures are rows, or stand beside the rows.
RECORDS = {
    "docs/measurements.md",
    "docs/lessons.md",
    "docs/decisions.md",
    "docs/dependencies.md",
    "docs/simulator.md",
    "CHANGELOG.md",
}
# Pages whose tables hold rows of their own, so that only their prose names rows.
OWN_TABLES = {"docs/memory.md", "docs/nanothreads.md", "docs/recording.md"}
# Sentences with a figure that a page had not.
NEW = ("It takes 0.57 of the time.", "It takes 57 ns.", "It is 57 times as fast.", "It has 57 MB in use.")
FOLDERS = ("docs", "src", "bench", "tools", "tests", "examples", "packaging")

RUN = re.compile(r"<!-- readme -->\n(.*?)<!-- /readme -->", re.DOTALL)
ABOUT_RUN = re.compile(r"^## The run behind the README\n(.*?)<!-- readme -->", re.MULTILINE | re.DOTALL)


def all_pages():
    paths = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted(paths)}


def rows_of_the_run(pages):
    (run,) = RUN.findall(pages["docs/measurements.md"])
    return {"/".join(cells[:4]): cells[4:] for cells in figures.BENCH_ROW.findall(run)}


def with_tables(page):
    """The manual's tables repeat figures; those of a floor's page are rows."""
    return page == "README.md" or (page.startswith("docs/") and page not in OWN_TABLES)


def troubles(page, pages, times):
    return figures.troubles(page, pages, times, with_tables(page))


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = all_pages()
        cls.times = rows_of_the_run(cls.pages)
        cls.with_figures = [
            page
            for page, text in cls.pages.items()
            if page not in RECORDS and figures.figures(text, with_tables(page))
        ]


class Figures(Pages):
    def test_are_those_of_their_rows(self):
        self.assertGreater(len(self.with_figures), 30)
        found = [line for page in self.pages if page not in RECORDS for line in troubles(page, self.pages, self.times)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_those_above_the_run_s_rows_are_the_run_s(self):
        page = self.pages["docs/measurements.md"]
        (about,) = ABOUT_RUN.findall(page)
        (run,) = RUN.findall(page)
        found = re.findall(r"(?<![\d.])\d+\.\d{2,4}(?![\d.])", about)
        self.assertGreater(len(found), 10)
        self.assertEqual([each for each in found if each not in re.split(r"[ |\n]+", run)], [])


class Changed(Pages):
    """The documents with one change each, which the comparison has to notice."""

    def seen(self, page, text):
        return troubles(page, {**self.pages, page: text}, self.times)

    def each_figure(self):
        for page in self.with_figures:
            for figure in figures.figures(self.pages[page], with_tables(page)):
                yield page, self.pages[page], figure

    def test_a_changed_figure_is_seen(self):
        for page, text, figure in self.each_figure():
            decimals = len(figure.number.partition(".")[2])
            value = float(figure.number.replace(",", ""))
            for changed in {f"{value * 3 + 1:.{decimals}f}", f"{value * 0.59:.{decimals}f}"} - {figure.number}:
                with self.subTest(page=page, figure=figure.number, changed=changed):
                    self.assertTrue(self.seen(page, text[: figure.start] + changed + text[figure.end :]))

    def test_a_ratio_that_is_some_other_row_s_is_seen(self):
        for page, text, figure in self.each_figure():
            if re.fullmatch(r"0\.\d\d", figure.number):
                changed = "0.57" if figure.number != "0.57" else "0.96"
                with self.subTest(page=page, figure=figure.number):
                    self.assertTrue(self.seen(page, text[: figure.start] + changed + text[figure.end :]))

    def test_a_row_that_does_not_exist_is_seen(self):
        for page in self.with_figures:
            for source in figures.listed(self.pages[page]):
                if source.startswith("set: "):
                    continue
                changed = re.sub(r"^([^/>]+)( > |/)", r"\1\2no such row\2", source)
                with self.subTest(page=page, source=source):
                    self.assertTrue(self.seen(page, self.pages[page].replace(source, changed)))

    def test_a_new_figure_without_a_row_is_seen(self):
        for page in self.with_figures:
            for sentence in NEW:
                with self.subTest(page=page, sentence=sentence):
                    self.assertTrue(self.seen(page, self.pages[page] + f"\n\n{sentence}\n"))

    def test_the_second_of_two_numbers_with_one_unit_is_a_figure(self):
        for text in ("It takes 5 ms here instead of 7.", "It has 5 MB at its\npeak instead of some 7."):
            found = figures.figures(text)
            self.assertEqual([(one.number, one.unit) for one in found], [("5", found[0].unit), ("7", found[0].unit)])
        self.assertEqual(len(figures.figures("It takes 5 ms. Use three instead of 7.")), 1)

    def test_a_changed_row_of_the_run_is_seen(self):
        named = [
            (page, source.partition(":")[0])
            for page in self.with_figures
            for source in figures.listed(self.pages[page])
            if ":" in source and not source.startswith("set: ") and " > " not in source
        ]
        self.assertGreater(len(named), 20)
        for page, row in named:
            seconds, ratio, each = self.times[row]
            changed = (str(float(seconds) * 2), str(float(ratio) + 0.29), str(float(each or 1) * 2))
            with self.subTest(page=page, row=row):
                self.assertTrue(figures.troubles(page, self.pages, {**self.times, row: changed}, with_tables(page)))


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1))
    unittest.main()
