#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes, of the tables in this folder, the sources that the build compiles.

    generate.py OUTPUT                the faces, mpi.h, lists of exported symbols, the table for docs
    generate.py --all done OUTPUT     the same as if all functions were done, and a core for tests
    generate.py --all refused OUTPUT  the same as if none were
    generate.py --standins OUTPUT     an mpi.h of MPICH's ABI and one of Open MPI's, for tests
    generate.py --core NAME...        prints the core's declarations of these functions
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import bindings
import collectives
import conversions
import documentation
import exports
import fake
import fortran_bindings
import fortran_declarations
import fortran_modules
import header
import ompi_objects
import reader
import signatures
import standin

HERE = Path(__file__).parent
FORTRAN = HERE.parent / "fortran" / "modules"
PARTS = 2  # files of a face's functions: each costs half a second of headers


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("output", nargs="?", type=Path)
    options.add_argument("--all", choices=("done", "refused"))
    options.add_argument("--standins", action="store_true")
    options.add_argument("--core", nargs="+", metavar="NAME")
    chosen = options.parse_args()
    try:
        functions = reader.read_functions(HERE / "table")
        constants = reader.read_constants(HERE / "constants.txt")
    except reader.TableError as error:
        print(f"generate.py: {error}", file=sys.stderr)
        return 1
    if chosen.core:
        return _print_core(functions, chosen.core)
    if chosen.output is None:
        options.error("where to?")
    if chosen.standins:
        for face in ("mpich", "ompi"):
            text = standin.make(face, HERE / "mpi.h.in", functions, constants)
            _write(chosen.output / face / "mpi.h", text)
        text = fortran_modules.standin(FORTRAN, constants)
        _write(chosen.output / "ompi" / "mpif.h", text)
        return 0
    if chosen.all:
        functions = [
            replace(f, done=chosen.all == "done" or f.cannot_be_refused()) for f in functions
        ]
        for name, text in fake.files(functions, constants).items():
            _write(chosen.output / name, text)
    _write_all(chosen.output, functions, constants)
    return 0


def _print_core(functions, names) -> int:
    known = {f.core: f for f in functions}
    for name in names:
        core = name.removeprefix("MPI_").lower()
        if core not in known:
            print(f"generate.py: no function is named {name}", file=sys.stderr)
            return 1
        print(f"{signatures.core_declaration(known[core])};")
    return 0


def _write_all(output: Path, functions, constants) -> None:
    _write(output / "mpi.h", header.make(HERE / "mpi.h.in", functions, constants))
    for face in ("mpich", "ompi"):
        _write(output / f"{face}_constants.hpp", conversions.tables(face, constants))
        declarations = fortran_declarations.make(face, functions, constants)
        _write(output / f"{face}_declarations.hpp", declarations)
    _write(output / "ompi_objects.cpp", ompi_objects.make(constants))
    _write(output / "checks.cpp", conversions.checks(constants))
    _write(output / "functions.md", documentation.make(functions))
    for name, text in fortran_modules.files(FORTRAN, functions, constants).items():
        _write(output / "fortran" / name, text)
    _write(output / "fortran_mpich_modules.cpp", fortran_declarations.module_constants(constants))
    for name, text in collectives.files(functions).items():
        _write(output / "core" / name, text)
    for face in reader.FACES:
        of_face = [f for f in functions if face in f.faces]
        for prefix, made in (
            (face, bindings.Bindings(face, constants)),
            (f"fortran_{face}", fortran_bindings.FortranBindings(face, constants)),
        ):
            for part, some in enumerate(_even_parts(made.definitions(of_face)), 1):
                _write(output / f"{prefix}_{part}.cpp", made.file(some))
        _write(output / f"{face}.map", exports.version_script(face, functions, constants))


def _even_parts(definitions: list[str]) -> list[list[str]]:
    """Of about the same number of lines, which is what the compiler's time goes by."""
    parts = [[] for _ in range(PARTS)]
    total = sum(text.count("\n") for text in definitions)
    lines = 0
    for text in definitions:
        parts[lines * PARTS // total].append(text)
        lines += text.count("\n")
    return parts


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # An unchanged file keeps its time, so that nothing is compiled again for it.
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
