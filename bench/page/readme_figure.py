#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws the README's picture from what saguaro-bench --json wrote, and puts the rows behind it into
docs/measurements.md.

    readme_figure.py PICTURE.svg MEASUREMENTS.md ROWS.json...

Left, what a fork costs: the time of a call of fib on one worker, which forks in every call and does
hardly anything else. Right, by how much two workers are faster than the serial program, and a line
at the machine's ceiling (bench/README.md). A variant without rows has no bar. The exit code is 2 for
bad input, with one line.
"""

import os
import re
import subprocess
import sys

import matplotlib
from matplotlib.figure import Figure

import figures  # sets how all figures look
from figures import COLOURS, drawing
import rows

FORKS = 32  # the size of fib at which every runtime has rows
KERNELS = ("nqueens", "cilksort", "matmul", "strassen", "heat", "pbfs")

# (variant, label, colour), in the order of the bars.
COSTS = (
    ("serial-inlined", "serial, inlined", COLOURS["rest"]),
    ("serial", "serial, calls", COLOURS["rest"]),
    ("cilkc", "cilkc", COLOURS["green"]),
    ("saguaro-invoke", "parallel_invoke", COLOURS["green"]),
    ("saguaro-scope", "scope.spawn", COLOURS["green"]),
    ("lace", "Lace", COLOURS["violet"]),
    ("openmp-gcc", "OpenMP, gcc", COLOURS["orange"]),
    ("openmp-clang", "OpenMP, clang", COLOURS["pale_orange"]),
    ("tbb", "oneTBB", COLOURS["blue"]),
)
# (variants, serial program, label, colour): of the variants the one that a kernel has. The programs
# that cilkc compiles are other ones, and have serial elisions of their own.
RUNTIMES = (
    (("saguaro-invoke", "saguaro"), "serial", "Saguaro, C++", COLOURS["green"]),
    (("cilkc",), "cilkc-serial", "Saguaro, cilkc", COLOURS["pale_green"]),
    (("lace",), "serial", "Lace", COLOURS["violet"]),
    (("tbb",), "serial", "oneTBB", COLOURS["blue"]),
    (("openmp-gcc",), "serial", "OpenMP, gcc", COLOURS["orange"]),
    (("openmp-clang",), "serial", "OpenMP, clang", COLOURS["pale_orange"]),
)
SECTION = re.compile(r"(<!-- readme -->\n).*?(<!-- /readme -->\n)", re.DOTALL)


def seconds(table, bench, variant, workers, size=None):
    """Of the row with this size, or of the only one; None if there is none."""
    found = table.select(bench, variant, workers)
    if size is None and found:
        size = next(iter(found))
    return found[size]["seconds"] if size in found else None


def draw_costs(axis, table):
    bars = [(label, colour, table.select("fib", variant, 1).get(FORKS))
            for variant, label, colour in COSTS]
    bars = [(label, colour, row["ns_per_op"]) for label, colour, row in bars if row is not None]
    labels, colours, times = zip(*bars)
    drawn = axis.barh(labels, times, color=colours)
    axis.bar_label(drawn, [f"{time:.2f}" for time in times], padding=3)
    axis.invert_yaxis()
    axis.set_xscale("log")
    axis.set_xlim(0.1, max(times) * 5)
    axis.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axis.grid(axis="y", visible=False)
    axis.grid(axis="x", color=COLOURS["grid"])
    axis.set_title(f"What a fork costs: a call of fib({FORKS})", loc="left", fontsize=11)
    axis.set_xlabel("nanoseconds on one worker, log scale")


def speedup(table, bench, variants, elision):
    """Of two workers over the serial program; None without rows."""
    serial = seconds(table, bench, elision, 1)
    times = [seconds(table, bench, variant, 2) for variant in variants]
    times = [time for time in times if time is not None]
    return serial / times[0] if serial is not None and times else None


def draw_speedups(axis, table):
    series = [(label, colour, [speedup(table, bench, variants, elision) for bench in KERNELS])
              for variants, elision, label, colour in RUNTIMES]
    series = [each for each in series if any(value is not None for value in each[2])]
    width = 0.84 / len(series)
    for number, (label, colour, values) in enumerate(series):
        bars = [(place - 0.42 + (number + 0.5) * width, value)
                for place, value in enumerate(values) if value is not None]
        axis.bar(*zip(*bars), width=width, color=colour, label=label)
    ceilings = [(place, speedup(table, bench, ("ceiling",), "serial"))
                for place, bench in enumerate(KERNELS)]
    ceilings = [each for each in ceilings if each[1] is not None]
    if ceilings:
        places, values = zip(*ceilings)
        axis.hlines(values, [place - 0.45 for place in places], [place + 0.45 for place in places],
                    color=COLOURS["ink"], linewidth=1.2, label="two serial programs at once")
    axis.axhline(1, color=COLOURS["soft"], linewidth=0.8)
    axis.axhline(2, color=COLOURS["soft"], linewidth=0.8, linestyle=":")
    axis.set_xticks(range(len(KERNELS)), KERNELS)
    axis.set_ylim(0, 2.6)
    axis.set_title("Two workers: times as fast as the serial program", loc="left", fontsize=11)
    axis.legend(ncols=3, frameon=False, fontsize=8, loc="upper left")


def draw(path, table):
    figure = Figure(figsize=(10.4, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(4, 6))
    for axis in (left, right):
        axis.grid(axis="y", color=COLOURS["grid"])
    draw_costs(left, table)
    draw_speedups(right, table)
    # The same rows give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "saguaro"}):
        svg = drawing.svg_of(figure)
    with open(path, "w", encoding="utf-8") as file:
        file.write(svg)


def machine():
    """The processor, how many of it, and the compiler."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    compiler = subprocess.run(["g++", "--version"], stdout=subprocess.PIPE, text=True, check=True)
    return (f"{len(os.sched_getaffinity(0))} processors, {names[0] if names else os.uname().machine}; "
            f"Linux {os.uname().release.split('-')[0]}; {compiler.stdout.splitlines()[0]}")


