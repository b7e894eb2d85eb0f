# SPDX-License-Identifier: MIT
"""Runs of a program of several processes that are disturbed at random, the same way for the same seed."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time

from support import commands

# Seconds in which the test itself runs: a machine that sleeps meanwhile makes no run too long.
PATIENCE = 100

# How often a run is stopped at most: else programs of many processes on one processor take minutes.
STOPS = 300


def processors():
    return sorted(os.sched_getaffinity(0))


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
    """What is done to one run: at least one thing. `sleeping` gives the environment that lets the program
    sleep at random moments, for a seed."""

    KINDS = ("sleeps", "one processor", "low priority", "load", "stops")

    def __init__(self, seed, sleeping):
        self.seed = seed
        self.sleeping = sleeping
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
        return self.sleeping(self.seed) if "sleeps" in self.kinds else {}

    def stop_at_random(self, job, over):
        """Stops all processes of the job for a moment, again and again, until it is over. Not one of them: to find
        one takes a look into /proc, and runs then took up to 97 s, most of them in the kernel, in
        the wait4 that removes a process that has ended."""
        for _ in range(STOPS):
            if over.wait(self.random.expovariate(1000)):
                return
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
