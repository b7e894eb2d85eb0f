# SPDX-License-Identifier: MIT
"""The body of a generated C++ function: its variables, what children do to them, its expressions."""

from contextlib import contextmanager

from cxx_values import FREE, GENERIC, U64, WRITTEN, Variable
from tree import Node

SYNC = "cilk_sync;"


def declared(text):
    """What stays when a failing program is made smaller."""
    return Node(text, removable=False)


class Body:
    """State that every kind of statement shares; cxx_statements.py writes them.

    A region is the function, a try block, the body of a parallel loop or of a spawned block: of
    what is outside it changes nothing but what `opened` lists. Thus an exception that leaves a try
    block takes along all that may have been changed beside what has thrown."""

    def __init__(self, random, procedure, procedures, reducers, may_throw):
        self.random = random
        self.procedure = procedure
        self.procedures = procedures
        self.reducers = reducers
        self.may_throw = may_throw
        self.may_return = True
        self.scopes = [[]]
        self.level = 0
        self.opened = set()
        self.hidden = set()
        self.floor = {}
        self.children = 0
        self.repeats = 1
        self.names = 0

    def new_name(self, stem="v"):
        self.names += 1
        return f"{stem}{self.names}"

    def declare(self, variable):
        self.scopes[-1].append(variable)
        return variable

    def new_variable(self, name, type, **more):
        return self.declare(Variable(name, type, self.level, **more))

    def visible(self):
        return [v for scope in self.scopes for v in scope if v not in self.hidden]

    def readable(self, accept=lambda v: True):
        return [v for v in self.visible() if v.is_readable() and accept(v)]

    def writable(self, accept=lambda v: True):
        return [
            v
            for v in self.visible()
            if v.state == FREE and not v.is_dead and not v.is_fixed and accept(v)
            and (v.level == self.level or v in self.opened)
        ]

    @contextmanager
    def hiding(self, variables):
        before = self.hidden
        self.hidden = before | set(variables)
        yield
        self.hidden = before

    # What children hold.

    def all_variables(self):
        return [v for scope in self.scopes for v in scope]

    @staticmethod
    def occupy(variable, state):
        variable.state = max(variable.state, state)

    def snapshot(self):
        return {v: (v.state, v.is_dead) for v in self.all_variables()}

    def restore(self, snapshot):
        for v, (state, is_dead) in snapshot.items():
            v.state, v.is_dead = state, is_dead

    def merge(self, snapshot):
        for v, (state, is_dead) in snapshot.items():
            v.state, v.is_dead = max(v.state, state), v.is_dead or is_dead

    def sync(self):
        for v in self.all_variables():
            v.state = self.floor.get(v, FREE)
        return SYNC

    def is_held(self, variables):
        return any(v.state > self.floor.get(v, FREE) for v in variables)

    def is_pinned(self):
        """Whether a child uses an object with a destructor: no exception or return may end it."""
        return any(
            v.state > self.floor.get(v, FREE) and v.has_destructor and not v.waits
            for v in self.all_variables()
        )

    @contextmanager
    def block(self):
        self.scopes.append([])
        yield
        self.scopes.pop()

    @contextmanager
    def region(self, opened=None, may_return=False):
        """`opened`: what may be changed of what is outside; None: what may be already."""
        before = self.snapshot()
        kept = self.floor, self.opened, self.level, self.may_return
        self.floor = {v: v.state for v in self.all_variables()}
        if opened is not None:
            self.level += 1
            self.opened = opened
        self.may_return = may_return and self.may_return
        with self.block():
            yield
        self.floor, self.opened, self.level, self.may_return = kept
        for v, (state, _) in before.items():
            v.state = state

    # Expressions of type u64, without effects.

    def leaf(self):
        found = self.readable()
        if found and self.random.random() < 0.75:
            return f"d({self.random.choice(found).name})"
        return f"{self.random.randrange(1 << self.random.choice((4, 40)))}ul"

    def number(self, depth=2):
        if depth == 0 or self.random.random() < 0.3:
            return self.leaf()
        form = self.random.randrange(4)
        left, right = self.number(depth - 1), self.number(depth - 1)
        if form == 0:
            return f"({left} {self.random.choice('+-*^&|')} {right})"
        if form == 1:
            return f"({left} >> {self.random.randrange(1, 30)})"
        if form == 2:
            return f"({self.condition()} ? {left} : {right})"
        return f"mix({left}, {right})"

    def condition(self):
        return f"{self.leaf()} % {self.random.choice((2, 3, 4))} == {self.random.randrange(2)}"

    def value(self, type, depth=1):
        """A prvalue of the type."""
        if type is U64 and self.random.random() < 0.7:
            return self.number(depth)
        return f"of<{type.name}>({self.number(depth)})"

    def digest(self, variables):
        text = f"{self.random.randrange(100)}ul"
        for v in variables:
            text = f"mix({text}, d({v.name}))"
        return text

    def generic(self):
        return GENERIC if self.procedure.shape == "template" else None
