# SPDX-License-Identifier: MIT
"""Calls of generated C++ procedures: callees and arguments of all kinds."""

from cxx_values import COPIED, GENERIC, INTEGERS, OBJECT, READ, WRITTEN


class Calls:
    """Writes calls for a body. What an argument lets the callee do is noted in the variables."""

    def __init__(self, body):
        self.body = body
        self.random = body.random
        self.moved, self.has_read = [], False

    def choose(self, accept=lambda p: True):
        fitting = [p for p in self.body.procedures
                   if accept(p) and (not p.may_throw or self.body.may_throw)
                   and (p.has_fuel or self.body.procedure.has_fuel)]
        return self.random.choice(fitting) if fitting else None

    def instance(self, procedure):
        """The type that stands for a template's T in a call."""
        if procedure.shape != "template":
            return None
        generic = self.body.generic()
        if generic and self.random.random() < 0.6:
            return generic
        return self.random.choice(COPIED)

    def result_of(self, procedure, instance):
        return instance if procedure.result is GENERIC else procedure.result

    def call(self, procedure, instance):
        """(declarations before, the call), or None if there is nothing to pass."""
        places = {}
        may_risk = self.body.may_throw and procedure.shape != "constructor" and \
            not self.body.is_pinned()
        order = sorted(range(len(procedure.parameters)),
                       key=lambda i: ("out", "place", "moved", "shared", "value").index(
                           procedure.parameters[i].how))
        self.moved, self.has_read = [], False
        for i in order:
            p = procedure.parameters[i]
            type = instance if p.type is GENERIC else p.type
            text = self.argument(p, type, p.type is GENERIC)
            if text is None:
                return None
            places[i] = text
        for v in self.moved:
            v.is_dead = True
        texts = [places[i] for i in range(len(places))]
        if may_risk and not self.body.is_pinned() and self.random.random() < 0.4:
            for i, p in enumerate(procedure.parameters):
                if p.how == "value" and texts[i].startswith("of<"):
                    texts[i] = texts[i].replace("(", "(risky(", 1) + ")"
                    break
        return self.callee(procedure, instance, texts)

    def argument(self, p, type, is_exact):
        body = self.body
        if p.how in ("out", "place"):
            found = body.writable(lambda v: v.type is type and not v.elements)
            if not found:
                return None
            v = self.random.choice(found)
            v.state = WRITTEN
            return f"&{v.name}" if p.how == "place" else v.name
        with body.hiding(self.moved):
            # What an argument moves is not read by another one of the same call.
            if p.how in ("moved", "value") and not self.has_read:
                found = body.writable(lambda v: v.type is type and v.type.is_class
                                      and not v.elements and not v.type.is_generic)
                if found and self.random.random() < 0.4:
                    v = self.random.choice(found)
                    self.moved.append(v)
                    if p.how == "moved":
                        v.state = WRITTEN
                    return f"std::move({v.name})"
            found = body.readable(lambda v: v.type is type and not v.elements)
            if p.how == "shared" and found and self.random.random() < 0.8:
                v = self.random.choice(found)
                body.occupy(v, READ)
                return v.name
            self.has_read = True
            return self.expression(p, type, is_exact, found)

    def expression(self, p, type, is_exact, found):
        """An argument that is evaluated before the call: by value, or a temporary."""
        body = self.body
        if p.how == "value":
            if found and type.is_copied and self.random.random() < 0.6:
                return self.random.choice(found).name
            others = body.readable(lambda v: v.type in INTEGERS and not v.elements)
            if others and type in INTEGERS and not is_exact and self.random.random() < 0.3:
                return self.random.choice(others).name
        if p.how != "moved" and type is OBJECT and not is_exact and self.random.random() < 0.3:
            number = body.number(1)
            return self.random.choice((f"derived({number})", number))
        return body.value(type)

    def callee(self, procedure, instance, arguments):
        draw = self.random
        if procedure.has_fuel:
            arguments = ["fuel - 1", *arguments]
        list_ = ", ".join(arguments)
        shape = procedure.shape
        name = procedure.name
        if shape == "template":
            must_name = procedure.result is GENERIC or draw.random() < 0.5
            return "", f"{name}<{instance.name}>({list_})" if must_name else f"{name}({list_})"
        if shape == "function":
            form = draw.random()
            if form < 0.15:
                pointer = self.body.new_name("call")
                types = ", ".join(["int"] + [p.text().rsplit(p.name, 1)[0]
                                             for p in procedure.parameters])
                before = f"{procedure.result_text()} (*{pointer})({types}) = {name};"
                if draw.random() < 0.3:
                    return before, f"(*{pointer})({list_})"
                return before, f"{pointer}({list_})"
            if form < 0.3:
                return "", self.through_lambda(procedure, arguments)
            return "", f"{name}({list_})"
        if shape == "operator":
            return "", f"{procedure.host}{{object({self.body.number(1)})}} << {list_}"
        if shape == "constructor":
            return "", f"{procedure.result.name}({list_})"
        host = procedure.host
        objects = (f"{host}({self.body.number(1)})", f"{name}_global", f"{name}_global")
        object_ = draw.choice(objects)
        if shape == "functor":
            return "", f"{object_}({list_})"
        if shape == "static_method" and draw.random() < 0.6:
            return "", f"{host}::run({list_})"
        if shape != "static_method" and draw.random() < 0.3:
            if object_ == objects[1] and draw.random() < 0.5:
                return "", f"((&{object_})->*&{host}::run)({list_})"
            return "", f"({object_}.*&{host}::run)({list_})"
        if object_ == objects[1] and draw.random() < 0.4:
            return "", f"(&{object_})->run({list_})"
        return "", f"{object_}.run({list_})"

    def through_lambda(self, procedure, arguments):
        """A lambda with the procedure's parameters, which calls it."""
        names = []
        for p in procedure.parameters:
            is_moved = p.how == "moved" or (p.how == "value" and not p.type.is_copied)
            names.append(f"std::move({p.name})" if is_moved else p.name)
        inner = ", ".join(["fuel", *names])
        return f"[]({procedure.parameters_text()}) {{ return {procedure.name}({inner}); }}" \
               f"({', '.join(arguments)})"
