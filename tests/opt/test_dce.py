"""Dead code: what goes, what stays, and why; and which instructions may trap."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp.outcome import difference
from ssawidgets.ir import Func, Instr
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.effects import must_stay
from ssawidgets.opt.operators import SIGNATURES, Pointer, Trap, arity, evaluate
from tests.programs import args_for, random_programs


def left(text: str) -> list[str]:
    """The instructions that are left of a one-block program."""
    return [str(i) for i in sw.dce(sw.parse(text)).blocks[0].body]


@pytest.mark.parametrize(
    ("name", "body", "stays"),
    [
        ("what nobody reads", "x = a + b", ""),
        ("chains of it", "x = a + b; y = x + 1; z = y", ""),
        ("what is printed", "x = a + b; y = x + 1; print x", "x = a + b; print x"),
        ("what is observed", "x = ?; use x", "x = ?1; use x"),
        ("? and undef and copies and nop", "x = ?; y = undef; z = a; nop", ""),
        ("division may trap", "x = a / b; y = a % b; z = a // b; w = a %% b", "x = a / b; y = a % b; z = a // b; w = a %% b"),
        ("by a constant it does not", "x = a / 2; y = a % -1; z = a // 7; w = a %% 3", ""),
        ("by zero it does", "x = a / 0; y = 1 / 0; z = 6 / 3", "x = a / 0; y = 1 / 0"),
        ("shifts", "x = a << b; y = a >> 63; v = a << 0; z = a >> 64; w = a << -1", "x = a << b; z = a >> 64; w = a << -1"),
        ("characters", "x = int2char a; y = int2char 65; z = int2char -1; w = char2int y", "x = int2char a; z = int2char -1"),
        ("calls, and what they are passed", "x = a + 1; y = g(x)", "x = a + 1; y = g(x)"),
        ("a dead alloc of some cells", "p = alloc 3; q = ptradd p, 1", ""),
        ("an alloc that may trap", "p = alloc a; q = alloc 0", "p = alloc a; q = alloc 0"),
        ("loads may trap", "p = alloc 1; x = load p", "p = alloc 1; x = load p"),
        ("stores and frees", "p = alloc 1; store p, a; free p", "p = alloc 1; store p, a; free p"),
        ("multiplication of 64 bits", "x = a * b", ""),
        ("comparisons", "x = a < b; y = !x", ""),
    ],
)  # fmt: skip
def test_what_stays(name: str, body: str, stays: str) -> None:
    assert "; ".join(left("func f(a, b):\n0:\n  " + body.replace("; ", "\n  "))) == stays


@pytest.mark.parametrize(
    ("op", "operands", "ints", "lang", "stays"),
    [
        ("*", ("n", "n"), "python", "python", True),  # beyond a million bits
        ("*", ("x", "x"), "python", "python", False),
        ("<<", ("n", "n"), "python", None, True),
        (">>", ("n", "n"), "python", None, True),
        ("/", ("x", "x"), "i64", None, False),
        ("/", ("x", "x"), "python", "python", True),
        ("//", ("n", "n"), "python", "python", True),
        ("+", ("n", "n"), "python", "python", False),
    ],
)
def test_unbounded_ints_and_floats(
    op: str, operands: tuple[str, str], ints: str, lang: str | None, stays: bool
) -> None:
    plain = sw.parse(f"func f(n, x: float):\n0:\n  r = {operands[0]} {op} {operands[1]}")
    func = Func("f", plain.params, plain.blocks, plain.param_types, ints, lang)  # type: ignore[arg-type]
    assert bool(sw.dce(func).blocks[0].body) == stays


def test_what_may_go_never_traps() -> None:
    """Every operator on every operand one may think of: if evaluating it traps, the instruction is one that must stay."""
    values = {
        "int": [0, 1, -1, 2, 63, 64, 65, -(2**63), 2**63 - 1, 0xD800, 0x110000],
        "float": [0.0, -0.0, 1.5, float("inf"), float("nan")],
        "bool": [False, True],
        "char": ["a"],
        "ptr": [Pointer(1, 0)],
    }
    block = sw.parse("0:\n  return").blocks
    for ints, lang in (("i64", None), ("python", "python")):
        func = Func("f", (), block, ints=ints, lang=lang)  # type: ignore[arg-type]
        for op, signature in SIGNATURES.items():
            for kind in signature:
                for last in [None, *values[kind]]:  # the second operand, or the only one, as a constant
                    if last is not None and (
                        kind == "ptr" or (ints == "i64" and kind == "int" and abs(last) > 2**63)
                    ):
                        continue
                    operands = ["a", "b"][: arity(op)]
                    if last is not None:
                        operands[-1] = sw.Const(kind, last)  # type: ignore[call-overload]
                    if must_stay(Instr("x", op, tuple(operands)), {"a": kind, "b": kind}, func):
                        continue
                    for a in values[kind]:
                        for b in values[kind] if last is None else [last]:
                            try:
                                evaluate(op, (a, b)[-arity(op) :], ints, lang)  # type: ignore[arg-type]
                            except Trap as trap:
                                raise AssertionError(
                                    f"{op} on {a}, {b} ({ints}) may go, but {trap}"
                                ) from trap


# --- phis -------------------------------------------------------------------------------------------------


def test_phis_that_only_feed_each_other_go() -> None:
    """Each has a use, namely the other; counting uses keeps both."""
    func = sw.parse(
        """
