"""SCCP: tables of facts, goldens, faults of other systems, and what running says."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp.outcome import difference
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr
from ssawidgets.opt import dense_constants
from tests.opt.programs import random_program_with_constants
from tests.programs import args_for

#: Wegman and Zadeck's point: x stays 1 only if one assumes so to begin with, and that branch is never taken.
OPTIMISTIC = """\
func f(n):
entry:
  x.1 = 1
  goto head
head:
  x.2 = phi(entry: x.1, latch: x.4)
  c.1 = x.2 != 1
  if c.1 goto change else keep
change:
  x.3 = 2
  goto latch
keep:
  goto latch
latch:
  x.4 = phi(change: x.3, keep: x.2)
  d.1 = x.4 < n
  if d.1 goto head else exit
exit:
  return x.4
"""


def shown(func: Func) -> dict[str, str]:
    """Every name's fact, as a word."""
    return {name: str(fact) for name, fact in sw.sccp_facts(func).values.items()}


def test_constants_and_unreached_edges_are_found_together() -> None:
    func = sw.parse(OPTIMISTIC)
    facts = sw.sccp_facts(func)
    assert shown(func) == {
        "n": "⊥",
        "x.1": "1",
        "x.2": "1",
        "x.3": "⊤",
        "x.4": "1",
        "c.1": "false",
        "d.1": "⊥",
    }
    assert facts.executable_blocks == {"entry", "head", "keep", "latch", "exit"}
    assert facts.executable_edges == {("entry", 0), ("head", 1), ("keep", 0), ("latch", 0), ("latch", 1)}
    assert (
        str(sw.sccp(func))
        == """\
func f(n):
entry:
  goto head
head:
  goto keep
keep:
  goto latch
latch:
  d.1 = 1 < n
  if d.1 goto head else exit
exit:
  return 1
"""
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("one block", "a:\n  x = 2\n  y = x * x\n  return y", "x=2 y=4"),
        ("a self-loop", "a:\n  x = 1\n  goto b\nb:\n  y = phi(a: x, b: z)\n  z = y * 1\n  goto b", "x=1 y=1 z=1"),
        ("a counter", "a:\n  goto b(0)\nb(i):\n  j = i + 1\n  goto b(j)", "i=⊥ j=⊥"),
        (
            "an irreducible loop",
            "func f(n):\na:\n  if n goto b(1) else c(1)\nb(x):\n  goto c(x)\nc(y):\n  goto b(y)",
            "n=⊥ x=1 y=1",
        ),
        ("a diamond", "func f(n):\na:\n  if n goto b else c\nb:\n  goto d(2)\nc:\n  goto d(2)\nd(x):\n  return x", "n=⊥ x=2"),
        ("a diamond that differs", "func f(n):\na:\n  if n goto b else c\nb:\n  goto d(2)\nc:\n  goto d(3)\nd(x):\n  return x", "n=⊥ x=⊥"),
        ("1, true and 1.0 differ", "func f(n):\na:\n  if n goto d(0.0) else d(-0.0)\nd(x):\n  return x", "n=⊥ x=⊥"),
        ("a NaN equals itself", "func f(n):\na:\n  if n goto d(nan) else d(nan)\nd(x):\n  return x", "n=⊥ x=nan"),
        ("parallel edges", "func f(n):\na:\n  if n goto b(1, 1) else b(1, 2)\nb(x, y):\n  return x", "n=⊥ x=1 y=⊥"),
        ("parallel edges, one taken", "a:\n  if true goto b(1) else b(2)\nb(y):\n  return y", "y=1"),
        ("an unreachable predecessor", "a:\n  goto b(1)\nu:\n  z = 3\n  goto b(2)\nb(x):\n  return x", "x=1"),
        ("a switch without a fitting case", "a:\n  switch 5 [0: b(0), 1: b(1)] else b(7)\nb(x):\n  return x", "x=7"),
        ("a switch with one", "a:\n  switch 1 [0: b(0), 1: b(1)] else b(7)\nb(x):\n  return x", "x=1"),
        ("an int condition, as in C", "a:\n  if 0 goto b(0) else b(1)\nb(x):\n  return x", "x=1"),
        ("undef merges with anything", "func f(n):\na:\n  if n goto b(undef) else b(5)\nb(x):\n  return x", "n=⊥ x=5"),
        ("undef alone is top", "a:\n  x = undef\n  y = x\n  z = y + 1\n  return z", "x=⊤ y=⊤ z=⊤"),
        ("no constants in memory", "a:\n  p = alloc 1\n  store p, 3\n  x = load p\n  y = f(3)\n  z = ?", "p=⊥ x=⊥ y=⊥ z=⊥"),
        ("a loop that keeps its constant", "func f(n):\na:\n  goto b(0)\nb(i):\n  j = i & 0\n  if n goto b(j) else c\nc:\n  return j", "n=⊥ i=0 j=0"),
    ],
)  # fmt: skip
def test_facts(name: str, text: str, expected: str) -> None:
    assert shown(sw.parse(text)) == dict([word.split("=") for word in expected.split()])


