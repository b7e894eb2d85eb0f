# SPDX-License-Identifier: MIT
"""saguaro-bench from outside. Usage: driver_test.py PATH-OF-SAGUARO-BENCH [unittest options]."""

import json
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
# Of these there is nothing but the programs of examples/cilk.
CILK = ["rectmul", "fft", "lu", "cholesky", "knapsack", "queens", "connect4", "words"]
BLAS = ["blas-strassen", "blas-cholesky"]  # nothing but a program with OpenBLAS
BENCHES = ["fib", "nqueens", "cilksort", "matmul", "strassen", "heat", *CILK, "loop", "phases",
           "add-n", "min-n", "max-n", "reduce-overhead", "steal", "wake", "entry", "idle", "crowd", "switch", "vms",
           "empty", "sum", "vthread-cond", "vthread-mutex", "vms-matmul", "pbfs", "pbfs-rmat",
           "message", "bandwidth", "page", "terabyte", "endless", "capacity",
           "steps", "barrier", "jobs", *BLAS]
LOOKUPS = ["add-n", "min-n", "max-n"]
MICRO = ["phases", "reduce-overhead", "steal", "wake", "entry", "idle", "switch", "vms", "vthread-cond",
         "vthread-mutex", "message", "bandwidth", "page", "endless", "steps",
         "barrier", "jobs"]
FORKING = ["serial", "ceiling", "saguaro-c", "saguaro-invoke"]
LOOKUP = ["array", "saguaro", "hypermap", "spinlock"]
# Those that need no other runtime and no program built beside, in order.
VARIANTS = {
    "fib": ["serial", "ceiling", "serial-inlined", "saguaro-c", "saguaro-invoke", "saguaro-scope"],
    **{bench: FORKING for bench in ["nqueens", "cilksort", "matmul", "strassen", "heat"]},
    **{bench: [] for bench in CILK + BLAS},
    "loop": ["serial", "ceiling", "saguaro-for"],
    "phases": ["serial", "ceiling", "saguaro-tree", "saguaro-loop", "saguaro-scope"],
    **{bench: LOOKUP for bench in LOOKUPS},
    "reduce-overhead": ["hypermap", "saguaro"],
    "steal": ["latency", "victim-loss", "fence-alone"],
    "wake": ["condition-variable", "saguaro"],
    "entry": ["saguaro-empty", "saguaro-loop", "saguaro-empty-8", "saguaro-loop-8"],
    "idle": ["spinning", "during-run", "between-runs"],
    "crowd": ["saguaro"],
    "switch": ["saguaro", "swapcontext"],
    "vms": ["master", "ssr", "vthread", "vcilk"],
    "empty": ["saguaro-dsr", "saguaro-lsa", "saguaro-dos"],
    "sum": ["serial", "ceiling", "exact", "saguaro-add", "saguaro-serial-sum", "saguaro-exact-sum"],
    "vthread-cond": ["pthread", "saguaro"],
    "vthread-mutex": ["pthread", "saguaro"],
    "vms-matmul": ["serial", "ceiling", "saguaro-invoke", "vcilk"],
    "pbfs": ["serial", "ceiling", "saguaro"],
    "pbfs-rmat": ["serial", "ceiling", "saguaro"],
    "message": ["pipe", "socket", "channel", "pipe-one-core", "channel-one-core"],
    "bandwidth": ["pipe", "socket", "channel-copy", "channel-view", "channel"],
    "page": ["pipe", "region", "region-64", "region-full", "region-64-full"],
    "terabyte": ["region"],
    "endless": ["channel", "region"],
    "capacity": ["without-extension", "channel", "channel-small", "rmat-24"],
    "steps": ["apart", *("spaces-" + crowd for crowd in ["2", "8", "16", "2-beside-2", "8-beside-2", "16-beside-2"])],
    "barrier": ["pthread", "team"],
    "jobs": ["serial", "ceiling", "pool", "pool-crashes"],
}
# Their names begin so.
OTHERS = ("tbb", "openmp", "openblas", "cilkc", "fcontext", "boost")
PARTS = ["creation", "insertion", "transferal", "merge"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=500)


