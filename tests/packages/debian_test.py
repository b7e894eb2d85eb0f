# SPDX-License-Identifier: MIT
"""Installs the Debian packages into a bare Debian, compiles programs there with the packages alone, and
purges them.

Usage: debian_test.py PACKAGES

PACKAGES is the directory that `make deb` fills. The bare system is made by debootstrap and kept beside
that directory, as are the packages that apt downloads. Each run works on a copy of the system, in a mount
namespace of its own. Exit code 0 is also that of a run that was skipped; a line says why.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "docs")]

import blocks as reading
from support import commands

OURS = ["libsaguaro0", "libsaguaro-dev", "saguaro-mpi", "saguaro-tools"]
# What a user has, and no package of ours depends on.
USERS = ["g++", "make", "cmake", "pkg-config", "gdb"]

# What dpkg, apt and the dynamic linker keep for themselves.
KEPT = ("var/lib/dpkg/", "var/lib/apt/", "var/cache/", "var/log/", "etc/ld.so.cache")

# $1: the bare system, $2: where apt keeps what it downloads; then the command.
ENTER = """
mount -t proc proc "$1/proc" && mount --bind "$2" "$1/var/cache/apt/archives" || exit 1
root=$1; shift 2; exec chroot "$root" "$@"
"""

# All that a command in the system knows of this machine is its way to the network. Python, which gdb
# has, would leave compiled files that no package knows.
ENVIRONMENT = ["HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
               "DEBIAN_FRONTEND=noninteractive", "PYTHONDONTWRITEBYTECODE=1",
               *(f"{name}={os.environ[name]}" for name in ("http_proxy", "https_proxy", "no_proxy")
                 if name in os.environ)]

CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(Saguaro 0.1 REQUIRED COMPONENTS cilk)
add_executable(by_cmake fib.cpp)
target_link_libraries(by_cmake PRIVATE saguaro::saguaro)
add_cilk_executable(cilk_by_cmake 0.c)
"""


class Skipped(Exception):
    """The test cannot run on this machine; the message says why."""


class Failed(Exception):
    """The packages are not as they should be; the message says how."""


class System:
    """A directory with a Debian in it."""

    def __init__(self, place, archives):
        self.place, self.archives = place, archives
        self.home = place / "root"

    def run(self, *command):
        """What the command prints, run in the system's /root."""
        code, printed = commands.run_merged(
            *("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh"),
            *(self.place, self.archives, "env", "-i", "-C", "/root", *ENVIRONMENT, *command),
            seconds=1800)
        if code != 0:
            raise Failed(f"{' '.join(map(str, command))}: exit {code}\n{printed}")
        return printed

    def apt_get(self, *arguments):
        return self.run("apt-get", "-qq", *arguments)

    def install(self, *names):
        self.apt_get("install", "--yes", "--no-install-recommends", *names)

    def files(self):
        """Kind, mode, owner, link target and size by path, without what is in KEPT."""
        listing = subprocess.run(
            ["find", ".", "-xdev", "-printf", r"%P\t%y %m %U:%G %l\t%s\n"],
            cwd=self.place, check=True, capture_output=True, text=True).stdout
        found = {}
        for line in listing.splitlines():
            path, what, size = line.split("\t")
            if not path.startswith(KEPT):
                found[path] = what if what.startswith("d") else f"{what} {size}"
        return found


def codename():
    """The Debian that this machine runs and the packages are built for."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    if release.get("ID") != "debian":
        raise Skipped("this machine does not run Debian")
    return release["VERSION_CODENAME"]


def bare_system(kept):
    """Debian's smallest system, made once."""
    if os.geteuid() != 0:
        raise Skipped("it takes root")
    if shutil.which("debootstrap") is None:
        raise Skipped("there is no debootstrap")
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], check=False).returncode != 0:
        raise Skipped("unshare cannot make namespaces here")
    name = codename()
    place = kept / name
    if not place.exists():
        made = kept / f"{name}.new"
        shutil.rmtree(made, ignore_errors=True)
        code, printed = commands.run_merged("debootstrap", "--variant=minbase", name, made, seconds=1800)
        if code != 0:
            raise Skipped(f"debootstrap {name}: {printed.strip().splitlines()[-1]}")
        made.rename(place)
    return place


def check(what, printed, expected):
    if not reading.matches(expected, printed):
        raise Failed(f"{what} printed\n{printed}\nand not\n{expected}")
    print(f"  {what}", flush=True)


