# SPDX-License-Identifier: MIT
"""Types, variables and places of generated programs, and who may touch them.

A cell is a scalar in memory. While children are out that write it nobody else may touch it; while
children are out that read it nobody may write it. So a generated program has no races, and its
parallel result is the serial one.
"""

FREE, READ, WRITTEN = range(3)


class Type:
    def __init__(self, name, kind, members=()):
        self.name = name
        self.kind = kind  # "integer", "double" or "struct"
        self.members = members  # (how to reach it, type) of each scalar inside


INTEGERS = [
    Type(name, "integer")
    for name in ("int", "long", "unsigned", "u64", "short", "signed char", "unsigned char")
]
DOUBLE = Type("double", "double")
INT, LONG, UNSIGNED, U64, SHORT, CHAR, BYTE = INTEGERS
SCALARS = [*INTEGERS, DOUBLE]
PAIR = Type("struct pair", "struct", ((".a", INT), (".b", LONG)))
MIXED = Type("struct mixed", "struct", ((".d", DOUBLE), (".s", SHORT), (".u", UNSIGNED)))
WIDE = Type(
    "struct wide",
    "struct",
    ((".w[0]", LONG), (".w[1]", LONG), (".w[2]", LONG), (".c", CHAR), (".inner.a", INT),
     (".inner.b", LONG), (".d", DOUBLE)),
)
STRUCTS = [PAIR, MIXED, WIDE]

# Types whose values a double holds exactly and safely.
SMALL = {SHORT, CHAR, BYTE, INT, UNSIGNED}

TYPES_TEXT = """typedef unsigned long u64;
struct pair { int a; long b; };
struct mixed { double d; short s; unsigned u; };
struct wide { long w[3]; signed char c; struct pair inner; double d; };
"""


class Cell:
    def __init__(self):
        self.state = FREE


class Place:
    """An expression that denotes memory: its text, type and cells."""

    def __init__(self, text, kind, cells):
        self.text = text
        self.type = kind
        self.cells = cells

    def readable(self):
        return all(cell.state != WRITTEN for cell in self.cells)

    def writable(self):
        return all(cell.state == FREE for cell in self.cells)

    def mark(self, state):
        for cell in self.cells:
            cell.state = max(cell.state, state)


class Variable:
    """Something with a name. `reach` are the places that its name leads to, scalars and structs."""

    def __init__(self, name, reach, fixed=False, passed=True):
        self.name = name
        self.reach = reach
        self.fixed = fixed  # a program may read it only: a loop's counter, a constant
        self.passed = passed  # its address may be given to children

    def cells(self):
        return {cell for place in self.reach for cell in place.cells}


def scalar_places(place):
    """The scalars in a place."""
    if place.type.kind != "struct":
        return [place]
    return [
        Place(place.text + access, kind, [cell])
        for (access, kind), cell in zip(place.type.members, place.cells)
    ]


def cells_of(kind):
    return [Cell() for _ in range(max(1, len(kind.members)))]


def variable_of(name, kind, fixed=False, passed=True):
    whole = Place(name, kind, cells_of(kind))
    reach = [whole, *scalar_places(whole)] if kind.members else [whole]
    return Variable(name, reach, fixed, passed)


def array_of(name, kind, length):
    reach = []
    for i in range(length):
        element = Place(f"{name}[{i}]", kind, cells_of(kind))
        reach += [element, *scalar_places(element)] if kind.members else [element]
    return Variable(name, reach)


def pointer_to(name, kind, cells, fixed=False):
    """A pointer that is not changed; its name leads to what it points to."""
    whole = Place(f"(*{name})", kind, cells)
    parts = []
    for (access, member), cell in zip(kind.members, cells):
        parts.append(Place(f"{name}->{access[1:]}", member, [cell]))
    return Variable(name, [whole, *parts], fixed)
