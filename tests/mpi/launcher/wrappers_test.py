# SPDX-License-Identifier: MIT
"""detmpicc and its other names: the commands that they run, and that CMake finds them.

Usage: wrappers_test.py FOLDER-OF-THE-PROGRAMS CMAKE [unittest options]
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS, CMAKE = (os.path.realpath(word) for word in sys.argv[1:3])
NAMES = f"{PROGRAMS}/mpi"

RANKS = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d of %d%s\\n", rank, size, TEXT);
    return MPI_Finalize();
}
"""

# Functions and types that MPI 3 removed.
OLD = """
#include <mpi.h>
#include <stdio.h>
struct item { double value; char name; };
static int failures;
static void count(MPI_Comm *comm, int *error, ...) { failures += comm != 0 && *error != 0; }
int main(int argc, char **argv) {
    struct item items[2];
    int lengths[] = {1, 1, 1};
    MPI_Aint begin, extent, lower, upper, places[3];
    MPI_Datatype type, types[] = {MPI_DOUBLE, MPI_CHAR, MPI_UB};
    MPI_Handler_function *handle = count;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Address(items, &begin);
    MPI_Address(&items[0].value, &places[0]);
    MPI_Address(&items[0].name, &places[1]);
    MPI_Address(&items[1], &places[2]);
    for (int i = 0; i < 3; i++)
        places[i] -= begin;
    MPI_Type_struct(3, lengths, places, types, &type);
    MPI_Type_extent(type, &extent);
    MPI_Type_lb(type, &lower);
    MPI_Type_ub(type, &upper);
    MPI_Errhandler_create(handle, &handler);
    MPI_Errhandler_set(MPI_COMM_WORLD, handler);
    MPI_Send(items, 1, type, -9, 0, MPI_COMM_WORLD);
    printf("%d %d %d %d\\n", (int)extent, (int)lower, (int)upper, failures);
    return MPI_Finalize();
}
"""

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(MPI 4.1 REQUIRED)
foreach(language C CXX)
    add_executable(${language} ranks.${language})
    target_compile_definitions(${language} PRIVATE TEXT="")
    target_link_libraries(${language} PRIVATE MPI::MPI_${language})
    message(STATUS "CALLS ${MPIEXEC_EXECUTABLE}")
