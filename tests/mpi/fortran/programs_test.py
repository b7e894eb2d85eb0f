# SPDX-License-Identifier: MIT
"""Fortran programs over both faces: with the modules of the standard ABI, and as MPICH's compiler makes
them, which then run over Saguaro's library."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAUNCHER, MPICH_FOLDER, *NATIVE = sys.argv[1:]
SOURCES = Path(__file__).parent
COMPILER = shutil.which("mpif90.mpich")
RANKS = ("2", "3", "7")


class Programs(unittest.TestCase):
    def runs(self, program, **environment):
        for ranks in RANKS:
            with self.subTest(program=Path(program).name, ranks=ranks):
                done = subprocess.run(
                    [LAUNCHER, "-n", ranks, program],
                    capture_output=True,
                    text=True,
                    timeout=60,
                    check=False,
                    env={**os.environ, **environment},
                )
                self.assertEqual((done.stdout.strip(), done.stderr), ("no errors", ""))
                self.assertEqual(done.returncode, 0)

    @unittest.skipUnless(NATIVE, "no gfortran")
    def test_standard_abi(self):
        for program in NATIVE:
            self.runs(program)

    @unittest.skipUnless(COMPILER, "no mpif90.mpich (Debian: libmpich-dev, gfortran)")
    def test_binaries_of_mpich(self):
        for source in sorted(SOURCES.glob("*.f*")):
            with tempfile.TemporaryDirectory() as folder:
                program = f"{folder}/{source.stem}"
                options = ["-fallow-argument-mismatch", "-w", "-J", folder, "-o", program]
                subprocess.run([COMPILER, *options, str(source)], check=True)
                self.runs(program, LD_LIBRARY_PATH=MPICH_FOLDER)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
