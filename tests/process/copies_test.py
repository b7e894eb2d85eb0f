# SPDX-License-Identifier: MIT
"""Several copies of the library in one process, in every combination, called in each other's tasks.

Usage: copies_test.py HOSTS PLUGINS SANITIZER [unittest options]. The two are directories of the
programs of tests/process/CMakeLists.txt: hosts with no copy, a copy of their own, the same with its
names exported, and the shared library; plugins with a copy of their own whose names are exported,
the same without names, one of another version, and one with the shared library.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.process_case import environment

HOSTS = PLUGINS = Path()

# Host, and its copies in the order in which it loads them: a 2 after a name is a second file.
COMBINATIONS = {
    "two plugins": ("none", "static", "static2"),
    "two plugins without names": ("none", "hidden", "hidden2"),
    "three plugins": ("none", "static", "hidden", "static2"),
    "names that all see": ("none", "+static", "+static2"),
    "names that later ones see": ("none", "static", "+static2"),
    "a program and a plugin": ("static", "self", "static"),
    "a plugin and a program": ("static", "static", "self"),
    "a program and the shared one": ("static", "self", "shared"),
    "the shared one and a program": ("static", "shared", "self"),
    "a program with names": ("exporting", "self", "static"),
    "a program with names, first the plugin": ("exporting", "static", "self"),
    "a program with names and the shared one": ("exporting", "self", "shared"),
    "a program with names, first the shared one": ("exporting", "shared", "self"),
    "a program of the shared one": ("shared", "self", "static"),
    "a program of the shared one, first the plugin": ("shared", "static", "self"),
    "a program of the shared one, and no names": ("shared", "self", "hidden"),
    "two that share": ("none", "shared", "shared2"),
    "two versions": ("none", "static", "other"),
    "two versions, first the other": ("none", "other", "static"),
    "another version than the program's": ("static", "self", "other"),
    "another version than the shared one": ("none", "shared", "other"),
}

# There the loader lets all use one: their flows may end on any thread.
ONE_COPY = {
    "names that all see",
    "a program with names",
    "a program with names, first the plugin",
    "a program with names and the shared one",
    "a program with names, first the shared one",
    "a program of the shared one",
    "a program of the shared one, first the plugin",
    "two that share",
}

SOME = ["two plugins", "a program and the shared one", "a program with names", "two versions"]


class Copies(unittest.TestCase):
    def path(self, name):
        """Of a plugin: under a second name it is another object."""
        plain = name.strip("+").rstrip("2")
        file = PLUGINS / f"process_copies_{plain}.so"
        if name.endswith("2"):
            second = Path(self.directory.name) / f"{plain}2.so"
            if not second.exists():
                shutil.copy(file, second)
            file = second
        return ("+" if name.startswith("+") else "") + str(file)

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def run_host(self, mode, host, *copies, more=(), **settings):
        names = [each if each == "self" else self.path(each) for each in copies]
        return subprocess.run(
            [HOSTS / f"process_copies_host_{host}", mode, *names],
            env={**environment({"WORKERS": "3", **settings}), **dict(more)},
            capture_output=True,
            text=True,
            timeout=300,
        )

    def assert_right(self, mode, *combination, **settings):
        done = self.run_host(mode, *combination, **settings)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0), mode)

    def test_call_each_other(self):
        """Nested, from several threads, and in the children of forks."""
        for name, combination in COMBINATIONS.items():
            modes = "nest,threads,sort,fork" + ("" if name in ONE_COPY else ",leave")
            with self.subTest(name):
                self.assert_right(modes, *combination)

    def test_with_one_worker(self):
        self.assert_right("nest", "none", "static", "static2", WORKERS="1")

    def test_exit_in_a_task_of_one_in_a_task_of_another(self):
        for name in SOME:
            with self.subTest(name):
                done = self.run_host("exit", *COMBINATIONS[name])
                self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 7))

    def test_overflow_of_a_stack_of_one_in_a_task_of_another(self):
        for name in SOME:
            with self.subTest(name):
                done = self.run_host("overflow", *COMBINATIONS[name])
                self.assertIn("overflowed its stack of", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertEqual(done.returncode, -signal.SIGSEGV)

    def test_unloaded(self):
        for copies in [
            ("static", "static2"),
            ("hidden", "hidden2"),
            ("static", "shared"),
            ("shared", "static"),
            ("static", "other"),
            ("+static", "+static2"),
        ]:
            with self.subTest(copies):
                self.assert_right("unload-first,unload-second,unload-in-a-task", "none", *copies)

    def test_hand_a_signal_on(self):
        """To the host's handler, whichever of the copies after it are left."""
        for copies in [("hidden", "hidden2"), ("static", "static2")]:
            with self.subTest(copies):
                self.assert_right("handler", "none", *copies)

    def test_have_no_variable_that_is_unique_in_the_process(self):
        """The loader would give it to all copies, whatever names they see."""
        names = subprocess.run(
            ["nm", "-DC", self.path("static")], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn(" saguaro::", names)
        unique = [line for line in names.splitlines() if " u " in line and "saguaro::" in line]
        self.assertEqual(unique, [])

    def test_compute_while_they_are_loaded(self):
        """A copy that another one displaces may have its constructors called first."""
        paths = f"{self.path('static')}:{self.path('static2')}"
        for name, host, copies, more in [
            ("loaded with the program", "none", ("static", "static2"), {"LD_PRELOAD": paths}),
            ("a program with names", "exporting", ("self", "static"), {}),
            ("two plugins", "none", ("static", "hidden"), {}),
        ]:
            with self.subTest(name):
                done = self.run_host("nest", host, *copies, more={"COPIES_AT_LOAD": "1", **more})
                self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_names_that_hide_those_of_another_version(self):
        for host, copies in [("none", ("+static", "other")), ("exporting", ("self", "other"))]:
            with self.subTest(host):
                done = self.run_host("nest", host, *copies)
                self.assertRegex(
                    done.stderr,
                    r"^saguaro: the names of version [^ ]+(?: generic)? in \S+ hide those of "
                    r"version 0\.0\.0-other in "
                    r"\S*process_copies_other\.so; build what contains one of them with "
                    r"-fvisibility=hidden and -Wl,--exclude-libs,ALL\n$",
                )
                self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    HOSTS, PLUGINS = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
    sys.argv.pop(1)
    unittest.main()
