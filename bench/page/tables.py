# SPDX-License-Identifier: MIT
"""Tables 2 and 3 of "A Mutable Hardware Abstraction to Replace Threads" (LCPC 2011), filled from rows
of this machine beside the paper's numbers. Each function takes a rows.Table and returns lines of
cells, the head first, or None if the rows that it needs are not there."""

from dataclasses import dataclass
from typing import Callable

# Part of the `vms` bench: variant, name; what the paper calls it, and its cycles with perfect memory
# and with the real one.
CYCLES = [
    ("master", "master_loop", "VMS: master_loop", "91", "110"),
    ("master", "switch", "VMS: switch VPs", "77", "130"),
    ("master", "malloc", "VMS: (malloc)", "160", "2300"),
    ("master", "create", "VMS: (create VP)", "540", "3800"),
    ("master", "lock", "lock", "", "250"),
    ("ssr", "concur", "SSR: plugin, concur", "190", "540"),
    ("ssr", "all", "SSR: plugin, all", "530", "2200"),
    ("vthread", "concur", "Vthread: plugin, concur", "66", "710"),
    ("vthread", "all", "Vthread: plugin, all", "180", "1500"),
    ("vcilk", "concur", "VCilk: plugin, concur", "65", "260"),
    ("vcilk", "all", "VCilk: plugin, all", "330", "1800"),
]

# Seconds of the paper's four cores, by n: Cilk 5.4, VCilk.
MATMUL = {81: ("0.017", "0.008"), 324: ("0.13", "0.13"), 648: ("0.71", "0.85"),
          1296: ("4.8", "6.2")}

# A bench; what is counted; the paper's operations and their ratios to pthreads.
HANDSHAKES = [
    ("vthread-cond", "condition variable, there and back", "cond_wait 71, cond_signal 92"),
    ("vthread-mutex", "mutex that has to wait", "mutex_lock 48, mutex_unlock 74"),
]


@dataclass
class Spec:
    """A table and what the page says about it."""
    name: str
    title: str
    benches: str  # the arguments of saguaro-bench that its rows come from
    paper: str
    lines: Callable


def cycles(table):
    rows = {row["variant"]: row.get("parts", {}) for row in table.of("vms")}
    if not rows:
        return None
    found = [("cycles for each scheduled VP", "here", "paper, computation only",
              "paper, with memory")]
    for variant, part, name, alone, memory in CYCLES:
        here = rows.get(variant, {}).get(part)
        found.append((name, "" if here is None else f"{here:.0f}", alone, memory))
    return found


def matmul(table):
    rows = table.of("vms-matmul")
    if not rows:
        return None
    most = max(row["workers"] for row in rows)
    columns = [("serial", 1)] + [(variant, workers) for workers in sorted({1, most})
                                 for variant in ("saguaro-invoke", "cilkc", "vcilk")]
    columns = [column for column in columns if table.select("vms-matmul", *column)]
    head = ["matrix"] + [f"{variant}, {workers} [s]" for variant, workers in columns]
    found = [(*head, "paper: Cilk 5.4, 4 cores [s]", "paper: VCilk [s]")]
    for n in sorted({row["n"] for row in rows}):
        cells = [f"{n} x {n}"]
        for column in columns:
            row = table.select("vms-matmul", *column).get(n)
            cells.append("" if row is None else f"{row['seconds']:.5f}")
        found.append((*cells, *MATMUL.get(n, ("", ""))))
    return found


def handshakes(table):
    found = [("operation", "cores", "Vthread [ns]", "pthread [ns]", "ratio", "paper's ratios")]
    for bench, name, paper in HANDSHAKES:
        for workers in table.worker_counts(bench):
            ours = table.select(bench, "saguaro", workers)
            theirs = table.select(bench, "pthread", workers)
            for n in sorted(ours.keys() & theirs.keys()):
                if ours[n]["seconds"] == 0:
                    continue
                times = [1e9 * row[n]["seconds"] / n for row in (ours, theirs)]
                found.append((name, str(workers), f"{times[0]:.0f}", f"{times[1]:.0f}",
                              f"{times[1] / times[0]:.0f} : 1", paper))
    return found if len(found) > 1 else None


SPECS = [
    Spec("2", "Cycles of overhead for each scheduled VP", "vms",
         "There, requests that create VPs or allocate cost some thousand cycles, most of them "
         "misses in the cache; the Master takes 240 for each VP. All VPs run on one core here.",
         cycles),
    Spec("3-left", "Matrix multiply, VCilk beside Cilk", "vms-matmul",
         "There, VCilk takes half of the time of Cilk 5.4 for the smallest matrices and a quarter "
         "more for the largest.", matmul),
    Spec("3-right", "Vthread beside pthreads", "vthread-cond vthread-mutex",
         "There, an operation of Vthread takes 48 to 92 times less than one of pthreads.",
         handshakes),
]
