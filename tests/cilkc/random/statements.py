# SPDX-License-Identifier: MIT
"""The statements of generated procedures that both dialects have."""

from body import MOST_CHILDREN, Body
from procedures import ELEMENTS, PLAIN, can_hold
from tree import Node
from values import INT, WRITTEN, Place, array_of, cells_of, variable_of

COUNTERS = ("int", "long", "unsigned", "short")


class Statements(Body):
    """`statements(n)` writes a list of them; each kind is a method that returns nodes, or nothing
    if it does not fit here."""

    def kinds(self):
        """(weight, method); a dialect adds its own."""
        return [
            (6, self.assignment), (4, self.new_variable), (12, self.spawn), (4, self.synced),
            (3, self.if_else), (3, self.switch), (3, self.loop), (3, self.spawning_loop),
            (2, self.goto_block), (2, self.backwards), (2, self.jump), (1, self.early_return),
            (2, self.plain_call), (1, self.spawn_elements), (1, self.switch_into_loop),
        ]

    def statements(self, count, depth):
        kinds = self.kinds()
        weights = [weight for weight, _ in kinds]
        nodes = []
        for _ in range(count):
            _, kind = self.random.choices(kinds, weights)[0]
            nodes += kind(depth) or []
        return nodes

    def inner(self, depth):
        """The statements of a nested block, with its own declarations."""
        with self.block():
            nodes = self.statements(self.random.randrange(1, 4), depth - 1)
            if self.is_held(self.scopes[-1:]):
                nodes.append(self.sync())
        return nodes

    # Plain C.

    def assignment(self, depth):
        places = self.writable(lambda kind: kind.kind != "struct" or self.random.random() < 0.3)
        if not places:
            return None
        place = self.random.choice(places)
        kind = place.type
        form = self.random.randrange(4)
        if kind.kind == "integer" and form == 0:
            return [Node(f"{place.text} ^= {self.expressions.of_type(kind)};")]
        if kind.name == "unsigned" and form == 1:
            return [Node(f"{place.text}{self.random.choice(('++', '--'))};")]
        return [Node(f"{place.text} = {self.expressions.of_type(kind)};")]

    def new_variable(self, depth):
        return [self.declaration()]

    def plain_call(self, depth):
        procedure = self.random.choice(PLAIN)
        call = self.calls.call(procedure)
        if call is None:
            return None
        text, taken = call
        return [Node(f"{self.destination(procedure, taken)[0]}{text};")]

    # Spawns.

    def may_call(self):
        return self.children + self.repeats <= MOST_CHILDREN

    def count_call(self):
        self.children += self.repeats

    def choose_procedure(self, accept=lambda procedure: True):
        fitting = [p for p in self.procedures + self.language.spawnable_plain if accept(p)]
        return self.random.choice(fitting) if fitting else None

    def through_pointer(self, specifier, word):
        """Calls a procedure through a pointer that is declared for it; word() stands before."""
        procedure = self.choose_procedure()
        call = procedure and self.calls.call(procedure, self.new_name("f"))
        if not self.may_call() or not call:
            return None
        text, taken = call
        name = text[: text.index("(")]
        left, cells = self.destination(procedure, taken)
        self.count_call()
        self.occupy(cells, WRITTEN)
        for held, state in taken:
            self.occupy(held, state)
        pointer = f"{specifier}{procedure.head(f'(*{name})')} = {procedure.name};"
        return [Node(pointer, removable=False), Node(f"{left}{word()}{text};")]

    def destination(self, procedure, taken):
        """("x = ", its cells), or ("", []) to drop the result; not among what is taken."""
        used = {cell for cells, _ in taken for cell in cells}
        places = self.writable(lambda kind: can_hold(kind, procedure.result))
        places = [p for p in places if not used.intersection(p.cells)]
        if not places or self.random.random() < 0.1:
            return "", []
        place = self.random.choice(places)
        return f"{place.text} = ", place.cells

    def spawn(self, depth):
        if not self.may_call():
            return None
        procedure = self.choose_procedure()
        call = procedure and self.calls.call(procedure)
        if not call:
            return None
        text, taken = call
        left, cells = self.destination(procedure, taken)
        self.count_call()
        self.occupy(cells, WRITTEN)
        for held, state in taken:
            self.occupy(held, state)
        return [Node(f"{left}{self.language.spawn} {text};")]

    def synced(self, depth):
        nodes = [self.sync()]
        if self.language.synched and self.random.random() < 0.3 and not self.floor:
            places = self.writable(lambda kind: kind.kind == "integer")
            if places:
                place = self.random.choice(places)
                value = self.expressions.of_type(place.type, 1)
                nodes.append(Node(f"if (!{self.language.synched}) {place.text} = {value};"))
        return nodes

    def fresh_array(self, kind):
        name = self.new_name("all")
        values = ", ".join(self.expressions.initializer(kind, 0) for _ in range(ELEMENTS))
        array = self.declare(array_of(name, kind, ELEMENTS))
        return array, Node(f"{kind.name} {name}[{ELEMENTS}] = {{{values}}};", removable=False)

    def spawning_loop(self, depth):
        """Each child's result goes to an element of its own."""
        if self.children + self.repeats * ELEMENTS > MOST_CHILDREN + 4:
            return None
        procedure = self.choose_procedure(lambda p: p.result is not None and p.is_pure())
        if procedure is None:
            return None
        array, declared = self.fresh_array(procedure.result)
        counter = self.new_name("i")
        with self.block():
            self.declare(variable_of(counter, INT, fixed=True, passed=False))
            self.occupy(array.cells(), WRITTEN)
            call = self.calls.call(procedure)
        if call is None:
            return [declared, self.sync()]
        text, taken = call
        for held, state in taken:
            self.occupy(held, state)
        self.children += self.repeats * ELEMENTS
        head = f"for (int {counter} = 0; {counter} < {ELEMENTS}; {counter}++) {{"
        spawned = f"{array.name}[{counter}] = {self.language.spawn} {text};"
        return [declared, Node(head, [Node(spawned)], "}")]

    def spawn_elements(self, depth):
        """Each child gets the address of an element of its own."""
        accept = lambda p: sum(q.how == "own" for q in p.parameters) == 1
        procedure = self.choose_procedure(accept)
        if procedure is None or self.children + self.repeats * ELEMENTS > MOST_CHILDREN + 4:
            return None
        own = next(p for p in procedure.parameters if p.how == "own")
        if own.count != 1:
            return None
        array, declared = self.fresh_array(own.type)
        counter = self.new_name("i")
        self.occupy(array.cells(), WRITTEN)
        with self.block():
            self.declare(variable_of(counter, INT, fixed=True, passed=False))
            element = Place(f"{array.name}[{counter}]", own.type, cells_of(own.type))
            taken = [(element.cells, WRITTEN)]
            arguments = ["fuel - 1"] if procedure.has_fuel else []
            for p in procedure.parameters:
                text = f"&{element.text}" if p is own else self.calls.argument(p, taken)
                if text is None:
                    return [declared, self.sync()]
                arguments.append(text)
        for held, state in taken[1:]:
            self.occupy(held, state)
        self.children += self.repeats * ELEMENTS
        head = f"for (int {counter} = {ELEMENTS}; {counter}-- > 0;) {{"
        call = f"{self.language.spawn} {procedure.name}({', '.join(arguments)});"
        return [declared, Node(head, [Node(call)], "}")]

    # Control flow.

    def if_else(self, depth):
        if depth == 0:
            return None
        condition = self.expressions.condition()
        before = self.snapshot()
        then = self.inner(depth)
        if self.random.random() < 0.5:
            self.merge(before)
            return [Node(f"if ({condition}) {{", then, "}")]
        behind_then = self.snapshot()
        self.restore(before)
        otherwise = self.inner(depth)
        self.merge(behind_then)
        return [Node(f"if ({condition}) {{", then, "} else {", otherwise, "}")]

    def switch(self, depth):
        if depth == 0:
            return None
        value = self.expressions.integer()
        pieces = [f"switch ({value} & 3) {{"]
        kept = self.jumps
        self.jumps = kept | {"break"}
        with self.many_ways():
            before = self.snapshot()
            for case in ("case 0:", "case 3:", "case 1:", "default:"):
                self.merge(before)
                body = self.inner(depth)
                if self.random.random() < 0.7:
                    body.append(Node("break;", removable=False))
                pieces += [case, [Node("{", body, "}")]]
        self.jumps = kept
        return [Node(*pieces, "}")]

    def loop(self, depth):
        """Begins with a sync in each turn, so that what a turn left out is in."""
        if depth == 0:
            return None
        counter, count = self.new_name("i"), self.random.randrange(1, 4)
        kept = self.jumps, self.repeats
        self.jumps, self.repeats = {"break", "continue"}, self.repeats * count
        with self.many_ways(), self.block():
            self.declare(variable_of(counter, INT, fixed=True, passed=False))
            body = [self.sync(), *self.inner(depth)]
        self.jumps, self.repeats = kept
        kind = self.random.choice(COUNTERS)
        form = self.random.randrange(4)
        if form < 2:
            head = f"for ({kind} {counter} = 0; {counter} < {count}; {counter}++) {{"
            return [Node(head, body, "}")]
        before = Node(f"{kind} {counter} = 0;", removable=False)
        if form == 2:
            body.insert(0, Node(f"{counter}++;", removable=False))
            return [Node("{", [before, Node(f"while ({counter} < {count}) {{", body, "}")], "}")]
        until = f"}} while (++{counter} < {count});"
        return [Node("{", [before, Node("do {", body, until)], "}")]

    def switch_into_loop(self, depth):
        """Duff's way in: cases inside a loop."""
        if depth == 0 or self.repeats > 2:
            return None
        counter = self.new_name("i")
        nodes = [self.sync()]
        value = self.expressions.integer(1)
        kept = self.jumps, self.repeats
        self.jumps, self.repeats = {"break", "continue"}, self.repeats * 2
        with self.many_ways():
            with self.block():
                self.declare(variable_of(counter, INT, fixed=True, passed=False))
                before = self.snapshot()
                first = [self.sync(), *self.inner(depth)]
                self.merge(before)
                second = self.inner(depth)
        self.jumps, self.repeats = kept
        inside = Node(
            "case 0: do {",
            [Node("{", first, "}"), Node("case 1: ;", removable=False), Node("{", second, "}")],
            f"}} while (++{counter} < 2);",
        )
        start = Node(f"int {counter} = 0;", removable=False)
        nodes.append(Node("{", [start, Node(f"switch ({value} & 1) {{", [inside], "}")], "}"))
        return nodes

    def goto_block(self, depth):
        """Statements that may jump to behind them."""
        if depth == 0:
            return None
        label = self.new_name("out")
        self.labels = [*self.labels, label]
        with self.many_ways():
            body = self.inner(depth)
        self.labels = [name for name in self.labels if name != label]
        return [Node("{", body, "}", f"{label}: ;")]

    def backwards(self, depth):
        if depth == 0:
            return None
        label, counter = self.new_name("again"), self.new_name("i")
        kept = self.repeats
        self.repeats *= 2
        with self.many_ways(), self.block():
            self.declare(variable_of(counter, INT, fixed=True, passed=False))
            body = [Node(f"{label}: ;", removable=False), self.sync(), *self.inner(depth)]
        self.repeats = kept
        body.append(Node(f"if (++{counter} < 2) goto {label};", removable=False))
        return [Node("{", [Node(f"int {counter} = 0;", removable=False), *body], "}")]

    def jump(self, depth):
        ways = [f"goto {label};" for label in self.labels]
        ways += [f"{word};" for word in sorted(self.jumps)]
        if not ways:
            return None
        way = self.random.choice(ways)
        if self.is_held(self.scopes[1:]):
            way = f"{{ {self.language.sync}; {way} }}"
        return [Node(f"if ({self.expressions.condition()}) {way}")]

    def early_return(self, depth):
        if not self.may_return:
            return None
        condition = self.expressions.condition()
        if self.procedure.result is None:
            return [Node(f"if ({condition}) return;")]
        value = self.value_to_return(self.expressions.integer())
        return [Node(f"if ({condition}) return {value};")]

    # The whole.

    def first_declarations(self):
        """What stands before the first statement."""
        return [self.declaration() for _ in range(self.random.randrange(1, 4))]

    def write(self):
        """The nodes of the body."""
        self.declare_parameters()
        nodes = self.first_declarations()
        if self.procedure.result is None:
            nodes.append(Node("if (fuel <= 0) return;", removable=False))
        else:
            digest = Node(f"u64 digest = {self.digest()};", removable=False)
            end = Node(f"return {self.value_to_return('digest')};", removable=False)
            nodes.append(Node("if (fuel <= 0) {", [digest, end], "}", removable=False))
        nodes += self.statements(self.random.randrange(3, 7), self.random.choice((1, 1, 2, 3)))
        return nodes + self.ending()
