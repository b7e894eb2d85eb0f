# SPDX-License-Identifier: MIT
"""Reads the table of functions (table/*.txt) and the table of constants (constants.txt)."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import kinds

FACES = ("abi", "mpich", "ompi")
# Lengths of arrays that no parameter says: the face asks the core.
LENGTHS = ("peers", "local_size", "in_degree", "out_degree")


class TableError(Exception):
    """A line of a table that cannot be read; says file, line and what is wrong."""


@dataclass
class Parameter:
    name: str
    kind: kinds.Kind
    direction: str  # in, out, inout
    const: bool = False  # only of buffers
    length: str | None = None  # None: no array; "": an array whose length nobody needs


@dataclass
class Function:
    name: str  # with MPI_
    section: str
    parameters: list[Parameter] = field(default_factory=list)
    variadic: bool = False
    large: bool = False  # there is a variant with _c as well
    done: bool = False
    refused: str | None = None
    core: str = ""
    staged: str = ""  # the header of core/collectives that has it, and its other forms, for any stage
    face: str | None = None  # what the face calls of its own, if not the core's function alone
    uses: tuple[str, ...] = ()  # the core's functions that this one of the face needs
    returns: str | None = None  # a kind, if the function returns no error
    faces: tuple[str, ...] = FACES
    any_time: bool = False  # may be called before MPI_Init and after MPI_Finalize
    optional: bool = False  # results may have null pointers
    age: str = ""  # deprecated or removed

    @property
    def is_tool(self) -> bool:
        return self.name.startswith("MPI_T_")

    @property
    def is_persistent_collective(self) -> bool:
        return self.section == "collectives" and self.name.endswith("_init")

    def cannot_be_refused(self) -> bool:
        """It needs no core, or returns no error."""
        return self.returns is not None or (self.face is not None and not self.uses)

    def parameter(self, name: str) -> Parameter:
        return next(p for p in self.parameters if p.name == name)


@dataclass(frozen=True)
class Constant:
    name: str
    section: str
    abi: int
    mpich: int | None
    ompi: int | str | None  # a handle is the name of an object
    fortran: int | None  # the handle's number in Open MPI's Fortran
    hexadecimal: bool
    inside: bool  # the core's alone, though MPICH has it


def read_functions(folder: Path) -> list[Function]:
    functions = []
    for path in sorted(folder.glob("*.txt")):
        functions += _read_section(path)
    # A function whose types differ between the faces has an entry for each.
    seen = set()
    for function in functions:
        for face in function.faces:
            if (function.name, face) in seen:
                raise TableError(f"{function.section}.txt: {function.name} is there twice")
            seen.add((function.name, face))
    return functions


def _read_section(path: Path) -> list[Function]:
    functions, texts = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        if not line.startswith(" "):
            functions.append(_read_head(line, path.stem, where))
            texts.append((where, ""))
        elif not functions:
            raise TableError(f"{where}: parameters without a function")
        else:
            texts[-1] = (texts[-1][0], texts[-1][1] + " " + line.strip())
    for function, (where, text) in zip(functions, texts):
        _read_parameters(function, text, where)
    if any(f.staged for f in functions):
        functions += [
            form for f in functions if f.staged for form in forms(f).values() if form is not f
        ]
        functions.sort(key=lambda f: f.name)
    return functions


def forms(function: Function) -> dict[str, Function]:
    """A staged collective as it is, as one that returns at once, and as one that MPI_Start starts."""
    name = function.name[4:]
    request = Parameter("request", kinds.KINDS["request"], "out")
    hints = Parameter("info", kinds.KINDS["info"], "in")

    def form(other: str, *more: Parameter) -> Function:
        return replace(
            function,
            name=f"MPI_{other}",
            core=other.lower(),
            staged="",
            parameters=function.parameters + list(more),
        )

    return {
        "blocking": function,
        "nonblocking": form(f"I{name[0].lower()}{name[1:]}", request),
        "persistent": form(f"{name}_init", hints, request),
    }


def _read_head(line: str, section: str, where: str) -> Function:
    match = re.fullmatch(r"(MPI_\w+):\s*(.*)", line)
    if not match:
        raise TableError(f"{where}: expected NAME: PROPERTIES, not {line!r}")
    function = Function(match[1], section, core=match[1][4:].lower())
    for word in filter(None, (w.strip() for w in match[2].split(";"))):
        name, _, value = (part.strip() for part in word.partition(":"))
        if name in ("large", "done") and not value:
            setattr(function, name, True)
        elif name == "optional results":
            function.optional = True
        elif name == "any time":
            function.any_time = True
        elif name in ("deprecated", "removed"):
            function.age = name
        elif name == "face":
            function.face = value or function.core
        elif name == "only" and all(v in FACES for v in value.split()):
            function.faces = tuple(value.split())
        elif name == "uses" and value:
            function.uses = tuple(value.split())
        elif name in ("core", "refused", "returns", "staged") and value:
            setattr(function, name, value)
        else:
            raise TableError(f"{where}: {function.name} has an unknown property {word!r}")
    if function.cannot_be_refused() and not function.done:
        raise TableError(f"{where}: {function.name} cannot be refused")
    if function.done and function.refused:
        raise TableError(f"{where}: {function.name} is both done and refused")
    return function


def _read_parameters(function: Function, text: str, where: str) -> None:
    for word in filter(None, (w.strip() for w in text.split(","))):
        if word == "...":
            function.variadic = True
            continue
        match = re.fullmatch(r"(?:(in|out|inout|const) )?(\w+) (\w+)(?:\[([\w ]*)\])?", word)
        if not match:
            raise TableError(f"{where}: {function.name}: expected [out] KIND NAME, not {word!r}")
        mode, kind, name, length = match.groups()
        if kind not in kinds.KINDS:
            raise TableError(f"{where}: {function.name}: no kind is named {kind!r}")
        function.parameters.append(
            Parameter(
                name,
                kinds.KINDS[kind],
                mode if mode in ("out", "inout") else "in",
                mode == "const",
                length,
            )
        )
    for p in function.parameters:
        word = (p.length or "").split(" up to ")[0].removesuffix(" at root")
        known = LENGTHS + tuple(q.name for q in function.parameters)
        if word and word not in known and not p.length.startswith("MPI_MAX"):
            raise TableError(f"{where}: {function.name}: nothing says the length {word!r} of {p.name}")


def read_constants(path: Path) -> list[Constant]:
    constants, section = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[]")
            continue
        words = line.split()
        is_handle = section in kinds.HANDLES
        if section is None or len(words) not in ((4, 5) if is_handle else (4,)):
            raise TableError(f"{path.name}:{number}: expected NAME ABI MPICH OMPI, not {line!r}")
        mpich = None if words[2] == "-" else int(words[2], 0)
        ompi = None if words[3] == "-" else words[3]
        if ompi is not None and not is_handle:
            ompi = int(ompi, 0)
        fortran = int(words[4]) if len(words) == 5 else None
        inside = words[1].startswith("(")
        abi = words[1].strip("()") if inside else words[1]
        constants.append(
            Constant(
                words[0], section, int(abi, 0), mpich, ompi, fortran, abi.startswith("0x"), inside
            )
        )
    return constants
