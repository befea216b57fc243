"""Leaving SSA form: the traps by name, what each method writes, what is refused, what holds of every result."""

from __future__ import annotations

import sys
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.ir import Func
from ssawidgets.ssa import count_copies
from ssawidgets.ssa.out_of_ssa import METHODS
from tests.ssa.live_points import conventional, phi_webs, together
from tests.ssa.random_ssa import random_ssa

RIGHT = [m for m in METHODS if m != "naive"]
EVERY = pytest.mark.parametrize("method", list(METHODS))
EVERY_RIGHT = pytest.mark.parametrize("method", RIGHT)

# Names of the traps: Briggs, Cooper, Harvey, Simpson, "Practical Improvements to the Construction and Destruction of
# Static Single Assignment Form" (1998).
LOST_COPY = sw.parse("""
func f(n):
entry:
  goto loop(1, n)
loop(x.1, k.1):
  x.2 = x.1 + 1
  k.2 = k.1 - 1
  c.1 = k.2 > 0
  if c.1 goto loop(x.2, k.2) else exit
exit:
  return x.1
""")
SWAP = sw.parse("""
func f(n):
entry:
  goto loop(1, 2, n)
loop(a.1, b.1, k.1):
  k.2 = k.1 - 1
  c.1 = k.2 > 0
  if c.1 goto loop(b.1, a.1, k.2) else exit
exit:
  print a.1, b.1
  return
""")
VIRTUAL_SWAP = sw.parse("""
func f(p, a, b):
entry:
  if p goto then else join(b, a)
then:
  goto join(a, b)
join(c.1, d.1):
  print c.1, d.1
  return
""")
# Copies at the end of a block stand before its terminator, and must not overwrite what that reads.
READ_BY_THE_BRANCH = sw.parse("""
func f(u, v):
entry:
  goto loop(v, u)
loop(w.1, c.1):
  w.2 = w.1 - 1
  if c.1 goto loop(w.2, w.1) else exit
exit:
  return w.1
""")
# Each with arguments, what it gives, and what the naive lowering makes of that.
TRAPS = {
    "lost copy": (LOST_COPY, (3,), (3, ()), (4, ())),
    "swap": (SWAP, (2,), (None, ((2, 1),)), (None, ((2, 2),))),
    "read by the branch": (READ_BY_THE_BRANCH, (9, 5), (-1, ()), (0, ())),
    "two edges to one block": (
        sw.parse("func f(c):\na:\n  if c goto b(1) else b(2)\nb(r.1):\n  return r.1"),
        (1,),
        (1, ()),
        (2, ()),
    ),
    # Phis run one after another: bril #330, golang #69929, shader-slang #1293, miasm #823.
    "swap in a loop of prints": (
        sw.parse("""
func f():
l0:
  goto l1(0, 1, 5)
l1(x1, y1, i):
  print x1, y1
  c = i > 0
  i2 = i - 1
  if c goto l1(y1, x1, i2) else end
end:
  return
"""),
        (),
        (None, ((0, 1), (1, 0), (0, 1), (1, 0), (0, 1), (1, 0))),
        (None, ((0, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1))),
    ),
    # Copies of the back edge made before the exit is taken: mir #454.
    "a phi read after its loop": (
        sw.parse("""
func f():
e:
  goto h(5, 0)
h(i, n):
  i2 = i - 1
  c = i > 0
  n2 = n + 1
  if c goto h(i2, n2) else x
x:
  return n
"""),
        (),
        (5, ()),
        (6, ()),
    ),
}


def result(func: Func, args: tuple[int, ...]) -> tuple[object, tuple[object, ...]]:
    outcome = sw.run(func, args)
    assert outcome.trap is None
    return outcome.value, outcome.prints


@pytest.mark.parametrize("trap", TRAPS)
def test_naive_copies_fall_into_the_trap_and_no_other_method_does(trap: str) -> None:
    func, args, right, wrong = TRAPS[trap]
    assert sw.verify(func) == []
    assert result(func, args) == right
    assert result(sw.from_ssa(func, "naive"), args) == wrong
    for method in RIGHT:
        assert result(sw.from_ssa(func, method), args) == right, method


