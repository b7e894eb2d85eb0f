# SPDX-License-Identifier: MIT
"""Figure 1 and table 2 of "Tying Memory Management to Parallel Programming Models" (2006), from rows
of this machine's `empty`. As in figures.py and tables.py."""

import tables
from figures import COLOURS, Spec, clusters, new_figure, put_legend, workers_text

DESIGNS = {
    "saguaro-dos": ("DOS", COLOURS["rest"], ""),
    "saguaro-lsa": ("LSA", COLOURS["pale_green"], "///"),
    "saguaro-dsr": ("DSR", COLOURS["green"], ""),
}


def _rows(table):
    """{variant: {workers: row}} of the largest n that all designs which there are rows of have."""
    found = {}
    for row in table.of("empty"):
        if row["variant"] in DESIGNS:
            found.setdefault(row["n"], {}).setdefault(row["variant"], {})[row["workers"]] = row
    return found[max(found)] if found else {}


def _counts(rows):
    return sorted({count for of_design in rows.values() for count in of_design})


def execution_times(table):
    """Figure 1."""
    rows = _rows(table)
    if not rows:
        return None
    slowest = max(row["seconds"] for of_design in rows.values() for row in of_design.values())
    counts = _counts(rows)
    figure, (axis,) = new_figure()
    series = [(*look, [rows[variant][count]["seconds"] / slowest if count in rows[variant] else None
                       for count in counts])
              for variant, look in DESIGNS.items() if variant in rows]
    clusters(axis, [workers_text(count) for count in counts], series)
    axis.set_yscale("log")
    axis.set_xlabel("processors, each a thread of the system")
    axis.set_ylabel("time / time of the slowest")
    put_legend(axis)
    return figure


def stacks_and_descriptors(table):
    """Table 2, with the peak of memory that the paper leaves to be computed."""
    rows = _rows(table)
    if not rows:
        return None
    columns = [(variant, member) for variant in DESIGNS if variant in rows
               for member in ("stacks", "descriptors", "peak_mb")
               if (variant, member) != ("saguaro-dos", "descriptors")]
    titles = {"stacks": "S", "descriptors": "D", "peak_mb": "MB"}
    lines = [("", *(f"{DESIGNS[variant][0]} {titles[member]}" for variant, member in columns))]
    for count in _counts(rows):
        cells = (rows[variant].get(count, {}).get(member) for variant, member in columns)
        lines.append((workers_text(count),
                      *("-" if cell is None else f"{round(cell):,}" for cell in cells)))
    return lines


SPECS = (
    Spec(1, "Execution time of Empty, normalized", "empty",
         "There DOS could not run on one processor, for want of memory, and LSA was the slowest. On "
         "more, LSA and DSR were 3 to 13 % faster than DOS, which had to ask the system for memory "
         "for each thread. The axis is logarithmic here.", execution_times),
)

TABLES = (
    tables.Spec("2", "Stacks (S) and descriptors (D) of Empty", "empty",
                "There, with a million threads too: LSA 3 to 22 stacks and DSR 2 to 16 (two for "
                "each processor), DOS 7,342 to 13,012; descriptors 1,000,003 on one processor, "
                "where all threads are created before any runs, and 65,270 to 284,877 on more. The "
                "peak of memory is ours.", stacks_and_descriptors),
)
