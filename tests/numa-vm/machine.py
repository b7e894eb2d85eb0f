# SPDX-License-Identifier: MIT
"""A virtual machine in qemu's software emulation: what it boots, what it printed, and what the tests of that
have in common. One kind of it has four nodes; tests/counter-vm describes another."""

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Kind:
    """A kind of machine."""
    architecture: str # as Debian calls it
    qemu: str
    options: list # of qemu's
    kernel_options: str
    needed_of_kernel: tuple

    @property
    def kernel_package(self):
        """Of a kernel of Debian's; the smaller one, for machines in a cloud, has all that is needed."""
        return f"linux-image-cloud-{self.architecture}"


CPUS_OF_NODE = 2
MEGABYTES_OF_NODE = 192
# The firmware's table: a ring of four sockets.
LATENCIES = [[10, 16, 28, 16],
             [16, 10, 16, 28],
             [28, 16, 10, 16],
             [16, 28, 16, 10]]
NODES = len(LATENCIES)


class Missing(Exception):
    """What this machine lacks to run the virtual one."""


# ---- What it boots ----

def installed_kernel(kind):
    """The newest kernel under /boot that may be read and has what is needed, or None."""
    def version(path):
        return [int(number) for number in re.findall(r"\d+", path.name)]

    for kernel in sorted(Path("/boot").glob(f"vmlinuz-*-{kind.architecture}"), key=version, reverse=True):
        config = kernel.with_name(kernel.name.replace("vmlinuz", "config"))
        try:
            kernel.open("rb").close()
            has = config.read_text().splitlines()
        except OSError:
            continue
        if all(f"CONFIG_{each}=y" in has for each in kind.needed_of_kernel):
            return kernel
    return None


def run_apt(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        said = (done.stderr.strip() or "failed").splitlines()[-1]
        raise Missing(f"a kernel: {' '.join(command)}: {said}")
    return done.stdout


def foreign_packages(architecture, kept):
    """Options that let apt know the packages of another architecture, without telling this machine of them:
    it has lists of its own then, in the folder `kept`."""
    own = run_apt("dpkg", "--print-architecture", folder=kept).strip()
    if own == architecture:
        return []
    where = run_apt("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages",
                    "Origin: Debian", "Component: main", folder=kept).split("\n")[0]
    if not where:
        raise Missing("a kernel: apt has no lists of Debian's packages")
    keys = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
    signed = f"[signed-by={keys}] " if keys.exists() else ""
    Path(kept, "sources.list").write_text(f"deb {signed}{where} main\n")
    for each in ("lists/partial", "cache/archives/partial"):
        Path(kept, each).mkdir(parents=True, exist_ok=True)
    options = []
    for name, value in (("APT::Architecture", architecture), ("APT::Architectures", architecture),
                        ("Dir::Etc::sourcelist", kept / "sources.list"), ("Dir::Etc::sourceparts", "/dev/null"),
                        ("Dir::State::lists", kept / "lists"), ("Dir::State::status", "/dev/null"),
                        ("Dir::Cache", kept / "cache")):
        options += ["-o", f"{name}={value}"]
    run_apt("apt-get", *options, "update", folder=kept)
    return options


def downloaded_kernel(kind, kept):
    """The kernel out of Debian's package, which is not installed: that would change what this machine
    boots. Kept in the folder `kept`."""
    found = sorted(kept.glob("boot/vmlinuz-*"))
    if found:
        return found[0]
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise Missing("a kernel: none under /boot, and no apt-get")
    kept.mkdir(parents=True, exist_ok=True)
    options = foreign_packages(kind.architecture, kept)
    wanted = run_apt("apt-cache", *options, "depends", "--important", kind.kernel_package, folder=kept)
    package = re.search(r"Depends: (linux-image-\S+)", wanted)
    if package is None:
        raise Missing(f"a kernel: apt does not know {kind.kernel_package}")
    run_apt("apt-get", *options, "download", package.group(1), folder=kept)
    for archive in kept.glob("*.deb"):
        # Of all that is in it the kernel alone: its modules are twenty times as large.
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as packed:
            unpacked = subprocess.run(["tar", "-x", "--wildcards", "./boot/vmlinuz-*"], cwd=kept,
                                      stdin=packed.stdout)
        archive.unlink()
        if unpacked.returncode != 0:
            raise Missing(f"a kernel: {archive.name} cannot be unpacked")
    return downloaded_kernel(kind, kept)


def libraries_of(program):
    """What the dynamic linker loads with a program or a library."""
    shown = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [Path(each) for each in re.findall(r"(/\S+) \(0x", shown)]


def library_named(name):
    """The path of a library that a program loads by itself, or None."""
    shown = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    found = re.search(rf"^\s*{re.escape(name)} \(libc6,x86-64\S*\) => (\S+)$", shown, re.MULTILINE)
    return Path(found.group(1)) if found else None


class Archive:
    """A file system for the kernel to begin with: the format is cpio's `newc`."""

    def __init__(self):
        self.parts = []
        self.names = set()

    def entry(self, name, mode, data=b""):
        if name in self.names:
            return
        self.names.add(name)
        encoded = name.encode() + b"\0"
        numbers = (len(self.names), mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(encoded), 0)
        header = b"070701" + b"".join(b"%08x" % number for number in numbers)
        for part in (header + encoded, data):
            self.parts.append(part + b"\0" * (-len(part) % 4))

    def add(self, path, data, mode=0o100755):
        """A file, and the folders that lead to it."""
        for folder in reversed(Path(path).parents):
            if folder.name:
                self.entry(str(folder).lstrip("/"), 0o40755)
        self.entry(str(path).lstrip("/"), mode, data)

    def add_program(self, path, source):
        self.add(path, Path(source).read_bytes())
        self.add_libraries(source)

    def add_libraries(self, source):
        for library in libraries_of(source):
            self.add(str(library), library.read_bytes())

    def write(self, path):
        self.entry("TRAILER!!!", 0)
        with gzip.open(path, "wb", compresslevel=1) as out:
            out.write(b"".join(self.parts))


# ---- What it printed ----

class Outcome:
    """Of one command: how it ended, and what it printed."""

    def __init__(self, how, text):
        self.how, self.text = how, text


def outcomes(printed):
    """{name: Outcome} of the commands that began; one that has not ended has `how` None."""
    found = {}
    for block in re.split(r"^@begin ", printed, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        end = re.search(rf"^@end {re.escape(name)} (.*)$", rest, re.MULTILINE)
        found[name] = Outcome(end.group(1) if end else None, rest[:end.start()] if end else rest)
    return found


def numa_options():
    options = []
    for node in range(NODES):
        first = node * CPUS_OF_NODE
        options += ["-object", f"memory-backend-ram,id=ram{node},size={MEGABYTES_OF_NODE}M", "-numa",
                    f"node,nodeid={node},memdev=ram{node},cpus={first}-{first + CPUS_OF_NODE - 1}"]
    for one in range(NODES):
        for other in range(one + 1, NODES):
            options += ["-numa", f"dist,src={one},dst={other},val={LATENCIES[one][other]}"]
    return options


# On a host that is busy the emulated clocks stand still for long, which the kernel must not take for a
# processor that hangs.
KERNEL_OPTIONS = "quiet panic=-1 nowatchdog rcupdate.rcu_cpu_stall_suppress=1"


def four_nodes():
    # Nothing moves pages by itself, and a clock that stands still is no broken timer.
    return Kind("amd64", "qemu-system-x86_64",
                ["-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "max",
                 "-smp", f"{NODES * CPUS_OF_NODE},sockets={NODES},cores={CPUS_OF_NODE},threads=1",
                 "-m", f"{NODES * MEGABYTES_OF_NODE}M", *numa_options()],
                "console=ttyS0 mitigations=off numa_balancing=disable no_timer_check",
                ("ACPI_NUMA", "BLK_DEV_INITRD", "CPUSETS", "MIGRATION", "NUMA", "RD_GZIP",
                 "SERIAL_8250_CONSOLE"))


def boot(kind, kernel, archive, seconds):
    """Runs the machine until it switches itself off. What it printed, and how many seconds it took."""
    command = [
        kind.qemu, *kind.options,
        "-kernel", str(kernel), "-initrd", str(archive),
        "-append", f"{kind.kernel_options} {KERNEL_OPTIONS}",
        "-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio", "-no-reboot"]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds)
        printed = done.stdout
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"") + b"\n@late\n"
    # The serial line ends lines as terminals do.
    text = printed.decode(errors="replace").replace("\r", "")
    return text, time.monotonic() - begin


