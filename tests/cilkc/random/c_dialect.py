# SPDX-License-Identifier: MIT
"""Parts of generated programs that only OpenCilk's dialect has: calls of spawning functions, spawns
as initialisers, of blocks and through pointers, parallel loops, scopes and reducers."""

from procedures import ELEMENTS, can_hold
from statements import Statements
from tree import Node
from values import (DOUBLE, INT, READ, SCALARS, WRITTEN, Place, Variable, cells_of,
                    scalar_places, variable_of)

REDUCER_TEXT = """struct track { u64 hash, power; };
static void track_identity(void *view) {
    struct track empty = {0, 1};
    memcpy(view, &empty, sizeof empty);
}
static void track_reduce(void *left, void *right) {
    struct track *l = left, *r = right;
    l->hash = l->hash * r->power + r->hash;
    l->power *= r->power;
}
"""


class CStatements(Statements):
    def kinds(self):
        return super().kinds() + [
            (5, self.call), (5, self.call_in_expression), (3, self.spawn_initializer),
            (2, self.spawn_block), (2, self.scope), (3, self.parallel_loop),
            (2, self.spawn_pointer), (3, self.record),
        ]

    def call(self, depth):
        procedure = self.choose_procedure()
        if not self.may_call() or procedure is None:
            return None
        call = self.calls.call(procedure)
        if call is None:
            return None
        self.count_call()
        return [Node(f"{self.destination(procedure, call[1])[0]}{call[0]};")]

    def call_in_expression(self, depth):
        """A plain call where its value is not simply assigned."""
        places = self.writable(lambda kind: kind.kind == "integer")
        procedure = self.choose_procedure(lambda p: p.result is not None and p.is_pure())
        call = procedure and self.calls.call(procedure)
        if not self.may_call() or not places or not call:
            return None
        self.count_call()
        place = self.random.choice(places)
        scalar = self.random.choice(scalar_places(Place(call[0], procedure.result,
                                                        cells_of(procedure.result))))
        value = f"bits({scalar.text})" if scalar.type is DOUBLE else f"(u64){scalar.text}"
        forms = [f"{self.expressions.integer(1)} ^ {value}", f"churn({value}, 3)",
                 f"{self.expressions.condition()} ? {self.expressions.integer(1)} : {value}"]
        form = self.random.randrange(4)
        if form < len(forms):
            return [Node(f"{place.text} = ({place.type.name})({forms[form]});")]
        change = f"{place.text} = {self.expressions.of_type(place.type, 1)};"
        return [Node(f"if ({value} & 1) {change}")]

    def record(self, depth):
        """Adds a number to the reducer: its value tells the order of all."""
        if not self.track:
            return None
        value = self.expressions.integer(1)
        appended = f"{self.track}.hash = {self.track}.hash * 31 + {value};"
        return [Node("{", [Node(appended, f"{self.track}.power *= 31;")], "}")]

    def spawn(self, depth):
        """Also with the word before the whole statement."""
        nodes = super().spawn(depth)
        if nodes and self.random.random() < 0.3:
            return [Node("cilk_spawn " + nodes[0].pieces[0].replace("cilk_spawn ", ""))]
        return nodes

    def spawn_initializer(self, depth):
        procedure = self.choose_procedure(lambda p: p.result is not None)
        if not self.may_call() or procedure is None:
            return None
        name = self.new_variable_name()
        with self.hiding([name]):
            call = self.calls.call(procedure)
        if call is None:
            return None
        text, taken = call
        self.count_call()
        kind = procedure.result
        if kind.kind == "integer":
            kind = self.random.choice([k for k in SCALARS if can_hold(k, kind)])
        variable = self.declare(variable_of(name, kind))
        self.occupy(variable.cells(), WRITTEN)
        for held, state in taken:
            self.occupy(held, state)
        return [Node(f"{kind.name} {name} = cilk_spawn {text};", removable=False)]

    def spawn_pointer(self, depth):
        """Through a pointer to a function, which may be a plain one."""
        words = ("cilk_spawn ", "cilk_spawn ", "")
        return self.through_pointer("", lambda: self.random.choice(words))

    def hold_all(self):
        """A child may read all that is visible."""
        for variable in self.visible():
            self.occupy([c for c in variable.cells() if c.state != WRITTEN], READ)

    def spawn_block(self, depth):
        targets = [v for v in self.visible() if not v.fixed and all(p.writable() for p in v.reach)]
        if depth == 0 or not targets:
            return None
        free = set()
        for variable in self.random.sample(targets, min(len(targets), 2)):
            free |= variable.cells()
        # A serial loop goes on counting while the block runs.
        with self.hiding([v.name for v in self.visible() if v.name.startswith("i")]):
            with self.region(free):
                body = self.statements(self.random.randrange(1, 4), depth - 1)
            self.occupy(free, WRITTEN)
            self.hold_all()
        return [Node("cilk_spawn {", body, "}")]

    def scope(self, depth):
        """Its children end with it."""
        if depth == 0:
            return None
        places = [p for v in self.visible() if not v.fixed for p in v.reach if p.writable()]
        free = {cell for place in places for cell in place.cells}
        with self.region(free):
            body = self.statements(self.random.randrange(1, 4), depth - 1)
        return [Node("cilk_scope {", body, "}")]

    def loop_head(self, counter, array):
        """All forms go through the elements once; `counter` is then the place of one."""
        kind = self.random.choice(("int", "long", "unsigned", "u64", "short", "unsigned char"))
        n = ELEMENTS
        forms = [
            f"{kind} {counter} = 0; {counter} < {n}; {counter}++",
            f"{kind} {counter} = 0; {counter} != {n}; ++{counter}",
            f"{kind} {counter} = 0; {n} > {counter}; {counter} += 1",
            f"int {counter} = {n - 1}; {counter} >= 0; {counter}--",
            f"long {counter} = {n - 1}; {counter} > -1; {counter} -= 1",
        ]
        pointer = f"{array.reach[0].type.name} *{counter} = {array.name}"
        forms.append(f"{pointer}; {counter} < {array.name} + {n}; {counter}++")
        return self.random.choice(forms)

    def parallel_loop(self, depth):
        if depth == 0 or self.repeats > 2:
            return None
        array, declared = self.fresh_array(self.random.choice(SCALARS))
        counter = self.new_name("i")
        head = self.loop_head(counter, array)
        kind = array.reach[0].type
        is_pointer = "*" in head
        kept = self.repeats
        with self.region(set()):
            self.repeats *= ELEMENTS
            for cell in array.cells():
                cell.state = self.floor[cell] = WRITTEN
            text = f"(*{counter})" if is_pointer else f"{array.name}[{counter}]"
            element = Place(text, kind, cells_of(kind))
            self.declare(Variable(f"an element, {text}", [element]))
            if not is_pointer:
                self.declare(variable_of(counter, INT, fixed=True, passed=False))
            body = self.statements(self.random.randrange(1, 3), depth - 1)
            if not element.writable():
                body.append(self.sync())
            value = self.expressions.of_type(kind)
            body.append(Node(f"{text} = {value};"))
        self.repeats = kept
        grain = self.random.choice((None, None, 1, 2))
        loop = Node(f"cilk_for ({head}) {{", body, "}")
        if grain is not None:
            loop = Node(f"#pragma cilk grainsize {grain}", *loop.pieces)
        return [declared, loop]
