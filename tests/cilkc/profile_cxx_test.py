# SPDX-License-Identifier: MIT
"""cilkc++ -cilk-profile: work and critical path of C++ programs of known shape.

Usage: profile_cxx_test.py CILKC++ TOLD_TIME COMPILER... [unittest options]

profile_test.py says how a measurement is checked. The programs in C are C++ as well.
"""

import os
import unittest
from pathlib import Path

import pairs_test
import profile_test

HERE = Path(__file__).resolve().parent

SHAPES = {
    "thrown": (8, 4),
    "range": (16, 1),
    "objects": (8, 4),
    "in_thread": (8, 1),
    "operators": (16, 1),
}
# Programs whose results must not change because they are measured: all that C++ can have.
MEASURED = ("cxx_exceptions.cpp", "cxx_for.cpp", "cxx_handlers.cpp", "cxx_reducers.cpp",
            "cxx_scopes.cpp", "cxx_results.cpp", "cxx_enters.cpp", "cxx_cilk_reducer.cpp")


class CxxProfile(profile_test.Measurements):
    def test_shapes(self):
        for compiler in pairs_test.COMPILERS:
            executable = self.build(HERE / "profile/cxx_shapes.cpp", compiler, "-O2")
            with self.subTest(compiler=compiler):
                self.check_c(executable, SHAPES)

    def test_shapes_of_c(self):
        executable = self.build(HERE / "profile/shapes.c", pairs_test.COMPILERS[0], "-O2")
        self.check_c(executable, profile_test.C)

    def test_a_static_initialiser_is_measured(self):
        executable = self.build(HERE / "profile/cxx_shapes.cpp", pairs_test.COMPILERS[0], "-O1")
        self.check_c(executable, {"range": (20, 2)}, EARLY="1")

    def test_short_iterations_are_told_apart(self):
        executable = self.build(HERE / "profile/cxx_shapes.cpp", pairs_test.COMPILERS[0], "-O2")
        self.check_c(executable, {"fine": (16, 0.01)})

    def test_opencilks_names_for_work_and_span(self):
        program = HERE / "profile/work_span.c"
        executables = []
        for compiler, option in zip(pairs_test.COMPILERS * 2, ("-fcilktool=cilkscale", "-cilk-span")):
            executables.append(f"{self.directory}/work_span-{compiler}")
            self.compile(compiler, "-O2", option, program, *profile_test.told_time(), "-o",
                         executables[-1])
        for executable in executables:
            with self.subTest(executable=executable):
                self.check_work_span(executable)

    def test_one_worker_runs(self):
        executable = self.build(HERE / "profile/work_span.c", pairs_test.COMPILERS[0])
        out, err = self.run_program(executable, SAGUARO_WORKERS="2")
        self.assertEqual(err, "saguaro: -cilk-profile measures the serial order: one worker runs, not "
                              "the 2 of SAGUARO_WORKERS\n")
        self.assertEqual(list(self.work_span_lines(out.removesuffix("measured\n"))),
                         ["main", "children", "loop"])

    def test_a_recording_comes_first(self):
        executable = self.build(HERE / "profile/work_span.c", pairs_test.COMPILERS[0])
        file = f"{self.directory}/run.rec"
        out, err = self.run_program(executable, SAGUARO_RECORD=file)
        self.assertEqual(err, "")
        self.assertIn("main,0,0,0,0,0\n", out)
        self.assertGreater(Path(file).stat().st_size, 40)

    def test_files_in_c_are_measured_too(self):
        parts = {"part.c": "#include <cilk/cilk.h>\n#include \"busy.h\"\n"
                           "static void child(void) { busy(100); }\nvoid four(void);\n"
                           "void four(void) { for (int i = 0; i < 4; i++) cilk_spawn child(); }\n",
                 "main.cpp": "#include <cilk/cilk.h>\n#include <cstdio>\nextern \"C\" void four(void);\n"
                             "int main() { cilk_spawn four(); four(); cilk_sync; }\n"}
        for name, text in parts.items():
            Path(self.directory, name).write_text(text, encoding="utf-8")
        files = [f"{self.directory}/{name}" for name in parts]
        busy = ("-cilk-profile", "-O1", f"-I{HERE / 'profile'}", "-c", "-x", "c", files[0])
        self.compile(pairs_test.COMPILERS[0], *busy, "-o", f"{self.directory}/part.o")
        executable = self.build(files[1], pairs_test.COMPILERS[0], f"{self.directory}/part.o")
        self.check_c(executable, {"": (8, 1)})

    def test_results_are_the_same(self):
        for number, name in enumerate(MEASURED):
            compiler = pairs_test.COMPILERS[number % len(pairs_test.COMPILERS)]
            program = HERE / "programs" / name
            said = pairs_test.directives(program)
            with self.subTest(program=name, compiler=compiler):
                executable = self.build(program, compiler, "-O1", *said.get("options", "").split())
                self.check_run(executable, program, said, 1)


if __name__ == "__main__":
    pairs_test.SUFFIX = "cpp"
    os.environ["TOLD_TO_RECORDER"] = "yes"
    profile_test.read_command_line()
    unittest.main()