def run_commands(kind, init, kept, commands, add_programs, seconds):
    """Boots a machine that runs the `commands`, lines for init.c. add_programs(archive) puts in what they
    need. Returns what was printed, and the seconds."""
    if not shutil.which(kind.qemu):
        raise Missing(kind.qemu)
    kernel = installed_kernel(kind) or downloaded_kernel(kind, kept)
    files = Archive()
    files.add("/init", Path(init).read_bytes())
    files.add("/commands", "".join(each + "\n" for each in commands).encode(), 0o100644)
    files.entry("dev", 0o40755)
    add_programs(files)
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "initramfs")
        files.write(archive)
        return boot(kind, kernel, archive, seconds)


# ---- The tests of what it printed ----

class Case(unittest.TestCase):
    """Tests of what the machine printed, which `run_tests` has set."""
    printed = ""

    @classmethod
    def setUpClass(cls):
        cls.outcomes = outcomes(cls.printed)

    def outcome(self, name, how="0"):
        """What the command printed, which must have ended so."""
        if name not in self.outcomes:
            self.fail(f"{name} was not run; the machine printed\n{self.printed[-3000:]}")
        found = self.outcomes[name]
        self.assertEqual(found.how, how, f"{name}:\n{found.text[-6000:]}")
        return found.text

    def test_it_runs_to_its_end(self):
        self.assertIn("\n@over\n", self.printed, self.printed[-3000:])
        self.assertNotIn("@init", self.printed)


def named_programs():
    """{name: path} of the arguments NAME=PROGRAM that come next on the command line, which lose their place."""
    programs = {}
    while len(sys.argv) > 1 and "=" in sys.argv[1]:
        name, path = sys.argv.pop(1).split("=", 1)
        programs[name] = Path(path)
    return programs


def run_tests(kind, init, kept, commands, add_programs, seconds):
    """Runs the `commands`, {name: (seconds at most, how it is called)}, in a machine of that kind, and then the
    calling program's tests of what was printed: its classes derived from `Case`. Returns nothing: the exit code
    tells, and is 77 where something is missing to run the machine."""
    lines = [f"{name} {most} {command}" for name, (most, command) in commands.items()]
    try:
        Case.printed, took = run_commands(kind, init, kept, lines, add_programs, seconds)
    except Missing as missing:
        print(f"skipped: no {missing}")
        sys.exit(77)
    print(f"The machine ran for {took:.0f} s.", flush=True)
    unittest.main(module="__main__")
