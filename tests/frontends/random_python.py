"""Random Python programs of the subset that `from_python` takes, and CPython as their judge.

Programs are text: a few helper functions and a function `f` that calls them. They end soon (loops have small
ranges or a counter of their own) and their ints stay small, but they print, divide by zero, shift by negative
counts, have ranges with a step of 0, and read variables that were never assigned.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

HELPERS = """
def scale(a, b):
    print(a, b)
    return a * 2 - b

def sign(a):
    if a < 0:
        return -1
    elif a == 0:
        return 0
    return 1

def half(x: float) -> float:
    return x / 2

def close(x: float, y: float):
    return -1 < x - y < 1

def total(n):
    return 0 if n <= 0 else n + total(n - 1)

def note(a, ok: bool):
    if ok:
        print(a)
        return
    print(a, ok)
"""
INT_CALLS = ("scale({int}, {int})", "sign({int})", "total({int} % 6)")
PARAMS = {"a": "int", "b": "int", "flag": "bool", "x": "float"}
VARIABLES = {
    "int": ["a", "b", "m", "n", "k", "load"],
    "bool": ["flag", "ok", "p"],
    "float": ["x", "y", "store"],
}
HEAD = "def f(a, b: int, flag: bool, x: float):"


@dataclass
class Maker:
    """Write one random program; `made` counts the constructs used."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    loops: int = 0
    counters: int = 0
    used: set[str] = field(default_factory=set)
    made: dict[str, int] = field(default_factory=dict)

    def program(self) -> str:
        rng = self.rng
        # Most functions start with all variables assigned, some read what may have no value.
        if rng.random() < 0.8:
            for kind, names in VARIABLES.items():
                for name in names:
                    if name not in PARAMS:
                        self.line(1, f"{name} = {self.literal(kind)}")
        self.suite(1, rng.randrange(3, 8), loop_depth=0)
        for names in VARIABLES.values():
            for name in names:
                if name not in PARAMS and name in self.used and rng.random() < 0.5:
                    self.line(1, f"print({name})")
        result = rng.choice(("int", "bool", "float"))
        self.line(1, f"return {self.expression(result, 2)}")
        self.declare()
        body = "\n".join(self.lines).replace("RESULT", "0" if result == "int" else self.literal(result))
        called = [h for h in HELPERS.split("\n\n") if f"{h.split('(')[0].split()[-1]}(" in body]
        return "\n\n".join([*called, f"{HEAD}\n{body}\n"])

    def declare(self) -> None:
        for kind, names in VARIABLES.items():
            for name in names:
                if name not in PARAMS and name in self.used:
                    self.line(1, f"{name} = {self.literal(kind)}")  # after the return: never runs

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def note(self, construct: str) -> None:
        self.made[construct] = self.made.get(construct, 0) + 1

    # --- statements

    def suite(self, depth: int, length: int, loop_depth: int) -> None:
        for _ in range(length):
            self.statement(depth, loop_depth)

    def statement(self, depth: int, loop_depth: int) -> None:
        rng = self.rng
        roll = rng.random()
        if depth < 5 and roll < 0.2:
            self.if_(depth, loop_depth)
        elif depth < 4 and loop_depth < 3 and roll < 0.42:
            (self.for_ if rng.random() < 0.65 else self.while_)(depth, loop_depth)
        elif roll < 0.52:
            kinds = [rng.choice(list(VARIABLES)) for _ in range(rng.randrange(1, 4))]
            self.line(depth, f"print({', '.join(self.expression(k, 2) for k in kinds)})")
        elif roll < 0.6:
            self.swap(depth)
        elif roll < 0.7:
            self.augmented(depth)
        elif roll < 0.74:
            self.line(depth, f"note({self.expression('int', 1)}, {self.expression('bool', 1)})")
        elif roll < 0.76:
            self.line(depth, self.rng.choice(("pass", "...", self.expression("int", 2))))
        elif loop_depth and roll < 0.84:
            word = rng.choice(("break", "continue"))
            self.note(word)
            if rng.random() < 0.8:
                self.line(depth, f"if {self.condition(2)}: {word}")
            else:
                self.line(depth, word)
        elif roll < 0.86:
            self.line(depth, f"if {self.condition(1)}: return RESULT")
        else:
            kind = rng.choice(list(VARIABLES))
            name = self.target(kind)
            declared = f": {kind}" if rng.random() < 0.15 and name not in PARAMS else ""
            self.line(depth, f"{name}{declared} = {self.expression(kind, 3)}")

    def if_(self, depth: int, loop_depth: int) -> None:
        self.note("if")
        self.line(depth, f"if {self.condition(2)}:")
        self.suite(depth + 1, self.rng.randrange(1, 3), loop_depth)
        if self.rng.random() < 0.3:
            self.note("elif")
            self.line(depth, f"elif {self.condition(2)}:")
            self.suite(depth + 1, self.rng.randrange(1, 3), loop_depth)
        if self.rng.random() < 0.5:
            self.line(depth, "else:")
            self.suite(depth + 1, self.rng.randrange(1, 3), loop_depth)

    def for_(self, depth: int, loop_depth: int) -> None:
        rng = self.rng
        self.note("for")
        name = self.target("int")
        shape = rng.randrange(7)
        if shape == 0:
            arguments = self.small()
        elif shape == 1:
            arguments = f"{self.small()}, {self.small()}"
        elif shape == 2:
            arguments = f"{self.small()}, {self.small()}, {rng.choice((1, 2, 3, -1, -2))}"
        elif shape == 3:
            self.note("any step")
            arguments = (
                f"{self.small()}, {self.small()}, {self.expression('int', 1)} % 5 - {rng.choice((2, 6))}"
            )
        elif shape == 4:
            arguments = f"{rng.randrange(4)}"
        elif shape == 5:
            self.note("any step")
            arguments = f"{rng.randrange(5, 9)}, -1, {self.target('int', of=self.reads('int'))} % 5 - 5"
        else:
            arguments = f"{rng.randrange(-2, 3)}, {self.small()}"
        self.line(depth, f"for {name} in range({arguments}):")
        self.suite(depth + 1, rng.randrange(1, 4), loop_depth + 1)
        self.loop_else(depth, loop_depth)

    def while_(self, depth: int, loop_depth: int) -> None:
        self.note("while")
        self.counters += 1
        counter = f"w{self.counters}"
        self.line(depth, f"{counter} = 0")
        if self.rng.random() < 0.25:
            self.note("while True")
            self.line(depth, f"while {self.rng.choice(('True', '1'))}:")
            self.line(depth + 1, f"{counter} += 1")
            self.line(depth + 1, f"if {counter} > 4: break")
        else:
            test = f"{counter} < 5"
            self.line(depth, f"while {self.rng.choice((test, f'{test} and {self.condition(1)}'))}:")
            self.line(depth + 1, f"{counter} += 1")
        self.suite(depth + 1, self.rng.randrange(1, 4), loop_depth + 1)
        self.loop_else(depth, loop_depth)

    def loop_else(self, depth: int, loop_depth: int) -> None:
        if self.rng.random() < 0.35:
            self.note("loop else")
            self.line(depth, "else:")
            self.suite(depth + 1, self.rng.randrange(1, 3), loop_depth)

    def swap(self, depth: int) -> None:
        self.note("parallel")
        count = self.rng.randrange(2, 4)
        kinds = [self.rng.choice(list(VARIABLES)) for _ in range(count)]
        kinds = kinds if self.rng.random() < 0.3 else [kinds[0]] * count
        names = [self.target(k) for k in kinds]
        values = [self.name(k) if self.rng.random() < 0.7 else self.expression(k, 1) for k in kinds]
        if self.rng.random() < 0.3 and len(set(kinds)) == 1:
            self.line(depth, f"{names[0]} = {names[1]} = {self.expression(kinds[0], 2)}")
        else:
            # One name twice, as in `a, b, b = …`, is stored in the wrong order by CPython 3.11.0 to 3.11.3.
            once = dict(zip(names, values, strict=True))
            self.line(depth, f"{', '.join(once)} = {', '.join(once.values())}")

    def augmented(self, depth: int) -> None:
        kind = self.rng.choice(("int", "int", "float", "bool"))
        ops = {
            "int": ("+", "-", "&", "|", "^", "+", "//", "%"),
            "float": ("+", "-", "*", "/"),
            "bool": ("&", "|", "^"),
        }
        op = self.rng.choice(ops[kind])
        self.line(depth, f"{self.target(kind, of=self.reads(kind))} {op}= {self.expression(kind, 2)}")

    # --- expressions

    def reads(self, kind: str) -> list[str]:
        return VARIABLES[kind]

    def name(self, kind: str) -> str:
        name = self.rng.choice(VARIABLES[kind])
        self.used.add(name)
        return name

    def target(self, kind: str, of: list[str] | None = None) -> str:
        name = self.rng.choice(of or VARIABLES[kind])
        self.used.add(name)
        return name

    def literal(self, kind: str) -> str:
        if kind == "int":
            return str(self.rng.choice((0, 1, 2, 3, 7, -1, -2, 10, 2**40)))
        if kind == "bool":
            return self.rng.choice(("True", "False"))
        return self.rng.choice(("0.0", "1.0", "0.5", "-2.5", "1e300", "-0.0", "3.25"))

    def small(self) -> str:
        return f"{self.expression('int', 1)} % 6"

    def condition(self, depth: int) -> str:
        kind = self.rng.choice(("bool", "bool", "bool", "int", "float"))
        return self.expression(kind, depth)

    def expression(self, kind: str, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.25:
            return self.name(kind) if self.rng.random() < 0.7 else self.literal(kind)
        return {"int": self.int_expression, "bool": self.bool_expression, "float": self.float_expression}[
            kind
        ](depth - 1)

    def shared(self, kind: str, depth: int) -> str | None:
        """Forms that exist for every type: `a if c else b`, `a and b`, `a or b`."""
        roll = self.rng.random()
        if roll < 0.1:
            self.note("if expression")
            return f"({self.expression(kind, depth)} if {self.condition(depth)} else {self.expression(kind, depth)})"
        if roll < 0.2:
            self.note("and/or value")
            parts = [self.expression(kind, depth) for _ in range(self.rng.randrange(2, 4))]
            word = self.rng.choice((" and ", " or "))
            return f"({word.join(parts)})"
        return None

    def int_expression(self, depth: int) -> str:
        shared = self.shared("int", depth)
        if shared:
            return shared
        a, b = self.expression("int", depth), self.expression("int", depth)
        roll = self.rng.random()
        if roll < 0.4:
            return f"({a} {self.rng.choice(('+', '-', '&', '|', '^', '+', '-', '//', '%'))} {b})"
        if roll < 0.5:
            return (
                f"({a} {self.rng.choice(('//', '%'))} ({b} {self.rng.choice(('% 5 + 1', '| 1', '% 5 - 6'))}))"
            )
        if roll < 0.6:
            return f"({a} * {b}) % 1009"
        if roll < 0.68:
            return f"(({a} {self.rng.choice(('<<', '>>'))} ({b} % 40 - 1)) % 997)"
        if roll < 0.76:
            return f"{self.rng.choice('-~+')}{a}" if not a.startswith("-") else f"-({a})"
        if roll < 0.82:
            return f"({a} % 100) ** {self.rng.randrange(4)}"
        self.note("call")
        return self.call(a, b)

    def call(self, a: str, b: str) -> str:
        shape = self.rng.choice(INT_CALLS)
        return shape.replace("{int}", a, 1).replace("{int}", b, 1)

    def bool_expression(self, depth: int) -> str:
        shared = self.shared("bool", depth)
        if shared:
            return shared
        roll = self.rng.random()
        if roll < 0.35:
            kind = self.rng.choice(("int", "float"))
            sign = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
            return f"({self.expression(kind, depth)} {sign} {self.expression(kind, depth)})"
        if roll < 0.55:
            self.note("chain")
            kind = self.rng.choice(("int", "float"))
            text = self.expression(kind, depth)
            for _ in range(self.rng.randrange(2, 4)):
                text += f" {self.rng.choice(('<', '<=', '>', '!=', '=='))} {self.expression(kind, depth)}"
            return f"({text})"
        if roll < 0.7:
            return f"(not {self.condition(depth)})"
        if roll < 0.85:
            a, b = self.expression("bool", depth), self.expression("bool", depth)
            return f"({a} {self.rng.choice(('&', '|', '^', '==', '!='))} {b})"
        return f"close({self.expression('float', depth)}, {self.expression('float', depth)})"

    def float_expression(self, depth: int) -> str:
        shared = self.shared("float", depth)
        if shared:
            return shared
        a, b = self.expression("float", depth), self.expression("float", depth)
        roll = self.rng.random()
        if roll < 0.5:
            return f"({a} {self.rng.choice(('+', '-', '*', '+', '-', '/', '//', '%'))} {b})"
        if roll < 0.6:
            return f"({a} {self.rng.choice(('/', '//', '%'))} ({b} * {b} + 0.5))"
        if roll < 0.75:
            literal = self.rng.choice((0, 1, 2, 3))
            op = self.rng.choice("+-*/")
            return f"({a} {op} {literal})" if self.rng.random() < 0.5 else f"({literal} {op} {a})"
        if roll < 0.85:
            return f"-({a})"
        return f"half({a})"


def random_program(seed: int) -> tuple[str, dict[str, int]]:
    """Return a program's text, and how often each construct stands in it."""
    maker = Maker(random.Random(seed))
    return maker.program(), maker.made


def random_arguments(seed: int) -> tuple[Any, ...]:
    """Return arguments for its `f`."""
    rng = random.Random(seed)
    return (
        rng.choice((0, 1, -3, 5, 12, 10**20)),
        rng.randrange(-4, 9),
        rng.random() < 0.5,
        rng.choice((0.0, -0.0, 1.5, -2.0, 1e308, float("inf"))),
    )


def cpython(text: str, function: str, args: tuple[Any, ...]) -> tuple[Any, list[tuple[Any, ...]], str | None]:
    """Run a program in CPython: the value, what was printed, and the reason of a trap."""
    printed: list[tuple[Any, ...]] = []
    scope: dict[str, Any] = {"print": lambda *values: printed.append(values)}
    exec(compile(text, "<random>", "exec"), scope)
    try:
        return scope[function](*args), printed, None
    except ZeroDivisionError:
        return None, printed, "division by zero"
    except UnboundLocalError:
        return None, printed, "undef"
    except ValueError as error:
        return None, printed, "shift by" if "shift" in str(error) else str(error)  # a range with step 0
