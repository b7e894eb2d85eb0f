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

# A variable of each kind, most of them used behind the sync, so that they must be kept.
C_PROGRAM = """#include <cilk/cilk.h>
#include <stdio.h>
static void set(long *to, long value) { *to = value; }
static long fib(long n) {
    static long calls = 41;
    long twice = 2 * n;
    char name[4] = {'f', 'i', 'b', 0};
    long known;
    long sizes[n + 1][2];
    set(&known, 3 * n);
    sizes[n][1] = 4 * n;
    calls += n == 12;
    if (n < 2) {
        return n;
    }
    long x = cilk_spawn fib(n - 1);
    long y;
    {
        long inner = 5 * n;
        long twice = 6 * n;
        y = fib(n - 2);
        known += inner + twice - 11 * n; // inside
        set(&twice, 6 * n);
    }
    cilk_sync;
    return x + y + 0 * (twice + n + name[0] + known + sizes[n][1]); // behind the sync
}
int main(void) {
    printf("%ld\\n", fib(12));
    return 0;
}
"""

MIT_PROGRAM = """#include <stdio.h>
static void set(long *to, long value) { *to = value; }
cilk long fib(long n) {
    long twice = 2 * n, x, y = 0;
    char name[4];
    long known;
    static long calls = 41;
    inlet void add(long result) {
        y += result; /* in the inlet */
    }
    sprintf(name, "fib");
    set(&known, 3 * n);
    calls += n == 12;
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    {
        long inner = 5 * n;
        add(spawn fib(n - 2));
        known += inner - 5 * n; /* inside */
    }
    sync;
    return x + y + 0 * (twice + n + name[0] + known); /* behind the sync */
}
cilk int main(void) {
    long x;
    x = spawn fib(12);
    sync;
    printf("%ld\\n", x);
    return 0;
}
"""

LOOP_PROGRAM = """#include <cilk/cilk.h>
int main(void) {
    long sum[4] = {0, 0, 0, 0};
    long n = 3;
    cilk_for (int i = 0; i < 1; i++) {
        sum[i] += i + n;
        n++; // in the loop
    }
    cilk_spawn {
        sum[3] = 40;
        n += 1; // in the block
    }
    cilk_sync;
    return (int)(sum[3] + n - 45); // behind both
}
"""

CXX_PROGRAM = """#include <cilk/cilk.h>
#include <cstdio>
template <class T>
static T fib(T n) {
    T twice = 2 * n;
    if (n < 2)
        return n;
    T x = cilk_spawn fib(n - 1);
    T y = fib(n - 2); // beside the child
    cilk_sync;
    return x + y + 0 * twice; // behind the sync
}
struct counting {
    long all = 0;
    void add(long n) {
        cilk_for (long i = 0; i < 1; i++)
            all += i + n; // in the loop
    }
};
int main() {
    counting c;
    c.add(3);
    std::printf("%ld %ld\\n", fib(12L), c.all);
}
"""
CXX_COMPILERS = {"gcc": "g++", "clang-19": "clang++-19"}

