# SPDX-License-Identifier: MIT
"""SAGUARO_RECORD from outside: names, the number of workers, how processes end, what it costs.

The program tells the recorder the time: what its strands work for is no matter of this machine's.
"""

import fcntl
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case, recordings
from support.process_case import ProcessCase, without

MS = 1_000_000


class Recordings(ProcessCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.file = self.directory / "run.rec"

    def record(self, *arguments, code=0, **settings):
        """What the program says on stderr."""
        done = self.run_program(*arguments, RECORD=str(self.file), **settings)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def names(self):
        return sorted(os.listdir(self.directory))

    def assert_time(self, seen, milliseconds):
        """Of the recorder's own time a few readings of the clock may be left."""
        self.assertAlmostEqual(seen, milliseconds * MS, delta=0.001 * MS)

    def assert_pairs(self, file, pairs, milliseconds):
        seen = recordings.Recording(file)
        self.assertEqual(seen.count[recordings.SPAWN], pairs)
        self.assert_time(seen.work, 2 * pairs * milliseconds)

    def test_a_run_is_recorded_by_one_worker(self):
        done = self.run_program("pair", 20, RECORD=str(self.file))
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("1\n", "", 0))
        self.assert_pairs(self.file, 1, 20)
        self.assert_time(recordings.Recording(self.file).span, 20)

    def test_without_the_setting_there_is_no_file(self):
        done = self.run_program("pair", 1, WORKERS="2", RECORD="none")
        self.assertEqual((done.stdout, done.stderr), ("2\n", ""))
        self.assertEqual(self.names(), [])

    def test_more_workers_are_refused_once(self):
        line = ("saguaro: SAGUARO_RECORD records the serial order: one worker runs, not the {} of "
                "SAGUARO_WORKERS\n")
        self.assertEqual(self.record("pair", 1, WORKERS="2"), line.format(2))
        self.assertEqual(self.record("pair", 1, WORKERS="1"), "")
        self.assertEqual(self.record("workers", 1), line.format(3))
        self.assertEqual(self.record("twice", 1, WORKERS="2").count("one worker"), 1)

    def test_a_file_that_cannot_be_made(self):
        for name, why in (("nowhere/run.rec", "No such file or directory"), ("", "Is a directory")):
            path = f"{self.directory}/{name}"
            done = self.run_program("pair", 1, RECORD=path)
            self.assertEqual((done.stdout, done.returncode), ("", 2))
            self.assertEqual(done.stderr,
                             f"saguaro: SAGUARO_RECORD={path}: the file cannot be written: {why}\n")

    def test_a_file_that_another_process_writes(self):
        self.file.write_text("theirs")
        with open(self.file, "ab") as theirs:
            fcntl.flock(theirs, fcntl.LOCK_EX)
            done = self.run_program("pair", 1, RECORD=str(self.file), WORKERS="2")
        self.assertEqual((done.stdout, done.returncode), ("2\n", 0))
        self.assertEqual(done.stderr, f"saguaro: SAGUARO_RECORD={self.file}: another process "
                                      "records there; this one does not\n")
        self.assertEqual(self.file.read_text(), "theirs")

    def test_an_older_file_is_replaced(self):
        self.file.write_bytes(b"older" * 10000)
        self.assertEqual(self.record("pair", 3), "")
        self.assert_pairs(self.file, 1, 3)
        self.assertLess(self.file.stat().st_size, 1000)

    def test_a_full_disk_is_said_at_the_end(self):
        done = self.run_program("fib", 18, RECORD="/dev/full", RECORD_GRAIN="0")
        self.assertEqual((done.stdout, done.returncode), ("2584\n", 0))
        self.assertEqual(done.stderr, "saguaro: SAGUARO_RECORD=/dev/full: the file cannot be "
                                      "written: No space left on device\n")

    # A reader took a file that was opened, closed and opened again for one that has ended.
    def test_a_pipe_is_opened_once(self):
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        for _ in range(10):
            with self.file.open("wb") as copy:
                reader = subprocess.Popen(["cat", pipe], stdout=copy)
            self.addCleanup(reader.kill)
            done = self.run_program("pair", 1, RECORD=str(pipe))
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("1\n", "", 0))
            self.assertEqual(reader.wait(60), 0)
            self.assert_pairs(self.file, 1, 1)

    def test_workers_that_start_again_write_another_file(self):
        self.assertEqual(self.record("twice", 3), "")
        self.assertEqual(self.names(), ["run-2.rec", "run.rec"])
        for name in self.names():
            self.assert_pairs(self.directory / name, 1, 3)

    def test_a_start_that_is_refused_makes_no_file(self):
        self.assertEqual(self.record("start", 1), "")
        self.assertEqual(self.names(), ["run.rec"])

    def test_exit_in_a_task_ends_all_that_is_open(self):
        self.record("exit", 5, code=3)
        self.assert_time(recordings.Recording(self.file).work, 5)

    def test_exit_outside_during_a_run_is_said(self):
        self.assertEqual(self.record("exit-outside", code=3),
                         f"saguaro: SAGUARO_RECORD={self.file}: the file is cut off: a thread outside has "
                         "ended the process during a run\n")

    def test_a_process_that_dies_leaves_a_part(self):
        self.record("die", 1, code=4)
        with self.assertRaisesRegex(recordings.Bad, "no recording|cut off"):
            recordings.Recording(self.file)

    @without(["thread"], "it has no new threads in a child of threads")
    def test_children_of_forks_are_not_recorded(self):
        self.assertEqual(self.record("fork", 5), "")
        self.assertEqual(self.names(), ["run.rec"])
        self.assert_pairs(self.file, 1, 5)

    def test_children_of_forks_declare_objects(self):
        self.assertEqual(self.record("fork-while-declared", 100), "")

    def test_runs_of_several_threads_follow_each_other(self):
        self.record("threads", 5)
        self.assert_pairs(self.file, 2, 5)

    def test_every_spawn_is_there_without_a_grain(self):
        for mode in "fib", "fib-scope":
            with self.subTest(mode=mode):
                self.record(mode, 15, RECORD_GRAIN="0")
                seen = recordings.Recording(self.file)
                # fib(15) spawns in each call but the leaves, of which there are fib(16) = 987.
                self.assertEqual(seen.count[recordings.SPAWN], 986)
                self.assertEqual(seen.count[recordings.CALL], 987)
                self.assertEqual(seen.count[recordings.LEAVE], 987)

    # A reading of the clock is most of what a recorded spawn costs. One in a hundred spawns finds the
    # recorder's buffer full, which reads it once more.
    def test_a_spawn_reads_the_clock_four_times(self):
        spawns = 2**13 - 1
        readings = int(self.output("leaves", 13, RECORD=str(self.file)))
        seen = recordings.Recording(self.file)
        self.assertEqual(seen.count[recordings.SPAWN], spawns)
        self.assertAlmostEqual(readings / spawns, 4, delta=0.02)
        self.assertAlmostEqual(seen.work, 2**13 * 4_000, delta=0.01 * 2**13 * 4_000)

    def test_the_statistics_are_as_ever(self):
        said = self.record("fib", 20, STATS="1")
        self.assertIn("1 workers: 10945 spawns, 0 steals of 0 tries, 0 full frames", said)


if __name__ == "__main__":
    process_case.main(1)
