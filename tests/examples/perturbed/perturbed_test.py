# SPDX-License-Identifier: MIT
"""The programs of spaces and channels, each run many times and disturbed at random: they always print the
same, and the spaces send and receive the same.

Usage: perturbed_test.py DIRECTORY-OF-THE-PROGRAMS SLEEPER RACY [unittest options]

SG_TEST_PERTURBED=COUNT runs each program so often, the full number is 1000; SG_TEST_SEED=N begins with
this seed. A run that differs is named by its seed.
"""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support import commands

PROGRAMS = Path(".")
SLEEPER = ""
RACY = ""

COUNT = int(os.environ.get("SG_TEST_PERTURBED", "10"))
FIRST_SEED = int(os.environ.get("SG_TEST_SEED", "1"))

# Seconds in which the test itself runs: a machine that sleeps meanwhile makes no run too long.
PATIENCE = 100


def processors():
    return sorted(os.sched_getaffinity(0))


WAITS = re.compile(r'\n[^\n]*"cat":"wait"[^\n]*')
TIMES = re.compile(r'"(ts|dur)":[0-9.]+,?')


def trace_of(path):
    """What SAGUARO_TRACE has made, but for times, and for waits, which are there or not. Removes the file, so
    that the next run has to make its own."""
    text = Path(path).read_text(encoding="utf-8")
    os.unlink(path)
    return TIMES.sub("", WAITS.sub("", text))


def result_of(job):
    """Exit code and what was printed."""
    for _ in range(PATIENCE):
        with contextlib.suppress(subprocess.TimeoutExpired):
            out, err = job.communicate(timeout=1)
            return job.returncode, out, err
    job.kill()
    return "no end", *job.communicate()


@contextlib.contextmanager
def busy_processors(wanted):
    """A process for each processor that does nothing but compute."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                for _ in processors()] if wanted else []
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()


class Disturbance:
    """What is done to one run: at least one thing."""

    KINDS = ("sleeps", "one processor", "low priority", "load", "stops")

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.kinds = set(self.random.sample(self.KINDS, self.random.choice((1, 1, 2, 3))))

    def __str__(self):
        return f"seed {self.seed}: {', '.join(kind for kind in self.KINDS if kind in self.kinds)}"

    def command(self, words):
        before = []
        if "one processor" in self.kinds:
            before += ["taskset", "-c", str(self.random.choice(processors()))]
        if "low priority" in self.kinds:
            before += ["nice", "-n", str(self.random.randint(1, 19))]
        return before + words

    def settings(self):
        if "sleeps" not in self.kinds:
            return {}
        return {"LD_PRELOAD": SLEEPER, "SLEEPER_SEED": str(self.seed)}

    def stop_at_random(self, job, over):
        """Stops all processes of the job for a moment, again and again, until it is over. Not one of them: to find
        one takes a look into /proc, and runs then took up to 97 s, most of them in the kernel, in
        the wait4 that removes a process that has ended."""
        while not over.wait(self.random.expovariate(1000)):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job, signal.SIGSTOP)
                time.sleep(self.random.expovariate(500))
                os.killpg(job, signal.SIGCONT)

    def run(self, words, **settings):
        """Exit code and what was printed."""
        with busy_processors("load" in self.kinds):
            job = subprocess.Popen(self.command(words), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True,
                                   env=commands.environment(**self.settings(), **settings))
            over = threading.Event()
            stopping = threading.Thread(target=self.stop_at_random, args=(job.pid, over))
            if "stops" in self.kinds:
                stopping.start()
            try:
                return result_of(job)
            finally:
                over.set()
                if stopping.ident is not None:
                    stopping.join()


def disturbances(count):
    return (Disturbance(seed) for seed in range(FIRST_SEED, FIRST_SEED + count))


def some_text():
    words = random.Random(5)
    return " ".join("".join(words.choices("abc", k=words.randint(1, 3))) for _ in range(20_000))


class Perturbed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = folder.name + "/trace.json"

    def is_always_the_same(self, name, *arguments):
        words = [str(PROGRAMS / name), *map(str, arguments)]
        expected = commands.run(*words, SAGUARO_TRACE=self.trace)
        self.assertEqual(expected.returncode, 0, expected.stderr)
        expected_trace = trace_of(self.trace)
        for each in disturbances(COUNT):
            code, out, err = each.run(words, SAGUARO_TRACE=self.trace)
            how = (f"{name}, {each}; SG_TEST_SEED={each.seed} SG_TEST_PERTURBED=1 "
                   f"repeats the disturbance\n{err}")
            self.assertEqual((code, out), (0, expected.stdout), how)
            self.assertEqual(trace_of(self.trace), expected_trace, how)

    def test_sieve(self):
        self.is_always_the_same("sieve", 12)

    def test_matmult(self):
        self.is_always_the_same("matmult_mp", 40, 3)

    def test_halo(self):
        self.is_always_the_same("halo", 60, 100, 4)

    def test_wordfreq(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(some_text())
            file.flush()
            self.is_always_the_same("wordfreq", file.name, 3, 12)

    def test_a_race_is_noticed(self):
        """Else the runs above would show nothing."""
        seen = {commands.run(RACY).stdout}
        for each in disturbances(200):
            code, out, err = each.run([RACY])
            self.assertEqual(code, 0, err)
            seen.add(out)
            if len(seen) > 1:
                return
        self.fail(f"in 200 runs it always printed {seen}")


if __name__ == "__main__":
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    SLEEPER = sys.argv.pop(1)
    RACY = sys.argv.pop(1)
    unittest.main()
