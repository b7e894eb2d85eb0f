# SPDX-License-Identifier: MIT
"""Figures 1 and 5 to 10 of "Memory-Mapping Support for Reducer Hyperobjects" (SPAA 2012), drawn
from rows of this machine. Each function takes a rows.Table and returns a matplotlib Figure, or None
if the rows that it needs are not there."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import matplotlib
from matplotlib.figure import Figure

from rows import PARTS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "common"))
import drawing  # noqa: E402
from drawing import COLOURS  # noqa: E402

drawing.set_look(matplotlib)
matplotlib.rcParams.update({
    "font.family": "sans-serif",
    "axes.axisbelow": True,
    "hatch.linewidth": 0.5,
})
INK = COLOURS["ink"]

# Hatched as well as coloured: a page printed in grey can be read.
STYLES = {
    "array": ("L1 memory", COLOURS["rest"], ""),
    "saguaro": ("memory-mapped reducers", COLOURS["green"], ""),
    "hypermap": ("hypermap reducers", COLOURS["orange"], "///"),
    "spinlock": ("locking", COLOURS["violet"], "..."),
}
REDUCERS = ("saguaro", "hypermap")
LOOKUPS = ("add-n", "min-n", "max-n")


@dataclass
class Spec:
    """A figure and what the page says about it."""
    number: int
    title: str
    benches: str  # the arguments of saguaro-bench that its rows come from
    paper: str
    draw: Callable
    lines_below: Callable = None  # as in tables.py; where a table belongs to the figure


def new_figure(panels=1, height=3.2):
    figure = Figure(figsize=(7.2, height * panels), layout="constrained")
    axes = figure.subplots(panels, 1, squeeze=False)[:, 0]
    for axis in axes:
        axis.grid(axis="y", color=COLOURS["grid"])
    return figure, axes


def clusters(axis, names, series):
    """Bars side by side: a cluster for each name, a bar in it for each (label, colour, hatch,
    values); a value of None is a gap."""
    width = 0.8 / len(series)
    for i, (label, colour, hatch, values) in enumerate(series):
        places = [place - 0.4 + (i + 0.5) * width for place in range(len(names))]
        shown = [(x, y) for x, y in zip(places, values) if y is not None]
        axis.bar([x for x, _ in shown], [y for _, y in shown], width * 0.92, label=label,
                 color=colour, hatch=hatch, edgecolor=INK, linewidth=0.5)
    axis.set_xticks(range(len(names)), names)


def put_legend(axis):
    """Above the axes, where it covers nothing."""
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False, fontsize=9)


def workers_text(count):
    return f"{count} worker" if count == 1 else f"{count} workers"


def _styled(variant, values):
    return (*STYLES[variant], values)


def relative_overhead(table):
    """Figure 1."""
    seconds = {variant: table.select("add-n", variant, 1).get(4, {}).get("seconds")
               for variant in STYLES}
    if not seconds["array"] or not seconds["saguaro"]:
        return None
    figure, (axis,) = new_figure()
    names = [variant for variant in STYLES if seconds[variant] is not None]
    heights = [seconds[variant] / seconds["array"] for variant in names]
    for place, (variant, height) in enumerate(zip(names, heights)):
        _, colour, hatch = STYLES[variant]
        axis.bar(place, height, 0.6, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.5)
        axis.annotate(f"{height:.2f}", (place, height), ha="center", va="bottom")
    axis.set_xticks(range(len(names)), [STYLES[variant][0] for variant in names])
    axis.set_xlabel("what is updated, four of them in turn, one worker")
    axis.set_ylabel("time / time of L1 memory")
    return figure


def execution_times(table):
    """Figure 5."""
    counts = [count for count in table.worker_counts(*LOOKUPS)
              if any(table.select(bench, "saguaro", count) for bench in LOOKUPS)]
    if not counts:
        return None
    counts = sorted({counts[0], counts[-1]})
    figure, axes = new_figure(len(counts))
    for axis, count in zip(axes, counts):
        cells = [(bench, n) for bench in LOOKUPS for n in table.select(bench, "saguaro", count)]
        series = []
        for variant in REDUCERS:
            found = {bench: table.select(bench, variant, count) for bench in LOOKUPS}
            series.append(_styled(variant, [found[bench].get(n, {}).get("seconds")
                                            for bench, n in cells]))
        clusters(axis, [bench.replace("-n", f"-{n}") for bench, n in cells], series)
        axis.tick_params(axis="x", rotation=90)
        axis.set_xlabel(f"microbenchmark, with its number of reducers; {workers_text(count)}")
        axis.set_ylabel("execution time [s]")
        put_legend(axis)
    return figure


def lookup_overhead(table):
    """Figure 6."""
    base = table.select("add-n", "array", 1)
    counts = [n for n in table.select("add-n", "saguaro", 1) if n in base]
    if not counts:
        return None
    figure, (axis,) = new_figure()
    series = []
    for variant in REDUCERS:
        found = table.select("add-n", variant, 1)
        series.append(_styled(variant, [found[n]["seconds"] - base[n]["seconds"]
                                        if n in found else None for n in counts]))
    clusters(axis, [str(n) for n in counts], series)
    axis.set_xlabel("n, number of reducers; one worker")
    axis.set_ylabel("time beyond the array's [s]")
    put_legend(axis)
    return figure


def _overheads(table, variant):
    """The reduce overheads of a variant with the most workers that there are rows of: that number,
    and {n: {part: milliseconds}}."""
    counts = table.worker_counts("reduce-overhead")
    if not counts:
        return 0, {}
    found = table.select("reduce-overhead", variant, counts[-1])
    return counts[-1], {n: {part: row["parts"][part] * 1e3 for part in PARTS}
                        for n, row in found.items()}


def reduce_overhead(table):
    """Figure 7."""
    workers, ours = _overheads(table, "saguaro")
    if not ours:
        return None
    figure, (axis,) = new_figure()
    series = []
    for variant in REDUCERS:
        _, found = _overheads(table, variant)
        series.append(_styled(variant, [sum(found[n].values()) if n in found else None
                                        for n in ours]))
    clusters(axis, [str(n) for n in ours], series)
    axis.set_xlabel(f"n, number of reducers; {workers_text(workers)}")
    axis.set_ylabel("reduce overhead [ms]")
    put_legend(axis)
    return figure


def overhead_breakdown(table):
    """Figure 8."""
    workers, ours = _overheads(table, "saguaro")
    if not ours:
        return None
    figure, (axis,) = new_figure()
    bottoms = [0.0] * len(ours)
    looks = {
        "creation": ("view creation", COLOURS["green"], ""),
        "insertion": ("view insertion", COLOURS["pale_green"], "///"),
        "transferal": ("view transferal", COLOURS["pale_violet"], "..."),
        "merge": ("hypermerge", COLOURS["violet"], "xxx"),
    }
    for part in PARTS:
        label, colour, hatch = looks[part]
        heights = [parts[part] for parts in ours.values()]
        axis.bar(range(len(ours)), heights, 0.6, bottom=bottoms, label=label, color=colour,
                 hatch=hatch, edgecolor=INK, linewidth=0.5)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights)]
    axis.set_xticks(range(len(ours)), [str(n) for n in ours])
    axis.set_xlabel(f"n, number of reducers; {workers_text(workers)}")
    axis.set_ylabel("reduce overhead [ms]")
    put_legend(axis)
    return figure


def speedups(table):
    """Figure 9."""
    by_workers = {count: table.select("add-n", "saguaro", count)
                  for count in table.worker_counts("add-n")}
    one = by_workers.get(1, {})
    lines = {n: [(count, one[n]["seconds"] / rows[n]["seconds"])
                 for count, rows in by_workers.items() if n in rows] for n in one}
    lines = {n: points for n, points in lines.items() if len(points) > 1}
    if not lines:
        return None
    figure, (axis,) = new_figure(height=3.8)
    counts = sorted({count for points in lines.values() for count, _ in points})
    axis.plot(counts, counts, color=COLOURS["soft"], linestyle=":", label="P")
    for (n, points), marker in zip(lines.items(), "os^vDP*XhpP" * len(lines)):
        axis.plot(*zip(*points), marker=marker, label=f"add-{n}", linewidth=1)
    axis.set_xticks(counts)
    axis.set_xlabel("P, number of workers")
    axis.set_ylabel("speedup, time of 1 worker / time of P")
    put_legend(axis)
    return figure


def graph_name(row):
    """The graph of a row of pbfs: the program names it, saguaro-bench searches a grid."""
    return row.get("graph", f"grid3d:{row['n']}")


def pbfs_times(table):
    """Figure 10."""
    rows = table.of("pbfs")
    serial = {graph_name(row): row["seconds"] for row in rows if row["variant"] == "serial"}
    graphs = [graph for graph, seconds in serial.items() if seconds > 0]
    looks = {"saguaro": ("Saguaro", COLOURS["green"]), "tbb": ("oneTBB", COLOURS["orange"])}
    series = []
    for variant, (label, colour) in looks.items():
        for count in table.worker_counts("pbfs"):
            times = {graph_name(row): row["seconds"] for row in rows
                     if (row["variant"], row["workers"]) == (variant, count)}
            values = [times[graph] / serial[graph] if graph in times else None for graph in graphs]
            if any(value is not None for value in values):
                series.append((f"{label}, {workers_text(count)}", colour, "" if count == 1 else "///",
                               values))
    if not series:
        return None
    figure, (axis,) = new_figure()
    clusters(axis, graphs, series)
    axis.axhline(1, color=INK, linewidth=0.8)
    axis.set_xlabel("graph")
    axis.set_ylabel("time / time of the serial search")
    put_legend(axis)
    return figure


def searched_graphs(table):
    """Figure 10 (b), lines of cells. A grid's sizes follow from its side."""
    lines = [("graph", "|V|", "|E|", "D, layers", "serial search [s]")]
    for row in table.of("pbfs"):
        if row["variant"] == "serial":
            n = row["n"]
            sizes = {"vertices": n**3, "edges": 7 * n**3 - 6 * n**2, "depth": 3 * n - 2}
            lines.append((graph_name(row), *(f"{row.get(*size):,}" for size in sizes.items()),
                          f"{row['seconds']:.3f}"))
    return lines


