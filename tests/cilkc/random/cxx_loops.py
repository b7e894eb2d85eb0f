# SPDX-License-Identifier: MIT
"""Loops of generated C++ functions: serial ones, ones that spawn, parallel ones."""

from cxx_body import declared
from cxx_values import ELEMENTS, INT, WRITTEN, Variable
from tree import Node


class Loops:
    def serial_loop(self, depth):
        if depth == 0 or self.repeats > 1:
            return None
        counter = self.new_name("i")
        self.repeats = 2
        before = self.snapshot()
        with self.block():
            self.new_variable(counter, INT, is_fixed=True)
            with self.region(None, may_return=True):
                inside = self.statements(self.few(), depth - 1)
                if self.random.random() < 0.3 and not self.is_pinned():
                    jump = self.random.choice(("break", "continue"))
                    inside.append(Node(f"if ({self.condition()}) {jump};"))
                dead = [v for v in self.all_variables() if v.is_dead]
                inside.append(declared(self.sync()))
        self.repeats = 1
        if any(v in before and not before[v][1] for v in dead):
            return None  # the second time round there would be nothing to move
        heads = (f"for (int {counter} = 0; {counter} < 2; ++{counter}) {{",
                 f"for (int {counter} : {{3, 5}}) {{")
        return [declared(self.sync()), Node(self.random.choice(heads), inside, "}")]

    def spawning_loop(self, depth):
        """A child for each element of an array."""
        if self.repeats > 1 or self.children + ELEMENTS > 12:
            return None
        p = self.calls.choose(lambda p: p.result is not None
                              and p.shape not in ("operator", "constructor"))
        if p is None:
            return None
        instance = self.calls.instance(p)
        result = self.calls.result_of(p, instance)
        found = self.writable(lambda v: v.type is result and v.elements)
        if not found:
            return None
        row = self.random.choice(found)
        row.state = WRITTEN
        counter = self.new_name("i")
        with self.block():
            self.new_variable(counter, INT, is_fixed=True)
            before = self.snapshot()
            made = self.calls.call(p, instance)
            if made is None or self.calls.moved or any(
                    v.state == WRITTEN and before[v][0] != WRITTEN for v in before):
                return None
        if self.may_throw and self.is_pinned() and "risky" in made[1]:
            return None
        self.children += ELEMENTS
        i = counter
        head = self.random.choice((f"for (int {i} = 0; {i} < {ELEMENTS}; {i}++)",
                                   f"for (int {i} = {ELEMENTS - 1}; {i} >= 0; --{i})"))
        inside = [declared(made[0])] if made[0] else []
        inside.append(declared(f"{row.name}[{counter}] = cilk_spawn {made[1]};"))
        return [Node(head + " {", inside, "}")]

    def parallel_loop(self, depth):
        if depth == 0 or self.repeats > 1:
            return None
        found = self.writable(lambda v: v.elements)
        if not found:
            return None
        row = self.random.choice(found)
        counter = self.new_name("i")
        head, element, is_number = self.loop_head(row, counter)
        kept = self.repeats
        self.repeats = 2
        # An iteration has an element to itself; no other one has been moved or is read.
        with self.region(set()):
            row.state = WRITTEN
            self.floor[row] = WRITTEN
            if is_number:
                self.new_variable(counter, INT, is_fixed=True)
            v = self.declare(Variable(element, row.type, self.level, is_local=False))
            inside = self.statements(self.few(), depth - 1)
            inside.append(declared(self.sync()))
            inside.append(Node(f"{element} = of<{row.type.name}>({self.number(1)});",
                               removable=not v.is_dead))
        self.repeats = kept
        grain = self.random.choice((None, 1, 1, 2, 3))
        nodes = [] if grain is None else [f"#pragma cilk grainsize = {grain}"]
        return self.before_exception(self.may_throw) + [Node(*nodes, head + " {", inside, "}")]

    def loop_head(self, row, i):
        """(head, an iteration's element, whether the variable is a number)"""
        n, name, type = ELEMENTS, row.name, row.type.name
        kind = self.random.choice(("int", "long", "unsigned", "u64", "short", "unsigned char"))
        forms = [
            (f"{kind} {i} = 0; {i} < {n}; {i}++", f"{name}[{i}]", True),
            (f"{kind} {i} = 0; {i} != {n}; ++{i}", f"{name}[{i}]", True),
            (f"{kind} {i} = 0; {n} > {i}; {i} += 1", f"{name}[{i}]", True),
            (f"{kind} {i} = 0; {i} <= 2 * {n} - 2; {i} += 2", f"{name}[{i} / 2]", True),
            (f"int {i} = {n - 1}; {i} >= 0; {i}--", f"{name}[{i}]", True),
            (f"auto {i} = {n}; {i} > 0; {i} -= 1", f"{name}[{i} - 1]", True),
            (f"{type} *{i} = &{name}[0]; {i} < &{name}[0] + {n}; {i}++", f"(*{i})", False),
            (f"auto {i} = std::begin({name}); {i} != std::end({name}); ++{i}", f"(*{i})", False),
            (f"auto &{i} : {name}", i, False),
            (f"auto &&{i} : {name}", i, False),
            (f"{type} &{i} : {name}", i, False),
        ]
        head, element, is_number = self.random.choice(forms)
        return f"cilk_for ({head})", element, is_number
