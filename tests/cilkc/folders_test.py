# SPDX-License-Identifier: MIT
"""The folders of tools/cilkc: the table in its README has them in order. What a file may include is
what the README says above that table.

Usage: folders_test.py TOOLS_CILKC [unittest options]
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path()
# Its main function is in it: nobody includes it.
PROGRAM = "driver/cilkc.cpp"


def folders_in_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)


def sources():
    for file in sorted(ROOT.glob("*/*.[ch]pp")):
        yield file, file.relative_to(ROOT).as_posix()


def includes(file):
    return re.findall(r'^#include "(.*)"$', file.read_text(encoding="utf-8"), re.MULTILINE)


# The runtime's, which the driver reads its variables by.
SETTINGS = "platform/settings.hpp"


class Folders(unittest.TestCase):
    def test_readme_has_all_folders(self):
        there = {path.name for path in ROOT.iterdir() if path.is_dir()}
        self.assertEqual(sorted(folders_in_readme()), sorted(there))

    def test_files_include_what_is_above_them(self):
        order = folders_in_readme()
        for file, name in sources():
            folder = order.index(file.parent.name)
            for included in includes(file):
                with self.subTest(file=name, included=included):
                    if order[folder] == "driver" and included == SETTINGS:
                        continue
                    self.assertTrue((ROOT / included).is_file(), "the path begins with the folder")
                    above = order.index(included.split("/")[0])
                    self.assertLessEqual(above, folder)
                    if order[folder] == "driver" or order[above] == "driver":
                        self.assertEqual(above, folder, "the driver stands alone")

    def test_each_source_file_has_a_header(self):
        for file, name in sources():
            if file.suffix == ".cpp" and name != PROGRAM:
                with self.subTest(file=name):
                    own = str(Path(name).with_suffix(".hpp"))
                    self.assertEqual(includes(file)[:1], [own])


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1))
    unittest.main()
