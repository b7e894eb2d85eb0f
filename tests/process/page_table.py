# SPDX-License-Identifier: MIT
"""A table of docs/guarantees.md that a test makes: compares it, or writes it with --write."""

import sys
from pathlib import Path

WRITES = "--write" in sys.argv
if WRITES:
    sys.argv.remove("--write")


def check_page(case, root, name, made):
    """The page has the table `made`, lines without the empty ones around, between the marks of that
    name."""
    begin = f"<!-- {name}: make calls-table writes this table -->\n\n"
    end = f"\n\n<!-- {name}: end -->\n"
    path = Path(root) / "docs/guarantees.md"
    before, rest = path.read_text(encoding="utf-8").split(begin)
    table, after = rest.split(end)
    if WRITES:
        path.write_text(before + begin + made + end + after, encoding="utf-8")
    else:
        case.assertEqual(table, made, "make calls-table writes it")
