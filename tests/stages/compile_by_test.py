# SPDX-License-Identifier: MIT
"""tests/support/compile_by: a command for g++ becomes the same for clang++.

Usage: compile_by_test.py COMPILE_BY [unittest options]
"""

import subprocess
import sys
import unittest

COMPILE_BY = ""


def compiled(*command):
    """The words with which compile_by calls clang, here a program that prints its arguments."""
    done = subprocess.run([COMPILE_BY, "clang", "g++", *command], check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout.splitlines()


class CompileBy(unittest.TestCase):
    # `printf` stands where a launcher does, and prints the rest.
    def test_calls_clang_by_the_launcher(self):
        self.assertEqual(compiled("printf", "%s\n", "g++", "-O0", "-c", "a.cpp"),
                         ["clang", "-Wno-unknown-warning-option", "-O0", "-c", "a.cpp"])

    def test_keeps_words_with_blanks(self):
        self.assertIn('-DTEXT="a  b" *', compiled("printf", "%s\n", "g++", '-DTEXT="a  b" *', "a.cpp"))

    def test_leaves_out_options_of_gcc(self):
        words = compiled("printf", "%s\n", "g++", "-Wno-shadow", "-Wshadow=local",
                         "--param=ggc-min-heapsize=1", "a.cpp")
        self.assertEqual(words[2:], ["-Wno-shadow", "a.cpp"])

    def test_reads_precompiled_headers(self):
        self.assertEqual(compiled("printf", "%s\n", "g++", "-include", "h.hxx", "a.cpp")[2:],
                         ["-include", "h.hxx", "a.cpp"])

    # With -include itself, clang would read the file that it is to replace.
    def test_makes_precompiled_headers_from_the_header(self):
        words = compiled("printf", "%s\n", "g++", "-x", "c++-header", "-include", "h.hxx", "-o", "h.hxx.gch")
        self.assertEqual(words[2:], ["-x", "c++-header", "-fpch-instantiate-templates", "-Xclang", "-include",
                                     "-Xclang", "h.hxx", "-o", "h.hxx.gch"])

    def test_fails_as_the_compiler_does(self):
        done = subprocess.run([COMPILE_BY, "false", "g++", "g++", "a.cpp"], check=False)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    COMPILE_BY = sys.argv.pop(1)
    unittest.main()
