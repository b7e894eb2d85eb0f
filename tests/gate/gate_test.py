# SPDX-License-Identifier: MIT
"""gate.py from outside, with a valgrind that says what the test wants.
Usage: gate_test.py PATH-OF-GATE.PY [unittest options]."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

GATE = ""
# Counts a million at the start, and for each path so many instructions an operation; fib(n) has
# 2 F(n + 1) - 1 operations, the triple recursion what gate.py counts. $4 is the program, the last argument
# the size.
VALGRIND = """#!/bin/sh
for last; do :; done
case "$4 $5" in
*"/fib-cxx several"|*"/fib-cxx loop"|*"/fib-cxx scope"|*"/fib-cxx for") path=fib-cxx-$5 ;;
*/fib*) path=$(basename "$4") ;;
*) path=$5 ;;
esac
per=$(sed -n "s/^$path //p" "$FAKE_COUNTS")
case $path in
fib-cxx-for|nano-thread|nano-thread-yield|parallel_for|reducer-lookup|cilk-cxx-reducer|vms-*) operations=$last ;;
*) case $last in 16) operations=3193 ;; 26) operations=392835 ;;
   14) operations=3313 ;; 22) operations=433993 ;; esac ;;
esac
[ "$SAGUARO_WORKERS$SAGUARO_STATS" = 1 ] || { echo "workers: $SAGUARO_WORKERS" >&2; exit 9; }
[ "$per" ] || { echo "paths: wrong answer" >&2; exit 1; }
total=$((1000000 + per * operations))
echo "==1== I   refs:      $(echo $total | sed ':a; s/\\([0-9]\\)\\([0-9]\\{3\\}\\)\\($\\|,\\)/\\1,\\2\\3/; ta')" >&2
"""
PER = {"fib-c": 1000, "fib": 1200, "fib-mit": 1300, "fib-cxx": 2200, "fib-cxx-several": 2500,
       "fib-cxx-loop": 5000, "fib-cxx-scope": 2300, "fib-cxx-for": 4000,
       "parallel_invoke": 2600, "scope.spawn": 6000, "task_group.run": 9000, "cilk-cxx-spawn": 7400, "cilk-cxx-invoke": 3000,
       "parallel_for": 800, "reducer-lookup": 1100, "cilk-cxx-reducer": 1300, "nano-thread": 18000,
       "nano-thread-yield": 12000, "vms-request": 31000, "vms-yield": 18000}
NAMES = {"fib": "cilkc", "fib-mit": "cilkc-mit", "fib-cxx": "cilkc++", "fib-cxx-several": "cilkc++-several",
         "fib-cxx-loop": "cilkc++-loop", "fib-cxx-scope": "cilkc++-scope", "fib-cxx-for": "cilkc++-for"}


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.expected = os.path.join(self.folder, "expected.json")
        self.tools = os.path.join(self.folder, "tools")
        os.mkdir(self.tools)
        with open(os.path.join(self.tools, "valgrind"), "w", encoding="utf-8") as script:
            script.write(VALGRIND)
        os.chmod(script.name, 0o755)
        self.expect({NAMES.get(name, name): count for name, count in PER.items()})

    def expect(self, counts, **more):
        content = {"compiler": "GNU-12", "machine": "x86_64",
                   "paths": {name: {"instructions": count, "reason": "of old"}
                             for name, count in counts.items()}}
        with open(self.expected, "w", encoding="utf-8") as file:
            json.dump({**content, **more}, file)

    def paths(self):
        with open(self.expected, encoding="utf-8") as file:
            return json.load(file)["paths"]

    def gate(self, *more, counts=None, compiler="GNU-12", cilk=True):
        """Runs it where the programs take such counts; (exit code, standard output, error)."""
        with open(os.path.join(self.folder, "counts"), "w", encoding="utf-8") as file:
            file.writelines(f"{name} {count}\n" for name, count in (counts or PER).items())
        environment = {**os.environ, "PATH": f"{self.tools}:/usr/bin:/bin", "SAGUARO_STATS": "1",
                       "FAKE_COUNTS": file.name}
        done = subprocess.run(
            [sys.executable, "-B", GATE, "--compiler", compiler, "--machine=x86_64", "--paths=paths",
             "--expected", self.expected, *(["--cilk=/programs"] if cilk else []), *more],
            capture_output=True, text=True, timeout=300, env=environment, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_what_is_expected_passes(self):
        code, lines, errors = self.gate()
        self.assertEqual((code, errors), (0, ""), lines)
        self.assertEqual(len(lines.splitlines()), len(PER))
        self.assertIn("scope.spawn: 6000.00 instructions", lines)
        self.assertIn("expected 6000.00 (+0.0 %)", lines)

    def test_a_rise_of_two_percent_passes(self):
        code, lines, _ = self.gate(counts={name: PER[name] * 1019 // 1000 for name in PER})
        self.assertEqual(code, 0, lines)

    def test_more_fails_and_names_the_path_and_both_counts(self):
        more = {name: PER[name] * 1025 // 1000 for name in PER}
        code, lines, _ = self.gate(counts=more)
        self.assertEqual(code, 1)
        failed = [line for line in lines.splitlines() if "FAILED" in line]
        self.assertEqual(len(failed), len(PER), lines)
        for name, line in zip(PER, failed):
            self.assertTrue(line.startswith(f"{NAMES.get(name, name)}: {more[name]}.00 instr"), line)
            self.assertIn(f"expected {PER[name]}.00", line)

    def test_one_path_is_enough_to_fail(self):
        code, lines, _ = self.gate(counts={**PER, "fib-mit": PER["fib-mit"] * 103 // 100})
        self.assertEqual(code, 1)
        failed = [line for line in lines.splitlines() if "FAILED" in line]
        self.assertEqual(len(failed), 1, lines)
        self.assertTrue(failed[0].startswith("cilkc-mit: "), failed)

    def test_a_fall_passes_and_is_said(self):
        code, lines, _ = self.gate(counts={**PER, "nano-thread": 15000})
        self.assertEqual(code, 0)
        self.assertIn("nano-thread: 15000.00", lines)
        self.assertIn("make gate-update", lines)

    def test_every_path_is_expected_and_every_expectation_has_a_path(self):
        self.expect({"fib-c": 1000, "lost": 5})
        code, lines, _ = self.gate()
        self.assertEqual(code, 1)
        self.assertIn("parallel_for: 800.00 instructions, no count is expected: FAILED", lines)
        self.assertIn("lost: expected, but no such path: FAILED", lines)

    def test_without_cilkc_its_paths_are_skipped_by_name(self):
        code, lines, _ = self.gate(cilk=False)
        self.assertEqual(code, 0)
        self.assertIn("cilkc: skipped", lines)
        self.assertIn("cilkc-mit: skipped", lines)
        self.assertIn("cilkc++: skipped", lines)

    def test_another_compiler_is_skipped_by_name(self):
        code, lines, _ = self.gate(compiler="Clang-19")
        self.assertEqual(code, 77)
        self.assertIn("skipped", lines)
        self.assertIn("GNU-12", lines)
        self.assertIn("Clang-19", lines)

    def test_without_valgrind_it_is_skipped(self):
        os.remove(os.path.join(self.tools, "valgrind"))
        os.symlink("/bin/sh", os.path.join(self.tools, "sh"))
        done = subprocess.run(
            [sys.executable, "-B", GATE, "--compiler=GNU-12", "--machine=x86_64", "--paths=paths",
             "--expected", self.expected], capture_output=True, text=True, timeout=300,
            env={"PATH": self.tools}, check=False)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("no valgrind", done.stdout)

    def test_a_program_that_fails(self):
        code, _, errors = self.gate(counts={name: PER[name] for name in PER if name != "fib-c"})
        self.assertEqual(code, 1)
        self.assertIn("'paths fib-c 16' under valgrind ended with 1: paths: wrong answer", errors)

    def test_update_writes_what_has_changed_with_its_reason(self):
        counts = {**PER, "scope.spawn": 6500, "fib-c": 1004, "parallel_for": 700}
        code, lines, _ = self.gate("--update", "a longer way", counts=counts, cilk=False)
        self.assertEqual(code, 0)
        self.assertEqual(set(lines.splitlines()), {"scope.spawn: 6000.00 before, 6500.00 now",
                                                   "parallel_for: 800.00 before, 700.00 now"})
        paths = self.paths()
        self.assertEqual(paths["scope.spawn"], {"instructions": 6500, "reason": "a longer way"})
        self.assertEqual(paths["parallel_for"]["instructions"], 700)
        # Noise is no change, and what is not built keeps its count.
        self.assertEqual(paths["fib-c"], {"instructions": 1000, "reason": "of old"})
        self.assertEqual(paths["cilkc"], {"instructions": 1200, "reason": "of old"})
        self.assertEqual(self.gate(counts=counts)[0], 0)

    def test_update_wants_a_reason(self):
        before = self.paths()
        code, _, errors = self.gate("--update", "", counts={**PER, "fib-c": 2000})
        self.assertEqual(code, 1)
        self.assertIn("REASON=", errors)
        self.assertEqual(self.paths(), before)

    def test_broken_expectations(self):
        self.expect({"fib-c": 0})
        self.assertEqual(self.gate()[0], 1)
        for text in ("[]", "{", '{"compiler": "GNU-12"}'):
            with open(self.expected, "w", encoding="utf-8") as file:
                file.write(text)
            code, _, errors = self.gate()
            self.assertEqual((code, errors.count("\n")), (1, 1), errors)
            self.assertIn(self.expected, errors)


if __name__ == "__main__":
    GATE = sys.argv.pop(1)
    unittest.main()
