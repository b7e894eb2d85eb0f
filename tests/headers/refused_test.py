# SPDX-License-Identifier: MIT
"""The compiler says in one error what is wrong with a call.

Usage: refused_test.py INCLUDE-DIRECTORY COMPILER [unittest options]

A line of refused.cpp that is a comment holds what is said of the call in the next line. One run of
the compiler tells of all calls. A test of this kind would not see an error that two calls share:
the compiler tells of each instantiation once.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
COMPILER = []

AT_FILE = re.compile(r"refused\.cpp:(\d+):")


def compiled(*options):
    done = subprocess.run([*COMPILER, "-fsyntax-only", *options], capture_output=True, text=True,
                          check=False, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    return done.stderr


def errors(text):
    """The errors in a compiler's output, each with all lines of this error."""
    found, before = [], []
    for line in text.splitlines():
        if re.search(r":\d+: error: ", line):
            # gcc says before an error where the call was; clang says it in notes after the error.
            found.append((line, [line, *before]))
            before = []
        elif re.search(r"required from here|in .constexpr. expansion", line):
            before.append(line)
        elif found and re.search(r"in instantiation of|non-constexpr function", line):
            found[-1][1].append(line)
    return [("\n".join(lines), {int(n) for line in lines for n in AT_FILE.findall(line)})
            for _, lines in found]


class Refused(unittest.TestCase):
    maxDiff = None

    def test_each_call_has_one_error(self):
        lines = (HERE / "refused.cpp").read_text(encoding="utf-8").splitlines()
        expected = {n + 2: line.strip()[3:] for n, line in enumerate(lines)
                    if line.startswith("    // ")}
        found = errors(compiled("-std=c++20", HERE / "refused.cpp"))
        self.assertGreater(len(expected), 25)
        missing = [f"{n}: {text}" for n, text in expected.items()
                   if not any(n in at and text in error for error, at in found)]
        self.assertEqual(missing, [])
        self.assertEqual([error for error, _ in found[len(expected):]], [])

    def test_less_than_cxx20_ends_at_one_line(self):
        said = compiled("-std=c++17", HERE / "refused.cpp")
        (error, _), = errors(said)
        self.assertIn("Saguaro needs C++20 or later: compile with -std=c++20", error)
        self.assertIn("fatal error: ", said)

    def test_a_program_with_libcxx_needs_a_library_with_libcxx(self):
        # What libc++ defines is enough to give the functions their other names.
        program = """#include <saguaro/saguaro.hpp>
            void loop() { saguaro::parallel_for(0, 9, [](int) {}); }
            void invoke() { saguaro::parallel_invoke([] {}, [] {}); }
            void scope() { saguaro::scope s; s.spawn([] {}); s.sync(); }"""
        for options, is_there in ([], False), (["-D_LIBCPP_VERSION=190000"], True):
            done = subprocess.run(
                [*COMPILER, "-std=c++20", "-O1", "-S", "-o", "-", "-x", "c++", "-", *options],
                input=program, capture_output=True, text=True, check=True)
            bodies = re.split(r"^_Z\d+(loop|invoke|scope)v:", done.stdout, flags=re.MULTILINE)
            self.assertEqual(set(bodies[1::2]), {"loop", "invoke", "scope"})
            for name in "search_free_slot", "attach_child":
                symbols = set(re.findall(rf"\b_ZN\w*{name}\w*", done.stdout))
                self.assertEqual(len(symbols), 1, name)
                self.assertEqual("built_with_libcxx" in symbols.pop(), is_there, name)


if __name__ == "__main__":
    COMPILER = [sys.argv[2], "-I", sys.argv[1]]
    if "clang" in sys.argv[2]:
        COMPILER.extend(["-ferror-limit=0", "-ftemplate-backtrace-limit=0"])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
