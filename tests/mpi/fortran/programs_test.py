# SPDX-License-Identifier: MIT
"""Fortran programs over all faces: with the modules of the standard ABI and an mpif.h that is like Open
MPI's, and as the compilers of MPICH and Open MPI make them, which then run over Saguaro's library."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAUNCHER, MPICH_FOLDER, OMPI_FOLDER, *NATIVE = sys.argv[1:]
SOURCES = Path(__file__).parent
COMPILER = shutil.which("mpif90.mpich")
OMPI_COMPILER = shutil.which("mpif90.openmpi")
OMPI_HEADERS = sorted(Path("/usr/lib").glob("*/openmpi/include/mpif.h"))
# It has what MPI 3.1 has.
OMPI_SOURCES = ("mpif_test.f", "mpi_test.f90", "mpi3_f08_test.f90")
RANKS = ("2", "3", "7")


class Programs(unittest.TestCase):
    def runs(self, program, **environment):
        for ranks in RANKS:
            with self.subTest(program=Path(program).name, ranks=ranks):
                done = subprocess.run(
                    [LAUNCHER, "-n", ranks, program],
                    capture_output=True,
                    text=True,
                    timeout=300,
                    check=False,
                    env={**os.environ, **environment},
                )
                self.assertEqual((done.stdout.strip(), done.stderr), ("no errors", ""))
                self.assertEqual(done.returncode, 0)

    @unittest.skipUnless(NATIVE, "no gfortran")
    def test_standard_abi(self):
        for program in NATIVE:
            self.runs(program)

    def compiles_and_runs(self, compiler, source, library_folder):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/{source.stem}"
            options = ["-fallow-argument-mismatch", "-w", "-J", folder, "-o", program]
            subprocess.run([compiler, *options, str(source)], check=True)
            self.runs(program, LD_LIBRARY_PATH=library_folder)

    @unittest.skipUnless(COMPILER, "no mpif90.mpich (Debian: libmpich-dev, gfortran)")
    def test_binaries_of_mpich(self):
        for source in sorted(SOURCES.glob("*.f*")):
            self.compiles_and_runs(COMPILER, source, MPICH_FOLDER)

    @unittest.skipUnless(OMPI_COMPILER and OMPI_HEADERS, "no Open MPI (Debian: libopenmpi-dev, gfortran)")
    def test_binaries_of_open_mpi(self):
        for name in OMPI_SOURCES:
            self.compiles_and_runs(OMPI_COMPILER, SOURCES / name, OMPI_FOLDER)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