SPECS = (
    Spec(1, "Relative overhead of one update", "add-n",
         "There a memory-mapped lookup took about 3 times as long as an ordinary access to the L1 "
         "cache, one in a hypermap almost 4 times as long as that, and a lock a little longer "
         "still.", relative_overhead),
    Spec(5, "Execution times of the microbenchmarks", "add-n min-n max-n",
         "There memory-mapped reducers were 4 to 9 times faster than hypermaps on one processor, 3 "
         "to 9 times on sixteen. Each min-n took longer than its max-n.", execution_times),
    Spec(6, "Lookup overhead of add-n", "add-n",
         "There the overhead of memory-mapped reducers stayed fairly constant whatever n was; that "
         "of hypermaps varied much, with what the buckets happened to hold.", lookup_overhead),
    Spec(7, "Reduce overhead of add-n", "reduce-overhead",
         "There it was much higher for hypermaps and grew much faster with n, most of it for "
         "inserting views.", reduce_overhead),
    Spec(8, "What the reduce overhead consists of", "reduce-overhead",
         "There the creation of views dominated, and the transferal of views grew rather slowly "
         "with n.", overhead_breakdown),
    Spec(9, "Speedups of add-n", "add-n",
         "There, on up to 16 processors, all had good speedups, that of add-1024 superlinear.",
         speedups),
    Spec(10, "Breadth-first search with bags as reducers", "pbfs",
         "There the time with memory-mapped reducers is divided by that with hypermaps, for eight "
         "graphs: about the same on one processor, noticeably less on sixteen. Here it is divided "
         "by that of a serial search, with the same algorithm on oneTBB beside it.", pbfs_times,
         searched_graphs),
)
