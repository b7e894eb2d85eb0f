# SPDX-License-Identifier: MIT
"""The body of a generated procedure: its variables, which cells children hold, its statements."""

from contextlib import contextmanager

from expressions import Expressions
from procedures import ELEMENTS, Calls
from tree import Node
from values import (FREE, INT, INTEGERS, READ, SCALARS, STRUCTS, WRITTEN, array_of, pointer_to,
                    scalar_places, variable_of)

MOST_CHILDREN = 10  # that one procedure may call, loops counted


class Body:
    """State that every kind of statement shares; statements.py writes them."""

    def __init__(self, random, language, procedure, procedures, track):
        self.random = random
        self.language = language
        self.procedure = procedure
        self.procedures = procedures
        self.track = track  # the name of a reducer, or ""
        self.scopes = [[]]
        self.hidden = set()
        self.known = {}  # what visible() and places() found since names last changed
        self.cells = []
        self.all_cells = set()
        self.floor = {}
        self.reached = []
        self.children = 0
        self.repeats = 1
        self.names = 0
        self.inlets = []
        self.expressions = Expressions(random, self.places)
        self.calls = Calls(self)
        # Where control may go: labels ahead, and what break, continue and return mean here.
        self.labels = []
        self.jumps = set()
        self.may_return = True

    # Names and variables.

    def new_name(self, stem="v"):
        self.names += 1
        return f"{stem}{self.names}"

    def new_variable_name(self):
        """Mostly a new one; sometimes one that hides another from an outer block."""
        outer = [v.name for scope in self.scopes[1:-1] for v in scope if v.name.startswith("v")]
        here = {v.name for v in self.scopes[-1]}
        outer = [name for name in outer if name not in here]
        if outer and self.random.random() < 0.2:
            return self.random.choice(outer)
        return self.new_name()

    def declare(self, variable):
        self.scopes[-1].append(variable)
        self.cells += [cell for cell in variable.cells() if cell not in self.all_cells]
        self.all_cells.update(variable.cells())
        self.known.clear()
        return variable

    @contextmanager
    def hiding(self, names):
        """While a variable's own initializer is written, and the like: nobody names these."""
        before = self.hidden
        self.hidden = before | set(names)
        self.known.clear()
        yield
        self.hidden = before
        self.known.clear()

    def visible(self):
        if "visible" not in self.known:
            found = {v.name: v for scope in self.scopes for v in scope}
            self.known["visible"] = [v for name, v in found.items() if name not in self.hidden]
        return self.known["visible"]

    def places(self, kind):
        if kind not in self.known:
            self.known[kind] = [p for v in self.visible() for p in v.reach if p.type.kind == kind]
        return self.known[kind]

    def writable(self, accept):
        return [
            p
            for v in self.visible()
            if not v.fixed
            for p in v.reach
            if accept(p.type) and p.writable()
        ]

    def addresses(self, kind, count, state):
        """(expression, cells) of pointers to so many free, or at least readable, elements."""
        found = []
        for variable in self.visible():
            if not variable.passed or (variable.fixed and state == WRITTEN):
                continue
            if count == 1:
                choices = [(f"&{p.text}", p.cells) for p in variable.reach if p.type is kind]
            else:
                elements = [p for p in variable.reach if p.type is kind and p.text.endswith("]")]
                own = [p for p in elements if p.text.startswith(f"{variable.name}[")]
                choices = []
                if len(own) == ELEMENTS and variable.reach[0].type is kind:
                    choices = [(variable.name, [c for p in own for c in p.cells])]
            for text, cells in choices:
                limit = FREE if state == WRITTEN else READ
                if all(cell.state <= limit for cell in cells):
                    found.append((text, cells))
        return found

    # Which cells children hold.

    def occupy(self, cells, state):
        for cell in cells:
            cell.state = max(cell.state, state)
            for reached in self.reached:
                reached[cell] = max(reached.get(cell, FREE), state)

    def snapshot(self):
        return {cell: cell.state for cell in self.cells if cell.state != FREE}

    def restore(self, snapshot):
        for cell in self.cells:
            cell.state = snapshot.get(cell, FREE)

    def merge(self, snapshot):
        for cell, state in snapshot.items():
            cell.state = max(cell.state, state)

    def sync(self):
        """After it nothing is held but what was before the region in which this runs."""
        self.restore(self.floor)
        return Node(f"{self.language.sync};", removable=False)

    @contextmanager
    def block(self):
        """A block of its own for declarations."""
        self.scopes.append([])
        self.known.clear()
        yield
        self.scopes.pop()
        self.known.clear()

    def is_held(self, scopes):
        """Whether a child holds something that these blocks declare: it must end before them."""
        return any(cell.state != FREE for scope in scopes for v in scope for cell in v.cells())

    @contextmanager
    def many_ways(self):
        """A statement that control may leave in many places: whatever a child held at any time
        inside may be held behind it."""
        before = self.snapshot()
        self.reached.append({})
        yield
        self.merge(before)
        self.merge(self.reached.pop())

    @contextmanager
    def region(self, free):
        """The body of a loop or block that runs beside its function: of what is outside it may
        write the cells in `free` alone. No jump leaves it. Behind it all is as it was."""
        before = self.snapshot()
        kept = self.floor, self.labels, self.jumps, self.may_return, self.inlets
        self.floor = {c: max(c.state, FREE if c in free else READ) for c in self.cells}
        self.labels, self.jumps, self.may_return, self.inlets = [], set(), False, []
        self.restore(self.floor)
        with self.block():
            yield
        self.floor, self.labels, self.jumps, self.may_return, self.inlets = kept
        self.restore(before)

    # Declarations.

    def declaration(self):
        """A scalar, a struct, an array, or a pointer to something."""
        draw = self.random
        name = self.new_variable_name()
        form = draw.random()
        with self.hiding([name]):
            if form < 0.2:
                return self.declare_pointer(name)
            if form < 0.4:
                return self.declare_array(name)
            return self.declare_value(name, draw.choice(SCALARS + STRUCTS))

    def declare_value(self, name, kind):
        value = self.expressions.initializer(kind)
        const = self.random.random() < 0.1
        self.declare(variable_of(name, kind, fixed=const))
        return Node(f"{'const ' if const else ''}{kind.name} {name} = {value};", removable=False)

    def declare_array(self, name):
        kind = self.random.choice(SCALARS + STRUCTS)
        values = ", ".join(self.expressions.initializer(kind, 0) for _ in range(ELEMENTS))
        self.declare(array_of(name, kind, ELEMENTS))
        return Node(f"{kind.name} {name}[{ELEMENTS}] = {{{values}}};", removable=False)

    def declare_pointer(self, name):
        places = self.writable(lambda kind: True)
        if not places:
            return self.declare_value(name, INT)
        place = self.random.choice(places)
        self.declare(pointer_to(name, place.type, place.cells))
        return Node(f"{place.type.name} *{name} = &{place.text};", removable=False)

    def declare_parameters(self):
        self.declare(variable_of("fuel", INT, fixed=True))
        for p in self.procedure.parameters:
            if p.how == "value":
                self.declare(variable_of(p.name, p.type))
            elif p.count == 1:
                target = variable_of(p.name, p.type).reach[0]
                self.declare(pointer_to(p.name, p.type, target.cells, p.how == "shared"))
            else:
                array = array_of(p.name, p.type, p.count)
                array.fixed = p.how == "shared"
                self.declare(array)

    # What is returned.

    def digest(self):
        """Of all scalars that can be read here, through one name each."""
        seen = set()
        places = []
        for variable in self.visible():
            for place in variable.reach:
                for scalar in scalar_places(place):
                    if scalar.readable() and not seen.intersection(scalar.cells):
                        seen.update(scalar.cells)
                        places.append(scalar)
        return self.expressions.digest(places)

    def value_to_return(self, digest):
        kind = self.procedure.result
        if kind.kind == "integer":
            return f"({kind.name}){digest}"
        if kind.kind == "double":
            return f"(double)({digest} & 0xfffff) * 0.125"
        parts = []
        for access, member in kind.members:
            if member in INTEGERS:
                parts.append(f"{access} = ({member.name}){digest}")
            else:
                parts.append(f"{access} = (double)({digest} & 0xfff)")
        return f"({kind.name}){{{', '.join(parts)}}}"

    def ending(self):
        """The last sync, and the result: of all that is visible."""
        nodes = [self.sync()]
        result = self.procedure.result
        name = self.new_name("digest")
        nodes.append(Node(f"u64 {name} = {self.digest()};", removable=False))
        for p in self.procedure.parameters:
            if p.how == "own" and p.type in INTEGERS:
                nodes.append(Node(f"*{p.name} = ({p.type.name})({name} >> 3);"))
        if result is not None:
            value = self.value_to_return(name)
            nodes.append(Node(f"return {value};", removable=False))
        return nodes
