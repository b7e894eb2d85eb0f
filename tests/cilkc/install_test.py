# SPDX-License-Identifier: MIT
"""cilkc as it is installed: it finds everything from where it lies, and CMake's projects use it.

Usage: install_test.py CMAKE BUILD COMPILER [unittest options]
"""

import os
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from comments import output_of
from support import commands

CMAKE = ""
BUILD = ""
COMPILER = ""
HERE = Path(__file__).resolve().parent


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = os.path.realpath(tempfile.mkdtemp(prefix="cilkc-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        first = f"{cls.directory}/first"
        cls.run_command(CMAKE, "--install", BUILD, "--prefix", first)
        # What is installed names no place: it may be moved.
        cls.prefix = f"{cls.directory}/moved"
        os.rename(first, cls.prefix)

    @classmethod
    def run_command(cls, *command):
        return commands.output(*command, cwd=cls.directory, SAGUARO_WORKERS="2")

    def test_driver(self):
        cilkc = f"{self.prefix}/bin/cilkc"
        for name in ("fib.c", "fib.cilk", "reducer_library.c", "workers.cilk"):
            for option in ((), ("-static-libsaguaro",)):
                with self.subTest(name=name, option=option):
                    program = HERE / "programs" / name
                    self.run_command(cilkc, *option, program, "-o", "program")
                    self.assertEqual(self.run_command("./program"), output_of(program))

    def test_driver_in_cxx(self):
        program = HERE / "programs/cxx_fib.cpp"
        for option in ((), ("-static-libsaguaro",)):
            with self.subTest(option=option):
                self.run_command(f"{self.prefix}/bin/cilkc++", *option, program, "-o", "program")
                self.assertEqual(self.run_command("./program"), output_of(program))

    def test_it_uses_nothing_of_the_build(self):
        cilkc = f"{self.prefix}/bin/cilkc"
        said = self.run_command(cilkc, "-###", HERE / "programs/fib.cilk")
        self.assertIn(f"{self.prefix}/bin/cilk2c", said)
        self.assertNotIn(os.path.realpath(BUILD), said)
        self.assertLessEqual({"cilk2c", "cilkc"}, set(os.listdir(f"{self.prefix}/bin")))

    def test_project(self):
        project = f"{self.directory}/project"
        shutil.copytree(HERE / "project", project)
        for kind in ("ON", "OFF"):
            with self.subTest(shared=kind):
                build = f"{self.directory}/build-{kind}"
                self.run_command(
                    *(CMAKE, "-S", project, "-B", build, f"-DCMAKE_C_COMPILER={COMPILER}"),
                    *(f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DBUILD_SHARED_LIBS={kind}"),
                )
                self.run_command(CMAKE, "--build", build)
                self.assertEqual(
                    self.run_command(f"{build}/count"), "1024 8 hello world 7 3 1\n"
                )
                self.assertEqual(self.run_command(f"{build}/user"), "1116\n")
                self.assertEqual(self.run_command(f"{build}/sum"), "1024 201103 7\n")
        time.sleep(1.1)  # make goes by seconds
        header = Path(project, "headers/from_header.h")
        header.write_text("#define FROM_HEADER 8\n", encoding="utf-8")
        said = self.run_command(CMAKE, "--build", build)
        self.assertIn("Building Cilk object count.cilk.o", said)
        self.assertNotIn("leaves.c.o", said)
        self.assertEqual(self.run_command(f"{build}/count"), "1024 8 hello world 8 3 1\n")

    def test_bad_uses_in_a_project(self):
        head = "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES C)\n"
        find = "find_package(Saguaro REQUIRED COMPONENTS cilk)\n"
        for body, message in (
            (find + "target_cilk_sources(nothing PRIVATE x.c)\n", "'nothing' is not a target"),
            (find + "add_cilk_executable(empty)\n", "no files"),
            (find.replace("cilk)", "silk)"), "accepted are shared, static and cilk"),
        ):
            with self.subTest(message=message):
                where = tempfile.mkdtemp(dir=self.directory)
                Path(where, "CMakeLists.txt").write_text(head + body, encoding="utf-8")
                with self.assertRaises(AssertionError) as caught:
                    self.run_command(
                        *(CMAKE, "-B", where, "-S", where),
                        f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    )
                self.assertIn(message, " ".join(str(caught.exception).split()))


if __name__ == "__main__":
    CMAKE, BUILD, COMPILER = (sys.argv.pop(1) for _ in range(3))
    unittest.main()
