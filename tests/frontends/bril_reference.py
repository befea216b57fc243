"""Bril as its language reference has it: a slow interpreter of Bril's JSON objects, written for the tests alone.

It walks the list of instructions as it stands, knows nothing of blocks, graphs or our operators, and is the oracle for what
`from_bril`, all that comes after it, and `to_bril` make of a program. The SSA forms are executed as the reference says: `set` writes
a shadow variable, `get` reads it; a `phi` looks at the label before the last one.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


class Stopped(Exception):
    """A run-time error of the program."""


class Undefined(Stopped):
    """A variable is read that has no value, or an undef one."""


UNDEF = object()


def wrap(n: int) -> int:
    return (n + 2**63) % 2**64 - 2**63


def divide(a: int, b: int) -> int:
    if b == 0:
        raise Stopped("division by zero")
    return wrap(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def fdivide(a: float, b: float) -> float:
    try:
        return a / b
    except ZeroDivisionError:
        return (
            math.nan
            if a == 0 or a != a
            else math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))
        )


OPERATIONS: dict[str, Any] = {
    "add": lambda a, b: wrap(a + b),
    "sub": lambda a, b: wrap(a - b),
    "mul": lambda a, b: wrap(a * b),
    "div": divide,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "fadd": lambda a, b: a + b,
    "fsub": lambda a, b: a - b,
    "fmul": lambda a, b: a * b,
    "fdiv": fdivide,
    "char2int": ord,
    "int2char": chr,
}
for _prefix in ("", "f", "c"):
    OPERATIONS |= {
        f"{_prefix}eq": lambda a, b: a == b,
        f"{_prefix}lt": lambda a, b: a < b,
        f"{_prefix}le": lambda a, b: a <= b,
        f"{_prefix}gt": lambda a, b: a > b,
        f"{_prefix}ge": lambda a, b: a >= b,
    }


def fixed(value: float) -> str:
    """Seventeen decimals, halves away from zero, by whole numbers alone."""
    over, under = abs(value).as_integer_ratio()
    digits = str((2 * over * 10**17 + under) // (2 * under)).rjust(18, "0")
    return ("-" if math.copysign(1, value) < 0 else "") + f"{digits[:-17]}.{digits[-17:]}"


def exponential(value: float) -> str:
    """One digit, seventeen decimals and the exponent, halves away from zero."""
    over, under = abs(value).as_integer_ratio()
    power = next(p for p in range(-325, 310) if over < under * Fraction(10) ** (p + 1))
    digits = str(math.floor(Fraction(over, under) / Fraction(10) ** (power - 17) + Fraction(1, 2)))
    if len(digits) == 19:  # rounded up to the next power of ten
        digits, power = digits[:-1], power + 1
    return f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:]}e{'-' if power < 0 else '+'}{abs(power)}"


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        large = value != 0 and abs(math.log10(abs(value))) >= 10
        return exponential(value) if large else fixed(value)
    return f"ptr+{value[1]}" if isinstance(value, tuple) else str(value)


class Frame:
    def __init__(self, function: dict[str, Any], values: list[Any]) -> None:
        self.function = function
        self.instrs = function["instrs"]
        self.env = dict(zip([p["name"] for p in function.get("args", [])], values, strict=True))
        self.shadow: dict[str, Any] = {}
        self.at = 0
        self.labels: list[str] = []
        self.places = {item["label"]: i for i, item in enumerate(self.instrs) if "label" in item}
        self.dest: str | None = None


class Machine:
    """Run a program. Afterwards: `text` printed, `count` of instructions, `heap` still allocated, `error` or None."""

    def __init__(self, program: dict[str, Any], args: list[Any], most: int = 10_000_000) -> None:
        self.functions = {f["name"]: f for f in program["functions"]}
        self.lines: list[str] = []
        self.count = 0
        self.heap: dict[int, dict[int, Any]] = {}
        self.sizes: dict[int, int] = {}
        self.allocated = 0
        self.error: str | None = None
        self.undefined = False
        try:
            self.run(args, most)
        except Stopped as stop:
            self.error = str(stop)
            self.undefined = isinstance(stop, Undefined)
        self.text = "".join([f"{line}\n" for line in self.lines])

    def run(self, args: list[Any], most: int) -> None:
        frames = [Frame(self.functions["main"], args)]
        while frames:
            frame = frames[-1]
            if frame.at == len(frame.instrs):
                self.back(frames, None)
                continue
            item = frame.instrs[frame.at]
            frame.at += 1
            if "label" in item:
                frame.labels.append(item["label"])
                continue
            self.count += 1
            if self.count > most:
                raise Stopped("too long")
            op = item["op"]
            if op == "ret":
                self.back(frames, *[self.value(frame, a) for a in item.get("args", [])] or [None])
            elif op == "call":
                frame.dest = item.get("dest")
                values = [self.value(frame, a) for a in item.get("args", [])]
                frames.append(Frame(self.functions[item["funcs"][0]], values))
            else:
                self.step(frame, item)

    def back(self, frames: list[Frame], value: Any) -> None:
        frames.pop()
        if frames and frames[-1].dest is not None:
            if value is None:
                raise Stopped("no value returned")
            frames[-1].env[frames[-1].dest] = value

    def value(self, frame: Frame, name: str) -> Any:
        value = frame.env.get(name, UNDEF)
        if value is UNDEF:
            raise Undefined(f"undefined variable {name}")
        return value

    def cells(self, pointer: Any) -> dict[int, Any]:
        if pointer[0] not in self.heap or not 0 <= pointer[1] < self.sizes[pointer[0]]:
            raise Stopped("illegal memory location")
        return self.heap[pointer[0]]

    def step(self, frame: Frame, item: dict[str, Any]) -> None:
        op, dest, names = item["op"], item.get("dest", ""), item.get("args", [])
        env = frame.env
        if op == "const":
            value = item["value"]
            env[dest] = float(value) if item.get("type") == "float" else value
        elif op == "undef":
            env[dest] = UNDEF
        elif op == "get":
            env[dest] = frame.shadow.get(dest, UNDEF)
        elif op == "set":
            frame.shadow[names[0]] = env.get(names[1], UNDEF)
        elif op == "phi":
            before = frame.labels[-2]
            env[dest] = UNDEF
            if before in item["labels"]:
                env[dest] = env.get(names[item["labels"].index(before)], UNDEF)
        elif op == "id":
            env[dest] = env.get(names[0], UNDEF)
        elif op == "jmp":
            frame.at = frame.places[item["labels"][0]]
        else:
            args = [self.value(frame, name) for name in names]
            if op == "br":
                frame.at = frame.places[item["labels"][0 if args[0] else 1]]
            elif op == "print":
                self.lines.append(" ".join([shown(a) for a in args]))
            elif op == "alloc":
                if args[0] <= 0:
                    raise Stopped("alloc of nothing")
                self.allocated += 1
                self.heap[self.allocated], self.sizes[self.allocated] = {}, args[0]
                env[dest] = (self.allocated, 0)
            elif op == "free":
                if args[0][0] not in self.heap or args[0][1] != 0:
                    raise Stopped("illegal free")
                del self.heap[args[0][0]]
            elif op == "store":
                self.cells(args[0])[args[0][1]] = args[1]
            elif op == "load":
                env[dest] = self.cells(args[0]).get(args[0][1], UNDEF)
            elif op == "ptradd":
                env[dest] = (args[0][0], args[0][1] + args[1])
            elif op != "nop":
                env[dest] = OPERATIONS[op](*args)
