# SPDX-License-Identifier: MIT
"""The example checksums: what it prints of good and bad images, also while its workers are killed.

Usage: checksums_test.py PROGRAM [unittest options]
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = Path(".")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "spmc"
sys.path.insert(0, str(EXAMPLES))

import pcx_images  # noqa: E402


def begin(*arguments, **settings):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env={**os.environ, **settings})


def run(*arguments):
    program = begin(*arguments)
    out, err = program.communicate(timeout=200)
    return program.returncode, out, err


def line_of(file):
    """What the program is to print of a good image."""
    data = file.read_bytes()
    width, height = (int.from_bytes(data[at:at + 2], "little") + 1 for at in (8, 10))
    pixels = bytearray()
    for at in range(128, len(data), 2):
        pixels += data[at + 1:at + 2] * (data[at] & 0x3F)
    total = 0xCBF29CE484222325
    for each in pixels[:width * height]:
        total = ((total ^ each) * 0x100000001B3) % 2**64
    return f"{total:016x} {width:4} x {height} {file.name}"


def kill_some_worker(program, chosen):
    try:
        workers = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        if workers:
            os.kill(int(chosen.choice(workers)), signal.SIGKILL)
            return 1
    except OSError:
        pass  # it has ended
    return 0


class Checksums(unittest.TestCase):
    def images(self, *arguments):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        pcx_images.main(folder.name, *arguments)
        return Path(folder.name)

    def test_good_images(self):
        folder = self.images(5)
        expected = "".join(line_of(file) + "\n" for file in sorted(folder.iterdir()))
        for workers in (0, 1, 3, 8):
            self.assertEqual(run(folder, workers),
                             (0, expected, "5 images, 0 of them bad, 0 workers replaced\n"))

    def test_bad_images_of_each_kind(self):
        folder = self.images(100)
        code, out, err = run(folder, 2)
        lines = out.splitlines()
        self.assertEqual((code, len(lines)), (1, 100), err)
        self.assertEqual(lines[17], "00017.pcx: job 17: signal 6 (Aborted), in 2 attempts")
        self.assertEqual(lines[37], "00037.pcx: job 37: ran longer than 2 s, in 2 attempts")
        self.assertEqual(lines[57],
                         "00057.pcx: job 57: took more than 64 MB of memory, in 2 attempts")
        self.assertRegex(lines[77], r"^00077.pcx: job 77: std::length_error: ")
        self.assertEqual(lines[99], line_of(folder / "00099.pcx"))

    def test_a_kill_every_10_ms_changes_nothing(self):
        folder = self.images(200, "noise", "negative")
        _, expected, _ = run(folder, 2, 200)
        chosen = random.Random(1)
        # What looks for leaks at the end is a child too, for which the program is stopped: a kill of
        # it would leave the program so.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        program = begin(folder, 2, 200, ASAN_OPTIONS=sanitizer)
        kills = 0
        while program.poll() is None:
            time.sleep(0.01 * (1 + kills / 20))  # a slow machine must get on at last
            kills += kill_some_worker(program, chosen)
        out, err = program.communicate()
        self.assertEqual(out, expected)
        self.assertEqual(program.returncode, 1, err)
        self.assertGreater(kills, 0)

    def test_refuses_what_it_does_not_take(self):
        for arguments, line in (
                ((), "usage: checksums FOLDER [WORKERS] [ATTEMPTS]"),
                (("/nowhere",), "checksums: /nowhere: No such file or directory"),
                ((".", "x"),
                 "checksums: WORKERS 'x': accepted is a whole number from 0 to 1000"),
                ((".", 1, 0),
                 "checksums: ATTEMPTS '0': accepted is a whole number from 1 to 1000")):
            self.assertEqual(run(*arguments), (2, "", line + "\n"))


if __name__ == "__main__":
    PROGRAM = Path(sys.argv.pop(1)).resolve()
    unittest.main()
