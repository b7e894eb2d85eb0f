# SPDX-License-Identifier: MIT
"""tools/install-packages on machines that have less than this one: without root, apt, a network or some
packages; and the line that says what a build leaves out.

Usage: packages_test.py CMAKE [unittest options]

The programs that install-packages calls are scripts of the test's own, in the only folder of its PATH.
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.commands import output

ROOT = Path(__file__).resolve().parents[2]
CMAKE = ""

# What a POSIX system always has.
ORDINARY = ("sh", "env", "grep", "mktemp", "rm", "true", "touch", "wc")

NEEDED = {"cmake": "cmake", "ninja-build": "ninja", "g++": "g++"}
CILKC = ("libcli11-dev", "libclang-19-dev", "llvm-19-dev")
USEFUL = ("python3", "gfortran", *CILKC)

LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (python3)"


class Machine(unittest.TestCase):
    """Makes a machine of files in a folder: bin/ is the PATH, installed/ has a file for each package,
    calls is what was called of apt-get, sudo and sleep."""

    def setUp(self):
        self.place = Path(tempfile.mkdtemp(prefix="saguaro-packages-"))
        self.addCleanup(shutil.rmtree, self.place)
        (self.place / "installed").mkdir()
        (self.place / "bin").mkdir()
        for name in ORDINARY:
            (self.place / "bin" / name).symlink_to(shutil.which(name))
        self.program("id", "echo $TEST_UID")
        self.program("sleep", 'echo "sleep $*" >> $TEST_PLACE/calls')
        self.program("dpkg-query", 'for name; do :; done; [ -e "$TEST_PLACE/installed/$name" ] && '
                                   "echo installed")
        self.program("apt-cache", "exit 0")
        self.apt("")
        self.uid = 1000

    def program(self, name, text):
        path = self.place / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o755)

    def apt(self, before):
        """apt-get, which runs `before` and then installs what it is told to."""
        self.program("apt-get", f"""
            echo "apt-get $*" >> $TEST_PLACE/calls
            {before}
            [ "$1" = install ] || exit 0
            for word; do
                case $word in install | -*) ;; *) touch "$TEST_PLACE/installed/$word" ;; esac
            done""")

    def sudo(self, asks_password):
        """sudo; one that asks for a password never gets the right one."""
        refuse = '[ "$1" != -n ] || { echo "sudo: a password is required" >&2; exit 1; }'
        self.program("sudo", f"""
            echo "sudo $*" >> $TEST_PLACE/calls
            {refuse if asks_password else ""}
            {'echo "sudo: 3 incorrect password attempts" >&2; exit 1' if asks_password else ""}
            [ "$1" != -n ] || shift
            exec "$@\"""")

    def have(self, *packages):
        for package in packages:
            (self.place / "installed" / package).touch()

    def environment(self):
        return {"PATH": str(self.place / "bin"), "TEST_PLACE": str(self.place),
                "TEST_UID": str(self.uid), "TMPDIR": str(self.place)}

    def install(self, target="install", **streams):
        """(exit code, output) of install-packages, without a terminal."""
        done = subprocess.run(["/bin/sh", ROOT / "tools" / "install-packages", target],
                              env=self.environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, check=False,
                              **{"stdin": subprocess.DEVNULL, **streams})
        return done.returncode, done.stdout

    def calls(self, program):
        calls = self.place / "calls"
        lines = calls.read_text("utf-8").splitlines() if calls.exists() else []
        return [line for line in lines if line.split()[0] == program]

    def installed(self):
        return {path.name for path in (self.place / "installed").iterdir()}

    def assert_one_line(self, printed, *words):
        self.assertEqual(printed.count("\n"), 1, printed)
        for word in words:
            self.assertIn(word, printed)