# --- faults of other systems ------------------------------------------------------------------------------


def test_a_fact_that_drops_keeps_no_old_constant() -> None:
    """The counter was 0 in the first round and stayed so, and the loop was taken for endless."""
    func = sw.parse(
        """
e:
  goto h
h:
  i = phi(e: 0, l: j)
  goto t
t:
  c = i < 10
  if c goto b else x
b:
  goto l
l:
  j = i + 1
  goto h
x:
  return
"""
    )
    assert shown(func) == {"i": "⊥", "c": "⊥", "j": "⊥"}
    assert sw.sccp_facts(func).executable_blocks == set(func.cfg.blocks)
    assert sw.sccp(func) == func


def test_a_cycle_of_phis_is_looked_at_only_as_often_as_facts_drop() -> None:
    """Uses of phis were queued again for ever; and for every length of such a cycle."""
    for length in range(1, 6):
        names = [f"a{k}" for k in range(length)]
        passed = ", ".join([*names[1:], "s", "i2"])
        func = sw.parse(
            f"""
e:
  goto h({", ".join(["0"] * (length + 1))})
h({", ".join([*names, "i"])}):
  c = i < 4
  if c goto b else x
b:
  s = a0 + a{length - 1}
  goto l
l:
  i2 = i + 1
  goto h({passed})
x:
  print a0, i
"""
        )
        assert shown(func) == dict.fromkeys(names, "0") | {"s": "0", "i": "⊥", "c": "⊥", "i2": "⊥"}


def test_a_phi_counts_only_what_executable_edges_pass() -> None:
    """The operand of a removed predecessor stayed in the phi, and a phi that only repeats itself was not folded."""
    func = sw.parse(
        """
e:
  goto h
h:
  x = phi(e: 2, l: x2)
  g = ?
  if g goto b else x9
b:
  t = x != 1
  if t goto s else l
s:
  goto l
l:
  x2 = phi(b: x, s: 2)
  goto h
x9:
  print x
"""
    )
    facts = sw.sccp_facts(func)
    assert shown(func) == {"x": "2", "g": "⊥", "t": "true", "x2": "2"}
    assert ("b", 1) not in facts.executable_edges
    assert facts.executable_blocks == set(func.cfg.blocks)
    after = sw.sccp(func)
    assert after.block("l").params == () and after.block("b").term.op == "jump"
    assert str(after.block("x9").body[0]) == "print 2"
    # With another value on the edge not taken it is the same, and a phi that is left has one operand less.
    for other in ("7", "g"):
        again = sw.parse(str(func).replace("b: x, s: 2", f"b: {other}, s: x"))
        assert shown(again)["x2"] == "2"


def test_the_argument_of_an_edge_not_taken_goes_with_the_edge() -> None:
    func = sw.parse(
        "func f(n):\na:\n  if n goto b else c\nb:\n  if false goto d(1, n) else d(n, 2)\nc:\n  goto d(n, 3)\nd(x, y):\n  print x, y"
    )
    assert [(src, t.args) for src, _, t in sw.sccp(func).edges() if t.block == "d"] == [
        ("b", ("n", Const("int", 2))),
        ("c", ("n", Const("int", 3))),
    ]


@pytest.mark.parametrize(
    "where",
    ["a:\n  x = 1 / 0\n  print 1", "func f(n):\na:\n  if n goto b else c\nb:\n  x = 1 % 0\nc:\n  return"],
)
def test_what_traps_is_neither_folded_nor_removed(where: str) -> None:
    func = sw.parse(where)
    assert str(sw.sccp(func)) == str(func)


