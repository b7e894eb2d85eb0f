# SPDX-License-Identifier: MIT
"""The runtime's tests of memory with a place, on four nodes: in a virtual machine, by the kernel's own
mbind and move_pages.

Usage: vm_test.py INIT KEPT NAME=PROGRAM... [unittest options]

INIT is init.c, linked statically; KEPT a folder where a kernel that was downloaded is kept. Exit code 77
if the machine cannot be run here; a line says why.
"""

import json
import sys

import machine

# A name, how many seconds at most, and how it is called.
COMMANDS = {
    "real": (60, "/bin/numa real"),
    "real-of-three": (60, "@mems=0-2 /bin/numa real --gtest_filter=-local_pages.*"),
    "placement": (120, "/bin/placement --gtest_filter=-fewer.*"),
    "placement-of-three": (60, "@mems=0-2 /bin/placement --gtest_filter=fewer.*"),
    "memory": (120, "/bin/memory"),
    "topology": (60, "/bin/topology --json"),
    "topology-nearest": (60, "SAGUARO_POLICY=nearest SAGUARO_CPUS=1,6,3 /bin/topology --json"),
}
PROGRAMS_OF_TESTS = [name for name in COMMANDS if not name.startswith("topology")]

# All commands and the start, on a machine that is busy.
MOST_SECONDS = 480


class Machine(machine.Case):
    def topology(self, name):
        return json.loads(self.outcome(name))

    def test_programs(self):
        for name in PROGRAMS_OF_TESTS:
            with self.subTest(name):
                text = self.outcome(name)
                self.assertRegex(text, r"\[  PASSED  \] [1-9]")
                self.assertNotIn("[  SKIPPED ]", text)

    def test_topology_is_the_firmware_s(self):
        seen = self.topology("topology")
        self.assertTrue(seen["hwloc"])
        self.assertEqual(seen["latencies"], machine.LATENCIES)
        self.assertEqual([node["cores"] for node in seen["nodes"]],
                         [[[2 * n], [2 * n + 1]] for n in range(machine.NODES)])
        self.assertEqual([node["workers"] for node in seen["nodes"]],
                         [[2 * n, 2 * n + 1] for n in range(machine.NODES)])

    def test_choices_follow_the_distances(self):
        seen = self.topology("topology")
        self.assertEqual([each["workers"] for each in seen["distances"]],
                         [[1], [2, 3, 6, 7], [4, 5]])
        chances = {each["policy"]: each["chances"] for each in seen["policies"]}
        weights = [1 / 10, 4 / 16, 2 / 28]
        for got, expected in zip(chances["biased"], weights, strict=True):
            self.assertAlmostEqual(got, expected / sum(weights), places=3)
        self.assertEqual(chances["nearest"], [1, 0, 0])
        # Three workers on nodes 0, 3 and 1.
        fewer = self.topology("topology-nearest")
        self.assertEqual(fewer["processor_of_worker"], [1, 6, 3])
        self.assertEqual([each["workers"] for each in fewer["distances"]], [[1, 2]])


def main():
    init, kept = sys.argv.pop(1), machine.Path(sys.argv.pop(1))
    programs = {f"/bin/{name}": path for name, path in machine.named_programs().items()}
    hwloc = machine.library_named("libhwloc.so.15")
    if hwloc is not None:
        programs[str(hwloc)] = hwloc # loaded by name, so no program's list has it

    def add_programs(archive):
        for inside, source in programs.items():
            archive.add_program(inside, source)

    machine.run_tests(machine.four_nodes(), init, kept, COMMANDS, add_programs, MOST_SECONDS)


if __name__ == "__main__":
    main()
