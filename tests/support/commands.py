# SPDX-License-Identifier: MIT
"""Commands that tests run: compilers, CMake, programs. None of them finds in its environment what would
change a build or the runtime, but for what the test gives it by name:

    output(cilkc, source, "-o", program)
    run(program, cwd=directory, SAGUARO_WORKERS="2")

A path need not be a string. What is not done after some seconds fails the test.
"""

import os
import re
import subprocess

# CMake's launchers stay: they change how long a compiler takes, not what it makes.
UNWANTED = re.compile(
    r"SAGUARO_|CILK_|FORCED_|CMAKE_(?!.*_LAUNCHER$)|(CC|CXX|(C|CXX|LD|MAKE)FLAGS|DESTDIR)$"
)


def environment(**settings):
    """This process's, without what nobody asked for."""
    kept = {name: value for name, value in os.environ.items() if not UNWANTED.match(name)}
    return {**kept, **settings}


def run(*command, seconds=300, cwd=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings):
    """Exit code, stdout and stderr, as subprocess.run has them."""
    return subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        text=True,
        timeout=seconds,
        cwd=cwd,
        env=environment(**settings),
        check=False,
    )


def run_into_full_device(*command, **options):
    """As `run`, where nothing can be written to standard output."""
    with open("/dev/full", "w", encoding="ascii") as full:
        return run(*command, stdout=full, **options)


def run_merged(*command, **options):
    """(exit code, what was printed to both)"""
    done = run(*command, stderr=subprocess.STDOUT, **options)
    return done.returncode, done.stdout


def output(*command, **options):
    """What was printed to both; the test fails if the command does, and says what it printed."""
    code, printed = run_merged(*command, **options)
    if code != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit {code}\n{printed}")
    return printed
