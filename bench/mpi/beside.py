#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an MPI program under two libraries in turn, and compares what it prints."""

import argparse
import re
import shlex
import statistics
import subprocess
import sys
import time

# What a program prints: the value, and what shows that the result is right.
KNOWN = {
    "npb": (r"Time in seconds\s*=\s*(\S+)", r"Verification\s*=\s*SUCCESSFUL"),
    "osu": (r"^\s*(?:\d+\s+)?([\d.]+)", None),  # without a size for a barrier
    "wall": (None, None),
}


def parsed(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2, help="ranks (2)")
    parser.add_argument("--rounds", type=int, default=5, help="runs under each library (5)")
    parser.add_argument("--kind", choices=sorted(KNOWN), default="wall",
                        help="what the program prints; wall: the time of the whole run")
    parser.add_argument("--value", help="a regular expression: its group, in the first line that "
                        "fits, is what is compared")
    parser.add_argument("--expect", help="a regular expression that the output must contain")
    parser.add_argument("--ours", default="build/bin/detmpiexec", help="a launcher with options")
    parser.add_argument("--theirs", default="mpiexec.mpich", help="the other launcher")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a run (600)")
    parser.add_argument("program", nargs="+", help="the program and its arguments, behind --")
    arguments = parser.parse_args(words)
    if arguments.n < 1 or arguments.rounds < 1:
        parser.error("-n and --rounds are 1 or more")
    value, expect = KNOWN[arguments.kind]
    arguments.value = arguments.value or value
    arguments.expect = arguments.expect or expect
    try:
        if arguments.value and re.compile(arguments.value).groups != 1:
            parser.error("--value has one group, in brackets")
        re.compile(arguments.expect or "")
    except re.error as wrong:
        parser.error(f"no regular expression: {wrong}")
    return arguments


def run(launcher, arguments):
    """The value of one run."""
    command = [*shlex.split(launcher), "-n", str(arguments.n), *arguments.program]
    shown = shlex.join(command)
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              errors="replace", timeout=arguments.timeout)
    except FileNotFoundError:
        sys.exit(f"beside.py: there is no {command[0]}")
    except subprocess.TimeoutExpired:
        sys.exit(f"beside.py: {shown}: no end after {arguments.timeout:g} s")
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        sys.exit(f"beside.py: {shown}: exit code {done.returncode}: {last}")
    if arguments.expect and not re.search(arguments.expect, done.stdout, re.MULTILINE):
        sys.exit(f"beside.py: {shown}: the output has no {arguments.expect}")
    if not arguments.value:
        return seconds
    found = re.search(arguments.value, done.stdout, re.MULTILINE)
    if not found:
        sys.exit(f"beside.py: {shown}: the output has no {arguments.value}")
    try:
        return float(found.group(1))
    except ValueError:
        sys.exit(f"beside.py: {shown}: {found.group(1)} is no number")


def main():
    arguments = parsed(sys.argv[1:])
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        ours.append(run(arguments.ours, arguments))
        theirs.append(run(arguments.theirs, arguments))
    middle, other = statistics.median(ours), statistics.median(theirs)
    ratio = f"{middle / other:.2f}" if other else "-"
    print(f"{' '.join(arguments.program)} -n {arguments.n}: ours {middle:.6g}, "
          f"theirs {other:.6g}, ratio {ratio}")


if __name__ == "__main__":
    main()
