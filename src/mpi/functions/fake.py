# SPDX-License-Identifier: MIT
"""Makes what tests/mpi/ tests the faces with: a core that only compares what it gets with what it
should get, and calls of every MPI function through a face with values that tell the two apart."""

from itertools import groupby

import kinds
import ompi_objects
import reader
import signatures
from reader import Constant, Function, Parameter

HEAD = """// Made by src/mpi/functions/generate.py --test. Do not edit.
"""


def files(functions: list[Function], constants: list[Constant]) -> dict[str, str]:
    # Of functions that share one of the core, the core has the types of the one with its own name.
    core = {f.core: f for f in functions if f.name[4:].lower() == f.core and not f.face}
    made = {
        "fake/mpi/core/interface/functions.hpp": _declarations(list(core.values())),
        "fake_core.cpp": _definitions(list(core.values())),
        "mpich_prototypes.hpp": _prototypes("mpich", functions, ""),
        "ompi_prototypes.hpp": _prototypes("ompi", functions, _declared_objects(constants)),
    }
    for face in reader.FACES:
        made[f"{face}_calls.cpp"] = _Calls(face, constants).file(functions)
        made[f"{face}_refusals.cpp"] = _refusals(face, functions, constants)
    return made


def _declarations(functions: list[Function]) -> str:
    lines = "".join(f"{signatures.core_declaration(f)};\n" for f in functions)
    return (
        HEAD
        + """#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/constants.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"

namespace saguaro::mpi::core {

struct inside {
    inside() {}
};
bool active();
[[noreturn]] void end_untimely(const char *function);
int raise(comm on, int error, const char *function);
int raise(win on, int error, const char *function);
int raise(file on, int error, const char *function);
int raise(session on, int error, const char *function);
struct failed_request {};
int raise(failed_request on, int error, const char *function);
std::int64_t peers(comm of);
std::int64_t local_size(comm of);
std::int64_t in_degree(comm of);
std::int64_t out_degree(comm of);
bool is_root(comm of, int root);
int declare_cost(std::int64_t cost);
int type_get_envelope(datatype of, std::int64_t *integers, std::int64_t *addresses,
                      std::int64_t *large_counts, std::int64_t *types, int *combiner);
int type_get_contents(datatype of, std::int64_t max_integers, std::int64_t max_addresses,
                      std::int64_t max_large_counts, std::int64_t max_types, int *integers,
                      std::int64_t *addresses, std::int64_t *large_counts, datatype *types);
int comm_get_attr(comm of, int keyval, void **value, int *flag);
int type_get_attr(datatype of, int keyval, void **value, int *flag);
int win_get_attr(win of, int keyval, void **value, int *flag);

"""
        + lines
        + "\n} // namespace saguaro::mpi::core\n"
    )


def _definitions(functions: list[Function]) -> str:
    text = HEAD + '#include "fake.hpp"\n\nnamespace saguaro::mpi::core {\n'
    for function in functions:
        names = [f"p{i}" for i in range(len(function.parameters))]
        declared = signatures.core_declaration(function, names)
        words = ", ".join([f'"{function.core}"'] + names)
        if function.returns:
            text += f"\n{declared}\n{{\n    return 0.5;\n}}\n"
        else:
            text += f"\n{declared}\n{{\n    return fake::called({words});\n}}\n"
    return text + "\n} // namespace saguaro::mpi::core\n"


def _include(face: str) -> str:
    header = "mpi.h" if face == "abi" else f"{face}_prototypes.hpp"
    return f'#include "{header}"\n#include "calls.hpp"\n'


def _refusals(face: str, functions: list[Function], constants: list[Constant]) -> str:
    """Calls, with nothing but zeros, of each function that is not done."""
    errors = {c.name: getattr(c, face) for c in constants if c.section == "error"}
    text = HEAD + _include(face)
    refused = [f for f in functions if face in f.faces and not f.done]
    for section, group in groupby(refused, lambda f: f.section):
        text += f"\nTEST({face}_face_refuses, {section})\n{{\n"
        for function in group:
            tool = "MPI_T_ERR_NOT_SUPPORTED" if function.is_tool else None
            code = errors[tool or "MPI_ERR_UNSUPPORTED_OPERATION"]
            if code is None:
                code = errors["MPI_ERR_OTHER"]
            for large in signatures.variants(function):
                name = signatures.c_name(function, large)
                words = ", ".join(
                    f"fake::zero<{signatures.c_type(p, large)}>()" for p in function.parameters
                )
                by = "" if tool else name
                text += f'    fake::begin("{name}", "", {{}});\n'
                text += f'    fake::refused({name}({words}), {code}, "{by}");\n'
        text += "}\n"
    return text


