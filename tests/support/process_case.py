# SPDX-License-Identifier: MIT
"""A test case that runs one program with settings, for the tests of whole processes.

The last argument on such a test's command line, before unittest's own, is the sanitizer of the build:
address, thread or none.
"""

import os
import re
import subprocess
import sys
import unittest

SANITIZER = ""

# The last word of qemu-user on a program that a signal kills.
EMULATOR_SAYS = re.compile(r"^qemu: uncaught target signal .*\n", re.MULTILINE)


def without(sanitizers, why):
    """Skips a test in the builds with these sanitizers."""

    def decorate(test):
        def run(self):
            if SANITIZER in sanitizers:
                self.skipTest(f"{SANITIZER} sanitizer: {why}")
            test(self)

        run.__name__ = test.__name__
        run.__doc__ = test.__doc__
        return run

    return decorate


def is_emulated(program):
    """Whether its ELF header is of another processor than this interpreter's."""
    heads = []
    for each in (program, sys.executable):
        with open(each, "rb") as file:
            heads.append(file.read(20)[18:])
    return heads[0] != heads[1]


def environment(settings):
    """This process's, with these SAGUARO_ settings and no others."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("SAGUARO_")}
    plain.update({"SAGUARO_" + name: value for name, value in settings.items()})
    return plain


class ProcessCase(unittest.TestCase):
    program = ""

    def run_program(self, *arguments, through=(), before=None, timeout=300, **settings):
        """Runs the program, by the command `through` if any, with these SAGUARO_ settings and no
        others."""
        done = subprocess.run(
            [*through, self.program, *map(str, arguments)],
            env=environment(settings),
            capture_output=True,
            text=True,
            timeout=timeout,
            preexec_fn=before,
        )
        done.stderr = EMULATOR_SAYS.sub("", done.stderr)
        return done

    def output(self, *arguments, **settings):
        """What the program prints; it must end well and say nothing else."""
        done = self.run_program(*arguments, **settings)
        self.assertEqual((done.stderr, done.returncode), ("", 0), arguments)
        return done.stdout


def main(programs):
    """Takes `programs` paths and the sanitizer off the command line and runs the tests of the
    calling program. Returns nothing: unittest exits."""
    global SANITIZER
    paths = [sys.argv.pop(1) for _ in range(programs)]
    ProcessCase.program = paths[0]
    ProcessCase.programs = paths
    SANITIZER = sys.argv.pop(1)
    unittest.main(module="__main__")
