# SPDX-License-Identifier: MIT
"""Makes the tables by which the faces of MPICH and Open MPI convert, and the checks of the core's own
headers."""

from itertools import groupby

import kinds
from reader import Constant

HEAD = """// Made by src/mpi/functions/generate.py. Do not edit.
"""
# Sections that no parameter of a function has.
NO_DOMAIN = ("size", "safety", "source_order", "view_offset")
# What a face says of an error for which its ABI has no class.
OTHER = "MPI_ERR_OTHER"
# MPICH 4.0 and Open MPI say so of an error handler that is none.
INSTEAD = {"MPI_ERR_ERRHANDLER": "MPI_ERR_ARG"}

# What there is for each kind of handles.
PREDEFINED = {
    "mpich": """struct handle_pair {
    std::uint32_t core, face;
};

// The null handle is the first of its kind.
template <class handle>
inline constexpr handle_pair predefined[1] = {};""",
    "ompi": """// The core's number of each handle that has a number in Fortran; 0 where there is none.
template <class handle>
inline constexpr std::uint16_t in_fortran[1] = {};""",
}


def tables(face: str, constants: list[Constant]) -> str:
    text = (
        HEAD
        + """#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/faces/domain.hpp"

#include <cstdint>

namespace saguaro::mpi::NAME {

struct integer_pair {
    int core, face;
};

PREDEFINED

template <faces::domain>
inline constexpr integer_pair integers[1] = {};
""".replace("NAME", face).replace("PREDEFINED", PREDEFINED[face])
    )
    for section, group in groupby(constants, lambda c: c.section):
        known = [c for c in group if getattr(c, face) is not None or section == "error"]
        if section in kinds.HANDLES:
            if face == "ompi":
                text += _in_fortran(section, known)
                continue
            rows = [f"{{0x{c.abi:x}, 0x{c.mpich:x}}}" for c in known]
            text += f"\ntemplate <>\ninline constexpr handle_pair predefined<{section}>[] = {{\n"
        elif section not in NO_DOMAIN:
            rows = _integers(face, known)
            domain = f"faces::domain::{section}"
            text += f"\ntemplate <>\ninline constexpr integer_pair integers<{domain}>[] = {{\n"
        elif section == "view_offset":
            current = known[0]
            text += (
                "\nstruct offset_pair {\n    std::int64_t core, face;\n};\n\n"
                f"inline constexpr offset_pair displacement_current = "
                f"{{{current.abi}, {getattr(current, face)}}};\n"
            )
            continue
        else:
            continue
        text += "".join(f"    {row},\n" for row in rows) + "};\n"
    return text + f"\n}} // namespace saguaro::mpi::{face}\n"


def _in_fortran(section: str, constants: list[Constant]) -> str:
    """The core's numbers of the predefined handles, in the order of their numbers in Fortran."""
    numbers = {c.fortran: c.abi for c in constants if c.fortran is not None}
    rows = [f"0x{numbers.get(i, 0):x}" for i in range(max(numbers, default=-1) + 1)] or ["0"]
    return (
        f"\ntemplate <>\ninline constexpr std::uint16_t in_fortran<{section}>[] = {{\n"
        + "".join(f"    {row},\n" for row in rows)
        + "};\n"
    )


def _integers(face: str, constants: list[Constant]) -> list[str]:
    of = {c.name: getattr(c, face) for c in constants}
    rows = [f"{{{c.abi}, {of[c.name]}}}" for c in constants if of[c.name] is not None]
    # Behind the others, so that the way in finds the class itself first.
    rows += [
        f"{{{c.abi}, {of.get(INSTEAD.get(c.name, OTHER))}}}"
        for c in constants
        if of[c.name] is None
    ]
    return rows


def checks(constants: list[Constant]) -> str:
    text = (
        HEAD
        + """// The numbers of the table are those that the core's headers have.
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/handles.hpp"

"""
    )
    for c in constants:
        if c.section in kinds.HANDLES:
            core = f"number(saguaro::mpi::{c.section}::{core_name(c)})"
            text += f"static_assert({core} == 0x{c.abi:x});\n"
        elif c.section != "view_offset" and not c.name.startswith("MPI_F_"):
            text += f"static_assert(saguaro::mpi::abi::{core_name(c)} == {c.abi});\n"
    return text


KEYWORDS = ("int", "long", "short", "float", "double", "char", "unsigned")


def core_name(constant: Constant) -> str:
    """MPI_COMM_NULL is comm::null, MPI_INT datatype::int_, MPI_2INT datatype::two_int."""
    name = constant.name.split("_", 1)[1].lower()
    if constant.section in kinds.HANDLES:
        name = name.removeprefix(constant.section + "_")
    if name in KEYWORDS:
        return name + "_"
    return "two_" + name[1:] if name[0] == "2" else name
