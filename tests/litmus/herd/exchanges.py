#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scheduler's exchanges as litmus tests, for herd7: README.md in this folder.

    exchanges.py [--herd7 'herd7 -set-libdir ...'] [--keep FOLDER] [NAME ...]

Each exchange is a few steps of two or three threads and an outcome that must never be. It is
checked under the rules of C11 (rc11.cat) and of AArch64 (aarch64.cat), the latter with either way
to take a lock. membarrier is a fence in the thread that calls it and one at any place of the thread
that it interrupts: all places are tried. Then each fence is left out and each order weakened to
relaxed, one at a time, which tells whether this exchange needs it.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile


# -- Steps. `why` names the place in the code.

class step:
    order = "rlx"
    why = ""


class store(step):
    def __init__(self, cell, value, order="rlx", why=""):
        self.cell, self.value, self.order, self.why = cell, value, order, why


class load(step):
    """`wanted`: the thread goes on only if it reads this."""

    def __init__(self, register, cell, order="rlx", why="", wanted=None):
        self.register, self.cell, self.order, self.why = register, cell, order, why
        self.wanted = wanted


class lock(step):
    order = "acq"
    why = "spin_lock::try_lock"

    def __init__(self, cell="held"):
        self.cell = cell


class unlock(step):
    order = "rel"
    why = "spin_lock::unlock"

    def __init__(self, cell="held"):
        self.cell = cell


class fence(step):
    """platform::heavy_fence; `of` is the other thread that it interrupts."""
    order = "sc"

    def __init__(self, of):
        self.of = of
        self.why = "heavy_fence"


class exchange:
    """`threads`: steps by name. `never`: what the registers (thread.register) and cells (.cell)
    must not hold together, when all have run to their ends. `start`: cells that are not 0."""

    def __init__(self, name, what, threads, never, start=None):
        self.name, self.what, self.threads, self.never = name, what, threads, never
        self.start = start or {}


# -- Where the code is: steal_end.hpp, steal.cpp, frame.h, spawn.hpp, continuation.cpp, range.cpp.
# A lock is left out where one thread alone takes it in the exchange: it can only make it stronger.
# Where all that matters is that a thread has the lock after another, the release and the load that
# reads it stand for the lock.

def pop(wanted=0):
    return [store("slot", 0, why="sg_pop"), load("exc", "exc", why="sg_pop", wanted=wanted)]