endforeach()
"""


def environment(**variables):
    wrong = ("DETMPI_", "MPICH_", "OMPI_", "LD_LIBRARY_PATH")
    return {k: v for k, v in os.environ.items() if not k.startswith(wrong)} | variables


def run(*words, code=0, **variables):
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True, text=True, timeout=300, check=False, env=environment(**variables))
    if done.returncode != code:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def shown(name, *words, **variables):
    return shlex.split(run(f"{PROGRAMS}/{name}", "-show", *words, **variables))


class Wrappers(unittest.TestCase):
    def setUp(self):
        self.place = Path(tempfile.mkdtemp(prefix="saguaro-wrappers-"))
        self.addCleanup(shutil.rmtree, self.place)
        self.source = self.place / "ranks.c"
        self.source.write_text(RANKS, encoding="utf-8")

    def check_program(self, program, text=""):
        printed = run(f"{NAMES}/mpiexec", "-n", "2", program)
        self.assertEqual(sorted(printed.splitlines()), [f"{i} of 2{text}" for i in range(2)])
        # Without a launcher it finds the library by itself.
        self.assertEqual(run(program), f"0 of 1{text}\n")

    def test_program_is_compiled_and_runs(self):
        for name in ("detmpicc", "detmpicxx", "mpi/mpicc", "mpi/mpicxx", "mpi/mpic++", "mpi/mpiCC"):
            with self.subTest(name=name):
                run(f"{PROGRAMS}/{name}", "-O1", '-DTEXT=" a  b"', self.source, "-o",
                    self.place / "made")
                self.check_program(self.place / "made", " a  b")

    def test_program_may_use_what_mpi_3_removed(self):
        self.source.write_text(OLD, encoding="utf-8")
        run(f"{NAMES}/mpicc", self.source, "-o", self.place / "made")
        self.assertEqual(run(self.place / "made"), "16 0 16 1\n")

    def test_compiling_and_linking_are_two_steps_for_who_wants_them(self):
        made = self.place / "made.o"
        run(f"{NAMES}/mpicc", "-DTEXT=\"\"", "-c", self.source, "-o", made)
        run(f"{NAMES}/mpicc", made, "-o", self.place / "made")
        self.check_program(self.place / "made")

    def test_fortran_without_its_layer_gets_a_line(self):
        script = self.place / "detmpifort"
        shutil.copy(os.path.realpath(f"{PROGRAMS}/detmpifort"), script)
        done = subprocess.run([script, "a.f90"], capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "^detmpifort: .*Fortran layer.*\n$")

    def test_compiler_is_chosen(self):
        self.assertEqual(shown("detmpicc", "a.c")[0], "cc")
        self.assertEqual(shown("detmpicxx", "a.c")[0], "c++")
        self.assertEqual(shown("detmpicc", "a.c", "-cc=clang -m64")[:2], ["clang", "-m64"])
        self.assertEqual(shown("detmpicxx", "a.c", "-cxx=clang++")[0], "clang++")
        known = {"DETMPI": "first", "MPICH": "second", "OMPI": "third"}
        for language, name in (("CC", "detmpicc"), ("CXX", "detmpicxx")):
            rest = dict(known)
            for library, compiler in known.items():
                variables = {f"{k}_{language}": v for k, v in rest.items()}
                self.assertEqual(shown(name, "a.c", **variables)[0], compiler)
                del rest[library]

    def test_shown_command_is_the_one_that_runs(self):
        words = shown("detmpicc", "-DTEXT=\" it's\"", self.source, "-o", self.place / "made")
        run(*words)
        self.check_program(self.place / "made", " it's")
        self.assertEqual(words[-1], "-lmpi_abi")

    def test_libraries_are_named_only_where_something_is_linked(self):
        for words in (["-c", "a.c"], ["-E", "a.c"], ["-S", "a.c"]):
            self.assertNotIn("-lmpi_abi", shown("detmpicc", *words))
        self.assertIn("gcc version", run(f"{PROGRAMS}/detmpicc", "-cc=gcc", "-v"))
        link = shown("detmpicc", "a.c", "-profile=counts")
        self.assertLess(link.index("-lcounts"), link.index("-lmpi_abi"))

    def test_compile_and_link_are_shown_apart(self):
        for asked, has_include, has_library, begins in (
            ("-compile_info", True, False, "cc"), ("-link_info", False, True, "cc"),
            ("-showme:compile", True, False, "-I"), ("-showme:link", False, True, "-L")):
            words = shlex.split(run(f"{PROGRAMS}/detmpicc", asked))
            self.assertEqual(any(w.startswith("-I") for w in words), has_include)
            self.assertEqual("-lmpi_abi" in words, has_library)
            self.assertTrue(words[0].startswith(begins))

    def test_wrong_words_get_a_line(self):
        printed = run(f"{PROGRAMS}/detmpicc", "-showme:version", code=1)
        self.assertEqual(printed, "detmpicc: -showme:version is not known "
                                  "(detmpicc --help tells more)\n")
        self.assertIn("-profile=NAME", run(f"{PROGRAMS}/detmpicxx", "--help"))

    def test_cmake_finds_them(self):
        for language in ("C", "CXX"):
            suffix = {"C": "c", "CXX": "cpp"}[language]
            (self.place / f"ranks.{language}.{suffix}").write_text(RANKS, encoding="utf-8")
        project = PROJECT.replace("ranks.${language}", "ranks.${language}.${suffix_${language}}")
        (self.place / "CMakeLists.txt").write_text(
            "set(suffix_C c)\nset(suffix_CXX cpp)\n" + project, encoding="utf-8")
        path = f"{NAMES}:{os.environ['PATH']}"
        printed = run(CMAKE, "-S", self.place, "-B", self.place / "build", PATH=path)
        self.assertIn(f"CALLS {NAMES}/mpiexec", printed)
        run(CMAKE, "--build", self.place / "build", PATH=path)
        for language in ("C", "CXX"):
            self.check_program(self.place / "build" / language)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
