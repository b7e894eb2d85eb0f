# SPDX-License-Identifier: MIT
"""tools/run-stages, in a tree of its own: what it builds while tests run.

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
"""

# Stage: build directory, target.
STAGES = {"here": ("here", "nothing"), "more": ("here", "more"), "there": ("there", "slow")}
PRESETS = {
    "version": 6,
    "configurePresets": [{"name": name, "generator": "Ninja", "binaryDir": "${sourceDir}/build/" + name}
                         for name in ("here", "there")],
    "buildPresets": [{"name": stage, "configurePreset": where, "targets": [target]}
                     for stage, (where, target) in STAGES.items()],
    "testPresets": [{"name": stage, "configurePreset": where,
                     "filter": {"include": {"name": f"^{stage}$"}}}
                    for stage, (where, _) in STAGES.items()],
}


class Ahead(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="saguaro-stages-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "tools").mkdir()
        shutil.copy(RUN_STAGES, self.root / "tools")
        (self.root / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        (self.root / "CMakePresets.json").write_text(json.dumps(PRESETS), encoding="utf-8")

    def run_stages(self, *stages):
        """As a shell's background job, which ignores SIGINT."""
        return subprocess.run([sys.executable, "-B", self.root / "tools/run-stages", *stages],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))

    def log(self, name):
        return (self.root / "build/stages" / f"{name}.log").read_text(encoding="utf-8")

    def assert_all_passed(self, done):
        self.assertEqual(done.returncode, 0, done.stdout)
        for stage in STAGES:
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


if __name__ == "__main__":
    RUN_STAGES = sys.argv.pop(1)
    unittest.main()