e:
  goto h
h:
  x = phi(e: 0, m: y)
  g = ?
  if g goto t else m
t:
  goto m
m:
  y = phi(h: x, t: 1)
  k = ?
  if k goto h else z
z:
  return
"""
    )
    after = sw.dce(func)
    assert [(b.name, b.params, [i.dest for i in b.body]) for b in after.blocks if b.params or b.body] == [
        ("h", (), ["g"]),
        ("m", (), ["k"]),
    ]
    assert not any(t.args for _, _, t in after.edges())


@pytest.mark.parametrize("length", range(1, 6))
def test_rings_of_any_length_go_and_stay_together(length: int) -> None:
    names = [f"x{i}" for i in range(length)]
    turned = ", ".join([*names[1:], "y"])
    text = f"func f(n):\ne:\n  goto h({', '.join(['n'] * length)})\nh({', '.join(names)}):\n  y = x0 + 1\n  c = ?\n  if c goto h({turned}) else z\nz:\n  return"
    assert [b.params for b in sw.dce(sw.parse(text)).blocks] == [(), (), ()]
    kept = sw.parse(f"{text} x{length - 1}")
    assert sw.dce(kept) == kept


def test_a_parameter_goes_with_its_arguments_on_every_edge() -> None:
    func = sw.parse(
        "func f(c, a):\n0:\n  if c goto 1(1, a, 2) else 1(c, a, a)\n1(x, y, z):\n  q = x + z\n  switch c [3: 1(q, y, z), 4: 1(q, a, z)] else 2\n2:\n  return y"
    )
    after = sw.dce(func)
    assert after.block(1).params == ("y",)
    assert [t.args for _, _, t in after.edges()] == [("a",), ("a",), ("y",), ("a",), ()]


def test_what_unreachable_blocks_read_is_not_live() -> None:
    func = sw.parse("func f(a):\n0:\n  x = a + 1\n  return\nu:\n  print x\n  goto u")
    assert str(sw.dce(func)) == "func f(a):\n0:\n  return\n"


def test_branches_and_endless_loops_stay() -> None:
    func = sw.parse("func f(a):\n0:\n  c = a < 1\n  if c goto 1 else 2\n1:\n  goto 1\n2:\n  return")
    assert sw.dce(func) == func


def test_what_is_not_ssa_is_refused() -> None:
    with pytest.raises(ValueError, match=r"f is not in SSA form \(undefined\): .* to_ssa"):
        sw.dce(sw.parse("func f():\na:\n  x = y + 1"))


# --- random programs --------------------------------------------------------------------------------------


def test_programs_do_the_same_and_nothing_dead_is_left() -> None:
    shorter = phis = 0
    for seed, func in enumerate(
        [sw.to_ssa(f, flavour="minimal") for f in random_programs(60, 300, most_blocks=16)]
    ):
        after = sw.dce(func)
        assert sw.verify(after) == []
        assert sw.dce(after) == after
        args = args_for(func, seed)
        assert (
            difference(sw.run(func, args, fuel=300, seed=seed), sw.run(after, args, fuel=300, seed=seed))
            is None
        )
        uses = sw.def_use(after).uses
        types = infer_types(after).of
        assert all(
            i.dest is None or uses[i.dest] or must_stay(i, types, after) for b in after.blocks for i in b.body
        )
        shorter += sum(len(b.body) for b in after.blocks) < sum(len(b.body) for b in func.blocks)
        phis += sum(len(b.params) for b in after.blocks) < sum(len(b.params) for b in func.blocks)
    assert shorter > 150
    assert phis > 100


def test_dropping_any_kept_definition_would_show() -> None:
    """Marking keeps no more than it must: each name left is read by an effect, directly or through others."""
    rng = Random(61)
    for func in [sw.to_ssa(f) for f in random_programs(61, 80, most_blocks=10)]:
        after = sw.dce(func)
        types = infer_types(after).of
        seen: set[str] = set()
        live = [a for b in after.blocks for i in b.body if must_stay(i, types, after) for a in i.uses]
        live += [a for b in after.blocks for a in b.term.uses]
        rng.shuffle(live)
        chains = sw.def_use(after)
        while live:
            name = live.pop()
            if name in seen:
                continue
            seen.add(name)
            for d in chains.defs[name]:
                if d.kind == "instruction":
                    live += after.block(d.block).body[d.index].uses  # type: ignore[index]
                elif d.kind == "block parameter":
                    live += [
                        a
                        for _, _, t in after.edges()
                        if t.block == d.block and isinstance(a := t.args[d.position], str)  # type: ignore[index]
                    ]
        kept = {i.dest for b in after.blocks for i in b.body if i.dest and not must_stay(i, types, after)}
        assert kept | {p for b in after.blocks for p in b.params} <= seen
