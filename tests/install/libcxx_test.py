# SPDX-License-Identifier: MIT
"""The library for programs that use libc++: the preset `libcxx` builds it, and such a program works with it.

Usage: libcxx_test.py CMAKE ROOT-OF-THE-REPOSITORY [unittest options]
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from commands import output, run

COMPILER = ["clang++-19", "-stdlib=libc++", "-std=c++20"]
PROGRAM = Path(__file__).resolve().parent / "libcxx" / "program.cpp"
CMAKE, ROOT = "", Path()


def has_libcxx():
    try:
        return run(*COMPILER, "-fsyntax-only", "-include", "vector", "-x", "c++",
                   "/dev/null").returncode == 0
    except FileNotFoundError:
        return False


class Libcxx(unittest.TestCase):
    def test_program_works_with_both_libraries(self):
        if not has_libcxx():
            self.skipTest("clang 19 or its libc++ is not here")
        with tempfile.TemporaryDirectory(prefix="saguaro-libcxx-") as folder:
            build, installed = Path(folder) / "build", Path(folder) / "installed"
            # In units, which takes half of the time.
            output(CMAKE, "--preset", "libcxx", "-B", build, "-DSG_FEW_UNITS=saguaro", cwd=ROOT)
            output(CMAKE, "--build", build, "--parallel", "2", cwd=ROOT, seconds=1500)
            output(CMAKE, "--install", build, "--prefix", installed, cwd=ROOT)
            strict = [*COMPILER, "-Wall", "-Wextra", "-Werror", "-I", installed / "include"]
            output(*strict, "-fsyntax-only", ROOT / "tests" / "headers" / "uses.cpp")
            (shared,) = installed.rglob("libsaguaro.so")
            for library in (["-L", shared.parent, "-lsaguaro", f"-Wl,-rpath,{shared.parent}"],
                            [shared.with_suffix(".a"), "-ldl"]):
                program = Path(folder) / "program"
                output(*strict, "-O1", PROGRAM, *library, "-pthread", "-o", program)
                self.assertEqual(output(program), "sound\n")


if __name__ == "__main__":
    CMAKE, ROOT = sys.argv[1], Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
