# SPDX-License-Identifier: MIT
"""detmpiexec: the ranks' output comes whole, soon and unmixed, or the job fails."""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAUNCHER, WRITING = sys.argv[1:3]


def launch(*words, **options):
    return subprocess.run([LAUNCHER, *words], timeout=300, check=False, **options)


def script(text):
    return [sys.executable, "-c", "import os, sys, time\nwrite = sys.stdout.write\n" + text]


class Live:
    """A job whose output is read while it runs."""

    def __init__(self, *words):
        self.job = subprocess.Popen([LAUNCHER, *words], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.job.kill()
        self.job.communicate()

    def read(self, most=60):
        ready, _, _ = select.select([self.job.stdout], [], [], most)
        return os.read(self.job.stdout.fileno(), 1 << 20) if ready else None

    def read_until(self, end):
        text = b""
        while end not in text:
            text += self.read()
        return text

    def say(self, text):
        self.job.stdin.write(text)
        self.job.stdin.flush()

    def end(self):
        rest = self.job.communicate(timeout=300)[0]
        return self.job.returncode, rest


class Lost(unittest.TestCase):
    def test_full_disk_fails_the_job_which_goes_on(self):
        with tempfile.TemporaryDirectory() as place, open("/dev/full", "wb") as full:
            done = launch("-n", "2", *script(f"print(1, flush=True); time.sleep(.3); "
                                             f"open(f'{place}/' + str(os.getpid()), 'w')"),
                          stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(len(os.listdir(place)), 2)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "detmpiexec: the standard output cannot be written, and the "
                                      "rest of it is lost: No space left on device\n")

    def test_a_ranks_own_exit_code_stays(self):
        with open("/dev/full", "wb") as full:
            done = launch("-n", "2", *script("print(1); sys.exit(7)"), stdout=full,
                          stderr=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 7)

    def test_full_disk_for_errors_fails_the_job(self):
        with open("/dev/full", "wb") as full:
            done = launch(*script("print(1, file=sys.stderr); print(2)"), stderr=full,
                          stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (1, b"2\n"))

    def test_trace_that_is_not_whole_fails_the_job(self):
        with tempfile.TemporaryDirectory() as place:
            os.mkfifo(f"{place}/trace.json")
            with subprocess.Popen([LAUNCHER, "-trace", f"{place}/trace.json", "cat"],
                                  stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
                # The launcher has opened the other end, and writes when the rank has ended.
                os.close(os.open(f"{place}/trace.json", os.O_RDONLY))
                _, said = job.communicate(timeout=300)
        self.assertEqual(job.returncode, 1)
        self.assertEqual(said,
                         "saguaro: spmc: space 0: SAGUARO_TRACE: the file cannot be written: "
                         "Broken pipe\n")

    def test_record_that_is_not_whole_fails_the_job(self):
        with tempfile.TemporaryDirectory() as place:
            done = launch("-order", "record", f"{place}/record", "-n", "2", "sh", "-c",
                          'trap "" XFSZ; ulimit -f 1; exec "$0" receive', WRITING,
                          stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rank 0: -order record: the file is not whole: ", done.stderr)

    def test_reader_that_goes_away_ends_the_job(self):
        for text in ("while True: print('a')", "print('a', flush=True)\n"
                     "while True: time.sleep(.01); print('b', flush=True)"):
            with self.subTest(text=text):
                with Live("-n", "2", *script(text)) as job:
                    job.read()
                    job.job.stdout.close()
                    self.assertEqual(job.job.wait(60), 128 + signal.SIGPIPE)


class Lines(unittest.TestCase):
    def test_prompt_is_seen_before_its_line_ends(self):
        with Live("-n", "2", *script("write('Enter n: '); sys.stdout.flush()\n"
                                     "print(sys.stdin.readline().strip())")) as job:
            text = job.read()
            self.assertTrue(text.startswith(b"Enter n: "), text)
            job.say(b"5\n")
            code, rest = job.end()
            self.assertEqual((code, sorted((text + rest).split(b"\n"))),
                             (0, [b"", b"Enter n: ", b"Enter n: 5"]))

    # Rank 0 is in a line; when that is seen, rank 1 writes another one; and then rank 0 goes on.
    MIXING = """
rank = int(os.environ['SAGUARO_MPI_RANK'].split(',')[1])
if rank == 0:
    for i in range(20): write('a'); sys.stdout.flush(); time.sleep(.06)
    print()
else:
    while not os.path.exists(sys.argv[1]): time.sleep(.01)
    print('b' * 10)
"""

    def mixing(self, job, seen, place):
        """What is there when `seen` is. From then on rank 1 writes."""
        text = job.read_until(seen)
        Path(place, "seen").touch()
        return text

    def in_the_middle_of_a_line(self, instead_of_sleep, *words, then=""):
        place = tempfile.mkdtemp(prefix="saguaro-lines-")
        self.addCleanup(shutil.rmtree, place)
        text = self.MIXING.replace("time.sleep(.06)", instead_of_sleep) + then
        return place, Live(*words, "-n", "2", *script(text), f"{place}/seen")

    def test_line_that_comes_slowly_is_not_mixed_with_others(self):
        for tag in ([], ["-tag"]):
            place, begun = self.in_the_middle_of_a_line("time.sleep(.06)", *tag)
            with self.subTest(tag=tag), begun as job:
                before = self.mixing(job, b"a", place)
                code, rest = job.end()
                lines = [b"[0] " * bool(tag) + b"a" * 20, b"[1] " * bool(tag) + b"b" * 10]
                self.assertEqual((code, (before + rest).splitlines()), (0, lines))

    def test_line_that_stays_open_lets_others_write(self):
        place, begun = self.in_the_middle_of_a_line("time.sleep(i // 19 * 10000)", "-tag")
        with begun as job:
            before = self.mixing(job, b"a" * 20, place)
            self.assertEqual(before + job.read_until(b"b\n"),
                             b"[0] " + b"a" * 20 + b"\n[1] " + b"b" * 10 + b"\n")

    def test_line_goes_on_after_others_with_its_tag(self):
        place, begun = self.in_the_middle_of_a_line("i == 19 and sys.stdin.readline()", "-tag",
                                                    then="\nwrite('end')")
        with begun as job:
            before = self.mixing(job, b"a" * 20, place) + job.read_until(b"b\n")
            job.say(b"\n")
            code, rest = job.end()
        self.assertEqual((code, sorted((before + rest).splitlines())),
                         (0, [b"[0] ", b"[0] " + b"a" * 20, b"[0] end", b"[1] bbbbbbbbbb", b"[1] end"]))

    def test_part_of_a_line_in_a_file_waits_for_its_end(self):
        """For longer than a line stays open elsewhere, and until the other rank's is there."""
        waits = ("def wait():\n    open(sys.argv[1], 'w')\n    time.sleep(2)\n"
                 "    while os.stat(sys.argv[2]).st_size == 0: time.sleep(.01)\n")
        text = waits + self.MIXING.replace("time.sleep(.06)", "i == 19 and wait()")
        with tempfile.TemporaryDirectory() as place, open(f"{place}/lines", "w+b") as to:
            done = launch("-n", "2", *script(text), f"{place}/seen", to.name, stdout=to)
            to.seek(0)
            self.assertEqual((done.returncode, to.read().splitlines()),
                             (0, [b"b" * 10, b"a" * 20]))

    def test_end_without_newline_is_not_mixed_with_others(self):
        done = launch("-n", "3", *script("write('a'); sys.stdout.flush()"), stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (0, b"a\na\na"))

    def test_long_lines_do_not_mix(self):
        size = 3_000_001
        text = ("rank = int(os.environ['SAGUARO_MPI_RANK'].split(',')[1])\n"
                f"for i in range(3): print('abc'[rank] * {size})")
        done = launch("-n", "3", *script(text), stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 0)
        expected = sorted([c * size for c in (b"a", b"b", b"c")] * 3)
        self.assertEqual(sorted(done.stdout.splitlines()), expected)

    def test_ranks_that_wait_for_each_other_in_the_middle_of_lines_go_on(self):
        """More than a pipe and the launcher keep."""
        done = launch("-n", "2", WRITING, "exchange", stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count(b"b"), 3_000_000)

    def test_output_without_newlines_takes_bounded_memory(self):
        size = 300_000_000
        kept = launch("-n", "1", *script(
            f"text = 'a' * 1000000\nfor i in range({size // 1000000}): write(text)\n"
            "sys.stdout.flush()\n"
            "for line in open(f'/proc/{os.getppid()}/status'):\n"
            "  if line.startswith('VmHWM'): sys.stderr.write(line)"),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertEqual(kept.returncode, 0)
        self.assertLess(int(kept.stderr.split()[1]), 64 * 1024, kept.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
