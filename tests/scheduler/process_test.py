# SPDX-License-Identifier: MIT
"""The runtime as a process: settings, statistics, overflow, exit, idleness, processors.

Usage: process_test.py PATH-OF-PROCESS_PROGRAM SANITIZER [unittest options]; SANITIZER is address,
thread or none.
"""

import itertools
import os
import re
import resource
import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without

NUMBER = "a whole number from "


class Settings(ProcessCase):
    def assert_refused(self, variable, value, accepted):
        for mode in ["workers", "leave", "leave-without-a-run"]:
            with self.subTest(variable=variable, value=value, mode=mode):
                done = self.run_program(mode, **{variable: value})
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")
                self.assertEqual(
                    done.stderr,
                    f"saguaro: SAGUARO_{variable}={value} is not accepted: {accepted}\n",
                )

    def test_bad_numbers_of_workers(self):
        for value in ["0", "-3", "many", "1000000", " 2", "2x", "4097"]:
            self.assert_refused("WORKERS", value, NUMBER + "1 to 4096")

    def test_bad_policy(self):
        for value in ["fastest", "Uniform"]:
            self.assert_refused("POLICY", value,
                                "one of uniform, nearest, biased, biased:WEIGHT,WEIGHT...")

    def test_bad_stack_size(self):
        for value in ["1", "8M"]:
            self.assert_refused("STACK_SIZE", value, NUMBER + "65536 to 1073741824")

    def test_bad_switches(self):
        self.assert_refused("STATS", "maybe", NUMBER + "0 to 1")
        self.assert_refused("PIN", "yes", "one of auto, 0, 1")
        self.assert_refused("SPIN", "-1", NUMBER + "0 to 1000000")

    def test_number_of_workers(self):
        for count in ["1", "2", "8"]:
            self.assertEqual(self.output("workers", WORKERS=count), f"{count} {count}\n")

    def test_default_is_what_the_process_may_use(self):
        workers = int(self.output("workers").split()[0])
        self.assertLessEqual(workers, len(os.sched_getaffinity(0)))
        self.assertGreaterEqual(workers, 1)

    def test_default_follows_the_affinity(self):
        for cpu in list(os.sched_getaffinity(0))[:2]:
            done = self.run_program("workers", before=lambda: os.sched_setaffinity(0, {cpu}))
            self.assertEqual(done.stdout, "1 1\n")

    def test_more_workers_than_processors(self):
        done = self.run_program(
            "fib-invoke", 15, before=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
            WORKERS="8",
        )
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("610\n", "", 0))

    @without(["address", "thread"], "it needs more address space than can be taken away")
    def test_no_memory_for_the_workers(self):
        if process_case.is_emulated(self.program):
            self.skipTest("the emulator needs more address space itself")
        limit = 1 << 30
        done = self.run_program(
            "workers", before=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
            WORKERS="4096",
        )
        self.assert_has_fewer(done, 4096)

    def assert_has_fewer(self, done, wanted):
        """It has run with fewer workers than wanted, and said so in one line."""
        self.assertEqual(done.returncode, 0, done.stderr)
        line = rf"\Asaguaro: only (\d+) of {wanted} workers \(SAGUARO_WORKERS\): .+\n\Z"
        self.assertRegex(done.stderr, line)
        number = re.match(line, done.stderr).group(1)
        self.assertEqual(done.stdout, f"{wanted} {number}\n")
        self.assertLess(int(number), wanted)

    @unittest.skipIf(os.getuid() != 0, "only root becomes a user of its own")
    def test_no_threads_for_the_workers(self):
        user = 54321  # who has no other processes
        def with_few_threads():
            resource.setrlimit(resource.RLIMIT_NPROC, (20, 20))
            os.setuid(user)
        try:
            done = self.run_program("workers", before=with_few_threads, WORKERS="64")
        except PermissionError:
            self.skipTest("that user may not run the program where it is")
        self.assert_has_fewer(done, 64)
        self.assertLessEqual(int(done.stdout.split()[1]), 10, "half of what could be had")

    @without(["address", "thread"], "it needs more address space than can be taken away")
    def test_with_little_memory_it_runs_or_says_what_for(self):
        """From too little for the workers to enough for more stacks than one."""
        if process_case.is_emulated(self.program):
            self.skipTest("the emulator needs more address space itself")
        for mode in ["fib-invoke", "fib-scope"]:
            for megabytes in range(304, 540, 8):
                with self.subTest(mode=mode, megabytes=megabytes):
                    limit = megabytes << 20
                    done = self.run_program(
                        mode, 20, WORKERS="2",
                        before=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
                    )
                    if done.returncode == 0:
                        self.assertEqual(done.stdout, "6765\n")
                        self.assertRegex(done.stderr, r"\A(saguaro: only 1 of 2 workers .+\n)?\Z")
                    else:
                        self.assertEqual(done.stdout, "")
                        self.assertRegex(done.stderr, r"\Asaguaro: .+\n\Z")
                        self.assertRegex(done.stderr, "no more stacks|no memory|Cannot allocate")


