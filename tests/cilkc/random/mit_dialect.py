# SPDX-License-Identifier: MIT
"""Parts of generated programs that only MIT Cilk has: inlets, implicit ones, abort, Cilk_alloca.

An accumulator takes results in whatever order they come: its operation commutes. A procedure may
add to it while children are out, as inlets do, but not read it."""

from procedures import ELEMENTS
from statements import Statements
from tree import Node
from values import (BYTE, INT, LONG, SCALARS, SHORT, STRUCTS, U64, UNSIGNED, WRITTEN, array_of,
                    scalar_places, variable_of)

ACCUMULATORS = [(U64, "+"), (U64, "^"), (U64, "-"), (UNSIGNED, "+"), (UNSIGNED, "|"), (SHORT, "^"),
                (BYTE, "&"), (LONG, "^"), (UNSIGNED, "*")]


class Inlet:
    """`holds`: cells that a call of it may write later. `shape`: "take" (a result and a number) or
    "put" (a result and its place, each place once)."""

    def __init__(self, name, result_type, shape, holds, returns=None):
        self.name = name
        self.result_type = result_type
        self.shape = shape
        self.holds = holds
        self.returns = returns


class MitStatements(Statements):
    def kinds(self):
        return super().kinds() + [
            (4, self.implicit_inlet), (6, self.take), (2, self.put_loop), (2, self.own_update),
            (2, self.first_hit), (1, self.allocated), (1, self.plain_take), (1, self.spawn_pointer),
        ]

    def first_declarations(self):
        nodes = super().first_declarations()
        self.accumulators = []
        for _ in range(self.random.randrange(1, 4)):
            kind, operator = self.random.choice(ACCUMULATORS)
            name = self.new_name("sum")
            value = self.expressions.initializer(kind)
            variable = self.declare(variable_of(name, kind, fixed=True, passed=False))
            self.accumulators.append((variable, kind, operator))
            nodes.append(Node(f"{kind.name} {name} = {value};", removable=False))
        for _ in range(self.random.randrange(0, 3)):
            nodes += self.declare_inlet()
        return nodes

    # Inlets.

    def declare_inlet(self):
        kinds = [p.result for p in self.procedures if p.result is not None]
        if not kinds:
            return []
        kind = self.random.choice(kinds)
        name = self.new_name("inlet")
        if self.random.random() < 0.3:
            array = self.new_name("got")
            values = ", ".join(self.expressions.initializer(kind, 0) for _ in range(ELEMENTS))
            holder = self.declare(array_of(array, kind, ELEMENTS))
            declared = Node(f"{kind.name} {array}[{ELEMENTS}] = {{{values}}};", removable=False)
            self.inlets.append(Inlet(name, kind, "put", holder.cells()))
            body = Node(f"{array}[at] = result;")
            head = f"inlet void {name}({kind.name} result, int at) {{"
            return [declared, Node(head, [body], "}", removable=False)]
        variable, sum_kind, operator = self.random.choice(self.accumulators)
        scalars = scalar_places(variable_of("result", kind).reach[0])
        digest = self.expressions.digest(scalars)
        local = Node(f"u64 value = mix({digest}, extra);", removable=False)
        steps = [local]
        if self.random.random() < 0.4:
            steps.append(Node("for (int i = 0; i < (int)(extra & 3); i++) value = mix(value, 7);"))
        if self.random.random() < 0.2:
            steps.append(Node("if (value % 5 == 0) value = churn(value, 3);"))
        update = f"{variable.name} {operator}= ({sum_kind.name})value;"
        if operator == "*":
            update = f"{variable.name} *= (unsigned)value | 1;"
        steps.append(Node(update))
        returns = self.random.choice((None, None, *SCALARS[:4]))
        if returns is not None:
            steps.append(Node(f"return ({returns.name})(value >> 5);", removable=False))
        self.inlets.append(Inlet(name, kind, "take", variable.cells(), returns))
        result = returns.name if returns else "void"
        head = f"inlet {result} {name}({kind.name} result, u64 extra) {{"
        return [Node(head, steps, "}", removable=False)]

    def result_for(self, inlet):
        """(procedure, call) whose result the inlet takes, or None."""
        procedure = self.choose_procedure(lambda p: p.result is inlet.result_type)
        call = procedure and self.calls.call(procedure)
        return (procedure, call) if call else None

    def chosen_inlet(self, shape):
        fitting = [inlet for inlet in self.inlets if inlet.shape == shape]
        return self.random.choice(fitting) if fitting else None

    def hold(self, inlet, taken):
        self.occupy(inlet.holds, WRITTEN)
        for held, state in taken:
            self.occupy(held, state)

    def take(self, depth):
        inlet = self.chosen_inlet("take")
        found = inlet and self.result_for(inlet)
        if not found or not self.may_call():
            return None
        text, taken = found[1]
        left = ""
        extra = self.expressions.integer(1)
        if inlet.returns is not None:
            used = {cell for cells, _ in taken for cell in cells}
            places = self.writable(lambda kind: kind.kind == "integer")
            places = [p for p in places if not used.intersection(p.cells)]
            if not places:
                return None
            place = self.random.choice(places)
            left = f"{place.text} = "
            self.occupy(place.cells, WRITTEN)
        self.count_call()
        self.hold(inlet, taken)
        return [Node(f"{left}{inlet.name}(spawn {text}, {extra});")]

    def plain_take(self, depth):
        """An inlet called as a C function."""
        inlet = self.chosen_inlet("take")
        if inlet is None:
            return None
        value = self.expressions.of_type(inlet.result_type, 1)
        self.occupy(inlet.holds, WRITTEN)
        return [Node(f"{inlet.name}({value}, {self.expressions.integer(1)});")]

    def put_loop(self, depth):
        inlet = self.chosen_inlet("put")
        if inlet is None or any(cell.state for cell in inlet.holds):
            return None
        if self.children + self.repeats * ELEMENTS > 14:
            return None
        counter = self.new_name("i")
        with self.block():
            self.declare(variable_of(counter, INT, fixed=True, passed=False))
            self.occupy(inlet.holds, WRITTEN)
            procedure = self.choose_procedure(
                lambda p: p.result is inlet.result_type and p.is_pure()
            )
            call = procedure and self.calls.call(procedure)
        if not call:
            return [self.sync()]
        self.children += self.repeats * ELEMENTS
        self.hold(inlet, call[1])
        head = f"for (int {counter} = 0; {counter} < {ELEMENTS}; {counter}++) {{"
        return [Node(head, [Node(f"{inlet.name}(spawn {call[0]}, {counter});")], "}")]

    # Implicit inlets.

    def implicit_inlet(self, depth):
        variable, kind, operator = self.random.choice(self.accumulators)
        whole = lambda p: p.result is not None and p.result.kind == "integer"
        procedure = self.choose_procedure(whole)
        call = procedure and self.calls.call(procedure)
        if not call or not self.may_call():
            return None
        text, taken = call
        self.count_call()
        self.occupy(variable.cells(), WRITTEN)
        for held, state in taken:
            self.occupy(held, state)
        return [Node(f"{variable.name} {operator}= spawn {text};")]

    def own_update(self, depth):
        """The procedure's own share, which is atomic towards its inlets."""
        variable, kind, operator = self.random.choice(self.accumulators)
        value = self.expressions.of_type(kind, 1)
        return [Node(f"{variable.name} {operator}= {value};")]

    # Abort.

    def first_hit(self, depth):
        """Whether any child's result is odd: known when one says so, the others are aborted."""
        whole = lambda p: p.result is not None and p.result.kind == "integer" and p.is_pure()
        procedure = self.choose_procedure(whole)
        if procedure is None or self.children + self.repeats * ELEMENTS > 14:
            return None
        places = self.writable(lambda kind: kind.kind == "integer")
        synced = self.sync()
        counter = self.new_name("i")
        with self.block():
            self.declare(variable_of(counter, INT, fixed=True, passed=False))
            call = self.calls.call(procedure)
        if not call or not places:
            return [synced]
        self.children += self.repeats * ELEMENTS
        place = self.random.choice(places)
        head = f"for (int {counter} = 0; {counter} < {ELEMENTS}; {counter}++) {{"
        steps = [Node(f"hit_inlet(spawn {call[0]});")]
        if self.random.random() < 0.5:
            steps.append(Node("if (hit) break;"))
        start = Node("hit = 0;", removable=False)
        behind = Node(f"{place.text} ^= ({place.type.name})hit;")
        end = Node("sync;", removable=False)
        return [synced, Node("{", [start, Node(head, steps, "}"), end, behind], "}")]

    # Memory and pointers.

    def allocated(self, depth):
        """An array that goes with the procedure."""
        if self.repeats > 1:
            return None
        kind = self.random.choice(SCALARS + STRUCTS)
        name = self.new_name()
        values = [self.expressions.of_type(kind, 1) for _ in range(ELEMENTS)]
        self.declare(array_of(name, kind, ELEMENTS))
        size = f"{ELEMENTS} * sizeof({kind.name})"
        nodes = [Node(f"{kind.name} *{name} = Cilk_alloca({size});", removable=False)]
        for i, value in enumerate(values):
            nodes.append(Node(f"{name}[{i}] = {value};", removable=False))
        return nodes

    def spawn_pointer(self, depth):
        return self.through_pointer("cilk ", lambda: "spawn ")

    def write(self):
        nodes = super().write()
        if any("hit_inlet" in line for node in nodes for line in node.lines()):
            flag = Node("int hit = 0;", removable=False)
            steps = [Node("hit = 1;", removable=False), Node("abort;")]
            body = [Node("if (result & 1) {", steps, "}")]
            inlet = Node("inlet void hit_inlet(u64 result) {", body, "}", removable=False)
            nodes = [flag, inlet, *nodes]
        return nodes
