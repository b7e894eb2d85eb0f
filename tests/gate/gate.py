#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions of the fast paths and compares them with expected.json.

Each path runs twice under cachegrind, on one worker, with two sizes: what is counted is the
difference, in instructions an operation, so that starting and stopping do not count. A path that takes
over 2 % more than expected fails. README.md says how the expected counts are changed.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable

TOLERANCE = 0.02
# What an update takes for no change, and leaves its reason: counts of the same code were seen to
# differ by 0.2 %.
NOISE = 0.005

EXIT_FAILURE, EXIT_USAGE, EXIT_SKIPPED = 1, 2, 77


class Fault(Exception):
    """Why the gate cannot count, in one line."""


class Skipped(Exception):
    """Why there is nothing to compare with here, in one line."""


def calls_of_fib(n):
    """How many calls of itself the double recursion makes."""
    low, high = 1, 1
    for _ in range(n):
        low, high = high, low + high
    return 2 * low - 1


def calls_of_fib3(n):
    """The same for the triple recursion."""
    last = [1, 1, 1]
    for _ in range(n - 2):
        last = [*last[1:], 1 + sum(last)]
    return last[-1]


def same(n):
    return n


@dataclass
class Path:
    name: str
    operation: str
    command: Callable  # (options, size) -> list of words, or None if the program is not built
    small: int
    large: int
    operations: Callable = same  # size -> how many


def on_paths(name):
    return lambda options, n: [options.paths, name, str(n)]


def on_cilk(program, *more):
    return lambda options, n: options.cilk and [os.path.join(options.cilk, program), *more, str(n)]


PATHS = (
    Path("fib-c", "a call of fib in C clones", on_paths("fib-c"), 16, 26, calls_of_fib),
    Path("cilkc", "a call of fib.c, by cilkc", on_cilk("fib"), 16, 26, calls_of_fib),
    Path("cilkc-mit", "a call of fib.cilk, by cilkc", on_cilk("fib-mit", "--nproc", "1"), 16, 26,
         calls_of_fib),
    Path("cilkc++", "a call of cxx_fib.cpp", on_cilk("fib-cxx"), 16, 26, calls_of_fib),
    Path("cilkc++-several", "a call of fib3 in cxx_fib.cpp", on_cilk("fib-cxx", "several"), 14, 22,
         calls_of_fib3),
    Path("cilkc++-loop", "a call of fib_in_loop in cxx_fib.cpp", on_cilk("fib-cxx", "loop"), 16, 26,
         calls_of_fib),
    Path("cilkc++-scope", "a call of fib_in_scope in cxx_fib.cpp", on_cilk("fib-cxx", "scope"), 16, 26,
         calls_of_fib),
    Path("cilkc++-for", "an iteration of a cilk_for in cxx_fib.cpp", on_cilk("fib-cxx", "for"), 1000,
         500_000),
    Path("parallel_invoke", "a call of fib", on_paths("parallel_invoke"), 16, 26, calls_of_fib),
    Path("scope.spawn", "a call of fib", on_paths("scope.spawn"), 16, 26, calls_of_fib),
    Path("task_group.run", "a call of fib", on_paths("task_group.run"), 16, 26, calls_of_fib),
    Path("cilk-cxx-spawn", "a call of fib as cilkc++ writes it", on_paths("cilk-cxx-spawn"), 16, 26,
         calls_of_fib),
    Path("cilk-cxx-invoke", "a call of fib as cilkc++ writes it", on_paths("cilk-cxx-invoke"), 16, 26,
         calls_of_fib),
    Path("parallel_for", "an iteration", on_paths("parallel_for"), 1000, 500_000),
    Path("reducer-lookup", "an update that finds its view", on_paths("reducer-lookup"), 1000, 500_000),
    Path("cilk-cxx-reducer", "an update of Cilk Plus's reducer", on_paths("cilk-cxx-reducer"), 1000,
         500_000),
    Path("nano-thread", "a nano-thread, created and run", on_paths("nano-thread"), 1000, 20_000),
    Path("nano-thread-yield", "a yield to another nano-thread", on_paths("nano-thread-yield"), 1000,
         20_000),
    Path("vms-request", "a request to the Master", on_paths("vms-request"), 1000, 20_000),
    Path("vms-yield", "a yield to another virtual processor", on_paths("vms-yield"), 1000, 20_000),
)