@EVERY_RIGHT
@pytest.mark.parametrize("p", [0, 1])
def test_virtual_swap(method: str, p: int) -> None:
    lowered = sw.from_ssa(VIRTUAL_SWAP, method)
    assert sw.run(lowered, (p, 5, 7)).prints == (((5, 7) if p else (7, 5)),)


LOWERED = {
    ("lost copy", "naive"): """
entry:
  x_1 = 1
  k_1 = n
  goto loop
loop:
  x_2 = x_1 + 1
  k_2 = k_1 - 1
  c = k_2 > 0
  x_1 = x_2
  k_1 = k_2
  if c goto loop else exit
exit:
  return x_1
""",
    ("lost copy", "split"): """
entry:
  k_1 = n
  x_1 = 1
  goto loop
loop:
  x_2 = x_1 + 1
  k_2 = k_1 - 1
  c = k_2 > 0
  if c goto loop_loop else exit
loop_loop:
  x_1 = x_2
  k_1 = k_2
  goto loop
exit:
  return x_1
""",
    ("lost copy", "sreedhar-1"): """
entry:
  k_phi = n
  x_phi = 1
  goto loop
loop:
  x_1 = x_phi
  k_1 = k_phi
  x_2 = x_1 + 1
  k_2 = k_1 - 1
  c = k_2 > 0
  if c goto loop_loop else exit
loop_loop:
  x_phi = x_2
  k_phi = k_2
  goto loop
exit:
  return x_1
""",
    # As in Sreedhar et al. (1999): one copy, of the phi's result, and no edge is split.
    ("lost copy", "sreedhar-3"): """
entry:
  x_2 = 1
  goto loop
loop:
  x_1 = x_2
  x_2 = x_1 + 1
  n = n - 1
  c = n > 0
  if c goto loop else exit
exit:
  return x_1
""",
    ("lost copy", "boissinot"): """
entry:
  x_1 = 1
  goto loop
loop:
  x_2 = x_1 + 1
  n = n - 1
  c = n > 0
  if c goto loop_loop else exit
loop_loop:
  x_1 = x_2
  goto loop
exit:
  return x_1
""",
    ("swap", "naive"): """
entry:
  a = 1
  b = 2
  k_1 = n
  goto loop
loop:
  k_2 = k_1 - 1
  c = k_2 > 0
  a = b
  b = a
  k_1 = k_2
  if c goto loop else exit
exit:
  print a, b
  return
""",
    ("swap", "sreedhar-3"): """
entry:
  a_phi = 1
  a = 2
  goto loop
loop:
  b = a
  a = a_phi
  n = n - 1
  c = n > 0
  if c goto loop_loop else exit
loop_loop:
  a_phi = b
  goto loop
exit:
  print a, b
  return
""",
    # Both phis are variables of their own; what remains is the swap itself, in three moves.
    ("swap", "boissinot"): """
entry:
  a = 1
  b = 2
  goto loop
loop:
  n = n - 1
  c = n > 0
  if c goto loop_loop else exit
loop_loop:
  tmp = a
  a = b
  b = tmp
  goto loop
exit:
  print a, b
  return
""",
}


@pytest.mark.parametrize(("trap", "method"), LOWERED)
def test_what_a_method_writes(trap: str, method: str) -> None:
    assert str(sw.from_ssa(TRAPS[trap][0], method)) == "func f(n):" + LOWERED[trap, method]


