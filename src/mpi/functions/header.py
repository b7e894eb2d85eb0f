# SPDX-License-Identifier: MIT
"""Makes mpi.h for the standard ABI."""

from itertools import groupby
from pathlib import Path

import kinds
import signatures
from reader import Constant, Function

# Enumerations with a name of their own in the binding.
NAMED = {"safety": "MPI_T_cb_safety", "source_order": "MPI_T_source_order"}


def make(template: Path, functions: list[Function], constants: list[Constant]) -> str:
    public = [c for c in constants if not c.inside]
    sections = [(name, list(group)) for name, group in groupby(public, lambda c: c.section)]
    handles = "".join(_handles(n, group) for n, group in sections if n in kinds.HANDLES)
    integers = "".join(_integers(n, g) for n, g in sections if n not in kinds.HANDLES)
    text = template.read_text()
    text = text.replace("@HANDLES@\n", handles)
    text = text.replace("@CONSTANTS@\n", integers)
    return text.replace("@FUNCTIONS@\n", prototypes("abi", functions))


def _handles(name: str, constants: list[Constant]) -> str:
    c = f"MPI_{kinds.HANDLES[name]}"
    lines = [f"typedef struct MPI_ABI_{c[4:]} *{c};"]
    lines += [f"#define {k.name} (({c})0x{k.abi:x})" for k in constants]
    return "\n".join(lines) + "\n\n"


def _integers(name: str, constants: list[Constant]) -> str:
    if name == "view_offset":
        return ""
    if name == "size":  # usable in #if
        return "".join(f"#define {k.name} {k.abi}\n" for k in constants) + "\n"
    lines = ",\n".join(f"    {k.name} = {k.abi}" for k in constants)
    if name in NAMED:
        return f"typedef enum {NAMED[name]} {{\n{lines}\n}} {NAMED[name]};\n\n"
    return f"enum {{\n{lines}\n}};\n\n"


def prototypes(face: str, functions: list[Function]) -> str:
    text = ""
    for section, group in groupby(functions, lambda f: f.section):
        lines = []
        for function in group:
            if face not in function.faces:
                continue
            for large in signatures.variants(function):
                lines += [f"{signatures.c_declaration(function, large, p)};" for p in ("", "P")]
        if lines:
            text += f"/* {section} */\n" + "\n".join(lines) + "\n\n"
    return text
