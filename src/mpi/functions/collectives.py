# SPDX-License-Identifier: MIT
"""Makes the core's collectives: MPI_X, MPI_IX and MPI_X_init, each of which passes its arguments on to
the template of ../core/collectives that has X for any stage."""

import reader
import signatures
from reader import Function

DECLARATIONS = "mpi/core/collectives/functions.hpp"
STAGES = {
    "blocking": 'blocking_stage("{name}")',
    "nonblocking": 'recorded_stage("{name}", {request})',
    "persistent": 'started_by_the_program("{name}", {request})',
}
HEAD = "// Made by src/mpi/functions/generate.py. Do not edit.\n"
OPEN = "\nnamespace saguaro::mpi::core {\n\n"
CLOSE = "} // namespace saguaro::mpi::core\n"


def files(functions: list[Function]) -> dict[str, str]:
    staged = [f for f in functions if f.staged]
    declarations, definitions = "", ""
    for function in staged:
        for form, made in reader.forms(function).items():
            declarations += f"{signatures.core_declaration(made)};\n"
            definitions += _definition(function, form, made)
    return {
        DECLARATIONS: HEAD
        + '#pragma once\n\n#include "mpi/core/interface/handles.hpp"\n\n#include <cstdint>\n'
        + OPEN
        + declarations
        + "\n"
        + CLOSE,
        "collectives.cpp": HEAD
        + "".join(
            f'#include "mpi/core/collectives/{header}.hpp"\n'
            for header in sorted({f.staged for f in staged})
        )
        + f'#include "{DECLARATIONS}"\n'
        + OPEN
        + definitions
        + CLOSE,
    }


def _definition(function: Function, form: str, made: Function) -> str:
    names = [f"{p.name}_" if p.kind.name == p.name else p.name for p in made.parameters]
    stage = STAGES[form].format(name=made.name, request=names[-1])
    passed = ", ".join([stage] + names[: len(function.parameters)])
    if form == "persistent":
        names[-2] = ""  # the hints, which nothing heeds
    declared = signatures.core_declaration(made, names)
    return f"{declared} {{\n    return collectives::{function.core}({passed});\n}}\n\n"