EXCHANGES = [
    exchange("push", "who finds a frame finds what it holds", {
        "owner": [store("frame", 1), store("slot", 1, "rel", "sg_push")],
        "thief": [load("slot", "slot", "acq", "steal_end::oldest", wanted=1),
                  load("frame", "frame")],
    }, {"thief.slot": 1, "thief.frame": 0}),

    exchange("fence", "an owner that pops without the lock, and a thief that has fenced", {
        "owner": pop(),
        "thief": [store("exc", 9, "rel", "show_exc"), fence("owner"),
                  load("slot", "slot", "acq", "steal_end::oldest")],
    }, {"owner.exc": 0, "thief.slot": 1}, {"slot": 1}),

    exchange("fence_of_another", "the same, where another thief takes what one has fenced for", {
        "owner": pop(),
        "fencer": [store("exc", 9, "rel", "show_exc"), fence("owner"),
                   store("held", 0, "rel", "spin_lock::unlock")],
        "thief": [load("open", "held", "acq", "spin_lock::try_lock", wanted=0),
                  load("slot", "slot", "acq", "steal_end::oldest")],
    }, {"owner.exc": 0, "thief.open": 0, "thief.slot": 1}, {"slot": 1, "held": 1}),

    exchange("answer", "what the owner shows is not covered by an older request", {
        "owner": [lock(), load("request", "request", wanted=1),
                  store("exc", 4, "rel", "show_exc"), unlock(), load("exc", "exc", why="sg_pop")],
        "thief": [lock(), store("request", 1), store("exc", 9, "rel", "show_exc"), unlock()],
    }, {"owner.request": 1, "owner.exc": 9}),

    exchange("reuse", "a thief's last store to a frame, and the owner that uses its memory again", {
        "owner": pop(4) + [lock(), load("head", "head", wanted=1), unlock(), store("frame", 7)],
        "thief": [lock(), load("slot", "slot", "acq", "steal_end::oldest", wanted=1),
                  store("frame", 5), store("head", 1), store("exc", 4, "rel", "show_exc"),
                  unlock()],
    }, {"owner.head": 1, "thief.slot": 1, ".frame": 5}, {"slot": 1, "exc": 4}),

    exchange("limit", "an owner that enters an iteration, and a thief that has asked by limit 0", {
        "owner": [store("next", 1, why="enter_iteration"),
                  load("limit", "limit", why="enter_iteration", wanted=5)],
        "thief": [store("limit", 0, why="set_limit"), fence("owner"),
                  load("next", "next", why="where_is_owner")],
    }, {"owner.limit": 5, "thief.next": 0}, {"limit": 5}),

    exchange("first_limit", "who finds a loop finds its first limit, and can cut at it", {
        "owner": [store("limit", 3), store("slot", 1, "rel", "sg_push")],
        "thief": [load("slot", "slot", "acq", "steal_end::oldest", wanted=1),
                  load("limit", "limit", why="limit_of")],
    }, {"thief.slot": 1, "thief.limit": 0}),

    exchange("answered_limit", "the owner lowers its limit under the lock, and a thief cuts at it", {
        "owner": [lock(), store("limit", 2, why="set_limit"), unlock(),
                  load("limit", "limit", why="enter_iteration")],
        "thief": [lock(), load("limit", "limit", why="limit_of", wanted=2), unlock()],
    }, {"thief.limit": 2, "owner.limit": 5}, {"limit": 5}),

    exchange("strand", "a child that finds its strand without the lock finds it built", {
        "child": [load("strand", "strand", "acq", "end_child_by_lock", wanted=1),
                  load("join", "join")],
        "thief": [store("join", 1), store("strand", 1, "rel", "take_parent")],
    }, {"child.strand": 1, "child.join": 0}),

    exchange("next_parent", "and its worker knows where the thief has moved the chain's head", {
        "child": [load("strand", "strand", "acq", "end_child_by_lock", wanted=1),
                  load("head", "head")],
        "thief": [store("head", 2, "rel", "pass_to"),
                  store("strand", 1, "rel", "take_parent")],
    }, {"child.strand": 1, "child.head": 1}, {"head": 1}),

    exchange("told", "who finds the head moved, and the lock free, finds that the child was told", {
        "thief": [lock(), store("head", 2, "rel", "pass_to"),
                  store("strand", 1, "rel", "take_parent"), unlock()],
        "other": [load("head", "head", "acq", "steal_end::oldest", wanted=2),
                  load("free", "held", "acq", "spin_lock::is_held", wanted=0),
                  load("strand", "strand")],
    }, {"other.head": 2, "other.free": 0, "other.strand": 0}, {"head": 1}),

    exchange("built", "who finds a deque at a worker finds it built", {
        "owner": [store("deque", 1), store("active", 1, "rel", "activate")],
        "thief": [load("active", "active", "acq", "worker::active", wanted=1),
                  load("deque", "deque")],
    }, {"thief.active": 1, "thief.deque": 0}),

    exchange("is_oldest", "who finds a child's frame finds the parent below, after leave_chain", {
        "owner": [store("head", 1),
                  store("chain_slot", 1, "rel", "publish_parent"),
                  store("active", 1, "rel", "activate"),
                  store("slot", 1, "rel", "sg_push")],
        "thief": [load("slot", "slot", "acq", "steal_end::oldest", wanted=1),
                  load("head", "head", "acq", "steal_end::oldest", wanted=1),
                  load("parent", "chain_slot", "acq", "steal_end::oldest")],
    }, {"thief.slot": 1, "thief.head": 1, "thief.parent": 0}, {"head": 2}),

    exchange("is_oldest_head", "and the head that leave_chain has written", {
        "owner": [store("head", 1),
                  store("chain_slot", 1, "rel", "publish_parent"),
                  store("active", 1, "rel", "activate"),
                  store("slot", 1, "rel", "sg_push")],
        "thief": [load("slot", "slot", "acq", "steal_end::oldest", wanted=1),
                  load("head", "head", "acq", "steal_end::oldest")],
    }, {"thief.slot": 1, "thief.head": 2}, {"head": 2}),

    exchange("parent", "who finds a parent finds its stack as it was left", {
        "owner": [store("context", 1), store("chain_slot", 1, "rel", "publish_parent")],
        "thief": [load("parent", "chain_slot", "acq", "steal_end::oldest", wanted=1),
                  load("context", "context")],
    }, {"thief.parent": 1, "thief.context": 0}),

    exchange("moved_on", "who finds a frame on a stack that another worker has finds `active` left", {
        "victim": [store("active", 0, "rel", "activate"),
                   store("pool", 0, "rel", "spin_lock::unlock")],
        "next_owner": [load("rests", "pool", "acq", "spin_lock::try_lock", wanted=0),
                       store("slot", 1, "rel", "sg_push")],
        "thief": [load("before", "active", "acq", "worker::active", wanted=1),
                  load("slot", "slot", "acq", "steal_end::oldest", wanted=1),
                  load("after", "active", "acq", "worker::active")],
    }, {"next_owner.rests": 0, "thief.before": 1, "thief.slot": 1, "thief.after": 1},
       {"active": 1, "pool": 1}),

    exchange("at_rest", "a thief takes below a suspended parent, which then pops", {
        "owner": [lock("chain_lock"), load("seen", "passed", wanted=1), unlock("chain_lock"),
                  store("slot", 0, why="sg_pop"), load("exc", "exc", why="sg_pop")],
        "thief": [lock("chain_lock"), store("exc", 4, "rel", "show_exc"), store("passed", 1),
                  unlock("chain_lock")],
    }, {"owner.seen": 1, "owner.exc": 0}, {"slot": 1}),

    exchange("sleep", "who pushes sees a sleeper, or the sleeper sees the frame", {
        "owner": [store("slot", 1, "rel", "sg_push"),
                  load("sleepers", "sleepers", why="wake_if_any_sleeps")],
        "sleeper": [store("sleepers", 1), fence("owner"),
                    load("slot", "slot", "acq", "steal_end::oldest")],
    }, {"owner.sleepers": 0, "sleeper.slot": 0}),
]