# What to print at which line, and what it must be.
EVERYWHERE = {
    "n": lambda n: n,
    "name": lambda n: '"fib"',
    "name[1]": lambda n: "105 'i'",
    "known": lambda n: 3 * n,
    "*&known + 1": lambda n: 3 * n + 1,
    "calls": lambda n: 42,
}
C_EVERYWHERE = EVERYWHERE | {"sizes[n][1]": lambda n: 4 * n}
INSIDE = {"inner": lambda n: 5 * n}
BEHIND = {"twice": lambda n: 2 * n, "x": lambda n: fib(n - 1), "y": lambda n: fib(n - 2)}
PRINTED = {
    "user.c": {
        "inside": C_EVERYWHERE | INSIDE | {"twice": lambda n: 6 * n, "y": lambda n: fib(n - 2)},
        "behind the sync": C_EVERYWHERE | BEHIND,
    },
    "user.cilk": {
        "inside": EVERYWHERE | INSIDE | {"twice": lambda n: 2 * n},
        "behind the sync": EVERYWHERE | BEHIND,
    },
}


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
        driver, force = CILKC, []
        if name.endswith(".cpp"):
            driver, compiler = CILKC + "++", CXX_COMPILERS[compiler]
        else:
            force = ["-Dsg_pop=sg_plain_pop", "-include", FORCED / "pop.h", FORCED / "pop.c"]
        done = subprocess.run(
            [
                *(driver, f"--cc={compiler}", "-static-libsaguaro", "-g", "-O0"),
                *(*force, name, "-o", "program"),
            ],
            cwd=self.directory,
            capture_output=True,
            text=True,
            timeout=300,
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
            timeout=300,
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
            for comment, printed in PRINTED[name].items():
                line = line_of(text, comment)
                numbers, said = self.locations(name, line)
                self.assertEqual(sorted(numbers), ["fast", "slow"], said)
                for clone, other in (("fast", "slow"), ("slow", "fast")):
                    with self.subTest(compiler=compiler, name=name, at=comment, clone=clone):
                        said = self.gdb(
                            f"break {name}:{line}",
                            f"disable 1.{numbers[other]}",
                            "run",
                            "info line",
                            "info source",
                            # At the first instruction behind a block gdb sees the function's alone.
                            # The other threads wait: they may come to the breakpoint as well.
                            "set scheduler-locking on",
                            "stepi",
                            *(f"print {expression}" for expression in printed),
                        )
                        self.check_stop(said, name, line, clone)
                        self.check_values(said, printed)

    def check_stop(self, said, name, line, clone):
        stop = re.search(rf"_cilk_(\w+)_fib \(.*\) at {name}:{line}\n", said)
        self.assertIsNotNone(stop, said)
        self.assertEqual(stop.group(1) == "slow", clone == "slow", said)
        self.assertRegex(said, rf'Line {line} of "{name}"')
        self.assertIn(f"Current source file is {name}\n", said)
        self.assertNotIn(".cilk.c", said)

    def check_values(self, said, printed):
        values = re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE)
        self.assertEqual(len(values), len(printed), said)
        n = int(values[0])
        expected = {expression: str(value(n)) for expression, value in printed.items()}
        self.assertEqual(dict(zip(printed, values, strict=True)), expected, said)

    def test_inlets_know_the_procedures_variables(self):
        line = line_of(MIT_PROGRAM, "in the inlet")
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.compile(compiler, "user.cilk", MIT_PROGRAM)
                said = self.gdb(f"break user.cilk:{line} if result == 3", "run",
                                "set scheduler-locking on", "print y = 39", "next", "print y")
                values = re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE)
                self.assertEqual(values, ["39", "42"], said)

    def test_loops_and_blocks_know_the_variables_around_them(self):
        stops = {"in the loop": ["{3, 0, 0, 0}", "3"], "in the block": ["{3, 0, 0, 40}", "4"],
                 "behind both": ["{3, 0, 0, 40}", "5"]}
        commands = ["run", *["print sum", "print n", "continue"] * len(stops)]
        breaks = [f"tbreak user.c:{line_of(LOOP_PROGRAM, comment)}" for comment in stops]
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.compile(compiler, "user.c", LOOP_PROGRAM)
                said = self.gdb(*breaks, *commands)
                values = re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE)
                self.assertEqual(values, [text for stop in stops.values() for text in stop], said)

    def test_cxx_has_the_users_lines_and_variables(self):
        stops = {
            "in the loop": ("", ["0", "3"], ["i", "*&n"]),
            "beside the child": (" if n == 12", ["12", "24"], ["n", "twice"]),
            "behind the sync": (" if n == 12", ["89", "55", "24"], ["*&x", "y", "twice"]),
        }
        lines = {comment: line_of(CXX_PROGRAM, comment) for comment in stops}
        commands = [f"tbreak user.cpp:{lines[comment]}{stops[comment][0]}" for comment in stops]
        commands.append("run")
        for _, _, expressions in stops.values():
            commands += [*(f"print {expression}" for expression in expressions), "continue"]
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.compile(compiler, "user.cpp", CXX_PROGRAM)
                said = self.gdb(*commands)
                values = re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE)
                expected = [value for _, values, _ in stops.values() for value in values]
                self.assertEqual(values, expected, said)
                found = re.findall(r" at user\.cpp:(\d+)\n", said)
                self.assertEqual([int(line) for line in found], list(lines.values()), said)

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