def cilk_programs(system):
    """The programs of the manual's page, in either dialect, with the compiler that the packages bring.
    Only the static library needs that of a C++ compiler."""
    page = ROOT / "docs" / "cilk.md"
    programs = [block for block in reading.blocks_of("docs/cilk.md", page.read_text("utf-8"))
                if block.is_cilk and block.is_whole and block.expected is not None]
    if {block.language for block in programs} != {"c", "cilk"}:
        raise Failed("docs/cilk.md has no program with its output in one of the dialects")
    for i, block in enumerate(programs):
        source = f"{i}.{block.language}"
        (system.home / source).write_text(block.code, "utf-8")
        system.run("cilkc", "-O2", source, "-o", "cilk")
        check(f"cilkc: {block.name}", system.run("./cilk"), block.expected)
    system.install(*USERS)
    for i, block in enumerate(programs):
        system.run("cilkc", "-O2", "-static-libsaguaro", f"{i}.{block.language}", "-o", "cilk")
        check(f"cilkc -static-libsaguaro: {block.name}", system.run("./cilk"), block.expected)


def readme_program(system):
    """With the shared library, the static one, pkg-config and CMake."""
    page = (ROOT / "README.md").read_text("utf-8")
    [block] = [block for block in reading.blocks_of("README.md", page) if block.file == "fib.cpp"]
    (system.home / "fib.cpp").write_text(block.code, "utf-8")
    answer = "102334155"
    compiler = "g++ -std=c++20 -O2 -g fib.cpp -o fib "
    for link in ("-lsaguaro", "-l:libsaguaro.a", "$(pkg-config --cflags --libs saguaro)"):
        system.run("sh", "-c", compiler + link)
        check(compiler + link, system.run("./fib"), answer)
    (system.home / "CMakeLists.txt").write_text(CMAKE_PROJECT, "utf-8")
    system.run("cmake", "-B", "build")
    system.run("cmake", "--build", "build")
    check("CMake: find_package, add_executable", system.run("build/by_cmake"), answer)
    check("CMake: add_cilk_executable", system.run("build/cilk_by_cmake"), "...")


def mpi_program(system):
    """The manual's first MPI program, by the compiler and the launcher of the package."""
    page = (ROOT / "docs" / "detmpi.md").read_text("utf-8")
    [block] = [block for block in reading.blocks_of("docs/detmpi.md", page) if block.file == "first.c"]
    (system.home / "first.c").write_text(block.code, "utf-8")
    names = "PATH=/usr/libexec/saguaro/mpi:$PATH; "
    for compile_it, run_it in (("detmpicc", "detmpiexec"), (names + "mpicc", names + "mpiexec")):
        system.run("sh", "-c", compile_it + " -O2 first.c -o first")
        check(compile_it, system.run("sh", "-c", run_it + " -n 4 ./first"), "1 2 3 1 2 3 1 2 ")


def gdb_command(system):
    """gdb finds the command by itself in a program with the shared library."""
    system.run("sh", "-c", "g++ -std=c++20 -g fib.cpp -lsaguaro -o fib")
    printed = system.run("gdb", "-batch", "-ex", "break main", "-ex", "run", "-ex", "saguaro strands",
                         "./fib")
    check("gdb: saguaro strands", printed, "...No strand is parked.")


def purge(system, before):
    """Everything that was installed goes, and nothing stays."""
    for each in system.home.iterdir():
        if f"root/{each.name}" not in before:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    # Not what a package of the bare system only suggests, either.
    system.apt_get("-o", "APT::AutoRemove::RecommendsImportant=false",
                   "-o", "APT::AutoRemove::SuggestsImportant=false",
                   "purge", "--yes", "--auto-remove", *OURS, *USERS)
    after = system.files()
    differences = [f"{path}: {before.get(path, 'not there')} before, {after.get(path, 'not there')} now"
                   for path in sorted(before.keys() | after.keys())
                   if before.get(path) != after.get(path)]
    if differences:
        raise Failed("\n".join(["the packages leave something behind:", *differences]))
    print(f"  purged: {len(after)} files and directories are as before", flush=True)


def test(packages):
    files = [path for name in OURS for path in packages.glob(f"{name}_*.deb")]
    if len(files) != len(OURS):
        raise Failed(f"{packages}: expected one package each of {', '.join(OURS)}")
    kept = packages.parent / "deb-test"
    (kept / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    bare = bare_system(kept)
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept) as directory:
        system = System(Path(directory) / "system", kept / "archives")
        subprocess.run(["cp", "-a", "--reflink=auto", bare, system.place], check=True)
        shutil.copy("/etc/resolv.conf", system.place / "etc")
        try:
            system.apt_get("update")
        except Failed as reason:
            raise Skipped(f"apt reaches no archive: {str(reason).splitlines()[-1]}") from None
        before = system.files()
        for path in files:
            shutil.copy(path, system.home)
        system.install(*(f"/root/{path.name}" for path in files))
        print(f"  installed: {', '.join(path.name for path in files)}", flush=True)
        cilk_programs(system)
        readme_program(system)
        mpi_program(system)
        gdb_command(system)
        purge(system, before)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: debian_test.py PACKAGES")
    try:
        test(Path(sys.argv[1]).resolve())
    except Skipped as reason:
        print(f"test-deb: skipped: {reason}")
    except Failed as reason:
        sys.exit(f"test-deb: failed: {reason}")
