# SPDX-License-Identifier: MIT
"""The rows of examples/README.md: each command prints what its row says, and each example has a row.

Usage: readme_test.py ROOT-OF-THE-REPOSITORY DIRECTORY-OF-THE-PROGRAMS [unittest options]

A row's last two cells are a command and one line that it prints, where `...` stands for any text.
"""

import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docs import blocks
from support import commands

ROOT = Path(".")
PROGRAMS = Path(".")

ROW = re.compile(r"^\| `([^`]+)` \| .* \| `([^`]+)` \| `([^`]+)` \|$", re.MULTILINE)
MAIN = re.compile(r"\bmain\(")


def rows():
    """(source, command, line) of each."""
    return ROW.findall((ROOT / "examples/README.md").read_text(encoding="utf-8"))


class Readme(unittest.TestCase):
    def test_has_a_row_for_each_example(self):
        sources = [path for path in (ROOT / "examples").rglob("*.c*") if path.is_file()]
        programs = {
            str(path.relative_to(ROOT / "examples"))
            for path in sources
            if MAIN.search(path.read_text(encoding="utf-8"))
        }
        self.assertGreater(len(programs), 20)
        self.assertEqual(sorted(source for source, _, _ in rows()), sorted(programs))

    def test_commands_print_what_the_rows_say(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "build").mkdir()
            (root / "build/bin").symlink_to(PROGRAMS)
            for name in ("LICENSE", "examples"):
                (root / name).symlink_to(ROOT / name)
            for _, command, line in rows():
                with self.subTest(command=command):
                    done = commands.run("sh", "-c", command, cwd=root, SAGUARO_WORKERS="2")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    printed = [text.strip() for text in done.stdout.splitlines()]
                    self.assertTrue(any(blocks.matches(line, text) for text in printed), printed)


if __name__ == "__main__":
    ROOT, PROGRAMS = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main()
