# SPDX-License-Identifier: MIT
"""detmpiexec -transport mpi: the same bits as on one machine, over MPICH and over Open MPI.

Two or three launchers on this machine are as many hosts. For root, hosts are network namespaces too.

Usage: transport_test.py LAUNCHER CROSSING-PROGRAM RACING-PROGRAM [unittest options]
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

LAUNCHER, CROSSING, RACING = sys.argv[1:4]

os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False,
                          stdin=subprocess.DEVNULL, **more)
    # Open MPI's mpiexec speaks of a SIGCONT, which whoever stops and continues processes sends.
    done.stderr = re.sub(r"(?m)^\S+: Forwarding signal 18 to job\n", "", done.stderr)
    return done


def left_behind():
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(CROSSING):
                found.append(pid)
        except OSError:
            pass
    return found


ALONE = {}
unittest.TestCase.maxDiff = None


def on_one_machine(ranks, program):
    if (ranks, program) not in ALONE:
        done = run(LAUNCHER, "-n", str(ranks), program)
        assert (done.returncode, done.stderr) == (0, ""), done
        ALONE[ranks, program] = done.stdout
    return ALONE[ranks, program]


class OnThisMachine:
    """Hosts that are launchers on this machine."""

    def launch(self, hosts, *words):
        return run(*self.mpiexec, "-n", str(hosts), LAUNCHER, "-transport", "mpi", *words)

    def setUp(self):
        if shutil.which(self.mpiexec[0]) is None:
            self.skipTest(f"there is no {self.mpiexec[0]}")

    def test_outcomes_are_those_of_one_machine(self):
        for ranks, hosts, program in ((2, 2, CROSSING), (5, 2, CROSSING), (6, 3, CROSSING),
                                      (7, 2, RACING), (4, 3, RACING)):
            with self.subTest(ranks=ranks, hosts=hosts, program=program):
                done = self.launch(hosts, "-n", str(ranks), program)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, on_one_machine(ranks, program))

    def test_ranks_that_share_a_machine_share_windows(self):
        done = self.launch(2, "-n", "5", CROSSING, "mine")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), ["2 of 4"] * 2 + ["3 of 9"] * 3)

    def test_reductions_have_one_rule_on_all_hosts(self):
        for rule, sum_ in (("ordered", "0"), ("invariant", "1")):
            done = self.launch(2, "-reduce", rule, "-n", "4", CROSSING, "sum")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, f"{sum_}\n" * 4)

    # That its host is not silent meanwhile, carrier_test shows without a limit of time.
    def test_long_messages_wait_for_a_slow_reader(self):
        done = self.launch(2, "-silence", "3600", "-n", "2", CROSSING, "flood")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "all well\n", ""))

    def test_exit_code_behind_finalize_ends_no_other_rank(self):
        for word, lines in (("codes", [f"rank {r} is done" for r in range(4)]),
                            ("code", [f"rank {r} has met rank {4 - r}" for r in (1, 2, 3)])):
            with self.subTest(word):
                done = self.launch(2, "-timeout", "10", "-n", "4", CROSSING, word)
                self.assertEqual((done.returncode, sorted(line for line in done.stdout.splitlines()
                                                          if line.startswith("rank "))),
                                 (3, lines), done)
                self.assertRegex(done.stderr, r"(?m)^detmpiexec: rank [0-3] on \S+, \S+: .*3")

    def test_abort_with_0_ends_all_hosts(self):
        done = self.launch(2, "-timeout", "10", "-n", "4", CROSSING, "abort")
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stderr, r"(?m)^detmpiexec: rank 1 on \S+, \S+: MPI_Abort with code 0$")
        self.assertEqual(done.stderr.count("detmpiexec:"), 1)

    def test_ranks_are_no_processes_of_mpiexecs(self):
        done = self.launch(2, "-n", "2", "env")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotRegex(done.stdout, "(?m)^(PMI_|PMIX_|HYDI_|OMPI_COMM_)")

    def test_what_needs_one_memory_is_refused(self):
        for word, line in (("window", "a window: "), ("file", "MPI_File_open: "),
                           ("spawn", "MPI_Comm_spawn: "), ("name", "MPI_Publish_name: ")):
            done = self.launch(2, "-n", "3", CROSSING, word)
            self.assertEqual((done.returncode, done.stdout), (0, "refused\n" * 3))
            self.assertIn(f"saguaro: mpi: rank 0: {line}", done.stderr)
            self.assertIn("on several machines", done.stderr)
            # Of a name each rank speaks for itself.
            self.assertEqual(done.stderr.count("\n"), 3 if word == "name" else 1)


class Mpich(OnThisMachine, unittest.TestCase):
    mpiexec = ["mpiexec.mpich"]

    def assert_refused(self, line, *words):
        # On a busy machine it now and then loses what a process has printed that ends at once.
        for _ in range(5):
            done = run("mpiexec.mpich", *words)
            self.assertNotEqual(done.returncode, 0)
            if done.stderr:
                break
        self.assertIn(line, done.stderr)

    def test_more_hosts_than_ranks_get_a_line(self):
        self.assert_refused("3 hosts for 2 ranks", "-n", "3", LAUNCHER, "-transport", "mpi", "-n", "2",
                            CROSSING)

    def test_launchers_with_different_commands_get_a_line(self):
        self.assert_refused("another version of detmpiexec, other ranks, or another rule",
                            "-n", "1", LAUNCHER, "-transport", "mpi", "-n", "4", CROSSING,
                            ":", "-n", "1", LAUNCHER, "-transport", "mpi", "-n", "5", CROSSING)

    def test_launchers_with_different_rules_get_a_line(self):
        for words, variables in ((["-reduce", "invariant"], {}), (["-order", "arrival"], {}),
                                 ([], {"SAGUARO_MPI_REDUCE": "invariant"})):
            variables = [word for name, value in variables.items() for word in ("-env", name, value)]
            self.assert_refused("another rule of -reduce or -order",
                                "-n", "1", LAUNCHER, "-transport", "mpi", "-n", "2", CROSSING,
                                "sum", ":", "-n", "1", *variables, LAUNCHER, "-transport", "mpi",
                                *words, "-n", "2", CROSSING, "sum")


class OpenMpi(OnThisMachine, unittest.TestCase):
    mpiexec = ["mpiexec.openmpi", "--oversubscribe", "--bind-to", "none"]


class Words(unittest.TestCase):
    def refused(self, line, *words, **more):
        done = run(LAUNCHER, *words, CROSSING, **more)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done)
        self.assertIn(line, done.stderr)

    def test_wrong_words_get_a_line(self):
        self.refused("it is memory, on one machine, or mpi", "-transport", "pigeon")
        self.refused("on which hosts?", "-transport", "mpi")
        self.refused("names of hosts", "-hosts", "a:0,b:2")
        self.refused("not on elsewhere; -transport mpi", "-hosts", "localhost,elsewhere")
        self.refused("3 hosts for 2 ranks", "-transport", "mpi", "-hosts", "a,b,c", "-n", "2")
        self.refused("places to 5 ranks on 2 hosts, and there are 4 ranks on 2", "-transport",
                     "mpi", "-hosts", "a:2,b:3", "-n", "4")
        self.refused("-trace draws one machine", "-transport", "mpi", "-hosts", "a,b", "-trace",
                     "x.svg")
        self.refused("no number of seconds", "-silence", "0")
        self.refused("-mpiexec none: there is no such program", "-transport", "mpi", "-n", "2",
                     "-hosts", "a,b", "-mpiexec", "none")

    def test_missing_mpiexec_is_named(self):
        self.refused("PATH has none of mpiexec.mpich, mpiexec.hydra, mpiexec.openmpi, mpiexec, "
                     "mpirun", "-transport", "mpi", "-hosts", "a,b", "-n", "2",
                     env={"PATH": "/nowhere"})

    def test_missing_library_is_named(self):
        for variables, library in (({"PMI_RANK": "0", "PMI_SIZE": "1"}, "libmpich.so.12"),
                                   ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"},
                                    "libmpi.so.40")):
            with tempfile.TemporaryDirectory() as place:
                # Found first, and no library.
                for name in ("libmpich.so.12", "libmpi.so.12", "libmpi.so.40"):
                    with open(f"{place}/{name}", "w", encoding="utf-8") as file:
                        file.write("nothing")
                self.refused(f"no MPI library of the mpiexec that began this: {place}/{library}",
                             "-transport", "mpi", "-n", "2",
                             env={"LD_LIBRARY_PATH": place, "PATH": os.environ["PATH"],
                                  **variables})

    def test_own_library_is_no_transport(self):
        own = os.path.join(os.path.dirname(LAUNCHER), "../release/lib/mpi")
        if not os.path.exists(f"{own}/libmpich.so.12"):
            self.skipTest("the libraries stand elsewhere")
        self.refused("libmpich.so.12 is Saguaro MPI", "-transport", "mpi", "-n", "2",
                     env={"LD_LIBRARY_PATH": own, "PATH": os.environ["PATH"], "PMI_RANK": "0",
                          "PMI_SIZE": "1"})


# ssh, as a mpiexec calls it.
AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=NAME-${1##*.}
shift
exec ip netns exec $host env -i PATH="$PATH" unshare --uts --mount sh -c \
    "mount --bind /dev/null /etc/resolv.conf; hostname $host; $*"
"""


