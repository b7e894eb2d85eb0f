# SPDX-License-Identifier: MIT
"""Workers that have a home, and what their tasks make.

Usage: pinning_test.py PATH-OF-PROCESS_PINNING SANITIZER [unittest options].
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, without

ALLOWED = len(os.sched_getaffinity(0))
MADE = ["std::thread", "thrd_create", "fork", "system", "popen", "vfork", "clone", "posix_spawn",
        "posix_spawnp"]


def quota():
    """Whether the control group limits the time that this process gets."""
    try:
        return not Path("/sys/fs/cgroup/cpu.max").read_text().startswith("max")
    except OSError:
        return False


def hierarchies():
    """Where the kernel's control groups are mounted."""
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return [line.split()[4] for line in mounts if re.search(r" - cgroup2? ", line)]


def under_quota(processors, folder):
    """The command that runs another one where all control groups are that folder, which says how many
    processors they pay for."""
    period = 100_000
    quota = round(processors * period)
    for name, text in (("cpu.max", f"{quota} {period}"), ("cpu.cfs_quota_us", f"{quota}"),
                       ("cpu.cfs_period_us", f"{period}")):
        Path(folder, name).write_text(text + "\n", encoding="utf-8")
    binds = [f"mount --bind {shlex.quote(folder)} {shlex.quote(point)} &&"
             for point in hierarchies()]
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
            " ".join([*binds, 'exec "$@"']), "sh"]


