# SPDX-License-Identifier: MIT
"""Tests of libsaguaro.so: its exports, its SONAME, the libraries that it needs, its size.

Usage: shared_library_test.py LIBRARY.so ARCHIVE.a LIST NM READELF STRIP ARCH CC [unittest options]

ARCH is x86_64, aarch64 or generic. LIST (exported_symbols.txt) has a demangled name a line; names in
brackets before it are the only architectures that have it.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

LIBRARY = ARCHIVE = LIST = NM = READELF = STRIP = ARCH = CC = ""

# Entry points begin like this; what the floors share among themselves is in their namespaces, and
# the assembly's names are theirs.
ENTRY_POINT = re.compile(r"(sg_|spmc_|saguaro::|pthread_|thrd_)")
PRIVATE = re.compile(
    r"(saguaro::(platform|stacks|hyperobjects|scheduler|forkjoin|cilk|nanothreads|vms|numa|spmc|channels|pools|record)::|sg_stacks_|sg_vms_refuse$|sg_vthread_handle$)")
# Policies that know the machine, memory with a place and recordings brought it above half a million;
# limits of memory, and reasons in words for what is refused, above 600,000; the table of all settings
# with a line of meaning for each, and pictures for light and dark pages, to 665,000; groups of tasks to 690,000;
# arenas, and the table of the copies in a process, to 705,000; the announcements to sanitizers to 715,000;
# the lines for wrong calls of VMS and nano-threads to 748,000; channels that end, and how their memory is
# used again, and the end of a child on request, to 780,500; values that a fork cannot leave half made to
# 789,000; pools of processes, events from outside for VMS and nano-threads, and more of Vthread to 826,000; streams
# of jobs, and threads that are lent, to 838,000.
MOST_BYTES = 850_000


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def defined_symbols(*options):
    """(kind, name) of each symbol that nm shows, demangled."""
    for line in output(NM, "-C", "--defined-only", *options).splitlines():
        match = re.match(r"[0-9a-f]+ (\S) (.*)", line)
        if match:
            yield match.group(1), match.group(2)


def exports():
    """Version by name. The version itself is an absolute symbol, and no export."""
    found = {}
    for kind, name in defined_symbols("-D", "--with-symbol-versions", LIBRARY):
        if kind != "A":
            name, _, version = name.partition("@@")
            found[name] = version
    return found


def listed():
    names = set()
    with open(LIST, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"(?:\[([a-z0-9_ ]+)\] )?([^#\s].*)", line.rstrip())
            if match and (match.group(1) is None or ARCH in match.group(1).split()):
                names.add(match.group(2))
    return names


# What a program is linked with beside the library, or may have preloaded.
HOSTS = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libasan.so", "libtsan.so", "libubsan.so")


def functions_of_the_host():
    names = set()
    for host in HOSTS:
        path = output(CC, f"-print-file-name={host}").strip()
        if os.path.isfile(path): # else there is none, and the compiler repeats the name
            names |= {name.partition("@")[0] for kind, name in defined_symbols("-D", path)
                      if kind in "TWiVBD"}
    return names


class Exports(unittest.TestCase):
    def test_are_those_of_the_list(self):
        found, wanted = set(exports()), listed()
        self.assertEqual(
            sorted(found - wanted),
            [],
            "exported and not in tests/install/exported_symbols.txt: add it there if programs "
            "need it, or keep src/saguaro.map from exporting it",
        )
        self.assertEqual(
            sorted(wanted - found),
            [],
            "in tests/install/exported_symbols.txt and not exported: programs that use it no "
            "longer start",
        )

    def test_leave_out_no_entry_point_of_the_archive(self):
        public = {
            name
            for kind, name in defined_symbols(ARCHIVE)
            if kind in "TBDRGS" and ENTRY_POINT.match(name) and not PRIVATE.match(name)
        }
        self.assertIn("sg_run", public)
        self.assertEqual(
            sorted(public - set(exports())),
            [],
            "programs may call it in libsaguaro.a and not in libsaguaro.so: name it in "
            "src/saguaro.map",
        )

    def test_lock_nothing_at_a_first_use(self):
        """What one thread makes while another forks would stay locked in the child."""
        locked = [name for kind, name in defined_symbols(ARCHIVE)
                  if name.startswith("guard variable for ")]
        locked += [line for line in output(NM, "-C", ARCHIVE).splitlines()
                   if "__once_callable" in line or "std::call_once" in line]
        self.assertEqual(locked, [], "a static variable of a function that is made at its first "
                         "use, or std::call_once: take platform::made_once")

    def test_have_a_version(self):
        for name, version in exports().items():
            with self.subTest(name):
                self.assertEqual(version, "SAGUARO_0")

    def test_replace_no_function_of_the_host(self):
        """Neither of our libraries defines a name that the C library or a sanitizer defines."""
        ours = {name for kind, name in defined_symbols(ARCHIVE) if kind in "TBDRWVGSi"}
        self.assertIn("sg_run", ours)
        theirs = functions_of_the_host()
        for name in ("pthread_create", "thrd_create", "posix_spawn", "posix_spawnp", "system", "popen",
                     "fork", "exit"):
            self.assertIn(name, theirs)
        self.assertEqual(sorted(ours & theirs), [])
        self.assertEqual(sorted(set(exports()) & theirs), [])


class Library(unittest.TestCase):
    def dynamic(self, tag):
        return re.findall(rf"\({tag}\).*\[(.*)\]", output(READELF, "-dW", LIBRARY))

    def test_has_the_soname_of_its_binary_interface(self):
        self.assertEqual(self.dynamic("SONAME"), ["libsaguaro.so.0"])

    def test_needs_the_c_and_cxx_libraries_alone(self):
        allowed = re.compile(r"(libc|libm|libstdc\+\+|libgcc_s|ld-linux-.*)\.so\.\d+$")
        for name in self.dynamic("NEEDED"):
            self.assertRegex(name, allowed)

    def test_looks_for_no_library_in_a_directory_of_its_own(self):
        self.assertEqual(self.dynamic("R(?:UN)?PATH"), [])

    def test_asks_for_nothing_private_to_one_version_of_glibc(self):
        names = output(NM, "-D", LIBRARY).split()
        self.assertEqual([name for name in names if "GLIBC_PRIVATE" in name], [])

    def test_is_never_unmapped(self):
        self.assertIn("NODELETE", output(READELF, "-dW", LIBRARY))

    def test_is_small(self):
        with tempfile.TemporaryDirectory() as directory:
            stripped = os.path.join(directory, "stripped.so")
            subprocess.run([STRIP, "-o", stripped, LIBRARY], check=True)
            size = os.path.getsize(stripped)
        print(f"stripped: {size} bytes", file=sys.stderr)
        self.assertLessEqual(size, MOST_BYTES)


if __name__ == "__main__":
    LIBRARY, ARCHIVE, LIST, NM, READELF, STRIP, ARCH, CC = sys.argv[1:9]
    unittest.main(argv=sys.argv[:1] + sys.argv[9:])
