# SPDX-License-Identifier: MIT
"""The comments of a program that say how it is tested.

Comments on its first lines:

    files: NAME...           files of the folder parts/ that belong to it
    options: OPTION...       for cilkc
    arguments: WORD...       for the program
    environment: NAME=VALUE  for the program; it then runs once, with no number of workers given
    status: failure          it must fail, and
    errors: TEXT             print this on stderr
    serial: differs          its elision prints something else

Its last comment is what it prints, each line as it is:

    /* Output:
    4950
    */
"""

import re

DIRECTIVE = re.compile(
    r"^(?://|/\*) (files|options|arguments|environment|status|errors|serial): (.*?)(?: \*/)?$"
)


def directives(program):
    """What its first lines say, by the word before the colon."""
    found = {}
    for line in program.read_text(encoding="utf-8").splitlines()[:12]:
        match = DIRECTIVE.match(line)
        if match:
            found[match.group(1)] = match.group(2)
    return found


def output_of(program):
    """What it must print."""
    _, begin, text = program.read_text(encoding="utf-8").rpartition("\n/* Output:\n")
    if not begin or text.find("*/") != len(text) - len("*/\n"):
        raise AssertionError(f"{program}: its last comment must be '/* Output:', lines, '*/'")
    return text.removesuffix("*/\n")
