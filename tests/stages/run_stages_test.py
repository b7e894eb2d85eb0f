# SPDX-License-Identifier: MIT
"""tools/run-stages, in a tree of its own: what it says and remembers of stages, and what it builds while
tests run.

Usage: run_stages_test.py RUN-STAGES [unittest options]
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUN_STAGES = ""

# Stages `here` and `more` have one build directory, `there` another. The tests of `here` end when the
# build of `there` has begun; what that builds takes a minute the first time,
# unless it is configured slowly: then they end meanwhile.
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(stages LANGUAGES NONE)
enable_testing()
set(begun ${PROJECT_SOURCE_DIR}/begun)
if(EXISTS ${PROJECT_SOURCE_DIR}/slowly AND CMAKE_BINARY_DIR MATCHES "there$")
    execute_process(COMMAND sh -c "touch ${begun}; sleep 0.5")
endif()
add_custom_target(more COMMAND touch ${PROJECT_SOURCE_DIR}/more)
add_custom_target(nothing)
add_custom_command(OUTPUT built VERBATIM
    COMMAND sh -c "test -e ${begun} && exec touch built; echo $$ > new; mv new ${begun}; exec sleep 60")
add_custom_target(slow DEPENDS built)
add_test(NAME here COMMAND sh -c
    "until test -e ${begun}; do sleep 0.02; done; ! test -e ${PROJECT_SOURCE_DIR}/more")
set_tests_properties(here PROPERTIES TIMEOUT 100)
add_test(NAME more COMMAND test -e ${PROJECT_SOURCE_DIR}/more)
add_test(NAME there COMMAND test -e built)
add_custom_target(broken_build COMMAND false)
add_test(NAME broken_build COMMAND true)
add_test(NAME counted.google COMMAND sh -c "echo '[==========] 3 tests from 1 test suite ran. (0 ms total)'")
add_test(NAME counted.python COMMAND sh -c "echo 'Ran 4 tests in 0.1s'")
add_test(NAME counted.other COMMAND true)
add_test(NAME broken.one COMMAND sh -c "echo words of the test; exit 1")
add_test(NAME broken.two COMMAND sh -c "kill -ABRT $$")
add_test(NAME broken.three COMMAND true)
"""

# Stage: build directory, target.
STAGES = {"here": ("here", "nothing"), "more": ("here", "more"), "there": ("there", "slow"),
          "counted": ("here", "nothing"), "broken": ("here", "nothing"),
          "broken_build": ("here", "broken_build"), "aarch64-gcc": ("here", "nothing")}
PRESETS = {
    "version": 6,
    "configurePresets": [{"name": name, "generator": "Ninja", "binaryDir": "${sourceDir}/build/" + name}
                         for name in ("here", "there")],
    "buildPresets": [{"name": stage, "configurePreset": where, "targets": [target]}
                     for stage, (where, target) in STAGES.items()],
    "testPresets": [{"name": stage, "configurePreset": where,
                     "output": {"outputOnFailure": True},
                     "filter": {"include": {"name": rf"^{stage}(\..*)?$"}}}
                    for stage, (where, _) in STAGES.items()],
}


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="saguaro-stages-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "tools").mkdir()
        shutil.copy(RUN_STAGES, self.root / "tools")
        (self.root / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        (self.root / "CMakePresets.json").write_text(json.dumps(PRESETS), encoding="utf-8")

    def run_stages(self, *stages, **settings):
        """As a shell's background job, which ignores SIGINT."""
        return subprocess.run([sys.executable, "-B", self.root / "tools/run-stages", *stages],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                              env=os.environ | settings,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))

    def log(self, name):
        return (self.root / "build/stages" / f"{name}.log").read_text(encoding="utf-8")


class Ahead(Tree):
    def assert_all_passed(self, done):
        self.assertEqual(done.returncode, 0, done.stdout)
        for stage in ("here", "more", "there"):
            self.assertRegex(done.stdout, rf"(?m)^{stage} +1 +\d+  passed$")

    def test_another_build_begins_beside_the_tests_and_is_broken_off(self):
        self.assert_all_passed(self.run_stages("here", "more", "there"))
        self.assertIn("interrupted by user", self.log("ahead"))
        with self.assertRaises(ProcessLookupError):
            os.kill(int((self.root / "begun").read_text()), 0)

    def test_no_build_begins_when_the_tests_are_over(self):
        (self.root / "slowly").touch()
        self.assert_all_passed(self.run_stages("here", "more", "there"))
        self.assertIn("Configuring done", self.log("ahead"))
        self.assertNotIn("built", self.log("ahead"))


