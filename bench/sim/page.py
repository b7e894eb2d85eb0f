#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Debian's python3-matplotlib belongs to Debian's python3, whichever comes first in PATH.
"""Draws what simulate.py has written: bench/sim/page.py build/sim.html build/sim.json

The figures 4.2 to 4.4 and 5.2 to 5.5 of the thesis on Cilk for machines with several nodes of memory,
simulated on 32 to 1024 cores; from which miss rate on placement and a policy gain anything; what a
steal's cost does at 256 cores. What a paragraph says of a figure is computed from its rows.
"""

import argparse
import html
import json
import re
import sys
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "common"))
import drawing  # noqa: E402

drawing.set_look(matplotlib)

COLOURS = {"uniform": drawing.COLOURS["green"], "nearest": drawing.COLOURS["orange"],
           "biased": drawing.COLOURS["violet"]}
DASHES = {"node:0": ":", "blocked": "-", "blocked+local": "--", "first-touch": "-.",
          "round-robin+local": "--"}
PLACES = {"node:0": "unplaced", "blocked": "placed", "blocked+local": "placed, temporaries local",
          "first-touch": "first touch", "round-robin+local": "placed round robin, temporaries local"}
TITLES = {"4.2": "matmul, memory of one node", "4.3": "strassen, memory of one node",
          "5.2": "matmul, placed and not", "5.3": "strassen, placed and not",
          "5.4": "cholesky, memory of one node", "5.5": "cholesky, matrix distributed",
          "stream": "a stream of updates, all lines missed",
          "sparse": "the factor of a sparse matrix, recorded",
          "pbfs": "breadth-first search of a grid, recorded"}


def new_figure(x, y):
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axis = figure.subplots()
    axis.set(xlabel=x, ylabel=y)
    axis.grid(axis="y", color=drawing.COLOURS["grid"])
    return figure, axis


