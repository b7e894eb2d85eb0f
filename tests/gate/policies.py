#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds that a steal policy costs nothing where nobody steals: each fast path takes, on one worker,
as many instructions under each policy as under `uniform`.

Usage: policies.py PATHS, with the program of paths.cpp. Counted is, as in gate.py, the
difference of two sizes: a policy may look at the machine before the first worker begins.
"""

import concurrent.futures
import os
import shutil
import sys

import gate

REFERENCE = "uniform"
POLICIES = ("nearest", "biased")
# Loops were seen to differ by 28 instructions in a whole run; why has not been looked for. One
# instruction more in each operation makes thousands.
NOISE = 100
# Of each path, two sizes.
SIZES = {"fib-c": (10, 18), "parallel_invoke": (10, 18), "scope.spawn": (10, 18),
         "parallel_for": (1000, 30_000), "reducer-lookup": (1000, 30_000)}


def count(paths, policy, path):
    small, large = (gate.instructions([paths, path, str(n)], SAGUARO_POLICY=policy)
                    for n in SIZES[path])
    return large - small


def compare(counts):
    """A line for each path and policy, and whether all are as under the reference."""
    lines, same = [], True
    for (path, policy), found in counts.items():
        expected = counts[path, REFERENCE]
        is_same = abs(found - expected) <= NOISE
        verdict = "as many" if is_same else f"{REFERENCE} takes {expected}: FAILED"
        same = same and is_same
        if policy != REFERENCE:
            lines.append(f"{path}, {policy}: {found} instructions, {verdict}")
    return lines, same


def main(paths):
    if shutil.which("valgrind") is None:
        print("policies: skipped: no valgrind, which counts (Debian: valgrind)")
        return gate.EXIT_SKIPPED
    of = [(path, policy) for path in SIZES for policy in (REFERENCE, *POLICIES)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as together:
        counts = dict(zip(of, together.map(lambda one: count(paths, one[1], one[0]), of)))
    lines, same = compare(counts)
    print("\n".join(lines))
    return 0 if same else gate.EXIT_FAILURE


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
