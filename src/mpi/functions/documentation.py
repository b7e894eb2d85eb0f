# SPDX-License-Identifier: MIT
"""Makes the table of functions for docs/detmpi.md."""

from itertools import groupby

from reader import Function

NOT_YET = "not written yet"


def make(functions: list[Function]) -> str:
    done = sum(f.done for f in functions)
    text = f"{done} of {len(functions)} functions are done, their variants with `_c` included.\n"
    for section, group in groupby(functions, lambda f: f.section):
        text += f"\n### {section.replace('_', ' ')}\n\n| function | state |\n|---|---|\n"
        for function in group:
            text += f"| {_name(function)} | {_state(function)} |\n"
    return text


def _name(function: Function) -> str:
    return f"`{function.name}`" + (", `_c`" if function.large else "")


def _state(function: Function) -> str:
    state = "done" if function.done else f"refused: {function.refused or NOT_YET}"
    if function.faces == ("abi",):
        state += "; standard ABI only"
    if function.faces == ("mpich", "ompi"):
        state += "; not in the standard ABI"
    return state + (f"; {function.age}" if function.age else "")