@unittest.skipIf(ALLOWED < 2, "one processor: nothing is bound to anything")
class Pinning(ProcessCase):
    def counts(self, mode, **settings):
        """The lines `name count` of a mode's output."""
        return [line.rsplit(" ", 1) for line in self.output(mode, **settings).splitlines()]

    def test_what_a_task_makes_has_the_process_own_processors(self):
        for pin in ("1", "auto", "0"):
            said = self.counts("children", WORKERS="2", PIN=pin)
            # ThreadSanitizer knows no threads of thrd_create.
            made = [name for name in MADE
                    if name != "thrd_create" or process_case.SANITIZER != "thread"]
            self.assertEqual([name for name, _ in said], ["worker", *made, "worker"])
            for name, count in said:
                self.assertEqual(count, str(ALLOWED), f"{name}, SAGUARO_PIN={pin}")

    @without(["thread"], "it allows no threads after a fork of several")
    def test_the_child_of_a_task_has_as_many_workers_as_its_parent_would(self):
        os.environ.pop("SAGUARO_WORKERS", None)
        os.environ.pop("CILK_NWORKERS", None)
        self.assertEqual(self.counts("workers-of-a-child", PIN="1"), [["workers", str(ALLOWED)]])

    def test_what_cannot_be_bound_is_said_once(self):
        workers = str(ALLOWED + 1)
        for program in ("entering", "places-of-cores"):
            done = self.run_program(program, WORKERS=workers, PIN="1")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, rf"\Asaguaro: SAGUARO_PIN=1 binds nothing: {workers} workers "
                                          rf"are more than the {ALLOWED} processors? that this process "
                                          r"may use, [0-9,-]+\n\Z")
        for pin in ("0", "auto"): # who asks for more workers knows
            self.assertEqual(self.run_program("entering", WORKERS=workers, PIN=pin).stderr, "")

    def test_who_changes_it_has_the_last_word(self):
        self.assertEqual(self.output("changed", WORKERS="2", PIN="1"), "")

    def test_the_thread_that_enters_is_not_bound(self):
        for workers in ["1", "2"]:
            for pin in ["1", "auto"]:
                if int(workers) > ALLOWED and pin == "1":
                    continue
                said = self.counts("entering", WORKERS=workers, PIN=pin)
                self.assertEqual([count for _, count in said], [str(ALLOWED)] * 3)

    def check_starts(self, start, workers, through=(), **more):
        """Whether each thread of the runtime starts on a processor of its own; all may use all."""
        done = self.run_program("starts", through=through, WORKERS=str(workers), PIN="auto", **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        where, worker = done.stdout.splitlines()
        self.assertEqual(worker, f"worker {ALLOWED}")
        where = [] if where == "started -" else where.removeprefix("started ").split(",")
        self.assertEqual(len(where), workers - 1 if start else 0)
        self.assertLessEqual({int(cpu) for cpu in where}, os.sched_getaffinity(0))

    def test_by_itself_it_starts_them_apart_where_it_has_the_machine(self):
        whole = os.sysconf("SC_NPROCESSORS_ONLN")
        self.check_starts(ALLOWED == whole and not quota(), whole)

    def test_by_itself_it_does_not_where_a_quota_pays_for_less(self):
        whole = os.sysconf("SC_NPROCESSORS_ONLN")
        if ALLOWED != whole or not hierarchies():
            self.skipTest("no machine of its own, or no control groups")
        with tempfile.TemporaryDirectory(prefix="saguaro-groups-") as folder:
            for processors, apart in ((whole, True), (whole - 0.5, False), (whole + 3, True)):
                through = under_quota(processors, folder)
                done = subprocess.run([*through, "true"], capture_output=True, text=True)
                if done.returncode != 0:
                    self.skipTest(f"no folder in the place of the groups: {done.stderr}")
                with self.subTest(processors):
                    self.check_starts(apart, whole, through=through)

    def test_by_itself_it_does_not_where_others_may_be(self):
        whole = os.sysconf("SC_NPROCESSORS_ONLN")
        for workers in [str(whole + 1), str(whole - 1)]:
            if workers != "1":
                self.check_starts(False, int(workers))
        one = {min(os.sched_getaffinity(0))}
        done = self.run_program("worker", before=lambda: os.sched_setaffinity(0, one),
                                WORKERS="2", PIN="auto")
        self.assertEqual(done.stdout, "worker 1\n")

    def test_told_not_to_it_does_not(self):
        self.assertEqual(self.counts("worker", WORKERS="2", PIN="0"), [["worker", str(ALLOWED)]])


@unittest.skipIf(ALLOWED < 2, "one processor: nothing is bound to anything")
class Processors(ProcessCase):
    """SAGUARO_CPUS."""

    def setUp(self):
        self.first, self.second = sorted(os.sched_getaffinity(0))[:2]
        os.environ.pop("CILK_NWORKERS", None)

    def test_each_worker_has_its_own_of_the_list(self):
        for cpus in ([self.first, self.second], [self.second, self.first]):
            self.assertEqual(self.output("places", CPUS=",".join(map(str, cpus))),
                             f"workers 2\nsaguaro/1 {cpus[1]}\n")

    def test_cores_of_vms_too(self):
        for cpus in ([self.first, self.second], [self.second, self.first]):
            expected = f"sg-vms-0 {cpus[0]}\nsg-vms-1 {cpus[1]}\n" * 2
            # A core may run before the other one's thread has bound itself.
            for _ in range(50):
                said = self.output("places-of-cores", CPUS=",".join(map(str, cpus)))
                if said == expected:
                    break
            self.assertEqual(said, expected)

    def test_more_workers_begin_at_the_front_and_it_is_said_once(self):
        done = self.run_program("places", CPUS=f"{self.second},{self.first}", WORKERS="4")
        self.assertEqual(done.stdout, f"workers 4\nsaguaro/1 {self.first}\n"
                                      f"saguaro/2 {self.second}\nsaguaro/3 {self.first}\n")
        self.assertEqual(done.stderr, "saguaro: 4 workers share the 2 processors of "
                                      f"SAGUARO_CPUS={self.second},{self.first}\n")
        self.assertEqual(done.returncode, 0)
        done = self.run_program("places-of-cores", CPUS=str(self.first), WORKERS="2")
        self.assertEqual(done.stderr.count("share the 1 processor of"), 1)

    def test_what_the_process_may_not_use_is_refused(self):
        done = self.run_program("places", CPUS=f"{self.first},{self.second}",
                                before=lambda: os.sched_setaffinity(0, {self.first}))
        line = (f"SAGUARO_CPUS={self.first},{self.second} is not accepted: this process may not use "
                f"processor {self.second}, but only {self.first}\n")
        self.assertEqual(done.stderr.split("\n")[0] + "\n", f"saguaro: sg_start: {line}")
        done = self.run_program("worker", CPUS=f"{self.first},{self.second}",
                                before=lambda: os.sched_setaffinity(0, {self.first}))
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", f"saguaro: {line}", 2))
        done = self.run_program("places", CPUS=str(self.second),
                                before=lambda: os.sched_setaffinity(0, {self.second}))
        self.assertEqual((done.stdout, done.stderr), ("workers 1\n", ""))

    def test_told_not_to_bind_it_counts_only(self):
        self.assertEqual(self.output("places", CPUS=f"{self.first},{self.second}", PIN="0"),
                         "workers 2\nsaguaro/1 -\n")


if __name__ == "__main__":
    process_case.main(1)
