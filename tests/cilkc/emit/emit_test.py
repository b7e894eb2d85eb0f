# SPDX-License-Identifier: MIT
"""The C that cilk2c emits: what its frames hold, what compilers say of it, where they say it.

Usage: emit_test.py CILK2C ROOT COMPILER... [unittest options]

ROOT is the project's folder. That the programs compute what they must is ../pairs_test.py's affair.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CILK2C = ""
ROOT = Path()
COMPILERS = []

# Clang's warnings that mean nothing for what is emitted, and why. All others are on.
CLANG_EXCEPTIONS = {
    # What the user's C may be, or ISO C11 is:
    "declaration-after-statement": "C99 has it",
    "pre-c11-compat": "the output is C11",
    "switch-default": "the user's switches",
    "missing-prototypes": "the user's functions",
    "missing-variable-declarations": "the user's variables",
    "double-promotion": "the user's arithmetic",
    "implicit-int-conversion": "the user's assignments",
    "sign-conversion": "the user's assignments",
    "shorten-64-to-32": "the user's assignments",
    "vla": "the user's arrays",
    "alloca": "the user's alloca",
    "shadow": "the user's names",
    "unsafe-buffer-usage": "C's pointers",
    "cast-qual": "the inlets' untyped results",
    "gnu-statement-expression-from-macro-expansion": "the system's headers",
    # What the translator does:
    "reserved-identifier": "_cilk_ names, that no program may use",
    "reserved-macro-identifier": "the system's macros",
    "padded": "frames are laid out by the compiler",
    "unreachable-code": "a slow clone begins at a label",
    "unreachable-code-break": "the same",
    "unreachable-code-return": "the same",
    "conditional-uninitialized": "the same: what is live is restored there",
    "sometimes-uninitialized": "the same",
    "extra-semi-stmt": "a sync is `;` in a fast clone",
    "empty-body": "the same",
    "redundant-decls": "sg_run is declared once more",
    "float-equal": "the user's comparisons",
    "unused-macros": "there are none",
    "unused-value": "the markers' values",
    "compound-token-split": "line markers stand between tokens",
    "misleading-indentation": "text is put in",
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Emitted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def translate(self, source, compiler="gcc", name="user.c", options=()):
        """The emitted C, and where it is."""
        (self.path / name).write_text(source, encoding="utf-8")
        return self.translate_file(self.path / name, compiler, options)

    def translate_file(self, file, compiler="gcc", options=()):
        text = self.path / "file.i"
        out = self.path / "file.cilk.c"
        dialect = ("-include", "cilk.h", "-x", "c") if file.suffix == ".cilk" else ()
        done = run(compiler, "-E", "-dD", "-isystem", str(ROOT / "include"), "-isystem",
                   str(ROOT / "tools/cilkc/include"), "-include", "saguaro/cilk_abi.h", *dialect,
                   str(file), "-o", str(text))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(CILK2C, *options, "-o", str(out), str(text))
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_text(encoding="utf-8"), out

    def compile(self, out, compiler, *options):
        return run(compiler, "-x", "cpp-output", "-std=c11", "-c", str(out), "-o",
                   str(self.path / "file.o"), *options)

    FIB = """#include <cilk/cilk.h>
long fib(long n);
long fib(long n) {
    if (n < 2)
        return n;
    long x = cilk_spawn fib(n - 1);
    long y = fib(n - 2);
    cilk_sync;
    return x + y;
}
"""

    LOOPS = """#include <cilk/cilk.h>
