# SPDX-License-Identifier: MIT
"""The statements of generated C++ functions."""

from cxx_blocks import Blocks
from cxx_body import SYNC, Body, declared
from cxx_calls import Calls
from cxx_loops import Loops
from cxx_values import BITS, ELEMENTS, INT, TYPES, U64, WRITTEN
from tree import Node

MOST_CHILDREN = 9  # that one function may call, loops counted


class Statements(Loops, Blocks, Body):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.calls = Calls(self)

    def kinds(self):
        return [
            (5, self.declaration), (3, self.assignment), (14, self.spawn), (5, self.plain_call),
            (8, self.spawn_initializer), (2, self.sync_statement), (2, self.choice),
            (2, self.serial_loop), (3, self.spawning_loop), (3, self.parallel_loop),
            (4, self.attempt), (2, self.scope), (2, self.spawned_block), (2, self.closure),
            (1, self.throw), (1, self.early_return), (2, self.noted_block), (3, self.record),
            (2, self.straight),
        ]

    def write(self):
        """The nodes of the whole body."""
        p = self.procedure
        nodes = []
        for parameter in p.parameters:
            v = self.new_variable(parameter.name, parameter.type, is_local=False,
                                  is_fixed=parameter.how == "shared")
            if parameter.how in ("out", "place"):
                self.hidden.add(v)
        if not p.has_fuel:
            nodes.append(declared("int fuel = 1;"))
        nodes += [self.declaration(0)[0] for _ in range(self.random.randrange(2, 5))]
        start = self.value(p.result, 0) if p.result and p.shape != "constructor" else ""
        if p.shape == "constructor":
            nodes.append(declared("made = 0;"))
        nodes.append(declared(f"if (fuel <= 0) return {start};"))
        nodes += self.statements(self.random.randrange(3, 9), 2)
        return nodes + self.ending()

    def ending(self):
        p = self.procedure
        digest = self.new_name("digest")
        nodes = [declared(self.sync()),
                 declared(f"u64 {digest} = {self.digest(self.readable())};")]
        for parameter in p.parameters:
            if parameter.how in ("out", "place"):
                star = "*" if parameter.how == "place" else ""
                nodes.append(declared(f"{star}{parameter.name} = "
                                      f"of<{parameter.type.name}>({digest});"))
        if p.shape == "constructor":
            nodes.append(declared(f"made = {digest};"))
        elif p.result:
            own = self.readable(lambda v: v.type is p.result and not v.elements
                                and v.has_destructor and not v.is_fixed)
            if own and self.random.random() < 0.5:
                nodes.append(declared(f"return {self.random.choice(own).name};"))
            else:
                nodes.append(declared(f"return of<{p.result.name}>({digest});"))
        return nodes

    def statements(self, count, depth):
        """Nodes of a few statements; at the end no child uses an object that ends here."""
        nodes = []
        for _ in range(count):
            kinds = self.kinds()
            for _ in range(6):
                one = self.random.choices(kinds, [weight for weight, _ in kinds])[0][1]
                before = self.snapshot()
                made = one(depth)
                if made is not None:
                    nodes += made
                    break
                self.restore(before)
        return nodes

    def block_of(self, count, depth):
        """The inside of a block."""
        nodes = self.statements(count, depth)
        if self.is_held(self.scopes[-1]):
            nodes.append(declared(self.sync()))
        return nodes

    def few(self):
        return self.random.randrange(1, 4)

    def may_spawn(self):
        return self.children + self.repeats <= MOST_CHILDREN

    def count_child(self):
        self.children += self.repeats

    # Variables.

    def some_type(self):
        generic = [self.generic()] * 3 if self.generic() else []
        return self.random.choice(TYPES + generic)

    def declaration(self, depth):
        type = self.some_type()
        name = self.new_name()
        form = self.random.random()
        number = self.number(1)
        if form < 0.12:
            values = ", ".join(self.value(type, 0) for _ in range(ELEMENTS))
            self.new_variable(name, type, elements=ELEMENTS)
            return [declared(f"{type.name} {name}[{ELEMENTS}] = {{{values}}};")]
        if form < 0.24:
            v = self.new_variable(name, type, elements=ELEMENTS)
            v.has_destructor = True
            return [declared(f"std::vector<{type.name}> {name} = row<{type.name}>({number});")]
        is_fixed = form > 0.92
        self.new_variable(name, type, is_fixed=is_fixed)
        value = f"of<{type.name}>({number})"
        forms = [f"{type.name} {name} = {value};", f"{type.name} {name}({value});",
                 f"auto {name} = {value};"]
        return [declared(("const " if is_fixed else "") + self.random.choice(forms))]

    def assignment(self, depth):
        found = self.writable(lambda v: not v.elements)
        if not found:
            return None
        v = self.random.choice(found)
        others = self.readable(lambda o: o.type is v.type and not o.elements and o is not v)
        if others and v.type.is_copied and self.random.random() < 0.4:
            return [Node(f"{v.name} = {self.random.choice(others).name};")]
        return [Node(f"{v.name} = of<{v.type.name}>({self.number()});")]

    def sync_statement(self, depth):
        return [Node(self.sync(), removable=False)]

    # Children.

    def target(self, result):
        """(text, variable) of what takes a result of the type."""
        found = self.writable(lambda v: v.type is result)
        if not found:
            return None
        v = self.random.choice(found)
        v.state = WRITTEN
        if v.elements:
            return f"{v.name}[{self.random.randrange(ELEMENTS)}]"
        return v.name

    def part_of_bits(self, result):
        found = self.writable(lambda v: v.type is BITS and not v.elements)
        if not found or result not in (U64, INT):
            return None
        v = self.random.choice(found)
        v.state = WRITTEN
        return f"{v.name}.{self.random.choice('ab')}"

    def spawn(self, depth):
        p = self.calls.choose()
        if p is None or not self.may_spawn():
            return None
        instance = self.calls.instance(p)
        result = self.calls.result_of(p, instance)
        left = None
        if result and p.shape not in ("operator", "constructor") and self.random.random() < 0.8:
            left = self.part_of_bits(result) if self.random.random() < 0.3 else None
            left = left or self.target(result)
        made = self.calls.call(p, instance)
        if made is None:
            return None
        before, call = made
        self.count_child()
        nodes = [declared(before)] if before else []
        if left is None:
            return nodes + [Node(f"cilk_spawn {call};")]
        if self.random.random() < 0.25:
            return nodes + [Node(f"cilk_spawn {left} = {call};")]
        return nodes + [Node(f"{left} = cilk_spawn {call};")]

    def spawn_initializer(self, depth):
        p = self.calls.choose(lambda p: p.result is not None and p.shape != "operator")
        if p is None or not self.may_spawn():
            return None
        instance = self.calls.instance(p)
        result = self.calls.result_of(p, instance)
        made = self.calls.call(p, instance)
        if made is None:
            return None
        before, call = made
        self.count_child()
        name = self.new_name()
        type = self.random.choice(("auto", result.name, result.name))
        if self.generic() and call.startswith("[]"):
            type = result.name  # before C++20
        if self.random.random() < 0.1:
            type = "const " + type
        v = self.new_variable(name, result, is_fixed=type.startswith("const") or p.shape == "constructor")
        v.state = WRITTEN
        v.waits = True
        nodes = [declared(before)] if before else []
        return nodes + [declared(f"{type} {name} = cilk_spawn {call};")]

    def plain_call(self, depth):
        p = self.calls.choose()
        if p is None or not self.may_spawn():
            return None
        nodes = self.before_exception(p.may_throw)
        instance = self.calls.instance(p)
        result = self.calls.result_of(p, instance)
        before_call = self.snapshot()
        left = None
        if result and p.shape not in ("operator", "constructor"):
            left = self.target(result)
        made = self.calls.call(p, instance)
        if made is None:
            return None
        dead = list(self.calls.moved)
        self.restore(before_call)
        for v in dead:
            v.is_dead = True
        before, call = made
        self.count_child()
        nodes += [declared(before)] if before else []
        return nodes + [Node(f"{left} = {call};" if left else f"{call};")]

    def straight(self, depth):
        """Spawns, statements without Cilk, sync: which become closures within each other."""
        nodes = []
        for _ in range(self.random.choice((1, 1, 2, 2, 3, 5))):
            form = self.random.choice((self.spawn, self.spawn_initializer, self.bound_spawn))
            spawned = form(depth)
            if spawned is None:
                break
            nodes += spawned
            for _ in range(self.random.randrange(3)):
                form = self.random.choice((self.declaration, self.assignment, self.plain_call))
                nodes += form(depth) or []
        return nodes + [declared(self.sync())] if nodes else None

    def bound_spawn(self, depth):
        """A reference or structured bindings, from a function of the prelude."""
        if not self.may_spawn():
            return None
        self.count_child()
        number, name = self.number(1), self.new_name()
        number = f"u64({number})"
        form = self.random.randrange(4)
        if form == 0:
            other = self.new_name()
            made = f"auto [{name}, {other}] = cilk_spawn two_of({number});"
            return [declared(made), declared(SYNC), declared(f"{name} = mix({name}, {other});"),
                    *self.keep_bound(name)]
        if form == 1:
            found = self.writable(lambda v: v.type is U64 and not v.elements)
            if not found:
                return None
            v = self.random.choice(found)
            return [declared(f"u64 &{name} = cilk_spawn same_one({v.name}, {number});"),
                    declared(SYNC), declared(f"{name} += 1;"),
                    declared(f"auto {name}_copy = [=]() mutable {{ return {name} += 3; }};"),
                    declared(f"{v.name} = mix({v.name}, {name}_copy());")]
        if form == 2:
            made = f"const object &{name} = cilk_spawn object_of({number});"
        else:
            made = f"auto &&{name} = cilk_spawn object_of({number});"
        return [declared(made), declared(SYNC), declared(f"u64 {name}_n = d({name});"),
                *self.keep_bound(f"{name}_n")]

    def keep_bound(self, name):
        """A number that is known after the sync goes to a variable, if there is one."""
        found = self.writable(lambda v: v.type is U64 and not v.elements)
        return [declared(f"{v.name} = mix({v.name}, {name});") for v in found[:1]]

    def before_exception(self, may_throw=True):
        return [declared(self.sync())] if may_throw and self.is_pinned() else []

    def throw(self, depth):
        if not self.may_throw:
            return None
        return self.before_exception() + [
            Node(f"if ({self.leaf()} % 5 == 0) throw oops{{{self.number(1)}}};")]

    def early_return(self, depth):
        p = self.procedure
        if not self.may_return:
            return None
        value = "" if not p.result or p.shape == "constructor" else " " + self.value(p.result)
        sync = [declared(SYNC)] if self.is_pinned() else []
        return [Node(f"if ({self.condition()}) {{", [*sync, declared(f"return{value};")], "}")]

    def record(self, depth):
        if not self.reducers:
            return None
        hash_, sum_, list_, kept, far = self.reducers
        n, at = self.number(1), self.random.randrange(3)
        return [Node(self.random.choice((
            f"{hash_}->add({n});", f"*{sum_} += {n};", f"{list_}->push_back({n});",
            f"{kept}.sum += {n};", f"{kept}.rows[{at}].add({n});", f"add_to({kept}.sum, {n});",
            f"add_each({kept}.rows, {kept}.rows + {at + 1}, {n});",
            f"add_each(&{kept}.rows[0], &{kept}.rows[{at}], {n});",
            f"for (auto &one : {kept}.rows) one.add({n});",
            f"by_pointer({kept}.sum, {n});", f"{far} += {n};", f"add_to({far}, {n});",
            f"[](sum_cell &to, u64 n) {{ to += n; }}({far}, {n});",
            f"{kept}.itself().sum += {n};",
            f"{{ two_cells both = {{{kept}.sum, &{far}}}; both.one += {n}; *both.other += 1; }}")))]
