# SPDX-License-Identifier: MIT
"""Files that the library writes, and programs with rights that their caller lacks."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, environment, without

STRANGER = 65534
AS_A_STRANGER = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]

# By which mode and variable the program writes a file, and the file's name.
WRITERS = [("record", "SAGUARO_RECORD", "run.rec"), ("vms", "SAGUARO_VMS_TRACE", "vms.svg"),
           ("lines", "CILKSCALE_OUT", "lines.csv")]
SPACES = [("space", "SAGUARO_TRACE", "trace.json")]


def writers():
    # Spaces do not run under the thread sanitizer.
    return WRITERS + (SPACES if process_case.SANITIZER != "thread" else [])


class Files(ProcessCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def write(self, mode, variable, file):
        return subprocess.run(
            [self.program, mode], env={**environment({}), variable: str(file)}, umask=0,
            capture_output=True, text=True, timeout=300, check=False)

    def test_they_are_their_owner_s_alone(self):
        for mode, variable, name in writers():
            with self.subTest(variable):
                file = self.directory / name
                done = self.write(mode, variable, file)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
                self.assertGreater(file.stat().st_size, 0)

    def test_a_symbolic_link_is_refused(self):
        for mode, variable, name in writers():
            with self.subTest(variable):
                target = self.directory / ("target-of-" + name)
                target.write_text("precious")
                link = self.directory / name
                link.symlink_to(target)
                done = self.write(mode, variable, link)
                self.assertIn("Too many levels of symbolic links", done.stderr)
                self.assertEqual(target.read_text(), "precious")

    def test_a_dangling_link_makes_no_file(self):
        for mode, variable, name in writers():
            with self.subTest(variable):
                link = self.directory / name
                link.symlink_to(self.directory / "elsewhere")
                self.write(mode, variable, link)
                self.assertFalse((self.directory / "elsewhere").exists())

    def test_standard_output_is_no_link(self):
        """/dev/stdout is a link, and stands for the descriptor."""
        done = self.write("lines", "CILKSCALE_OUT", "/dev/stdout")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertIn("all,2e-09", done.stdout)


class Privileges(ProcessCase):
    """A copy of the program that belongs to root and is set-uid, run by another user."""

    def setUp(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("only root can make a set-uid program of root's, and run it as another user")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.directory.chmod(0o755)
        self.copy = self.directory / "program"
        shutil.copy(self.program, self.copy)
        self.copy.chmod(0o4755)
        if self.run_copy("rights").stdout != "more than the caller\n":
            self.skipTest("set-uid programs have no effect here (nosuid, or no new privileges)")

    def run_copy(self, mode, **variables):
        return subprocess.run([*AS_A_STRANGER, self.copy, mode],
                              env={**environment({}), **variables}, capture_output=True, text=True,
                              timeout=300, check=False)

    @without(["address", "thread"], "its runtime is no part of set-uid programs")
    def test_no_file_is_made(self):
        for mode, variable, name in writers():
            with self.subTest(variable):
                file = self.directory / name
                done = self.run_copy(mode, **{variable: str(file)})
                self.assertEqual((done.stderr, done.returncode), ("", 0))
                self.assertFalse(file.exists())

    @without(["address", "thread"], "its runtime is no part of set-uid programs")
    def test_no_file_is_read(self):
        """Else the line on what is wrong with the file tells the caller what root can see."""
        settings = {"SAGUARO_TOPOLOGY": "/root/no-such-file.xml"}
        plain = subprocess.run([self.program, "record"], env={**environment({}), **settings},
                               capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(plain.returncode, 2)
        done = self.run_copy("record", **settings)
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    @without(["address", "thread"], "its runtime is no part of set-uid programs")
    def test_the_caller_s_memory_is_no_job(self):
        settings = {"SAGUARO_SPMC_JOB": "900,901,2"}
        plain = subprocess.run([self.program, "space"], env={**environment({}), **settings},
                               capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(plain.returncode, 2)
        done = self.run_copy("space", **settings)
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    @without(["address", "thread"], "its runtime is no part of set-uid programs")
    def test_hwloc_is_not_loaded(self):
        """It loads the libraries that HWLOC_PLUGINS_PATH names."""
        plain = subprocess.run([self.program, "hwloc"], env=environment({}), capture_output=True,
                               text=True, timeout=300, check=False)
        if plain.stdout != "hwloc\n":
            self.skipTest("no hwloc here")
        self.assertEqual(self.run_copy("hwloc").stdout, "no hwloc\n")

    @without(["address", "thread"], "its runtime is no part of set-uid programs")
    def test_other_settings_are_heeded(self):
        done = self.run_copy("record", SAGUARO_WORKERS="1", SAGUARO_STATS="1")
        self.assertIn("saguaro: 1 workers: 1 spawns", done.stderr)


if __name__ == "__main__":
    process_case.main(1)
