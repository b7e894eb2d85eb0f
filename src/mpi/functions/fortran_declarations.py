# SPDX-License-Identifier: MIT
"""Makes the C declarations of the faces of MPICH and Open MPI for their Fortran layers: their mpi.h, as
it were."""

import kinds
import signatures
from reader import Constant, Function

HEAD = """// Made by src/mpi/functions/generate.py. Do not edit.
#pragma once

#include "mpi/faces/{face}_types.hpp"

#define MPI_BOTTOM (static_cast<void *>(nullptr))
#define MPI_IN_PLACE (reinterpret_cast<void *>(std::intptr_t{{{in_place}}}))
#define MPI_ARGV_NULL (static_cast<char **>(nullptr))
#define MPI_ARGVS_NULL (static_cast<char ***>(nullptr))
#define MPI_ERRCODES_IGNORE (static_cast<int *>(nullptr))
#define MPI_STATUS_IGNORE (reinterpret_cast<MPI_Status *>(std::uintptr_t{{{ignore}}}))
#define MPI_STATUSES_IGNORE (reinterpret_cast<MPI_Status *>(std::uintptr_t{{{ignore}}}))
"""
ADDRESSES = {
    "mpich": HEAD.format(face="mpich", in_place=-1, ignore=1) + "\n",
    "ompi": HEAD.format(face="ompi", in_place=1, ignore=0)
    + """#define MPI_UNWEIGHTED (reinterpret_cast<int *>(std::uintptr_t{2}))
#define MPI_WEIGHTS_EMPTY (reinterpret_cast<int *>(std::uintptr_t{3}))

""",
}
VARIABLES = {
    "mpich": "extern int *const MPI_UNWEIGHTED;\nextern int *const MPI_WEIGHTS_EMPTY;\n\n",
    "ompi": "",
}


def make(face: str, functions: list[Function], constants: list[Constant]) -> str:
    text = ADDRESSES[face]
    for constant in constants:
        number = getattr(constant, face)
        if not isinstance(number, int) or constant.section in ("file", "view_offset"):
            continue
        value = f"0x{number:x}" if constant.hexadecimal else str(number)
        handle = constant.section in kinds.HANDLES
        if handle and number > 0x7FFFFFFF:
            value = f"static_cast<int>({value}u)"
        text += f"inline constexpr int {constant.name} = {value};\n"
    text += f'\nextern "C" {{\n\n{VARIABLES[face]}'
    for function in functions:
        if face in function.faces and not function.is_tool:
            for large in signatures.variants(function):
                text += f"{signatures.c_declaration(function, large, 'P')};\n"
    return text + '\n} // extern "C"\n'


def module_constants(constants: list[Constant]) -> str:
    """The handles that programs refer to which use MPICH's mpi_f08."""
    values = {c.name: c.mpich for c in constants if c.section in kinds.HANDLES}
    values["MPI_LONG_LONG_INT"] = values["MPI_LONG_LONG"]
    values["MPI_C_COMPLEX"] = values["MPI_C_FLOAT_COMPLEX"]
    text = HEAD.split("#pragma", maxsplit=1)[0] + 'extern "C" {\n\n'
    for name, value in values.items():
        symbol = f"__mpi_f08_compile_constants_MOD_{name.lower()}"
        known = values["MPI_DATATYPE_NULL"] if value is None else value
        text += f"extern const int {symbol};\n"
        text += f"const int {symbol} = static_cast<int>(0x{known:x}u);\n"
    return text + '\n} // extern "C"\n'
