# SPDX-License-Identifier: MIT
"""Types, variables and procedures of generated C++ programs."""

FREE, READ, WRITTEN = range(3)  # what children do to a variable until the next sync
ELEMENTS = 4  # of an array


class Type:
    def __init__(self, name, is_class=False, is_copied=True, is_generic=False):
        self.name = name
        self.is_class = is_class  # has a destructor
        self.is_copied = is_copied
        self.is_generic = is_generic


U64 = Type("u64")
INT = Type("int")
BYTE = Type("unsigned char")
SMALL = Type("small")
BIG = Type("big")
BITS = Type("bits")
OBJECT = Type("object", is_class=True)
FIXED = Type("fixed", is_class=True)
UNIQUE = Type("unique", is_class=True, is_copied=False)
GENERIC = Type("T", is_class=True, is_generic=True)
INTEGERS = [U64, INT, BYTE]
COPIED = [U64, INT, BYTE, SMALL, BIG, OBJECT, FIXED]
TYPES = [U64, U64, INT, BYTE, SMALL, BIG, BITS, OBJECT, OBJECT, FIXED, UNIQUE]


class Variable:
    """`level`: of the region that declares it. `elements`: of an array, 0 for any other."""

    def __init__(self, name, type, level, elements=0, is_fixed=False, is_local=True):
        self.name = name
        self.type = type
        self.level = level
        self.elements = elements
        self.is_fixed = is_fixed  # cannot be changed
        self.has_destructor = type.is_class and is_local
        self.waits = False  # its destructor waits for the child that makes it
        self.is_dead = False  # was moved
        self.state = FREE

    def is_readable(self):
        return self.state != WRITTEN and not self.is_dead


class Parameter:
    """`how`: "value", "shared" (const &), "moved" (&&), "out" (&) or "place" (*)."""

    def __init__(self, name, type, how):
        self.name = name
        self.type = type
        self.how = how

    def text(self):
        shapes = {"value": "{} {}", "shared": "const {} &{}", "moved": "{} &&{}", "out": "{} &{}",
                  "place": "{} *{}"}
        return shapes[self.how].format(self.type.name, self.name)


SHAPES = ("function", "function", "function", "template", "template", "method", "const_method",
          "virtual", "static_method", "functor", "operator", "constructor")


class Procedure:
    """`shape`: one of SHAPES. A method is one of the class NAME_host."""

    def __init__(self, name, shape, result, parameters, may_throw):
        self.name = name
        self.shape = shape
        self.result = result  # None: void
        self.parameters = parameters
        self.may_throw = may_throw

    @property
    def has_fuel(self):
        return self.shape != "operator"

    @property
    def host(self):
        return f"{self.name}_host"

    def is_method(self):
        return self.shape in ("method", "const_method", "virtual", "static_method", "functor")

    def parameters_text(self):
        fuel = ["int fuel"] if self.has_fuel else []
        return ", ".join(fuel + [p.text() for p in self.parameters])

    def result_text(self):
        return self.result.name if self.result else "void"

    def plain_head(self):
        return f"{self.result_text()} {self.name}({self.parameters_text()})"

    def declaration(self):
        """Before all definitions."""
        list_ = self.parameters_text()
        result = self.result_text()
        if self.shape == "function":
            return f"static {self.plain_head()};"
        if self.shape == "template":
            return f"template <class T> {self.plain_head()};"
        if self.shape == "operator":
            return f"struct {self.host} {{ object o; }};\n" \
                   f"static {result} operator<<({self.host} &&self, {list_});"
        if self.shape == "constructor":
            return f"struct {self.result.name} {{ u64 made; object also; " \
                   f"{self.result.name}({list_}); }};\n" \
                   f"static inline u64 d(const {self.result.name} &o) " \
                   "{ return mix(o.made, d(o.also)); }"
        name = "operator()" if self.shape == "functor" else "run"
        before = {"virtual": "virtual ", "static_method": "static "}.get(self.shape, "")
        after = " const" if self.shape in ("const_method", "functor") else ""
        return f"struct {self.host} {{ object o; explicit {self.host}(u64 n) : o(n) {{}} " \
               f"{before}{result} {name}({list_}){after}; }};\nstatic {self.host} {self.name}_global(9);"

    def head(self):
        """Of the definition."""
        list_ = self.parameters_text()
        result = self.result_text()
        if self.shape == "function":
            return f"static {self.plain_head()}"
        if self.shape == "template":
            return f"template <class T> {self.plain_head()}"
        if self.shape == "operator":
            return f"static {result} operator<<({self.host} &&self, {list_})"
        if self.shape == "constructor":
            return f"{self.result.name}::{self.result.name}({list_})"
        name = "operator()" if self.shape == "functor" else "run"
        after = " const" if self.shape in ("const_method", "functor") else ""
        return f"{result} {self.host}::{name}({list_}){after}"


def random_procedure(draw, name, may_throw):
    shape = draw.choice(SHAPES)
    types = TYPES
    if shape == "template":
        types = [GENERIC, GENERIC, *TYPES]
    result = draw.choice([None, *types, *types])
    count = draw.randrange(1, 4)
    parameters = []
    if shape == "template":
        parameters.append(Parameter("a0", GENERIC, "shared"))  # tells T
    if shape == "operator":
        count = 1
    if shape == "constructor":
        result = Type(f"{name}_made", is_class=True)
    for i in range(len(parameters), count):
        type = draw.choice(types)
        how = draw.choice(("value", "value", "value", "shared", "moved", "out", "out", "place"))
        parameters.append(Parameter(f"a{i}", type, how))
    return Procedure(name, shape, result, parameters, may_throw)
