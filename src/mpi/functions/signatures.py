# SPDX-License-Identifier: MIT
"""A function's declarations: as C has it, and as the core has it."""

import kinds
from reader import Function, Parameter


def c_type(parameter: Parameter, large: bool) -> str:
    """The C type of a parameter, arrays as pointers."""
    kind = parameter.kind
    base = kind.large if large else kind.c
    if kind.name == "buffer":
        return "const void *" if parameter.const else "void *"
    if kind.name == "ranges":
        return "int (*)[3]"
    if kind.family == "text":
        return base
    is_pointer = parameter.direction != "in" or parameter.length is not None
    if not is_pointer and kind.name not in kinds.POINTERS:
        return base
    const = "const " if parameter.direction == "in" else ""
    return f"{const}{base}{'' if base.endswith('*') else ' '}*"


def c_parameter(parameter: Parameter, large: bool, name: str | None = None) -> str:
    name = parameter.name if name is None else name
    if parameter.kind.name == "ranges":
        return f"int {name}[][3]"
    kind = c_type(parameter, large)
    return f"{kind}{'' if kind.endswith('*') else ' '}{name}".rstrip()


def c_return(function: Function) -> str:
    return kinds.KINDS[function.returns].c if function.returns else "int"


def c_declaration(function: Function, large: bool, prefix: str = "") -> str:
    """`int PMPI_Send_c(const void *buf, ...)`, without the semicolon."""
    words = [c_parameter(p, large) for p in function.parameters]
    if function.variadic:
        words = [w if w != "int level" else "const int level" for w in words] + ["..."]
    return f"{c_return(function)} {prefix}{c_name(function, large)}({', '.join(words) or 'void'})"


def early_names(face: str, function: Function, large: bool) -> list[str]:
    """What Open MPI 4 calls a persistent collective, which was in no standard then."""
    if face != "ompi" or large or not function.is_persistent_collective:
        return []
    name = f"MPIX{function.name[3:]}"
    return [name, f"P{name}"]


def c_name(function: Function, large: bool) -> str:
    return function.name + ("_c" if large else "")


def core_type(parameter: Parameter) -> str:
    kind = parameter.kind
    if kind.name == "buffer":
        return "const void *" if parameter.const else "void *"
    if parameter.direction == "in" and parameter.length is None and kind.family != "status":
        return kind.core
    if kind.family == "text":
        return "char *"
    const = "const " if parameter.direction == "in" else ""
    if kind.family == "pointer":
        return f"{kind.core}*"
    return f"{const}{kind.core} *"


def core_declaration(function: Function, names: list[str] | None = None) -> str:
    """`int send(const void *buf, std::int64_t count, ...)`, without the semicolon."""
    returned = kinds.KINDS[function.returns].core if function.returns else "int"
    words = []
    for i, parameter in enumerate(function.parameters):
        kind = core_type(parameter)
        # A parameter must not hide the type of the next one.
        name = parameter.name + ("_" if parameter.name in kinds.KINDS else "")
        name = names[i] if names else name
        if kind == "int (*)[3]":
            words.append(f"int (*{name})[3]")
        else:
            words.append(f"{kind}{'' if kind.endswith('*') else ' '}{name}".rstrip())
    return f"{returned} {function.core}({', '.join(words)})"


def variants(function: Function) -> list[bool]:
    return [False, True] if function.large else [False]