# Programs with something odd about them -> what Boissinot's method writes.
ODD = {
    "a switch with only a default: its copies must follow what it reads": (
        "func f(n):\na:\n  switch n [] else b(n, 1)\nb(x.1, y.1):\n  print x.1, y.1\n  return n",
        "func f(n):\na:\n  switch n [] else b\nb:\n  x = n\n  y = 1\n  print x, y\n  return n\n",
    ),
    "such a switch into a block with other ways in": (
        "func f(n):\na:\n  goto b(7)\nb(n.1):\n  print n.1\n  n.2 = n.1 - 1\n  switch n.1 [] else b(n.2)",
        "func f(n):\na:\n  n_1 = 7\n  goto b\nb:\n  print n_1\n  n_2 = n_1 - 1\n  switch n_1 [] else b_b\nb_b:\n  n_1 = n_2\n  goto b\n",
    ),
    "a parameter that is never read": (
        "func f(n):\na:\n  goto b(1, n)\nb(x.1, y.1):\n  return y.1",
        "func f(n):\na:\n  x = 1\n  goto b\nb:\n  return n\n",
    ),
    "a dead definition overwrites nothing that is live": (
        "func f(n):\na:\n  goto b(1)\nb(x.1):\n  x.2 = x.1 + 1\n  goto c(x.1)\nc(x.3):\n  return x.3",
        "func f(n):\na:\n  x = 1\n  goto b\nb:\n  x_2 = x + 1\n  goto c\nc:\n  return x\n",
    ),
    "a name that two edges pass": (
        "func f(n):\na:\n  if n goto b(n, n) else b(n, n)\nb(x.1, y.1):\n  z.1 = x.1 + y.1\n  return z.1",
        "func f(n):\na:\n  if n goto a_b else a_b_1\na_b:\n  y = n\n  goto b\na_b_1:\n  y = n\nb:\n  z = n + y\n  return z\n",
    ),
    "function parameters are never one variable": (
        "func f(n, m):\na:\n  if n goto b(n) else c\nc:\n  goto b(m)\nb(x.1):\n  return x.1",
        "func f(n, m):\na:\n  if n goto b else c\nc:\n  n = m\n  goto b\nb:\n  return n\n",
    ),
    "a loop to the entry": (
        "func f(n):\nstart:\n  goto a(n)\na(n.1):\n  n.2 = n.1 - 1\n  if n.2 goto a(n.2) else b\nb:\n  return n.2",
        "func f(n):\nstart:\n  goto a\na:\n  n = n - 1\n  if n goto a else b\nb:\n  return n\n",
    ),
    "an entry with predecessors, which passes it nothing": (
        "func f(n):\na:\n  x.1 = n + 1\n  if n goto a else b(x.1)\nb(y.1):\n  return y.1",
        "func f(n):\na:\n  y = n + 1\n  if n goto a else b\nb:\n  return y\n",
    ),
    "copies of one value may share a variable though both are live": (
        "func f(n):\na:\n  x.1 = n + 1\n  y.1 = x.1\n  if n goto b(x.1) else b(y.1)\nb(z.1):\n  return z.1",
        "func f(n):\na:\n  z = n + 1\n  if n goto b else b\nb:\n  return z\n",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_program(name: str) -> None:
    text, wanted = ODD[name]
    func = sw.parse(text)
    assert sw.verify(func) == []
    assert str(sw.from_ssa(func)) == wanted
    for method in RIGHT:
        lowered = sw.from_ssa(func, method)
        assert sw.verify(lowered, ssa=False) == []
        for n in (0, 1, 5):
            args = (n, 8)[: len(func.params)]
            before, after = (sw.run(f, args, fuel=100) for f in (func, lowered))
            assert (after.value, after.prints[:5]) == (before.value, before.prints[:5]), method


def test_two_copies_of_one_value_after_each_other() -> None:
    """Boissinot's example for interference by value: b = a, c = a, all three read later, all three joined.

    Where their live ranges meet they hold one value, so they may share a variable and no copy is left. By live ranges
    alone, as Sreedhar has it, they are in each other's way.
    """
    func = sw.parse("""
func f(n):
top:
  a.1 = n + 1
  b.1 = a.1
  c.1 = a.1
  switch n [0: left, 1: middle] else right
left:
  print b.1, c.1
  goto end(a.1)
middle:
  print a.1, c.1
  goto end(b.1)
right:
  print a.1, b.1
  goto end(c.1)
end(x.1):
  return x.1
""")
    by_value, by_range = (count_copies(sw.from_ssa(func, m)) for m in ("boissinot", "sreedhar-3"))
    assert (count_copies(func), by_value) == (2, 0)
    assert by_range > by_value
    for method in RIGHT:
        lowered = sw.from_ssa(func, method)
        for n in (0, 1, 2):
            assert result(lowered, (n,)) == result(func, (n,)) == (n + 1, ((n + 1, n + 1),))


@pytest.mark.parametrize("method", ["sreedhar-3", "boissinot"])
def test_what_stands_in_the_way_of_most_is_copied(method: str) -> None:
    """a is live where b and c are defined, and nothing else meets: one copy of a will do, not one of b and one of c."""
    func = sw.parse("""
func f(n):
top:
  a.1 = n + 1
  switch n [0: left, 1: middle] else right
left:
  goto end(a.1)
middle:
  b.1 = n + 2
  use a.1
  goto end(b.1)
right:
  c.1 = n + 3
  use a.1
  goto end(c.1)
end(x.1):
  return x.1
""")
    lowered = sw.from_ssa(func, method)
    assert count_copies(lowered) == 1
    assert [str(i) for i in lowered.block("left").body] == ["x = a"]
    assert [sw.run(lowered, (n,)).value for n in (0, 1, 2)] == [1, 3, 5]


@EVERY
def test_a_parameter_passed_to_itself_is_not_copied_to_itself(method: str) -> None:
    func = sw.parse(
        "func f(n):\na:\n  goto b(n)\nb(x.1):\n  print x.1\n  if n goto b(x.1) else c\nc:\n  return x.1"
    )
    lowered = sw.from_ssa(func, method)
    assert not any(i.op == "copy" and i.args == (i.dest,) for b in lowered.blocks for i in b.body)


# --- undef


@EVERY
@pytest.mark.parametrize(
    "use", ["use x.1", "y.1 = x.1 + n", "print x.1", "return x.1", "if x.1 goto c else b(undef)"]
)
def test_a_variable_that_only_undef_reaches_becomes_undef(method: str, use: str) -> None:
    """No copy is made for undef; then nothing defined the variable, which a program may not read."""
    func = sw.parse(f"func f(n):\na:\n  if n goto b(undef) else b(undef)\nb(x.1):\n  {use}\nc:\n  return n")
    lowered = sw.from_ssa(func, method)
    assert sw.verify(func) == sw.verify(lowered, ssa=False) == []
    assert count_copies(lowered) == 0
    assert "undef" in str(lowered)


@EVERY_RIGHT
def test_phis_that_pass_undef_around(method: str) -> None:
    func = sw.parse(
        "func f(n):\na:\n  goto b(undef, undef, n)\n"
        "b(x.1, y.1, k.1):\n  use x.1, y.1\n  k.2 = k.1 - 1\n  if k.2 goto b(y.1, x.1, k.2) else c\nc:\n  return k.2"
    )
    lowered = sw.from_ssa(func, method)
    assert sw.verify(lowered, ssa=False) == []
    assert sw.run(lowered, (3,)).value == 0


def test_undef_on_one_edge_needs_no_copy_there() -> None:
    func = sw.parse("func f(n):\na:\n  if n goto b(undef) else c\nc:\n  goto b(3)\nb(x.1):\n  return n")
    assert (
        str(sw.from_ssa(func, "split"))
        == "func f(n):\na:\n  if n goto b else c\nc:\n  x = 3\n  goto b\nb:\n  return n\n"
    )


# --- types and names


@EVERY_RIGHT
def test_cycles_of_two_types_have_a_temporary_each(method: str) -> None:
    """One temporary for all would be an int here and a float there."""
    func = sw.parse("""
func f(n, x: float, y: float, u, v, tmp):
s:
  goto l(x, y, u, v, n)
l(a, b, i, j, k):
  m = k - 1
  c = m > 0
  if c goto l(b, a, j, i, m) else e
e:
  print a, b, i, j
  return tmp
""")
    assert sw.verify(func) == []
    lowered = sw.from_ssa(func, method)
    assert sw.verify(lowered, ssa=False) == []
    assert sw.run(lowered, (2, 0.5, 1.5, 3, 4, 9)).prints == ((1.5, 0.5, 4, 3),)
    assert sw.run(lowered, (3, 0.5, 1.5, 3, 4, 9)).prints == ((0.5, 1.5, 3, 4),)
    assert sw.run(lowered, (3, 0.5, 1.5, 3, 4, 9)).value == 9
    if method == "boissinot":  # tmp is taken by the parameter
        assert {"tmp_1", "tmp_2"} <= lowered.names


@EVERY
def test_parameters_with_dots(method: str) -> None:
    """Construction leaves parameters plain, yet one may write such a program; both were read as n."""
    func = sw.parse(
        "func f(n.1, n_1, n.2):\na:\n  goto b(n.1, n_1)\nb(x.1, n.3):\n  print x.1, n.3, n.2\n  return n.3"
    )
    lowered = sw.from_ssa(func, method)
    assert lowered.params == ("n_1_1", "n_1", "n_2")
    assert sw.verify(lowered, ssa=False) == []
    assert sw.run(lowered, (1, 2, 3)).prints == ((1, 2, 3),)


@EVERY_RIGHT
def test_names_that_are_taken(method: str) -> None:
    func = sw.parse(
        "func f(x_1, tmp, x_phi):\na:\n  if tmp goto b(x_1, tmp) else b(tmp, x_1)\n"
        "b(x.1, x.2):\n  x_2 = x.1 - x.2\n  print x.1, x.2, x_phi\n  return x_2"
    )
    lowered = sw.from_ssa(func, method)
    assert sw.verify(lowered, ssa=False) == []
    for args in ((4, 9, 7), (4, 0, 7)):
        before, after = sw.run(func, args), sw.run(lowered, args)
        assert (after.value, after.prints) == (before.value, before.prints)


def test_blocks_on_edges_have_names_that_are_free_and_can_be_written() -> None:
    func = sw.parse(
        "func f(n):\na.1:\n  if n goto b.2(1) else a_1_b_2\na_1_b_2:\n  if n goto b.2(2) else b.2(3)\nb.2(x.1):\n  return x.1"
    )
    lowered = sw.from_ssa(func)
    assert [b.name for b in lowered.blocks] == [
        "a.1",
        "a_1_b_2_1",
        "a_1_b_2",
        "a_1_b_2_b_2",
        "a_1_b_2_b_2_1",
        "b.2",
    ]
    assert sw.parse(str(lowered)) == lowered
    assert sw.run(lowered, (0,)).value == 3


# --- what is refused, what is dropped


@EVERY
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a:\n  x = 1\n  x = 2", "single-definition.*to_ssa brings it there"),
        ("a:\n  return x", "undefined.*to_ssa brings it there"),
        (
            "func f(n):\na:\n  if n goto b else c\nb:\n  x = 1\nc:\n  return x",
            "dominance.*to_ssa brings it there",
        ),
        ("a:\n  x = 1\n  y = x + 1.5", "type.*the two sides of"),
    ],
)
def test_a_program_not_in_ssa_form_is_refused_with_the_rule(method: str, text: str, says: str) -> None:
    func = sw.parse(text)
    with pytest.raises(ValueError, match=f"{func.name} is not in SSA form \\({says}"):
        sw.from_ssa(func, method)