# -- membarrier: all places of the fence in the thread that is interrupted.

class interrupt(step):
    """Here the processor of another thread has it pass a fence."""
    order = "sc"


def placed(threads, with_fences=True):
    """All versions of `threads` in which each fence has interrupted the other thread somewhere."""
    wanted = [f.of for steps in threads.values() for f in steps if isinstance(f, fence)]
    if not wanted or not with_fences:
        yield {name: [s for s in steps if not isinstance(s, fence)]
               for name, steps in threads.items()}
        return
    assert len(wanted) == 1
    steps = threads[wanted[0]]
    for place in range(len(steps) + 1):
        yield {**threads, wanted[0]: [*steps[:place], interrupt(), *steps[place:]]}


# -- C.

C_ORDERS = {"rlx": "memory_order_relaxed", "acq": "memory_order_acquire",
            "rel": "memory_order_release", "sc": "memory_order_seq_cst"}


def write_c(name, threads, start, condition):
    lines = [f"C {name}", "{"]
    lines += [f"[{cell}] = {value};" for cell, value in start.items()]
    lines.append("}")
    for number, steps in enumerate(threads.values()):
        cells = sorted(used_cells(steps))
        lines.append(f"P{number}({', '.join(f'atomic_int* {c}' for c in cells)}) {{")
        depth = 0
        for at, s in enumerate(steps):
            order = C_ORDERS[s.order]
            if isinstance(s, store):
                lines.append(f"atomic_store_explicit({s.cell}, {s.value}, {order});")
            elif isinstance(s, load):
                lines.append(f"int r_{s.register} = atomic_load_explicit({s.cell}, {order});")
                if s.wanted is not None and s is not steps[-1]:
                    lines.append(f"if (r_{s.register} == {s.wanted}) {{")
                    depth += 1
            elif isinstance(s, lock):
                lines.append(f"int l{at} = atomic_exchange_explicit({s.cell}, 1, {order});")
                lines.append(f"if (l{at} == 0) {{")
                depth += 1
            elif isinstance(s, unlock):
                lines.append(f"atomic_store_explicit({s.cell}, 0, {order});")
            elif isinstance(s, fence):
                lines += ["atomic_thread_fence(memory_order_seq_cst);",
                          "atomic_store_explicit(interrupts, 1, memory_order_release);",
                          "int r_done = atomic_load_explicit(done, memory_order_acquire);",
                          "if (r_done == 1) {",
                          "atomic_thread_fence(memory_order_seq_cst);"]
                depth += 1
            else:
                lines += ["int r_called = atomic_load_explicit(interrupts, memory_order_acquire);",
                          "atomic_thread_fence(memory_order_seq_cst);",
                          "atomic_store_explicit(done, 1, memory_order_release);"]
        lines.append("}" * depth + "}")
    lines.append(f"exists ({condition(lambda at, register: f'{at}:{register}')})")
    return "\n".join(lines) + "\n"