def test_traps_stay_where_their_values_are_constant() -> None:
    """Folded at compile time they took the compiler down with them, or vanished."""
    func = sw.parse(
        "a:\n  z = 0\n  m = -9223372036854775808 / -1\n  q = -7 / 2\n  r = 7 / -2\n  w = 9223372036854775807 + 1\n  print m, q, r, w\n  x = 1 / z\n  print x"
    )
    after = sw.sccp(func)
    assert (
        str(after)
        == "func main():\na:\n  print -9223372036854775808, -3, -3, -9223372036854775808\n  x = 1 / 0\n  print x\n"
    )
    assert sw.run(after).prints == sw.run(func).prints
    assert sw.run(after).trap == "division by zero in block a, line 8"


@pytest.mark.parametrize("back", ["p", "undef"])
def test_undef_takes_the_constant_in_loops_too(back: str) -> None:
    straight = sw.parse(
        "func f(v):\ne:\n  if v goto a else b\na:\n  goto j\nb:\n  goto j\nj:\n  p = phi(a: undef, b: 5)\n  print p"
    )
    assert shown(straight)["p"] == "5"
    loop = sw.parse(
        f"func f(v):\ne:\n  if v goto j(undef) else j(5)\nj(p):\n  print p\n  if v goto j({back}) else x\nx:\n  return p"
    )
    assert shown(loop)["p"] == "5"


# --- undef ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["undef", "c", "d"])
@pytest.mark.parametrize("form", ["if {} goto l else r", "switch {} [0: l] else r"])
def test_a_branch_on_undef_is_not_folded(condition: str, form: str) -> None:
    func = sw.parse(
        f"a:\n  c = undef\n  d = c\n  {form.format(condition)}\nl:\n  goto j(1)\nr:\n  goto j(2)\nj(x):\n  return x"
    )
    facts = sw.sccp_facts(func)
    assert facts.executable_blocks == {"a", "l", "r", "j"}
    assert facts.values["x"] == sw.BOTTOM
    assert sw.sccp(func) == func


def test_conditions_on_undef_are_given_up_round_by_round() -> None:
    """The second is met only when the first has been given up; a switch whose default is all there is counts too."""
    func = sw.parse(
        "a:\n  c = undef\n  if c goto b else e\nb:\n  d = c + 1\n  switch d [] else s\ns:\n  if d goto e else e\ne:\n  return 1"
    )
    facts = sw.sccp_facts(func)
    assert facts.executable_blocks == {"a", "b", "s", "e"}
    assert len(facts.executable_edges) == 5
    assert facts.values == {"c": sw.BOTTOM, "d": sw.BOTTOM}


# --- what else a caller can rely on ----------------------------------------------------------------------


def test_lines_sites_and_kinds_are_kept() -> None:
    func = sw.parse(
        "func f(n: float):\na:\n  x = 1\n  y = ?7: float\n  if x goto b else c\nb:\n  z = y + n\n  return z\nc:\n  return n"
    )
    after = sw.sccp(func)
    assert [i.line for i in after.block("a").body] == [4]
    assert after.block("a").body[0].site == 7
    assert after.block("a").term.line == 5 and after.block("a").term.written
    assert after.param_types == ("float",)


@pytest.mark.parametrize("function", [sw.sccp, sw.sccp_facts])
def test_what_is_not_ssa_is_refused(function: object) -> None:
    with pytest.raises(ValueError, match=r"f is not in SSA form \(single-definition\): .* to_ssa"):
        function(sw.parse("func f():\na:\n  x = 1\n  x = 2"))  # type: ignore[operator]
    with pytest.raises(ValueError, match=r"f is not in SSA form \(dominance\): .* to_ssa"):
        function(sw.parse("func f(n):\na:\n  if n goto b else c\nb:\n  x = 1\nc:\n  return x"))  # type: ignore[operator]


def test_facts_show_in_a_fixed_order() -> None:
    facts = sw.sccp_facts(sw.parse("b:\n  if true goto a else c\na:\n  x = 1\n  goto c\nc:\n  return"))
    assert repr(facts) == (
        "SccpFacts(values={'x': Const(type='int', value=1)}, executable_blocks=['a', 'b', 'c'], "
        "executable_edges=[('a', 0), ('b', 0)])"
    )


# --- random programs -------------------------------------------------------------------------------------


def random_ssa(seed: int, count: int) -> list[Func]:
    """Random programs in SSA form with many constants."""
    rng = Random(seed)
    return [sw.to_ssa(random_program_with_constants(rng)) for _ in range(count)]


