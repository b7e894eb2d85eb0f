# SPDX-License-Identifier: MIT
"""saguaro-sim from outside: its options, its formats, what it refuses.

Usage: tool_test.py SAGUARO-SIM SANITIZER [unittest options]
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, environment, without

EIGHT_NODES = "pack:8 numa:1 core:16 pu:1"
SVG = "{http://www.w3.org/2000/svg}"


class SimCase(ProcessCase):
    SHARE = re.compile(r"^saguaro-sim: (\d+) workers share (\d+) processors?: .*\n", re.MULTILINE)

    def run_program(self, *arguments, **settings):
        """The line that workers share processors of this machine is apart: `shared`."""
        done = super().run_program(*arguments, **settings)
        done.shared = self.SHARE.findall(done.stderr)
        done.stderr = self.SHARE.sub("", done.stderr)
        return done

    def seen(self, *options, **settings):
        return json.loads(self.output("--json", *options, **settings))

    def runs(self, *options, **settings):
        return self.seen(*options, **settings)["runs"]

    def take_hwloc(self):
        """It reads descriptions of machines."""
        if "hwloc" in self.run_program("--workload", "fib:2", "--topology", EIGHT_NODES).stderr:
            self.skipTest("hwloc is missing")

    def refusal(self, *options, **settings):
        """The one line of what is not accepted."""
        done = self.run_program(*options, **settings)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Asaguaro-sim: [^\n]+\n\Z")
        return done.stderr


class Simulations(SimCase):
    def test_every_combination_has_a_run(self):
        seen = self.runs("--workload", "fib:10", "--workers", "1,2,4", "--policy", "uniform",
                         "--policy", "biased:4,2,1", "--memory", "recorded,blocked+local",
                         "--steals", "request,open,fence")
        self.assertEqual(len({(run["workers"], run["policy"], run["memory"], run["steals_by"])
                              for run in seen}), 3 * 2 * 2 * 3)

    def test_one_worker_takes_the_work_and_two_are_faster(self):
        seen = self.seen("--workload", "fib:20", "--workers", "1,2")
        one, two = seen["runs"]
        self.assertEqual(one["seconds"], seen["program"]["work"])
        self.assertEqual(one["speedup"], 1)
        self.assertGreater(two["speedup"], 1.9)

    def test_seed(self):
        first, again, other = (self.runs("--workload", "tree:9", "--workers", "8", "--seed", seed)
                               for seed in ("1", "1", "2"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_costs_count(self):
        def time(*options):
            return self.runs("--workload", "stream:4,passes=8,kb=256", "--workers", "4",
                             *options)[0]["seconds"]

        plain = time()
        for option in ("--spawn-cost", "--ask-cost", "--look-cost", "--steal-cost", "--robbed-cost"):
            self.assertGreater(time(option, "20000"), plain, option)
        fenced = time("--steals", "fence")
        for option in ("--fence-cost", "--interrupt-cost"):
            self.assertGreater(time("--steals", "fence", option, "50000"), fenced, option)
        asleep = time("--spin", "0")
        self.assertGreater(asleep, plain)
        for option in ("--wake-cost", "--waking-cost"):
            self.assertGreater(time("--spin", "0", option, "90000"), asleep, option)

    def test_memory_and_bandwidth_count(self):
        self.take_hwloc()
        stream = ("--workload", "stream:8", "--topology", EIGHT_NODES)
        plain = self.runs(*stream, "--memory", "node:0,blocked")
        self.assertGreater(plain[0]["seconds"], plain[1]["seconds"])
        for options in (("--line-cost", "200"), ("--node-bandwidth", "1"), ("--link-bandwidth", "1")):
            slow = self.runs(*stream, "--memory", "node:0", *options)[0]
            self.assertGreater(slow["seconds"], plain[0]["seconds"], options)
        any_speed = self.runs(*stream, "--memory", "node:0", "--node-bandwidth", "0",
                              "--link-bandwidth", "0")[0]
        self.assertEqual(any_speed["queues"], 0)

    def test_machine_is_the_setting_s_unless_an_option_says_otherwise(self):
        self.take_hwloc()
        seen = self.seen("--workload", "fib:4", TOPOLOGY="pack:2 numa:1 core:3 pu:1")
        self.assertEqual((seen["machine"]["nodes"], seen["runs"][0]["workers"]), (2, 6))
        seen = self.seen("--workload", "fib:4", "--topology", "pack:1 numa:1 core:3 pu:1",
                         TOPOLOGY="pack:2 numa:1 core:3 pu:1")
        self.assertEqual((seen["machine"]["nodes"], seen["runs"][0]["workers"]), (1, 3))

    def test_more_workers_than_processors_is_said_once(self):
        self.take_hwloc()
        two = ("--workload", "fib:4", "--topology", "pack:1 core:2 pu:1")
        self.assertEqual(self.run_program(*two, "--workers", "1,4,3").shared, [("4", "2")])
        self.assertEqual(self.run_program(*two, "--workers", "1,2").shared, [])

    def test_topology_may_be_this(self):
        self.assertIsNone(self.seen("--workload", "fib:4", TOPOLOGY="this")["machine"]["topology"])

    def test_4096_processors(self):
        self.take_hwloc()
        seen = self.seen("--workload", "loop:1000000,ns=100", "--policy", "biased", "--topology",
                         "group:8 pack:8 numa:1 core:64 pu:1")["runs"][0]
        self.assertEqual(seen["workers"], 4096)
        self.assertGreater(seen["speedup"], 100)


class Formats(SimCase):
    def test_text(self):
        text = self.output("--workload", "stream:1,miss=25", "--workers", "1,2")
        self.assertIn("25.0 % of the bytes used miss the cache", text)
        self.assertIn("T1 ", text)
        self.assertEqual(len([line for line in text.splitlines() if line.startswith("uniform")]), 2)

    def test_svg_is_a_picture_with_a_line_for_each_worker(self):
        picture = xml.fromstring(self.output("--svg", "--workload", "loop:1000", "--workers", "4"))
        self.assertEqual(picture.tag, SVG + "svg")
        lines = {rectangle.get("y") for rectangle in picture.iter(SVG + "rect")
                 if rectangle.get("fill") == "#0f6e46" and float(rectangle.get("y")) > 60}
        self.assertEqual(len(lines), 4)

    def test_recording_that_was_written_is_simulated_alike(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "cholesky.rec")
            made = self.seen("--workload", "cholesky:1024", "--workers", "2", "--write", file)
            read = self.seen("--workers", "2", "--policy", "uniform", file)
            self.assertEqual(read["runs"], made["runs"])
            self.assertEqual(read["program"].pop("name"), file)
            self.assertEqual(made["program"].pop("name"), "cholesky:1024")
            for seen in read, made: # work in pieces is written in one
                seen["program"].pop("events")
            self.assertEqual(read["program"], made["program"])

    def test_recording_may_have_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.fsencode(folder) + b"/a\n\xff\xc3\xa9.rec"
            self.output("--workload", "fib:3", "--workers", "1", "--write", os.fsdecode(name))
            done = subprocess.run([self.program, "--json", "--workers", "1", name],
                                  env=environment({}), capture_output=True, check=True)
            self.assertEqual(json.loads(done.stdout.decode())["program"]["name"],
                             os.path.join(folder, "a\n\ufffd\u00e9.rec"))

    def test_full_device_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([self.program, "--workload", "fib:2"], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)

    def test_help_version_and_workloads(self):
        self.assertIn("--policy", self.output("--help"))
        self.assertRegex(self.output("--version"), r"\Asaguaro-sim \d")
        listed = self.output("--workloads")
        self.assertIn("stream:mb=64", listed)
        self.assertIn("n from 0 to 34, ns from 0 to 1e+09", listed)
        self.assertIn("up to 100000000 events", listed)


class Refusals(SimCase):
    def test_options(self):
        fib = ("--workload", "fib:4")
        self.assertIn("either a recording or --workload", self.refusal())
        self.assertIn("either a recording or --workload", self.refusal("a.rec", *fib))
        self.assertIn("--workers '0': accepted is a number from 1 to 4096",
                      self.refusal(*fib, "--workers", "2,0"))
        self.assertIn("--workers '4097'", self.refusal(*fib, "--workers", "4097"))
        self.assertIn("--policy 'best': accepted are uniform, nearest",
                      self.refusal(*fib, "--policy", "best"))
        self.assertIn("--policy 'biased:1.5': a WEIGHT is a whole number from 0 to 1000000",
                      self.refusal(*fib, "--policy", "biased:1.5"))
        self.assertIn("--memory 'here': accepted are recorded",
                      self.refusal(*fib, "--memory", "here"))
        self.assertIn("--memory node: 'x'", self.refusal(*fib, "--memory", "node:x"))
        self.assertIn("--steals 'x': accepted are fence, open, request",
                      self.refusal(*fib, "--steals", "x"))
        self.assertIn("--topology 'core:8192 pu:1': it has more than 4096 processors; accepted is ",
                      self.refusal(*fib, "--topology", "core:8192 pu:1"))
        self.assertIn("it has more than 4096 processors", self.refusal(*fib, TOPOLOGY="pu:4097"))
        self.assertIn("--seed '-1'", self.refusal(*fib, "--seed", "-1"))
        self.assertIn("--spin '-1': accepted is a number from 0", self.refusal(*fib, "--spin", "-1"))
        self.assertIn("--link-bandwidth 'x'", self.refusal(*fib, "--link-bandwidth", "40,x"))
        # 64 bytes at such a bandwidth took no time at all.
        for option in ("--node-bandwidth", "--link-bandwidth"):
            for slow in ("1e-300", "0.0009", "-1", "2e6", "inf"):
                self.assertIn(f"{option} '{slow}': accepted is 0, which is any, or a number from "
                              "0.001 to 1e+06", self.refusal(*fib, option, slow))
        self.assertIn("workload 'fib:4,ns=1,ns=2': ns is given twice",
                      self.refusal("--workload", "fib:4,ns=1,ns=2"))
        self.assertIn("workload 'fib:4,n=5': n is given twice",
                      self.refusal("--workload", "fib:4,n=5"))
        self.assertIn("one of them at a time", self.refusal(*fib, "--json", "--svg"))
        for option, two in (("--workers", "1,2"), ("--memory", "recorded,blocked"),
                            ("--steals", "fence,open")):
            self.assertIn("--svg draws one", self.refusal(*fib, "--svg", option, two))
        self.assertIn("--svg draws one", self.refusal(*fib, "--svg", "--policy", "uniform",
                                                      "--policy", "nearest"))
        self.assertIn("--help lists", self.refusal("--nonsense"))
        self.assertIn("accepted are fib, tree", self.refusal("--workload", "fob"))

    def test_one_of_a_thing_is_one(self):
        lines = self.output("--workload", "fib:2", "--topology", "pu:1", "--workers", "1")
        self.assertIn("1 processor, 1 node\n", lines)
        self.assertIn("1 spawn\n", lines)
        lines = self.output("--workload", "fib:4", "--topology", "pack:2 numa:1 pu:1")
        self.assertIn("2 processors, 2 nodes; ", lines)

    def test_empty_values(self):
        fib = ("--workload", "fib:4")
        self.assertIn("--topology '': accepted is this", self.refusal(*fib, "--topology", ""))
        self.assertIn("--spawn-cost '': accepted is a number from 0",
                      self.refusal(*fib, "--spawn-cost", ""))
        self.assertIn("--node-bandwidth ''", self.refusal(*fib, "--node-bandwidth", ""))
        self.assertIn("--link-bandwidth ''", self.refusal(*fib, "--link-bandwidth", "40,"))
        for text in ("1,,2", "", ",1", "1,"):
            self.assertIn("--workers '': accepted is", self.refusal(*fib, "--workers", text))
        self.assertIn("--memory '': accepted", self.refusal(*fib, "--memory", "recorded,"))
        self.assertIn("--steals '': accepted", self.refusal(*fib, "--steals", ",fence"))
        self.assertIn("--write '': accepted", self.refusal(*fib, "--write", ""))
        self.assertIn("n is ''", self.refusal("--workload", "fib:"))

    def test_nodes_that_the_machine_has_not(self):
        self.take_hwloc()
        two = ("--workload", "stream:1", "--topology", "pack:2 numa:1 core:2 pu:1")
        self.assertIn("--memory 'node:2': accepted are the nodes of the machine, 0,1",
                      self.refusal(*two, "--memory", "node:1,node:2"))

    def test_times_beyond_64_bits(self):
        self.assertIn("more than 106 days",
                      self.refusal("--workload", "loop:4000000,ns=1000000000,grain=1",
                                   "--spawn-cost", "1000000000", "--steal-cost", "1000000000"))
        self.assertIn("the most with 4096 workers",
                      self.refusal("--workload", "loop:4000000,ns=1000000000,grain=2000000",
                                   "--workers", "4096"))

    @without(("address", "thread"), "it reserves more addresses than that")
    def test_too_little_memory_is_said_in_one_line(self):
        def have_little():
            resource.setrlimit(resource.RLIMIT_AS, (150 << 20, 150 << 20))

        done = self.run_program("--workload", "fib:34", before=have_little)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Asaguaro-sim: [^\n]+ memory [^\n]+\n\Z")

    def test_machines(self):
        self.take_hwloc()
        for text in ("nonsense", "no-such-file.xml"):
            self.assertIn("hwloc's notation",
                          self.refusal("--workload", "fib:4", "--topology", text))

    def test_files(self):
        self.assertIn("No such file", self.refusal("/no/such/file"))
        self.assertIn("/no/such/file", self.refusal("--workload", "fib:4", "--write",
                                                    "/no/such/file"))
        self.assertIn(r"/no/such\nfile\x1b: No", self.refusal("/no/such\nfile\x1b"))
        self.assertIn("a directory", self.refusal("/"))
        self.assertIn("/dev/full: No space left", self.refusal("--workload", "fib:4", "--write",
                                                               "/dev/full"))
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"SGRECORD\1\0\0\0\1")
            file.flush()
            self.assertIn("truncated", self.refusal(file.name))


if __name__ == "__main__":
    process_case.main(1)