void fill(int *a, int n);
void fill(int *a, int n) {
#pragma cilk grainsize = 4
    cilk_for (int i = 0; i < n; i++) {
        cilk_for (int j = 0; j < n; j++) {
            cilk_spawn { a[i * n + j] = i; }
        }
    }
    cilk_scope {
        if (n > 0)
            cilk_spawn fill(a, 0);
    }
}
"""

    def test_frame_holds_only_what_is_live(self):
        text, _ = self.translate(self.FIB)
        self.assertIn("struct _cilk_saved_fib { sg_frame head; long n; };", text)
        # What is saved when the call has to wait: x, not n.
        self.assertRegex(text, r"_cilk_suspend_fib_2\(sg_deque \*_cilk_deque, long x\)")

    def test_spawn_before_sync_is_a_call(self):
        text, _ = self.translate(self.FIB.replace("= fib(n - 2)", "= cilk_spawn fib(n - 2)"))
        self.assertNotIn("_cilk_stolen_fib_2", text)
        self.assertIn("_cilk_suspend_fib_2", text)

    def test_call_in_parentheses_or_casts_is_a_site(self):
        for call in ("long y = (int)fib(n - 2);", "long y = ((int)(char)(fib(n - 2)));",
                     "long y = 0; (void)(fib(n - 2));", "long y; (void)(y = (int)fib(n - 2));"):
            with self.subTest(call):
                text, _ = self.translate(self.FIB.replace("long y = fib(n - 2);", call))
                self.assertIn("_cilk_suspend_fib_2", text)

    SERIAL = FIB.replace("cilk_spawn ", "").replace("= fib(n - 2)", "= cilk_spawn fib(n - 2)")

    def test_what_spawns_nothing_at_all_is_one_clone(self):
        text, _ = self.translate(self.SERIAL)
        self.assertIn("_cilk_fast_fib", text)
        for what in ("_cilk_slow_fib", "_cilk_suspend_fib", "_cilk_body_fib", "sg_site"):
            self.assertNotIn(what, text.split("long fib(long n) \n")[1])

    def test_what_spawns_nothing_at_all_tells_nothing(self):
        text, _ = self.translate(self.SERIAL, options=("--profile",))
        entry, clone = text.split("static void _cilk_run_fib(void *_cilk_argument) {")
        self.assertEqual(entry.count("sg_profile_begin(_cilk_deque)"), 1)
        self.assertNotIn("sg_profile", clone)

    def test_what_spawns_nothing_at_all_is_measured_by_who_spawns_it(self):
        text, _ = self.translate(self.SERIAL + "void both(long n);\nvoid both(long n) {\n"
                                 "    cilk_spawn fib(n);\n    fib(n);\n    cilk_sync;\n}\n",
                                 options=("--profile",))
        self.assertIn("sg_profile *_cilk_child = ", text)

    def test_who_calls_a_function_that_spawns_may_be_left(self):
        text, _ = self.translate(self.FIB + "long two(long n);\nlong two(long n) {\n"
                                 "    long x = cilk_spawn fib(n);\n    cilk_sync;\n    return x;\n}\n")
        self.assertIn("_cilk_suspend_two_1", text)

    def test_spawn_in_a_loop_before_sync_is_none(self):
        for body in ("for (int i = 0; i < 3; i++) cilk_spawn f(i);",
                     "for (int i = 0; i < 3; i++) { if (i) cilk_spawn f(i); }",
                     "int i = 0; while (i < 3) cilk_spawn f(i++);",
                     "int i = 0; do cilk_spawn f(i++); while (i < 3);",
                     "int i = 0; { again: cilk_spawn f(i); if (i++ < 3) goto again; }"):
            for end in (" cilk_sync; puts(\"\");", ""):
                with self.subTest(body=body, end=end):
                    text, _ = self.translate("#include <cilk/cilk.h>\n#include <stdio.h>\n"
                                             f"void f(int n); void f(int n) {{ (void)n; {body}{end} }}\n")
                    self.assertIn("_cilk_stolen_f_1", text)

    def test_macros_in_grain_sizes(self):
        source = ("#include <cilk/cilk.h>\n#define GRAIN 64\n#define TIMES(n) ((n) * GRAIN)\n"
                  "void f(int *a, int n);\nvoid f(int *a, int n) {\n"
                  "#pragma cilk grainsize = TIMES(n)\n"
                  "    cilk_for (int i = 0; i < n; i++) a[i] = i;\n}\n")
        for compiler in COMPILERS:
            text, _ = self.translate(source, compiler)
            self.assertIn("(sg_uint64)(( n ) * 64)", text)

    def test_only_profiled_code_measures(self):
        plain, _ = self.translate(self.FIB)
        measured, _ = self.translate(self.FIB, options=("--profile",))
        for what in ("begin", "spawn", "returned", "go_on", "leave", "sync", "wait", "end", "drop"):
            with self.subTest(what=what):
                call = re.compile(rf"[ ;{{]sg_profile_{what}\(_cilk_")
                self.assertIsNone(call.search(plain))
                self.assertIsNotNone(call.search(measured))

    def test_head_is_apart(self):
        text, _ = self.translate(self.FIB)
        head = text.split("_cilk_fast_fib(sg_deque *_cilk_deque, sg_frame **_cilk_tail, long n) {")[1]
        self.assertNotIn("sg_push", head.split("_cilk_body_fib")[0])

    def test_functions_without_cilk_stay(self):
        plain = "static int twice(int n) { return n * 2; }\nint (*const p)(int) = twice;\n"
        text, _ = self.translate(plain + self.FIB)
        self.assertIn(plain, text)

    def test_errors_of_the_compiler_are_at_the_users_place(self):
        lines = self.FIB.split("\n")
        for compiler in COMPILERS:
            for line in range(4, 10):
                wrong = lines.copy()
                wrong[line - 1] = wrong[line - 1].replace(";", "; __builtin_trap(), missing_one;") \
                    if ";" in wrong[line - 1] else wrong[line - 1]
                if wrong == lines:
                    continue
                # cilk2c would say it itself: so the name is known to it alone.
                source = "\n".join(wrong).replace("missing_one", "(void)sizeof(int[-(int)sizeof(n)+8])")
                _, out = self.translate(source, compiler)
                text = out.read_text(encoding="utf-8").replace("(int)sizeof(n)+8", "(int)sizeof(n)")
                out.write_text(text, encoding="utf-8")
                done = self.compile(out, compiler)
                places = set(re.findall(r"user\.c:(\d+):\d+: error", done.stderr))
                self.assertEqual(places, {str(line)}, done.stderr)

    def test_every_glue_line_has_a_marker(self):
        text, _ = self.translate(self.FIB)
        lines = text.split("\n")
        for i, line in enumerate(lines):
            if line.startswith(("struct _cilk_", "static const sg_site")):
                self.assertRegex(lines[i - 1], r'^# 3 ".*user\.c"')

    def test_programs_compile_without_warnings(self):
        programs = sorted((ROOT / "tests/cilkc/emit").glob("*.c"))
        programs += [ROOT / "tests/cilkc/programs" / name
                     for name in ("fib.c", "fib.cilk", "inlets.cilk", "memory.cilk",
                                  "operators.cilk", "serial_spawns.c")]
        for compiler in COMPILERS:
            if "clang" in compiler:
                options = ["-Weverything", *("-Wno-" + name for name in CLANG_EXCEPTIONS),
                           "-Wno-unknown-warning-option", "-ferror-limit=4"]
            else:
                options = ["-pedantic-errors", "-Wall", "-Wextra"]
            for program in programs:
                with self.subTest(compiler=compiler, program=program.name):
                    for level, how in (("-O2", ()), ("-O0", ("--profile",))):
                        _, out = self.translate_file(program, compiler, how)
                        done = self.compile(out, compiler, level, "-Werror", *options)
                        self.assertEqual(done.returncode, 0, done.stderr[:4000])

    def test_no_warnings_of_what_the_user_uses_or_marks(self):
        source = """#include <cilk/cilk.h>
