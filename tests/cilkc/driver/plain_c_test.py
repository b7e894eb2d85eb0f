# SPDX-License-Identifier: MIT
"""Real C that has nothing to do with Cilk goes through cilkc unharmed: Debian's source package of
zlib, with its own tests.

Usage: plain_c_test.py CILKC COMPILER DIRECTORY [unittest options]

The source package is fetched once into the directory. It takes no rights: apt-get works on lists of
its own, made of the machine's by asking for sources in place of programs. Where the package cannot
be had, the tests are skipped.
"""

import glob
import os
import re
import shutil
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support import commands

CILKC = ""
COMPILER = ""
CACHE = Path()
PACKAGE = "zlib"

OF_DEBIAN = re.compile(r"\S+://\S+/debian/?(?=\s|$)")


def source_lists():
    """The machine's lists of Debian packages, as lists of sources."""
    found = []
    for path in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*.list"))]:
        if os.path.exists(path):
            for line in Path(path).read_text(encoding="utf-8").splitlines():
                if re.match(r"deb\s", line) and OF_DEBIAN.search(line):
                    found.append("deb-src" + line[3:])
    stanzas = []
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")):
        text = Path(path).read_text(encoding="utf-8")
        for stanza in re.split(r"\n\s*\n", text):
            if re.search(r"^URIs:.*/debian/?\s*$", stanza, re.MULTILINE):
                stanzas.append(re.sub(r"(?m)^Types:.*$", "Types: deb-src", stanza).strip())
    return "\n".join(found) + "\n", "\n\n".join(stanzas) + "\n"


def fetch():
    """Puts the package's original source below CACHE. Returns why that was not possible, or ""."""
    if shutil.which("apt-get") is None:
        return "no apt-get here"
    with tempfile.TemporaryDirectory() as apt:
        for name in ("parts", "lists/partial", "cache/archives/partial"):
            os.makedirs(f"{apt}/{name}")
        lines, stanzas = source_lists()
        Path(f"{apt}/sources.list").write_text(lines, encoding="utf-8")
        Path(f"{apt}/parts/debian.sources").write_text(stanzas, encoding="utf-8")
        apt_get = [
            *("apt-get", "-q", "-o", f"Dir::Etc::SourceList={apt}/sources.list"),
            *("-o", f"Dir::Etc::SourceParts={apt}/parts", "-o", f"Dir::State::Lists={apt}/lists"),
            *("-o", f"Dir::Cache={apt}/cache", "-o", "APT::Sandbox::User=root"),
            *("-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"),
        ]
        for command in (["update"], ["source", "--download-only", PACKAGE]):
            code, printed = commands.run_merged(*apt_get, *command, cwd=CACHE)
            if code != 0:
                return f"apt-get {command[0]}: {printed.strip().splitlines()[-1:]}"
    return "" if archive() else f"the source package of {PACKAGE} has no original archive"


def archive():
    found = sorted(CACHE.glob(f"{PACKAGE}_*.orig.tar.*"))
    return found[-1] if found else None


class PlainC(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        CACHE.mkdir(parents=True, exist_ok=True)
        why = "" if archive() else fetch()
        if why:
            raise unittest.SkipTest(f"{PACKAGE}: {why}")
        cls.directory = tempfile.mkdtemp(prefix="cilkc-plain-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)

    def unpack(self, name):
        """A fresh copy of the package. Both have names of one length."""
        where = f"{self.directory}/{name}"
        os.mkdir(where)
        # Not by tar, which may lack the program that undoes the compression.
        with tarfile.open(archive()) as packed:
            for member in packed.getmembers():
                _, _, member.name = member.name.partition("/")
                if member.name:
                    packed.extract(member, where)
        return where

    def build(self, name, compiler):
        where = self.unpack(name)
        # The directory's name is in what asserts print, and in debugging information.
        flags = f"-O1 -ffile-prefix-map={where}=."
        commands.output("./configure", cwd=where, CC=compiler, CFLAGS=flags)
        commands.output("make", cwd=where)
        return where

    def test_it_passes_its_tests_and_is_what_the_compiler_makes(self):
        # CC stays in the environment of configure and make: cilkc must not call itself.
        ours = self.build("ours", CILKC)
        printed = commands.output("make", "test", cwd=ours, CC=CILKC)
        self.assertIn("*** zlib test OK ***", printed)
        self.assertIn("*** zlib shared test OK ***", printed)
        theirs = self.build("them", COMPILER)
        objects = sorted(os.path.relpath(path, theirs) for path in glob.glob(f"{theirs}/*.o"))
        self.assertGreater(len(objects), 10)
        for name in objects:
            mine = Path(ours, name).read_bytes()
            self.assertEqual(mine, Path(theirs, name).read_bytes(), f"{name} differs")


if __name__ == "__main__":
    CILKC, COMPILER = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
    CACHE = Path(sys.argv.pop(1)).resolve()
    unittest.main()
