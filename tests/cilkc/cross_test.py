# SPDX-License-Identifier: MIT
"""The C that cilk2c emits, for other processors: programs of both dialects, compiled by cross
compilers and run in an emulator.

Usage: cross_test.py CILKC SOURCES DIRECTORY [unittest options]

The library for each processor is built below the directory. A processor is skipped by name where
its compilers or the emulator are missing: Debian's g++-aarch64-linux-gnu, g++-riscv64-linux-gnu,
qemu-user. With CILKC_PAIRS=all in the environment every program is run, else some of each dialect.
"""

import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from comments import directives, output_of
from support import commands

CILKC = ""
SOURCES = Path()
DIRECTORY = Path()
HERE = Path(__file__).resolve().parent

# Every third program.
STRIDE = 1 if os.environ.get("CILKC_PAIRS") == "all" else 3


class Cross:
    """The tests of one processor."""

    processor = ""

    @classmethod
    def setUpClass(cls):
        cls.compiler = f"{cls.processor}-linux-gnu-gcc"
        cls.emulator = f"qemu-{cls.processor}"
        for tool in (cls.compiler, f"{cls.processor}-linux-gnu-g++", cls.emulator, "cmake"):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"{cls.processor}: no {tool}")
        cls.build = DIRECTORY / cls.processor
        cls.build.mkdir(parents=True, exist_ok=True)
        cls.build_library()
        cls.driver = cls.place_driver()

    @classmethod
    def build_library(cls):
        options = {
            "CMAKE_SYSTEM_NAME": "Linux",
            "CMAKE_SYSTEM_PROCESSOR": cls.processor,
            "CMAKE_C_COMPILER": cls.compiler,
            "CMAKE_CXX_COMPILER": f"{cls.processor}-linux-gnu-g++",
            "CMAKE_BUILD_TYPE": "Release",
            # It runs for moments, and compiles for half a minute.
            "CMAKE_C_FLAGS_RELEASE": "-O1 -DNDEBUG",
            "CMAKE_CXX_FLAGS_RELEASE": "-O1 -DNDEBUG",
            "CMAKE_UNITY_BUILD": "ON",
        }
        for name in ("TESTS", "BENCH", "EXAMPLES", "CILKC"):
            options[f"SG_BUILD_{name}"] = "OFF"
        defined = [f"-D{name}={value}" for name, value in options.items()]
        for command in (
            ["cmake", "-G", "Ninja", "-S", SOURCES, "-B", cls.build, *defined],
            ["cmake", "--build", cls.build, "--target", "saguaro"],
        ):
            commands.output(*command, seconds=800)

    @classmethod
    def place_driver(cls):
        """The driver with this processor's library: it goes by the file beside it."""
        driver = cls.build / "cilkc"
        shutil.copy(CILKC, driver)
        lines = (Path(CILKC).parent / "cilkc.places").read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if not line.startswith(("shared=", "archive="))]
        library = cls.build / "src"
        places = [*kept, f"shared={library}", f"archive={library}", ""]
        (cls.build / "cilkc.places").write_text("\n".join(places), encoding="utf-8")
        return driver

    # Programs that cannot do there what they show.
    not_here = ()

    def check_program(self, program):
        said = directives(program)
        if "environment" in said or said.get("status") == "failure":
            self.skipTest("not about the emitted C")
        parts = [HERE / "programs/parts" / name for name in said.get("files", "").split()]
        executable = self.build / "program"
        printed = commands.output(
            *(self.driver, f"--cc={self.compiler}", "-O2", "-static-libsaguaro"),
            *(*said.get("options", "").split(), program, *parts, "-o", executable),
        )
        self.assertEqual(printed, "")
        done = commands.run(
            *(self.emulator, "-L", f"/usr/{self.processor}-linux-gnu", executable),
            *said.get("arguments", "").split(),
            SAGUARO_WORKERS="2",
        )
        expected = (output_of(program), "", 0)
        self.assertEqual((done.stdout, done.stderr, done.returncode), expected)

    def test_programs(self):
        for suffix in ("c", "cilk"):
            for program in sorted((HERE / "programs").glob(f"*.{suffix}"))[::STRIDE]:
                if program.name in self.not_here:
                    continue
                with self.subTest(program=program.name):
                    self.check_program(program)


class Aarch64(Cross, unittest.TestCase):
    processor = "aarch64"


class Riscv64(Cross, unittest.TestCase):
    processor = "riscv64"
    # The unwinder there does not find `exit` among the callers (platform::thread_is_exiting).
    not_here = ("reducer_exit.c",)


if __name__ == "__main__":
    CILKC, SOURCES, DIRECTORY = (Path(sys.argv.pop(1)).resolve() for _ in range(3))
    unittest.main()
