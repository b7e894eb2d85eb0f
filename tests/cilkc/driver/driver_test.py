# SPDX-License-Identifier: MIT
"""cilkc's steps: what goes through them, what comes out, what happens when one fails.

Usage: driver_test.py CILKC COMPILER... [unittest options]
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import driver_case
from driver_case import C_CILK, COMPILERS, MIT, PLAIN, DriverCase, make, make_tree, needed


class Stages(DriverCase):
    def test_program(self):
        for compiler in COMPILERS:
            for name, text in (("c.c", C_CILK), ("m.cilk", MIT), ("p.c", PLAIN)):
                with self.subTest(compiler=compiler, file=name):
                    self.write(name, text)
                    done = self.succeed("-DVALUE=1", name, "-o", "program", cc=compiler)
                    self.assertEqual(done.stderr, "")
                    expected = "plain\n" if name == "p.c" else "41\n"
                    self.assertEqual(self.output_of("program"), expected)

    def test_default_output_is_a_out(self):
        self.write("m.cilk", MIT)
        self.succeed("m.cilk")
        self.assertEqual(self.files(), ["a.out", "m.cilk"])

    def test_object(self):
        self.write("sub/c.c", C_CILK)
        self.succeed("-DVALUE=2", "-c", "sub/c.c")
        self.assertEqual(self.files(), ["c.o", "sub"])
        self.succeed("c.o", "-o", "program")
        self.assertEqual(self.output_of("program"), "42\n")

    def test_object_with_name(self):
        self.write("m.cilk", MIT)
        self.succeed("-c", "-oother.x", "m.cilk")
        self.assertEqual(self.files(), ["m.cilk", "other.x"])

    def test_assembly(self):
        self.write("m.cilk", MIT)
        self.succeed("-S", "m.cilk")
        self.assertIn("main:", self.read("m.s"))
        self.succeed("-S", "m.cilk", "-o", "n.s")
        self.assertIn("main:", self.read("n.s"))
        self.assertIn("main:", self.succeed("-S", "m.cilk", "-o", "-").stdout)

    def test_preprocessed(self):
        self.write("m.cilk", MIT)
        text = self.succeed("-E", "m.cilk").stdout
        self.assertIn("x = spawn f(40);", text)
        self.assertIn("mit_header_was_included", text)
        self.write("c.c", C_CILK)
        self.succeed("-E", "-DVALUE=3", "c.c", "-o", "c.i")
        self.assertIn("f(40)", self.read("c.i"))
        self.assertIn("_Cilk_spawn", self.read("c.i"))
        self.assertEqual(self.translations(), [])
        self.succeed("c.i", "-o", "program")
        self.assertEqual(self.output_of("program"), "43\n")
        self.assertEqual(len(self.translations()), 1)

    def test_preprocessed_mit_text_is_mit(self):
        self.write("m.cilk", MIT)
        self.succeed("-E", "m.cilk", "-o", "m.i")
        self.succeed("m.i", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")

    def test_preprocessed_without_markers(self):
        self.write("c.c", C_CILK)
        text = self.succeed("-E", "-P", "-DVALUE=3", "c.c").stdout
        self.assertIn("_Cilk_spawn", text)
        self.assertNotIn("# 1", text)

    def test_syntax_only(self):
        self.write("m.cilk", MIT)
        self.succeed("-fsyntax-only", "m.cilk")
        self.assertEqual(self.files(), ["m.cilk"])
        self.write("bad.cilk", "cilk int f(void) { return undeclared; }\n")
        done = self.call("-fsyntax-only", "bad.cilk")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bad.cilk:1:", done.stderr)

    def test_save_temps(self):
        self.write("m.cilk", MIT)
        self.succeed("-save-temps", "-c", "m.cilk")
        self.assertEqual(self.files(), ["m.cilk", "m.cilk.c", "m.i", "m.o", "m.s"])
        self.assertIn("spawn f(40)", self.read("m.i"))
        self.assertNotIn("spawn f(40)", self.read("m.cilk.c"))
        self.assertIn("main:", self.read("m.s"))

    def test_save_temps_beside_object(self):
        self.write("m.cilk", MIT)
        os.mkdir(f"{self.work}/out")
        self.succeed("-save-temps=obj", "-c", "m.cilk", "-o", "out/m.o")
        self.assertEqual(self.files(), ["m.cilk", "out"])
        self.assertEqual(sorted(os.listdir(f"{self.work}/out")), ["m.cilk.c", "m.i", "m.o", "m.s"])


class Inputs(DriverCase):
    def test_several_of_all_kinds(self):
        self.write("m.cilk", MIT.replace("spawn f(40)", "spawn f(a() + b() + d() + e())"))
        for name in "abde":
            self.write(f"{name}.h", f"int {name}(void);\n")
        self.write("h.h", "int a(void); int b(void); int d(void); int e(void);\n")
        self.write("a.c", '#include "h.h"\nint a(void) { return 1; }\n')
        self.write("b.c", '#include "h.h"\nint b(void) { return 20; }\n')
        self.write("d.c", '#include "h.h"\nint d(void) { return 300; }\n')
        self.write("e.c", '#include "h.h"\nint e(void) { return 4000; }\n')
        self.succeed("-c", "b.c")
        self.succeed("-S", "d.c")
        self.succeed("-c", "e.c")
        subprocess.run(["ar", "rcs", "libe.a", "e.o"], cwd=self.work, check=True)
        self.succeed("-include", "h.h", "m.cilk", "a.c", "b.o", "d.s", "-L.", "-le", "-o", "all")
        self.assertEqual(self.output_of("all"), "4322\n")
        self.assertEqual(len(self.translations()), 1)

    def test_words_that_are_only_defined_are_no_cilk(self):
        self.write("p.c", "#include <cilk/cilk.h>\n" + PLAIN)
        self.succeed("p.c", "-o", "program")
        self.assertEqual(self.output_of("program"), "plain\n")
        self.assertEqual(self.translations(), [])

    def test_several_objects(self):
        self.write("a.c", C_CILK)
        self.write("b.cilk", MIT)
        self.write("p.c", PLAIN)
        self.succeed("-DVALUE=5", "-c", "a.c", "p.c", "b.cilk")
        self.assertEqual(self.files(), ["a.c", "a.o", "b.cilk", "b.o", "p.c", "p.o"])
        for name, expected in (("a", "45\n"), ("b", "41\n"), ("p", "plain\n")):
            self.succeed(f"{name}.o", "-o", "program")
            self.assertEqual(self.output_of("program"), expected)

    def test_one_output_for_several_objects(self):
        self.write("a.c", C_CILK)
        self.write("b.cilk", MIT)
        done = self.call("-DVALUE=5", "-c", "a.c", "b.cilk", "-o", "x.o")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "cilkc: error: -o with -c, -S or -E takes one file\n")

    def test_language_option(self):
        self.write("m.txt", MIT)
        self.write("c.txt", C_CILK)
        self.succeed("-x", "cilk", "m.txt", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")
        self.succeed("-DVALUE=9", "-xc", "c.txt", "-o", "program")
        self.assertEqual(self.output_of("program"), "49\n")
        self.write("more.c", "int more(void);\nint more(void) { return 1; }\n")
        self.succeed("-xcilk", "m.txt", "-x", "c", "more.c", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")
        self.succeed("-x", "c", "-c", "more.c", "-x", "none")
        self.succeed("-x", "cilk", "m.txt", "-x", "none", "more.o", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")

    def test_standard_input(self):
        for language, text in (("c", C_CILK), ("cilk", MIT), ("c", PLAIN)):
            with self.subTest(language=language):
                self.succeed("-DVALUE=1", "-x", language, "-", "-o", "program", given=text)
                expected = "plain\n" if text is PLAIN else "41\n"
                self.assertEqual(self.output_of("program"), expected)

    def test_response_file(self):
        self.write("a b.cilk", MIT.replace("40", "VALUE"))
        self.write("more", "-o 'the program'\n")
        self.write("words", "-DVALUE=\\(6\\*7\\)\n\"a b.cilk\"\t@more\n")
        self.succeed("@words")
        self.assertEqual(self.output_of("the program"), "43\n")

    def test_response_file_that_is_not_there(self):
        done = self.call("@nothing")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("@nothing", done.stderr)

    def test_names_with_spaces(self):
        self.write("my file.c", C_CILK)
        self.succeed("-DVALUE=1", "my file.c", "-o", "my program")
        self.assertEqual(self.output_of("my program"), "41\n")


class Plain(DriverCase):
    """What goes to the compiler behind as it was written."""

    def command_for(self, *arguments):
        script = '#!/bin/sh\nprintf "%s\\n" "$@" >>cc.log\necho -- >>cc.log\n'
        make(f"{self.work}/cc", script, 0o755)
        self.succeed(*arguments, cc=f"{self.work}/cc")
        calls = self.read("cc.log").split("--\n")[:-1]
        return calls[-1].splitlines()

    def test_order_is_kept(self):
        self.write("p.c", PLAIN)
        given = ["-O2", "-DX=1", "-I", "one", "p.c", "-Wall", "-Ltwo", "-lm", "-o", "out", "-UX"]
        command = self.command_for(*given)
        self.assertEqual(command[: len(given)], given)

    def test_unknown_options(self):
        given = ["-fno-such-thing", "-march=strange", "--param", "x=1", "-Xassembler", "-y", "p.c"]
        self.write("p.c", PLAIN)
        self.assertEqual(self.command_for(*given)[: len(given)], given)

    def test_other_languages(self):
        self.write("p.cpp", "// C++\n")
        given = ["-c", "p.cpp", "-o", "p.o"]
        self.assertEqual(self.command_for(*given), given)

    def test_cilk_in_cxx_is_explained_in_one_line(self):
        self.write("plain.cpp", "#ifdef __cilk\n#include <cilk/cilk.h>\n#endif\n"
                                "// cilk_spawn f();\nint main() { return 0; }\n")
        spawns = "int f(); int main() { _Cilk_spawn f(); }\n"
        includes = "#include <cilk/cilk.h>\nint main() {}\n"
        self.write("words.cpp", spawns)
        self.write("header.cc", includes)
        self.write("more.cxx", "#include <cilk/reducer_list.h>\n" + includes)
        self.write("forced", includes)
        for compiler in COMPILERS:
            for name, options in (("words.cpp", ()), ("header.cc", ()), ("more.cxx", ()),
                                  ("forced", ("-x", "c++"))):
                with self.subTest(compiler=compiler, name=name):
                    done = self.call(*options, "-c", name, cc=compiler)
                    self.assertEqual((done.returncode, done.stderr),
                                     (1, f"cilkc: error: {name}: cilkc compiles Cilk in C; cilkc++ "
                                         "compiles it in C++\n"))
            self.write("c.c", C_CILK.replace("int main", "int cilk_main"))
            self.succeed("-DVALUE=1", "c.c", "plain.cpp", "-o", "program", cc=compiler)

    def test_cilk_plus_plus_is_explained_in_one_line(self):
        self.write("p.cilk", "#include <iostream>\n"
                             "int cilk_main() { cilk_spawn f(); std::cout << 1; cilk_sync; }\n")
        self.write("plain.cilk", "#include <no_such_header.h>\ncilk int main(void) { return 0; }\n")
        line = ("cilkc: error: p.cilk: a .cilk file is MIT Cilk 5.4, not Cilk++: a program in C++ "
                "is a .cpp file with <cilk/cilk.h>, for cilkc++\n")
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                done = self.call("-c", "p.cilk", cc=compiler)
                self.assertEqual((done.returncode, done.stderr.count(line)), (1, 1), done.stderr)
                done = self.call("-c", "plain.cilk", cc=compiler)
                self.assertNotIn("Cilk++", done.stderr)
                self.assertIn("no_such_header.h", done.stderr)

    def test_without_files(self):
        self.assertEqual(self.command_for("-print-search-dirs"), ["-print-search-dirs"])
        compiler = subprocess.run(
            [COMPILERS[0], "-dumpmachine"], capture_output=True, text=True, check=True
        )
        done = self.succeed("-dumpmachine", cc=COMPILERS[0])
        self.assertEqual(done.stdout, compiler.stdout)

    def test_comments_and_strings_are_not_cilk(self):
        self.write(
            "p.c",
            "#include <stdio.h>\n// _Cilk_spawn\n"
            'int main(void) { return puts("_Cilk_sync") < 0; }\n',
        )
        self.succeed("p.c", "-o", "program")
        self.assertEqual(self.output_of("program"), "_Cilk_sync\n")
        self.assertEqual(self.translations(), [])

    def test_keyword_from_a_header(self):
        self.write("h.h", "#include <cilk/cilk.h>\n#define START cilk_spawn\n")
        self.write("c.c", C_CILK.replace("cilk/cilk.h", "h.h").replace("cilk_spawn", "START"))
        self.succeed("-I.", "-DVALUE=1", "c.c", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")
        self.assertEqual(len(self.translations()), 1)

    def test_depends_on_nothing_new(self):
        self.write("p.c", PLAIN)
        for compiler in COMPILERS:
            self.succeed("p.c", "-o", "program", cc=compiler)
            self.assertEqual(needed(f"{self.work}/program"), ["libc.so.6"])

    def test_its_messages_come_once(self):
        self.write("p.c", "#warning here\nint main(void) { return 0; }\n")
        done = self.succeed("p.c", "-o", "program", cc="gcc")
        self.assertEqual(done.stderr.count("[-Wcpp]"), 1, done.stderr)
        self.write("c.c", "#warning here\n" + C_CILK)
        done = self.succeed("-DVALUE=1", "c.c", "-o", "program", cc="gcc")
        self.assertEqual(done.stderr.count("[-Wcpp]"), 1, done.stderr)


class Failures(DriverCase):
    def test_compiler(self):
        self.write("m.cilk", MIT.replace("return 0", "return undeclared_thing"))
        done = self.call("-c", "m.cilk")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"m\.cilk:8:12: error: .*undeclared")
        self.assertEqual(self.files(), ["m.cilk"])

    def test_translator(self):
        self.write("m.cilk", MIT + "int refused_by_the_translator;\n")
        done = self.call("-MMD", "-c", "m.cilk")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "user.cilk:7:3: error: refused\n")
        self.assertEqual(self.files(), ["m.cilk"])

    def test_preprocessor(self):
        self.write("m.cilk", MIT + '#include "missing.h"\n')
        self.write("c.c", C_CILK + '#include "missing.h"\n')
        for name in ("m.cilk", "c.c"):
            done = self.call("-c", name)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count("missing.h: No such file"), 1, done.stderr)
            # No compiler sees Cilk.
            self.assertNotIn("undeclared", done.stderr)

    def test_headers_in_the_way(self):
        """Of C they are not; of Cilk the preprocessor's messages are what counts."""
        self.write("p.c", PLAIN)
        self.write("c.c", C_CILK)
        make(f"{self.work}/cc", '#!/bin/sh\ncase "$*" in *cilk_abi.h*) echo not here >&2; exit 3;; '
             'esac\nexec gcc "$@"\n', 0o755)
        self.assertEqual(self.call("p.c", "-c", cc=f"{self.work}/cc").stderr, "")
        done = self.call("c.c", "-c", "-DVALUE=1", cc=f"{self.work}/cc")
        self.assertEqual((done.returncode, done.stderr), (3, "not here\n"))

    def test_option_without_its_value(self):
        self.write("m.cilk", MIT)
        for option in ("-o", "-x", "-MF", "-I"):
            done = self.call("m.cilk", option)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr,
                             f"cilkc: error: {option}: expected its value in the next word\n")

    def test_dependency_file_that_cannot_be_written(self):
        self.write("m.cilk", MIT)
        done = self.call("-c", "m.cilk", "-MMD", "-MF", "nowhere/d")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "cilkc: error: nowhere/d: No such file or directory\n")

    def test_file_that_is_not_there(self):
        for name in ("nothing.c", "nothing.cilk", "nothing.i"):
            done = self.call("-c", name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(name, done.stderr)

    def test_exit_code_is_the_steps(self):
        self.write("m.cilk", MIT)
        make(f"{self.work}/cc", '#!/bin/sh\n[ "$1" != -c ] && exec gcc "$@"\nexit 42\n', 0o755)
        self.assertEqual(self.call("-c", "m.cilk", cc=f"{self.work}/cc").returncode, 42)

    def test_step_that_a_signal_ends(self):
        make(f"{self.work}/cc", "#!/bin/sh\nkill -SEGV $$\n", 0o755)
        done = self.call("x.o", cc=f"{self.work}/cc")
        self.assertEqual(done.returncode, 1)
        self.assertIn("was ended by signal 11", done.stderr)

    def test_no_later_step_after_a_failure(self):
        self.write("a.cilk", MIT + "int refused_by_the_translator;\n")
        self.write("b.cilk", MIT)
        self.assertEqual(self.call("a.cilk", "b.cilk", "-o", "program").returncode, 1)
        self.assertEqual(self.files(), ["a.cilk", "b.cilk"])
        self.assertEqual(len(self.translations()), 1)

    def test_signals(self):
        self.write("m.cilk", MIT + "int slow_to_translate;\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number):
                waiting = f"{self.top}/bin/waiting"
                if os.path.exists(waiting):
                    os.remove(waiting)
                process = subprocess.Popen(
                    [self.driver, "-c", "m.cilk"],
                    cwd=self.work,
                    env=self.environment(),
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                )
                while not os.path.exists(waiting):
                    self.assertIsNone(process.poll())
                    time.sleep(0.01)
                self.assertEqual(len(glob.glob(f"{self.private}/cilkc-*")), 1)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=300), -number)
                self.assertEqual(os.listdir(self.private), [])
                self.assertEqual(self.files(), ["m.cilk"])

    def test_private_directory_is_private(self):
        make(f"{self.work}/cc", '#!/bin/sh\nstat -c %a "$TMPDIR"/cilkc-*\nexit 3\n', 0o755)
        self.write("m.cilk", MIT)
        done = self.call("m.cilk", cc=f"{self.work}/cc")
        self.assertEqual((done.stdout, done.returncode), ("700\n", 3))

    def test_no_place_for_temporary_files(self):
        self.write("m.cilk", MIT)
        done = self.call("-c", "m.cilk", TMPDIR="/nothing/there")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^cilkc: error: /nothing/there/.*: No such file")


