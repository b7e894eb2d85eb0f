# SPDX-License-Identifier: MIT
"""The wheel of `make wheel`: what its files need, and that it works in an environment of its own, wherever
that is moved.

Usage: wheel_test.py ROOT-OF-THE-REPOSITORY [unittest options]
"""

import base64
import csv
import hashlib
import importlib.util
import io
import re
import shutil
import sys
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from commands import output, run

ROOT = Path()

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(void) {
    int rank, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d of %d\\n", rank, size);
    return MPI_Finalize();
}
"""


def files_of(folder):
    return {path for path in folder.rglob("*") if not path.is_dir() and "__pycache__" not in path.parts}


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec("ensurepip") is None:
            raise unittest.SkipTest("no environment can be made: python3-venv is not here")
        place = tempfile.TemporaryDirectory(prefix="saguaro-wheel-")
        cls.addClassCleanup(place.cleanup)
        cls.place = Path(place.name)
        printed = output(ROOT / "packaging" / "wheel" / "build-wheel", cls.place, seconds=1500)
        (cls.wheel,) = cls.place.glob("*.whl")
        assert cls.wheel.name in printed, printed

    def setUp(self):
        self.environment = self.place / self.id().rpartition(".")[2]
        venv.create(self.environment, with_pip=True, symlinks=True)

    def pip(self, *words):
        output(self.environment / "bin" / "python", "-m", "pip", "-q", *words)

    def install(self):
        self.pip("install", "--no-index", "--no-deps", self.wheel)

    def runs(self, environment, compiler):
        source = environment / "program.c"
        source.write_text(PROGRAM, "utf-8")
        output(environment / compiler, source, "-o", environment / "program")
        printed = output(environment / "bin" / "detmpiexec", "-n", "3", environment / "program")
        self.assertEqual(sorted(printed.splitlines()), ["0 of 3", "1 of 3", "2 of 3"])

    def test_record_has_every_file(self):
        with zipfile.ZipFile(self.wheel) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        (record,) = (name for name in files if name.endswith("/RECORD"))
        rows = {name: digest for name, digest, _ in csv.reader(io.StringIO(files[record].decode()))}
        self.assertEqual(set(rows), set(files))
        for name, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            self.assertIn(rows[name], ("" if name == record else "-", f"sha256={digest}"))

    def test_files_need_no_more_than_the_tag_says(self):
        self.install()
        tag = re.search(r"-py3-none-manylinux_2_(\d+)_\w+\.whl$", self.wheel.name)
        self.assertEqual(tag[1], "28")
        binaries = [path for path in files_of(self.environment)
                    if path.name == "detmpiexec" or ".so." in path.name or "saguaro" in path.name]
        binaries = [path for path in binaries if path.read_bytes()[:4] == b"\x7fELF"]
        self.assertGreater(len(binaries), 5)
        for path in binaries:
            with self.subTest(path=path):
                described = output("objdump", "-p", path)
                newest = max((int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", described)), default=0)
                self.assertLessEqual(newest, 28)
                needed = re.findall(r"NEEDED +(.*)", described)
                self.assertNotIn("libstdc++.so.6", needed)
                # Before glibc 2.34 they are what has the threads, whatever this machine's linker needs.
                if "libc.so.6" in needed:
                    self.assertLessEqual({"libpthread.so.0", "libdl.so.2"}, set(needed))
                self.assertLessEqual(set(re.findall(r"R(?:UN)?PATH +(.*)", described)), {"$ORIGIN"})

    def test_programs_run_where_the_environment_is_moved(self):
        self.install()
        moved = self.place / "another place"
        shutil.copytree(self.environment, moved, symlinks=True)
        shutil.rmtree(self.environment)
        self.runs(moved, "bin/detmpicc")
        self.runs(moved, "libexec/saguaro/mpi/mpicc")
        launcher = moved / "libexec" / "saguaro" / "mpi" / "mpiexec"
        self.assertEqual(output(launcher, "-n", "1", "./program", cwd=moved), "0 of 1\n")

    def test_program_that_is_compiled_for_debians_mpich_runs(self):
        self.install()
        if shutil.which("mpicc.mpich") is None:
            self.skipTest("mpicc.mpich is not here")
        self.runs(self.environment, shutil.which("mpicc.mpich"))

    def test_pool_runs(self):
        self.install()
        script = "import saguaro\nwith saguaro.Pool(2) as pool: print(pool.map(lambda x: x * x, range(4)))"
        self.assertEqual(output(self.environment / "bin" / "python", "-c", script), "[0, 1, 4, 9]\n")
        # A rank can have one as well.
        printed = output(self.environment / "bin" / "detmpiexec", "-n", "2", self.environment / "bin" / "python", "-c",
                         script)
        self.assertEqual(printed, "[0, 1, 4, 9]\n" * 2)

    def test_nothing_stays_behind(self):
        before = files_of(self.environment)
        self.install()
        self.assertTrue(files_of(self.environment) - before)
        self.pip("uninstall", "-y", "saguaro-mpi")
        self.assertEqual(files_of(self.environment), before)

    def test_mpi4py_runs(self):
        self.install()
        python = self.environment / "bin" / "python"
        if run(python, "-m", "pip", "install", "-q", "mpi4py").returncode != 0:
            self.skipTest("mpi4py cannot be had")
        script = "from mpi4py import MPI; print(MPI.COMM_WORLD.allreduce(MPI.COMM_WORLD.rank + 1))"
        self.assertEqual(output(self.environment / "bin" / "detmpiexec", "-n", "3", python, "-c", script),
                         "6\n6\n6\n")


if __name__ == "__main__":
    ROOT = Path(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