class Results(Tree):
    def test_counts_the_cases_of_programs_and_scripts(self):
        done = self.run_stages("counted")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^\[1/1\] counted: .* 8 tests passed$")
        self.assertRegex(done.stdout, r"(?m)^total +8 +\d+$")

    def test_a_failed_stage_is_named_and_the_next_one_runs(self):
        done = self.run_stages("broken", "counted")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^broken +3 +\d+  FAILED: broken.one, broken.two$")
        self.assertRegex(done.stdout, r"(?m)^counted +8 +\d+  passed$")
        self.assertIn("words of the test", done.stdout)
        self.assertIn("all output: build/stages/broken.log\n", done.stdout)
        self.assertIn("words of the test", self.log("broken"))

    def test_a_build_that_fails_fails_its_stage(self):
        done = self.run_stages("broken_build")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^broken_build +0 +\d+  FAILED: building$")

    def test_a_stage_without_its_compiler_is_skipped_by_name(self):
        programs = self.root / "programs"
        programs.mkdir()
        done = self.run_stages("aarch64-gcc", PATH=str(programs))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(
            done.stdout, r"(?m)^aarch64-gcc +0 +0  skipped: no aarch64-linux-gnu-g\+\+, qemu-aarch64(, |$)")

    def test_a_stage_without_tests_fails(self):
        self.run_stages("counted")  # leaves a log of its tests
        presets = json.loads((self.root / "CMakePresets.json").read_text(encoding="utf-8"))
        for one in presets["testPresets"]:
            one["filter"]["include"]["name"] = "^no such test$"
            one["execution"] = {"noTestsAction": "error"}
        (self.root / "CMakePresets.json").write_text(json.dumps(presets), encoding="utf-8")
        done = self.run_stages("counted")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^counted +0 +\d+  FAILED: testing$")

    def test_an_unknown_stage_is_refused(self):
        done = self.run_stages("counted", "nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'nowhere' is no stage; accepted are format, here, more, ", done.stdout)


class Again(Tree):
    PASSED = r"(?m)^counted +8 +0  passed before$"

    def test_what_has_passed_on_this_tree_is_left_out(self):
        self.run_stages("counted")
        self.assertRegex(self.run_stages("--new", "counted").stdout, self.PASSED)
        self.assertNotRegex(self.run_stages("counted").stdout, self.PASSED)

    def test_a_changed_tree_runs_again(self):
        self.run_stages("counted")
        for change in (lambda: (self.root / "new").touch(),
                       lambda: (self.root / "new").write_text("text", encoding="utf-8"),
                       lambda: (self.root / "new").chmod(0o755)):
            change()
            self.assertNotRegex(self.run_stages("--new", "counted").stdout, self.PASSED)
            self.assertRegex(self.run_stages("--new", "counted").stdout, self.PASSED)

    def test_what_failed_runs_again(self):
        self.run_stages("broken")
        self.assertRegex(self.run_stages("--new", "broken").stdout, r"(?m)^broken +3 +\d+  FAILED")

    def test_a_pass_is_forgotten_when_the_stage_fails(self):
        for _ in range(2):
            self.run_stages("more")
        self.assertTrue((self.root / "build/stages/more.passed").exists())
        (self.root / "CMakeLists.txt").write_text(PROJECT.replace("touch ${PROJECT_SOURCE_DIR}/more", "false"),
                                                  encoding="utf-8")
        self.assertEqual(self.run_stages("--new", "more").returncode, 1)
        self.assertFalse((self.root / "build/stages/more.passed").exists())

    def test_who_edits_meanwhile_has_tested_neither_tree(self):
        done = self.run_stages("more")  # its build makes a file of the tree
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertFalse((self.root / "build/stages/more.passed").exists())


if __name__ == "__main__":
    RUN_STAGES = sys.argv.pop(1)
    unittest.main()