def one_worker():
    """The environment of a measured program: settings of the runtime are ours."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("SAGUARO_", "CILK_"))}
    # A worker without work sleeps at once: how often it looks around is no matter of the path.
    return {**kept, "SAGUARO_WORKERS": "1", "SAGUARO_SPIN": "0"}


def instructions(command, **settings):
    """What the whole program takes, with these settings in its environment."""
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         *command], capture_output=True, text=True, timeout=300, check=False,
        env={**one_worker(), **settings})
    total = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or total is None:
        last = (done.stderr.strip() or "no word").splitlines()[-1]
        raise Fault(f"'{' '.join(command)}' under valgrind ended with {done.returncode}: {last}")
    return int(total[1].replace(",", ""))


def count(options):
    """{name: instructions an operation} of the paths whose programs are built."""
    def of(path):
        small, large = (instructions(path.command(options, n)) for n in (path.small, path.large))
        return (large - small) / (path.operations(path.large) - path.operations(path.small))

    built = [path for path in PATHS if path.command(options, path.small)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as together:
        return dict(zip((path.name for path in built), together.map(of, built)))


def compare(expected, counts):
    """(lines about every path, names of those that fail)"""
    lines, failed = [], []

    def fails(name, line):
        failed.append(name)
        lines.append(f"{line}: FAILED")

    operations = {path.name: path.operation for path in PATHS}
    for name, found in counts.items():
        if name not in expected:
            fails(name, f"{name}: {found:.2f} instructions, no count is expected")
            continue
        before = expected[name]["instructions"]
        change = found / before - 1
        line = (f"{name}: {found:.2f} instructions for {operations[name]}, expected {before:.2f} "
                f"({100 * change:+.1f} %)")
        if change > TOLERANCE:
            fails(name, f"{line}: more than {100 * TOLERANCE:.0f} % above")
        elif change < -TOLERANCE:
            lines.append(f"{line}: fewer; 'make gate-update' would hold it")
        else:
            lines.append(line)
    for name in expected:
        if name not in operations:
            fails(name, f"{name}: expected, but no such path")
        elif name not in counts:
            lines.append(f"{name}: skipped, its program is not built")
    return lines, failed


def update(expected, counts, reason):
    """The new expectation: changed counts get the reason."""
    found = {}
    for path in PATHS:
        before = expected.get(path.name)
        now = counts.get(path.name)
        if now is None:
            if before is not None:
                found[path.name] = before
        elif before is not None and abs(now / before["instructions"] - 1) <= NOISE:
            found[path.name] = before
        else:
            found[path.name] = {"instructions": round(now, 2), "reason": reason}
    return found


def changes(expected, updated):
    """A line for each path whose entry is another one now."""
    def of(entries, name):
        return f"{entries[name]['instructions']:.2f}" if name in entries else "none"

    return [f"{name}: {of(expected, name)} before, {of(updated, name)} now"
            for name in {**expected, **updated} if expected.get(name) != updated.get(name)]


def read(file):
    try:
        with open(file, encoding="utf-8") as text:
            content = json.load(text)
        for name, entry in content["paths"].items():
            if not entry["instructions"] > 0 or not entry["reason"]:
                raise Fault(f"{file}: {name}: accepted: instructions above 0 and a reason")
        return content["compiler"], content["machine"], content["paths"]
    except OSError as error:
        raise Fault(f"{file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Fault(f"{file}: not what README.md describes: {error!r}") from None


def write(file, compiler, machine, paths):
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"compiler": compiler, "machine": machine, "paths": paths}, out, indent=2)
        out.write("\n")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="gate.py", fromfile_prefix_chars="@",
                                     description=__doc__.partition("\n")[0])
    parser.add_argument("--compiler", required=True, metavar="NAME-MAJOR", help="of this build")
    parser.add_argument("--machine", required=True, help="that this build is for")
    parser.add_argument("--paths", required=True, help="the program of paths.cpp")
    parser.add_argument("--cilk", help="where the programs of examples/cilk are, if they are built")
    parser.add_argument("--expected", required=True, help="the file with the counts")
    parser.add_argument("--update", metavar="REASON", help="write the file instead")
    return parser.parse_args(arguments)


def run(options):
    compiler, machine, expected = read(options.expected)
    if (options.compiler, options.machine) != (compiler, machine):
        raise Skipped(f"the counts are of {compiler} on {machine}, this build is of "
                      f"{options.compiler} on {options.machine}")
    if shutil.which("valgrind") is None:
        raise Skipped("no valgrind, which counts (Debian: valgrind)")
    if options.update is not None and not options.update.strip():
        raise Fault("no reason for the new counts; accepted: make gate-update REASON='a sentence'")
    counts = count(options)
    if options.update is not None:
        updated = update(expected, counts, options.update)
        print("\n".join(changes(expected, updated) or ["no count has changed"]))
        write(options.expected, compiler, machine, updated)
        return 0
    lines, failed = compare(expected, counts)
    print("\n".join(lines))
    return EXIT_FAILURE if failed else 0


def main(arguments):
    try:
        return run(parse(arguments))
    except Skipped as why:
        print(f"gate: skipped: {why}")
        return EXIT_SKIPPED
    except Fault as fault:
        print(f"gate: {fault}", file=sys.stderr)
        return EXIT_FAILURE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