class Ordinary_user(Machine):
    def test_goes_on_without_what_is_useful(self):
        self.have(*NEEDED)
        self.assertEqual(self.install(), (0, ""))
        self.assertEqual(self.calls("apt-get"), [])

    def test_is_told_what_is_needed(self):
        self.have("cmake")
        code, printed = self.install()
        self.assertEqual(code, 1)
        self.assert_one_line(printed, "make install", ": ninja-build g++ (",
                             "apt-get install -y --no-install-recommends ninja-build g++")
        for package in USEFUL:
            self.assertNotIn(package, printed)

    def test_may_have_a_program_from_elsewhere(self):
        self.have("g++")
        self.program("cmake", "")
        self.program("ninja", "")
        self.assertEqual(self.install(), (0, ""))

    def test_installs_by_a_sudo_that_asks_nothing(self):
        self.sudo(asks_password=False)
        code, printed = self.install()
        self.assertEqual(code, 0, printed)
        self.assertEqual(self.installed(), {*NEEDED, *USEFUL})

    def test_is_not_asked_for_a_password_for_what_is_useful(self):
        self.have(*NEEDED)
        self.sudo(asks_password=True)
        self.assertEqual(self.on_terminal(), (0, ""))
        self.assertEqual(self.calls("sudo"), ["sudo -n true"])

    def test_is_asked_for_a_password_for_what_is_needed(self):
        self.sudo(asks_password=True)
        code, printed = self.on_terminal()
        self.assertEqual(code, 1)
        self.assertIn("sudo: 3 incorrect password attempts", printed.splitlines()[-1])
        self.assertNotIn("sudo -n", self.calls("sudo")[-1])

    def test_is_asked_for_no_password_where_there_is_no_terminal(self):
        self.sudo(asks_password=True)
        code, printed = self.install()
        self.assertEqual(code, 1)
        self.assert_one_line(printed, "cmake ninja-build g++", "as root")
        self.assertEqual(self.calls("sudo"), ["sudo -n true"])

    def on_terminal(self):
        ours, theirs = pty.openpty()
        try:
            return self.install(stdin=theirs)
        finally:
            os.close(ours)
            os.close(theirs)


class Root(Machine):
    def setUp(self):
        super().setUp()
        self.uid = 0

    def test_installs_all(self):
        code, printed = self.install()
        self.assertEqual(code, 0, printed)
        self.assertEqual(self.installed(), {*NEEDED, *USEFUL})

    def test_calls_nothing_if_all_is_there(self):
        self.have(*NEEDED, *USEFUL)
        self.assertEqual(self.install(), (0, ""))
        self.assertEqual(self.calls("apt-get"), [])

    def test_waits_for_the_lock(self):
        self.apt(f"""
            touch $TEST_PLACE/tries; echo >> $TEST_PLACE/tries
            [ $(wc -l < $TEST_PLACE/tries) -gt 3 ] || {{ echo '{LOCKED}' >&2; exit 100; }}""")
        code, printed = self.install()
        self.assertEqual(code, 0, printed)
        self.assertEqual(printed.count("waiting"), 1)
        self.assertEqual(self.installed(), {*NEEDED, *USEFUL})
        self.assertEqual(len(self.calls("sleep")), 3)

    def test_waits_a_minute_for_what_is_needed_and_names_the_holder(self):
        self.apt(f"echo '{LOCKED}' >&2; exit 100")
        code, printed = self.install()
        self.assertEqual(code, 1)
        self.assertIn("make install needs these packages: cmake ninja-build g++", printed)
        self.assertIn("held by process 7 (python3)", printed.splitlines()[-1])
        self.assertEqual(self.calls("sleep"), ["sleep 1"] * 60)

    def test_waits_a_minute_for_what_is_useful_and_goes_on(self):
        self.have(*NEEDED)
        self.apt(f"echo '{LOCKED}' >&2; exit 100")
        code, printed = self.install()
        self.assertEqual(code, 0)
        self.assertIn("held by process 7 (python3)", printed.splitlines()[-1])
        self.assertIn("going on without: python3", printed.splitlines()[-1])
        self.assertEqual(self.calls("sleep"), ["sleep 1"] * 60)

    def test_does_not_wait_for_a_network(self):
        self.apt("echo 'E: Failed to fetch http://debian/ninja' >&2; exit 100")
        code, printed = self.install()
        self.assertEqual(code, 1)
        self.assertIn("E: Failed to fetch", printed.splitlines()[-1])
        self.assertEqual(self.calls("sleep"), [])

    def test_takes_old_lists_if_new_ones_cannot_be_fetched(self):
        self.apt("[ $1 = install ] || { echo 'E: The repository is not signed' >&2; exit 100; }")
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(self.installed(), {*NEEDED, *USEFUL})

    def test_goes_on_without_a_network_if_nothing_is_needed(self):
        self.have(*NEEDED)
        self.apt("echo 'E: Failed to fetch http://debian/gfortran' >&2; exit 100")
        code, printed = self.install()
        self.assertEqual(code, 0, printed)
        self.assertIn("going on without", printed.splitlines()[-1])

    def test_goes_on_without_what_this_release_does_not_have(self):
        self.program("apt-cache", 'case $2 in *-19-*) exit 100 ;; esac')
        code, printed = self.install()
        self.assertEqual(code, 0, printed)
        self.assertEqual(self.installed(), {*NEEDED, "python3", "gfortran", "libcli11-dev"})

    def test_goes_on_for_no_other_target_without_its_packages(self):
        self.have(*NEEDED, *USEFUL)
        self.apt("exit 100")
        for target in ("test", "bench", "docs", "deb"):
            self.assertEqual(self.install(target)[0], 1, target)


