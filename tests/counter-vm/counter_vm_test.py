# SPDX-License-Identifier: MIT
"""Ranks whose work is counted, by a real kernel and an emulated counter: in a virtual machine.

Usage: counter_vm_test.py INIT KEPT READELF LIBRARIES MPI-LIBRARY NAME=PROGRAM... [unittest options]

INIT is numa-vm's init.c, linked statically; KEPT a folder where a kernel that was downloaded is kept;
READELF a program as binutils' own; LIBRARIES the folder of AArch64's libraries. Exit code 77 if the machine
cannot be run here; a line says why.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "numa-vm"))
import machine

# With -icount the emulator counts instructions one by one, of all processors together: there is one.
MACHINE = machine.Kind("arm64", "qemu-system-aarch64",
                       ["-machine", "virt", "-cpu", "max", "-icount", "shift=0", "-smp", "1", "-m", "768M"],
                       "console=ttyAMA0",
                       ("BLK_DEV_INITRD", "DEVTMPFS", "HW_PERF_EVENTS", "RD_GZIP",
                        "SERIAL_AMBA_PL011_CONSOLE"))
LOADER = "ld-linux-aarch64.so.1"
# It looks for its libraries in ../lib/mpi.
LAUNCHER = "/saguaro/bin/detmpiexec"
WORK = f"{LAUNCHER} -order work -n 3 /bin/uneven"

# A name, how many seconds at most, and how it is called.
COMMANDS = {
    "counter": (60, "/bin/counter threads --gtest_filter=work_counter.*"),
    "work-1": (120, WORK),
    "work-2": (120, WORK),
    "work-3": (120, f"WHATEVER=this_moves_the_stack {WORK}"),
    "ahead": (120, f"{WORK} ahead"),
    "clock": (120, f"{LAUNCHER} -order clock -n 3 /bin/uneven"),
    "thread": (60, f"{LAUNCHER} -order work -n 1 /bin/uneven threads"),
}
WORKS = [name for name in COMMANDS if name.startswith("work-")]

# All commands and the start, on a host that is busy.
MOST_SECONDS = 600


class CountedWork(machine.Case):
    def results(self, name):
        return re.findall(r"^result: .*$", self.outcome(name), re.MULTILINE)

    def given(self, name):
        """How many answers the slow worker has given, and the fast one."""
        found = re.search(r"worker 1 has given (\d+), worker 2 (\d+)", self.outcome(name))
        return int(found.group(1)), int(found.group(2))

    def early(self, name):
        return int(re.search(r"^early: (\d+)$", self.outcome(name), re.MULTILINE).group(1))

    def test_counters_are_exact(self):
        text = self.outcome("counter")
        self.assertRegex(text, r"\[  PASSED  \] [1-9]")
        self.assertNotIn("[  SKIPPED ]", text)

    def test_each_run_has_the_same_outcome(self):
        for name in WORKS:
            with self.subTest(name):
                self.assertEqual(len(self.results(name)), 3)
                self.assertEqual(self.results(name), self.results(WORKS[0]))

    def test_the_fast_worker_gets_more_work(self):
        slow, fast = self.given("clock")
        self.assertEqual(slow, fast) # whoever calls as often gets as much
        for name in WORKS:
            slow, fast = self.given(name)
            self.assertGreater(fast, 10 * slow, name)

    def test_the_fast_worker_does_not_wait_for_the_slow_one(self):
        self.assertLessEqual(self.early("clock"), 1)
        for name in WORKS:
            self.assertGreaterEqual(self.early(name), 4, name)

    # The master sleeps then, and nobody wakes it.
    def test_who_waits_looks_again_and_again(self):
        self.assertGreaterEqual(self.early("ahead"), 4)

    def test_waits_move_nothing_of_the_program(self):
        for name in WORKS:
            self.assertIn("moved: 0 0\n", self.outcome(name), name)

    def test_other_threads_are_refused(self):
        self.assertIn("-order work: the program lets other threads call MPI", self.outcome("thread", "2"))


def needed_by(readelf, file):
    """The libraries that a program or library names."""
    shown = subprocess.run([readelf, "-d", file], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", shown)


def main():
    init, kept, readelf, libraries, mpi = (sys.argv.pop(1) for _ in range(5))
    programs = {LAUNCHER if name == "launcher" else f"/bin/{name}": path
                for name, path in machine.named_programs().items()}
    inside = {f"/saguaro/lib/mpi/{Path(mpi).name}": Path(mpi)} | programs

    def add_programs(archive):
        wanted = [LOADER]
        for where, source in inside.items():
            archive.add(where, source.read_bytes())
            wanted += needed_by(readelf, source)
        while wanted:
            name = wanted.pop()
            source = Path(libraries, name)
            if source.name != Path(mpi).name and f"lib/{name}" not in archive.names:
                archive.add(f"/lib/{name}", source.read_bytes())
                wanted += needed_by(readelf, source)

    machine.run_tests(MACHINE, init, Path(kept), COMMANDS, add_programs, MOST_SECONDS)


if __name__ == "__main__":
    main()
