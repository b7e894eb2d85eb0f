# SPDX-License-Identifier: MIT
"""Figures of the documents' prose, and the rows of tables that they come from."""

import functools
import re
from collections import namedtuple

Figure = namedtuple("Figure", "number unit start end")
Table = namedtuple("Table", "headings columns rows")

TIMES = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "second": 1e9, "seconds": 1e9}
UNIT = r"(?:ns|µs|ms|s|seconds?|cycles|GB/s|MB/s|[MG]B(?!/)|%|times(?=\s(?:as|the|oneTBB|slower|faster|longer)\b))(?![\w*])"
NUMBER = r"\d[\d,]*(?:\.\d+)?"
BETWEEN = r"(?:,|;|\sto|\sand|\sor|\s/|\sinstead\sof)\s"
# A number with two decimals or more, or with a unit, be it the unit of a range or of a list.
FIGURE = re.compile(
    rf"(?<![\w.,`#^-])(?P<number>{NUMBER}(?<!,))(?![\w^]|[.,]\d)"
    rf"(?=(?P<unit>(?:{BETWEEN}{NUMBER})*\s(?P<word>{UNIT}))?)"
)
# A second number of the unit that a sentence has named: 565 MB at its peak instead of 398.
IN_PLACE_OF = re.compile(rf"\binstead\sof\s(?:some\s)?(?P<number>{NUMBER}(?<!,))(?![\w^]|[.,]\d)")
# What the reader does not see as prose keeps its length, for the places of figures.
NO_PROSE = re.compile(
    r"^(?:```|~~~).*?^(?:```|~~~)$|^    .*?$|`[^`\n]*(?:\n[^`\n]+)*`|<!--.*?-->|\]\([^)]*\)|https?:\S+", re.MULTILINE | re.DOTALL
)
VERSION = re.compile(
    r"(?:Linux|glibc|oneTBB|gcc|clang|CMake|MIT Cilk|MPI|LLVM|MPICH|Boost|version|Version|mimalloc|jemalloc|Lace|OpenBLAS|herd7)"
    r" \d+[.\d]*(?: (?:and|or|to) \d+[.\d]*)?"
)
BENCH_ROW = re.compile(
    r"^\| (\S+) \| (\S+) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]*) \| ([\d.]*) \|$", re.MULTILINE
)
LIST = re.compile(r"^<!-- The rows .*?; a test compares\.\n(.*?)-->", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"#+ (.*)")


def blank(match):
    return re.sub(r"[^\n]", "`", match.group(0))


def prose(text, with_tables):
    """The text with everything but its prose blanked out, as long as before."""
    text = VERSION.sub(blank, NO_PROSE.sub(blank, text))
    return text if with_tables else re.sub(r"^\|.*$", blank, text, flags=re.MULTILINE)


@functools.cache
def figures(text, with_tables=True):
    """Measured figures of a page, in its order: of each its number, its unit if it has one, its place."""
    seen = prose(text, with_tables)
    found = []
    for match in FIGURE.finditer(seen):
        number, unit = match.group("number", "word")
        if unit or re.search(r"\.\d\d", number):
            found.append(Figure(number, unit or "", *match.span("number")))
    for match in IN_PLACE_OF.finditer(seen):
        number, (start, end) = match.group("number"), match.span("number")
        before = [figure for figure in found if figure.start < start]
        if before and before[-1].unit and not re.search(r"[.:|]\s|\d", seen[before[-1].end : start]):
            found.append(Figure(number, before[-1].unit, start, end))
    return sorted(set(found), key=lambda figure: figure.start)


@functools.cache
def listed(text):
    """The sources that the comment at the end of a page names, one for each figure."""
    words = [word.strip() for each in LIST.findall(text) for word in re.split(r"[;\n]", each)]
    counted = [re.fullmatch(r"(?:(\d+) of )?(.+)", word) for word in words if word]
    return [match.group(2) for match in counted for _ in range(int(match.group(1) or 1))]


