# SPDX-License-Identifier: MIT
"""Makes, for tests, an mpi.h of MPICH's or Open MPI's ABI: programs that are compiled with it are what
programs of these libraries are to a face, and no test needs either library."""

from itertools import groupby
from pathlib import Path

import header
import kinds
import ompi_objects
from reader import Constant, Function

# What differs from mpi.h.in, by its lines there.
ADDRESSES = {
    "mpich": {
        "#define MPI_IN_PLACE ((void *)1)": "#define MPI_IN_PLACE ((void *)-1)",
        "#define MPI_STATUS_IGNORE ((MPI_Status *)0)": "#define MPI_STATUS_IGNORE ((MPI_Status *)1)",
        "#define MPI_STATUSES_IGNORE ((MPI_Status *)0)": "#define MPI_STATUSES_IGNORE ((MPI_Status *)1)",
    },
    "ompi": {
        "#define MPI_UNWEIGHTED ((int *)10)": "#define MPI_UNWEIGHTED ((int *)2)",
        "#define MPI_WEIGHTS_EMPTY ((int *)11)": "#define MPI_WEIGHTS_EMPTY ((int *)3)",
        "#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)1)": "#define MPI_T_PVAR_ALL_HANDLES "
        "((MPI_T_pvar_handle)-1)",
    },
}
STATUS = {
    "mpich": "int count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR;",
    "ompi": "int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled; unsigned long bytes;",
}
STATUS_OF_ABI = """    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
"""


def make(face: str, template: Path, functions: list[Function], constants: list[Constant]) -> str:
    text = template.read_text()
    for there, here in {STATUS_OF_ABI: f"    {STATUS[face]}\n", **ADDRESSES[face]}.items():
        assert there in text, there
        text = text.replace(there, here)
    known = [c for c in constants if getattr(c, face) is not None]
    handles, integers = "", ""
    for section, group in groupby(known, lambda c: c.section):
        if section in kinds.HANDLES:
            handles += _handles(face, f"MPI_{kinds.HANDLES[section]}", section, list(group))
        elif section != "view_offset":
            integers += "".join(f"#define {c.name} ({getattr(c, face)})\n" for c in group)
    integers += "typedef int MPI_T_cb_safety, MPI_T_source_order;\n"
    handles += "typedef int MPI_Fint;\ntypedef MPI_Status MPI_F08_status;\n"
    text = text.replace("@HANDLES@\n", handles)
    text = text.replace("@CONSTANTS@\n", integers)
    return text.replace("@FUNCTIONS@\n", header.prototypes(face, functions))


def _handles(face: str, c: str, section: str, constants: list[Constant]) -> str:
    if face == "ompi":
        size = ompi_objects.SIZES[section]
        return f"typedef struct ompi_{section} *{c};\n" + "".join(
            f"extern char {k.ompi}[{size}];\n#define {k.name} (({c})(void *){k.ompi})\n"
            for k in constants
        )
    base = "struct ADIOI_FileD *" if section == "file" else "int"
    return f"typedef {base} {c};\n" + "".join(
        f"#define {k.name} (({c})0x{k.mpich:x})\n" for k in constants
    )
