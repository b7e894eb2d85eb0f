# SPDX-License-Identifier: MIT
"""A generated program's procedures as their callers see them, and calls of them."""

from values import (BYTE, CHAR, DOUBLE, INT, INTEGERS, LONG, PAIR, READ, SCALARS, SHORT, SMALL,
                    STRUCTS, U64, WRITTEN)

ELEMENTS = 4  # of each array


class Parameter:
    """`how`: "value", "own" (a pointer: the callee alone may touch what it leads to) or "shared"
    (a pointer to what nobody writes meanwhile). `count` elements behind a pointer."""

    def __init__(self, name, kind, how="value", count=1):
        self.name = name
        self.type = kind
        self.how = how
        self.count = count

    def declaration(self):
        const = "const " if self.how == "shared" else ""
        star = "" if self.how == "value" else "*"
        return f"{const}{self.type.name} {star}{self.name}"


class Procedure:
    """`result` is a type, or None for void. `has_fuel`: the first parameter is an int that says
    how deep calls may still nest; a plain C function has none, because it calls nothing."""

    def __init__(self, name, result, parameters, has_fuel=True):
        self.name = name
        self.result = result
        self.parameters = parameters
        self.has_fuel = has_fuel

    def head(self, name=None):
        fuel = ["int fuel"] if self.has_fuel else []
        parameters = ", ".join(fuel + [p.declaration() for p in self.parameters])
        result = self.result.name if self.result else "void"
        return f"{result} {name or self.name}({parameters or 'void'})"

    def loose_head(self):
        """Leaves the parameters open, where C allows it: not if a call would promote one."""
        if any(p.how == "value" and p.type in (SHORT, CHAR, BYTE) for p in self.parameters):
            return self.head()
        return f"{self.result.name if self.result else 'void'} {self.name}()"

    def is_pure(self):
        return all(p.how != "own" for p in self.parameters)


PLAIN = [
    Procedure("churn", U64, [Parameter("a", U64), Parameter("n", INT)], has_fuel=False),
    Procedure("stir", None, [Parameter("p", LONG, "own", ELEMENTS)], has_fuel=False),
    Procedure("swapped", PAIR, [Parameter("p", PAIR)], has_fuel=False),
    Procedure("halved", DOUBLE, [Parameter("d", DOUBLE, "own")], has_fuel=False),
]

PLAIN_TEXT = """static u64 mix(u64 a, u64 b) {
    a = (a ^ (b + 0x9e3779b97f4a7c15UL)) * 0xbf58476d1ce4e5b9UL;
    return a ^ (a >> 29);
}
static u64 bits(double d) {
    u64 u;
    memcpy(&u, &d, sizeof u);
    return u;
}
u64 churn(u64 a, int n) {
    for (int i = 0; i < (n & 15); i++) a = mix(a, (u64)i);
    return a;
}
void stir(long *p) {
    for (int i = 0; i < 4; i++) p[i] = (long)mix((u64)p[i], (u64)p[(i + 1) % 4]);
}
struct pair swapped(struct pair p) {
    struct pair q = {(int)p.b, p.a};
    return q;
}
double halved(double *d) {
    *d = *d * 0.5 + 1;
    return *d * 0.25;
}
"""


def can_hold(destination, result):
    """Whether a result may be assigned to this type without undefined behaviour."""
    if result is None:
        return False
    if destination.kind == "double":
        return result is DOUBLE or result in SMALL
    return destination is result or (destination.kind == "integer" and result.kind == "integer")


def random_procedure(random, name):
    result = random.choice([None, *SCALARS, *SCALARS, *STRUCTS])
    parameters = []
    for i in range(random.randrange(1, 5)):
        how = random.choice(("value", "value", "value", "own", "shared"))
        kind = random.choice(SCALARS + STRUCTS)
        count = 1 if how == "value" else random.choice((1, ELEMENTS))
        parameters.append(Parameter(f"a{i}", kind, how, count))
    if result is None and not any(p.how == "own" for p in parameters):
        parameters.append(Parameter("out", random.choice(INTEGERS), "own"))
    return Procedure(name, result, parameters)


class Calls:
    """Writes calls with arguments of what is visible. `body` knows variables and cells."""

    def __init__(self, body):
        self.body = body
        self.random = body.random

    def argument(self, parameter, taken):
        """The text, or None if nothing fits. Appends (cells, state) to `taken`: what the callee
        may touch."""
        if parameter.how == "value":
            return self.body.expressions.of_type(parameter.type, 1)
        used = {cell for cells, _ in taken for cell in cells}
        state = WRITTEN if parameter.how == "own" else READ
        fits = []
        for name, cells in self.body.addresses(parameter.type, parameter.count, state):
            if not any(cell in used for cell in cells):
                fits.append((name, cells))
        if not fits:
            return None
        name, cells = self.random.choice(fits)
        taken.append((cells, state))
        return name

    def call(self, procedure, name=None):
        """(text, what the callee may touch), or None."""
        taken = []
        arguments = ["fuel - 1"] if procedure.has_fuel else []
        for parameter in procedure.parameters:
            text = self.argument(parameter, taken)
            if text is None:
                return None
            arguments.append(text)
        return f"{name or procedure.name}({', '.join(arguments)})", taken
