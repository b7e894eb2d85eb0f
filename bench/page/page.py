#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Debian's python3-matplotlib belongs to Debian's python3, whichever comes first in PATH.
"""The papers' figures as ours, on one page.

Reads what saguaro-bench (and pbfs) wrote with --json and writes an HTML file that needs no other:
figures 1 and 5 to 10 of "Memory-Mapping Support for Reducer Hyperobjects" as SVG, figure 1 and table 2
of "Tying Memory Management to Parallel Programming Models", and tables 2 and 3 of "A Mutable Hardware
Abstraction to Replace Threads", with the command that made each beneath; last the speedups of all
benches beside the machine's ceiling. What has no rows says which
benches to run.
"""

import argparse
import datetime
import html
import os
import sys
from pathlib import Path

import speedups
import tables
from rows import Fault, Table, read

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "common"))
import drawing  # noqa: E402

STYLE = drawing.PAGE_STYLE + """
body { font-family: sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em;
       line-height: 1.4 }
figure { margin: 2.5em 0; break-inside: avoid }
figure svg { max-width: 100%; height: auto }
h2 { font-size: 1.15em; break-after: avoid }
code { background: #88888822; padding: 0.1em 0.3em }
table { border-collapse: collapse }
th, td { border-bottom: 1px solid #88888888; padding: 0.2em 0.8em; text-align: right }
th:first-child, td:first-child { text-align: left }
.missing { border: 1px dashed #999999; padding: 1em }
@media print { body { margin: 0; max-width: none } }
"""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="page.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", metavar="PAGE.html", help="the file to write")
    parser.add_argument("json", metavar="BENCH.json", nargs="+", help="rows, all files' together")
    parser.add_argument("--compiler", metavar="TEXT", default="a compiler that was not named",
                        help="what built the benchmarks")
    return parser.parse_args(arguments)


def processor():
    """The model of this machine's processor, as Linux names it."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return os.uname().machine


def load_figures():
    """The module that draws. It takes its time: what is wrong with the input is said before."""
    try:
        import figures
        import nano_figures
    except ImportError as error:
        raise Fault(f"{error}; Debian has matplotlib in python3-matplotlib") from None
    return figures, nano_figures


def html_table(lines):
    """Lines of cells, the head first."""
    marked = [[f"<{mark}>{html.escape(cell)}</{mark}>" for cell in line]
              for mark, line in zip(["th"] + ["td"] * len(lines), lines)]
    return "<table>\n" + "".join(f"<tr>{''.join(line)}</tr>\n" for line in marked) + "</table>"


def captioned(kind, name, spec, shown, names, prefix=""):
    """A figure or a table of the page, or what to run for it if nothing is shown."""
    command = f"build/bin/saguaro-bench {spec.benches} --json {names[0]}"
    if shown is None:
        shown = (f'<p class="missing">No rows for this {kind} in {", ".join(names)}. Run '
                 f"<code>{command}</code>.</p>")
    return (f'<figure id="{prefix}{kind}-{name}">\n'
            f"<h2>{kind.capitalize()} {name}: {html.escape(spec.title)}</h2>\n{shown}\n"
            f"<figcaption><p>{html.escape(spec.paper)}</p>\n"
            f"<p>Made by <code>{command}</code></p></figcaption>\n</figure>\n")


def figure_element(spec, table, names, prefix=""):
    drawn = spec.draw(table)
    shown = None if drawn is None else drawing.svg_for_page(drawn)
    if drawn is not None and spec.lines_below is not None:
        shown += html_table(spec.lines_below(table))
    return captioned("figure", spec.number, spec, shown, names, prefix)


def table_element(spec, table, names, prefix=""):
    lines = spec.lines(table)
    shown = None if lines is None else html_table(lines)
    return captioned("table", spec.name, spec, shown, names, prefix)


def page(given):
    table = Table([row for path in given.json for row in read(path)])
    figures, nano_figures = load_figures()
    names = [html.escape(path) for path in given.json]
    measured = datetime.datetime.fromtimestamp(os.stat(given.json[0]).st_mtime)
    about = (f"Measured {measured:%Y-%m-%d %H:%M}; {given.compiler}; {processor()}, "
             f"{os.cpu_count()} processors, Linux {os.uname().release}.")
    return ("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
            "<title>Saguaro: the papers' figures, measured here</title>\n"
            f"<style>{STYLE}</style>\n"
            "<h1>The papers' figures, measured here</h1>\n"
            "<p>I-Ting Angelina Lee, Aamir Shafi, Charles E. Leiserson: <i>Memory-Mapping Support "
            "for Reducer Hyperobjects</i>, SPAA 2012, compares memory-mapped reducers (Cilk-M) "
            "with hypermaps (Cilk Plus). The figures have its numbers. Here one program has both: "
            "the reducers of this library, and the same lookups through a hash map keyed by "
            "address.</p>\n"
            f"<p>{html.escape(about)}</p>\n"
            + "".join(figure_element(spec, table, names) for spec in figures.SPECS)
            + "<p>Ioannis E. Venetis, Theodore S. Papatheodorou: <i>Tying Memory Management to "
            "Parallel Programming Models</i>, 2006, compares the designs descriptor on stack (DOS), "
            "lazy stack allocation (LSA) and direct stack reuse (DSR) by <i>Empty</i>: a million "
            "threads that do nothing, with stacks of 32 KB.</p>\n"
            + "".join(figure_element(spec, table, names, "nano-") for spec in nano_figures.SPECS)
            + "".join(table_element(spec, table, names, "nano-") for spec in nano_figures.TABLES)
            + "<p>Sean Halle, Albert Cohen: <i>A Mutable Hardware Abstraction to Replace Threads</i>, "
            "LCPC 2011, has parallel constructs written as sequential code. Its tables:</p>\n"
            + "".join(table_element(spec, table, names) for spec in tables.SPECS)
            + "<h1>Speedups here</h1>\n"
            + "".join(table_element(spec, table, names, "own-") for spec in speedups.SPECS)
            + "</html>\n")


def main(arguments):
    given = parse(arguments)
    try:
        text = page(given)
        # Another name first: whoever finds the page finds all of it.
        partial = given.page + ".part"
        with open(partial, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(partial, given.page)
    except Fault as fault:
        print(f"page.py: {fault}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"page.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