class Telling(DriverCase):
    def test_help(self):
        done = self.succeed("--help")
        for option in ("--cc=", "-fcilk-serial", "-cilk-profile", "-save-temps", "-###"):
            self.assertIn(option, done.stdout)

    def test_version(self):
        done = self.succeed("--version", cc=COMPILERS[0])
        self.assertRegex(done.stdout, r"^cilkc \(Saguaro\) \d+\.\d+\.\d+")
        self.assertIn("Free Software Foundation", done.stdout)

    def test_verbose(self):
        self.write("m.cilk", MIT)
        done = self.succeed("-v", "m.cilk", "-o", "program")
        for step in (r"^ cc -E .*m\.cilk", r"^ \S*/cilk2c .*\.i$", r"^ cc -c .*cpp-output"):
            self.assertRegex(done.stderr, re.compile(step, re.MULTILINE))
        self.assertEqual(self.output_of("program"), "41\n")

    def test_dry(self):
        self.write("m.cilk", MIT)
        self.write("c.c", C_CILK)
        done = self.succeed("-###", "-MD", "-DVALUE='1 '", "m.cilk", "c.c", "-o", "program")
        commands = done.stderr.splitlines()
        self.assertEqual([c.split()[0].split("/")[-1] for c in commands].count("cilk2c"), 2)
        self.assertIn("'-DVALUE='\\''1 '\\'''", done.stderr)
        self.assertEqual(self.translations(), [])
        self.assertEqual(self.files(), ["c.c", "m.cilk"])

    def test_dry_without_cilk(self):
        self.write("p.c", PLAIN)
        done = self.succeed("-###", "p.c", cc="gcc")
        self.assertIn("cc1", done.stderr)
        self.assertEqual(self.files(), ["p.c"])


