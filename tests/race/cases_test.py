# SPDX-License-Identifier: MIT
"""Programs with determinacy races are reported, each in one run, and others are not.

Usage: cases_test.py COMPILER LEVELS SOURCES PKG-CONFIG-FILE FOLDER-OF-LIBRARY... [unittest options]

LEVELS: compiler options, divided by commas; the programs of cases.cpp are compiled with each.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPILER = LEVELS = SOURCES = PACKAGE = FOLDERS = None

# The exit code of a program in which races were found.
FOUND = 66

# gcc's ThreadSanitizer leaves out bit-fields where it optimizes.
NOT_SEEN = {"racy_bit_fields"}


def flags(what):
    """What pkg-config says, with this build's headers."""
    said = subprocess.run(
        ["pkg-config", what, f"--define-variable=includedir={SOURCES}/include", str(PACKAGE)],
        stdout=subprocess.PIPE, text=True, check=True)
    return said.stdout.split()


def compiled(source, to, *options):
    """The compiler's status and what it says."""
    done = subprocess.run([COMPILER, "-std=c++20", *flags("--cflags"), "-g1", *options, "-c", str(source),
                           "-o", str(to)], stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def linked(program, *objects):
    folders = [part for folder in FOLDERS for part in (f"-L{folder}", f"-Wl,-rpath,{folder}")]
    subprocess.run([COMPILER, *map(str, objects), "-o", str(program), *folders, *flags("--libs")],
                   check=True)


def run(program, *arguments, **settings):
    return subprocess.run([str(program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False, timeout=300, **settings)


class Cases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def place(self, name):
        return Path(self.folder.name, name)

    def refused(self, text):
        """What the compiler says, which does not accept it."""
        self.place("refused.cpp").write_text(text, encoding="utf-8")
        status, said = compiled(self.place("refused.cpp"), self.place("refused.o"))
        self.assertNotEqual(status, 0)
        return said

    def made(self, name, text, *options):
        self.place(f"{name}.cpp").write_text(text, encoding="utf-8")
        self.assertEqual(compiled(self.place(f"{name}.cpp"), self.place(f"{name}.o"), *options), (0, ""))
        linked(self.place(name), self.place(f"{name}.o"))
        return self.place(name)

    def test_races_are_found_and_nothing_else(self):
        for level in LEVELS:
            program = self.place(f"cases{level}")
            self.assertEqual(compiled(SOURCES / "tests/race/cases.cpp", f"{program}.o", level), (0, ""))
            linked(program, f"{program}.o")
            names = run(program).stdout.split()
            self.assertGreater(len(names), 70)
            for name in names:
                if name in NOT_SEEN and "clang" not in COMPILER:
                    continue
                with self.subTest(level=level, case=name):
                    # Without addr2line: it takes ten times as long as the run.
                    done = run(program, name, env={"PATH": "/nowhere"})
                    self.assertEqual(done.returncode, FOUND if name.startswith("racy_") else 0,
                                     done.stderr)

    def test_a_report_names_both_accesses_and_the_spawn_once(self):
        program = self.made("report", """\
#include <saguaro/parallel_for.hpp>
int total;
int cells[1000];
void add(int i) {
    total += i;
}
int main(int argc, char **) {
    if (argc > 1)
        for (int n = 0; n < 3; ++n)
            saguaro::parallel_for(0, 1000, [](int i) { cells[i / 2] = i; });
    else
        saguaro::parallel_for(0, 4,
            [](int i) { add(i); });
}
""", "-O1", "-fno-inline")
        report = run(program).stderr
        self.assertRegex(report, r"saguaro race: determinacy race at 0x[0-9a-f]+\n  a write\n")
        self.assertRegex(report, r"add\(int\) \S*report\.cpp:5\n")
        self.assertRegex(report, r"  is parallel to a (read|write)\n")
        self.assertIn("in a child spawned at", report)
        self.assertRegex(report, r"called at\n.*report\.cpp:13")
        self.assertRegex(report, r"saguaro race: \d+ racing accesses, by \d+ pairs? of places\n$")
        many = run(program, "many").stderr
        self.assertEqual(many.count("determinacy race at"), 1)
        self.assertIn("1500 racing accesses, by 1 pair of places", many)

    def test_a_program_says_what_the_compiler_does_not_see(self):
        program = self.made("own", """\
#include <cstdlib>
#include <saguaro/race.h>
#include <saguaro/scope.hpp>
int x;
int main(int, char **argv) {
    saguaro::scope s;
    s.spawn([] { x = 1; });
    switch (std::atoi(argv[1])) {
    case 0:
        sg_race_off();
        x = 2;
        sg_race_on();
        break;
    case 1:
        sg_race_forget(&x, 4);
        x = 2;
        break;
    case 2:
        sg_race_read(&x, 4);
        break;
    case 3:
        sg_race_write(&x, 4);
        break;
    case 4:
        sg_race_off();
        sg_race_on();
        x = 2;
    }
    s.sync();
}
""", "-O1")
        self.assertEqual([run(program, str(way)).returncode for way in range(5)],
                         [0, 0, FOUND, FOUND, FOUND])

    def test_what_is_not_fork_join_does_not_compile(self):
        said = self.refused("""\
#include <saguaro/nanothreads.h>
#include <saguaro/ssr.h>
#include <saguaro/task_group.h>
#include <saguaro/task_group.hpp>
int main() {
    saguaro::task_group g;
    sg_nt_run(nullptr, [](void *) {}, nullptr, nullptr);
    sg_ssr_run(nullptr, nullptr, nullptr);
    sg_task_group_create();
}
""")
        for line in range(6, 10):
            self.assertRegex(said, rf"refused\.cpp:{line}:\d+: error: .*the race detector checks fork-join")

    def test_an_ordinary_object_is_refused(self):
        self.place("plain.cpp").write_text("""\
#include <saguaro/parallel_for.hpp>
int sum;
void add_all() {
    saguaro::parallel_for(0, 4, [](int i) { sum += i; });
}
""", encoding="utf-8")
        subprocess.run([COMPILER, "-std=c++20", f"-I{SOURCES}/include", "-c", self.place("plain.cpp"),
                        "-o", self.place("plain.o")], check=True)
        self.place("main.cpp").write_text("""\
#include <saguaro/run.hpp>
void add_all();
int main() {
    saguaro::run(add_all);
}
""", encoding="utf-8")
        self.assertEqual(compiled(self.place("main.cpp"), self.place("main.o")), (0, ""))
        linked(self.place("main"), self.place("main.o"), self.place("plain.o"))
        done = run(self.place("main"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^saguaro race: an object file .* compiled without SG_RACE.*\n$")

    def test_too_little_address_space_is_said(self):
        program = self.made("small", "int main() {}\n")
        done = run("/bin/sh", "-c", f"ulimit -v 1000000; exec {program}")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^saguaro race: the system refuses 16 TB of address space.*\n$")


if __name__ == "__main__":
    COMPILER, LEVELS = sys.argv[1], sys.argv[2].split(",")
    SOURCES, PACKAGE = Path(sys.argv[3]), Path(sys.argv[4])
    FOLDERS = sys.argv[5:7]
    unittest.main(argv=sys.argv[:1] + sys.argv[7:])
