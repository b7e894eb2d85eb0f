# SPDX-License-Identifier: MIT
"""Makes libraries to link against in place of this machine's glibc: they have the symbols of an older one.

glibc keeps every version of a symbol that it has ever had. The libraries of this machine therefore say
which symbols the older release had. A program that is linked against these runs with the older release
and with all later ones.
"""

import re
import subprocess
from pathlib import Path

# Since 2.34 libc.so.6 has what these had: before that a program has to load them.
ONCE_APART = ("libpthread.so.0", "libdl.so.2", "librt.so.1")

# ADDRESS SIZE TYPE BINDING DEFAULT SECTION NAME@VERSION, or @@ if it is the newest
SYMBOL = re.compile(r" *\d+: ([0-9a-f]+) +(\w+) (\w+) +(GLOBAL|WEAK) +DEFAULT +\d+ (\w+)@@?GLIBC_([\d.]+)$")
SECTIONS = {"OBJECT": (".data", "object"), "TLS": ('.section .tdata, "awT"', "tls_object")}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def number(version):
    return tuple(int(part) for part in version.split("."))


def place_of(compiler, file):
    """Where the compiler finds a file that it links."""
    return Path(output(compiler, f"-print-file-name={file}").strip()).resolve()


def symbols_of(library, newest):
    """{name: (version, address, type, size, binding)} of each symbol that was there in the release `newest`."""
    found = {}
    for match in filter(None, map(SYMBOL.match, output("readelf", "--dyn-syms", "-W", library).splitlines())):
        address, size, kind, binding, name, version = match.groups()
        if number(version) <= number(newest) and (name not in found or number(version) > number(found[name][0])):
            found[name] = (version, address, kind, int(size, 0), binding)
    return found


def make_stub(compiler, library, newest, folder):
    """A library of that name, whose functions are empty: only the linker reads it."""
    symbols = symbols_of(library, newest)
    places = {}
    for name, (version, address, kind, size, binding) in symbols.items():
        places.setdefault((kind, address), []).append((name, version, size, binding))
    lines = []
    # The names of one variable stay together, and weak ones weak: where a program has the variable in its
    # own memory, the linker gives it all of them.
    for i, ((kind, _), names) in enumerate(sorted(places.items())):
        section, type_of = SECTIONS.get(kind, (".text", "function"))
        lines.append(f"{section}\n.balign 32")
        for j, (name, version, size, binding) in enumerate(names):
            label = f"s{i}_{j}"
            lines.append(f".{binding.lower()} {label}\n.type {label}, %{type_of}\n.size {label}, {size}\n{label}:\n"
                         f".symver {label}, {name}@@GLIBC_{version}, remove")
        lines.append(f".skip {max([1] + [size for _, _, size, _ in names if kind in SECTIONS])}")
    versions = {version for version, *_ in symbols.values()}
    source, script, stub = (folder / f"{library.name}{end}" for end in (".s", ".map", ""))
    source.write_text("\n".join(lines) + "\n", "utf-8")
    script.write_text("".join(f"GLIBC_{version} {{}};\n" for version in versions), "utf-8")
    output(compiler, "-shared", "-nostdlib", f"-Wl,-soname,{library.name},--version-script={script}",
           source, "-o", stub)
    return stub


def make(compiler, newest, folder):
    """Fills the folder, an absolute path, with a libc.so and a libm.so of the release `newest`. Returns options
    for the linker."""
    folder.mkdir(parents=True, exist_ok=True)
    make_stub(compiler, place_of(compiler, "libm.so.6"), newest, folder).rename(folder / "libm.so")
    libc = make_stub(compiler, place_of(compiler, "libc.so.6"), newest, folder)
    (linker,) = place_of(compiler, "libc.so.6").parent.glob("ld-linux-*.so.*")
    additions = folder / "libadditions.a"
    output(compiler, "-O2", "-fPIC", "-fvisibility=hidden", "-c", Path(__file__).parent / "additions.c",
           "-o", additions.with_suffix(".o"))
    output("ar", "rcs", additions, additions.with_suffix(".o"))
    (folder / "libc.so").write_text(
        f"GROUP({additions} {libc} {place_of(compiler, 'libc_nonshared.a')} AS_NEEDED({linker}))\n", "utf-8")
    apart = ",".join(str(place_of(compiler, name)) for name in ONCE_APART)
    # The machine's other libraries may need symbols that the older release does not have.
    return f"-L{folder} -Wl,--allow-shlib-undefined,--push-state,--no-as-needed,{apart},--pop-state"