class Statistics(ProcessCase):
    def counters(self, text):
        """The numbers by name, as printed at one end of the runtime."""
        return {name: float(value) for value, name in re.findall(r"([\d.]+) ([a-z]+(?: frames)?)", text)}

    def counters_of(self, *arguments, **settings):
        done = self.run_program(*arguments, STATS="1", **settings)
        self.assertEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 4, done.stderr)
        self.assertTrue(all(line.startswith("saguaro: ") for line in lines), done.stderr)
        return self.counters(done.stderr)

    def test_spawns_of_a_known_program(self):
        # fib(20) spawns once in each call but the leaves, of which there are fib(21) = 10946.
        for mode in ["fib-invoke", "fib-scope"]:
            for workers in ["1", "2"]:
                with self.subTest(mode=mode, workers=workers):
                    seen = self.counters_of(mode, 20, WORKERS=workers)
                    self.assertEqual(seen["spawns"], 10945)
                    self.assertEqual(seen["workers"], int(workers))

    def test_alone_nobody_steals(self):
        seen = self.counters_of("fib-invoke", 20, WORKERS="1")
        for name in ["steals", "tries", "full frames", "parks"]:
            self.assertEqual(seen[name], 0, name)
        self.assertGreaterEqual(seen["stacks"], 1)

    def test_steals_are_no_more_than_tries(self):
        seen = self.counters_of("on-another-worker", 25, WORKERS="2")
        self.assertGreater(seen["steals"], 0)
        self.assertLessEqual(seen["steals"], seen["tries"])
        self.assertGreater(seen["working"], 0)

    def test_each_end_prints(self):
        done = self.run_program("stop-twice", 10, STATS="1", WORKERS="2")
        self.assertEqual(done.stderr.count(" 88 spawns"), 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 8, done.stderr)

    def test_off_it_says_nothing(self):
        for settings in [{}, {"STATS": "0"}]:
            self.assertEqual(self.output("fib-invoke", 10, **settings), "55\n")


