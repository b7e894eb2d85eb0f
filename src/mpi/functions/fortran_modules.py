# SPDX-License-Identifier: MIT
"""Makes mpif.h and the Fortran modules mpi and mpi_f08 for the standard ABI."""

from pathlib import Path

import fortran_types
import kinds
from reader import Constant, Function, Parameter

# Sections of constants that Fortran has not: the interface of tools.
NO_FORTRAN = ("safety", "source_order", "verbosity", "binding", "scope")
# Fortran's strings have no byte that ends them.
TEXT_LENGTHS = (
    "MPI_MAX_DATAREP_STRING MPI_MAX_ERROR_STRING MPI_MAX_INFO_KEY MPI_MAX_INFO_VAL "
    "MPI_MAX_LIBRARY_VERSION_STRING MPI_MAX_OBJECT_NAME MPI_MAX_PORT_NAME MPI_MAX_PROCESSOR_NAME "
    "MPI_MAX_STRINGTAG_LEN MPI_MAX_PSET_NAME_LEN"
).split()
SYNONYMS = {"MPI_LONG_LONG_INT": "MPI_LONG_LONG", "MPI_C_COMPLEX": "MPI_C_FLOAT_COMPLEX"}
KINDS = {
    "integer": "integer",
    "MPI_Aint": "integer(kind=MPI_ADDRESS_KIND)",
    "MPI_Count": "integer(kind=MPI_COUNT_KIND)",
    "MPI_Offset": "integer(kind=MPI_OFFSET_KIND)",
}


def files(folder: Path, functions: list[Function], constants: list[Constant]) -> dict[str, str]:
    functions = [f for f in functions if "abi" in f.faces]
    return {
        "mpi_sizes.f90": _sizes(),
        "mpif.h": (folder / "mpif.h.in").read_text().replace("@CONSTANTS@\n", _fixed(constants)),
        "mpi.f90": (folder / "mpi.f90.in")
        .read_text()
        .replace("@CONSTANTS@\n", _free(constants, False))
        .replace("@INTERFACES@\n", _interfaces(functions, "f77")),
        "mpi_f08.f90": (folder / "mpi_f08.f90.in")
        .read_text()
        .replace("@TYPES@\n", _types())
        .replace("@CALLBACKS@\n", _callbacks())
        .replace("@COMPARISONS@\n", _comparisons())
        .replace("@CONSTANTS@\n", _free(constants, True))
        .replace("@INTERFACES@\n", _interfaces(functions, "f08")),
    }


# Constants


def _number(c: Constant, face: str) -> int | None:
    if face == "ompi" and c.section in kinds.HANDLES:
        return c.fortran
    return getattr(c, face)


def _values(constants: list[Constant], face: str = "abi"):
    """Each constant that Fortran has: its section, name and value."""
    numbers = {c: _number(c, face) for c in constants}
    values = {c.name: (c.section, n) for c, n in numbers.items() if n is not None}
    for name, of in SYNONYMS.items():
        values[name] = values[of]
    for name, (section, value) in values.items():
        tool = name.startswith("MPI_T_") or name.startswith("MPI_F_")
        if section in NO_FORTRAN + ("view_offset",) or tool:
            continue
        yield section, name, value - 1 if name in TEXT_LENGTHS else value


def _fixed(constants: list[Constant], face: str = "abi") -> str:
    return "".join(
        f"      INTEGER {name}\n      PARAMETER ({name}={value})\n"
        for _, name, value in _values(constants, face)
    )


# What differs from mpif.h.in in Open MPI's mpif.h, by its lines there.
OF_OPEN_MPI = {
    "MPI_STATUS_SIZE=8": "MPI_STATUS_SIZE=6",
    "MPI_DISPLACEMENT_CURRENT=-1": "MPI_DISPLACEMENT_CURRENT=-54278278",
    "COMMON /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE": "COMMON /MPI_FORTRAN_BOTTOM/ "
    "MPI_BOTTOM\n      COMMON /MPI_FORTRAN_IN_PLACE/ MPI_IN_PLACE\n"
    "      COMMON /MPI_FORTRAN_STATUS_IGNORE/ MPI_STATUS_IGNORE",
    "COMMON /MPIPRIV2/ MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE": "COMMON "
    "/MPI_FORTRAN_STATUSES_IGNORE/ MPI_STATUSES_IGNORE\n"
    "      COMMON /MPI_FORTRAN_ERRCODES_IGNORE/ MPI_ERRCODES_IGNORE",
    "COMMON /MPIPRIVC/ MPI_ARGVS_NULL, MPI_ARGV_NULL": "COMMON /MPI_FORTRAN_ARGVS_NULL/ "
    "MPI_ARGVS_NULL\n      COMMON /MPI_FORTRAN_ARGV_NULL/ MPI_ARGV_NULL",
    "/MPIFCMB5/ MPI": "/MPI_FORTRAN_UNWEIGHTED/ MPI",
    "/MPIFCMB9/ MPI": "/MPI_FORTRAN_WEIGHTS_EMPTY/ MPI",
    "      SAVE /MPIPRIV1/, /MPIPRIV2/, /MPIPRIVC/\n": "",
    "      SAVE /MPIFCMB5/, /MPIFCMB9/, /DETMPI_BUFFER_AUTOMATIC/\n": "",
}