static void hit(void) {}
static int f(int n) { return n; }
void loops(int n);
void loops(int n) {
    cilk_for (int j = 0; j < n; j++)
        hit();
    cilk_for (int j = 0; j < n; j++) {
        cilk_spawn hit();
        hit();
    }
    int i, k;
    cilk_for (k = 0; k < n; k++)
        cilk_for (i = 0; i < n; i++)
            hit();
}
int marked(int n, __attribute__((unused)) int more);
int marked(int n, __attribute__((unused)) int more) {
    if (n == 0)
        return 0;
    int __attribute__((unused)) first = cilk_spawn f(n);
    int second __attribute__((unused)) = cilk_spawn f(n);
    [[maybe_unused]] int third = cilk_spawn f(n);
    [[maybe_unused]] int *fourth = &n, (*fifth)(int) = f;
    [[maybe_unused]] const int sixth = f(n);
    [[maybe_unused]] int seventh = marked(n, 0);
    cilk_sync;
    return n;
}
"""
        for compiler in COMPILERS:
            for how in ((), ("--profile",), ("--serial",)):
                with self.subTest(compiler=compiler, how=how):
                    _, out = self.translate(source, compiler, options=how)
                    done = self.compile(out, compiler, "-std=c2x", "-Wall", "-Wextra")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_compilers_make_vectors_of_a_loop(self):
        """What a body with an int for its variable must not lose: that the variable steps by one."""
        _, out = self.translate("""#include <cilk/cilk.h>
