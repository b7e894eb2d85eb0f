# SPDX-License-Identifier: MIT
"""The driver as cilkc++: which files are C++, what goes to the translator, under which standard the
result is compiled.

Usage: cxx_test.py CILKC COMPILER... [unittest options]
"""

import os
import subprocess

import driver_case
from driver_case import DriverCase, main, needed

CXX_CILK = """#include <cilk/cilk.h>
#include <cstdio>
static int f(int n) { return n + VALUE; }
int main() {
    int x = cilk_spawn f(40);
    cilk_sync;
    std::printf("%d\\n", x);
    return 0;
}
"""

PLAIN = "#include <iostream>\nint main() { std::cout << \"plain\" << std::endl; }\n"
PART = "extern \"C\" int part() { return 5; }\n"


class Cxx(DriverCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.driver = f"{cls.top}/bin/cilkc++"

    def each_compiler(self):
        for compiler in driver_case.COMPILERS:
            with self.subTest(compiler=compiler):
                yield compiler

    def call_program(self, name):
        return subprocess.run([f"{self.work}/{name}"], check=False, timeout=300).returncode

    def commands(self, *arguments, cc):
        return self.succeed("-###", *arguments, cc=cc).stderr.splitlines()

    def test_cilk_goes_through_the_translator(self):
        self.write("p.cpp", CXX_CILK)
        for compiler in self.each_compiler():
            self.succeed("-DVALUE=2", "-O1", "p.cpp", "-o", "program", cc=compiler)
            self.assertEqual(self.output_of("program"), "42\n")
            self.assertIn("--dialect=cxx", self.translations()[-1])

    def test_plain_files_pass_through(self):
        self.write("plain.cpp", PLAIN)
        self.write("part.cc", PART)
        for compiler in self.each_compiler():
            self.succeed("plain.cpp", "part.cc", "-o", "program", cc=compiler)
            self.assertEqual(self.output_of("program"), "plain\n")
            self.assertEqual(self.translations(), [])
            self.assertFalse(any("saguaro" in name for name in needed(f"{self.work}/program")))

    def test_several_files_in_one_call(self):
        self.write("p.cpp", CXX_CILK.replace("VALUE", "part()").replace(
            "static", "extern \"C\" int part();\nstatic"))
        self.write("part.cc", PART)
        self.write("c.c", "int of_c(void) { int class_ = 1; return class_; }\n")
        for compiler in self.each_compiler():
            self.succeed("p.cpp", "part.cc", "-x", "c", "c.c", "-o", "program", cc=compiler)
            self.assertEqual(self.output_of("program"), "45\n")
            self.assertEqual(len(self.translations()), 1)
            os.remove(self.log)

    def test_a_c_file_is_cxx_as_with_gxx(self):
        self.write("p.c", CXX_CILK)
        for compiler in self.each_compiler():
            self.succeed("-DVALUE=3", "-w", "p.c", "-o", "program", cc=compiler)
            self.assertEqual(self.output_of("program"), "43\n")

    def test_standards_below_cxx14_are_raised_behind_the_translator_alone(self):
        self.write("p.cpp", "#include <cilk/cilk.h>\nlong standard = __cplusplus;\n"
                            "void g();\nvoid f() { cilk_spawn g(); }\n")
        for compiler in self.each_compiler():
            for given, behind in (("-std=c++98", "-std=c++14"), ("-std=gnu++0x", "-std=gnu++14"),
                                  ("-std=c++11", "-std=c++14"), ("-std=c++17", "-std=c++17"),
                                  ("-std=gnu++20", "-std=gnu++20"), ("-ansi", "-std=c++14")):
                with self.subTest(given=given):
                    said = self.commands(given, "-c", "p.cpp", cc=compiler)
                    self.assertIn(behind, said[-1].split())
                    self.assertIn("-x c++-cpp-output", said[-1])
            self.succeed("-std=c++98", "-E", "p.cpp", "-o", "p.ii", cc=compiler)
            self.assertIn("long standard = 199711L", self.read("p.ii"))

    def test_old_files_with_a_header_alone_are_raised_as_well(self):
        self.write("p.cpp", "#include <cilk/cilk.h>\nint main() { return 3; }\n")
        for compiler in self.each_compiler():
            for standard in ("-std=c++98", "-std=c++11", "-std=c++17"):
                self.succeed(standard, "-Wall", "-Wextra", "-Werror", "p.cpp", "-o", "p",
                             cc=compiler)
                self.assertEqual(self.call_program("p"), 3)
        self.assertEqual(sum("--dialect=cxx" in one for one in self.translations()), 4)

    def test_variables_stay_until_the_sync(self):
        self.write("p.cpp", CXX_CILK)
        for compiler in self.each_compiler():
            # Each compiler refuses the other one's option.
            self.succeed("-DVALUE=2", "-Werror", "-c", "p.cpp", cc=compiler)
            self.succeed("-DVALUE=2", "-Werror", "-fsanitize=address", "-c", "p.cpp", cc=compiler)
        said = self.commands("-DVALUE=2", "-c", "p.cpp", cc="g++")
        self.assertIn("-fstack-reuse=none", said[-1].split())
        self.assertNotIn("use-after-scope", said[-1])
        said = self.commands("-DVALUE=2", "-fsanitize=address,undefined", "-c", "p.cpp", cc="g++")
        self.assertIn("-fno-sanitize-address-use-after-scope", said[-1].split())

    def test_cilk_is_predefined(self):
        self.write("p.cpp", "#if __cilk < 200\n#error no Cilk\n#endif\nint x;\n")
        for compiler in self.each_compiler():
            self.succeed("-c", "p.cpp", cc=compiler)

    def test_each_stage(self):
        self.write("p.cpp", CXX_CILK)
        for compiler in self.each_compiler():
            self.succeed("-DVALUE=2", "-S", "p.cpp", cc=compiler)
            self.assertIn("main", self.read("p.s"))
            self.succeed("-DVALUE=2", "-fsyntax-only", "p.cpp", cc=compiler)
            text = self.succeed("-DVALUE=2", "-E", "p.cpp", cc=compiler).stdout
            self.assertIn("cxx_was_included", text)
            self.succeed("-DVALUE=2", "-MMD", "-c", "p.cpp", cc=compiler)
            self.assertRegex(self.read("p.d"), r"^p\.o: p\.cpp")
            self.write("kept.ii", text)
            self.succeed("kept.ii", "-o", "program", cc=compiler)
            self.assertEqual(self.output_of("program"), "42\n")
            self.succeed("-DVALUE=2", "-save-temps", "p.cpp", "-o", "program", cc=compiler)
            self.assertLessEqual({"p.ii", "p.cilk.ii", "p.s"}, set(self.files()))
            for name in self.files():
                if name != "p.cpp":
                    os.remove(os.path.join(self.work, name))

    def test_headers_without_cilk_in_them_are_precompiled(self):
        self.write("all.hpp", "#include <cilk/cilk.h>\nint f(int n);\n")
        self.write("use.cpp", "#include \"all.hpp\"\nint f(int n) { return n; }\n"
                              "int main() { int x = cilk_spawn f(7); cilk_sync; return x; }\n")
        for compiler in self.each_compiler():
            for options in (("all.hpp",), ("-x", "c++-header", "all.hpp")):
                self.succeed(*options, "-o", "all.hpp.gch", cc=compiler)
                self.assertGreater(os.path.getsize(f"{self.work}/all.hpp.gch"), 1000)
                use = ("-include-pch", "all.hpp.gch") if "clang" in compiler else ()
                self.succeed(*use, "use.cpp", "-o", "program", cc=compiler)
                self.assertEqual(self.call_program("program"), 7)
                os.remove(f"{self.work}/all.hpp.gch")
            self.write("spawns.hpp", "#include <cilk/cilk.h>\n"
                                     "inline void g(void (*f)()) { cilk_spawn f(); }\n")
            done = self.call("spawns.hpp", cc=compiler)
            self.assertEqual(done.stderr,
                             "cilkc++: error: spawns.hpp: a header with Cilk in it cannot be "
                             "precompiled: the translator has to see it in each file\n")
            self.assertFalse(os.path.exists(f"{self.work}/spawns.hpp.gch"))

    def test_options_of_other_compilers_mean_nothing(self):
        self.write("p.cpp", CXX_CILK)
        for compiler in self.each_compiler():
            self.succeed("-fopencilk", "-fcilkplus", "-DVALUE=2", "p.cpp", "-lcilkrts", "-o",
                         "program", cc=compiler)
            self.assertEqual(self.output_of("program"), "42\n")

    def test_serial_is_for_the_translator(self):
        self.write("p.cpp", CXX_CILK)
        for compiler in self.each_compiler():
            self.succeed("-fcilk-serial", "-DVALUE=2", "-c", "p.cpp", cc=compiler)
            self.assertIn("--serial", self.translations()[-1])

    def test_words_without_their_header_go_to_the_translator(self):
        self.write("p.cpp", "void f();\nint main() { cilk_spawn f(); }\n")
        for compiler in self.each_compiler():
            self.call("-c", "p.cpp", cc=compiler)
            self.assertEqual(len(self.translations()), 1)
            os.remove(self.log)

    def test_what_is_refused_gets_one_line(self):
        self.write("p.cpp", CXX_CILK)
        self.write("p.cilk", "cilk int main(void) { return 0; }\n")
        for arguments, line in (
            (("-c", "p.cilk"), "p.cilk: MIT Cilk is C, which cilkc compiles"),
            (("--cc=cilkc++ -O2", "p.cpp"), None),
        ):
            with self.subTest(arguments=arguments):
                done = self.call(*arguments, PATH=f"{self.top}/bin:{os.environ['PATH']}")
                self.assertEqual(done.returncode, 1)
                expected = line or "--cc=cilkc++ -O2: expected a C++ compiler"
                self.assertEqual(done.stderr, f"cilkc++: error: {expected}\n")

    def test_the_compiler_is_cxx_of_the_environment(self):
        self.write("p.cpp", CXX_CILK)
        for compiler in self.each_compiler():
            said = self.call("--version", CXX=compiler)
            self.assertIn("cilkc++ (Saguaro)", said.stdout)
            said = self.call("-###", "-DVALUE=1", "-c", "p.cpp", CXX=compiler)
            self.assertTrue(said.stderr.splitlines()[-1].split()[0] == compiler, said.stderr)
        said = self.call("-###", "-c", "p.cpp", CXX=self.driver)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("usage: cilkc++", self.succeed("--help").stdout)


if __name__ == "__main__":
    main()
