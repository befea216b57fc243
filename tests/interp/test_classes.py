"""The classes of variables that let the machine skip looking at every step: never wrong, and found where it counts."""

from __future__ import annotations

import pytest

from ssawidgets.frontends import from_python
from ssawidgets.interp import classes, run
from ssawidgets.interp.classes import Several, class_of, register_classes
from ssawidgets.interp.prepare import SURE, Prepared
from ssawidgets.ir import Block, Const, Func, Instr, Target, Term, parse
from ssawidgets.opt.operators import CLASS_OF, Pointer
from ssawidgets.ssa import to_ssa
from tests.programs import random_programs


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("e:\n  x = 1\n  y = x + n\n  c = x < y", {"x": int, "y": int, "c": bool}),
        ("e:\n  x = 1\n  x = 1.5\n  y = x + 1", {"x": Several, "y": Several}),
        ("e:\n  x = n / 2\n  y = 1.5\n  z = y * y", {"x": int, "y": float, "z": float}),
        ("e:\n  x = load p\n  y = f(x)", {"x": Several, "y": Several}),
        (
            "e:\n  p = alloc 1\n  q = ptradd p, 1\n  r = ?\n  s = ?: bool",
            {"p": Pointer, "q": Pointer, "r": int, "s": bool},
        ),
        ("e:\n  x = undef\n  y = x\n  z = never + 1", {"x": None, "y": None, "z": int}),
        ("e:\n  goto h(1)\nh(i):\n  j = i + 1\n  goto h(j)", {"i": int, "j": int}),
        ("e:\n  goto h(1)\nh(i):\n  j = i < 1\n  goto h(j)", {"i": Several, "j": Several}),
        (
            "e:\n  c = int2char n\n  i = char2int c\n  d = c < c\n  m = -i\n  o = !d",
            {"c": str, "i": int, "d": bool, "m": int, "o": bool},
        ),
        ("e:\n  x = 1 + 1.5", {"x": Several}),
        ("e:\n  x = true + true", {"x": Several}),
    ],
)
def test_classes(body, wanted):
    found = register_classes(parse(f"func f(n):\n{body}"))
    assert {name: found.get(name) for name in wanted} == wanted
    assert found["n"] is int


def sure_steps(func: Func) -> int:
    prepared = Prepared(func, {})
    return sum(step[0] == SURE for step in prepared.start.steps)


def test_operators_are_chosen_beforehand_where_the_classes_are_known():
    assert sure_steps(parse("func f(n):\ne:\n  x = n + 1\n  y = x * x\n  c = x < y\n  d = y & 3")) == 4
    assert sure_steps(parse("func f(n):\ne:\n  x = n == 1\n  y = n / 2\n  z = n << 1")) == 0
    assert sure_steps(parse("func f(n):\ne:\n  x = g(n)\n  y = x + 1")) == 0


@pytest.mark.parametrize(
    "op", ["+", "-", "*", "<", "<=", ">", ">=", "&", "|", "^", "==", "!=", "/", "%", "//", "%%", "<<", ">>"]
)
@pytest.mark.parametrize("ints", ["", " ints=python"])
@pytest.mark.parametrize("side", ["x {} n", "n {} x", "x {} x"])
def test_undef_still_traps_where_the_class_is_known(op, ints, side):
    # x is an int wherever it has a value, but has none on this path
    f = parse(
        f"func f(n){ints}:\ne:\n  if n goto a else b\na:\n  x = 1\n  goto b\nb:\n  y = {side.format(op)}\n  use y\n  return 5"
    )
    assert run(f, (0,)).trap == f"x is undef where {op} reads it in block b, line 8"
    assert run(f, (0,)).steps == 2
    assert run(f, (2,)).value == 5


def test_a_type_error_of_our_own_is_not_taken_for_undef(monkeypatch):
    def broken(*_):
        raise TypeError("a mistake in the interpreter")

    monkeypatch.setattr("ssawidgets.interp.machine.printed_line", broken)
    with pytest.raises(TypeError, match="a mistake in the interpreter"):
        run(from_python("def f(n):\n    print(n)"), (1,))


def chain(n: int, first: Instr, *more: Block) -> Func:
    """Blocks b0, b1, … with v1 = v0, v2 = v1, …, of which all but the first stand in reverse order."""

    def block(i: int) -> Block:
        instr = first if i == 0 else Instr(f"v{i}", "copy", (f"v{i - 1}",))
        term = Term("jump", (), (Target(f"b{i + 1}"),)) if i < n else Term("return", (f"v{n}",))
        return Block(f"b{i}", (), (instr,), term)

    return Func("f", (), tuple([block(i) for i in (0, *range(n, 0, -1))]) + more)


@pytest.mark.parametrize("twice", [False, True])
def test_a_chain_against_the_order_of_the_text_takes_linear_work(monkeypatch, twice):
    looks = 0

    def counted(instr, classes):
        nonlocal looks
        looks += 1
        return result(instr, classes)

    result = classes._result
    monkeypatch.setattr(classes, "_result", counted)
    n = 20_000
    first = Instr("v0", "copy", (Const("int", 1),))
    # a second class for v0, found when the first is already on its way
    again = Block("again", (), (Instr("v0", "copy", (Const("float", 1.5),)),)) if twice else None
    func = chain(n, first, *([again] if again else []))
    found = register_classes(func)
    assert {found[f"v{i}"] for i in range(n + 1)} == {Several if twice else int}
    assert looks <= 3 * (n + 2)
    assert run(func).value == 1


def by_sweeps(func):
    """The same analysis without a worklist: go through all definitions until nothing changes."""
    found = {p: CLASS_OF[t] for p, t in zip(func.params, func.param_types, strict=True)}
    while True:
        before = dict(found)
        for name, source in classes._definitions(func):
            new = classes._result(source, found) if isinstance(source, Instr) else class_of(source, found)
            if new is not None and found.setdefault(name, new) is not new:
                found[name] = Several
        if found == before:
            return found


def test_the_worklist_finds_what_sweeps_find():
    for func in random_programs(seed=31, count=150):
        for version in (func, to_ssa(func)):
            assert register_classes(version) == by_sweeps(version)