def unmarked(rows, samples):
    """The samples of the rounds in which the machine kept its speed, or all if there are none."""
    marked = [beside for row in rows for beside in row.get("marked", [])]
    kept = [sample for number, sample in enumerate(samples, 1) if number not in marked]
    return kept or samples


class Driver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def rows(self, *arguments):
        """Runs with --json; the rows, and what was written on stderr."""
        path = os.path.join(self.folder, "rows.json")
        done = run(*arguments, "--json", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, encoding="utf-8") as file:
            return json.load(file), done.stderr

    def peer(self, script):
        """A shell script that is a peer; its command, in a folder whose name has a space."""
        folder = os.path.join(self.folder, "a peer")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "peer.sh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        return "fake=sh " + shlex.quote(path)

    def assert_refused(self, done, code, *parts):
        """The exit code, and one line on stderr that holds all the parts."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)


class CommandLine(Driver):
    def test_list_shows_every_bench_with_sizes_and_variants(self):
        done = run("--list")
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        shown = {line.split()[0]: line for line in lines if not line.startswith(" ")}
        self.assertEqual(list(shown), BENCHES)
        self.assertIn("n = 4, 16, 64, 256, 1024", shown["add-n"])
        for bench, line in shown.items():
            variants = re.sub(r"\(.*?\)", "", lines[lines.index(line) + 1]).split()
            ours = [name for name in variants if not name.startswith(OTHERS)]
            if bench in CILK + BLAS:
                ours = [name for name in ours if name != "ceiling"]
            self.assertEqual(ours, VARIANTS[bench], bench)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([PROGRAM, "--list"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=300, check=False)
        self.assert_refused(done, 1, "saguaro-bench: standard output: ")

    def test_unknown_bench(self):
        self.assert_refused(run("fib", "fob"), 2, "'fob'", "--list")

    def test_no_bench(self):
        self.assert_refused(run(), 2, "all", "--list")

    def test_bad_numbers(self):
        for option in ["--workers", "--repeat", "--n"]:
            for value in ["0", "-3", "many", "3x", "1e3", "99999999999999999999"]:
                with self.subTest(option=option, value=value):
                    done = run("fib", f"{option}={value}")
                    self.assert_refused(done, 2, option, f"'{value}'", "whole number from 1 to ")

    def test_size_must_fit_every_bench(self):
        self.assert_refused(run("fib", "nqueens", "--n", "17"), 2, "nqueens", "'17'", "1 to 16")

    def test_unknown_variant(self):
        given = ["fib", "--n=5", "--variant=saguaro-c", "--variant=fob"]
        self.assert_refused(run(*given), 2, "'fob'", "--list")

    def test_variant_of_another_bench_only(self):
        self.assert_refused(run("fib", "--n=5", "--variant", "spinlock"), 2, "'spinlock'", "--list")

    def test_unknown_option(self):
        self.assert_refused(run("fib", "--frobnicate"), 2, "--frobnicate", "--help")

    def test_file_that_cannot_be_written(self):
        path = os.path.join(self.folder, "missing", "rows.json")
        self.assert_refused(run("fib", "--n", "5", "--json", path), 2, path)


class Rows(Driver):
    def test_shape(self):
        rows, _ = self.rows("fib", "--n", "12", "--workers", "2", "--repeat", "3")
        self.assertEqual((rows[0]["bench"], rows[0]["variant"]), ("fib", "serial"))
        base = rows[0]["seconds"]
        for row in rows:
            with self.subTest(row=row):
                members = ["bench", "variant", "workers", "n", "seconds", "ratio", "ns_per_op",
                           "samples"]
                if row["variant"] == "ceiling":
                    members += ["control", "marked"]
                self.assertEqual(list(row), members)
                self.assertEqual(row["n"], 12)
                self.assertEqual(len(row["samples"]), 3)
                self.assertGreater(min(row["samples"]), 0)
                self.assertEqual(row["seconds"], statistics.median(unmarked(rows, row["samples"])))
                self.assertAlmostEqual(row["ratio"], row["seconds"] / base)
                # fib(12) makes 465 calls of itself.
                self.assertAlmostEqual(row["ns_per_op"], row["seconds"] * 1e9 / 465)

    def test_parallel_variants_have_a_row_for_each_worker_count(self):
        rows, _ = self.rows("fib", "--n", "12", "--workers", "3", "--repeat", "1")
        counts = {}
        for row in rows:
            counts.setdefault(row["variant"], []).append(row["workers"])
        self.assertEqual(counts.pop("serial"), [1])
        self.assertEqual(counts.pop("serial-inlined"), [1])
        self.assertEqual(counts.pop("ceiling"), [3])
        self.assertEqual(counts.pop("cilkc-serial", [1]), [1])
        self.assertIn("saguaro-c", counts)
        for variant, workers in counts.items():
            self.assertEqual(workers, [1, 3], variant)

    def test_one_worker_is_one_row(self):
        rows, _ = self.rows("fib", "--n", "12", "--workers", "1", "--repeat", "1")
        variants = [row["variant"] for row in rows]
        self.assertEqual(len(variants), len(set(variants)))
        self.assertNotIn("ceiling", variants)

    def test_parallel_rows_stand_beside_the_machines_ceiling(self):
        path = os.path.join(self.folder, "rows.json")
        done = run("fib", "--n=22", "--workers=2", "--repeat=3", "--variant=saguaro-c", "--json", path)
        with open(path, encoding="utf-8") as file:
            rows = {(row["variant"], row["workers"]): row for row in json.load(file)}
        self.assertEqual(list(rows), [("serial", 1), ("ceiling", 2), ("saguaro-c", 1),
                                      ("saguaro-c", 2)])
        ceiling = rows["ceiling", 2]
        # One before the first round, one after each.
        self.assertEqual(len(ceiling["control"]), 4)
        self.assertGreater(min(ceiling["control"]), 0)
        self.assertEqual([beside for beside in ceiling["marked"] if not 1 <= beside <= 3], [])
        distance = 100 * (rows["saguaro-c", 2]["seconds"] / ceiling["seconds"] - 1)
        lines = done.stdout.splitlines()
        self.assertTrue(lines[4].endswith(f"ceiling {distance:+.1f} %"), done.stdout)
        self.assertEqual(done.stdout.count("ceiling"), 2)
        if ceiling["marked"]:
            self.assertIn("fib, n=22: the control moved", lines[5])

    def test_ceiling_is_of_benches_with_a_serial_version(self):
        done = run("--list")
        lines = done.stdout.splitlines()
        having = {lines[i - 1].split()[0] for i, line in enumerate(lines) if " ceiling" in line}
        for bench in ["fib", "nqueens", "matmul", "loop", "phases", "sum", "pbfs", "vms-matmul"]:
            self.assertIn(bench, having)
        for bench in ["add-n", "reduce-overhead", "steal", "wake", "entry", "empty", "vms"]:
            self.assertNotIn(bench, having)

    def test_median_of_an_even_number(self):
        rows, _ = self.rows("fib", "--n", "12", "--workers", "1", "--repeat", "4")
        for row in rows:
            self.assertAlmostEqual(row["seconds"], statistics.median(row["samples"]), places=15)

    def test_every_bench_gives_right_answers(self):
        # Sizes at which each kernel forks; a wrong answer would be exit code 1.
        sizes = {"fib": 20, "nqueens": 7, "cilksort": 50000, "loop": 100000, "add-n": 300, "pbfs": 9}
        sizes.update({"matmul": 64, "strassen": 64, "heat": 64, "min-n": 300, "max-n": 300})
        sizes.update({"reduce-overhead": 300, "steal": 20, "wake": 5, "idle": 20, "sum": 3000})
        sizes.update({"switch": 1000, "vms": 1000, "vthread-cond": 200, "vthread-mutex": 1000})
        sizes["vms-matmul"] = 150
        sizes["phases"] = 3
        sizes["entry"] = 100
        sizes["crowd"] = 3
        sizes["pbfs-rmat"] = 9
        sizes.update({"message": 70_000, "bandwidth": 70_000, "page": 700})
        sizes.update({"terabyte": 2, "endless": 1, "capacity": 80})
        sizes.update({"steps": 160, "barrier": 20, "jobs": 300})
        sizes["empty"] = 1000
        sizes.update({"rectmul": 70, "fft": 4096, "lu": 64, "cholesky": 20, "knapsack": 20})
        sizes.update({"blas-strassen": 200, "blas-cholesky": 200})
        sizes.update({"queens": 16, "connect4": 8, "words": 20000})
        for bench in BENCHES:
            if bench in CILK and not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "cilk")):
                continue
            if bench in BLAS and not os.path.exists(PROGRAM + "-blas"):
                continue
            with self.subTest(bench=bench):
                rows, _ = self.rows(bench, "--n", str(sizes[bench]), "--workers=2", "--repeat=1")
                self.assertEqual({row["bench"] for row in rows}, {bench})
                measures_operations = bench in ["fib", "loop", "empty", "sum", *LOOKUPS, *MICRO]
                self.assertEqual("ns_per_op" in rows[0], measures_operations)

    def test_switches_are_compared_with_boosts_if_it_is_there(self):
        rows, _ = self.rows("switch", "--n", "1000", "--repeat=1")
        names = [row["variant"] for row in rows]
        self.assertIn(names, [["saguaro", "swapcontext"], ["saguaro", "fcontext", "swapcontext"]])
        self.assertEqual(rows[0]["ratio"], 1)
        self.assertGreater(rows[-1]["ratio"], 0)

    def test_pages_cost_faults(self):
        rows, _ = self.rows("page", "--n", "2048", "--repeat=1")
        row = {row["variant"]: row for row in rows}
        # The reader may come late, and then finds pages that are fixed; with full protection the
        # writer cannot touch a page without a fault.
        for variant in ["region", "region-64"]:
            self.assertLess(row[variant]["signals"], 1.5)
            self.assertGreaterEqual(row[variant]["page_faults"], 1)
        for variant in ["region-full", "region-64-full"]:
            self.assertGreaterEqual(row[variant]["signals"], 2)

    def test_memory_of_regions_and_channels(self):
        rows, _ = self.rows("terabyte", "--n", "1024", "--repeat=1")
        self.assertLessEqual(rows[0]["file_kb"] + rows[0]["resident_kb"], 100)
        rows, _ = self.rows("endless", "--n", "1", "--repeat=1")
        for row in rows:
            for peak in ["file_mb", "producer_mb", "consumer_mb"]:
                self.assertTrue(1 < row[peak] < 60, row)
        rows, _ = self.rows("capacity", "--n", "100", "--repeat=1")
        channels = [row["channels"] for row in rows[:3]]
        # A channel takes 4 MB without extension, 512 KB and 20 KB of its own with it, or these 20 KB.
        self.assertEqual(channels[0], 24)
        self.assertTrue(190 <= channels[1] <= 200 and 5000 <= channels[2] <= 5300, channels)
        self.assertEqual([row["processes"] for row in rows[:2]], [4, 13])

    def test_lookups_are_compared_with_an_array(self):
        for bench in LOOKUPS:
            with self.subTest(bench=bench):
                rows, _ = self.rows(bench, "--n", "4", "--workers=2", "--repeat", "1")
                shown = [(row["variant"], row["workers"]) for row in rows]
                ours = [("saguaro", 1), ("saguaro", 2), ("hypermap", 1), ("hypermap", 2)]
                self.assertEqual(shown, [("array", 1), *ours, ("spinlock", 1)])
                self.assertEqual(rows[0]["ratio"], 1)
                for row in rows:
                    self.assertAlmostEqual(row["ratio"], row["seconds"] / rows[0]["seconds"])

    def test_reduce_overhead_has_parts_and_a_base_for_each_worker_count(self):
        rows, _ = self.rows("reduce-overhead", "--n", "100", "--workers=2", "--repeat=1")
        row = {(row["variant"], row["workers"]): row for row in rows}
        self.assertEqual(len(row), 4)
        for one in rows:
            self.assertEqual(list(one["parts"]), PARTS)
            self.assertAlmostEqual(one["seconds"], sum(one["parts"].values()))
        for variant in ["saguaro", "hypermap"]:
            # Nothing is stolen from the only worker; with two every half that can be is.
            self.assertEqual(row[variant, 1]["seconds"], 0)
            self.assertEqual(row[variant, 1]["ratio"], 1)
            for part in ["transferal", "merge"]:
                self.assertGreater(row[variant, 2]["parts"][part], 0)
        base = row["hypermap", 2]["seconds"]
        self.assertAlmostEqual(row["saguaro", 2]["ratio"], row["saguaro", 2]["seconds"] / base)

    def test_scheduler_figures_are_of_two_workers_whatever_is_asked_for(self):
        variants = {
            "steal": ["latency", "victim-loss", "fence-alone"],
            "wake": ["condition-variable", "saguaro"],
            "idle": ["spinning", "during-run", "between-runs"],
        }
        for bench, expected in variants.items():
            with self.subTest(bench=bench):
                rows, _ = self.rows(bench, "--n", "5", "--workers=1", "--repeat=1")
                self.assertEqual([row["variant"] for row in rows], expected)
                self.assertGreater(rows[0]["seconds"], 0)

    def test_phases_have_all_shapes_and_leaves_of_a_microsecond(self):
        rows, _ = self.rows("phases", "--n", "8", "--workers=1", "--repeat=1")
        row = {row["variant"]: row for row in rows}
        self.assertEqual(rows[0]["variant"], "serial")
        for shape in ["tree", "loop", "scope"]:
            for runtime in {"saguaro", "tbb", "openmp-gcc", "openmp-clang"}:
                # oneTBB and either OpenMP may not be there, but not with some shapes only.
                there = any(variant.startswith(runtime) for variant in row)
                self.assertEqual(f"{runtime}-{shape}" in row, there or runtime == "saguaro")
        self.assertAlmostEqual(row["serial"]["ns_per_op"], row["serial"]["seconds"] * 1e9 / 500)

    def test_entry_counts_what_a_call_costs_the_processors(self):
        rows, _ = self.rows("entry", "--n", "2000", "--workers=2", "--repeat=1")
        row = {(row["variant"], row["workers"]): row for row in rows}
        for call in ["empty", "loop"]:
            for threads in ["", "-8"]:
                for workers in [1, 2]:
                    self.assertIn((f"saguaro-{call}{threads}", workers), row)
        for one in rows:
            self.assertGreater(one["cpu_ns"], 0)
            self.assertGreaterEqual(one["switches"], 0)
        # Nine threads take turns, or the one that waits for the eight sleeps.
        self.assertGreater(max(one["switches"] for one in rows if one["variant"].endswith("-8")), 0)

    def test_steps_beside_others_are_due_a_share(self):
        cores = min(len(os.sched_getaffinity(0)), 2)
        rows, _ = self.rows("steps", "--n", "160", "--repeat=1")
        for row in rows:
            alone, beside, _ = row["variant"].partition("-beside-")
            ours = cores if alone == "apart" else int(alone.removeprefix("spaces-"))
            share = ours / (ours + cores) if beside else 1
            due = 160 * 100e-6 / cores / share
            self.assertAlmostEqual(row["of_share"], row["seconds"] / due, places=3)
            self.assertGreater(row["of_share"], 0)

    def test_crowd_is_of_n_workers(self):
        few, many = (self.rows("crowd", "--n", str(n), "--repeat=1")[0][0] for n in (2, 40))
        self.assertEqual((many["variant"], many["workers"], many["n"]), ("saguaro", 1, 40))
        for use in ["start_ms", "stop_ms", "cpu_at_rest", "cpu_in_run", "rss_mb", "peak_mb"]:
            self.assertGreater(many[use], 0)
        # Each worker has stacks of its own, so many more have many more.
        self.assertGreater(many["reserved_mb"], 8 * few["reserved_mb"])
        self.assertGreater(many["rss_mb"], few["rss_mb"])

    def test_vms_has_the_cycles_of_the_master_and_of_each_plugin(self):
        rows, _ = self.rows("vms", "--n", "5000", "--repeat=1")
        parts = {row["variant"]: list(row["parts"]) for row in rows}
        self.assertEqual(parts["master"], ["master_loop", "switch", "lock", "malloc", "create"])
        self.assertEqual(parts["ssr"], ["concur", "all"])
        self.assertEqual(parts["vthread"], ["concur", "all"])
        self.assertEqual(parts["vcilk"], ["all"])
        for row in rows:
            self.assertGreater(row["seconds"], 0)
            # Differences of two measurements: a host that was busy in the second makes them negative.
            for part, cycles in row["parts"].items():
                self.assertTrue(math.isfinite(cycles), part)
        master = next(row["parts"] for row in rows if row["variant"] == "master")
        for measured_alone in ["switch", "malloc"]:
            self.assertGreater(master[measured_alone], 0)

    def test_only_reduce_overhead_has_parts(self):
        rows, _ = self.rows("fib", "steal", "--n", "5", "--workers=1", "--repeat=1")
        self.assertEqual([row for row in rows if "parts" in row], [])

    def test_empty_has_what_each_run_used_in_a_process_of_its_own(self):
        rows, _ = self.rows("empty", "--n=20000", "--workers=2", "--repeat=1")
        row = {(row["variant"], row["workers"]): row for row in rows}
        for workers, dsr, lsa in (1, 2, 2), (2, 4, 5):
            # The second processor may come too late to begin any.
            self.assertIn(row["saguaro-dsr", workers]["stacks"], (dsr, dsr - workers + 1))
            self.assertEqual(row["saguaro-lsa", workers]["stacks"], lsa)
        self.assertEqual(row["saguaro-dos", 1]["stacks"], 20001)
        self.assertEqual(row["saguaro-dsr", 1]["descriptors"], 20001)
        # 20,000 stacks of which a page each was touched; the descriptors of as many are 1.3 MB.
        # Were the peak the driver's, that of DSR, which runs later, would have it, too.
        self.assertGreater(row["saguaro-dos", 1]["peak_mb"], 80)
        self.assertLess(row["saguaro-dsr", 2]["peak_mb"], 40)

    def test_a_run_of_its_own_that_fails(self):
        done = run("--alone", "nothing", "empty", "--n=5", "--workers=1")
        self.assertEqual((done.returncode, done.stdout), (0, "failed there is no such variant\n"))

    def test_variants_named_are_run_with_the_base(self):
        options = ["--variant=saguaro-invoke", "--n=5", "--workers=1", "--repeat=1"]
        rows, _ = self.rows("nqueens", "fib", "--variant=saguaro-scope", *options)
        self.assertEqual([(row["bench"], row["variant"]) for row in rows],
                         [("fib", "serial"), ("fib", "saguaro-invoke"), ("fib", "saguaro-scope"),
                          ("nqueens", "serial"), ("nqueens", "saguaro-invoke")])
        for row in rows[1:3]:
            self.assertAlmostEqual(row["ratio"], row["seconds"] / rows[0]["seconds"])

    def test_base_may_be_named(self):
        rows, _ = self.rows("fib", "--variant=serial", "--n=5", "--repeat=1")
        self.assertEqual([row["variant"] for row in rows], ["serial"])

    def test_benches_without_a_variant_that_is_named_are_left_out(self):
        # 200 is more than fib accepts: what is left out has no say in the size.
        rows, _ = self.rows("all", "--variant=fence-alone", "--n=200", "--repeat=1")
        self.assertEqual([(row["bench"], row["variant"]) for row in rows],
                         [("steal", "latency"), ("steal", "fence-alone")])

    def test_benches_run_once_each_in_the_order_of_the_list(self):
        rows, _ = self.rows("nqueens", "fib", "nqueens", "--n", "5", "--workers=1", "--repeat=1")
        serial = [row["bench"] for row in rows if row["variant"] == "serial"]
        self.assertEqual(serial, ["fib", "nqueens"])


class Peers(Driver):
    def test_rows_of_a_peer(self):
        log = os.path.join(self.folder, "log")
        peer = self.peer(f'echo "$@" >> {shlex.quote(log)}\necho 0.25\n')
        rows, _ = self.rows("fib", "--n", "10", "--workers=2", "--repeat=2", "--peer", peer)
        fake = [row for row in rows if row["variant"] == "fake"]
        self.assertEqual([row["workers"] for row in fake], [1, 2])
        self.assertEqual(fake[0]["samples"], [0.25, 0.25])
        with open(log, encoding="utf-8") as file:
            # Each round has both worker counts, in an order of its own.
            runs = file.read().splitlines()
        self.assertEqual([sorted(runs[:2]), sorted(runs[2:])], [["fib 10 1", "fib 10 2"]] * 2)

    def test_peer_may_say_what_it_used(self):
        peer = self.peer("echo 0.25 cores $3 seconds 7")
        rows, _ = self.rows("fib", "--n=5", "--workers=2", "--repeat=2", "--peer", peer)
        fake = [row for row in rows if row["variant"] == "fake"]
        self.assertEqual([row["cores"] for row in fake], [1, 2])
        # A member that every row has stays what it is.
        self.assertEqual([row["seconds"] for row in fake], [0.25, 0.25])

    def test_peer_says_the_same_in_each_round(self):
        again = os.path.join(self.folder, "again")
        peer = self.peer(f'[ -e "{again}" ] && echo 1 b 2 || echo 1 a 2\n: > "{again}"\n')
        done = run("fib", "--n=5", "--workers=1", "--repeat=2", "--peer", peer)
        self.assert_refused(done, 1, "fib fake", "other names")

    def test_option_takes_one_value(self):
        rows, _ = self.rows("--peer", self.peer("echo 1e-3"), "fib", "--n=5", "--repeat=1")
        self.assertIn(0.001, [row["seconds"] for row in rows])

    def test_peer_may_be_the_variant_named(self):
        peer = self.peer("echo 0.25")
        rows, _ = self.rows("fib", "--n=5", "--workers=1", "--repeat=1", "--peer", peer,
                            "--variant", "fake")
        self.assertEqual([row["variant"] for row in rows], ["serial", "fake"])

    def test_peer_that_does_not_know_the_bench_is_skipped(self):
        peer = self.peer('[ "$1" = fib ] || exit 3\necho 0.25\n')
        rows, notes = self.rows("fib", "nqueens", "--n=5", "--repeat=2", "--peer", peer)
        self.assertEqual({r["bench"] for r in rows if r["variant"] == "fake"}, {"fib"})
        self.assertEqual(notes.count("\n"), 1, notes)
        self.assertIn("peer fake", notes)
        self.assertIn("skipped", notes)

    def test_failing_peers(self):
        scripts = {
            "exit 4": "exit code 4",
            "echo soon": "'soon'",
            "echo -1": "'-1'",
            "echo nan": "'nan'",
            "echo 1; echo 2": "decimal number",
            "echo 1 cores": "decimal number",
            "echo 1 cores two": "decimal number",
            "true": "decimal number",
        }
        for script, part in scripts.items():
            with self.subTest(script=script):
                # With one number of workers: the order of rounds depends on what is installed.
                done = run("fib", "--n=5", "--repeat=1", "--workers=1", "--peer", self.peer(script))
                self.assert_refused(done, 1, "peer fake", "fib 5 1", part)

    def test_killed_peer(self):
        done = run("fib", "--n=5", "--repeat=1", "--peer", self.peer("kill -9 $$"))
        self.assertEqual(done.returncode, 1)
        # The shell may have said something about the signal before.
        self.assertIn("peer fake", done.stderr.splitlines()[-1])
        self.assertIn("exit code 137", done.stderr.splitlines()[-1])

    def test_bad_descriptions(self):
        for text in ["fake", "=true", "fake="]:
            with self.subTest(text=text):
                done = run("fib", "--n=5", "--peer", text)
                self.assert_refused(done, 2, f"'{text}'", "NAME=COMMAND")

    def test_name_must_be_new(self):
        self.assert_refused(run("fib", "--n=5", "--peer", "serial=true"), 2, "'serial'")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
