# SPDX-License-Identifier: MIT
"""Settings: the pages are those of the table, all reading goes through it, and it is complete.

Usage: settings_test.py ROOT-OF-THE-REPOSITORY PROGRAM-THAT-PRINTS-THE-TABLE [unittest options]
"""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(".")
TABLE = Path(".")

CODE = {".c", ".cpp", ".h", ".hpp", ".in", ".S"}
FOLDERS = ("src", "include", "tests", "tools", "bench", "examples", "docs", "packaging", "cmake")
# No variable: the shared library's version of symbols.
NO_VARIABLES = {"SAGUARO_0"}
# Names that tests make up, to see them refused.
MADE_UP = {"SAGUARO_WORKER", "SAGUARO_NWORKERS", "SAGUARO_STAT", "SAGUARO_RECORD_GRAIM",
           "SAGUARO_MPI_REDUCTION", "SAGUARO_QQQQQQQQ", "SAGUARO_QQQQQQQQQQQQQQQQ"}


def table():
    done = subprocess.run([TABLE], stdout=subprocess.PIPE, check=True, timeout=300)
    return json.loads(done.stdout)


def files():
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                try:
                    yield path, path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue # no text


class Settings(unittest.TestCase):
    def test_pages_are_those_of_the_table(self):
        done = subprocess.run([ROOT / "tools/settings-pages/settings-pages", TABLE, "--check"],
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_variables_are_read_in_one_place(self):
        """getenv is called by platform/settings alone, and by the library that detmpiexec loads into
        programs without the runtime."""
        reads = re.compile(r"(?<![\w.])(?:secure_)?getenv\(")
        found = [str(path.relative_to(ROOT)) for path, text in files()
                 if path.suffix in CODE and path.relative_to(ROOT).parts[0] in ("src", "tools")
                 and reads.search(text.replace("std::getenv(", " getenv("))]
        self.assertEqual(found, ["src/platform/settings.cpp", "tools/detmpiexec/rank_hook.c"])

    def test_each_name_in_the_sources_has_a_row(self):
        rows = {row["name"] for row in table()} | NO_VARIABLES | MADE_UP
        for path, text in files():
            for name in set(re.findall(r"\bSAGUARO_[A-Z0-9_]*[A-Z0-9]\b", text)):
                if not name.startswith("SAGUARO_TEST_"):
                    self.assertIn(name, rows, path)

    def test_the_script_reads_what_its_rows_say(self):
        script = (ROOT / "tools/detmpicc/detmpicc.in").read_text(encoding="utf-8")
        named = set(re.findall(r"\$\{(DETMPI_\w+)-\}", script))
        rows = {row["name"] for row in table() if row["name"].startswith("DETMPI_")}
        self.assertEqual(named, rows)


if __name__ == "__main__":
    ROOT, TABLE = (Path(sys.argv.pop(1)).absolute() for _ in range(2))
    unittest.main()