class InNamespaces(unittest.TestCase):
    """Hosts with networks and names of their own, which reach each other by TCP alone."""

    hosts = 2
    name = f"sgt{os.getpid() % 100000}"
    net = f"10.{177 + os.getpid() % 60}.{os.getpid() // 60 % 250}"

    @classmethod
    def setUpClass(cls):
        if shutil.which("ip") is None or os.geteuid() != 0:
            raise unittest.SkipTest("network namespaces need root and iproute2")
        cls.addClassCleanup(cls.remove)
        try:
            cls.make()
        except subprocess.CalledProcessError as refused:
            raise unittest.SkipTest(f"no network namespaces here: {refused.stderr}") from refused
        cls.place = tempfile.mkdtemp(prefix="saguaro-transport-")
        cls.addClassCleanup(shutil.rmtree, cls.place)
        agent = f"{cls.place}/agent"
        with open(agent, "w", encoding="utf-8") as file:
            file.write(AGENT.replace("NAME", cls.name))
        os.chmod(agent, 0o755)
        cls.variables = dict(
            os.environ, HYDRA_LAUNCHER="ssh", HYDRA_LAUNCHER_EXEC=agent, UCX_TLS="tcp,self",
            HYDRA_IFACE=cls.name, OMPI_MCA_plm_rsh_agent=agent, OMPI_MCA_pml="ob1",
            OMPI_MCA_btl="tcp,self")

    @staticmethod
    def ip(*words, check=True):
        return subprocess.run(["ip", *words], check=check, capture_output=True, text=True)

    @classmethod
    def make(cls):
        cls.ip("link", "add", cls.name, "type", "bridge")
        cls.ip("addr", "add", f"{cls.net}.254/24", "dev", cls.name)
        cls.ip("link", "set", cls.name, "up")
        for h in range(1, cls.hosts + 1):
            host = f"{cls.name}-{h}"
            cls.ip("netns", "add", host)
            cls.ip("link", "add", f"{cls.name}v{h}", "type", "veth", "peer", "name", "eth0",
                   "netns", host)
            cls.ip("link", "set", f"{cls.name}v{h}", "master", cls.name, "up")
            cls.ip("-n", host, "addr", "add", f"{cls.net}.{h}/24", "dev", "eth0")
            cls.ip("-n", host, "link", "set", "eth0", "up")
            cls.ip("-n", host, "link", "set", "lo", "up")

    @classmethod
    def remove(cls):
        for h in range(1, cls.hosts + 1):
            cls.ip("netns", "del", f"{cls.name}-{h}", check=False)
            cls.ip("link", "del", f"{cls.name}v{h}", check=False)
        cls.ip("link", "del", cls.name, check=False)

    def command(self, mpiexec, *words):
        if shutil.which(mpiexec) is None:
            self.skipTest(f"there is no {mpiexec}")
        hosts = ",".join(f"{self.net}.{h}" for h in range(1, self.hosts + 1))
        return [LAUNCHER, "-transport", "mpi", "-mpiexec", mpiexec, "-allow-run-as-root", "-hosts",
                hosts, *words]

    def launch(self, mpiexec, *words):
        return run(*self.command(mpiexec, *words), env=self.variables)

    def same_bits(self, mpiexec):
        done = self.launch(mpiexec, "-n", "6", CROSSING)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, on_one_machine(6, CROSSING))

    def test_mpich_carries_the_same_bits(self):
        self.same_bits("mpiexec.mpich")

    def test_open_mpi_carries_the_same_bits(self):
        self.same_bits("mpiexec.openmpi")

    def variables_reach_all_hosts(self, mpiexec):
        done = run(*self.command(mpiexec, "-n", "4", CROSSING, "sum"),
                   env=dict(self.variables, SAGUARO_MPI_REDUCE="invariant"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1\n" * 4, ""))
        done = run(*self.command(mpiexec, "-x", "SUM", "-n", "4", CROSSING, "variable"),
                   env=dict(self.variables, SUM="7"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "7\n" * 4, ""))

    def test_variables_reach_all_hosts_by_mpich(self):
        self.variables_reach_all_hosts("mpiexec.mpich")

    def test_variables_reach_all_hosts_by_open_mpi(self):
        self.variables_reach_all_hosts("mpiexec.openmpi")

    def test_rank_that_dies_ends_the_job_with_one_line(self):
        process, pids = self.rest("mpiexec.mpich", 4)
        os.kill(pids[f"{self.name}-2"][0], signal.SIGSEGV)
        errors = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGSEGV)
        self.assertRegex(errors, rf"^detmpiexec: rank [23] on {self.name}-2, \S+: signal 11 "
                                 r"\(Segmentation fault\)\n$")
        self.assertEqual(left_behind(), [])

    def test_exit_code_of_another_host_is_that_of_the_job(self):
        done = self.launch("mpiexec.mpich", "-n", "4", CROSSING, "last")
        self.assertEqual(done.returncode, 3, done)
        self.assertRegex(done.stderr, rf"^detmpiexec: rank 3 on {self.name}-2, .*code 3\n$")

    # Ranks that rest until somebody ends them; their processes by host, when all have begun.
    def rest(self, mpiexec, ranks, *words, how="rest"):
        process = subprocess.Popen(self.command(mpiexec, *words, "-n", str(ranks), CROSSING, how),
                                   env=self.variables, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(ranks):
            self.assertIn("rests", process.stdout.readline())
        hosts = {}
        for h in range(1, self.hosts + 1):
            host = f"{self.name}-{h}"
            hosts[host] = [int(pid) for pid in self.ip("netns", "pids", host).stdout.split()
                           if self.is_rank(pid)]
        return process, hosts

    @staticmethod
    def is_rank(pid):
        try:
            return os.readlink(f"/proc/{pid}/exe") == os.path.realpath(CROSSING)
        except OSError:
            return False

    def host_dies(self, mpiexec, lines=(1,)):
        process, _ = self.rest(mpiexec, 4)
        for pid in self.ip("netns", "pids", f"{self.name}-2").stdout.split():
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        errors = process.communicate(timeout=300)[1]
        self.assertNotEqual(process.returncode, 0)
        # Open MPI adds lines of its own, which begin with [HOST:PROCESS].
        ours = [line for line in errors.splitlines() if not line.startswith("[")]
        self.assertIn(len(ours), lines, errors)
        for line in ours:
            self.assertIn("detmpiexec: ", line)
        self.gone_soon()

    def test_host_that_dies_under_mpich_ends_the_job(self):
        # It may end the other ranks, and what they say, before they have said it.
        self.host_dies("mpiexec.mpich", lines=(0, 1))

    def test_host_that_dies_under_open_mpi_ends_the_job(self):
        self.host_dies("mpiexec.openmpi")

    def test_end_of_the_first_launcher_ends_the_job(self):
        process, _ = self.rest("mpiexec.mpich", 4)
        process.kill()
        process.communicate(timeout=300)
        self.gone_soon()

    def signal_ends(self, number, how):
        process, _ = self.rest("mpiexec.mpich", 4, how=how)
        process.send_signal(number)
        errors = process.communicate(timeout=300)[1]
        self.assertEqual((process.returncode, errors), (128 + number, ""))
        self.gone_soon()

    def test_signal_to_the_first_launcher_ends_the_job(self):
        self.signal_ends(signal.SIGTERM, "rest")
        self.signal_ends(signal.SIGINT, "rest")

    def test_signal_ends_ranks_that_ignore_it(self):
        self.signal_ends(signal.SIGINT, "stay")

    def test_signal_ends_a_job_whose_host_is_cut_off(self):
        process, _ = self.rest("mpiexec.mpich", 4, how="stay")
        self.cut_off()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)

    def test_time_that_is_over_has_one_line(self):
        process, _ = self.rest("mpiexec.mpich", 4, "-timeout", "2")
        errors = process.communicate(timeout=300)[1]
        self.assertEqual((process.returncode, errors), (
            124, "detmpiexec: the job has run for 2 seconds, and has no more time\n"))
        self.gone_soon()

    def cut_off_ends(self, mpiexec, how):
        process, _ = self.rest(mpiexec, 4, "-silence", "1", how=how)
        if how == "pour":
            time.sleep(1)
        self.cut_off()
        errors = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, rf"(?m)^detmpiexec: nothing has come from {self.net}.[12] for 1 "
                                 r"seconds: the job ends\n")
        self.gone_soon()

    def test_host_that_is_cut_off_ends_the_job(self):
        self.cut_off_ends("mpiexec.mpich", "rest")

    def test_host_that_is_cut_off_in_a_long_message_ends_the_job(self):
        self.cut_off_ends("mpiexec.mpich", "pour")

    def test_rank_that_dies_while_a_host_is_cut_off_is_what_the_line_names(self):
        process, pids = self.rest("mpiexec.mpich", 4, "-silence", "1")
        self.cut_off()
        os.kill(pids[f"{self.name}-1"][0], signal.SIGSEGV)
        errors = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGSEGV)
        self.assertRegex(errors, rf"^detmpiexec: rank [01] on {self.name}-1, \S+: signal 11 .*\n$")
        self.gone_soon()

    def test_host_that_is_cut_off_from_the_begin_is_named(self):
        self.cut_off()
        done = self.launch("mpiexec.mpich", "-n", "4", CROSSING)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)
        self.assertRegex(done.stderr, rf"detmpiexec: a host is not reached: .*{self.name}-2")
        self.gone_soon()

    def cut_off(self):
        self.ip("link", "set", f"{self.name}v2", "down")
        self.addCleanup(self.join_again)

    # A network that comes back takes a moment: until then mpiexec reaches nobody.
    def join_again(self):
        self.ip("link", "set", f"{self.name}v2", "up")
        for _ in range(600):
            try:
                socket.create_connection((f"{self.net}.2", 9), timeout=1).close()
            except ConnectionRefusedError:
                return
            except OSError:
                time.sleep(0.1)
        self.fail("the network does not come back")

    def gone_soon(self):
        for _ in range(600):
            if not left_behind():
                return
            time.sleep(0.1)
        self.fail(f"still there: {left_behind()}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
