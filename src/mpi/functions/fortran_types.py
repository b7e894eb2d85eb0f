# SPDX-License-Identifier: MIT
"""A function's form in Fortran: its arguments, their types, and its symbols.

There are two styles: f77 is mpif.h and the module mpi, f08 is the module mpi_f08.
"""

import signatures
from reader import Function, Parameter

STYLES = ("f77", "f08")
# Procedures that Fortran has under a second name, for pointers of TYPE(C_PTR).
FOR_POINTERS = (
    "MPI_Alloc_mem",
    "MPI_Win_allocate",
    "MPI_Win_allocate_shared",
    "MPI_Win_shared_query",
)
# Functions whose bodies are in src/mpi/fortran/own.hpp.
OWN = (
    "MPI_Comm_create_keyval MPI_Comm_spawn MPI_Comm_spawn_multiple MPI_Grequest_start MPI_Info_get "
    "MPI_Info_get_string MPI_Keyval_create MPI_Pcontrol MPI_Session_get_nth_pset "
    "MPI_Type_create_keyval MPI_Win_create_keyval"
).split()
# What Fortran has not: conversions between the languages, and functions that only C has.
ABSENT = ("_c2f", "_f2c", "_c2f08", "_f082c", "_f082f", "_f2f08", "_toint", "_fromint")
# The standard gives their variants with _c names of their own: a function is all that differs.
NAMED_LARGE = ("MPI_Op_create", "MPI_Register_datarep")
# What mpi_f08 has left out.
OLD = (
    "MPI_Attr_delete MPI_Attr_get MPI_Attr_put MPI_Keyval_create MPI_Keyval_free"
).split()
# C's types by their Fortran kinds.
INTEGERS = {
    "int": "integer",
    "MPI_Aint": "MPI_Aint",
    "MPI_Count": "MPI_Count",
    "MPI_Offset": "MPI_Offset",
}


def styles_of(face: str) -> tuple[str, ...]:
    """Open MPI's own module mpi_f08 calls the functions of mpif.h."""
    return ("f77",) if face == "ompi" else STYLES


def open_mpi_names(function: Function) -> list[str]:
    """Further names of a function in Open MPI: ompi_send_f is what its module mpi_f08 calls."""
    name = function.name.lower()
    names = [f"ompi{name[3:]}_f"]
    if function.name in FOR_POINTERS:
        names += [f"{name}_cptr_", f"p{name}_cptr_"]
    if function.is_persistent_collective:
        names += [f"mpix{name[3:]}_", f"pmpix{name[3:]}_", f"ompix{name[3:]}_f"]
    return names


def exists(function: Function) -> bool:
    return not (
        function.is_tool
        or function.name.startswith("MPI_Abi_")
        or function.name.endswith(ABSENT)
    )


def styles(function: Function) -> tuple[str, ...]:
    if function.name.endswith("_c"):  # has no plain function with the same arguments
        return ("f08",)
    return ("f77",) if function.section == "removed" or function.name in OLD else STYLES


def variants(function: Function, style: str) -> list[bool]:
    """Whether there is a plain function, and one with 64-bit counts, which only mpi_f08 has."""
    if not exists(function) or style not in styles(function):
        return []
    if style == "f08" and function.large and has_own_large(function):
        return [False, True]
    return [False]


def has_own_large(function: Function) -> bool:
    """Whether a compiler can tell the two variants apart, or they have names of their own."""
    if function.name in NAMED_LARGE:
        return True
    return any(_bits(p, False) != _bits(p, True) for p in parameters(function))


def _bits(p: Parameter, large: bool) -> int:
    return 32 if (p.kind.large if large else p.kind.c) == "int" else 64


def parameters(function: Function) -> list[Parameter]:
    """C's parameters without those that Fortran does not have."""
    if function.name == "MPI_Info_create_env":
        return function.parameters[2:]
    return [p for p in function.parameters if p.kind.name not in ("argument_count", "arguments")]


def is_text(p: Parameter) -> bool:
    return p.kind.family == "text" or p.kind.name in ("string", "root_string", "strings", "string_lists")


def symbol(function: Function, style: str, large: bool, profiled: str) -> str:
    """mpi_send_, pmpi_send_, mpi_send_f08ts_, pmpir_send_f08ts_ as MPICH has them."""
    return external(function, style, large, profiled).lower() + "_"


def external(function: Function, style: str, large: bool, profiled: str) -> str:
    """The name of the procedure in Fortran."""
    if style == "f77":
        return profiled + function.name
    has_buffer = any(p.kind.name == "buffer" for p in function.parameters)
    start = "PMPIR" if profiled else "MPI"
    name = f"{start}{generic(function, large)[3:]}_f08{'ts' if has_buffer else ''}"
    large = large or function.name.endswith("_c")
    return name + ("_large" if large and function.name not in NAMED_LARGE else "")


def generic(function: Function, large: bool) -> str:
    """The name by which programs call the procedure."""
    if large and function.name in NAMED_LARGE:
        return function.name + "_c"
    return function.name.removesuffix("_c")


def c_type(function: Function, p: Parameter, large: bool) -> str:
    """What C++ says of an argument that is passed by reference."""
    kind = p.kind
    if kind.family == "handle":
        return "integer"
    if kind.name == "address":
        if function.name in ("MPI_Attr_get", "MPI_Attr_put", "MPI_Keyval_create"):
            return "integer"
        return "MPI_Aint"
    if kind.family in ("number", "view_offset"):
        if function.age == "removed":
            return "integer"
        return INTEGERS[kind.large if large else kind.c]
    return "integer"
