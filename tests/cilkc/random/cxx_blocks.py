# SPDX-License-Identifier: MIT
"""Statements of generated C++ functions that have statements inside."""

from cxx_body import declared
from cxx_values import READ, U64, WRITTEN
from tree import Node


class Blocks:
    def inner(self, depth):
        with self.block():
            return self.block_of(self.few(), depth - 1)

    def choice(self, depth):
        if depth == 0:
            return None
        condition = self.condition()
        before = self.snapshot()
        first = self.inner(depth)
        if self.random.random() < 0.5:
            self.merge(before)
            return [Node(f"if ({condition}) {{", first, "}")]
        after_first = self.snapshot()
        self.restore(before)
        second = self.inner(depth)
        self.merge(after_first)
        if self.random.random() < 0.3:
            self.merge(before)
            cases = [Node(f"case {i}: {{", inside, "break; }", removable=False)
                     for i, inside in enumerate((first, second))]
            return [Node(f"switch ({self.leaf()} % 3) {{", cases, "}")]
        return [Node(f"if ({condition}) {{", first, "} else {", second, "}")]

    def attempt(self, depth):
        """A try block, whose effect is one number at its end."""
        if depth == 0:
            return None
        name = self.new_name()
        kept = self.may_throw
        self.may_throw = self.may_throw or not self.reducers
        with self.region(set(), may_return=True):
            inside = self.statements(self.random.randrange(2, 5), depth - 1)
            inside.append(declared(self.sync()))
            own = [v for v in self.scopes[-1] if v.is_readable()]
            inside.append(declared(f"{name} = {self.digest(own)};"))
        self.may_throw = kept
        with self.region(set(), may_return=True):
            inner = self.statements(self.random.randrange(0, 3), depth - 1)
            inner.append(declared(self.sync()))
            if kept and self.random.random() < 0.3:
                again = self.random.choice(("throw;", "throw oops{o.value + 1};"))
                inner.append(Node(f"if (o.value % 2) {again}"))
            own = [v for v in self.scopes[-1] if v.is_readable()]
            inner.append(declared(f"{name} = mix(o.value, {self.digest(own)});"))
        self.new_variable(name, U64)
        return [declared(f"u64 {name} = 0;"),
                Node("try {", inside, "} catch (const oops &o) {", inner, "}", removable=False)]

    def scope(self, depth):
        if depth == 0:
            return None
        with self.region(None, may_return=True):
            inside = self.block_of(self.few(), depth - 1)
        return [Node("cilk_scope {", inside, "}")]

    def spawned_block(self, depth):
        if depth == 0 or not self.may_spawn():
            return None
        found = self.writable()
        opened = set(self.random.sample(found, min(2, len(found))))
        with self.hiding([v for v in self.all_variables() if v.name.startswith("i")]):
            with self.region(opened):
                inside = self.block_of(self.few(), depth - 1)
                inside.append(declared(self.sync()))
            for v in self.visible():
                if v in opened:
                    v.state = WRITTEN
                elif v.state != WRITTEN:
                    v.state = READ
        self.count_child()
        return [Node("cilk_spawn {", inside, "}")]

    def closure(self, depth):
        """A lambda that spawns, called here."""
        if depth == 0 or self.is_pinned():
            return None
        name, result = self.new_name("fn"), self.new_name()
        with self.region(set()):
            inside = self.block_of(self.few(), depth - 1)
            inside.append(declared(self.sync()))
            own = [v for v in self.scopes[-1] if v.is_readable()]
            inside.append(declared(f"return {self.digest(own)};"))
        self.new_variable(result, U64)
        return [Node(f"auto {name} = [&]() -> u64 {{", inside, "};", removable=False),
                declared(f"u64 {result} = {name}();")]

    def noted_block(self, depth):
        """A destructor that changes a variable of before."""
        found = self.writable(lambda v: v.type is U64 and not v.elements)
        if depth == 0 or not found:
            return None
        v = self.random.choice(found)
        with self.hiding([v]):
            note = self.new_name("note")
            number = self.number(1)
            inside = self.inner(depth)
        return [Node("{", [Node(f"note {note}({v.name}, {number});"), *inside], "}")]
