# SPDX-License-Identifier: MIT
"""Makes the linker's list of what a face's library exports."""

import ompi_objects
import signatures
from reader import Constant, Function

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

# Functions of MPICH's own (faces/mpich_x.cpp).
MPICH_FUNCTIONS = (
    "MPIX_Delete_error_class",
    "MPIX_Delete_error_code",
    "MPIX_Delete_error_string",
    "MPIX_GPU_query_support",
    "MPIX_Query_cuda_support",
    "MPIX_Query_hip_support",
    "MPIX_Query_ze_support",
)


# What programs compiled for Open MPI refer to besides functions and handles (faces/ompi.cpp,
# ompi_cxx.cpp, ompi_fortran.cpp).
OMPI_NAMES = (
    "MPI_F_STATUSES_IGNORE",
    "MPI_F_STATUS_IGNORE",
    "MPIX_Query_cuda_support",
    "OMPI_C_MPI_*_FN",
    "mpi_fortran_*",
    "ompi_attr_create_keyval",
    "ompi_errcode_intern_lastused",
    "ompi_errcodes_intern",
    "ompi_errhandler_create",
    "ompi_errhandler_invoke",
    "ompi_op_set_cxx_callback",
    "ompi_registered_datareps",
    "saguaro_errhandler_set_fortran",
    "saguaro_op_set_fortran",
)


def symbols(face: str, functions: list[Function], constants: list[Constant]) -> list[str]:
    names = set()
    if face == "mpich":
        names |= set(MPICH_DATA)
        names |= {prefix + name for name in MPICH_FUNCTIONS for prefix in ("", "P")}
    if face == "ompi":
        names |= set(OMPI_NAMES)
        names |= set(ompi_objects.sizes(constants))
    for function in functions:
        if face in function.faces:
            for large in signatures.variants(function):
                name = signatures.c_name(function, large)
                names |= {name, "P" + name, *signatures.early_names(face, function, large)}
    return sorted(names)


def version_script(face: str, functions: list[Function], constants: list[Constant]) -> str:
    lines = "".join(f"        {name};\n" for name in symbols(face, functions, constants))
    return f"{{\n    global:\n{lines}    local:\n        *;\n}};\n"
