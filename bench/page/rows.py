# SPDX-License-Identifier: MIT
"""The rows that saguaro-bench and pbfs write with --json, checked."""

import json
import math

PARTS = ("creation", "insertion", "transferal", "merge")


class Fault(Exception):
    """What is wrong with the input, in one line: where, what, what is accepted."""


def _is_number(value, least):
    return (isinstance(value, (int, float)) and not isinstance(value, bool)
            and math.isfinite(value) and value >= least)


def _is_count(value):
    return isinstance(value, int) and _is_number(value, 1)


def _check_row(where, row):
    if not isinstance(row, dict):
        raise Fault(f"{where}: not an object; accepted: one for each line of the table")
    wanted = {
        "bench": (lambda value: isinstance(value, str), "a name"),
        "variant": (lambda value: isinstance(value, str), "a name"),
        "workers": (_is_count, "a whole number from 1"),
        "n": (_is_count, "a whole number from 1"),
        "seconds": (lambda value: _is_number(value, 0), "a number of seconds"),
    }
    if row.get("bench") == "reduce-overhead":
        wanted["parts"] = (_are_parts, "seconds of each of " + ", ".join(PARTS))
    if row.get("variant") == "ceiling":
        wanted["control"] = (_are_seconds, "seconds before the first round and after each")
        wanted["marked"] = (_are_rounds, "numbers of rounds, from 1")
    if row.get("bench") == "vms":
        wanted["parts"] = (_are_cycles, "cycles by name")
    if row.get("bench") == "empty" and str(row.get("variant")).startswith("saguaro-"):
        for member in ("stacks", "descriptors", "peak_mb"):
            wanted[member] = (lambda value: _is_number(value, 0), "a number")
    for member, (is_good, accepted) in wanted.items():
        if member not in row:
            raise Fault(f"{where}: no member '{member}'; accepted: {accepted}")
        if not is_good(row[member]):
            raise Fault(f"{where}: '{member}' is {json.dumps(row[member])}; accepted: {accepted}")


def _are_parts(value):
    return isinstance(value, dict) and all(_is_number(value.get(part), 0) for part in PARTS)


def _are_seconds(value):
    return isinstance(value, list) and len(value) > 1 and all(_is_number(one, 0) for one in value)


def _are_rounds(value):
    return isinstance(value, list) and all(_is_count(one) for one in value)


def _are_cycles(value):
    # Differences, which noise may make negative.
    return (isinstance(value, dict)
            and all(_is_number(cycles, -math.inf) for cycles in value.values()))


def read(path):
    """The rows of a file, each with the members that the figures need."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Fault(f"{path}: not JSON: {error}; accepted: what --json writes") from None
    if not isinstance(rows, list):
        raise Fault(f"{path}: not an array; accepted: what --json writes")
    for number, row in enumerate(rows, 1):
        _check_row(f"{path}: row {number}", row)
    return rows


class Table:
    """All rows, to be asked for."""

    def __init__(self, rows):
        self._rows = rows

    def select(self, bench, variant, workers):
        """The rows of a variant with so many workers, by n in increasing order."""
        found = {row["n"]: row for row in self._rows
                 if (row["bench"], row["variant"], row["workers"]) == (bench, variant, workers)}
        return dict(sorted(found.items()))

    def of(self, bench):
        """All rows of a bench."""
        return [row for row in self._rows if row["bench"] == bench]

    def benches(self):
        """The benches that have rows, in the order of the files."""
        return list(dict.fromkeys(row["bench"] for row in self._rows))

    def worker_counts(self, *benches):
        """The worker counts that the benches' rows have, in increasing order."""
        return sorted({row["workers"] for bench in benches for row in self.of(bench)})
