# SPDX-License-Identifier: MIT
"""The change of stacks that stands inline in each spawn: compilers know all that it loses.

A callee preserves six registers; all others are lost when another flow has run in between, and a
compiler keeps values in those of them that it is not told of. Which others there are depends on the
target: this test asks compilers for targets that this machine may not have.

Usage: clobbers_test.py INCLUDE [unittest options].
"""

import re
import shutil
import subprocess
import sys
import unittest

INCLUDE = sys.argv.pop(1)

# Many values are in use across the change.
PROGRAM = """
#include <saguaro/detail/spawn.hpp>
void many(saguaro::detail::spawn_deque &parent, saguaro::detail::spawn_deque &child,
          saguaro::detail::child_entry entry, long *values) {
    long kept[24];
    for (int i = 0; i < 24; ++i)
        kept[i] = values[i] * 3;
    saguaro::detail::start_child(parent, child, entry, values);
    for (int i = 0; i < 24; ++i)
        values[i] += kept[i];
}
"""

PLAIN = {f"xmm{i}" for i in range(16)} | {"rax", "r8", "r9", "r10", "r11"}
APX = {f"r{i}" for i in range(16, 32)}
AVX512 = {f"xmm{i}" for i in range(16, 32)} | {f"k{i}" for i in range(8)}


def translate(compiler, *options):
    """What the compiler makes of PROGRAM, as text; None if it does not know the options."""
    knows = subprocess.run([compiler, *options, "-E", "-x", "c++", "/dev/null"],
                           capture_output=True, check=False)
    if knows.returncode != 0:
        return None
    done = subprocess.run([compiler, "-std=c++20", "-O2", f"-I{INCLUDE}", *options, "-S", "-o",
                           "-", "-x", "c++", "-"], input=PROGRAM, text=True, capture_output=True,
                          check=False)
    if done.returncode != 0:
        raise AssertionError(f"{compiler} {options}: {done.stderr}")
    return done.stdout


class Clobbers(unittest.TestCase):
    def assert_told(self, expected, *options):
        """clang's intermediate code lists what it was told."""
        asked = 0
        for version in ["", "-16", "-17", "-18", "-19", "-20", "-21"]:
            compiler = shutil.which(f"clang++{version}")
            text = translate(compiler, *options, "-emit-llvm") if compiler else None
            if text is None:
                continue
            asked += 1
            with self.subTest(compiler=compiler, options=options):
                change, = re.findall(r"call .*asm sideeffect .*", text)
                self.assertLessEqual(expected, set(re.findall(r"~\{(\w+)\}", change)))
        if asked == 0:
            self.skipTest(f"no clang here that knows {options}")

    def test_of_the_plain_target(self):
        self.assert_told(PLAIN)

    def test_of_avx512(self):
        self.assert_told(PLAIN | AVX512, "-mavx512f")

    def test_of_apx(self):
        self.assert_told(PLAIN | APX, "-mapxf")

    def test_gcc_knows_the_names(self):
        asked = [version for version in ["", "-12", "-13", "-14", "-15"]
                 for option in ["-mavx512f", "-mapxf"]
                 if shutil.which(f"g++{version}") and translate(f"g++{version}", option)]
        if not asked:
            self.skipTest("no gcc here")


if __name__ == "__main__":
    unittest.main()
