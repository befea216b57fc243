"""Renaming: goldens one can read, the rules on names, edges and what is carried along."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ir import UNDEF, Func, Target
from ssawidgets.ssa import rename
from tests.ssa.test_placement import SIX

SUM = """\
func sum(n):
entry:
  i = 0
  s = 0
  goto head
head:
  c = i < n
  if c goto body else exit
body:
  s = s + i
  i = i + 1
  goto head
exit:
  return s
"""

SUM_IN_SSA = """\
func sum(n):
entry:
  i.1 = 0
  s.1 = 0
  goto head
head:
  i.2 = phi(entry: i.1, body: i.3)
  s.2 = phi(entry: s.1, body: s.3)
  c.1 = i.2 < n
  if c.1 goto body else exit
body:
  s.3 = s.2 + i.2
  i.3 = i.2 + 1
  goto head
exit:
  return s.2
"""

SIX_IN_SSA = {
    "minimal": """\
func sketch():
0:
  x.1 = ?1
  y.1 = ?2
  goto 1
1:
  x.2 = phi(0: x.1, 4: x.4)
  y.2 = phi(0: y.1, 4: y.3)
  z.1 = phi(0: undef, 4: z.2)
  w.1 = phi(0: undef, 4: w.4)
  use x.2, y.2
  goto 2, 5
2:
  z.2 = ?3
  w.2 = ?4
  goto 3, 4
5:
  use y.2
  return
3:
  use z.2
  x.3 = ?5
  w.3 = ?6
  goto 4
4:
  x.4 = phi(2: x.2, 3: x.3)
  w.4 = phi(2: w.2, 3: w.3)
  use x.4, y.2
  y.3 = ?7
  goto 1
""",
    "pruned": """\
func sketch():
0:
  x.1 = ?1
  y.1 = ?2
  goto 1
1:
  x.2 = phi(0: x.1, 4: x.4)
  y.2 = phi(0: y.1, 4: y.3)
  use x.2, y.2
  goto 2, 5
2:
  z.1 = ?3
  w.1 = ?4
  goto 3, 4
5:
  use y.2
  return
3:
  use z.1
  x.3 = ?5
  w.2 = ?6
  goto 4
4:
  x.4 = phi(2: x.2, 3: x.3)
  use x.4, y.2
  y.3 = ?7
  goto 1
""",
}


def test_the_sum_loop() -> None:
    assert str(sw.to_ssa(sw.parse(SUM))) == SUM_IN_SSA


@pytest.mark.parametrize("flavour", SIX_IN_SSA)
def test_the_six_block_example(flavour: str) -> None:
    assert str(sw.to_ssa(SIX, flavour=flavour)) == SIX_IN_SSA[flavour]  # type: ignore[arg-type]


CYTRON = """\
func example(p, q, r, s, t):
1:
  I = 1
  J = 1
  K = 1
  L = 1
2:
  if p goto 3 else 7
3:
  J = I
  if q goto 4 else 5
4:
  L = 2
  goto 6
5:
  L = 3
6:
  K = K + 1
  goto 8
7:
  K = K + 2
8:
  print I, J, K, L
9:
  if r goto 10 else 11
10:
  L = L + 4
11:
  if s goto 12 else 9
12:
  I = I + 6
  if t goto 13 else 2
13:
  return
"""

CYTRON_IN_SSA = """\
func example(p, q, r, s, t):
1:
  I.1 = 1
  J.1 = 1
  K.1 = 1
  L.1 = 1
2:
  I.2 = phi(1: I.1, 12: I.3)
  J.2 = phi(1: J.1, 12: J.4)
  K.2 = phi(1: K.1, 12: K.5)
  L.2 = phi(1: L.1, 12: L.9)
  if p goto 3 else 7
3:
  J.3 = I.2
  if q goto 4 else 5
4:
  L.3 = 2
  goto 6
5:
  L.4 = 3
6:
  L.5 = phi(4: L.3, 5: L.4)
  K.3 = K.2 + 1
  goto 8
7:
  K.4 = K.2 + 2
8:
  J.4 = phi(6: J.3, 7: J.2)
  K.5 = phi(6: K.3, 7: K.4)
  L.6 = phi(6: L.5, 7: L.2)
  print I.2, J.4, K.5, L.6
