# SPDX-License-Identifier: MIT
"""Makes the linker's list of what a face's library exports."""

import signatures
from reader import Function

# What programs compiled for MPICH refer to besides functions (faces/mpich.cpp, mpich_cxx.cpp).
MPICH_DATA = (
    "MPII_Errhandler_set_cxx",
    "MPII_Keyval_set_proxy",
    "MPII_Op_set_cxx",
    "MPIR_Dup_fn",
    "MPIR_F08_MPI_BOTTOM",
    "MPIR_F08_MPI_IN_PLACE",
    "MPIR_F08_MPI_STATUSES_IGNORE_OBJ",
    "MPIR_F08_MPI_STATUS_IGNORE_OBJ",
    "MPI_F08_STATUSES_IGNORE",
    "MPI_F08_STATUS_IGNORE",
    "MPI_F_STATUSES_IGNORE",
    "MPI_F_STATUS_IGNORE",
    "MPI_T_PVAR_ALL_HANDLES",
    "MPI_UNWEIGHTED",
    "MPI_WEIGHTS_EMPTY",
)


def symbols(face: str, functions: list[Function]) -> list[str]:
    names = set(MPICH_DATA if face == "mpich" else ())
    for function in functions:
        if face in function.faces:
            for large in signatures.variants(function):
                name = signatures.c_name(function, large)
                names |= {name, "P" + name}
    return sorted(names)


def version_script(face: str, functions: list[Function]) -> str:
    lines = "".join(f"        {name};\n" for name in symbols(face, functions))
    return f"{{\n    global:\n{lines}    local:\n        *;\n}};\n"
