#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of MPI's functions and constants against an installed MPICH and an installed Open MPI: their
headers, their libraries, the values that the headers give to C. And what the generator says of tables that are wrong.

    table_test.py FOLDER    the folder of generate.py
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(sys.argv.pop(1))
sys.path.insert(0, str(FOLDER))

import exports  # noqa: E402
import kinds  # noqa: E402
import ompi_objects  # noqa: E402
import reader  # noqa: E402
import signatures  # noqa: E402

HEADERS = sorted(Path("/usr/include").glob("*/mpich/mpi.h"))
LIBRARIES = sorted(Path("/usr/lib").glob("*/libmpich.so.12"))
OMPI_HEADERS = sorted(Path("/usr/lib").glob("*/openmpi/include/mpi.h"))
OMPI_LIBRARIES = sorted(Path("/usr/lib").glob("*/libmpi.so.40"))
FUNCTIONS = reader.read_functions(FOLDER / "table")
CONSTANTS = reader.read_constants(FOLDER / "constants.txt")

# Functions whose arrays MPICH 4.0 does not call const, as MPI 4.0 did not; nor those that MPI 3 removed.
LACKS_CONST = {"MPI_Pready_list"}
# MPICH's header declares it among the functions, but its name is a macro for MPIR_Dup_fn.
NOT_A_FUNCTION = {"MPI_DUP_FN"}


def plain(text):
    """Parameters or results that are the same type get the same text."""
    text = re.sub(r"\s+", " ", text).strip()
    if text in ("void", "..."):
        return text
    arrays = text.count("[]")
    fixed = "".join(re.findall(r"\[\d+\]", text))
    text = re.sub(r"\[\d*\]", "", text)
    match = re.fullmatch(r"((?:const )?\w[\w ]*?[ *]+)(\w+)", text)
    base = match[1] if match and match[1].strip() != "const" else text
    kind = base.replace(" ", "") + "*" * arrays + fixed
    # A parameter that is a function is a pointer to it; an int does not become less const by name.
    if re.fullmatch(r"MPI_T_\w+_function", kind):
        kind += "*"
    # ROMIO's own name for the same type.
    return "int" if kind == "constint" else kind.replace("MPIO_", "MPI_")


def split(parameters):
    return [plain(word) for word in re.split(r",\s*", parameters)]