def lines(table, benches):
    yield f"Machine: {machine()}.\n\n"
    yield "| bench | variant | workers | n | seconds | ratio | ns per operation |\n"
    yield "|---|---|---|---|---|---|---|\n"
    for bench in benches:
        for row in table.of(bench):
            ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
            each = f"{row['ns_per_op']:.2f}" if "ns_per_op" in row else ""
            yield (f"| {bench} | {row['variant']} | {row['workers']} | {row['n']} "
                   f"| {row['seconds']:.6f} | {ratio} | {each} |\n")


def main(arguments):
    if len(arguments) < 3:
        raise rows.Fault("usage: readme_figure.py PICTURE.svg MEASUREMENTS.md ROWS.json...")
    picture, page, *files = arguments
    read = [row for path in files for row in rows.read(path)]
    table = rows.Table(read)
    for bench, size in (("fib", FORKS), *((kernel, None) for kernel in KERNELS)):
        if seconds(table, bench, "serial", 1, size) is None:
            at = f" at n = {size}" if size else ""
            raise rows.Fault(f"no row of {bench}, serial{at}; saguaro-bench {bench} --json makes it")
    if any("ns_per_op" not in row for row in table.of("fib")):
        raise rows.Fault("a row of fib without 'ns_per_op'; accepted: what --json writes")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    section = "".join(lines(table, dict.fromkeys(row["bench"] for row in read)))
    changed, count = SECTION.subn(lambda match: match[1] + section + match[2], text)
    if count != 1:
        raise rows.Fault(f"{page}: {count} places for the rows; "
                         "accepted: one, from '<!-- readme -->' to '<!-- /readme -->'")
    draw(picture, table)
    with open(page, "w", encoding="utf-8") as file:
        file.write(changed)
    for bench in KERNELS:
        for variants, elision, label, _ in RUNTIMES:
            faster = speedup(table, bench, variants, elision) or 0
            if faster > 2:
                print(f"{bench}, {label}: {faster:.2f} times as fast on two workers: the text below "
                      "the picture has to say why")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (rows.Fault, OSError) as fault:
        print(f"readme_figure.py: {fault}", file=sys.stderr)
        sys.exit(2)
