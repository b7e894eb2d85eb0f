# SPDX-License-Identifier: MIT
"""As sanitizers_test.py, by clang, and with the libraries the other way round; and the sanitizer that
cannot work.

Usage: sanitizers_of_clang_test.py LIBRARY.so ARCHIVE.a INCLUDE [unittest options].
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sanitizers_test

CLANG = "clang++-19"
SOURCES = Path(__file__).resolve().parent / "sanitized"


def build(folder, include, sanitizer, libraries):
    program = Path(folder) / sanitizer
    plain = program.with_suffix(".o")
    # UndefinedBehaviorSanitizer's own look at virtual tables is a race to ThreadSanitizer.
    both = "address,undefined" if sanitizer == "address" else sanitizer
    common = [CLANG, "-std=c++20", "-O1", "-g", f"-I{include}"]
    subprocess.run([*common, "-c", SOURCES / "plain.cpp", "-o", plain], check=True)
    subprocess.run([*common, f"-fsanitize={both}", SOURCES / "program.cpp", plain,
                    *libraries, "-pthread", "-ldl", "-o", program], check=True)
    return program


class Sanitizers(sanitizers_test.Sanitizers):
    def test_memory_sanitizer_is_refused(self):
        for mode in "sound", "race of nano-threads":
            done = sanitizers_test.run(sanitizers_test.PROGRAMS["memory"], mode)
            self.assertIn("MemorySanitizer would take all that this library writes for uninitialized: "
                          "use AddressSanitizer or valgrind\n", done.stderr)
            self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    if shutil.which(CLANG) is None:
        sys.exit(f"{CLANG} is missing")
    with tempfile.TemporaryDirectory(prefix="saguaro-sanitizers-") as made:
        shared, static, include = sys.argv[1:4]
        dynamic = [shared, f"-Wl,-rpath,{Path(shared).parent}"]
        for sanitizer, libraries in (("address", dynamic), ("thread", [static]), ("memory", [static])):
            sanitizers_test.PROGRAMS[sanitizer] = build(made, include, sanitizer, libraries)
        unittest.main(argv=sys.argv[:1] + sys.argv[4:])