def test_a_wrong_number_of_values_is_refused_with_what_would_be_right() -> None:
    func = sw.parse("func f(n):\na:\n  goto b(n)\nb(x):\n  return x")
    short = func.with_blocks(
        tuple([sw.Block("a", (), (), sw.parse("a:\n  goto b\nb:\n").blocks[0].term), func.block("b")])
    )
    with pytest.raises(ValueError, match=r"\(arity\).*write b\(x\) with a value for each"):
        sw.from_ssa(short)


def test_an_unknown_method() -> None:
    with pytest.raises(
        ValueError, match="no method 'best'; there are: boissinot, sreedhar-3, sreedhar-1, split, naive"
    ):
        sw.from_ssa(LOST_COPY, "best")


@EVERY
def test_unreachable_blocks_are_dropped_and_split_no_edge(method: str) -> None:
    func = sw.parse(
        "func f(n):\na:\n  if n goto b(n) else c\nb(x.1):\n  return x.1\nc:\n  return n\nu(z.1):\n  y.1 = z.1\n  goto b(y.1)"
    )
    lowered = sw.from_ssa(func, method)
    assert [b.name for b in lowered.blocks] == ["a", "b", "c"]


@EVERY_RIGHT
def test_lines_types_sites_and_head_are_kept(method: str) -> None:
    func = sw.parse(
        "func f(n: float, m):\na:\n  x.1 = ?7: float\n  goto b(x.1)\nb(y.1):\n  z.1 = y.1 + n\n  return z.1"
    )
    lowered = sw.from_ssa(func, method)
    assert (lowered.params, lowered.param_types, lowered.ints) == (func.params, func.param_types, func.ints)
    kept = [(i.op, i.line, i.site, i.type) for b in lowered.blocks for i in b.body if i.op != "copy"]
    assert kept == [(i.op, i.line, i.site, i.type) for b in func.blocks for i in b.body]
    assert [b.term.line for b in lowered.blocks] == [b.term.line for b in func.blocks]


