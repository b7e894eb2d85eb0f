#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Simulated speedups beside measured ones, on this machine.

Runs each kernel on one and on P workers in turn, records it once on one worker (SAGUARO_RECORD), and
simulates the recording on P workers. Prints a line for each: the speedups, and by how much the
simulated one is off. Exits with 1 if one is off by more than --within percent.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

SIZES = {"fib": 37, "nqueens": 11, "cilksort": 2000000, "matmul": 512, "strassen": 1024, "heat": 1024,
         "loop": 100000000}


def output(command, **settings):
    done = subprocess.run(list(map(str, command)), env={**os.environ, **settings},
                          stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def measured(program, kernel, n, workers, rounds):
    """The medians of the seconds on one worker and on all, which take turns."""
    times = {1: [], workers: []}
    for _ in range(rounds):
        for count, taken in times.items():
            taken.append(float(output([program, kernel, n, count])))
    return statistics.median(times[1]), statistics.median(times[workers])


def simulated(program, sim, kernel, n, workers, options):
    """The seconds that the simulation has for one worker and for all, from a recording."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "recording")
        output([program, kernel, n, 1], SAGUARO_RECORD=file)
        seen = json.loads(output([sim, "--workers", f"1,{workers}", "--json", *options, file]))
    return [run["seconds"] for run in seen["runs"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", default="build/bin/sim-kernels", help="the program")
    parser.add_argument("--sim", default="build/bin/saguaro-sim", help="the simulator")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--within", type=float, default=10, help="percent")
    parser.add_argument("--only", action="append", choices=SIZES, help="this kernel")
    given, options = parser.parse_known_args()
    worst = 0
    print("kernel     T1 s      TP s      speedup  simulated T1  speedup  off by")
    for kernel in given.only or SIZES:
        n = SIZES[kernel]
        one, many = measured(given.kernels, kernel, n, given.workers, given.rounds)
        simulated_one, simulated_many = simulated(given.kernels, given.sim, kernel, n, given.workers,
                                                  options)
        off = 100 * (simulated_one / simulated_many / (one / many) - 1)
        worst = max(worst, abs(off))
        print(f"{kernel:9}  {one:.6f}  {many:.6f}  {one / many:7.2f}  {simulated_one:12.6f}  "
              f"{simulated_one / simulated_many:7.2f}  {off:+.1f} %", flush=True)
    return 1 if worst > given.within else 0


if __name__ == "__main__":
    sys.exit(main())
