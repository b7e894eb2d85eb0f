# SPDX-License-Identifier: MIT
"""Makes the objects whose addresses are the predefined handles of Open MPI's ABI."""

import kinds
from reader import Constant

HEAD = """// Made by src/mpi/functions/generate.py. Do not edit.
#include "mpi/faces/ompi_object.hpp"

using saguaro::mpi::ompi::object;

extern "C" {
"""
# How many bytes an object has. A program that is not position-independent has a copy of that size.
SIZES = {
    "comm": 512,
    "datatype": 512,
    "errhandler": 1024,
    "file": 1536,
    "group": 256,
    "info": 256,
    "message": 256,
    "op": 2048,
    "request": 256,
    "session": 512,
    "win": 512,
}
# Types that programs may name and the core does not have.
MISSING = (
    "ompi_mpi_2cplex",
    "ompi_mpi_2dblcplex",
    "ompi_mpi_c_short_float_complex",
    "ompi_mpi_cxx_sfltcplex",
    "ompi_mpi_unavailable",
)
# Second names of types.
SECOND_NAMES = {
    "ompi_mpi_c_complex": "MPI_C_FLOAT_COMPLEX",
    "ompi_mpi_ldblcplex": "MPI_C_LONG_DOUBLE_COMPLEX",
}
NOT_IN_FORTRAN = -1


def _objects(constants: list[Constant]) -> list[Constant]:
    return [c for c in constants if c.section in kinds.HANDLES and c.ompi]


def sizes(constants: list[Constant]) -> dict[str, int]:
    """The size of each object that programs may refer to, by its name."""
    named = {c.ompi: SIZES[c.section] for c in _objects(constants)}
    return named | {name: SIZES["datatype"] for name in (*MISSING, *SECOND_NAMES)}


def make(constants: list[Constant]) -> str:
    known = _objects(constants)
    numbers = {c.name: c.abi for c in known}
    text = HEAD
    for c in known:
        fortran = NOT_IN_FORTRAN if c.fortran is None else c.fortran
        text += f"object<{SIZES[c.section]}> {c.ompi}{{0x{c.abi:x}, {fortran}}};\n"
    for name in (*MISSING, *SECOND_NAMES):
        number = numbers.get(SECOND_NAMES.get(name), 0)
        text += f"object<{SIZES['datatype']}> {name}{{0x{number:x}, {NOT_IN_FORTRAN}}};\n"
    text += '} // extern "C"\n\n// By the core\'s number.\n'
    names = {c.abi: c.ompi for c in known}
    text += "void *const saguaro::mpi::ompi::objects[last_object + 1] = {\n"
    for number in range(max(names) + 1):
        text += f"    {'&' + names[number] if number in names else 'nullptr'},\n"
    return text + f"}};\nstatic_assert(saguaro::mpi::ompi::last_object == 0x{max(names):x});\n"
