# SPDX-License-Identifier: MIT
"""The kinds of parameters: their C types, the core's types, and what a face does with them.

`family` decides how code is generated:

    raw       the core gets the very value
    number    a count or a displacement: the core has 64 bits; an array of int is widened
    integer   an int whose special values differ between the faces: `name` is the domain
    handle    a handle
    status    MPI_Status
    text      a string that the core writes
    pointer   an opaque pointer, void * in the core
    function_kind  a program's function, which the core gets with its face's thunk
    face      only functions that the faces have of their own take these
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    name: str
    family: str
    c: str  # the type of an input of the plain function
    large: str  # and of its variant with _c
    core: str


def _kind(name, family, c, core, large=None):
    return Kind(name, family, c, large or c, core)


def _all():
    wide = "std::int64_t"
    yield _kind("int", "raw", "int", "int")
    yield _kind("flag", "raw", "int", "int")
    yield _kind("weights", "raw", "int", "int")
    yield _kind("length", "length_kind", "int", "int")
    yield _kind("buffer", "buffer", "void *", "void *")
    yield _kind("address", "raw", "void *", "void *")
    yield _kind("string", "raw", "const char *", "const char *")
    yield _kind("root_string", "raw", "const char *", "const char *")
    yield _kind("strings", "raw", "char **", "char **")
    yield _kind("string_lists", "raw", "char ***", "char ***")
    yield _kind("argument_count", "raw", "int *", "int *")
    yield _kind("arguments", "raw", "char ***", "char ***")
    yield _kind("ranges", "raw", "ranges", "int (*)[3]")
    yield _kind("text", "text", "char *", "char *")

    yield _kind("count", "number", "int", wide, "MPI_Count")
    yield _kind("stride", "number", "int", wide, "MPI_Count")
    yield _kind("displacement", "number", "int", wide, "MPI_Aint")
    yield _kind("bytes", "number", "MPI_Aint", wide, "MPI_Count")
    yield _kind("aint", "number", "MPI_Aint", wide)
    yield _kind("offset", "number", "MPI_Offset", wide)
    yield _kind("wide", "number", "MPI_Count", wide)
    yield _kind("view_offset", "view_offset", "MPI_Offset", wide)

    for name in (
        "rank tag error thread_level comparison topology split_type order distribution "
        "distribution_argument combiner typeclass lock_type whence access_mode assertion keyval "
        "verbosity binding scope pvar_class"
    ).split():
        yield _kind(name, "integer", "int", "int")

    for name, c in HANDLES.items():
        yield _kind(name, "handle", f"MPI_{c}", name)
    yield _kind("status", "status", "MPI_Status", "status")

    for name, c in {
        "t_enum": "enum",
        "t_cvar": "cvar_handle",
        "t_pvar": "pvar_handle",
        "t_session": "pvar_session",
        "t_registration": "event_registration",
        "t_instance": "event_instance",
    }.items():
        yield _kind(name, "pointer", f"MPI_T_{c}", "void *")
    yield _kind("cb_safety", "enumeration", "MPI_T_cb_safety", "int")
    yield _kind("source_order", "enumeration", "MPI_T_source_order", "int")

    functions = {
        "reduction": ("User_function", "reduction"),
        "comm_errhandler_function": ("Comm_errhandler_function", "error_function<comm>"),
        "file_errhandler_function": ("File_errhandler_function", "error_function<file>"),
        "win_errhandler_function": ("Win_errhandler_function", "error_function<win>"),
        "session_errhandler_function": ("Session_errhandler_function", "error_function<session>"),
        "copy_function": ("Copy_function", "attribute_copy<comm>"),
        "delete_function": ("Delete_function", "attribute_delete<comm>"),
        "comm_copy_attr_function": ("Comm_copy_attr_function", "attribute_copy<comm>"),
        "comm_delete_attr_function": ("Comm_delete_attr_function", "attribute_delete<comm>"),
        "type_copy_attr_function": ("Type_copy_attr_function", "attribute_copy<datatype>"),
        "type_delete_attr_function": ("Type_delete_attr_function", "attribute_delete<datatype>"),
        "win_copy_attr_function": ("Win_copy_attr_function", "attribute_copy<win>"),
        "win_delete_attr_function": ("Win_delete_attr_function", "attribute_delete<win>"),
        "grequest_query_function": ("Grequest_query_function", "grequest_query"),
        "grequest_free_function": ("Grequest_free_function", "grequest_free"),
        "grequest_cancel_function": ("Grequest_cancel_function", "grequest_cancel"),
        "datarep_conversion_function": ("Datarep_conversion_function", "data_conversion"),
        "datarep_extent_function": ("Datarep_extent_function", "data_extent"),
    }
    for name, (c, core) in functions.items():
        large = f"MPI_{c}_c *" if name in LARGE_FUNCTIONS else None
        yield _kind(name, "function_kind", f"MPI_{c} *", core, large)
    for name in ("t_event_cb_function", "t_event_free_cb_function", "t_event_dropped_cb_function"):
        yield _kind(name, "tool_function", f"MPI_T{name[1:]} *", "any_function")

    yield _kind("fint", "face", "MPI_Fint", "int")
    yield _kind("double", "face", "double", "double")
    yield _kind("fortran_status", "face", "MPI_Fint", "")
    yield _kind("f08_status", "face", "MPI_F08_status", "")


HANDLES = {
    "comm": "Comm",
    "group": "Group",
    "datatype": "Datatype",
    "request": "Request",
    "op": "Op",
    "errhandler": "Errhandler",
    "info": "Info",
    "win": "Win",
    "file": "File",
    "session": "Session",
    "message": "Message",
}
LARGE_FUNCTIONS = ("reduction", "datarep_conversion_function")
POINTERS = ("fortran_status", "f08_status", "status")

KINDS = {kind.name: kind for kind in _all()}