class Other_distribution(Machine):
    def setUp(self):
        super().setUp()
        for name in ("apt-get", "apt-cache", "dpkg-query"):
            (self.place / "bin" / name).unlink()

    def test_goes_on_with_the_programs(self):
        for program in NEEDED.values():
            self.program(program, "")
        self.assertEqual(self.install(), (0, ""))

    def test_names_the_programs_that_are_missing(self):
        self.program("g++", "")
        code, printed = self.install()
        self.assertEqual(code, 1)
        self.assert_one_line(printed, ": cmake ninja-build (", "no apt-get")


class Left_out(unittest.TestCase):
    """The line about what a build leaves out."""

    def setUp(self):
        self.place = Path(tempfile.mkdtemp(prefix="saguaro-left-out-"))
        self.addCleanup(shutil.rmtree, self.place)

    def configure(self, *options):
        """The lines of it when Saguaro's library is configured."""
        printed = output(CMAKE, "-S", ROOT, "-B", self.place, "-DSG_BUILD_TESTS=OFF",
                         "-DSG_BUILD_BENCH=OFF", "-DSG_BUILD_EXAMPLES=OFF", *options)
        return re.findall(r"(?m)^-- (Left out: .*)$", printed)

    def test_names_what_needs_clang_and_fortran(self):
        self.assertEqual(
            self.configure("-DSG_CLANG_INCLUDE=0", "-DSG_LLVM_LIBRARY=0", "-DSG_CLANG_LIBRARY=0",
                           "-DCMAKE_Fortran_COMPILER_ID=none"),
            ["Left out: cilkc, MPI's Fortran modules. For these, install libclang-19-dev "
             "llvm-19-dev gfortran and run make again."])

    def test_names_what_needs_cli11_and_python(self):
        self.assertEqual(
            self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON", "-DSG_CLANG_INCLUDE=1",
                           "-DSG_LLVM_LIBRARY=1", "-DSG_CLANG_LIBRARY=1",
                           "-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON"),
            ["Left out: cilkc, saguaro-sim, the MPI library. For these, install libcli11-dev "
             "python3 and run make again."])

    def test_is_the_last_line_of_an_installation(self):
        project = self.place / "CMakeLists.txt"
        project.write_text(f"""
            cmake_minimum_required(VERSION 3.25)
            project(small LANGUAGES NONE)
            set(SG_INSTALL ON)
            include({ROOT}/cmake/left_out.cmake)
            left_out("the moon" moon-dev)
            install(FILES CMakeLists.txt DESTINATION share)
            say_what_is_left_out()
            """, "utf-8")
        output(CMAKE, "-S", self.place, "-B", self.place / "build")
        printed = output(CMAKE, "--install", self.place / "build", "--prefix", self.place / "to")
        self.assertEqual(printed.splitlines()[-1],
                         "-- Left out: the moon. For these, install moon-dev and run make again.")


if __name__ == "__main__":
    CMAKE = sys.argv.pop(1)
    unittest.main()