def observed(func: Func) -> Func:
    """The same program; each block first observes (-1, its number), each definition then (its number, its value)."""
    numbers = {name: i for i, name in enumerate(sw.def_use(func).defs)}

    def observe(name: str) -> Instr:
        return Instr(None, "use", (Const("int", numbers[name]), name))

    blocks = []
    for number, b in enumerate(func.blocks):
        body = [Instr(None, "use", (Const("int", -1), Const("int", number))), *map(observe, b.params)]
        for instr in b.body:
            if instr.op != "use":
                body.append(instr)
            if instr.dest is not None:
                body.append(observe(instr.dest))
        blocks.append(Block(b.name, b.params, tuple(body), b.term))
    return func.with_blocks(tuple(blocks))


def test_no_run_contradicts_a_fact() -> None:
    confirmed = 0
    for seed, func in enumerate(random_ssa(30, 300)):
        facts = sw.sccp_facts(func)
        names = list(sw.def_use(func).defs)
        for number, value in sw.run(observed(func), args_for(func, seed), fuel=300, seed=seed).uses:
            if number == -1:
                assert func.blocks[value].name in facts.executable_blocks, str(func)
                continue
            fact = facts.values[names[number]]
            if isinstance(fact, Const):
                assert value is UNDEF or Const(fact.type, value) == fact, (
                    f"{names[number]} is {value} in\n{func}"
                )
                confirmed += value is not UNDEF
            else:
                assert fact is sw.BOTTOM or value is UNDEF, f"{names[number]} is {value} in\n{func}"
    assert confirmed > 1000


def test_the_dense_fixpoint_says_the_same() -> None:
    """For programs without undef word for word; with it, constants never contradict each other."""
    same = 0
    for func in random_ssa(31, 300):
        facts, dense = sw.sccp_facts(func), dense_constants(func)
        values = {
            name: dense.at_end[b.name][name]
            for b in func.blocks
            if b.name in dense.at_end
            for name in [*b.params, *[i.dest for i in b.body if i.dest is not None]]
        }
        if UNDEF in [a for b in func.blocks for i in (*b.body, *b.term.targets) for a in i.args]:
            assert all(
                fact == facts.values[n]
                for n, fact in values.items()
                if isinstance(fact, Const) and isinstance(facts.values[n], Const)
            )
            continue
        same += 1
        assert set(dense.at_end) == facts.executable_blocks, str(func)
        assert values == {n: facts.values[n] for n in values}, str(func)
    assert same > 100


def test_facts_do_not_depend_on_the_order_of_blocks() -> None:
    rng = Random(32)
    for func in random_ssa(32, 60):
        first, *others = func.blocks
        rng.shuffle(others)
        assert sw.sccp_facts(func.with_blocks((first, *others))) == sw.sccp_facts(func)


def test_programs_do_the_same_afterwards() -> None:
    shorter = 0
    for seed, func in enumerate(random_ssa(33, 300)):
        after = sw.sccp(func)
        assert sw.verify(after) == []
        args = args_for(func, seed)
        assert (
            difference(sw.run(func, args, fuel=300, seed=seed), sw.run(after, args, fuel=300, seed=seed))
            is None
        )
        facts = sw.sccp_facts(func)
        assert {b.name for b in after.blocks} == facts.executable_blocks
        # Nothing was left for a second time: no name is a constant any more.
        assert not any(isinstance(f, Const) for f in sw.sccp_facts(after).values.values()), str(func)
        shorter += len(after.blocks) < len(func.blocks)
    assert shorter > 60


def test_facts_become_lower_where_less_is_known() -> None:
    """With a constant made opaque, no fact rises and no edge is lost."""
    rng = Random(34)
    for func in random_ssa(34, 80):
        constants = [
            i.dest for b in func.blocks for i in b.body if i.op == "copy" and isinstance(i.args[0], Const)
        ]
        if not constants:
            continue
        chosen = rng.choice(constants)
        blocks = [
            Block(
                b.name,
                b.params,
                tuple([Instr(i.dest, "opaque", site=999) if i.dest == chosen else i for i in b.body]),
                b.term,
            )
            for b in func.blocks
        ]
        before, after = sw.sccp_facts(func), sw.sccp_facts(func.with_blocks(tuple(blocks)))
        assert before.executable_edges <= after.executable_edges
        for name, fact in after.values.items():
            assert fact in (sw.BOTTOM, before.values[name]) or before.values[name] is sw.TOP, (
                f"{name} in\n{func}"
            )