def standin(folder: Path, constants: list[Constant]) -> str:
    """For tests, an mpif.h as Open MPI has it."""
    text = (folder / "mpif.h.in").read_text()
    for there, here in OF_OPEN_MPI.items():
        assert there in text, there
        text = text.replace(there, here)
    return text.replace("@CONSTANTS@\n", _fixed(constants, "ompi"))


def _free(constants: list[Constant], is_f08: bool) -> str:
    text = ""
    for section, name, value in _values(constants):
        if is_f08 and section in kinds.HANDLES:
            kind = f"MPI_{kinds.HANDLES[section]}"
            text += f"  type({kind}), parameter :: {name} = {kind}({value})\n"
        else:
            text += f"  integer, parameter :: {name} = {value}\n"
    return text


# Types of mpi_f08


def _types() -> str:
    return "".join(
        f"  type, bind(C) :: MPI_{name}\n    integer :: MPI_VAL\n  end type\n"
        for name in kinds.HANDLES.values()
    )


def _comparisons() -> str:
    text, names = "", kinds.HANDLES.values()
    for word, sign in (("eq", "=="), ("ne", "/=")):
        listed = ", &\n".join(f"      {n.lower()}_{word}" for n in names)
        text += f"  interface operator({sign})\n    procedure &\n{listed}\n  end interface\n"
    text += "contains\n"
    for name in names:
        for word, sign in (("eq", "=="), ("ne", "/=")):
            text += (
                f"  elemental logical function {name.lower()}_{word}(x, y)\n"
                f"    type(MPI_{name}), intent(in) :: x, y\n"
                f"    {name.lower()}_{word} = x%MPI_VAL {sign} y%MPI_VAL\n"
                "  end function\n"
            )
    return text


def _callbacks() -> str:
    """Functions for attributes and errors, which differ in the kind of object alone."""
    text = ""
    for of, word in (("Comm", "comm"), ("Type", "datatype"), ("Win", "win")):
        kind = kinds.HANDLES[word]
        text += (
            f"    subroutine MPI_{of}_copy_attr_function(old{word}, {word}_keyval, &\n"
            "        extra_state, attribute_val_in, attribute_val_out, flag, ierror)\n"
            "      import\n"
            f"      type(MPI_{kind}) :: old{word}\n"
            f"      integer :: {word}_keyval, ierror\n"
            "      integer(kind=MPI_ADDRESS_KIND) :: extra_state\n"
            "      integer(kind=MPI_ADDRESS_KIND) :: attribute_val_in, attribute_val_out\n"
            "      logical :: flag\n    end subroutine\n"
            f"    subroutine MPI_{of}_delete_attr_function({word}, {word}_keyval, &\n"
            "        attribute_val, extra_state, ierror)\n      import\n"
            f"      type(MPI_{kind}) :: {word}\n"
            f"      integer :: {word}_keyval, ierror\n"
            "      integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state\n"
            "    end subroutine\n"
        )
    for of in ("Comm", "File", "Session", "Win"):
        text += (
            f"    subroutine MPI_{of}_errhandler_function({of.lower()}, error_code)\n      import\n"
            f"      type(MPI_{of}) :: {of.lower()}\n"
            "      integer :: error_code\n    end subroutine\n"
        )
    return text


SIZED = (
    [f"integer({n})" for n in (1, 2, 4, 8, 16)]
    + [f"logical({n})" for n in (1, 2, 4, 8)]
    + [f"{kind}({n})" for kind in ("real", "complex") for n in (4, 8, 16)]
)


def _sizes() -> str:
    """MPI_SIZEOF, which the modules share. The kinds are those that gfortran has everywhere."""
    text = "! Made by src/mpi/functions/generate.py. Do not edit.\nmodule mpi_sizes\n"
    text += "  implicit none\n  private\n  public :: MPI_Sizeof\n  interface MPI_Sizeof\n"
    names = {kind: "size_of_" + kind.strip(")").replace("(", "_") for kind in SIZED}
    names["character(len=*)"] = "size_of_character"
    text += "".join(f"    procedure {name}\n" for name in names.values())
    text += "  end interface\ncontains\n"
    for kind, name in names.items():
        of = "storage_size(x)"
        if kind.startswith("character"):
            of = "8"  # of one character
        text += (
            f"  subroutine {name}(x, size, ierror)\n    {kind}, dimension(..), intent(in) :: x\n"
            "    integer, intent(out) :: size\n    integer, optional, intent(out) :: ierror\n"
            f"    size = {of} / 8\n    if (present(ierror)) ierror = 0\n  end subroutine\n"
        )
    return text + "end module\n"