9:
  L.7 = phi(8: L.6, 11: L.9)
  if r goto 10 else 11
10:
  L.8 = L.7 + 4
11:
  L.9 = phi(9: L.7, 10: L.8)
  if s goto 12 else 9
12:
  I.3 = I.2 + 6
  if t goto 13 else 2
13:
  return
"""


@pytest.mark.parametrize(
    "options",
    [{"flavour": "minimal"}, {"flavour": "semi-pruned"}, {}, {"method": "braun"}],
    ids=["minimal", "semi-pruned", "pruned", "braun"],
)
def test_the_running_example_of_cytron_1991(options: dict[str, str]) -> None:
    """The loop over I, J, K, L of the paper: ten phis, versions numbered as there."""
    ssa = sw.to_ssa(sw.parse(CYTRON), **options)  # type: ignore[arg-type]
    assert str(ssa) == CYTRON_IN_SSA


# Program -> the same in SSA form.
GOLDEN = {
    "versions of siblings do not leak": (
        "func f(c):\na:\n  x = 1\n  if c goto l else r\nl:\n  x = 2\n  use x\n  return\nr:\n  use x\n",
        "func f(c):\na:\n  x.1 = 1\n  if c goto l else r\nl:\n  x.2 = 2\n  use x.2\n  return\nr:\n  use x.1\n",
    ),
    "a use before the definition on one line": (
        "a:\n  x = 1\n  x = x + x\n  use x\n",
        "func main():\na:\n  x.1 = 1\n  x.2 = x.1 + x.1\n  use x.2\n",
    ),
    "no value yet is undef": (
        "func f(c):\na:\n  use x\n  if c goto b else d\nb:\n  x = 1\nd:\n  y = x\n",
        "func f(c):\na:\n  use undef\n  if c goto b else d\nb:\n  x.1 = 1\nd:\n  x.2 = phi(a: undef, b: x.1)\n  y.1 = x.2\n",
    ),
    "copies stay": (
        "func f(n):\na:\n  x = n\n  y = x\n  return y\n",
        "func f(n):\na:\n  x.1 = n\n  y.1 = x.1\n  return y.1\n",
    ),
    "the block before the entry becomes real for a phi": (
        "func f(n):\nloop:\n  n = n - 1\n  if n goto loop else out\nout:\n  return n\n",
        "func f(n):\nstart:\nloop:\n  n.1 = phi(start: n, loop: n.2)\n  n.2 = n.1 - 1\n"
        "  if n.2 goto loop else out\nout:\n  return n.2\n",
    ),
    "and is not made where the entry needs none": (
        "func f(n):\nloop:\n  m = n - 1\n  if m goto loop else out\nout:\n  return m\n",
        "func f(n):\nloop:\n  m.1 = n - 1\n  if m.1 goto loop else out\nout:\n  return m.1\n",
    ),
    "a variable defined in a loop to the entry only": (
        "start:\n  use x\n  x = 1\n  goto start, out\nout:\n",
        "func main():\nstart_1:\nstart:\n  x.1 = phi(start_1: undef, start: x.2)\n  use x.1\n  x.2 = 1\n"
        "  goto start, out\nout:\n",
    ),
    "unreachable blocks are dropped, with what they pass": (
        "a:\n  x = 1\n  goto c\nlost:\n  x = 2\n  goto c\nc:\n  return x\n",
        "func main():\na:\n  x.1 = 1\n  goto c\nc:\n  return x.1\n",
    ),
    "phis stand in the order of the text, not of the alphabet": (
        "func f(c):\na:\n  if c goto b else d\nb:\n  z = 1\n  y = 2\nd:\n  use y, z\n",
        "func f(c):\na:\n  if c goto b else d\nb:\n  z.1 = 1\n  y.1 = 2\nd:\n  z.2 = phi(a: undef, b: z.1)\n"
        "  y.2 = phi(a: undef, b: y.1)\n  use y.2, z.2\n",
    ),
    "parallel edges pass one value each": (
        "func f(n):\na:\n  x = 1\n  switch n [0: c] else b\nb:\n  x = 2\n  switch n [5: c, 6: c] else c\nc:\n  return x\n",
        "func f(n):\na:\n  x.1 = 1\n  switch n [0: c] else b\nb:\n  x.2 = 2\n  switch n [5: c, 6: c] else c\n"
        "c:\n  x.3 = phi(a: x.1, b: x.2)\n  return x.3\n",
    ),
    "a swap in a loop": (
        "func f(n):\nh:\n  a = 1\n  b = 2\nl:\n  t = a\n  a = b\n  b = t\n  if n goto l else e\ne:\n  print a, b\n",
        "func f(n):\nh:\n  a.1 = 1\n  b.1 = 2\nl:\n  a.2 = phi(h: a.1, l: a.3)\n  b.2 = phi(h: b.1, l: b.3)\n"
        "  t.1 = a.2\n  a.3 = b.2\n  b.3 = t.1\n  if n goto l else e\ne:\n  print a.3, b.3\n",
    ),
}


@pytest.mark.parametrize("method", ["cytron", "braun"])
@pytest.mark.parametrize("name", GOLDEN)
def test_goldens(name: str, method: str) -> None:
    before, after = GOLDEN[name]
    ssa = sw.to_ssa(sw.parse(before), method)  # type: ignore[arg-type]
    assert str(ssa) == after
    assert sw.verify(ssa) == []


def test_a_block_of_the_tree_numbers_before_its_siblings() -> None:
    # c is dominated by a and comes after b in the text: versions follow the tree, a c b, not the text.
    func = sw.parse(
        "func f(n):\ne:\n  if n goto a else b\na:\n  x = 1\n  goto c\nb:\n  x = 2\n  return x\nc:\n  x = 3\n  return x"
    )
    assert [i.dest for b in sw.to_ssa(func).blocks for i in b.body] == ["x.1", "x.3", "x.2"]


def test_each_parallel_edge_has_its_own_arguments() -> None:
    func = sw.parse(GOLDEN["parallel edges pass one value each"][0])
    ssa = sw.to_ssa(func)
    assert ssa.block("b").term.targets == (Target("c", ("x.2",)),) * 3
    assert ssa.block("a").term.targets == (Target("c", ("x.1",)), Target("b"))


@pytest.mark.parametrize("method", ["cytron", "braun"])
def test_what_tells_of_origin_is_carried(method: str) -> None:
    func = sw.parse(
        "func f(a: float, b: bool) ints=python:\nx:\n  y = ?7: float\n  goto z\nz:\n  y = load p: ptr\n"
        "  f(y)\n  switch a [3: x, 4: z] else w\nw:\n"
    )
    func = Func(func.name, func.params, func.blocks, func.param_types, func.ints, "python")
    ssa = sw.to_ssa(func, method)  # type: ignore[arg-type]
    assert (ssa.name, ssa.params, ssa.param_types, ssa.ints, ssa.lang) == (
        "f",
        ("a", "b"),
        ("float", "bool"),
        "python",
        "python",
    )
    for block in func.blocks:
        after = ssa.block(block.name)
        assert [(i.op, i.line, i.site, i.type, i.callee) for i in after.body] == [
            (i.op, i.line, i.site, i.type, i.callee) for i in block.body
        ]
        assert (after.term.op, after.term.line, after.term.written, after.term.cases) == (
            block.term.op,
            block.term.line,
            block.term.written,
            block.term.cases,
        )
    front = sw.to_ssa(sw.parse(GOLDEN["the block before the entry becomes real for a phi"][0])).blocks[0]
    assert not front.term.written


# --- programs that have parameters or versions already


@pytest.mark.parametrize("method", ["cytron", "braun"])
@pytest.mark.parametrize("name", GOLDEN)
def test_a_program_in_ssa_form_comes_back_as_it_is(name: str, method: str) -> None:
    ssa = sw.parse(GOLDEN[name][1])
    assert sw.to_ssa(ssa, method) == ssa  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["cytron", "braun"])
def test_a_program_that_an_edit_broke_is_repaired(method: str) -> None:
    broken = sw.parse(SUM_IN_SSA.replace("i.3 = i.2 + 1", "i.3 = i.2 + 1\n  i.2 = 7\n  s.3 = i.2"))
    assert {p.rule for p in sw.verify(broken)} == {"single-definition"}
    repaired = sw.to_ssa(broken, method)  # type: ignore[arg-type]
    assert sw.verify(repaired) == []
    assert str(repaired).splitlines()[11:16] == [
        "  s.3 = s.2 + i.2",
        "  i.3 = i.2 + 1",
        "  i.4 = 7",
        "  s.4 = i.4",
        "  goto head",
    ]
    assert sw.run(repaired, (20,)) == sw.run(broken, (20,))


@pytest.mark.parametrize("method", ["cytron", "braun"])
def test_parameters_of_blocks_are_definitions(method: str) -> None:
    func = sw.parse(
        "func f(n):\na:\n  goto h(n, 0)\nh(i, s):\n  s = s + i\n  i = i - 1\n  if i goto h(i, s) else e\ne:\n  return s"
    )
    ssa = sw.to_ssa(func, method)  # type: ignore[arg-type]
    assert ssa.text("args").splitlines()[3:7] == [
        "h(i.1, s.1):",
        "  s.2 = s.1 + i.1",
        "  i.2 = i.1 - 1",
        "  if i.2 goto h(i.2, s.2) else e",
    ]
    assert sw.verify(ssa) == []
    assert sw.run(ssa, (4,)) == sw.run(func, (4,))


def test_a_block_parameter_needs_no_phi_beside_it() -> None:
    func = sw.parse(
        "func f(n):\na:\n  goto h(n)\nh(i):\n  i = i - 1\n  if i goto h(i) else e\ne:\n  return i"
    )
    assert sw.place_phis(func)["i"] == {"h"}
    assert sw.to_ssa(func, flavour="minimal") == sw.to_ssa(func)
    assert sw.to_ssa(func).block("h").params == ("i.1",)


def test_parameters_of_the_entry_start_as_undef() -> None:
    ssa = sw.to_ssa(sw.parse("a(x):\n  use x\n  goto a(1)"))
    assert str(ssa) == "func main():\nstart:\na:\n  x.1 = phi(start: undef, a: 1)\n  use x.1\n  goto a\n"
    assert sw.verify(ssa) == []


def test_a_parameter_with_a_version_keeps_its_name() -> None:
    ssa = sw.to_ssa(sw.parse("func f(x.1):\na:\n  x = x.1\n  x = x + 1\n  return x"))
    assert [i.dest for i in ssa.blocks[0].body] == ["x.2", "x.3"]
    assert sw.verify(ssa) == []


# --- what is refused


def test_an_edge_that_passes_too_little_is_named() -> None:
    func = sw.parse("a:\n  goto b(1)\nb(x):\n  return x")
    broken = func.with_blocks(
        (sw.Block("a", (), (), func.blocks[0].term.with_names((), (Target("b"),))), func.blocks[1])
    )
    with pytest.raises(ValueError, match="the edge a > b passes 0 values, but b takes 1; verify"):
        sw.to_ssa(broken)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "brown"}, "no method 'brown'; there are: cytron, braun"),
        ({"flavour": "most"}, "no flavour 'most'"),
        ({"method": "braun", "flavour": "minimal"}, "flavour is \"pruned\", not 'minimal'"),
        ({"minimal_scc": True}, 'minimal_scc goes with method="braun"'),
    ],
)
def test_options_without_meaning(options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sw.to_ssa(SIX, **options)  # type: ignore[arg-type]


def test_rename_refuses_phis_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="no variable 'q'; there are: x, y, z, w"):
        rename(SIX, {"q": {"1"}})
    with pytest.raises(ValueError, match="no block '7' for a phi of 'x'; there are: 0, 1"):
        rename(SIX, {"x": [1, 7]})


def test_rename_with_a_phi_missing_is_noticed() -> None:
    """Not by the verifier, for the text is in SSA form; by running it."""
    func = sw.parse(SUM)
    wrong = rename(func, {"i": {"head"}})
    assert sw.verify(wrong) == []
    assert sw.run(wrong, (5,)).value != sw.run(func, (5,)).value == 10


def test_undef_is_passed_and_not_zero() -> None:
    ssa = sw.to_ssa(sw.parse(GOLDEN["no value yet is undef"][0]))
    assert ssa.block("a").term.targets[1].args == (UNDEF,)
