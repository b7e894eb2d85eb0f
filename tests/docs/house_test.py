# SPDX-License-Identifier: MIT
"""The sources keep the rules that tools/house can count, and CONTRIBUTING.md shows the house as it is.

Usage: house_test.py ROOT-OF-THE-REPOSITORY [unittest options]
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(".")

FLOORS = """
| 0 | `include/saguaro/` | headers |
| 1 | `src/low/` | low |
| 2 | `src/high/`, `src/side/` | high |
"""
SPDX = "// SPDX-License-Identifier: MIT\n"
C_SPDX = "/* SPDX-License-Identifier: MIT */\n"
HASH_SPDX = "# SPDX-License-Identifier: MIT\n"
GOOD = SPDX + "// A file that holds nothing.\n\n"


def house(root, *options):
    """The exit code of the script for these sources, and what it has found."""
    ran = subprocess.run([sys.executable, "-B", ROOT / "tools/house", "--json", "--root", root, *options],
                         capture_output=True, text=True, check=False)
    return ran.returncode, json.loads(ran.stdout)


class Sources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder, "house.svg")
            cls.code, cls.found = house(ROOT, "--picture", drawn)
            cls.drawn = drawn.read_text(encoding="utf-8")

    def test_keep_the_rules(self):
        counts = self.found.pop("counts")
        self.assertEqual({rule: broken for rule, broken in self.found.items() if broken}, {})
        self.assertEqual(self.code, 0)
        self.assertGreater(counts["files"], 1000)
        self.assertGreater(counts["classes"], 500)

    def test_are_drawn_as_they_are(self):
        committed = (ROOT / "docs/images/house.svg").read_text(encoding="utf-8")
        self.assertEqual(committed, self.drawn,
                         "folders or their includes have changed: "
                         "tools/house --picture docs/images/house.svg draws them anew")
        page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        self.assertIn("](docs/images/house.svg)", page)


class SmallHouse(unittest.TestCase):
    """Each rule, broken once in sources of a few lines."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = Path(made.name)
        (self.root / "CONTRIBUTING.md").write_text(FLOORS, encoding="utf-8")
        self.write("src/low/low.hpp", GOOD)
        self.write("src/high/high.cpp", GOOD + '#include "low/low.hpp"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def expect(self, rule, *parts):
        code, found = house(self.root)
        del found["counts"]
        broken = found.pop(rule)
        self.assertEqual(len(broken), len(parts), broken)
        for line, part in zip(broken, parts):
            self.assertIn(part, line)
        self.assertFalse(any(found.values()), found)
        self.assertEqual(code, 1)

    def test_without_a_fault(self):
        code, found = house(self.root)
        del found["counts"]
        self.assertFalse(any(found.values()), found)
        self.assertEqual(code, 0)

    def test_opening_sentence(self):
        self.write("tests/a_none.cpp", SPDX + '#include "low/low.hpp"\n')
        self.write("tests/b_of_a_declaration.cpp", SPDX + "// The number of all things.\nint things;\n")
        self.write("tests/c_too_short.hpp", SPDX + "// Things.\n#pragma once\n")
        self.write("tests/d_boilerplate.py", HASH_SPDX + '"""This file contains tests."""\n')
        self.write("tests/e_no_licence.sh", "#!/bin/sh\n# A script that does nothing.\n")
        self.write("tests/f_good.hpp", SPDX + "#pragma once\n\n// Things, as in low.hpp.\n\nint things;\n")
        self.write("tests/g_good.c", C_SPDX + "/*\n * Things that are counted.\n */\n\nint n;\n")
        self.write("tests/h_good.sh", "#!/bin/sh\n" + HASH_SPDX + "# A script that does nothing.\n")
        self.expect("without_opening_sentence", "a_none", "b_of", "c_too", "d_boiler", "e_no")

    def test_lines(self):
        self.write("tests/long.cpp", GOOD + "\n" * 697)
        self.write("tests/longer.cpp", GOOD + "\n" * 698)
        self.expect("too_many_lines", "longer.cpp: 701 lines")

    def test_methods(self):
        three = """
            int f() const { return 1; }
            explicit operator bool();
            bool operator==(const d &) const;
        """
        one = "d() : a_(1), b_{2} { start(); }\n"
        none = """
            d(const d &) = delete;
            int (*pointer)(int);
            std::function<void()> called;
            friend void other(d &);
            int number = value();
            using type = void();
            struct inner { void not_of_the_outer(); };
            std::atomic<int> braced{0};
        """
        template = "template <class T> void one_more(T &&t = {}) noexcept(true);\n"
        for name, last in (("d", ""), ("e", template)):
            body = three * 8 + none + one + last
            self.write(f"src/low/{name}.hpp", f"{GOOD}class {name} final : public b<int> {{{body}}};\n")
        self.expect("too_many_methods", "src/low/e.hpp: e has 26 member functions")

    def test_public_headers(self):
        block = "namespace detail {\n" + "int i;\n" * 20 + "} // namespace detail\n"
        public = "void declared();\n"
        self.write("include/saguaro/a.hpp", GOOD + "namespace saguaro {\n\n" + public + block + "}\n")
        self.write("include/saguaro/b.hpp", GOOD + "namespace saguaro {\n\n" + block + public + "}\n")
        self.expect("implementation_first", "include/saguaro/b.hpp")

    def test_floors(self):
        self.write("src/low/up.hpp", GOOD + '#include "side/side.hpp"\n')
        self.write("src/side/side.hpp", GOOD + '#include "../high/other.hpp"\n')
        self.write("src/high/other.hpp", GOOD)
        self.expect("against_the_floors", "src/low/up.hpp: includes src/side",
                    "src/side/side.hpp: includes src/high", "src/high: includes itself",
                    "src/low: includes itself", "src/side: includes itself")

    def test_folder_without_a_floor(self):
        self.write("src/cellar/wine.hpp", GOOD)
        self.expect("against_the_floors", "src/cellar: has no floor")

    def test_picture(self):
        self.write("src/side/side.cpp", GOOD + '#include "low/low.hpp"\n')
        self.write("include/saguaro/a.h", GOOD)
        self.write("src/low/low.hpp", GOOD + '#include "saguaro/a.h"\n')
        self.write("src/high/more.cpp", GOOD + "#include <saguaro/a.h>\n")
        drawn = self.root / "house.svg"
        house(self.root, "--picture", drawn)
        text = drawn.read_text(encoding="utf-8")
        for arrow in ("src/high includes src/low", "src/side includes src/low",
                      "src/low includes include/saguaro"):
            self.assertIn(arrow, text)
        self.assertNotIn("src/high includes include/saguaro", text, "follows from the others")


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1))
    unittest.main()