# -- AArch64.

def write_aarch64(name, threads, start, condition, by_swap):
    registers, columns, init = {}, [], []
    for number, steps in enumerate(threads.values()):
        cells = sorted(used_cells(steps))
        address = {cell: 20 - at for at, cell in enumerate(cells)}
        init += [f"{number}:X{at}={cell};" for cell, at in address.items()]
        code, fresh = [], 0

        def read_into(register, at=number):
            nonlocal fresh
            registers[at, register] = fresh
            fresh += 1
            return f"W{registers[at, register]}"

        for place, s in enumerate(steps):
            to = f"[X{address[s.cell]}]" if hasattr(s, "cell") else ""
            strong = s.order in ("rel", "acq")
            if isinstance(s, store):
                code += [f"MOV W30,#{s.value}", f"{'STLR' if strong else 'STR'} W30,{to}"]
            elif isinstance(s, load):
                into = read_into(f"r_{s.register}")
                code.append(f"{'LDAR' if strong else 'LDR'} {into},{to}")
                if s.wanted is not None:
                    code += [f"CMP {into},#{s.wanted}", f"B.NE L{number}"]
            elif isinstance(s, lock):
                into = read_into(f"l{place}")
                if by_swap:
                    code += ["MOV W30,#1", f"SWP{'A' if strong else ''} W30,{into},{to}",
                             f"CBNZ {into},L{number}"]
                else:
                    failed = read_into(f"x{place}")
                    code += [f"LD{'A' if strong else ''}XR {into},{to}", f"CBNZ {into},L{number}",
                             "MOV W30,#1", f"STXR {failed},W30,{to}", f"CBNZ {failed},L{number}"]
            elif isinstance(s, unlock):
                code += ["MOV W30,#0", f"{'STLR' if strong else 'STR'} W30,{to}"]
            elif isinstance(s, fence):
                done = read_into("r_done")
                code += ["DMB ISH", "MOV W30,#1", f"STR W30,[X{address['interrupts']}]",
                         f"LDR {done},[X{address['done']}]", f"CMP {done},#1", f"B.NE L{number}",
                         "DMB ISH"]
            else:
                called = read_into("r_called")
                code += [f"LDR {called},[X{address['interrupts']}]", "DMB ISH", "MOV W30,#1",
                         f"STR W30,[X{address['done']}]"]
        columns.append(code + [f"L{number}:"])
    rows = max(len(c) for c in columns)
    table = [" | ".join(f"P{n}" for n in range(len(columns))) + " ;"]
    for row in range(rows):
        table.append(" | ".join(c[row] if row < len(c) else "" for c in columns) + " ;")
    init += [f"{cell}={value};" for cell, value in start.items()]
    said = condition(lambda at, register: f"{at}:X{registers[at, register]}")
    # No exclusive store has failed.
    said += "".join(rf" /\ {at}:X{number}=0" for (at, register), number in registers.items()
                    if register.startswith("x"))
    return "\n".join([f"AArch64 {name}", "{", *init, "}", *table, f"exists ({said})"]) + "\n"


def used_cells(steps):
    cells = {s.cell for s in steps if hasattr(s, "cell")}
    if any(isinstance(s, (fence, interrupt)) for s in steps):
        cells |= {"interrupts", "done"}
    return cells


