# SPDX-License-Identifier: MIT
"""What the tests of the driver share: a copy of it that stands in a place of its own, with small
headers and libraries and a translator that only takes the keywords out. What is tested is what goes
where.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

# Set by main.
CILKC = ""
COMPILERS = []

# Takes the keywords out. It logs how it was called, and refuses what says so.
TRANSLATOR = r"""#!/bin/sh
echo "$*" >>"$(dirname "$0")/log"
while [ $# -gt 1 ]; do
    [ "$1" = -o ] && out=$2
    shift
done
if line=$(grep -n 'refused_by_the_translator' "$1"); then
    echo "user.cilk:7:3: error: refused" >&2
    exit 1
fi
[ -z "$(grep 'slow_to_translate' "$1")" ] || { : >"$(dirname "$0")/waiting"; exec sleep 60; }
sed -E -e '/^#/!s/\b(_Cilk_spawn|_Cilk_sync|cilk|spawn|sync)\b//g' "$1" >"$out"
"""

HEADERS = {
    "saguaro/cilk_abi.h": "typedef int abi_was_included;\n",
    "saguaro/detail/cilk_cxx.hpp": "typedef int cxx_was_included;\n#ifdef __clang__\n"
                                   "struct written_by_clang;\n#endif\n",
    "cilk/cilk.h": "#define cilk_spawn _Cilk_spawn\n#define cilk_sync _Cilk_sync\n",
    "cilk.h": "typedef int mit_header_was_included;\n",
}

C_CILK = """#include <cilk/cilk.h>
#include <stdio.h>
static int f(int n) { return n + VALUE; }
int main(void) {
    int x = cilk_spawn f(40);
    cilk_sync;
    printf("%d\\n", x);
    return 0;
}
"""

MIT = """#include <stdio.h>
cilk int f(int n) { return n + 1; }
cilk int main(void) {
    int x;
    x = spawn f(40);
    sync;
    printf("%d\\n", x);
    return 0;
}
"""

PLAIN = "#include <stdio.h>\nint main(void) { puts(\"plain\"); return 0; }\n"


def make(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def make_tree(top):
    """A place for the driver: bin, include, lib."""
    os.makedirs(f"{top}/bin")
    shutil.copy(CILKC, f"{top}/bin/cilkc")
    os.symlink("cilkc", f"{top}/bin/cilkc++")
    make(f"{top}/bin/cilk2c", TRANSLATOR, 0o755)
    for name, text in HEADERS.items():
        make(f"{top}/include/{name}", text)
    make(f"{top}/lib/lib.c", "int saguaro_stub(void);\nint saguaro_stub(void) { return 7; }\n")
    for command in (
        ["-shared", "-fPIC", "lib.c", "-o", "libsaguaro.so"],
        ["-c", "lib.c", "-o", "lib.o"],
    ):
        subprocess.run([COMPILERS[0], *command], cwd=f"{top}/lib", check=True)
    subprocess.run(["ar", "rcs", "libsaguaro.a", "lib.o"], cwd=f"{top}/lib", check=True)
    make(
        f"{top}/bin/cilkc.places",
        f"translator={top}/bin/cilk2c\ninclude={top}/include\n"
        f"shared={top}/lib\narchive={top}/lib\n",
    )


class DriverCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = os.path.realpath(tempfile.mkdtemp(prefix="cilkc-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.top)
        make_tree(cls.top)
        cls.driver = f"{cls.top}/bin/cilkc"

    def setUp(self):
        self.work = tempfile.mkdtemp(dir=self.top)
        self.private = f"{self.work}/private"
        os.mkdir(self.private)
        self.log = f"{self.top}/bin/log"
        if os.path.exists(self.log):
            os.remove(self.log)

    def tearDown(self):
        self.assertEqual(os.listdir(self.private), [], "temporary files were left")

    def write(self, name, text):
        make(os.path.join(self.work, name), text)

    def read(self, name):
        with open(os.path.join(self.work, name), encoding="utf-8") as file:
            return file.read()

    def files(self):
        return sorted(n for n in os.listdir(self.work) if n != "private")

    def environment(self, **added):
        plain = {k: v for k, v in os.environ.items() if k not in ("CC", "CXX")}
        return {**plain, "TMPDIR": self.private, "LC_ALL": "C", **added}

    def call(self, *arguments, given="", cc=None, **added):
        compiler = [] if cc is None else [f"--cc={cc}"]
        return subprocess.run(
            [self.driver, *compiler, *arguments],
            cwd=self.work,
            env=self.environment(**added),
            input=given,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def succeed(self, *arguments, **options):
        done = self.call(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def output_of(self, program):
        done = subprocess.run(
            [os.path.join(self.work, program)], capture_output=True, text=True, check=True
        )
        return done.stdout

    def translations(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()


def needed(program):
    done = subprocess.run(
        ["readelf", "--dynamic", program], capture_output=True, text=True, check=True
    )
    return [m.group(1) for m in re.finditer(r"NEEDED.*\[(.*)\]", done.stdout)]


def main():
    """Takes CILKC COMPILER... off the command line and runs the calling program's tests."""
    global CILKC
    CILKC = os.path.realpath(sys.argv.pop(1))
    while len(sys.argv) > 1 and shutil.which(sys.argv[1]):
        COMPILERS.append(sys.argv.pop(1))
    unittest.main(module="__main__")