void add(int *restrict a, const int *restrict b, int n);
void add(int *restrict a, const int *restrict b, int n) {
    cilk_for (int i = 0; i < n; i++)
        a[i] += b[i];
}
""")
        done = self.compile(out, "gcc", "-O3", "-fopt-info-vec-optimized")
        self.assertRegex(done.stderr, r"user\.c:4:.*loop vectorized")

    def test_a_wrong_command_line_is_one_message(self):
        for arguments, said in (
            ([], "cilk2c: FILE.i is required"),
            (["a.i", "b.i"], "cilk2c: The following argument was not expected: b.i"),
            (["--dialect=x", "a.i"], "cilk2c: --dialect: x not in {cilk,cxx,mit}"),
            (["--stage=x", "a.i"], "cilk2c: --stage: x not in {desugar,tokens}"),
            (["--no-such", "a.i"], "cilk2c: The following argument was not expected: --no-such"),
        ):
            with self.subTest(arguments=arguments):
                done = run(CILK2C, *arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (1, "", said + "; --help shows what is accepted\n"))
        done = run(CILK2C, "nowhere/a.i")
        self.assertEqual((done.returncode, done.stderr), (1, "cilk2c: cannot read nowhere/a.i\n"))

    def test_serial_elision_has_nothing_of_the_runtime(self):
        for source in (self.FIB, self.LOOPS):
            _, out = self.translate(source, options=("--serial",))
            done = self.compile(out, "gcc", "-Wall", "-Werror")
            self.assertEqual(done.returncode, 0, done.stderr)
            wanted = run("nm", "--format=just-symbols", str(self.path / "file.o")).stdout.split()
            self.assertIn(wanted, (["fib"], ["fill"]))
            self.assertNotIn("_Cilk_", out.read_text(encoding="utf-8"))

    def test_loops_of_the_serial_elision_are_checked(self):
        bad = self.LOOPS.replace("i < n", "i + 1")
        with self.assertRaisesRegex(AssertionError, "the condition of cilk_for must compare"):
            self.translate(bad, options=("--serial",))


if __name__ == "__main__":
    CILK2C = sys.argv[1]
    ROOT = Path(sys.argv[2])
    rest = sys.argv[3:]
    COMPILERS = [word for word in rest if not word.startswith("-")]
    os.environ["LC_ALL"] = "C"
    unittest.main(argv=[sys.argv[0], *[word for word in rest if word.startswith("-")]])
