# SPDX-License-Identifier: MIT
"""Speedups beside what the machine allows, in the form that tables.py has."""

from tables import Spec


def _ceilings(table, benches):
    """The rows of the variant `ceiling`, by bench and size."""
    return [row for bench in benches for row in table.of(bench) if row["variant"] == "ceiling"]


def _remark(ceiling):
    """What became of the rounds in which the machine changed its speed."""
    marked, rounds = len(ceiling["marked"]), len(ceiling["control"]) - 1
    if not marked:
        return ""
    return "in every round" if marked == rounds else f"in {marked} of {rounds} rounds, left out"


def speedups(table):
    lines = [("bench", "n", "variant", "workers", "speedup", "speedup of the ceiling", "time beyond it",
              "the machine changed")]
    for ceiling in _ceilings(table, table.benches()):
        bench, n, workers = ceiling["bench"], ceiling["n"], ceiling["workers"]
        rows = [row for row in table.of(bench) if row["n"] == n]
        serial = next((row for row in rows if row["variant"].endswith("serial")), None)
        for row in rows:
            if (row["workers"] != workers or row is ceiling or serial is None
                    or 0 in (row["seconds"], ceiling["seconds"])):
                continue
            lines.append((bench, f"{n:,}", row["variant"], str(workers),
                          f"{serial['seconds'] / row['seconds']:.2f}",
                          f"{serial['seconds'] / ceiling['seconds']:.2f}",
                          f"{100 * (row['seconds'] / ceiling['seconds'] - 1):+.0f} %",
                          _remark(ceiling)))
    return lines if len(lines) > 1 else None


SPECS = (
    Spec("1", "Speedups over the serial version, beside the machine's ceiling", "all",
         "The ceiling is what as many copies of the serial version reach that run at once, each on "
         "a processor of its own: what the processors share, or a neighbour takes, no runtime can "
         "give. Rounds are left out beside which a dense serial control was more than 10 % away "
         "from its median.", speedups),
)
