# SPDX-License-Identifier: MIT
"""gdb: the flows that wait.

    (gdb) source tools/gdb/saguaro.py
    (gdb) saguaro strands

prints a backtrace for each flow that is parked: what a worker has left at a join, a virtual processor
(VP) or a nano-thread that waits. No thread runs it, so `thread apply all bt` does not show it. x86-64, a process that runs (not a core file), a program that is not stripped.
The library need not have been built with debugging information.
"""

import gdb

# What a flow that was left has on its stack, from its stack pointer up: src/stacks/x86_64/switch.S.
SAVED = ["r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]
WORD = 8


def word(address):
    """The pointer at `address`."""
    memory = gdb.selected_inferior().read_memory(address, WORD)
    return int.from_bytes(bytes(memory), "little")


def layout():
    """Where things are, as the library says (sg_debug_stacks, src/stacks/slab.cpp)."""
    try:
        table = int(gdb.parse_and_eval("(unsigned long)&sg_debug_stacks"))
    except gdb.error:
        raise gdb.GdbError("saguaro: no sg_debug_stacks: the program does not contain the library")
    names = ["slabs", "stacks", "next_known", "sp", "next", "next_mapped", "use", "what"]
    return {name: word(table + WORD * i) for i, name in enumerate(names)}


def text(address):
    """The string at `address`."""
    memory = gdb.selected_inferior().read_memory(address, 32)
    return bytes(memory).split(b"\0")[0].decode()


def parked_flows():
    """The stack pointer of each flow that is parked, and what it belongs to."""
    at = layout()
    found = []
    slab = word(at["slabs"])
    while slab:
        stack = word(slab + at["stacks"])
        while stack:
            if word(stack + at["next"]) == stack:
                what = text(word(word(slab + at["use"]) + at["what"]))
                found.append((word(stack + at["sp"]), what))
            stack = word(stack + at["next_mapped"])
        slab = word(slab + at["next_known"])
    return found


def number(value):
    return int(value.cast(gdb.lookup_type("unsigned long")))


class borrowed_thread:
    """The selected thread, whose registers may be changed: they are as before afterwards."""

    def __enter__(self):
        self.level = gdb.selected_frame().level()
        newest = gdb.newest_frame()
        newest.select()
        self.saved = {name: number(newest.read_register(name)) for name in [*SAVED, "rsp"]}
        return self

    def load(self, registers):
        gdb.newest_frame().select()
        for name, value in registers.items():
            gdb.execute(f"set ${name} = {value:#x}", to_string=True)

    def __exit__(self, *_):
        self.load(self.saved)
        gdb.execute(f"frame {self.level}", to_string=True)


class saguaro_command(gdb.Command):
    """What the Saguaro runtime is doing."""

    def __init__(self):
        super().__init__("saguaro", gdb.COMMAND_STACK, prefix=True)


class strands_command(gdb.Command):
    """Backtraces of the flows that are parked."""

    def __init__(self):
        super().__init__("saguaro strands", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if gdb.selected_thread() is None:
            raise gdb.GdbError("saguaro: no process runs")
        if not gdb.selected_frame().architecture().name().startswith("i386:x86-64"):
            raise gdb.GdbError("saguaro: strands is for x86-64 only")
        parked = parked_flows()
        for i, (sp, what) in enumerate(parked, 1):
            registers = {name: word(sp + WORD * at) for at, name in enumerate(SAVED)}
            registers["rsp"] = sp + WORD * len(SAVED)
            with borrowed_thread() as thread:
                thread.load(registers)
                trace = gdb.execute("backtrace", to_string=True)
            gdb.write(f"Strand {i} ({what}, parked):\n{trace}\n")
        if not parked:
            gdb.write("No strand is parked.\n")


saguaro_command()
strands_command()
