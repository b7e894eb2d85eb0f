# SPDX-License-Identifier: MIT
"""detmpiexec's options, signals and limits; with programs that need no MPI library."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LAUNCHER = sys.argv[1]
# What a tester says about malloc would win.
for each in [name for name in os.environ if name.startswith(("MALLOC_", "GLIBC_TUNABLES"))]:
    del os.environ[each]
PROCESSORS = sorted(os.sched_getaffinity(0))
MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
LIBRARY = os.confstr("CS_GNU_LIBC_VERSION") or "none 0.0"
AFFINITY = [sys.executable, "-c", "import os; print(sorted(os.sched_getaffinity(0)))"]


def launch(*words, before=None, **variables):
    return subprocess.run(
        [LAUNCHER, *words], capture_output=True, text=True, timeout=300, check=False,
        preexec_fn=before, env=os.environ | variables)


def entries(ranks):
    """What a rank has in GLIBC_TUNABLES, one of so many."""
    largest = min(256 << 20, MEMORY // ranks // 16)
    return (f"glibc.malloc.mmap_threshold={largest}:glibc.malloc.trim_threshold={2 * largest}"
            if largest > 32 << 20 else "")


def takes_entries():
    version = [int(part) for part in LIBRARY.split()[1].split(".")]
    return LIBRARY.startswith("glibc") and version >= [2, 35] and entries(2) != ""


class Options(unittest.TestCase):
    def prints(self, expected, *words, **variables):
        done = launch(*words, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(expected))

    def test_variables(self):
        show = ["sh", "-c", "echo $A,$B"]
        self.prints(["1,", "1,2"], "-genv", "A", "1", *show, ":", "-env", "B", "2", *show)
        self.prints(["3,4"], "-genv", "A", "1", "-env", "A", "3", "-x", "B=4", *show)
        self.prints(["5,"], "-x", "A", *show, A="5")

    def test_variables_of_a_list_alone(self):
        show = ["/bin/sh", "-c", "echo $A,$B"]
        self.prints(["6,"], "-envlist", "A,C", *show, A="6", B="7")
        self.prints(["6,", "6,"], "-genvlist", "A", *show, ":", *show, A="6", B="7")

    def test_folder(self):
        with tempfile.TemporaryDirectory() as place:
            place = os.path.realpath(place)
            os.symlink("/bin/pwd", f"{place}/here")
            self.prints([place, os.getcwd()], "-wdir", place, "./here", ":", "/bin/pwd")

    def test_lines_have_tags(self):
        for option in ("-l", "-tag", "--tag"):
            self.prints(["[0] x", "[0] y", "[1] x", "[1] y"], option, "-n", "2", "printf", "x\ny\n")

    def test_both_streams_in_one_keep_their_lines(self):
        script = "for i in $(seq 2000); do echo out of $1; echo err of $1 >&2; done"
        words = [LAUNCHER, "-n", "3", "sh", "-c", script, "sh", "xxxx" * 40]
        printed = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 timeout=300, check=True).stdout.splitlines()
        self.assertEqual(len(printed), 12000)
        self.assertEqual(set(printed), {f"{s} of {'xxxx' * 40}" for s in ("out", "err")})

    @unittest.skipIf(len(PROCESSORS) < 2, "one processor")
    def test_ranks_have_their_places(self):
        a, b = PROCESSORS[:2]
        everywhere = str(PROCESSORS)
        self.prints([everywhere] * 2, "-bind", "none", "-n", "2", *AFFINITY)
        self.prints([f"[{a}]", f"[{b}]", f"[{a}]"], "-bind", f"{a},{b}", "-n", "3", *AFFINITY)
        self.prints([f"[{a}, {b}]"], "-bind-to", f"{a}+{b}", *AFFINITY)
        self.prints([everywhere] * (len(PROCESSORS) + 1), "-n", str(len(PROCESSORS) + 1), *AFFINITY)
        # The shares are disjoint, and together everything.
        for words in (["-n", "2"], ["-n", "2", "-bind", "core"]):
            done = launch(*words, *AFFINITY)
            shares = [eval(line) for line in done.stdout.splitlines()]
            if len(shares[0]) < len(PROCESSORS):  # else a control group pays for less
                self.assertEqual(sorted(shares[0] + shares[1]), PROCESSORS)

    def test_threads_have_their_share(self):
        show = ["sh", "-c", "echo $OMP_NUM_THREADS $SAGUARO_WORKERS"]
        clean = {"OMP_NUM_THREADS": "7"}
        self.prints(["7 1"] * 64, "-n", "64", *show, **clean)

    @unittest.skipUnless(takes_entries(), "the C library keeps what it does by default")
    def test_freed_memory_is_kept(self):
        show = ["sh", "-c", "echo $GLIBC_TUNABLES"]
        self.prints([entries(2)] * 2, "-n", "2", *show)
        self.prints([entries(99)] * 99, "-n", "99", *show)
        self.prints(["glibc.cpu.x=1:" + entries(1)], *show, GLIBC_TUNABLES="glibc.cpu.x=1")
        # What the user says about malloc stays alone.
        own = "glibc.malloc.mmap_max=9:glibc.cpu.x=1"
        self.prints([own], *show, GLIBC_TUNABLES=own)
        self.prints([""], *show, GLIBC_TUNABLES="")
        self.prints([""], *show, MALLOC_ARENA_MAX="1")
        self.prints(["", entries(2)], "-env", "GLIBC_TUNABLES", "", *show, ":", *show)

    @unittest.skipUnless(takes_entries() and MEMORY > 1 << 30, "little memory")
    def test_a_block_has_its_pages_once(self):
        script = ("import resource\n"
                  "for i in range(20): block = b'x' * (50 << 20); del block\n"
                  "print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt * 4096 < 200 << 20)")
        self.prints(["True"], sys.executable, "-c", script)
        self.prints(["False"], sys.executable, "-c", script, GLIBC_TUNABLES="")

    def test_size_of_the_universe(self):
        show = ["sh", "-c", "echo $SAGUARO_MPI_UNIVERSE"]
        self.prints(["12", "12"], "-usize", "12", *show, ":", *show)
        self.prints([str(len(PROCESSORS))], "-usize", "SYSTEM", *show)
        self.prints(["0"], "-usize", "INFINITE", *show, SAGUARO_MPI_UNIVERSE="12")

    def test_hosts(self):
        for name in ("localhost", os.uname().nodename, "localhost:4"):
            self.prints(["x"], "-hosts", name, "echo", "x")

    def test_end_of_time(self):
        for words, variables in ((["-timeout", "1"], {}), ([], {"MPIEXEC_TIMEOUT": "1"})):
            done = launch(*words, "-n", "2", "sleep", "1000", **variables)
            self.assertEqual(done.returncode, 124)
            self.assertEqual(done.stderr, "detmpiexec: the job has run for 1 seconds, and has no "
                                          "more time\n")

    def test_wrong_words_get_a_line(self):
        for words, line in (
            (["-bind", "socket", "true"], "it is core, none, or processors"),
            (["-bind", "1-", "true"], "it is core, none, or processors"),
            (["-bind", "1048576", "true"], "no processor 1048576"),
            (["-hosts", "localhost,elsewhere", "true"], "not on elsewhere"),
            (["-timeout", "soon", "true"], "no number of seconds"),
            (["-wdir", "/nowhere", "true"], "/nowhere: No such file"),
            (["-usize", "0", "true"], "it is a number of ranks, SYSTEM or INFINITE"),
            (["-env", "A=B", "1", "true"], "no name of a variable"),
            (["-x", "NO_SUCH_VARIABLE", "true"], "there is no such variable"),
        ):
            done = launch(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(line, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


class Limits(unittest.TestCase):
    def test_many_ranks_where_few_files_may_be_open(self):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, most))
        done = launch("-n", "100", "sh", "-c", "ulimit -n", before=few)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "100\n" * 100)

    def test_end_is_seen_although_nobody_reads(self):
        running = subprocess.Popen(
            [LAUNCHER, "yes", ":", "sh", "-c", "sleep 1; kill -SEGV $$"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = running.stderr.readline()
        self.assertIn("rank 1", line)
        self.assertIn("signal 11", line)
        running.stdout.close()
        self.assertEqual(running.wait(60), 128 + 11)
        running.stderr.close()


class Signals(unittest.TestCase):
    def begin(self, script, ranks=2):
        running = subprocess.Popen([LAUNCHER, "-n", str(ranks), "sh", "-c", script], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.stdout.close)
        self.addCleanup(running.kill)
        for _ in range(ranks):
            self.assertEqual(running.stdout.readline(), "begun\n")
        return running

    def test_signals_go_on_to_the_ranks(self):
        running = self.begin("trap 'echo got; exit 0' USR1; echo begun; while :; do sleep 0.05; done")
        running.send_signal(signal.SIGUSR1)
        self.assertEqual(running.communicate(timeout=300), ("got\ngot\n", ""))
        self.assertEqual(running.returncode, 0)

    def test_first_interrupt_asks(self):
        script = "trap 'echo tidy; exit 5' INT; echo begun; while :; do sleep 0.05; done"
        running = self.begin(script)
        running.send_signal(signal.SIGINT)
        printed, errors = running.communicate(timeout=300)
        self.assertEqual(printed, "tidy\ntidy\n")
        self.assertEqual(errors.count("\n"), 1)
        self.assertEqual(running.returncode, 5)

    def test_second_interrupt_kills(self):
        running = self.begin("trap 'echo asked' INT; echo begun; while :; do sleep 0.05; done")
        running.send_signal(signal.SIGINT)
        for _ in range(2):
            self.assertEqual(running.stdout.readline(), "asked\n")
        self.assertIsNone(running.poll())
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=300)
        self.assertEqual(running.returncode, 128 + 2)

    def test_stop_and_go_on(self):
        running = self.begin("echo begun; exec sleep 4")
        ranks = subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, text=True,
                               check=True).stdout.split()
        self.assertEqual(len(ranks), 2)
        running.send_signal(signal.SIGTSTP)
        states = []
        for _ in range(1200):
            states = [state(pid) for pid in (running.pid, *ranks)]
            if states == ["T"] * 3:
                break
            time.sleep(0.05)
        self.assertEqual(states, ["T"] * 3)
        running.send_signal(signal.SIGCONT)
        self.assertEqual(running.wait(60), 0)


def state(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return re.search(r"\) (\w)", file.read()).group(1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
