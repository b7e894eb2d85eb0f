#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Simulates what the figures of sim/page.py show, and writes the rows as JSON.

    bench/sim/simulate.py build/bin/saguaro-sim build/sim.json --programs build/bin

A row has the figure, the workload, and what saguaro-sim --json says of the run. With --programs, two of
the examples are recorded and simulated as well.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

NODE = "numa:1 core:16 pu:1"
EIGHT_NODES = f"pack:8 {NODE}"
# Machines of so many cores: nodes of 16 cores, and from 16 nodes on groups of eight.
MACHINES = {32: f"pack:2 {NODE}", 64: f"pack:4 {NODE}", 128: EIGHT_NODES,
            256: f"group:2 pack:8 {NODE}", 512: f"group:4 pack:8 {NODE}",
            1024: f"group:8 pack:8 {NODE}"}
POLICIES = ("uniform", "nearest", "biased")
# What one thread has written first is on its node; a placed program spreads its matrices.
PLAIN, PLACED, LOCAL = "node:0", "blocked", "blocked+local"
SIZES = {"full": {"matmul": "matmul:8192,tile=256", "strassen": "strassen:8192,tile=256",
                  "cholesky": "cholesky:8192,tile=128", "stream": "stream:128,kb=64,passes=5"},
         # Only to try the pages: on two machines.
         "small": {"matmul": "matmul:512,tile=128", "strassen": "strassen:512,tile=128",
                   "cholesky": "cholesky:1024,tile=128", "stream": "stream:4,kb=64,passes=2"}}
# Examples that are recorded, with their arguments; those that are not built are left out.
RECORDED = {"full": {"sparse": ("numa/sparse_cholesky", "grid3d:40", "--variant", "plain"),
                     "pbfs": ("pbfs", "grid3d:100")},
            "small": {"sparse": ("numa/sparse_cholesky", "grid3d:6", "--variant", "plain"),
                      "pbfs": ("pbfs", "grid3d:10")}}
# The thesis' cache hit ratio is 99 %.
CACHED = {"matmul": 1, "strassen": 1, "cholesky": 30}
MISSES = (0, 0.5, 1, 2, 5, 10, 20, 50, 100)
WAYS = ("fence", "open", "request")


def experiments(sizes, machines):
    """(figure, workload, machine, options) of each call of saguaro-sim."""
    for machine in machines:
        for figure, kernel, places in (("4.2", "matmul", PLAIN), ("4.3", "strassen", PLAIN),
                                       ("5.2", "matmul", f"{PLAIN},{PLACED}"),
                                       ("5.3", "strassen", f"{PLAIN},{PLACED},{LOCAL}"),
                                       ("5.4", "cholesky", PLAIN), ("5.5", "cholesky", PLACED),
                                       ("stream", "stream", f"{PLAIN},{PLACED},first-touch")):
            miss = CACHED.get(kernel, 100)
            yield figure, f"{sizes[kernel]},miss={miss}", machine, ["--memory", places]
    for miss in MISSES:
        for kernel in ("stream", "strassen", "cholesky"):
            yield ("break-even", f"{sizes[kernel]},miss={miss}", EIGHT_NODES,
                   ["--memory", f"{PLAIN},{LOCAL},first-touch"])
    for n in (16, 18, 20, 22):
        yield ("steals", f"fib:{n},ns=100", MACHINES[256], ["--steals", ",".join(WAYS)])


def simulated(sim, figure, workload, machine, options, recording=None):
    """The rows of one call."""
    command = [sim, "--json", "--topology", machine, *options]
    command += ["--workload", workload] if recording is None else [recording]
    for policy in POLICIES:
        command += ["--policy", policy]
    seen = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    for run in seen["runs"]:
        yield {"figure": figure, "workload": workload, "work": seen["program"]["work"], **run}


def recorded(sim, programs, examples, machines):
    """The same of examples that are recorded now."""
    for figure, (name, *arguments) in examples.items():
        program = os.path.join(programs, name)
        if not os.path.exists(program):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "recording")
            subprocess.run([program, *arguments, "--repeat", "1", "--workers", "1"],
                           env={**os.environ, "SAGUARO_RECORD": file}, stdout=subprocess.PIPE,
                           check=True)
            for machine in machines:
                yield from simulated(sim, figure, " ".join([name, arguments[0]]), machine,
                                     ["--memory", f"{PLAIN},round-robin+local,first-touch"], file)


def rows(sim, size, programs):
    machines = [MACHINES[32], MACHINES[128]] if size == "small" else MACHINES.values()
    for experiment in experiments(SIZES[size], machines):
        yield from simulated(sim, *experiment)
    if programs is not None:
        yield from recorded(sim, programs, RECORDED[size], machines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sim", help="saguaro-sim")
    parser.add_argument("json", help="the file to write")
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--programs", metavar="DIRECTORY", help="where the examples are")
    given = parser.parse_args()
    found = list(rows(given.sim, given.size, given.programs))
    with open(given.json, "w", encoding="utf-8") as out:
        json.dump(found, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
