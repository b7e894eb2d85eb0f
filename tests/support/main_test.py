# SPDX-License-Identifier: MIT
"""Tests of how a program of tests chooses its cases: main.cpp.

Usage: main_test.py PROGRAM [unittest options]

PROGRAM holds several tests.
"""

import subprocess
import sys
import unittest

PROGRAM = ""


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300, check=False)


def names():
    return run().stderr.split(" one of:")[1].split()


def cases(test, *words):
    done = run(test, "--gtest_list_tests", *words)
    found, suite = [], ""
    for line in done.stdout.splitlines():
        word = line.split("#")[0].strip()
        if line.startswith(" "):
            found.append(suite + word)
        elif word.endswith("."):
            suite = word
    return found


class Choice(unittest.TestCase):
    def refused(self, said, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(said, done.stderr)
        self.assertNotIn("[ RUN", done.stdout)

    def test_without_a_test_says_which_there_are(self):
        self.refused("usage: ")
        self.assertGreater(len(names()), 1)
        self.assertEqual(len(names()), len(set(names())))

    def test_unknown_test_is_refused(self):
        self.refused("no case of 'nonesuch'", "nonesuch")
        self.refused("usage: ", names()[0], "another")

    def test_filter_that_leaves_nothing_is_refused(self):
        self.refused("matches 'nonesuch.*'", names()[0], "--gtest_filter=nonesuch.*")
        self.refused("matches '-*'", names()[0], "--gtest_filter=-*")
        foreign = cases(names()[1])[0]
        self.refused(f"matches '{foreign}'", names()[0], f"--gtest_filter={foreign}")

    def test_each_case_belongs_to_one_test(self):
        all_cases = [case for name in names() for case in cases(name)]
        self.assertEqual(len(all_cases), len(set(all_cases)))
        for name in names():
            self.assertTrue(cases(name), name)

    def test_filter_chooses_among_the_cases_of_the_test(self):
        test = names()[1]
        mine = cases(test)
        self.assertEqual(cases(test, f"--gtest_filter={mine[-1]}"), mine[-1:])
        self.assertEqual(cases(test, f"--gtest_filter=nonesuch:{mine[-1]}:*nonesuch"), mine[-1:])
        self.assertEqual(cases(test, f"--gtest_filter=-{mine[-1]}"), mine[:-1])
        suite = mine[0].split(".")[0]
        self.assertEqual(cases(test, f"--gtest_filter={suite}.*-{mine[0]}"),
                         [case for case in mine[1:] if case.startswith(suite + ".")])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