# -- The search.

def conditions(exchange, threads):
    """What must not be: written with a function that names a thread's register."""
    numbers = {name: at for at, name in enumerate(threads)}

    def written(register_of):
        words = []
        for where, value in exchange.never.items():
            thread, place = where.split(".")
            words.append(f"{register_of(numbers[thread], 'r_' + place)}={value}" if thread
                         else f"{place}={value}")
        # Locks were free, and the interrupt was answered.
        for name, steps in threads.items():
            for at, s in enumerate(steps):
                if isinstance(s, lock):
                    words.append(f"{register_of(numbers[name], f'l{at}')}=0")
                if isinstance(s, fence):
                    words.append(f"{register_of(numbers[name], 'r_done')}=1")
                if isinstance(s, interrupt):
                    words.append(f"{register_of(numbers[name], 'r_called')}=1")
        return r" /\ ".join(words)
    return written


RULES = ("C11", "AArch64, swp", "AArch64, ldxr")


class herd7:
    def __init__(self, command, folder):
        self.command, self.folder, self.calls = command, folder, 0

    def can_be(self, exchange, rules, with_fences=True):
        """Whether the outcome that must never be is possible, for any place of the fences."""
        return any([self.run(exchange, threads, rules)
                    for threads in placed(exchange.threads, with_fences)])

    def run(self, exchange, threads, rules):
        self.calls += 1
        name = f"{exchange.name}_{self.calls}"
        condition = conditions(exchange, threads)
        if rules == "C11":
            text = write_c(name, threads, exchange.start, condition)
            options = ["-model", "rc11.cat"]
        else:
            text = write_aarch64(name, threads, exchange.start, condition, rules.endswith("swp"))
            options = []
        path = os.path.join(self.folder, name + ".litmus")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        done = subprocess.run([*self.command, *options, path], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        found = re.search(r"^Observation \S+ (Never|Sometimes|Always)", done.stdout, re.MULTILINE)
        if done.returncode != 0 or found is None or "Warning" in done.stdout:
            sys.exit(f"exchanges.py: herd7 on {path}:\n{text}\n{done.stdout}")
        return found.group(1) != "Never"


def check(herd, exchange, needs):
    """Prints what was found, and adds to `needs`, by order and place, where the order is needed.
    Whether the outcome is excluded."""
    print(f"{exchange.name}: {exchange.what}")
    possible = [rules for rules in RULES if herd.can_be(exchange, rules)]
    print("  never" if not possible else f"  POSSIBLE: {'; '.join(possible)}")

    def without(label, with_fences=True):
        needed = [rules for rules in RULES if herd.can_be(exchange, rules, with_fences)]
        print(f"  without {label}: " + ("possible, " + "; ".join(needed) if needed else "never"))
        sys.stdout.flush()
        return needed

    if any(isinstance(s, fence) for steps in exchange.threads.values() for s in steps):
        without("the fence", False)
    for name, steps in exchange.threads.items():
        for label in dict.fromkeys((s.order, s.why) for s in steps if s.order in ("rel", "acq")):
            some = [s for s in steps if (s.order, s.why) == label]
            for s in some:
                s.order = "rlx"
            needed = without(f"{label[0]} of {name}'s {label[1]}")
            needs.setdefault(label, set()).update(needed)
            for s in some:
                s.order = label[0]
    return not possible


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--herd7", default="herd7", help="the command, with options")
    parser.add_argument("--keep", help="the folder in which to leave the litmus tests")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    unknown = set(options.names) - {e.name for e in EXCHANGES}
    if unknown:
        parser.error(f"no exchange {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="saguaro-herd-") as folder:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        herd = herd7(shlex.split(options.herd7), options.keep or folder)
        chosen = [e for e in EXCHANGES if not options.names or e.name in options.names]
        needs = {}
        failed = [e.name for e in chosen if not check(herd, e, needs)]
    print(f"{len(chosen)} exchanges, {herd.calls} litmus tests")
    for (order, why), rules in needs.items():
        if not rules:
            print(f"needed by none of them: {order} of {why}")
    if failed:
        sys.exit(f"exchanges.py: not excluded: {', '.join(failed)}")


if __name__ == "__main__":
    main()
