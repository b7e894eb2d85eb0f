# SPDX-License-Identifier: MIT
"""cilkc's options, each by its effect.

Usage: options_test.py CILKC COMPILER... [unittest options]
"""

import os
import subprocess

import driver_case
from driver_case import C_CILK, COMPILERS, MIT, PLAIN, DriverCase, make, needed


class Options(DriverCase):
    def test_preprocessor(self):
        self.write("inc/i.h", "#define FROM_I 1\n")
        self.write("sys/s.h", "#define FROM_S 20\n")
        self.write("first.h", "#define FIRST 300\n")
        self.write(
            "m.cilk",
            "#include <i.h>\n#include <s.h>\n#ifdef GONE\n#error GONE\n#endif\n"
            + MIT.replace("40", "FROM_I + FROM_S + FIRST + D"),
        )
        self.succeed(
            *("-D", "D=4000", "-DGONE", "-U", "GONE", "-Iinc", "-isystem", "sys"),
            *("-include", "first.h", "m.cilk", "-o", "program"),
        )
        self.assertEqual(self.output_of("program"), "4322\n")

    def test_wp(self):
        self.write("m.cilk", MIT.replace("40", "D"))
        self.succeed("-Wp,-DD=7", "m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "8\n")

    def test_code_generation(self):
        self.write("m.cilk", MIT)
        plain = self.succeed("-O0", "-S", "m.cilk", "-o", "-").stdout
        fast = self.succeed("-O3", "-S", "m.cilk", "-o", "-").stdout
        self.assertNotEqual(plain, fast)
        debug = self.succeed("-g", "-S", "m.cilk", "-o", "-").stdout
        self.assertIn(".debug_info", debug)
        self.assertNotIn(".debug_info", plain)
        marked = self.succeed("-fverbose-asm", "-Wa,-L", "-S", "m.cilk", "-o", "-", cc="gcc").stdout
        self.assertGreater(len(marked), len(plain))

    def test_debug_information_names_the_users_file(self):
        self.write("m.cilk", MIT)
        for compiler in COMPILERS:
            text = self.succeed("-g", "-S", "m.cilk", "-o", "-", cc=compiler).stdout
            self.assertRegex(text, r'\.file.*"m\.cilk"')
            self.assertNotIn("m.cilk.c", text)
            self.assertNotIn("private", text)

    def test_debug_information_names_the_users_variables(self):
        self.write("m.cilk", MIT)
        for options, wanted in (
            (["-g"], True),
            (["-ggdb", "-gdwarf-4"], True),
            (["-g1", "-g"], True),
            ([], False),
            (["-g", "-g0"], False),
            (["-gline-tables-only"], False),
        ):
            for compiler in COMPILERS:
                with self.subTest(options=options, compiler=compiler):
                    if "-gline-tables-only" in options and "clang" not in compiler:
                        continue
                    done = self.succeed("-v", *options, "-S", "m.cilk", "-o", "-", cc=compiler)
                    self.assertEqual("--debug" in self.translations()[-1], wanted)
                    self.assertEqual(".debug_mac" in done.stdout, wanted)

    def test_standard(self):
        for standard in ("c89", "c99", "c11", "gnu17", "c17"):
            with self.subTest(standard=standard):
                self.write("m.cilk", MIT.replace("40", "__STRICT_ANSI__ + 0"))
                done = self.call(f"-std={standard}", "m.cilk", "-o", "program")
                self.assertEqual(done.returncode == 0, standard.startswith("c"), done.stderr)
        self.write("p.cilk", "cilk int main(void) { inline: return 0; }\n")
        self.succeed("-std=c89", "-E", "p.cilk")

    def test_ansi_is_still_compiled(self):
        # The translator's text has `inline` in it.
        self.write("m.cilk", "static inline int g(void) { return 0; }\n" + MIT)
        self.succeed("-ansi", "m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")
        # And declarations after statements, which nobody needs to hear of.
        self.write("m.cilk", "static int g(void) { g(); int x = 0; return x; }\n" + MIT)
        for pedantic in ("-pedantic", "-Wpedantic", "-pedantic-errors"):
            for standard in ("-ansi", "-std=c89", "-std=gnu89"):
                done = self.succeed(standard, pedantic, "-c", "m.cilk")
                self.assertNotIn("ISO C90", done.stderr)
        self.assertIn("-pedantic", self.succeed("-std=c99", "-pedantic", "-c", "m.cilk", "-v").stderr)

    def test_warnings(self):
        self.write("m.cilk", "\n\nstatic int unused(void) { return 1; }\n" + MIT)
        done = self.succeed("-Wall", "-c", "m.cilk")
        self.assertRegex(done.stderr, r"m\.cilk:3:12: warning: .*unused")
        done = self.call("-Wall", "-Werror", "-c", "m.cilk")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.files(), ["m.cilk", "m.o"])

    def test_machine_options(self):
        self.write("m.cilk", MIT.replace("40", "sizeof(void *)"))
        self.succeed("-O2", "-fomit-frame-pointer", "-pthread", "m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "9\n")

    def test_libraries(self):
        self.write("m.cilk", "#include <math.h>\n" + MIT.replace("40", "cbrt(argc + 26)"))
        self.write("m.cilk", self.read("m.cilk").replace("main(void)", "main(int argc)"))
        self.succeed("-O0", "-fno-builtin", "-w", "m.cilk", "-lm", "-o", "program")
        self.assertEqual(self.output_of("program"), "4\n")

    def test_linker_options(self):
        self.write("m.cilk", MIT)
        self.succeed("m.cilk", "-Wl,-Map,map", "-Xlinker", "--build-id=none", "-o", "program")
        self.assertIn("libc.so", self.read("map"))
        self.assertNotIn("private", self.output_of("program"))

    def test_serial_and_profile(self):
        self.write("m.cilk", MIT.replace("return n + 1", "return n + __CILK_PROFILE__"))
        self.succeed("-fcilk-serial", "-cilk-profile", "m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "41\n")
        self.assertRegex(self.translations()[0], "^--dialect=mit --serial -o ")
        for option in ("-cilk-profile", "-cilk-span", "-cilk-critical-path",
                       "-fcilktool=cilkscale"):
            self.succeed(option, "m.cilk", "-o", "program")
            self.assertEqual(self.output_of("program"), "41\n")
            self.assertRegex(self.translations()[-1], "^--dialect=mit --profile -o ")

    def test_other_compilers_ways_to_ask_for_cilk(self):
        self.write("c.c", C_CILK)
        for option in ("-fopencilk", "-fcilkplus", "-ftapir=opencilk", "-ftapir=cilkplus",
                       "-fopencilk-enable-pedigrees", "-cilk-debug",
                       "--opencilk-resource-dir=/opt/opencilk", "-lcilkrts", "-lopencilk",
                       "-lopencilk-personality-c"):
            with self.subTest(option=option):
                self.succeed("-DVALUE=1", "c.c", option, "-o", "program")
                self.assertEqual(self.output_of("program"), "41\n")
        self.succeed("-DVALUE=1", "c.c", "-l", "cilkrts", "-o", "program")

    def test_other_compilers_ways_to_ask_for_the_serial_program(self):
        self.write("c.c", C_CILK)
        for option in ("-ftapir=serial", "-ftapir=none", "-cilk-serialize"):
            self.succeed(option, "-DVALUE=1", "c.c", "-o", "program")
            self.assertRegex(self.translations()[-1], "^--dialect=cilk --serial -o ")

    def test_other_compilers_tools_are_refused_in_one_line(self):
        self.write("c.c", C_CILK)
        for option, instead in (
            ("-fcilktool=cilkscale-benchmark", "there is no such tool here; -fcilk-serial gives a "
                                               "program for serial tools"),
            ("-fcilktool=cilksan", "there is no such tool here; -fcilk-serial gives a program for "
                                   "serial tools"),
            ("-fsanitize=cilk", "there is no race detector for Cilk here; -fcilk-serial gives a "
                                "program for serial tools"),
            ("-ftapir=qthreads", "programs run on libsaguaro; leave the option out, or say "
                                 "-ftapir=serial"),
        ):
            with self.subTest(option=option):
                done = self.call(option, "-DVALUE=1", "c.c", "-o", "program")
                self.assertEqual((done.returncode, done.stderr),
                                 (1, f"cilkc: error: {option}: {instead}\n"))

    def test_unknown_options_get_one_line(self):
        self.write("c.c", C_CILK)
        self.write("m.cilk", MIT)
        for file in ("c.c", "m.cilk"):
            for option, said in (
                ("-cilk-nonsense", "there is no such option; --help shows those for Cilk"),
                ("-fcilk-nonsense", "there is no such option; --help shows those for Cilk"),
                ("--cc", "expected --cc=COMPILER"),
            ):
                with self.subTest(option=option, file=file):
                    done = self.call(option, "-DVALUE=1", file, "-o", "program")
                    self.assertEqual((done.returncode, done.stderr),
                                     (1, f"cilkc: error: {option}: {said}\n"))
            # What is nobody's: the compiler behind says so.
            for compiler in COMPILERS:
                with self.subTest(compiler=compiler, file=file):
                    done = self.call("--pin-proc", "-DVALUE=1", file, "-o", "program", cc=compiler)
                    self.assertEqual(done.returncode, 1)
                    self.assertRegex(done.stderr, rf"\A{compiler}: error: .*--pin-proc.*\n\Z")

    def test_dialects(self):
        self.write("m.cilk", MIT)
        self.write("c.c", C_CILK)
        self.succeed("-c", "m.cilk")
        self.succeed("-c", "-DVALUE=1", "c.c")
        self.assertRegex(self.translations()[0], "^--dialect=mit ")
        self.assertRegex(self.translations()[1], "^--dialect=cilk ")

    def test_version_of_the_language(self):
        self.write("m.cilk", MIT.replace("40", "__CILK__"))
        self.succeed("m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "547\n")


class Dependencies(DriverCase):
    def rule(self, name):
        """The targets and the files of the first rule, and the targets of the others."""
        text = self.read(name).replace("\\\n", " ")
        rules = [line.split(":") for line in text.splitlines() if line]
        return rules[0][0].split(), rules[0][1].split(), [r[0] for r in rules[1:]]

    def setUp(self):
        super().setUp()
        self.write("own.h", "")
        self.write("m.cilk", '#include "own.h"\n' + MIT)

    def test_mmd(self):
        self.succeed("-MMD", "-c", "m.cilk")
        self.assertEqual(self.rule("m.d"), (["m.o"], ["m.cilk", "own.h"], []))

    def test_md(self):
        self.succeed("-MD", "-c", "m.cilk", "-o", "x.o")
        targets, files, _ = self.rule("x.d")
        self.assertEqual(targets, ["x.o"])
        self.assertIn("/usr/include/stdio.h", files)

    def test_names(self):
        os.mkdir(f"{self.work}/deps")
        self.succeed("-MMD", "-MP", "-MF", "deps/d", "-MT", "a b", "-MQ", "$c", "-c", "m.cilk")
        targets, files, phony = self.rule("deps/d")
        self.assertEqual(targets, ["a", "b", "$$c"])
        self.assertEqual((files, phony), (["m.cilk", "own.h"], ["own.h"]))

    def test_joined(self):
        self.succeed("-MMD", "-MFd", "-MTt", "-c", "m.cilk")
        self.assertEqual(self.rule("d")[0], ["t"])

    def test_program(self):
        self.succeed("-MMD", "m.cilk", "-o", "prog")
        self.assertEqual(self.rule("prog.d"), (["prog"], ["m.cilk", "own.h"], []))

    def test_only(self):
        for compiler in COMPILERS:
            done = self.succeed("-MM", "m.cilk", cc=compiler)
            self.assertEqual(done.stdout.split(), ["m.o:", "m.cilk", "own.h"])
            self.succeed("-M", "-MF", "d", "m.cilk", cc=compiler)
            self.assertIn("/usr/include/stdio.h", self.rule("d")[1])
        self.assertEqual(self.translations(), [])

    def test_c_dialect(self):
        self.write("c.c", '#include "own.h"\n' + C_CILK)
        for compiler in COMPILERS:
            self.succeed("-DVALUE=1", "-MMD", "-c", "c.c", cc=compiler)
            self.assertEqual(self.rule("c.d"), (["c.o"], ["c.c", "own.h"], []))

    def test_missing_header(self):
        self.write("g.cilk", '#include "generated.h"\n')
        done = self.succeed("-MM", "-MG", "g.cilk")
        self.assertEqual(done.stdout.split(), ["g.o:", "g.cilk", "generated.h"])

    def test_make_does_not_ask_twice(self):
        self.write("Makefile", "m.o: m.cilk\n\t$(CILKC) -MMD -c m.cilk\n-include m.d\n")
        for expected in ("-c m.cilk", "up to date"):
            done = subprocess.run(
                ["make", f"CILKC={self.driver}"],
                cwd=self.work,
                env=self.environment(),
                capture_output=True,
                text=True,
                check=True,
            )
            self.assertIn(expected, done.stdout)


class Linking(DriverCase):
    def setUp(self):
        super().setUp()
        use = "int saguaro_stub(void);\n" + MIT.replace("40", "saguaro_stub()")
        self.write("m.cilk", use)

    def test_shared_library(self):
        self.succeed("m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "8\n")
        self.assertIn("libsaguaro.so", needed(f"{self.work}/program"))

    def test_static_runtime(self):
        self.succeed("-static-libsaguaro", "m.cilk", "-o", "program")
        self.assertEqual(self.output_of("program"), "8\n")
        self.assertEqual(needed(f"{self.work}/program"), ["libc.so.6"])

    def test_static(self):
        self.write("p.c", PLAIN)
        self.succeed("-static", "p.c", "-o", "program")
        self.assertEqual(needed(f"{self.work}/program"), [])
        for option in ("-static", "-static-pie"):
            done = self.succeed(option, "m.cilk", "-o", "program")
            self.assertEqual((done.stderr, self.output_of("program")), ("", "8\n"))
            self.assertEqual(needed(f"{self.work}/program"), [])
            self.succeed("-c", "m.cilk")
            self.succeed(option, "m.o", "-o", "program")
            self.assertEqual(self.output_of("program"), "8\n")

    def test_objects_alone(self):
        self.succeed("-c", "m.cilk")
        self.succeed("m.o", "-o", "program")
        self.assertEqual(self.output_of("program"), "8\n")

    def test_making_a_shared_library(self):
        self.write("lib.cilk", "cilk int g(int n) { return n + 2; }\n")
        self.succeed("-shared", "-fPIC", "lib.cilk", "-o", "libg.so")
        self.write("user.cilk", "int g(int);\n" + MIT.replace("n + 1", "g(n)"))
        self.succeed("user.cilk", "-L.", "-lg", "-Wl,-rpath,$ORIGIN", "-o", "program")
        self.assertEqual(self.output_of("program"), "42\n")

    def test_without_default_libraries(self):
        self.succeed("-c", "m.cilk")
        self.succeed("-r", "m.o", "-o", "all.o")
        done = self.call("-nostdlib", "m.o", "-o", "program")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("saguaro_stub", done.stderr)


class Compilers(DriverCase):
    def test_environment(self):
        self.write("m.cilk", MIT)
        for compiler in COMPILERS:
            done = self.succeed("-###", "m.cilk", CC=compiler)
            self.assertTrue(done.stderr.startswith(f" {compiler} "), done.stderr)

    def test_option_wins(self):
        done = self.succeed("-###", "x.o", cc=COMPILERS[0], CC="/nothing/there")
        self.assertTrue(done.stderr.startswith(f" {COMPILERS[0]} "), done.stderr)

    def test_words(self):
        done = self.succeed("-###", "x.o", CC=f"{COMPILERS[0]} -m64")
        self.assertTrue(done.stderr.startswith(f" {COMPILERS[0]} -m64 "), done.stderr)

    def test_itself_in_the_environment(self):
        self.write("m.cilk", MIT)
        for name in (self.driver, "cilkc -O2"):
            path = f"{self.top}/bin:{os.environ['PATH']}"
            self.succeed("m.cilk", "-o", "program", CC=name, PATH=path)
            self.assertEqual(self.output_of("program"), "41\n")

    def test_default(self):
        os.mkdir(f"{self.work}/path")
        for name in ("gcc", "cc"):
            make(f"{self.work}/path/{name}", f"#!/bin/sh\necho this is {name}\n", 0o755)
            done = self.succeed("-dumpversion", PATH=f"{self.work}/path")
            self.assertEqual(done.stdout, f"this is {name}\n")

    def test_none(self):
        done = self.call("x.c", PATH=f"{self.work}")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^cilkc: error: no C compiler: .*\n$")

    def test_not_there(self):
        self.write("x.c", PLAIN)
        self.write("x.cilk", MIT)
        for arguments in (["x.c"], ["x.cilk"], ["x.o"], ["--version"]):
            done = self.call(*arguments, cc="no-such-compiler")
            self.assertEqual((done.returncode, done.stderr),
                             (1, "cilkc: error: cannot run 'no-such-compiler': No such file or "
                                 "directory\n"))


if __name__ == "__main__":
    driver_case.main()
