# SPDX-License-Identifier: MIT
"""Makes the Fortran functions of a face: mpi_send_ for mpif.h and the module mpi, mpi_send_f08ts_
for mpi_f08, each the weak name of a pmpi_ function. They convert arguments and call C's functions.
"""

import fortran_types
import signatures
from reader import LENGTHS, Constant, Function, Parameter

HEAD = """// Made by src/mpi/functions/generate.py. Do not edit.
#include "mpi/fortran/own.hpp"
#include "mpi/fortran/lengths.hpp"
#include "mpi/fortran/section.hpp"

using namespace saguaro::mpi::fortran;

extern "C" {

extern void mpi_conversion_fn_null_();
"""
TAIL = '\n} // extern "C"\n'
# Parameters that are indices in an array: from 1 in Fortran.
INDEX, INDICES = "indx", "array_of_indices"
# A program's functions that have handles as arguments, which C has to turn into INTEGERs where they
# are not the same bits.
CONVERTED = (
    "reduction",
    "comm_errhandler_function",
    "file_errhandler_function",
    "win_errhandler_function",
)


class FortranBindings:
    def __init__(self, face: str, constants: list[Constant]):
        self.face = face
        self.constants = {c.name: c for c in constants}

    def definitions(self, functions: list[Function]) -> list[str]:
        return [
            self._function(function, style, large)
            for function in functions
            for style in fortran_types.styles_of(self.face)
            for large in fortran_types.variants(function, style)
        ]

    def file(self, definitions: list[str]) -> str:
        return HEAD + "".join(definitions) + TAIL

    def _function(self, function: Function, style: str, large: bool) -> str:
        parameters = fortran_types.parameters(function)
        words = [self._declared(function, p, style, large) for p in parameters]
        returned = "void"
        if function.returns:
            returned = signatures.c_return(function)
        elif not function.variadic:
            words.append("integer *ierror")
        words += [f"length {p.name}_size" for p in parameters if fortran_types.is_text(p)]
        name = fortran_types.symbol(function, style, large, "")
        profiled = fortran_types.symbol(function, style, large, "P")
        declared = ", ".join(words)
        body = self._body(function, parameters, style, large)
        names = [name]
        if self.face == "ompi":
            names += fortran_types.open_mpi_names(function)
        return f"\n{returned} {profiled}({declared}) {{\n{body}}}\n" + "".join(
            f'{returned} {name}({declared}) __attribute__((weak, alias("{profiled}")));\n'
            for name in names
        )

    def _declared(self, function: Function, p: Parameter, style: str, large: bool) -> str:
        kind = p.kind
        if kind.name == "buffer" or (kind.name == "address" and p.name == "buffer_addr"):
            is_section = style == "f08" and kind.name == "buffer"
            unused = style == "f77" and kind.name == "address"
            return f"{'const descriptor' if is_section else 'void'} *{'' if unused else p.name}"
        if kind.family == "function_kind":
            return f"procedure {p.name}"
        if fortran_types.is_text(p):
            return f"char *{p.name}"
        if kind.family == "status":
            return f"void *{p.name}"
        return f"{fortran_types.c_type(function, p, large)} *{p.name}"

    def _body(self, function, parameters, style, large) -> str:
        if function.name in fortran_types.OWN:
            return self._own(function, parameters)
        if function.name.startswith("MPI_Register_datarep"):
            return self._representation(function, parameters, large)
        c_function = "P" + signatures.c_name(function, large)
        if function.returns:
            passed = ", ".join(f"*{p.name}" for p in parameters)
            return f"    return {c_function}({passed});\n"
        before, after = "", ""
        sections = self._sections(function, style)
        for name, (how, words) in sections.items():
            if how == "refused":
                before += f"    if (refuses({name}, *comm, ierror))\n        return;\n"
                continue
            before += f"    {how} {name}_({', '.join(words)});\n"
            if how == "copied" and not function.parameter(name).const:
                after += f"    {name}_.write_back();\n"
        arguments = []
        for p in function.parameters:
            if p in parameters:
                arguments.append(self._argument(function, p, style, large, sections))
            else:  # of MPI_Init and MPI_Info_create_env
                arguments.append(f"same({0 if p.kind.name == 'int' else 'nullptr'})")
        lines = "".join(f",\n         {a}" for a in arguments)
        return f"{before}    call(ierror, {c_function}{lines});\n{after}"

    def _own(self, function, parameters) -> str:
        words = [p.name for p in parameters]
        if not function.variadic:
            words.append("ierror")
        words += [f"{p.name}_size" for p in parameters if fortran_types.is_text(p)]
        return f"    own::{function.name[4:].lower()}({', '.join(words)});\n"

    def _representation(self, function, parameters, large) -> str:
        words = [p.name for p in parameters] + ["ierror", f"{parameters[0].name}_size"]
        count = "MPI_Count" if large else "int"
        name = "P" + signatures.c_name(function, large)
        return (
            f"    own::register_representation<{count}>({name}, {', '.join(words)},\n"
            "        mpi_conversion_fn_null_);\n"
        )

    @staticmethod
    def _sections(function: Function, style: str) -> dict:
        """What becomes of buffers of mpi_f08 that have gaps: by a type of the layout, or copied. An
        operator knows no types of ours, and only a call that waits can copy back."""
        if style != "f08":
            return {}
        found, all_of = {}, function.parameters
        kinds = [p.kind.name for p in all_of]
        reduces = function.section == "collectives" and "op" in kinds
        waits = function.section in ("collectives", "datatypes") and "request" not in kinds
        for i, p in enumerate(all_of):
            if p.kind.name != "buffer":
                continue
            typed = kinds[i + 1 : i + 3] in (["count", "datatype"], ["stride", "datatype"])
            typed = typed and all_of[i + 1].length is None and all_of[i + 2].length is None
            if typed and not reduces:
                words = [p.name, f"*{all_of[i + 1].name}", f"*{all_of[i + 2].name}"]
                found[p.name] = ("const section", words)
            elif waits and function.name != "MPI_Get_address":
                found[p.name] = ("copied", [p.name])
            elif function.section in ("collectives", "point_to_point") and "comm" in kinds:
                found[p.name] = ("refused", [p.name])
        return found

    def _argument(self, function, p, style, large, sections) -> str:
        replaced = self._in_section(p, sections)
        if replaced:
            return f"same({replaced})"
        return getattr(self, "_" + p.kind.family)(function, p, style, large)

    @staticmethod
    def _in_section(p: Parameter, sections: dict) -> str | None:
        for name, (how, words) in sections.items():
            if p.name == name and how != "refused":
                return f"{name}_.address()"
            if how == "const section" and f"*{p.name}" in words:
                return f"{name}_.{'type' if p.kind.name == 'datatype' else 'count'}()"
        return None

    # One function for each family of kinds (kinds.py).

    def _raw(self, function, p, style, large):
        name = p.kind.name
        if name in ("string", "root_string"):
            text = "trimmed_text" if p.name in ("key", "value") else "text_in"
            return f"{text}({p.name}, {p.name}_size)"
        if name == "ranges":
            return f"same(reinterpret_cast<int(*)[3]>({p.name}))"
        if name == "address":
            return self._address(function, p, style)
        if p.name == INDEX and p.direction == "out":
            return f"index_out({p.name})"
        if p.name == INDICES:
            return f"indices_out({p.name}, outcount)"
        if p.name.endswith("weights"):
            return f"same(c_weights({p.name}))"
        if p.name == "array_of_errcodes":
            return f"same(c_error_codes({p.name}))"
        return self._by_reference(p)

    @staticmethod
    def _by_reference(p):
        scalar = p.direction == "in" and p.length is None
        return f"same({'*' if scalar else ''}{p.name})"

    def _address(self, function, p, style):
        if p.name == "attribute_val":
            if "_get" in function.name:
                key = next(q for q in function.parameters if q.kind.name == "keyval")
                return f"attribute_out({p.name}, *{key.name}, flag)"
            return f"attribute_in(*{p.name})"
        if p.name == "buffer_addr" and style == "f77":
            return "same<void *>(&own::unused)"
        return f"same<void *>({p.name})"

    def _length_kind(self, function, p, style, large):
        return self._by_reference(p)

    def _buffer(self, function, p, style, large):
        return f"same(c_buffer({p.name}{'->base' if style == 'f08' else ''}))"

    def _text(self, function, p, style, large):
        return f"text_out({p.name}, {p.name}_size, {getattr(self.constants[p.length], self.face)})"

    def _number(self, function, p, style, large):
        if function.age == "removed" and p.kind.c == "MPI_Aint":
            if p.length:
                return f"addresses_as_integers({p.name}, *{p.length})"
            if p.direction == "out":
                return f"address_as_integer({p.name})"
            return f"same(MPI_Aint{{*{p.name}}})"
        return self._by_reference(p)

    def _view_offset(self, function, p, style, large):
        return self._by_reference(p)

    def _integer(self, function, p, style, large):
        if p.kind.name == "keyval" and p.direction == "in":
            return f"same(c_keyval(*{p.name}))"
        return self._by_reference(p)

    def _handle(self, function, p, style, large):
        kind = p.kind.c
        if p.length is not None:
            written = "false" if p.direction == "in" else "true"
            size = self._length(function, p)
            return f"handle_array<{kind}, {written}>({p.name}, [&] {{ return {size}; }})"
        if p.direction == "in":
            return f"same(to_c<{kind}>(*{p.name}))"
        if self.face == "ompi" and any(q.kind.name in CONVERTED for q in function.parameters):
            return f"callback_out<{kind}>({p.name})"
        return f"handle_out<{kind}>({p.name})"

    @staticmethod
    def _length(function, p) -> str:
        word = p.length.split()[0]
        if word in LENGTHS:
            return f"{word}(*comm)"
        return f"std::int64_t{{*{word}}}"

    def _status(self, function, p, style, large):
        return f"same({'c_status' if p.length is None else 'c_statuses'}({p.name}))"

    def _function_kind(self, function, p, style, large):
        c = p.kind.large if large else p.kind.c
        return f"same(reinterpret_cast<{c}>({p.name}))"
