# SPDX-License-Identifier: MIT
"""detmpiexec -order, -stats, -patience, -check, -trace.

Usage: order_test.py LAUNCHER RACING-PROGRAM [unittest options]
"""

import ctypes
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LAUNCHER, PROGRAM = sys.argv[1:3]


def launch(*words, ranks="5"):
    return subprocess.run([LAUNCHER, "-n", ranks, *words], capture_output=True, text=True,
                          timeout=300, check=False)


def has_counters():
    """Whether the kernel lends this process a counter of instructions, asked without the library."""
    number = {"x86_64": 298, "aarch64": 241}[platform.machine()]
    # perf_event_attr: type 0 is the hardware's, its event 1 the instructions; without kernel and hypervisor.
    wanted = (ctypes.c_uint64 * 16)()
    wanted[0] = 128 << 32
    wanted[1] = 1
    wanted[5] = 1 << 5 | 1 << 6
    opened = ctypes.CDLL(None).syscall(number, wanted, 0, -1, -1, 8)
    if opened >= 0:
        os.close(opened)
    return opened >= 0


class Order(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="saguaro-order-")
        self.addCleanup(shutil.rmtree, self.place)
        self.file = f"{self.place}/outcomes"

    def output(self, *words):
        done = launch(*words, PROGRAM)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_clock_has_one_outcome_and_arrival_has_many(self):
        self.assertEqual(len({self.output() for _ in range(3)}), 1)
        self.assertEqual(self.output("-order", "clock"), self.output())
        self.assertGreater(len({self.output("-order", "arrival") for _ in range(3)}), 1)

    def test_work_has_one_outcome_or_a_line_that_says_why_not(self):
        done = launch("-order", "work", PROGRAM)
        if not has_counters():
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
            self.assertRegex(done.stderr, "^detmpiexec: -order work counts .* and cannot here: .*"
                                          r"MPI_Pcontrol\(2, cost\) .* -order record")
        elif done.returncode != 0 and "cannot here" in done.stderr:
            self.skipTest(done.stderr) # of another processor than we know
        else:
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for _ in range(5):
                self.assertEqual(self.output("-order", "work"), done.stdout)

    # The system lets nobody fetch a descriptor from a program that its user cannot read, as from any program
    # under Yama's second restriction. From itself the program may.
    def test_work_is_refused_where_ranks_cannot_read_each_other(self):
        os.chmod(self.place, 0o755)
        unreadable = os.path.join(self.place, "detmpiexec")
        shutil.copy(LAUNCHER, unreadable)
        os.chmod(unreadable, 0o111)
        somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        done = subprocess.run([unreadable, "-order", "work", "-n", "2", "/bin/true"], capture_output=True, text=True,
                              timeout=300, check=False, cwd="/", **somebody)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("ranks cannot read each other's counters: pidfd_getfd: Operation not permitted", done.stderr)
        self.assertNotIn("cannot read each other", launch("-order", "work", "/bin/true", ranks="2").stderr)

    # The variable is for programs that others begin.
    def test_work_is_asked_for_by_the_variable_as_well(self):
        asked = subprocess.run([LAUNCHER, "-n", "2", "-env", "SAGUARO_MPI_ORDER", "work", PROGRAM],
                               capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(asked.stderr, launch("-order", "work", PROGRAM, ranks="2").stderr)

    def test_work_is_refused_across_machines(self):
        done = launch("-transport", "mpi", "-order", "work", PROGRAM)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("-order work does not go with -transport mpi", done.stderr)

    def test_what_is_recorded_is_replayed(self):
        recorded = self.output("-order", "record", self.file)
        self.assertNotEqual(recorded, self.output())
        for _ in range(3):
            self.assertEqual(self.output("-order", "replay", self.file), recorded)

    # They keep ranks apart, so they are by the clock under each rule.
    def test_turns_of_files_have_one_outcome_under_each_rule(self):
        rules = ([], ["-order", "arrival"], ["-order", "record", self.file],
                 ["-order", "replay", self.file])
        done = [launch(*rule, PROGRAM, "file", f"{self.place}/file") for rule in rules]
        self.assertEqual({(d.returncode, d.stderr, d.stdout) for d in done},
                         {(0, "", done[0].stdout)})
        self.assertEqual(sorted(done[0].stdout.split()), sorted([str(r) for r in range(5)] * 12))

    def test_wrong_files_get_a_line(self):
        self.output("-order", "record", self.file)
        with open(f"{self.file}.0", encoding="utf-8") as file:
            whole = file.read()
        for text, line in ((None, "outcomes.0: No such file"), ("", "it is empty"),
                           ("ranks 7\n", "was not recorded with 5 ranks"),
                           ("ranks 5\nreceive 1 0 5000\n", "outcomes.0:2: this was not recorded"),
                           (re.sub(r"(?m)^poll .*\n", "", whole), "more often than when"),
                           (re.sub(r"(?m)^(poll 1 \w+) .*$", r"\1 5000", whole), "other questions"),
                           (re.sub(r"(?m)^(receive \d+) \d+", r"\1 99", whole),
                            "receive 1 from any source has tag 0, and had 99"),
                           (whole.replace("MPI_Waitany", "MPI_Test"),
                            "asks by MPI_Waitany, and did by MPI_Test"),
                           (whole + "poll 7 MPI_Probe 1\n", "less often than when")):
            with self.subTest(line=line):
                if text is None:
                    os.rename(f"{self.file}.0", f"{self.file}.kept")
                else:
                    with open(f"{self.file}.0", "w", encoding="utf-8") as file:
                        file.write(text)
                done = launch("-order", "replay", self.file, PROGRAM)
                self.assertEqual(done.returncode, 2)
                self.assertIn(line, done.stderr)

    # The poll must say that the second message is there, which is never sent.
    def test_waiting_in_vain_for_a_recorded_outcome_gets_a_line(self):
        self.assertEqual(launch("-order", "record", self.file, PROGRAM, "never").stdout, "0\n")
        with open(f"{self.file}.0", encoding="utf-8") as file:
            whole = file.read()
        with open(f"{self.file}.0", "w", encoding="utf-8") as file:
            file.write(re.sub(r"(?m)^(poll 1 \w+) 0$", r"\1 1", whole, count=1))
        done = launch("-order", "replay", self.file, PROGRAM, "never")
        self.assertEqual(done.returncode, 2)
        self.assertIn("deadlock", done.stderr)
        self.assertIn("-order replay has the file of another program", done.stderr)

    def test_costs_are_told_by_call_and_place(self):
        done = launch("-stats", PROGRAM, "slow")
        self.assertEqual(done.returncode, 0)
        total = re.search(r"rank 0: (\d+) of (\d+) waits were for an order alone, for ([\d.]+) s",
                          done.stderr)
        self.assertGreater(float(total[3]), 1.0)
        self.assertLessEqual(int(total[1]), int(total[2]))
        sites = re.findall(r"rank 0: +([\d.]+) s +\d+ times in (MPI_\w+) at racing_program\+0x",
                           done.stderr)
        self.assertGreater(float(sites[0][0]), 1.0)

    def test_ranks_that_hold_up_others_are_named(self):
        done = launch("-patience", "1", PROGRAM, "slow")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"rank 0: MPI_\w+ is not decided for 1 s: outside MPI, or "
                                      r"behind in calls: rank 1\n")
        self.assertEqual(launch("-patience", "100", PROGRAM, "slow").stderr, "")

    def test_leaks_are_named(self):
        done = launch("-check", PROGRAM, "leak", f"{self.place}/file", ranks="2")
        self.assertEqual(sorted(done.stderr.splitlines()), [
            f"saguaro: mpi: rank {rank}: MPI_Finalize: not freed: 1 request, 1 matched message, "
            "1 communicator, 1 window, 1 file, 1 group, 2 types, 1 operator, 1 info object, "
            "1 attached buffer, 1 port, 1 error handler, 1 attribute key" for rank in range(2)])
        self.assertEqual(launch("-check", PROGRAM, ranks="2").stderr, "")

    # However late they are sent: the line is the same in each run.
    def test_messages_that_nobody_received_are_named(self):
        for order in ("clock", "arrival"):
            done = launch("-check", "-order", order, PROGRAM, "late", ranks="3")
            self.assertEqual(sorted(re.findall(r"MPI_Finalize: (not received: .*)", done.stderr)), [
                "not received: 1 message; the first came from rank 1 with tag 500",
                "not received: 4 messages; the first came from rank 2 with tag 302"])
            self.assertEqual(done.returncode, 0)
        self.assertEqual(launch(PROGRAM, "late", ranks="3").stderr, "")

    # As by MPICH.
    def test_job_with_a_forgotten_session_ends_well(self):
        done = launch(PROGRAM, "session", ranks="2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = launch("-check", PROGRAM, "session", ranks="2")
        self.assertEqual((done.returncode, sorted(done.stderr.splitlines())), (0, [
            f"saguaro: mpi: rank {rank}: the end of the process: not finalized: 1 session"
            for rank in range(2)]))

    def test_messages_are_drawn(self):
        for name in ("messages.json", "messages.svg"):
            done = launch("-trace", f"{self.place}/{name}", PROGRAM, ranks="3")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(f"{self.place}/messages.json", encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        # The rounds' messages to rank 0 and no others; both ends of each.
        for phase in ("s", "f"):
            arrows = [e for e in events if e["ph"] == phase and e.get("cat") == "channel"]
            self.assertEqual(len(arrows), 24)
        with open(f"{self.place}/messages.svg", encoding="utf-8") as file:
            self.assertGreater(file.read().count("<title"), 24)
        done = launch("-trace", f"{self.place}/messages.txt", PROGRAM, ranks="3")
        self.assertNotEqual(done.returncode, 0)

    def test_wrong_words_get_a_line(self):
        for words, line in ((["-order", "chance"], "it is clock, work, arrival"),
                            (["-order", "record"], "which program?"),
                            (["-patience", "little"], "no number of seconds")):
            done = launch(*words, PROGRAM)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
            self.assertIn(line, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