class Places(unittest.TestCase):
    """The driver finds its things from where it lies."""

    def setUp(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="cilkc-test-"))
        self.addCleanup(shutil.rmtree, self.top)
        make_tree(self.top)

    def run_driver(self, *arguments):
        plain = {k: v for k, v in os.environ.items() if k != "CC"}
        return subprocess.run(
            arguments, cwd=self.top, env=plain, capture_output=True, text=True, check=False
        )

    def test_through_a_link(self):
        make(f"{self.top}/m.cilk", MIT)
        os.mkdir(f"{self.top}/elsewhere")
        os.symlink("../bin/cilkc", f"{self.top}/elsewhere/cilkc")
        done = self.run_driver(f"{self.top}/elsewhere/cilkc", "m.cilk", "-o", "program")
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_bad_file(self):
        with open(f"{self.top}/bin/cilkc.places", "a", encoding="utf-8") as file:
            file.write("nonsense\n")
        done = self.run_driver(f"{self.top}/bin/cilkc", "x.o")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^cilkc: error: .*cilkc\.places: 'nonsense': expected")

    def test_no_translator(self):
        make(f"{self.top}/m.cilk", MIT)
        os.remove(f"{self.top}/bin/cilk2c")
        done = self.run_driver(f"{self.top}/bin/cilkc", "-c", "m.cilk")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cilk2c': No such file", done.stderr)


if __name__ == "__main__":
    driver_case.main()