def by(rows, *names):
    """{values of these members: rows}, in the rows' order."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def at(rows, **members):
    """The one row with these members."""
    found, = (row for row in rows if all(row[name] == value for name, value in members.items()))
    return found


def over_cores(rows):
    """A line for each policy and placement: speedup over cores."""
    figure, axis = new_figure("cores", "speedup")
    for (policy, memory), line in by(rows, "policy", "memory").items():
        axis.plot([row["workers"] for row in line], [row["speedup"] for row in line], marker=".",
                  color=COLOURS[policy], linestyle=DASHES[memory],
                  label=f"{policy}, {PLACES[memory]}")
    axis.set_xscale("log", base=2)
    axis.legend(fontsize=8)
    return figure


def spread(rows):
    """By how much the slowest policy is behind the fastest at most, in percent, and where."""
    best = (0, None)
    for (workers, memory), runs in by(rows, "workers", "memory").items():
        times = [row["seconds"] for row in runs]
        best = max(best, (100 * (max(times) / min(times) - 1), (workers, memory)), key=lambda one: one[0])
    return best


def gains(rows, memory):
    """How much faster than unplaced the placement is, with uniform, by cores."""
    return {workers: at(runs, memory="node:0", policy="uniform")["seconds"]
            / at(runs, memory=memory, policy="uniform")["seconds"]
            for (workers,), runs in by(rows, "workers").items()}


def says(rows):
    percent, where = spread(rows)
    fastest = {workers: min(runs, key=lambda row: row["seconds"])["policy"]
               for (workers,), runs in by(rows, "workers").items()}
    text = (f"The policies differ by {percent:.1f} % at most (on {where[0]} cores, {PLACES[where[1]]})."
            if where else "The policies make no difference.")
    if percent < 3:
        text += " The policy makes no difference worth a setting here."
    else:
        text += " Fastest: " + ", ".join(f"{policy} on {n}" for n, policy in fastest.items()) + "."
    for memory in sorted({row["memory"] for row in rows} - {"node:0"}):
        if any(row["memory"] == "node:0" for row in rows):
            text += f" {PLACES[memory].capitalize()}, uniform is so many times as fast as unplaced: " \
                + ", ".join(f"{gain:.2f} on {n}" for n, gain in gains(rows, memory).items()) + "."
    return text


def fastest(rows):
    """Figure 4.4: the best of all on 128 cores and more."""
    kept = [row for row in rows if row["figure"] in ("4.2", "4.3", "5.3") and row["workers"] >= 128]
    figure, axis = new_figure("cores", "seconds")
    for (name, policy, memory), line in by(kept, "figure", "policy", "memory").items():
        if name != "5.3" or memory == "blocked+local":
            axis.plot([row["workers"] for row in line], [row["seconds"] for row in line], marker=".",
                      color=COLOURS[policy], linestyle=DASHES[memory],
                      label=f"{line[0]['workload'].split(':')[0]}, {policy}, {PLACES[memory]}")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.legend(fontsize=7)
    best = min(kept, key=lambda row: row["seconds"])
    return figure, (f"Fastest of all: {best['workload']} with {best['policy']}, "
                    f"{PLACES[best['memory']]}, in {1000 * best['seconds']:.1f} ms on "
                    f"{best['workers']} cores.")


def miss_of(row):
    return float(re.search(r"miss=([\d.]+)", row["workload"]).group(1))


def break_even(rows):
    """The gain of placement and `biased` over uniform, unplaced, by the miss rate."""
    figure, axis = new_figure("percent of the lines that miss", "times as fast as uniform, unplaced")
    text = []
    kernels = {row["workload"].split(":")[0] for row in rows}
    for kernel, colour in zip(sorted(kernels), COLOURS.values()):
        mine = by([row for row in rows if row["workload"].startswith(kernel)], "workload")
        for memory in ("blocked+local", "first-touch"):
            line = [(miss_of(runs[0]), at(runs, policy="uniform", memory="node:0")["seconds"]
                     / at(runs, policy="biased", memory=memory)["seconds"],
                     at(runs, policy="uniform", memory=memory)["seconds"]
                     / at(runs, policy="biased", memory=memory)["seconds"])
                    for runs in mine.values()]
            axis.plot(*zip(*[point[:2] for point in line]), color=colour, linestyle=DASHES[memory],
                      marker=".", label=f"{kernel}, biased, {PLACES[memory]}")
            worth = next((miss for miss, gain, _ in line if gain >= 1.05), None)
            most = max(gain for _, gain, _ in line)
            text.append(f"{kernel}, {PLACES[memory]}: " + (
                f"5 % faster from a miss rate of {worth:g} % on" if worth is not None
                else "never 5 % faster") + f", {most:.2f} times as fast at most; of that biased instead of "
                f"uniform gives {min(policy for *_, policy in line):.3f} to "
                f"{max(policy for *_, policy in line):.3f}.")
    axis.set_xscale("symlog", linthresh=0.5)
    axis.axhline(1, color=drawing.COLOURS["soft"])
    axis.legend(fontsize=8)
    return figure, " ".join(text)


def ways_to_steal(rows):
    figure, axis = new_figure("", "speedup on 256 cores")
    kept = [row for row in rows if row["policy"] == "uniform"]
    text = []
    for (way,), line in by(kept, "steals_by").items():
        axis.plot([1000 * row["work"] for row in line], [row["speedup"] for row in line], marker=".",
                  label=f"{way}")
        last = line[-1]
        text.append(f"{way}: {last['speedup']:.1f} times as fast as one worker at most, with "
                    f"{sum(last['steals'])} steals and {last['fences']} fences.")
    axis.set(xlabel="work of the program, ms", xscale="log", yscale="log")
    axis.legend()
    return figure, "With the largest program, " + " ".join(text)


def element(name, title, figure, text):
    return (f'<figure id="figure-{name}">\n<h2>{html.escape(title)}</h2>\n'
            f'{drawing.svg_for_page(figure)}\n'
            f"<figcaption><p>{html.escape(text)}</p></figcaption>\n</figure>\n")


def page(rows):
    parts = []
    for name, title in TITLES.items():
        mine = [row for row in rows if row["figure"] == name]
        if mine:
            parts.append(element(name, f"{name}: {title}", over_cores(mine), says(mine)))
    parts.insert(2, element("4.4", "4.4: the fastest of all", *fastest(rows)))
    parts.append(element("break-even", "From which miss rate on it pays, 8 nodes x 16 cores",
                         *break_even([row for row in rows if row["figure"] == "break-even"])))
    parts.append(element("steals", "What a steal's cost does at 256 cores",
                         *ways_to_steal([row for row in rows if row["figure"] == "steals"])))
    return ("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<title>Saguaro, simulated</title>\n"
            f"<style>{drawing.PAGE_STYLE}"
            "body { font-family: sans-serif; max-width: 52em; margin: 2em auto } "
            "figure svg { max-width: 100%; height: auto }</style>\n<h1>Saguaro, simulated</h1>\n"
            "<p>All times on this page are simulated by saguaro-sim, none is measured. Numbers of "
            "figures are those of the thesis on Cilk for machines with several nodes of memory; its "
            "machine had 30 processors.</p>\n" + "".join(parts) + "</html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", metavar="PAGE.html")
    parser.add_argument("json", metavar="SIM.json")
    given = parser.parse_args()
    with open(given.json, encoding="utf-8") as file:
        text = page(json.load(file))
    with open(given.page, "w", encoding="utf-8") as out:
        out.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