class Stacks(ProcessCase):
    def assert_overflows(self, mode, size, use):
        with self.subTest(mode=mode, size=size, use=use):
            done = self.run_program(mode, use, STACK_SIZE=str(size), WORKERS="2")
            self.assertEqual(done.returncode, -signal.SIGSEGV, done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertRegex(
                done.stderr,
                rf"\Asaguaro: worker [01] overflowed its stack of {size} bytes; "
                r"SAGUARO_STACK_SIZE=BYTES makes it larger\n\Z",
            )

    @without(["address"], "it reports the overflow itself")
    def test_overflow_is_explained(self):
        for mode in ["recurse", "recurse-in-a-child"]:
            self.assert_overflows(mode, 1 << 20, 1 << 40)

    @without(["address"], "it reports the overflow itself")
    def test_the_setting_decides_when(self):
        for mode in ["recurse", "recurse-in-a-child"]:
            for size in [1 << 17, 1 << 20, 1 << 25]:
                self.assert_overflows(mode, size, size + 4096)

    def test_the_setting_decides_how_deep(self):
        for mode in ["recurse", "recurse-in-a-child"]:
            for size in [1 << 17, 1 << 20, 1 << 25]:
                use = size // 2 if process_case.SANITIZER != "none" else size - 16384
                self.assertEqual(self.output(mode, use, STACK_SIZE=str(size)), "back\n")

    def test_default_size(self):
        self.assertEqual(self.output("recurse", 7 << 20), "back\n")

    @without(["address"], "it keeps what it knows of each thread's stack elsewhere")
    def test_overflow_dies_at_once(self):
        self.assertNotEqual(self.run_program("recurse", 1 << 40, WORKERS="8").returncode, 0)


class Exit(ProcessCase):
    def test_exit_code_of_exit_in_a_task(self):
        for mode in ["exit-in-a-task", "exit-in-a-child", "exit-outside"]:
            for workers in ["1", "2", "4"]:
                for code in [0, 3]:
                    with self.subTest(mode=mode, workers=workers, code=code):
                        done = self.run_program(mode, code, WORKERS=workers)
                        self.assertEqual((done.stdout, done.stderr), ("", ""))
                        self.assertEqual(done.returncode, code)

    def assert_told_not_to_end_its_thread(self, place, workers):
        with self.subTest(workers=workers, place=place):
            done = self.run_program(f"end-the-thread-{place}", WORKERS=workers)
            self.assertEqual((done.stdout, done.returncode), ("", -signal.SIGABRT))
            # Each of several tasks that do may have said so.
            self.assertRegex(
                done.stderr, r"\A(saguaro: a task ends the thread that it runs on \(pthread_exit, "
                r"pthread_cancel\); return from the task instead\n)+\Z")

    @without(["address", "thread"], "they look at the stack of the thread that ends")
    def test_a_task_that_ends_its_thread_is_told_not_to(self):
        places = ["a-task", "c", "a-first-function", "a-second-function", "a-child", "a-group",
                  "a-loop", "a-sort", "a-search"]
        for workers, place in itertools.product(["1", "2"], places):
            self.assert_told_not_to_end_its_thread(f"in-{place}", workers)

    # If the flow waited for the rest, it might go on in another thread, which would be ended.
    @without(["address", "thread"], "they look at the stack of the thread that ends")
    def test_a_task_that_ends_its_thread_does_not_wait(self):
        for place in ["stolen-function", "stolen-part", "childs-scope", "tasks-group"]:
            self.assert_told_not_to_end_its_thread(f"beside-a-{place}", "2")

    @without(["thread"], "it has a thread of its own, which stays")
    def test_the_main_thread_may_end_when_the_workers_have(self):
        for workers in ["1", "2"]:
            self.assertEqual(self.output("end-the-main-thread", WORKERS=workers), "")

    def test_nobody_need_stop_the_workers(self):
        for mode in ["leave", "leave-without-a-run"]:
            for _ in range(10):
                self.assertEqual(self.output(mode, WORKERS="4"), "")


class Idleness(ProcessCase):
    def test_nothing_runs_and_all_sleep(self):
        for workers in [2, 8]:
            self.assertEqual(self.output("idle", workers - 1, WORKERS=str(workers)), f"{workers - 1}\n")

    def test_a_task_that_waits_leaves_all_but_one_asleep_which_naps(self):
        for workers in [2, 8]:
            self.assertEqual(self.output("wait-in-a-task", workers - 2, WORKERS=str(workers)),
                             f"{workers - 2}\n")


if __name__ == "__main__":
    process_case.main(1)
