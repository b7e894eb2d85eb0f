# SPDX-License-Identifier: MIT
"""The installed tree, and a project outside of the repository that is built against it.

Usage: install_test.py CONFIGURATION.json [unittest options]

The configuration, written by tests/install/CMakeLists.txt, says which build is installed and with
which compilers the project is built. Each test installs into a fresh directory of its own.
"""

import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.commands import output as run

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIGURATION = {}

EXPECTED = {
    "CXX": "fib 6765\nsquares 332833500\nspawned 4950\nthread 0\nthrown 7\nworkers 1\n",
    "C": "fib 6765\nsum 499500\ncreator 1 posix 0 c11 0\n",
}


MPI_PROGRAMS = ("detmpicc", "detmpicxx", "detmpifort", "detmpiexec")

MPI_PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d of %d\\n", rank, size);
    return MPI_Finalize();
}
"""


def install(prefix, destination=None):
    """Installs the build; returns the directory that the prefix became."""
    added = {"DESTDIR": destination} if destination else {}
    run(
        CONFIGURATION["cmake"],
        "--install",
        CONFIGURATION["build"],
        "--prefix",
        prefix,
        **added,
    )
    return (destination or "") + prefix


def files_below(directory):
    for where, _, names in os.walk(directory):
        for name in names:
            yield os.path.join(where, name)


class Installed(unittest.TestCase):
    def setUp(self):
        self.directory = os.path.realpath(tempfile.mkdtemp(prefix="saguaro-install-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.libdir = CONFIGURATION["libdir"]

    def path(self, name):
        return os.path.join(self.directory, name)


class Tree(Installed):
    def test_has_all_files_and_no_others(self):
        root = install("/usr/local", self.path("image"))
        found = {os.path.relpath(path, root) for path in files_below(root)}
        manual = {name for name in found if re.match(r"share/man/man[1-8]/", name)}
        version = CONFIGURATION["version"]
        source = CONFIGURATION["source"]
        headers = files_below(os.path.join(source, "include", "saguaro"))
        expected = {os.path.relpath(path, source) for path in headers}
        expected |= {
            f"{self.libdir}/{name}"
            for name in (
                "libsaguaro.a",
                "libsaguaro.so",
                "libsaguaro.so.0",
                f"libsaguaro.so.{version}",
                "pkgconfig/saguaro.pc",
                "cmake/Saguaro/SaguaroConfig.cmake",
                "cmake/Saguaro/SaguaroConfigVersion.cmake",
                "cmake/Saguaro/SaguaroTargets.cmake",
                "cmake/Saguaro/SaguaroCilk.cmake",
                f"cmake/Saguaro/SaguaroTargets-{CONFIGURATION['build_type'].lower()}.cmake",
            )
        }
        if CONFIGURATION["with_cilkc"]:
            dialects = os.path.join(CONFIGURATION["source"], "tools", "cilkc", "include")
            expected |= {"bin/cilkc", "bin/cilkc++", "bin/cilk2c"}
            expected |= {
                f"{self.libdir}/saguaro/cilk/include/{os.path.relpath(path, dialects)}"
                for path in files_below(dialects)
            }
        if CONFIGURATION["with_mpi"]:
            expected |= {f"bin/{name}" for name in MPI_PROGRAMS}
            expected |= {
                f"libexec/saguaro/mpi/{name}"
                for name in ("mpicc", "mpicxx", "mpic++", "mpiCC", "mpifort", "mpif77", "mpif90",
                             "mpiexec", "mpirun")
            }
            expected |= {
                f"{self.libdir}/saguaro/mpi/{name}"
                for name in ("libmpi_abi.so", "libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12",
                             "libmpi.so.40", "libmpi_mpifh.so.40", "libmpifort.so.12", "libmpichfort.so.12", "libsaguaro_rank.so")
            }
            expected |= {f"{self.libdir}/pkgconfig/saguaro-mpi.pc", "include/saguaro-mpi/mpi.h"}
        if CONFIGURATION["with_fortran"]:
            expected |= {f"{self.libdir}/saguaro/mpi/libmpi_abi_fort.so{end}" for end in ("", ".1")}
            modules = set(os.listdir(f"{CONFIGURATION['build']}/include/mpi"))
            self.assertLessEqual({"mpif.h", "mpi.mod", "mpi_f08.mod"}, modules)
            expected |= {f"include/saguaro-mpi/{name}" for name in modules}
        if CONFIGURATION["with_topology"]:
            expected.add("bin/saguaro-topology")
        if CONFIGURATION["with_sim"]:
            expected.add("bin/saguaro-sim")
        if CONFIGURATION["with_race"]:
            expected |= {f"{self.libdir}/libsaguaro_race.a", f"{self.libdir}/pkgconfig/saguaro-race.pc"}
        self.assertEqual(found - manual, expected)
        for link in ("libsaguaro.so", "libsaguaro.so.0"):
            target = os.readlink(os.path.join(root, self.libdir, link))
            self.assertNotIn("/", target)

    def test_has_the_manual_pages_of_what_is_installed(self):
        expected = {"man7/saguaro.7", "man7/spmc.7"}
        if CONFIGURATION["with_cilkc"]:
            expected |= {"man1/cilkc.1", "man1/cilkc++.1", "man1/cilk2c.1"}
        if CONFIGURATION["with_mpi"]:
            expected |= {f"man1/{name}.1" for name in MPI_PROGRAMS}
        if CONFIGURATION["with_topology"]:
            expected.add("man1/saguaro-topology.1")
        if CONFIGURATION["with_sim"]:
            expected.add("man1/saguaro-sim.1")
        root = os.path.join(install(self.path("prefix")), "share", "man")
        self.assertEqual({os.path.relpath(path, root) for path in files_below(root)}, expected)

    def test_names_neither_the_build_nor_the_sources_nor_itself(self):
        prefix = install(self.path("prefix"))
        unwanted = [CONFIGURATION["build"], CONFIGURATION["source"], self.directory]
        checked = 0
        for path in files_below(prefix):
            with open(path, "rb") as file:
                contents = file.read()
            checked += 1
            for each in unwanted:
                # As an absolute path: not the end of a longer one.
                absolute = rb"(?<![\w.}-])" + re.escape(each.encode()) + rb"(?![\w.-])"
                self.assertIsNone(re.search(absolute, contents), f"{each} in {path}")
        self.assertGreater(checked, 10)


class Outside(Installed):
    """Builds and runs the project in `outside/` against a tree that was moved after it was
    installed."""

    def setUp(self):
        super().setUp()
        os.rename(install(self.path("first")), self.path("moved"))
        self.prefix = self.path("moved")
        self.project = self.path("project")
        shutil.copytree(os.path.join(HERE, "outside"), self.project)
        for name in ("fib_clones.h", "fib_clones.c"):
            shutil.copy(os.path.join(HERE, "..", "support", name), self.project)
        os.mkdir(os.path.join(self.project, "clones"))
        shutil.copy(os.path.join(HERE, "..", "..", "examples", "clones", "fib.h"),
                    os.path.join(self.project, "clones"))

    def check_program(self, program, language, kind):
        needed = run(CONFIGURATION["readelf"], "-dW", program)
        self.assertEqual("[libsaguaro.so.0]" in needed, kind == "shared")
        command = [*CONFIGURATION["emulator"], program]
        where = os.path.join(self.prefix, self.libdir)
        if CONFIGURATION["emulator"]:
            command = [*CONFIGURATION["emulator"], "-E", f"LD_LIBRARY_PATH={where}", program]
        printed = run(*command, LD_LIBRARY_PATH=where)
        self.assertEqual(printed, EXPECTED[language])

    def configure(self, language, *options, prefix=None):
        arguments = [
            f"-DLANGUAGE={language}",
            f"-DCMAKE_PREFIX_PATH={prefix or self.prefix}",
            f"-DCMAKE_C_COMPILER={CONFIGURATION['c']}",
            f"-DCMAKE_CXX_COMPILER={CONFIGURATION['cxx']}",
            f"-DCMAKE_BUILD_TYPE={CONFIGURATION['build_type']}",
            # A cross build's toolchain looks for packages in the target's root alone otherwise.
            "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH",
            "--no-warn-unused-cli",
        ]
        if CONFIGURATION["toolchain"]:
            arguments.append(f"-DCMAKE_TOOLCHAIN_FILE={CONFIGURATION['toolchain']}")
        return run(
            CONFIGURATION["cmake"],
            "-S",
            self.project,
            "-B",
            self.path("build"),
            *arguments,
            *options,
        )

    def with_cmake(self, language, kind, *options):
        self.configure(language, *options)
        run(CONFIGURATION["cmake"], "--build", self.path("build"))
        self.check_program(os.path.join(self.path("build"), "program"), language, kind)

    def with_pkg_config(self, language, kind):
        if shutil.which("pkg-config") is None:
            self.skipTest("no pkg-config here")
        arguments = [
            "make",
            f"CC={CONFIGURATION['c']} {CONFIGURATION['c_target']}",
            f"CXX={CONFIGURATION['cxx']} {CONFIGURATION['cxx_target']}",
            {"C": "c", "CXX": "cxx"}[language],
        ]
        if kind == "static":
            arguments.append("STATIC=1")
        description = os.path.join(self.prefix, self.libdir, "pkgconfig")
        run(*arguments, cwd=self.project, PKG_CONFIG_PATH=description)
        self.check_program(os.path.join(self.project, "program"), language, kind)

    def test_cmake_c_shared(self):
        self.with_cmake("C", "shared", "-DCOMPONENT=shared")

    def test_cmake_c_static(self):
        self.with_cmake("C", "static", "-DCOMPONENT=static")

    def test_cmake_cxx_shared(self):
        self.with_cmake("CXX", "shared", "-DCOMPONENT=shared")

    def test_cmake_cxx_static(self):
        self.with_cmake("CXX", "static", "-DCOMPONENT=static")

    def test_cmake_cxx_takes_the_shared_one_unless_told(self):
        self.with_cmake("CXX", "shared")

    def test_cmake_cxx_follows_build_shared_libs(self):
        self.with_cmake("CXX", "static", "-DBUILD_SHARED_LIBS=OFF")

    def test_cmake_embeds_the_sources(self):
        # Without a build type, in few translation units: what is looked at depends on neither.
        self.configure("C", f"-DEMBEDDED={CONFIGURATION['source']}", "-DCMAKE_BUILD_TYPE=",
                       "-DCMAKE_UNITY_BUILD=ON")
        build = self.path("build")
        targets = run(CONFIGURATION["cmake"], "--build", build, "--target", "help")
        self.assertIn("saguaro_shared", targets)
        for ours in ("pbfs", "saguaro-bench", "scheduler_run"):
            self.assertNotIn(ours, targets)
        jobs = str(len(os.sched_getaffinity(0)))
        run(CONFIGURATION["cmake"], "--build", build, "-j", jobs)
        # Neither the other kind of library nor rules that install are made for it.
        made = {os.path.basename(path) for path in files_below(build)}
        self.assertIn("libsaguaro.a", made)
        self.assertNotIn("libsaguaro.so", made)
        self.assertNotIn("SaguaroConfig.cmake", made)
        self.check_program(os.path.join(build, "program"), "C", "static")

    def test_cmake_names_a_component_that_there_is_not(self):
        with self.assertRaisesRegex(AssertionError, r"(?s)COMPONENT.*accepted.*shared.*static"):
            self.configure("CXX", "-DCOMPONENT=dynamic")

    def test_cmake_refuses_another_version(self):
        project = os.path.join(self.project, "CMakeLists.txt")
        with open(project, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("find_package(Saguaro 0.1 ", text)
        with open(project, "w", encoding="utf-8") as file:
            file.write(text.replace("find_package(Saguaro 0.1 ", "find_package(Saguaro 0.99 "))
        with self.assertRaisesRegex(AssertionError, r"(?s)version.*0\.99"):
            self.configure("CXX")

    def test_pkg_config_c_shared(self):
        self.with_pkg_config("C", "shared")

    def test_pkg_config_c_static(self):
        self.with_pkg_config("C", "static")

    def test_pkg_config_cxx_shared(self):
        self.with_pkg_config("CXX", "shared")

    def test_pkg_config_cxx_static(self):
        self.with_pkg_config("CXX", "static")


class Mpi(Installed):
    """Compiles and runs an MPI program by a tree that was moved after it was installed."""

    def setUp(self):
        super().setUp()
        if not CONFIGURATION["with_mpi"]:
            self.skipTest("this build has no MPI library")
        self.prefix = self.path("a moved one")
        os.rename(install(self.path("first")), self.prefix)
        self.program = self.path("program")
        with open(self.program + ".c", "w", encoding="utf-8") as file:
            file.write(MPI_PROGRAM)

    def check_program(self):
        printed = run(f"{self.prefix}/bin/detmpiexec", "-n", "2", self.program, LD_LIBRARY_PATH="")
        self.assertEqual(sorted(printed.splitlines()), ["0 of 2", "1 of 2"])
        self.assertEqual(run(self.program, LD_LIBRARY_PATH=""), "0 of 1\n")

    def test_mpi_compilers_and_launcher(self):
        for name in ("bin/detmpicc", "bin/detmpicxx", "libexec/saguaro/mpi/mpicc"):
            run(f"{self.prefix}/{name}", self.program + ".c", "-o", self.program)
            self.check_program()

    def test_mpi_pkg_config(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("no pkg-config here")
        self.prefix, spaces = self.path("moved"), self.prefix
        os.rename(spaces, self.prefix)
        where = os.path.join(self.prefix, self.libdir, "pkgconfig")
        options = run("pkg-config", "--cflags", "--libs", "saguaro-mpi", PKG_CONFIG_PATH=where)
        run(CONFIGURATION["c"], self.program + ".c", *options.split(), "-o", self.program)
        self.check_program()

    def test_mpi_component_is_whole(self):
        alone = self.path("alone")
        run(CONFIGURATION["cmake"], "--install", CONFIGURATION["build"], "--component", "mpi",
            "--prefix", alone)
        self.prefix = alone
        self.test_mpi_compilers_and_launcher()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as configuration:
        CONFIGURATION = json.load(configuration)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