def declared(text):
    """Of C prototypes: name, then the parameters' types and the result's."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    pattern = r"^((?:const )?\w+ ?\**) ?\b(MPI_\w+)\(([^;{}]*?)\)\s*(?:MPICH_[^;]*)?;"
    return {
        name: (plain(result + " x"), split(parameters))
        for result, name, parameters in re.findall(pattern, text, re.M)
        if name not in NOT_A_FUNCTION
    }


def in_table(function, large):
    text = signatures.c_declaration(function, large) + ";"
    return declared(text)[signatures.c_name(function, large)]


def without_const(kinds):
    return kinds[0], [kind.replace("const", "") for kind in kinds[1]]


@unittest.skipUnless(HEADERS, "no MPICH is installed (Debian: libmpich-dev)")
class installed_mpich(unittest.TestCase):
    def setUp(self):
        self.table = {
            signatures.c_name(f, large): (f, large)
            for f in FUNCTIONS
            if "mpich" in f.faces
            for large in signatures.variants(f)
        }

    def test_each_function_of_the_header_is_in_the_table_with_its_types(self):
        folder = HEADERS[0].parent
        text = "".join((folder / name).read_text() for name in ("mpi_proto.h", "mpio.h"))
        theirs = declared(text)
        self.assertGreater(len(theirs), 500)
        for name, kinds in theirs.items():
            with self.subTest(name):
                if name not in self.table:
                    self.fail("not in the table")
                function, large = self.table[name]
                ours = in_table(function, large)
                if function.age == "removed" or name in LACKS_CONST:
                    kinds, ours = map(without_const, (kinds, ours))
                self.assertEqual(ours, kinds)

    @unittest.skipUnless(LIBRARIES and shutil.which("nm"), "no libmpich.so.12")
    def test_each_symbol_of_the_library_is_exported(self):
        lines = subprocess.run(
            ["nm", "-D", "--defined-only", LIBRARIES[0]], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        theirs = {line.split()[-1] for line in lines}
        wanted = {n for n in theirs if re.match(r"P?MPI_|MPIR_F08|MPIR_Dup", n)}
        self.assertGreater(len(wanted), 1000)
        self.assertEqual(wanted - set(exports.symbols("mpich", FUNCTIONS, CONSTANTS)), set())

    def test_the_constants_have_the_headers_values(self):
        known = [c for c in CONSTANTS if c.mpich is not None]
        for constant, value in zip(known, values_of(HEADERS[0], known), strict=True):
            with self.subTest(constant.name):
                self.assertEqual(constant.mpich & 0xFFFFFFFF, value & 0xFFFFFFFF)


def values_of(mpi_h, constants):
    lines = "".join(f'    printf("%ld\\n", (long)({c.name}));\n' for c in constants)
    source = f"#include <mpi.h>\n#include <stdio.h>\nint main(void)\n{{\n{lines}    return 0;\n}}\n"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "values"
        subprocess.run(
            ["cc", f"-I{mpi_h.parent}", "-w", "-x", "c", "-", "-o", program],
            input=source, text=True, check=True,
        )  # fmt: skip
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return [int(word) for word in printed.split()]


class installed_open_mpi(unittest.TestCase):
    def symbols(self):
        """Of the library: each symbol's size and whether it is data, by its name."""
        lines = subprocess.run(
            ["nm", "-DS", "--defined-only", OMPI_LIBRARIES[0]],
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        words = [line.split() for line in lines]
        return {w[3]: (int(w[1], 16), w[2] in "BDR") for w in words if len(w) == 4}

    @unittest.skipUnless(OMPI_LIBRARIES and shutil.which("nm"), "no libmpi.so.40")
    def test_each_symbol_of_the_library_is_exported(self):
        ours = set(exports.symbols("ompi", FUNCTIONS, CONSTANTS))
        theirs = {n for n, (_, data) in self.symbols().items() if not data}
        wanted = {n for n in theirs if re.match(r"P?MPI_\w+[a-z]|P?MPIX_", n) and "F90" not in n}
        self.assertGreater(len(wanted), 800)
        self.assertEqual(wanted - ours, set())

    @unittest.skipUnless(OMPI_LIBRARIES and shutil.which("nm"), "no libmpi.so.40")
    def test_the_objects_have_the_librarys_sizes(self):
        theirs = {n: size for n, (size, data) in self.symbols().items() if data}
        ours = ompi_objects.sizes(CONSTANTS)
        known = {n: theirs[n] for n in ours if n in theirs}
        self.assertGreater(len(known), 105)
        self.assertEqual({n: ours[n] for n in known}, known)

    @unittest.skipUnless(OMPI_HEADERS, "no mpi.h of Open MPI (Debian: libopenmpi-dev)")
    def test_the_constants_have_the_headers_values(self):
        text = OMPI_HEADERS[0].read_text()
        known = [
            c for c in CONSTANTS
            if c.ompi is not None and c.section not in kinds.HANDLES and re.search(rf"\b{c.name}\b", text)
        ]  # fmt: skip
        self.assertGreater(len(known), 200)
        for constant, value in zip(known, values_of(OMPI_HEADERS[0], known), strict=True):
            with self.subTest(constant.name):
                self.assertEqual(constant.ompi, value)

    @unittest.skipUnless(OMPI_HEADERS, "no mpi.h of Open MPI (Debian: libopenmpi-dev)")
    def test_the_header_names_the_same_objects(self):
        text = re.sub(r"\\\n", " ", OMPI_HEADERS[0].read_text())
        pattern = r"#\s*define (MPI_\w+)\s+OMPI_PREDEFINED_GLOBAL\s*\(\s*\w+, (\w+)\s*\)"
        theirs = dict(re.findall(pattern, text))
        self.assertGreater(len(theirs), 90)
        ours = {c.name: c.ompi for c in CONSTANTS if c.section in kinds.HANDLES}
        for name, thing in theirs.items():
            with self.subTest(name):
                self.assertEqual(ours.get(name, thing), thing)
                self.assertIn(thing, ompi_objects.sizes(CONSTANTS))

    @unittest.skipUnless(OMPI_HEADERS, "no mpi.h of Open MPI (Debian: libopenmpi-dev)")
    def test_handles_have_the_headers_numbers_in_fortran(self):
        folder = OMPI_HEADERS[0].parent
        text = "".join((folder / f"mpif-{part}handles.h").read_text() for part in ("", "io-"))
        theirs = {name: int(n) for name, n in re.findall(r"\((MPI_\w+)=(\d+)\)", text)}
        ours = {c.name: c.fortran for c in CONSTANTS if c.fortran is not None}
        self.assertGreater(len(ours), 95)
        self.assertEqual(ours, {name: theirs.get(name) for name in ours})


class faces(unittest.TestCase):
    def test_only_the_standard_abi_has_a_version_of_it(self):
        self.assertIn("MPI_Abi_get_version", exports.symbols("abi", FUNCTIONS, CONSTANTS))
        self.assertNotIn("MPI_Abi_get_version", exports.symbols("mpich", FUNCTIONS, CONSTANTS))

    def test_generated_files_are_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            made = []
            for name in ("first", "second"):
                output = Path(folder) / name
                command = [sys.executable, "-B", FOLDER / "generate.py", "--all", "done", output]
                subprocess.run(command, check=True)
                files = sorted(p for p in output.rglob("*") if p.is_file())
                made.append([(p.relative_to(output), p.read_bytes()) for p in files])
            self.assertGreater(len(made[0]), 10)
            self.assertEqual(made[0], made[1])


class wrong_tables(unittest.TestCase):
    def says(self, table, message):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "some.txt").write_text(table)
            with self.assertRaises(reader.TableError) as raised:
                reader.read_functions(Path(folder))
        self.assertEqual(str(raised.exception), message)

    def test_each_gets_one_line(self):
        self.says(
            "MPI_Send: larg\n", "some.txt:1: MPI_Send has an unknown property 'larg'"
        )
        self.says(
            "# two\n\nMPI_Send:\n    buffr buf\n",
            "some.txt:3: MPI_Send: no kind is named 'buffr'",
        )
        self.says(
            "MPI_Send:\n    int\n", "some.txt:1: MPI_Send: expected [out] KIND NAME, not 'int'"
        )
        self.says("    int n\n", "some.txt:1: parameters without a function")
        self.says("MPI_Send\n", "some.txt:1: expected NAME: PROPERTIES, not 'MPI_Send'")
        self.says("MPI_A:\nMPI_A:\n", "some.txt: MPI_A is there twice")
        self.says("MPI_A: done; refused: x\n", "some.txt:1: MPI_A is both done and refused")
        self.says("MPI_A: returns: double\n", "some.txt:1: MPI_A cannot be refused")
        self.says(
            "MPI_A: large\n    count n[m]\n", "some.txt:1: MPI_A: nothing says the length 'm' of n"
        )

    def test_constants(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "constants.txt"
            path.write_text("[comm]\nMPI_COMM_NULL 0x100\n")
            with self.assertRaises(reader.TableError) as raised:
                reader.read_constants(path)
        self.assertEqual(
            str(raised.exception),
            "constants.txt:2: expected NAME ABI MPICH OMPI, not 'MPI_COMM_NULL 0x100'",
        )


if __name__ == "__main__":
    unittest.main()