def plain(cell):
    """A cell or a heading without its marks."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").replace("**", "").strip()


@functools.cache
def tables(text):
    """The tables of a page, each with the headings above it and that of its first column."""
    found, lines, headings = [], [], {}
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            lines.append([plain(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))])
            continue
        if len(lines) > 2:
            found.append(Table((*headings.values(), lines[0][0]), lines[0], lines[2:]))
        lines = []
        if heading := HEADING.fullmatch(line):
            level = len(line) - len(line.lstrip("#"))
            headings = {key: name for key, name in headings.items() if key < level}
            headings[level] = plain(heading.group(1))
    return found


def numbers(cell, unit):
    """The numbers of a cell, in nanoseconds where they are times of a known unit."""
    found = []
    for match in FIGURE.finditer(cell):
        word = match.group("word") or unit
        found.append((float(match.group("number").replace(",", "")), TIMES.get(word)))
    return found


def unit_of(heading):
    """The unit that a column's heading names: `µs`, `ns for an update`, `recorded, ms`."""
    words = re.findall(r"[µ\w/]+", heading)
    return next((word for word in words if word in TIMES), "")


def cells(source, page, pages):
    """The cells, and the units of their columns, that `PAGE > [HEADING >] ROW > COLUMN` names."""
    where, *headings, row, column = (plain(part) for part in source.split(" > "))
    where = "docs/measurements.md" if where == "measurements" else where
    text = pages[page if where == "here" else where]
    found = []
    for table in tables(text):
        if column in table.columns and all(each in table.headings for each in headings):
            place = table.columns.index(column)
            found += [(each[place], unit_of(column)) for each in table.rows if each[0] == row]
    return found


def agrees(figure, use, cell, unit):
    """Whether the figure is the cell's number, rounded to the figure's decimals. Where a page names a cell of
    several numbers again, it means the next of them."""
    found = numbers(cell, unit)
    if not found:
        return False
    number, scale = found[use % len(found)]
    if scale and figure.unit in TIMES:
        number *= scale / TIMES[figure.unit]
    value = float(figure.number.replace(",", ""))
    decimals = len(figure.number.partition(".")[2])
    return abs(number - value) <= 0.5000001 * 10**-decimals


def of_the_run(source, times):
    """The figure that `bench/variant/workers/n:what` stands for: nanoseconds or microseconds of an
    operation (ns, us), the ratio, or the time of the row by that of another one."""
    row, what = source.split(":")
    seconds, ratio, each = times[row]
    if what == "us":
        return f"{float(each) / 1000:.2f}"
    if what in times:
        return f"{float(seconds) / float(times[what][0]):.2f}"
    return {"ns": each, "ratio": ratio}[what]


def trouble(figure, source, use, page, pages, times):
    """Why the figure is not what its source says, or nothing. `use` counts how often the page named the source before."""
    if source.startswith("set: "):
        wanted = source.removeprefix("set: ")
        given = f"{figure.number} {figure.unit}".strip()
        return None if given == wanted else f"{given} in the text, {source} in the list"
    if " > " in source:
        try:
            found = cells(source, page, pages)
        except (KeyError, ValueError):
            return f"no such page or no row and column: {source}"
        if len(found) != 1:
            return f"{len(found)} rows are named {source}"
        return None if agrees(figure, use, *found[0]) else f"{figure.number} in the text, {found[0][0]} in {source}"
    try:
        wanted = of_the_run(source, times)
    except (KeyError, ValueError):
        return f"no such row: {source}"
    return None if figure.number == wanted else f"{figure.number} in the text, {wanted} in {source}"


def troubles(page, pages, times, with_tables):
    """What is wrong with the figures of a page, a line each."""
    text = pages[page]
    found, sources = figures(text, with_tables), listed(text)
    lines = []
    for index in range(max(len(found), len(sources))):
        if index >= len(found):
            lines.append(f"{page}: no figure is left for {sources[index]}")
            continue
        figure = found[index]
        where = f"{page}:{text.count(chr(10), 0, figure.start) + 1}: {figure.number} {figure.unit}".rstrip()
        if index >= len(sources):
            lines.append(f"{where}: names no row")
        elif problem := trouble(figure, sources[index], sources[:index].count(sources[index]), page, pages, times):
            lines.append(f"{where}: {problem}")
    return lines
