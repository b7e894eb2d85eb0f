# SPDX-License-Identifier: MIT
"""Tests of gdb, perf and valgrind on a program with workers.

Usage: debuggers_test.py PROCESS_DEBUGGED PROCESS_DEBUGGED_SHARED GDB-SCRIPT VALGRIND-PROGRAM...
SANITIZER [unittest options]. All are paths; the first two are one program with the static and the
shared library, a VALGRIND-PROGRAM is a GoogleTest program with a filter: PATH:FILTER. What the
machine lacks or does not permit is skipped by name.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase


def needs(tool, *trial):
    """Skips a class of tests where `tool` is missing, or where the command `trial` fails."""
    if shutil.which(tool) is None:
        return unittest.skip(f"{tool} is not installed")
    if trial and subprocess.run([tool, *trial], capture_output=True).returncode != 0:
        return unittest.skip(f"{tool} may not do its work here")
    return lambda case: case


USER_FRAMES = ["stop_here", "inner_function", "outer_function"]


@needs("gdb", "-q", "-batch", "-ex", "run", "/bin/true")
class Gdb(ProcessCase):
    def debugged(self):
        return self.program

    def gdb(self, mode, *commands, **settings):
        arguments = ["gdb", "-q", "-nx", "-batch"]
        for command in ["set debuginfod enabled off", "set width 0", "break stop_here",
                        f"run {mode}", *commands]:
            arguments += ["-ex", command]
        done = subprocess.run(
            [*arguments, self.debugged()], env=process_case.environment(settings),
            capture_output=True, text=True, timeout=300,
        )
        said = done.stdout + done.stderr
        self.assertIn("Breakpoint 1, ", said)
        for trouble in ["orrupt stack", "previous frame", "Cannot access memory"]:
            self.assertNotIn(trouble, said)
        return done.stdout

    def frames(self, text):
        """The functions of a backtrace, innermost first, without their scopes."""
        names = re.findall(r"^#\d+ +(?:0x\w+ in )?(.+?) \(", text, re.MULTILINE)
        return [re.sub(r".*::", "", name) for name in names]

    def assert_has_an_end(self, names):
        """A stack begins in sg_stacks_start, or, a scope's child's, in the function that spawned it,
        of which start_child is an inlined part."""
        if "start_child" not in names:
            self.assertIn(names[-1], ["sg_stacks_start", "main", "clone3", "clone"])

    def test_a_child_on_its_own_stack(self):
        names = self.frames(self.gdb("child", "bt", WORKERS="2"))
        self.assertEqual(names[:3], USER_FRAMES)
        self.assert_has_an_end(names)
        self.assertLess(len(names), 15)

    def test_workers_have_names(self):
        said = self.gdb("child", "info threads", WORKERS="3")
        self.assertIn('"saguaro/1"', said)
        self.assertIn('"saguaro/2"', said)
        self.assertNotIn('"saguaro/0"', said, "the thread that enters is the first, by its own name")

    def test_every_thread_has_a_backtrace_with_an_end(self):
        said = self.gdb("child", "thread apply all bt", WORKERS="2")
        for one in re.split(r"^Thread \d+ ", said, flags=re.MULTILINE)[-2:]:
            self.assert_has_an_end(self.frames(one))

    def test_what_was_stolen_and_what_waits_for_it(self):
        said = self.gdb("parked", "bt", "thread apply all bt", WORKERS="2")
        self.assertEqual(self.frames(said)[:3], USER_FRAMES)
        # No frame is in it: gdb writes a frame's function so, and the value of an argument without blank.
        self.assertNotIn("waits_for_the_other ()", said)

    def test_strands_shows_what_waits(self):
        said = self.gdb("parked", f"source {self.programs[2]}", "saguaro strands", "bt", WORKERS="2")
        waiting, after = said.split("waits_for_the_other", 1)
        self.assertIn("Strand", waiting)
        self.assertEqual(said.count("Strand "), 1, said)
        self.assertIn("sg_stacks_start", after)
        # The registers of the thread that gdb stopped are as they were.
        self.assertEqual(self.frames(after)[-6:-3], USER_FRAMES, said)

    def test_strands_shows_who_waits(self):
        for mode, what, function in [("parked", "worker", "waits_for_the_other"),
                                     ("nano-thread", "nano-thread", "a_nano_thread_waits"),
                                     ("vp", "VP", "a_vp_waits")]:
            with self.subTest(mode=mode):
                said = self.gdb(mode, f"source {self.programs[2]}", "saguaro strands", "bt",
                                WORKERS="2")
                self.assertIn(f"Strand 1 ({what}, parked):", said)
                self.assertNotIn("Strand 2", said)
                waiting, after = said.split("Strand 1", 1)[1].rsplit("\n\n", 1)
                self.assertIn(function, waiting)
                self.assertEqual(self.frames(after)[:3], USER_FRAMES)

    def test_a_worker_that_was_stopped_goes_on(self):
        said = self.gdb("child", "next", "finish", "continue", WORKERS="2")
        self.assertIn("outer_function", said)
        self.assertIn("exited normally", said)


class GdbWithTheSharedLibrary(Gdb):
    """ptrace writes no segment base that is negative: what the workers have in a library that the
    kernel has put above their memory, unless its region is elsewhere."""

    def debugged(self):
        return self.programs[1]


class Backtrace(ProcessCase):
    def test_the_c_library_finds_the_end_of_a_childs_stack(self):
        frames = int(re.search(r"(\d+) frames", self.output("backtrace", WORKERS="2"))[1])
        self.assertGreaterEqual(frames, 2)
        self.assertLess(frames, 10)


@needs("perf", "record", "-e", "cpu-clock", "-o", "/dev/null", "/bin/true")
class Perf(ProcessCase):
    def assert_records(self, call_graph):
        with tempfile.TemporaryDirectory() as folder:
            data = folder + "/perf.data"
            recorded = subprocess.run(
                ["perf", "record", "-e", "cpu-clock", "--call-graph", call_graph, "-o", data,
                 self.program, "compute", "31"],
                env=process_case.environment({"WORKERS": "2"}),
                capture_output=True, text=True, timeout=300,
            )
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
            shown = subprocess.run(
                ["perf", "script", "--no-inline", "-i", data, "-F", "comm,ip,sym"],
                capture_output=True, text=True, timeout=200,
            )
        samples = [s for s in shown.stdout.split("\n\n") if "saguaro/" in s or "process_debug" in s]
        self.assertGreater(len(samples), 10)
        self.assertTrue(any("fib_invoke" in sample for sample in samples))
        self.assertTrue(any("fib_scope" in sample for sample in samples))
        # None goes on for ever: a chain ends where its stack does. (The C library, where it starts
        # threads, has no frame pointers: what perf takes for one may point to itself.)
        lengths = [len(sample.splitlines()) for sample in samples if "fib_" in sample]
        self.assertLess(max(lengths), 126)
        return samples

    def test_frame_pointers(self):
        self.assert_records("fp")

    def test_dwarf(self):
        samples = self.assert_records("dwarf,16384")
        self.assertTrue(any("sg_stacks_start" in sample for sample in samples))


@needs("valgrind", "-q", "/bin/true")
class Valgrind(ProcessCase):
    def assert_clean(self, *command, **settings):
        with self.subTest(command=command[0].rsplit("/", 1)[-1], arguments=command[1:]):
            done = subprocess.run(
                ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full",
                 "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
                 "--fair-sched=yes", *command],
                env=process_case.environment({"WORKERS": "2", **settings}),
                capture_output=True, text=True, timeout=250,
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(re.findall(r"^==\d+==.*", done.stderr, re.MULTILINE), [])

    def test_both_ways_to_spawn(self):
        self.assert_clean(self.program, "compute", "16")

    def test_local_memory(self):
        done = subprocess.run(["valgrind", "-q", "--error-exitcode=99", self.program, "past-local-block"],
                              capture_output=True, text=True, timeout=250)
        self.assertIn("Invalid read of size 1", done.stderr)
        self.assertEqual(done.returncode, 99)

    def test_programs(self):
        for program in self.programs[3:]:
            path, test, chosen = program.split(":", 2)
            self.assert_clean(path, test, f"--gtest_filter={chosen}")


if __name__ == "__main__":
    process_case.main(len([a for a in sys.argv[1:] if a.startswith("/")]))