# Interfaces


def _interfaces(functions: list[Function], style: str) -> str:
    generic = {}
    for function in functions:
        for large in fortran_types.variants(function, style):
            name = fortran_types.generic(function, large)
            generic.setdefault(name, []).append((function, large))
    text = ""
    for name, procedures in generic.items():
        for profiled in ("", "P"):
            bodies = "".join(_procedure(f, style, large, profiled) for f, large in procedures)
            named = f" {profiled}{name}" if style == "f08" else ""
            text += f"  interface{named}\n{bodies}  end interface\n"
    return text


def _procedure(function: Function, style: str, large: bool, profiled: str) -> str:
    name = fortran_types.external(function, style, large, profiled)
    parameters = fortran_types.parameters(function)
    words = [p.name for p in parameters]
    declared = [_declare(function, p, style, large) for p in parameters]
    what, result = "subroutine", ""
    if function.returns:
        what = "function"
        kind = "double precision" if function.returns == "double" else KINDS["MPI_Aint"]
        result = f"      {kind} :: {name}\n"
    elif not function.variadic:
        words.append("ierror")
        optional = ", optional, intent(out)" if style == "f08" else ", intent(out)"
        declared.append(f"      integer{optional} :: ierror\n")
    head = _wrapped(f"    {what} {name}({', '.join(words)})")
    return f"{head}      import\n{result}{''.join(declared)}    end {what}\n"


def _wrapped(line: str) -> str:
    """Free form has lines of 132 columns."""
    text, words = "", line.split(", ")
    row = words[0]
    for word in words[1:]:
        if len(row) + len(word) > 100:
            text += row + ", &\n"
            row = "        " + word
        else:
            row += ", " + word
    return text + row + "\n"


def _declare(function: Function, p: Parameter, style: str, large: bool) -> str:
    if p.kind.name == "buffer" or (style == "f77" and p.name in ("baseptr", "buffer_addr")):
        return _buffer(function, p, style)
    if p.kind.family == "function_kind":
        if style == "f77":
            return f"      external :: {p.name}\n"
        kind = (p.kind.large if large else p.kind.c).rstrip(" *")
        return f"      procedure({kind}) :: {p.name}\n"
    array = _array(p, style)
    return f"      {_type(function, p, style, large)}{_intent(p)} :: {p.name}{array}\n"


def _buffer(function: Function, p: Parameter, style: str) -> str:
    later = any(q.kind.name == "request" for q in function.parameters)
    attributes = ", asynchronous" if later and style == "f08" else ""
    if style == "f08":
        return f"      type(*), dimension(..){attributes} :: {p.name}\n"
    return (
        f"      type(*), dimension(*) :: {p.name}\n"
        f"      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {p.name}\n"
    )


def _intent(p: Parameter) -> str:
    # Special variables such as MPI_STATUS_IGNORE are no arguments that are written to.
    if p.kind.family == "status" or p.kind.name in ("address", "strings", "string_lists"):
        return ""
    if p.name == "array_of_errcodes" or p.name.endswith("weights"):
        return ""
    if p.kind.family == "text":
        return ", intent(inout)"
    return f", intent({'inout' if p.direction == 'out' else p.direction})"


def _array(p: Parameter, style: str) -> str:
    if p.kind.name == "ranges":
        return "(3, *)"
    if p.kind.name == "strings":
        return "(*)"
    if p.kind.name == "string_lists":
        return "(count, *)"
    if p.kind.family == "status" and style == "f77":
        return "(MPI_STATUS_SIZE)" if p.length is None else "(MPI_STATUS_SIZE, *)"
    return "(*)" if p.length is not None and p.kind.family != "text" else ""


def _type(function: Function, p: Parameter, style: str, large: bool) -> str:
    kind = p.kind
    if fortran_types.is_text(p):
        return "character(len=*)"
    if kind.name == "flag":
        return "logical"
    if kind.family == "handle":
        return f"type({kind.c})" if style == "f08" else "integer"
    if kind.family == "status":
        return "type(MPI_Status)" if style == "f08" else "integer"
    if kind.name == "address" and style == "f08" and p.name in ("baseptr", "buffer_addr"):
        return "type(c_ptr)"
    return KINDS[fortran_types.c_type(function, p, large)]
