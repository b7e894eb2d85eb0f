# SPDX-License-Identifier: MIT
"""gdb on the user's lines: it stops there in fast and slow clones alike, prints the user's
variables, and names the user's functions' lines, in both dialects and by both compilers.

Usage: gdb_test.py CILKC COMPILER... [unittest options]

Skipped by name where gdb is not installed or may not trace. The programs have the
library in themselves, so that the tests look at the translator's work alone.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CILKC = ""
COMPILERS = []
FORCED = Path(__file__).resolve().parent / "forced"

C_PROGRAM = """#include <cilk/cilk.h>
#include <stdio.h>
static long fib(long n) {
    long twice = 2 * n;
    char name[4] = {'f', 'i', 'b', 0};
    if (n < 2) {
        return n;
    }
    long x = cilk_spawn fib(n - 1);
    long y = fib(n - 2); // behind the spawn
    cilk_sync;
    return x + y + 0 * (twice + n + name[0]); // behind the sync
}
int main(void) {
    printf("%ld\\n", fib(12));
    return 0;
}
"""

MIT_PROGRAM = """#include <stdio.h>
cilk long fib(long n) {
    long twice = 2 * n, x, y;
    char name[4];
    sprintf(name, "fib");
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2); /* behind the spawn */
    sync;
    return x + y + 0 * (twice + n + name[0]); /* behind the sync */
}
cilk int main(void) {
    long x;
    x = spawn fib(12);
    sync;
    printf("%ld\\n", x);
    return 0;
}
"""


# Variables that must not move are members of what keeps them: those that a child assigns of the
# slow clone's frame, those whose address is known of the block. clang writes nothing about variables
# whose declaration is never passed, as in slow clones, which begin in the middle. All are read
# behind the sync, and so kept.
FAST = "n, twice, x, y, _cilk_block->name"
SLOW = "n, twice, _cilk_frame->x, y, _cilk_block->name"
SLOW_OF_CLANG = ", ".join(f"_cilk_frame->{name}" for name in ("n", "twice", "x", "y"))
SLOW_OF_CLANG += ", _cilk_block->name"


def variables(compiler, clone):
    if clone == "fast":
        return FAST
    return SLOW_OF_CLANG if "clang" in compiler else SLOW


def line_of(text, comment):
    return next(i for i, line in enumerate(text.splitlines(), 1) if comment in line)


def may_trace():
    if shutil.which("gdb") is None:
        return "gdb is not installed"
    trial = ["gdb", "-q", "-nx", "-batch", "-ex", "run", "/bin/true"]
    if subprocess.run(trial, capture_output=True, check=False).returncode != 0:
        return "gdb may not trace here"
    return ""


class Gdb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        why = may_trace()
        if why:
            raise unittest.SkipTest(why)
        cls.directory = tempfile.mkdtemp(prefix="cilkc-gdb-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)

    def compile(self, compiler, name, text):
        Path(self.directory, name).write_text(text, encoding="utf-8")
        force = ["-Dsg_pop=sg_plain_pop", "-include", FORCED / "pop.h", FORCED / "pop.c"]
        done = subprocess.run(
            [
                *(CILKC, f"--cc={compiler}", "-static-libsaguaro", "-g", "-O0"),
                *(*force, name, "-o", "program"),
            ],
            cwd=self.directory,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    # In some sandboxes gdb loses a thread that is just being born; it says so.
    def gdb(self, *commands):
        for _ in range(5):
            said = self.gdb_once(*commands)
            if "Couldn't" not in said:
                break
        return said

    def gdb_once(self, *commands):
        arguments = ["gdb", "-q", "-nx", "-batch"]
        settings = ("set debuginfod enabled off", "set width 0", "set pagination off")
        for command in (*settings, *commands):
            arguments += ["-ex", command]
        done = subprocess.run(
            [*arguments, "./program"],
            cwd=self.directory,
            env={**os.environ, "SAGUARO_WORKERS": "2", "FORCED_SEED": "1"},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        return done.stdout + done.stderr

    def cases(self):
        return [
            (compiler, name, text)
            for compiler in COMPILERS
            for name, text in (("user.c", C_PROGRAM), ("user.cilk", MIT_PROGRAM))
        ]

    def locations(self, name, line):
        """{clone: number of the location} of the first breakpoint, at this line."""
        said = self.gdb(f"break {name}:{line}", "info breakpoints")
        found = re.findall(r"^1\.(\d) .* in _cilk_(\w+)_fib at", said, re.MULTILINE)
        # The fast clone is called differently from other files.
        return {"slow" if clone == "slow" else "fast": number for number, clone in found}, said

    def test_it_stops_in_each_clone_and_prints_variables(self):
        for compiler, name, text in self.cases():
            self.compile(compiler, name, text)
            line = line_of(text, "behind the sync")
            numbers, said = self.locations(name, line)
            self.assertEqual(sorted(numbers), ["fast", "slow"], said)
            for clone, other in (("fast", "slow"), ("slow", "fast")):
                with self.subTest(compiler=compiler, name=name, clone=clone):
                    said = self.gdb(
                        f"break {name}:{line}",
                        f"disable 1.{numbers[other]}",
                        "run",
                        "info line",
                        "info source",
                        # At the first instruction behind a block gdb sees the function's alone.
                        "stepi",
                        f'printf "seen %ld %ld %ld %ld %s\\n", {variables(compiler, clone)}',
                    )
                    self.check_stop(said, name, line, clone)

    def check_stop(self, said, name, line, clone):
        stop = re.search(rf"_cilk_(\w+)_fib \(.*\) at {name}:{line}\n", said)
        self.assertIsNotNone(stop, said)
        self.assertEqual(stop.group(1) == "slow", clone == "slow", said)
        seen = re.search(r"^seen (\d+) (\d+) (\d+) (\d+) (\w+)$", said, re.MULTILINE)
        self.assertIsNotNone(seen, said)
        n, twice, x, y = map(int, seen.groups()[:4])
        self.assertEqual((twice, x, y), (2 * n, fib(n - 1), fib(n - 2)), said)
        self.assertEqual(seen.group(5), "fib", said)
        self.assertRegex(said, rf'Line {line} of "{name}"')
        self.assertIn(f"Current source file is {name}\n", said)
        self.assertNotIn(".cilk.c", said)

    def test_the_function_is_found_by_the_users_name(self):
        for compiler, name, text in self.cases():
            with self.subTest(compiler=compiler, name=name):
                self.compile(compiler, name, text)
                line = line_of(text, "long fib(long n)")
                said = self.gdb("break fib", f"list {name}:{line}")
                self.assertRegex(said, rf"Breakpoint 1 at .*: file {name}, line {line}\.\n")
                self.assertRegex(said, rf"\n{line}\t.*long fib\(long n\) {{\n")


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


if __name__ == "__main__":
    CILKC = os.path.abspath(sys.argv.pop(1))
    while len(sys.argv) > 1 and shutil.which(sys.argv[1]):
        COMPILERS.append(sys.argv.pop(1))
    unittest.main()
