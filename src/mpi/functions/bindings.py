# SPDX-License-Identifier: MIT
"""Makes a face's functions: MPI_X as a weak name of PMPI_X, which calls the core or refuses."""

import signatures
from reader import LENGTHS, Constant, Function, Parameter

HEAD = """// Made by src/mpi/functions/generate.py. Do not edit.
#include "mpi/faces/{face}.hpp"

#include "mpi/faces/arguments.hpp"
#include "mpi/faces/call.hpp"
#include "mpi/faces/own.hpp"

namespace core = saguaro::mpi::core;
namespace mpi = saguaro::mpi;
namespace faces = saguaro::mpi::faces;
using domain = faces::domain;
using face = mpi::{face}::face;
using arg = faces::arguments<face>;

extern "C" {{
"""
TAIL = '\n} // extern "C"\n'
HANDLERS = ("comm", "win", "file", "session")
# Of these the core knows the communicator.
OPERATIONS = ("request", "message")
# Errors of these go to the handler that files are opened with.
OF_NO_FILE = ("MPI_File_open", "MPI_File_delete", "MPI_Register_datarep")


class Bindings:
    def __init__(self, face: str, constants: list[Constant]):
        self.face = face
        self.constants = {c.name: c for c in constants}

    def definitions(self, functions: list[Function]) -> list[str]:
        return [self._function(f, large) for f in functions for large in signatures.variants(f)]

    def file(self, definitions: list[str]) -> str:
        return HEAD.format(face=self.face) + "".join(definitions) + TAIL

    def _function(self, function: Function, large: bool) -> str:
        name = signatures.c_name(function, large)
        declared = signatures.c_declaration(function, large)
        defined = signatures.c_declaration(function, large, "P")
        body = self._body(function, large, name)
        if not function.done:
            defined = self._without_names(function, large)
        text = (
            f"\n{defined}\n{{\n{body}}}\n"
            f'{declared} __attribute__((weak, alias("P{name}")));\n'
        )
        for early in signatures.early_names(self.face, function, large):
            as_early = declared.replace(name, early, 1)
            text += f'{as_early} __attribute__((weak, alias("P{name}")));\n'
        return text

    def _without_names(self, function: Function, large: bool) -> str:
        kept = self._refusing_object(function)
        words = [
            signatures.c_parameter(p, large, None if p is kept else "") for p in function.parameters
        ]
        words = [w.replace("int [][3]", "int (*)[3]") for w in words]
        if function.variadic:
            words = ["const int", "..."]
        name = signatures.c_name(function, large)
        return f"{signatures.c_return(function)} P{name}({', '.join(words) or 'void'})"

    def _body(self, function: Function, large: bool, name: str) -> str:
        if not function.done:
            return self._refusal(function, name)
        if function.face in ("to_int", "from_int"):
            return self._as_integer(function)
        if function.face:
            return self._own(function, name)
        if function.returns:
            return f"    return core::{function.core}();\n"
        arguments = [self._argument(function, p, large) for p in function.parameters]
        if function.is_tool:
            return self._call(f"faces::call_tool<face>(core::{function.core}", arguments)
        call = "call_any_time" if function.any_time else "call"
        start = f'faces::{call}<face>({self._object(function)}, "{name}", core::{function.core}'
        return self._call(start, arguments)

    @staticmethod
    def _call(start: str, arguments: list[str]) -> str:
        return f"    return {','.join([start] + [chr(10) + ' ' * 8 + a for a in arguments])});\n"

    @staticmethod
    def _refusing_object(function: Function) -> Parameter | None:
        for parameter in function.parameters:
            kind = parameter.kind.name
            if kind == "comm" and parameter.direction == "in" and not function.is_tool:
                return parameter
        return None

    def _refusal(self, function: Function, name: str) -> str:
        if function.is_tool:
            return (
                "    return face::to_face<domain::error>(mpi::abi::t_err_not_supported);\n"
            )
        kept = self._refusing_object(function)
        on = f"face::in<mpi::comm>({kept.name})" if kept else "mpi::comm::self"
        return f'    return faces::fail<face>({on}, mpi::abi::err_unsupported_operation, "{name}");\n'

    @staticmethod
    def _as_integer(function: Function) -> str:
        parameter = function.parameters[0]
        kind = parameter.kind.name
        if function.face == "from_int":
            kind = function.returns
        return f"    return face::{function.face}<mpi::{kind}>({parameter.name});\n"

    @staticmethod
    def _own(function: Function, name: str) -> str:
        face = function.face
        if "<" in face:
            face = face.replace("<", "<mpi::")
        words = [f'"{name}"'] + [f"core::{u}" for u in function.uses]
        words += [p.name for p in function.parameters]
        if not function.variadic:
            return f"    return faces::own<face>::{face}({', '.join(words)});\n"
        last = function.parameters[-1].name
        return (
            "    std::va_list rest;\n"
            f"    va_start(rest, {last});\n"
            f"    const int error = faces::own<face>::{face}({', '.join(words)}, rest);\n"
            "    va_end(rest);\n"
            "    return error;\n"
        )

    @staticmethod
    def _object(function: Function) -> str:
        """Whose error handler an error of the function goes to."""
        if function.name in OF_NO_FILE:
            return "mpi::file::null"
        for parameter in function.parameters:
            kind = parameter.kind.name
            if kind in HANDLERS and parameter.direction != "out" and parameter.length is None:
                return f"faces::subject<face, mpi::{kind}>({parameter.name})"
        if any(p.kind.name in OPERATIONS and p.direction != "out" for p in function.parameters):
            return "core::failed_request{}"
        return "mpi::comm::self"

    def _length(self, function: Function, parameter: Parameter) -> str:
        words = parameter.length.split(" up to ")[0].split()
        communicator = next((p for p in function.parameters if p.kind.name == "comm"), None)
        on = f"face::in<mpi::comm>({communicator.name})" if communicator else ""
        if words[0] in LENGTHS:
            size = f"core::{words[0]}({on})"
        else:
            of = function.parameter(words[0])
            size = of.name
            if of.direction != "in":
                size = f"({size} == nullptr ? 0 : *{size})"
        if words[1:] == ["at", "root"]:
            root = "face::to_core<domain::rank>(root)"
            return f"core::is_root({on}, {root}) ? {size} : 0"
        return size

    def _argument(self, function: Function, p: Parameter, large: bool) -> str:
        made = getattr(self, "_" + p.kind.family)(function, p, large)
        if function.optional and p.direction != "in" and p.length is None:
            kind, _, arguments = made.partition("(")
            return f"faces::optional<{kind}>({arguments}"
        return made

    # One function for each family of kinds (kinds.py).

    def _raw(self, function, p, large):
        c = signatures.c_type(p, large)
        if p.kind.name == "string":
            return f"faces::required<const char>({p.name})"
        if p.kind.name == "weights":
            return f"arg::weights({p.name})"
        if p.name == "buffer_addr":
            return f"arg::detached({p.name})"
        if p.direction != "in" and p.length is None:
            return f"faces::required<{c.removesuffix('*').strip()}>({p.name})"
        return f"faces::raw<{c}>({p.name})"

    def _length_kind(self, function, p, large):
        return f"faces::length({p.name})"

    def _buffer(self, function, p, large):
        return f"arg::{'const_' if p.const else ''}buffer({p.name})"

    def _text(self, function, p, large):
        if not p.length:
            return f"faces::raw<char *>({p.name})"
        constant = self.constants[p.length]
        core = f"mpi::abi::{p.length[4:].lower()}"
        return f"arg::text<{core}, {getattr(constant, self.face)}>({p.name})"

    def _number(self, function, p, large):
        c = p.kind.large if large else p.kind.c
        if p.length is not None:
            if c != "int":
                const = "const " if p.direction == "in" else ""
                return f"faces::raw<{const}std::int64_t *>({p.name})"
            return f"faces::numbers<{c}>({p.name}, {self._length(function, p)})"
        if p.direction == "in":
            return f"faces::number<{c}>({p.name})"
        return f"faces::number_{p.direction}<{c}>({p.name})"

    def _view_offset(self, function, p, large):
        return f"arg::view_offset({p.name})"

    def _integer(self, function, p, large):
        domain = f"domain::{p.kind.name}"
        if p.length is not None:
            out = "" if p.direction == "in" else "_out"
            return f"arg::integers{out}<{domain}>({p.name}, {self._length(function, p)})"
        suffix = "" if p.direction == "in" else "_" + p.direction
        return f"arg::integer{suffix}<{domain}>({p.name})"

    def _handle(self, function, p, large):
        kind = f"mpi::{p.kind.name}"
        if p.length is not None:
            return f"arg::{p.direction}_array<{kind}>({p.name}, {self._length(function, p)})"
        return f"arg::{p.direction}<{kind}>({p.name})"

    def _status(self, function, p, large):
        if p.length is None:
            return f"arg::status_{p.direction}({p.name})"
        words = [p.name, self._length(function, p)] + p.length.split(" up to ")[1:]
        return f"arg::statuses_out({', '.join(words)})"

    def _pointer(self, function, p, large):
        if p.kind.name == "t_pvar" and p.direction == "in":
            return f"arg::pvar<{p.kind.c}>({p.name})"
        out = "" if p.direction == "in" else "_out"
        return f"faces::opaque{out}<{p.kind.c}>({p.name})"

    def _enumeration(self, function, p, large):
        out = "" if p.direction == "in" else "_out"
        return f"faces::enumerated{out}<{p.kind.c}>({p.name})"

    def _function_kind(self, function, p, large):
        c = p.kind.large if large else p.kind.c
        core = p.kind.core.replace("<", "<mpi::")
        return f"arg::function<mpi::{core}, {c}>({p.name})"

    def _tool_function(self, function, p, large):
        return f"faces::tool_function<{p.kind.c}>({p.name})"
