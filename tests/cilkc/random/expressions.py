# SPDX-License-Identifier: MIT
"""Expressions of generated programs: without side effects, without undefined behaviour."""

from values import SMALL

BINARY = ("+", "-", "*", "^", "&", "|")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


class Expressions:
    """Writes expressions over the readable places that `places(kind)` lists."""

    def __init__(self, random, places):
        self.random = random
        self.places = places

    def pick(self, kind):
        """A readable place of a kind, or None; of a few that are drawn, so that it is fast."""
        places = self.places(kind)
        for _ in range(4 if places else 0):
            place = self.random.choice(places)
            if place.readable():
                return place
        return None

    def number(self):
        draw = self.random
        if draw.random() < 0.7:
            return str(draw.randrange(0, 17))
        return f"{draw.randrange(1 << 40)}UL"

    def integer_leaf(self):
        chance = self.random.random()
        place = self.pick("integer") if chance < 0.7 else None
        if place:
            return f"(u64){place.text}"
        place = self.pick("double") if chance < 0.8 else None
        if place:
            return f"(u64)(long)({place.text} * 16)"
        return f"(u64){self.number()}"

    def integer(self, depth=2):
        """Of type u64."""
        draw = self.random
        if depth == 0 or draw.random() < 0.2:
            return self.integer_leaf()
        inner = lambda: self.integer(depth - 1)
        form = draw.randrange(9)
        if form < 4:
            return f"({inner()} {draw.choice(BINARY)} {inner()})"
        if form == 4:
            return f"({inner()} >> {draw.randrange(1, 40)})"
        if form == 5:
            return f"({inner()} / ({inner()} | 1))"
        if form == 6:
            return f"({self.condition(depth - 1)} ? {inner()} : {inner()})"
        if form == 7:
            return f"(u64)({self.condition(depth - 1)})"
        return f"mix({inner()}, {inner()})"

    def condition(self, depth=1):
        draw = self.random
        if depth > 0 and draw.random() < 0.15:
            word = draw.choice(("&&", "||"))
            return f"({self.condition(depth - 1)} {word} {self.condition(depth - 1)})"
        if draw.random() < 0.15:
            return f"{self.double(1)} {draw.choice(COMPARISONS[:4])} {self.double(1)}"
        if draw.random() < 0.5:
            return f"({self.integer(depth)} & {draw.choice((1, 1, 2, 3, 4))}) != 0"
        return f"{self.integer(depth)} {draw.choice(COMPARISONS)} {self.integer(depth)}"

    def double(self, depth=2):
        """At most 2^33 or so: its conversion to long is defined."""
        draw = self.random
        if depth == 0 or draw.random() < 0.2:
            place = self.pick("double")
            if place and draw.random() < 0.8:
                return place.text
            place = self.pick("integer")
            if place and place.type in SMALL:
                return f"(double){place.text}"
            return f"{draw.randrange(0, 64) / 4}"
        form = draw.randrange(4)
        if form == 0:
            return f"(double)({self.integer(depth - 1)} & 1023)"
        if form == 1:
            return f"({self.double(depth - 1)} - {self.double(depth - 1)}) * 0.5"
        if form == 2:
            return f"({self.condition(0)} ? {self.double(depth - 1)} : {self.double(depth - 1)})"
        return f"({self.double(depth - 1)} * 0.5 + {self.double(depth - 1)} * 0.25)"

    def of_type(self, kind, depth=2):
        """Of a type: an expression that can be assigned to it."""
        if kind.kind == "integer":
            return f"({kind.name})({self.integer(depth)})"
        if kind.kind == "double":
            return self.double(depth)
        wholes = [p for p in self.places("struct") if p.type is kind and p.readable()]
        if wholes and self.random.random() < 0.7:
            return self.random.choice(wholes).text
        return f"({kind.name}){self.initializer(kind)}"

    def initializer(self, kind, depth=1):
        """What stands behind `=` in a declaration."""
        if kind.kind != "struct":
            return self.of_type(kind, depth)
        parts = [f"{access} = {self.of_type(member, 0)}" for access, member in kind.members]
        return "{" + ", ".join(parts) + "}"

    def digest(self, places):
        """A number of type u64 that depends on all these scalars."""
        text = "1"
        for place in places:
            if place.type.kind == "double":
                text = f"mix({text}, bits({place.text}))"
            else:
                text = f"mix({text}, (u64){place.text})"
        return text