def _handle_value(c: str, outer: int | str) -> str:
    return f"fake::{'address_of' if isinstance(outer, str) else 'handle'}<{c}>({outer})"


class _Calls:
    def __init__(self, face: str, constants: list[Constant]):
        self.face = face
        self.sections = {n: list(g) for n, g in groupby(constants, lambda c: c.section)}
        self.seed = 0
        # All of them would do for the standard ABI, but some have no name in its mpi.h.
        self.known_by = "mpich" if face == "abi" else face

    def _known(self, section: str) -> list[Constant]:
        return [c for c in self.sections[section] if getattr(c, self.known_by) is not None]

    def file(self, functions: list[Function]) -> str:
        text = HEAD + _include(self.face)
        called = [f for f in functions if self.face in f.faces and not f.face and not f.returns]
        for section, group in groupby(called, lambda f: f.section):
            text += f"\nTEST({self.face}_face_calls, {section})\n{{\n"
            for function in group:
                for large in signatures.variants(function):
                    text += self._call(function, large)
            text += "}\n"
        return text

    def _call(self, function: Function, large: bool) -> str:
        name = signatures.c_name(function, large)
        self.before, self.script, self.words, self.after = [], [], [], []
        used = " ".join(p.length or "" for p in function.parameters).split()
        for i, p in enumerate(function.parameters):
            self.seed += 1
            self.variable = f"v{i}"
            self.is_length = p.name in used
            self.is_used = any(
                (q.length or "").endswith(f"up to {p.name}") for q in function.parameters
            )
            getattr(self, "_" + p.kind.family)(function, p, large)
        lines = self.before
        lines.append(f'fake::begin("{name}", "{function.core}", {{{", ".join(self.script)}}});')
        lines.append(f"fake::end({name}({', '.join(self.words)}));")
        lines += self.after
        return "    {\n" + "".join(f"        {line}\n" for line in lines) + "    }\n"

    # What one parameter adds: variables, what the core should see or says, the argument, checks.

    def _same(self, core: str, argument: str) -> None:
        self.script.append(f"fake::in({core})")
        self.words.append(argument)

    def _array(self, c: str, mode: str, core: list, outer: list) -> None:
        """An array of two: `mode` is in, out or inout; what comes out is the other way round."""
        v = self.variable
        self.words.append(v)
        if mode == "in":
            self.before.append(f"const {c} {v}[] = {{{outer[0]}, {outer[1]}}};")
            self.script.append(f"fake::array({core[0]}, {core[1]})")
            return
        start = f"{outer[0]}, {outer[1]}" if mode == "inout" else ""
        self.before.append(f"{c} {v}[2] = {{{start}}};")
        if mode == "inout":
            self.script.append(f"fake::inout_array({core[0]}, {core[1]})")
        else:
            self.script.append(f"fake::out_array({core[1]}, {core[0]})")
        self.after.append(f"fake::same({v}[0], {outer[1]});")
        self.after.append(f"fake::same({v}[1], {outer[0]});")

    def _scalar(self, c: str, mode: str, core: list, outer: list) -> None:
        """One value; `inout` turns the first into the second."""
        if mode == "in":
            return self._same(core[0], outer[0])
        v = self.variable
        self.words.append(f"&{v}")
        if mode == "inout":
            self.before.append(f"{c} {v} = {outer[0]};")
            self.script.append(f"fake::inout({core[0]}, {core[1]})")
        else:
            self.before.append(f"{c} {v}{{}};")
            self.script.append(f"fake::out({core[1]})")
        self.after.append(f"fake::same({v}, {outer[1]});")

    def _values(self, c: str, p: Parameter, core: list, outer: list) -> None:
        make = self._scalar if p.length is None else self._array
        make(c, p.direction, [str(x) for x in core], [str(x) for x in outer])

    def _raw(self, function, p, large):
        c = signatures.c_type(p, large)
        if p.kind.c == "int":
            first = 2 if self.is_length else self.seed + 100
            if p.length is None:
                second = 1 if self.is_used else self.seed + 300
                return self._values("int", p, [first, second], [first, second])
        elif p.kind.name in ("string", "root_string"):
            return self._same(f'"text {self.seed}"', f'"text {self.seed}"')
        pointer = f"fake::pointer<{c}>({self.seed * 16 + 65536})"
        if p.name == "buffer_addr":
            pointer = "fake::detached"
        return self._same(pointer, pointer)

    def _length_kind(self, function, p, large):
        value = 2 if self.is_length else self.seed + 100
        self._same(str(value), str(value))

    def _buffer(self, function, p, large):
        if self.seed % 3 == 0:
            outer = -1 if self.face == "mpich" else 1
            const = "const void *" if p.const else "void *"
            return self._same("fake::pointer<void *>(1)", f"fake::pointer<{const}>({outer})")
        pointer = f"fake::pointer<void *>({self.seed * 16 + 65536})"
        return self._same(pointer, pointer)

    def _text(self, function, p, large):
        v = self.variable
        self.before.append(f"char {v}[8192] = {{}};")
        self.script.append(f'fake::text("text {self.seed}")')
        self.words.append(v)
        self.after.append(f'fake::same_text({v}, "text {self.seed}");')

    def _number(self, function, p, large):
        c = p.kind.large if large else p.kind.c
        start = self.seed + (1000 if c == "int" else 5_000_000_000)
        first = 2 if self.is_length and p.length is None else start
        self._values(c, p, [first, start + 7], [first, start + 7])

    def _view_offset(self, function, p, large):
        self._same("-1", "-1" if self.face == "abi" else "-54278278")

    def _integer(self, function, p, large):
        pairs = self._pairs(p.kind.name)
        some = [pairs[(self.seed + i) % len(pairs)] for i in range(2)]
        self._values("int", p, [x[0] for x in some], [x[1] for x in some])

    def _pairs(self, section: str) -> list[tuple[int, int]]:
        known = self._known(section)
        if section == "error":
            known = [c for c in known if c.abi != 0]
        pairs = [(c.abi, getattr(c, self.face)) for c in known]
        if section in ("access_mode", "assertion"):
            pairs = [(a[0] | b[0], a[1] | b[1]) for a, b in zip(pairs, pairs[1:])]
        if section in ("rank", "tag"):
            pairs.append((self.seed, self.seed))
        if section in ("keyval", "error"):
            pairs.append((20000 + self.seed, 20000 + self.seed))
        return pairs

    def _handle(self, function, p, large):
        core, outer = zip(*(self._handle_pair(p.kind.name, self.seed + i) for i in range(2)))
        self._values(p.kind.c, p, core, [_handle_value(p.kind.c, o) for o in outer])

    def _handle_pair(self, kind: str, seed: int) -> tuple[int, int | str]:
        known = self._known(kind)
        if seed % 2 == 0:
            constant = known[seed // 2 % len(known)]
            return constant.abi, getattr(constant, self.face)
        number = 4096 + seed
        if self.face == "ompi":
            return number, number * 2 + 1
        if self.face == "abi" or kind == "file":
            return number, number
        return number, (known[0].mpich & 0x3C000000) | 0x80000000 | number

    def _status(self, function, p, large):
        v = self.variable
        if p.direction == "in":
            self.before.append(f"const MPI_Status {v} = fake::status_of_face({self.seed});")
            self.script.append(f"fake::in_status({self.seed})")
            self.words.append(f"&{v}")
            return
        n = 1 if p.length is None else 2
        self.before.append(f"MPI_Status {v}[{n}] = {{}};")
        if p.direction == "inout":
            self.before.append(f"{v}[0] = fake::status_of_face({self.seed});")
        self.script.append(f"fake::out_status({self.seed}, {n})")
        self.words.append(v)
        written = 1 if " up to " in (p.length or "") else n
        for i in range(written):
            self.after.append(f"fake::same_status({v}[{i}], {self.seed + i});")
        if written < n:
            self.after.append(f"fake::untouched({v}[{written}]);")

    def _pointer(self, function, p, large):
        values = [f"fake::pointer<{p.kind.c}>({self.seed * 16 + i})" for i in (65536, 131072)]
        self._values(p.kind.c, p, values, values)

    def _enumeration(self, function, p, large):
        self._values(p.kind.c, p, [2, 1], [f"static_cast<{p.kind.c}>({i})" for i in (2, 1)])

    def _function_kind(self, function, p, large):
        c = p.kind.large if large else p.kind.c
        pointer = f"fake::pointer<{c}>({self.seed * 16 + 65536})"
        self._same(pointer, pointer)

    def _tool_function(self, function, p, large):
        pointer = f"fake::pointer<{p.kind.c}>({self.seed * 16 + 65536})"
        self._same(pointer, pointer)


def _declared_objects(constants: list[Constant]) -> str:
    sizes = ompi_objects.sizes(constants)
    return "".join(f"extern char {name}[{size}];\n" for name, size in sizes.items())


def _prototypes(face: str, functions: list[Function], declared: str) -> str:
    lines = ""
    for function in functions:
        if face in function.faces:
            for large in signatures.variants(function):
                lines += f"{signatures.c_declaration(function, large)};\n"
                lines += f"{signatures.c_declaration(function, large, 'P')};\n"
    return (
        HEAD
        + f'#pragma once\n\n#include "mpi/faces/{face}_types.hpp"\n\nextern "C" {{\n'
        + declared
        + lines
        + '} // extern "C"\n'
    )
