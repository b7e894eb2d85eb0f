#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches one model exhaustively with spin.

    run_model.py [--bug NAME] model.pml [-DMACRO ...]

Without --bug the search must be complete and find nothing. With it, the model is built with
-DBUG_NAME, and the search must find an assertion that fails or an end that is none. Prints the
states searched and, for what is found, the last steps that lead there. Works in a folder of its
own and removes it.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

DEEPEST = 100_000  # steps of one execution; all models' need fewer than 10,000
FIRST_TABLE = 22  # bits of a hash; spin's own 24 take longer to clear than most searches
MEGABYTES = 2000
SECONDS = 500  # for the search, on a busy machine; it takes a few alone
STEPS_SHOWN = 25


def fail(what):
    print(f"run_model.py: {what}", file=sys.stderr)
    sys.exit(1)


def call(command, folder, seconds=None):
    """Output of a command that must succeed."""
    try:
        done = subprocess.run(command, cwd=folder, text=True, timeout=seconds,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        fail(f"{command[0]} has not ended after {seconds} s: the search is not exhaustive")
    if done.returncode != 0:
        fail(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def compiler():
    """Most searches take less time than the compiler: tcc needs a sixth of clang's time at -O0, and
    clang half of gcc's. What tcc makes is as fast as clang's at -O0; at -O1 the two longest searches
    would take three quarters."""
    if shutil.which("tcc"):
        return ["tcc"]
    return ["clang-19" if shutil.which("clang-19") else "gcc", "-O0"]


def models_beside(model):
    """The model and what it may include, which may be another floor's."""
    beside = os.path.dirname(os.path.abspath(model))
    others = glob.glob(os.path.join(beside, "..", "..", "*", "models", "*.pml"))
    return others + glob.glob(os.path.join(beside, "*.pml"))


def build(model, defines, folder):
    """Makes the searching program `pan` in `folder`."""
    # Copies: pan leaves its trail beside the model.
    for path in models_beside(model):
        shutil.copy(path, folder)
    complaints = call(["spin", "-a", *defines, os.path.basename(model)], folder)
    if "warning" in complaints.lower() or "error" in complaints.lower():
        fail(f"spin complains about {model}:\n{complaints}")
    # SAFETY: assertions and invalid end states are all that is looked for.
    limits = ["-DSAFETY", f"-DMEMLIM={MEGABYTES}"]
    call([*compiler(), "-w", *limits, "-o", "pan", "pan.c"], folder)


def used_bugs(model):
    """The seeded bugs that a model knows, itself or in what it includes."""
    with open(model, encoding="utf-8") as text:
        words = text.read()
    bugs = set(re.findall(r"\bBUG_(\w+)", words))
    included = re.findall(r'^#include "(.*)"', words, re.MULTILINE)
    for path in models_beside(model):
        if os.path.basename(path) in included:
            bugs |= used_bugs(path)
    return bugs


def number(report, pattern):
    found = re.search(pattern, report)
    if found is None:
        fail(f"the search ended without a report:\n{report}")
    return int(found.group(1))


def last_steps(model, defines, folder):
    steps = call(["spin", "-t", "-p", *defines, os.path.basename(model)], folder).splitlines()
    # Behind the line that says how many processes there are comes what all of them hold.
    ends = [at for at, line in enumerate(steps) if line.startswith("#processes")] or [len(steps)]
    return "\n".join(steps[max(0, ends[0] - STEPS_SHOWN):ends[0]])


def search(model, defines, bug, folder):
    if bug is not None:
        defines = [*defines, f"-DBUG_{bug}"]
    build(model, defines, folder)
    report = call(["./pan", f"-m{DEEPEST}", f"-w{FIRST_TABLE}"], folder, SECONDS)
    states = number(report, r"(\d+) states, stored")
    errors = number(report, r"errors: (\d+)")
    verdict = re.search(r"^pan:\d+: (.*)$", report, re.MULTILINE)
    print(f"{' '.join([os.path.basename(model), *defines])}: {states} states searched")
    if errors != 0:
        # Also said where the search was given up: that is not a finding.
        found = verdict.group(1) if verdict else "an error without a name"
        is_finding = found.startswith(("assertion violated", "invalid end state"))
        print(f"found: {found}\n{last_steps(model, defines, folder)}")
        return 0 if bug is not None and is_finding else 1
    for sign in ("max search depth too small", "Search not completed", "memory limit",
                 "out of memory"):
        if sign in report:
            fail(f"the search is not exhaustive ({sign}):\n{report}")
    if bug is not None:
        fail(f"{model} does not find the seeded bug {bug}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bug", help="the seeded bug that must be found")
    parser.add_argument("model")
    options, defines = parser.parse_known_args()
    if any(not word.startswith("-D") for word in defines):
        parser.error(f"{' '.join(defines)}: accepted are -DMACRO and -DMACRO=VALUE")
    if not os.path.isfile(options.model):
        fail(f"no file {options.model}")
    if options.bug is not None and options.bug not in used_bugs(options.model):
        fail(f"{options.model} has no seeded bug {options.bug}")
    if shutil.which("spin") is None:
        fail("spin is missing: the models are not checked (Debian: apt-get install spin)")
    with tempfile.TemporaryDirectory(prefix="saguaro-model-") as folder:
        sys.exit(search(options.model, defines, options.bug, folder))


if __name__ == "__main__":
    main()
