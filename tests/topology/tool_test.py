# SPDX-License-Identifier: MIT
"""saguaro-topology: what it prints of machines, workers and choices.

Usage: tool_test.py SAGUARO-TOPOLOGY PROCESS_PINNING DIRECTORY-OF-MACHINES SANITIZER [unittest options]
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import process_case
from support.process_case import ProcessCase, environment

ALLOWED = sorted(os.sched_getaffinity(0))
TWO_SOCKETS = "pack:2 numa:1 core:4 pu:1"
SVG = "{http://www.w3.org/2000/svg}"


class ToolCase(ProcessCase):
    def setUp(self):
        os.environ.pop("CILK_NWORKERS", None)

    def seen(self, *options, **settings):
        return json.loads(self.output("--json", *options, **settings))

    def described(self, *options, **settings):
        """Of a described machine; hwloc reads descriptions."""
        if not self.seen()["hwloc"]:
            self.skipTest("hwloc is missing")
        return self.seen(*options, **settings)


class Machine(ToolCase):
    def test_nodes_cores_and_processors(self):
        seen = self.described(TOPOLOGY="pack:2 numa:1 core:2 pu:2", WORKERS="5")
        self.assertEqual(seen["nodes"], [
            {"node": 0, "cores": [[0, 1], [2, 3]], "workers": [0, 1, 2, 3]},
            {"node": 1, "cores": [[4, 5], [6, 7]], "workers": [4]}])
        self.assertEqual(seen["processor_of_worker"], [0, 1, 2, 3, 4])

    def test_latencies_are_the_firmware_s(self):
        file = Path(self.programs[2], "four-sockets.xml")
        seen = self.described(TOPOLOGY=str(file), WORKERS="2")
        written = re.search(r'<distances2 .*?</distances2>', file.read_text(), re.DOTALL).group()
        values = " ".join(re.findall(r"<u64values[^>]*>([^<]*)<", written)).split()
        table = [[int(value) for value in values[row:row + 4]] for row in range(0, 16, 4)]
        # Of two ways the longer one; the own node is 10, whatever the table says.
        expected = [[10 if a == b else max(table[a][b], table[b][a]) for b in range(4)]
                    for a in range(4)]
        self.assertEqual(seen["latencies"], expected)

    def test_file_may_have_any_name(self):
        self.described()
        with tempfile.TemporaryDirectory() as folder:
            name = os.fsencode(folder) + b"/a\n\xff\xc3\xa9<.xml"
            shutil.copy(Path(self.programs[2], "four-sockets.xml"), name)
            shown = os.path.join(folder, "a\n\ufffd\u00e9<.xml")
            settings = {os.fsencode(key): os.fsencode(value)
                        for key, value in environment({"WORKERS": "2"}).items()}
            settings[b"SAGUARO_TOPOLOGY"] = name

            def said(*options):
                return subprocess.run([self.program, *options], env=settings, check=True,
                                      capture_output=True, timeout=300).stdout

            self.assertEqual(json.loads(said("--json").decode())["topology"], shown)
            self.assertIn(rb"/a\n", said().split(b"\n")[0]) # one line of the text

    def test_nodes_have_the_kernel_s_numbers(self):
        seen = self.described(TOPOLOGY="numa:2(indexes=0,8) core:2 pu:1", WORKERS="4")
        self.assertEqual([node["node"] for node in seen["nodes"]], [0, 8])
        self.assertEqual(seen["latencies"], [[10, 20], [20, 10]])

    def test_nothing_is_near_processors_without_a_node(self):
        def thing(kind, cpus, nodes, inside=""):
            sets = "".join(f' {prefix}{name}="0x{value:08x}"' for prefix in ("", "complete_")
                           for name, value in (("cpuset", cpus), ("nodeset", nodes)))
            number = (nodes if kind == "NUMANode" else cpus).bit_length() - 1
            return f'<object type="{kind}" os_index="{number}" gp_index="{next(ids)}"{sets}>{inside}</object>'

        ids = itertools.count(1)
        packages = [thing("Package", cpu, node, (thing("NUMANode", cpu, node) if node else "") +
                          thing("Core", cpu, node, thing("PU", cpu, node)))
                    for cpu, node in ((1, 0), (2, 1), (4, 0))]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "machine.xml")
            file.write_text('<?xml version="1.0" encoding="UTF-8"?>\n'
                            '<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n<topology version="2.0">' +
                            thing("Machine", 7, 1, "".join(packages)) + "</topology>\n")
            seen = self.described(TOPOLOGY=str(file), WORKERS="3")
        self.assertEqual([node["node"] for node in seen["nodes"]], [-1, 0])
        self.assertEqual(seen["latencies"], [[255, 255], [255, 10]])
        self.assertEqual([group["name"] for group in seen["distances"]], ["unknown"])

    def test_this_machine(self):
        seen = self.seen()
        there = [cpu for node in seen["nodes"] for core in node["cores"] for cpu in core]
        self.assertLessEqual(set(ALLOWED), set(there))
        self.assertEqual(len(there), len(set(there)))
        self.assertTrue(all(seen["latencies"][i][i] == 10 for i in range(len(seen["nodes"]))))

    def test_without_hwloc_it_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "libhwloc.so.15").write_text("no library\n")
            settings = {**environment({}), "LD_LIBRARY_PATH": folder}
            for option, words in (("--json", '"hwloc": false'), (None, "hwloc is not here")):
                done = subprocess.run([self.program, *([option] if option else [])], env=settings,
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual((done.stderr, done.returncode), ("", 0))
                self.assertIn(words, done.stdout)
            flat = json.loads(subprocess.run([self.program, "--json"], env=settings,
                                             capture_output=True, text=True).stdout)
            self.assertEqual([node["cores"] for node in flat["nodes"]], [[[c] for c in ALLOWED]])

    def test_text(self):
        self.described()
        self.assertEqual(
            self.output("--thief", 5, TOPOLOGY=TWO_SOCKETS, WORKERS="8", POLICY="biased:4,1"),
            "8 processors, 8 cores, 2 nodes: SAGUARO_TOPOLOGY=pack:2 numa:1 core:4 pu:1\n"
            "8 workers; the policies take them to sit as below\n"
            "\n"
            "node  processors  workers  cores\n"
            "0     0-3         0-3          4\n"
            "1     4-7         4-7          4\n"
            "\n"
            "Latency of memory, 10 in the own node\n"
            "node   0   1\n"
            "0     10  20\n"
            "1     20  10\n"
            "\n"
            "Whom worker 5 on processor 5 tries when it has no work (*: SAGUARO_POLICY)\n"
            "victims       workers  latency  uniform  nearest   biased  biased:4,1*\n"
            "same node     4,6,7         10  42.86 %    try 1  60.00 %      75.00 %\n"
            "another node  0-3           20  57.14 %    try 2  40.00 %      25.00 %\n")

    def test_alone(self):
        self.assertIn("nobody: it is alone\n", self.output(WORKERS="1"))
        self.assertEqual(self.seen(WORKERS="1")["distances"], [])


class Workers(ToolCase):
    def places(self, **settings):
        """What the runtime really does: the processors of its threads."""
        if not self.programs[1]:
            self.skipTest("the program that starts workers is not built")
        done = subprocess.run([self.programs[1], "places"], env=environment(settings),
                              capture_output=True, text=True, timeout=300, check=True)
        return {int(name.split("/")[1]): cpus for name, cpus in
                (line.split() for line in done.stdout.splitlines()[1:])}

    @unittest.skipIf(len(ALLOWED) < 2, "one processor")
    def test_sit_where_the_runtime_binds_them(self):
        first, second = ALLOWED[:2]
        for settings in ({"CPUS": f"{first},{second}"}, {"CPUS": f"{second},{first}"},
                         {"CPUS": f"{second},{first}", "WORKERS": "4"}):
            seen = self.run_program("--json", **settings)
            seats = json.loads(seen.stdout)
            self.assertTrue(seats["bound"])
            places = self.places(**settings)
            self.assertGreater(len(places), 0)
            for worker, cpu in places.items():
                self.assertEqual(str(seats["processor_of_worker"][worker]), cpu)

    def test_are_anywhere_if_not_bound(self):
        seen = self.seen(PIN="0", WORKERS="3")
        self.assertFalse(seen["bound"])
        self.assertEqual(seen["processor_of_worker"], [-1] * 3)
        self.assertEqual([d["workers"] for d in seen["distances"]], [[1, 2]])
        self.assertIn("3 workers, not bound", self.output(PIN="0", WORKERS="3"))

    def test_follow_taskset(self):
        one = ALLOWED[-1]
        done = self.run_program("--json", PIN="1", before=lambda: os.sched_setaffinity(0, {one}))
        self.assertEqual(json.loads(done.stdout)["processor_of_worker"], [one])
        done = self.run_program(CPUS="0-4000", before=lambda: os.sched_setaffinity(0, {one}))
        self.assertEqual(done.returncode, 2)


class Choices(ToolCase):
    def chances(self, policy, *options, **settings):
        seen = self.described(*options, POLICY=policy, **settings)
        chosen = [each for each in seen["policies"] if each["set"]]
        self.assertEqual([each["policy"] for each in chosen], [policy])
        for each in seen["policies"]:
            self.assertAlmostEqual(sum(each["chances"]), 1)
        return chosen[0]["chances"]

    def test_are_exact(self):
        settings = {"TOPOLOGY": TWO_SOCKETS, "WORKERS": "8"}
        self.assertEqual(self.chances("uniform", **settings), [3 / 7, 4 / 7])
        self.assertEqual(self.chances("biased", **settings), [6 / 10, 4 / 10])
        self.assertEqual(self.chances("biased:4,1", **settings), [12 / 16, 4 / 16])
        self.assertEqual(self.chances("biased:0,1", **settings), [0, 1])
        self.assertEqual(self.chances("nearest", **settings), [1, 0])

    def test_are_of_the_thief(self):
        settings = {"TOPOLOGY": TWO_SOCKETS, "WORKERS": "5"} # the fifth is alone in its node
        seen = self.described("--thief", 4, **settings)
        self.assertEqual([d["workers"] for d in seen["distances"]], [[0, 1, 2, 3]])
        seen = self.described("--thief", 3, **settings)
        self.assertEqual([d["workers"] for d in seen["distances"]], [[0, 1, 2], [4]])
        turns = {each["policy"]: each["turns"] for each in seen["policies"]}
        self.assertEqual(turns, {"uniform": None, "nearest": [1, 2], "biased": None})


class Picture(ToolCase):
    def drawn(self, *options, **settings):
        self.described()
        root = xml.fromstring(self.output("--svg", *options, **settings))
        width, height = (float(root.get(name)) for name in ("width", "height"))
        for each in root.iter():
            x, y = float(each.get("x", 0)), float(each.get("y", 0))
            if each.tag == SVG + "rect" and each.get("width") != "100%":
                x, y = x + float(each.get("width")), y + float(each.get("height"))
            self.assertLessEqual(x, width)
            self.assertLessEqual(y, height)
        squares = [group.find(SVG + "rect") for group in root.iter(SVG + "g")
                   if group.get("class") == "processor"]
        places = {(square.get("x"), square.get("y")) for square in squares}
        self.assertEqual(len(places), len(squares), "one covers another")
        return root

    def titles(self, root, kind):
        return [group.find(SVG + "title").text for group in root.iter(SVG + "g")
                if group.get("class") == kind]

    def fills(self, root):
        """{worker: colour} of the squares."""
        return {int(re.search(r"worker (\d+)", group.find(SVG + "title").text).group(1)):
                group.find(SVG + "rect").get("fill")
                for group in root.iter(SVG + "g")
                if group.get("class") == "processor" and "worker" in group.find(SVG + "title").text}

    def test_has_everything(self):
        for nodes, cores, threads in ((1, 1, 1), (2, 8, 2), (8, 16, 1), (3, 5, 1)):
            machine = f"pack:{nodes} numa:1 core:{cores} pu:{threads}"
            count = nodes * cores * threads
            root = self.drawn(TOPOLOGY=machine, WORKERS=str(count))
            self.assertEqual(self.titles(root, "node"), [f"node {n}" for n in range(nodes)])
            shown = self.titles(root, "processor")
            self.assertEqual(shown[1:],
                             [f"processor {n}, worker {n}" for n in range(1, count)])
            self.assertEqual(shown[0], "processor 0, worker 0, the thief")
            if count > 1:
                self.assertEqual(self.titles(root, "policy"), ["uniform", "nearest", "biased"])

    def test_nearer_is_darker(self):
        def darkness(colour):
            return -sum(int(colour[at:at + 2], 16) for at in (1, 3, 5))

        for policy in ("biased", "nearest", "biased:4,1"):
            fills = self.fills(self.drawn(TOPOLOGY=TWO_SOCKETS, WORKERS="8", POLICY=policy))
            self.assertGreater(darkness(fills[1]), darkness(fills[4]), policy)
            self.assertEqual(len({fills[n] for n in range(4, 8)}), 1)
        fills = self.fills(self.drawn(TOPOLOGY=TWO_SOCKETS, WORKERS="8", POLICY="uniform"))
        self.assertEqual(fills[1], fills[4])

    def test_turns_on_a_dark_page(self):
        style = self.drawn(TOPOLOGY=TWO_SOCKETS, WORKERS="8").find(SVG + "style").text
        self.assertTrue(style.startswith("@media (prefers-color-scheme:dark){"))
        self.assertIn('[fill="#ffffff"]{fill:#14181d}[stroke="#ffffff"]{stroke:#14181d}', style)

    def test_processors_without_workers_and_with_several(self):
        root = self.drawn(TOPOLOGY="pack:2 numa:1 core:2 pu:1", WORKERS="3")
        self.assertEqual(self.titles(root, "processor")[-1], "processor 3")
        root = self.drawn(TOPOLOGY="pack:2 numa:1 core:2 pu:1", WORKERS="9")
        self.assertEqual(self.titles(root, "processor"),
                         ["processor 0, worker 0,4,8, the thief", "processor 1, worker 1,5",
                          "processor 2, worker 2,6", "processor 3, worker 3,7"])


class Refusals(ToolCase):
    def assert_refused(self, line, *options, **settings):
        done = self.run_program(*options, **settings)
        self.assertEqual((done.stdout, done.returncode), ("", 2))
        self.assertRegex(done.stderr, r"\Asaguaro-topology: [^\n]+\n\Z")
        self.assertIn(line, done.stderr)

    def test_options(self):
        self.assert_refused("--frob: there is no such option", "--frob")
        self.assert_refused("machine.xml: there is no such option", "machine.xml")
        for number in ("", "-1", "1x", "x", "99999999999"):
            self.assert_refused("--thief " + number + ": the number of a worker", "--thief", number)
        self.assert_refused("--thief : the number of a worker", "--thief")
        self.assert_refused("--thief 3: 3 workers, 0 to 2", "--thief", 3, WORKERS="3")
        self.assert_refused("--json and --svg", "--json", "--svg")

    def test_settings(self):
        self.assert_refused("SAGUARO_WORKERS=many is not accepted", WORKERS="many")
        self.assert_refused("SAGUARO_POLICY=best is not accepted", POLICY="best")
        self.assert_refused(r"SAGUARO_POLICY=a\nb\x1b[1m is not accepted", POLICY="a\nb\x1b[1m")
        self.assert_refused("SAGUARO_TOPOLOGY=x:y is not accepted", TOPOLOGY="x:y")
        self.assert_refused("SAGUARO_TOPOLOGY=core:8192 pu:1 is not accepted: it has more than 4096 "
                            "processors; ", TOPOLOGY="core:8192 pu:1")
        self.assert_refused("may not use processor 1234", CPUS="1234")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([self.program], env=environment({}), stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_version(self):
        self.assertRegex(self.output("--version"), r"\Asaguaro-topology \d+\.\d+\.\d+\n\Z")


if __name__ == "__main__":
    process_case.main(3)