# --- what "conventional" means, and that it is what the naive lowering needs


def test_conventional_by_definition() -> None:
    assert not any(conventional(f) for f in (LOST_COPY, SWAP, VIRTUAL_SWAP, READ_BY_THE_BRANCH))
    assert phi_webs(SWAP) == [{"a.1", "b.1"}, {"k.1", "n", "k.2"}]
    assert frozenset(("x.1", "x.2")) in together(LOST_COPY)
    fresh = sw.to_ssa(
        sw.parse("func f(n):\na:\n  i = 0\nb:\n  i = i + 1\n  if n goto b else c\nc:\n  return i")
    )
    assert conventional(fresh)


def test_random_ssa_programs_that_no_construction_would_make() -> None:
    """Programs of mixed types, undef everywhere, parallel edges: right by running, well formed by the verifier."""
    rng = Random(90)
    args = (5, -2, 1.5)
    wrong = not_conventional = 0
    for k in range(400):
        func = random_ssa(rng, undef=(0, 0.1, 0.5, 1)[k % 4])
        assert sw.verify(func) == []
        check_all(func, args, seed=k)
        before = sw.run(func, args, fuel=200, seed=k)
        wrong += (
            sw.interp.difference(before, sw.run(sw.from_ssa(func, "naive"), args, fuel=500, seed=k))
            is not None
        )
        not_conventional += not conventional(sw.ssa.out_of_ssa.reachable_part(func))
    assert wrong > 8
    assert not_conventional > 200


def check_all(func: Func, args: tuple[float, ...], seed: int) -> None:
    before = sw.run(func, args, fuel=200, seed=seed)
    for method in RIGHT:
        lowered = sw.from_ssa(func, method)
        after = sw.run(lowered, args, fuel=500, seed=seed)
        assert sw.interp.difference(before, after) is None, (method, func.text("args"))
        assert sw.verify(lowered, ssa=False) == [], (method, func.text("args"))
        assert_well_formed(func, lowered)


def assert_well_formed(func: Func, lowered: Func) -> None:
    """No parameters, no dots, text that reads back; blocks are the old ones and, on edges, new ones that hold copies."""
    assert not any(b.params for b in lowered.blocks)
    assert not any("." in name for name in lowered.names)
    assert sw.parse(str(lowered)) == lowered
    old = [b.name for b in func.blocks if b.name in func.cfg.reachable]
    assert [b.name for b in lowered.blocks if b.name in func.cfg.index] == old
    for b in lowered.blocks:
        if b.name not in func.cfg.index:
            (src,), (target,) = lowered.cfg.preds[b.name], lowered.cfg.succs[b.name]
            assert b.body
            assert {i.op for i in b.body} == {"copy"}
            assert (b.term.op, b.term.written) == ("jump", False)
            assert src in old
            assert target in old


def test_a_long_program() -> None:
    """Five thousand blocks in a row, a loop around them, and room for no recursion."""
    blocks = 5_000
    text = "func f(n):\ns:\n  goto b0(n)\nb0(x.0):\n  x.1 = x.0 + 1\n"
    text += "".join([f"b{i}:\n  x.{i + 1} = x.{i} + 1\n" for i in range(1, blocks)])
    func = sw.parse(f"{text}  if n goto b0(x.{blocks}) else e\ne:\n  return x.{blocks}")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(500)
    try:
        lowered = [sw.from_ssa(func, method) for method in METHODS]
    finally:
        sys.setrecursionlimit(limit)
    assert [sw.run(f, (0,)).value for f in lowered] == [blocks] * len(METHODS)
