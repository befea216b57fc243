"""Value numbering: what is equal by each method, what may stand for what, and what running says."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp.outcome import difference
from ssawidgets.ir import Block, Func, Instr
from ssawidgets.opt.gvn import METHODS, leaders
from tests.programs import args_for, random_programs

BOTH = ("hash", "partition")


def classes(func: Func, method: str) -> str:
    """The names that are equal to others, class by class, in order of their first mention."""
    members: dict[int, list[str]] = {}
    for name, number in sw.value_numbers(func, method).items():  # type: ignore[arg-type]
        members.setdefault(number, []).append(name)
    return " ".join(["=".join(names) for names in members.values() if len(names) > 1])


LOOP = """\
func f(n):
e:
  goto h
h:
  i = phi(e: 0, h: i2)
  j = phi(e: 0, h: j2)
  i2 = i + 1
  j2 = j + 1
  c = ?
  if c goto h else x
x:
  print i, j
"""

SIBLINGS = """\
func f(c, x, y):
e:
  if c goto l else r
l:
  u = x + y
  print u
  goto j
r:
  v = y + x
  print v
  goto j
j:
  w = x + y
  print w
"""


@pytest.mark.parametrize(
    ("name", "text", "hashed", "partitioned"),
    [
        ("nothing equal", "func f(a, b):\n0:\n  x = a + b\n  y = a - b", "", ""),
        ("operands in order", "func f(a, b):\n0:\n  x = a - b\n  y = a - b\n  z = b - a", "x=y", "x=y"),
        ("or in any order", "func f(a, b):\n0:\n  x = a * b\n  y = b * a", "x=y", "x=y"),
        ("comparisons both ways", "func f(a, b):\n0:\n  x = a < b\n  y = b > a\n  z = a > b\n  w = b >= a\n  v = a <= b", "x=y w=v", "x=y w=v"),
        ("one operand twice", "func f(a, b):\n0:\n  x = a + a\n  y = a + b\n  z = b + a\n  w = b + b", "y=z", "y=z"),
        ("step by step", "func f(a):\n0:\n  x = a + 1\n  y = 1 + a\n  z = x - y\n  w = y - x", "x=y z=w", "x=y z=w"),
        ("copies", "func f(a):\n0:\n  x = a\n  y = x\n  z = y + x\n  w = a + a", "a=x=y z=w", "a=x=y z=w"),
        ("constants by bits", "0:\n  a = 1\n  b = true\n  c = 1.0\n  d = 0.0\n  e = -0.0\n  f = nan\n  g = nan\n  h = 1", "a=h f=g", "a=h f=g"),
        ("nothing is computed", "func f(a):\n0:\n  x = 1 + 2\n  y = 3\n  z = a + 0", "", ""),
        ("undef is undef", "func f(a):\n0:\n  x = undef\n  y = undef\n  z = a + undef\n  w = undef + a", "x=y z=w", "x=y z=w"),
        ("two ? never", "0:\n  x = ?\n  y = ?\n  z = x\n  w = x + y\n  v = y + x", "x=z w=v", "x=z w=v"),
        ("loads and calls never", "0:\n  p = alloc 1\n  q = alloc 1\n  store p, 1\n  x = load p\n  y = load p\n  z = g(1)\n  w = g(1)", "", ""),
        ("pointers moved alike", "func f(i):\n0:\n  p = alloc 9\n  x = ptradd p, i\n  y = ptradd p, i\n  z = ptradd x, i", "x=y", "x=y"),
        ("conversions", "func f(a: char):\n0:\n  x = char2int a\n  y = char2int a\n  z = int2char x\n  w = int2char y", "x=y z=w", "x=y z=w"),
        ("equal phis of one block", "func f(a, b):\n0:\n  if a goto 1(a, a, b) else 1(b, b, a)\n1(x, y, z):\n  return x", "x=y", "x=y"),
        ("phis of different blocks", "func f(c, d, a, b):\n0:\n  if c goto 1 else 2\n1:\n  goto 3(a)\n2:\n  goto 3(b)\n3(x):\n  if d goto 4 else 5\n4:\n  goto 6(a)\n5:\n  goto 6(b)\n6(y):\n  return y", "", ""),
        ("a phi of one value", "func f(c, a):\n0:\n  if c goto 1 else 2\n1:\n  goto 3(a)\n2:\n  goto 3(a)\n3(x):\n  return x", "a=x", ""),
        ("a phi of itself and one value", "func f(c, a):\n0:\n  goto 1(a)\n1(x):\n  if c goto 1(x) else 2\n2:\n  return x", "a=x", ""),
        ("a phi of a value and undef", "func f(c, a):\n0:\n  if c goto 1(a) else 1(undef)\n1(x):\n  return x", "", ""),
        ("equal phis with undef", "func f(c, a):\n0:\n  if c goto 1(a, a) else 1(undef, undef)\n1(x, y):\n  return x", "x=y", "x=y"),
        ("parallel edges count each", "func f(c, a, b):\n0:\n  if c goto 1(a, a, b) else 1(b, a, a)\n1(x, y, z):\n  return x", "a=y", ""),
        ("unreachable operands do not count", "func f(a, b):\n0:\n  goto 1(a)\nu:\n  goto 1(b)\n1(x):\n  return x", "a=x", ""),
        ("loop variables", LOOP, "", "i=j i2=j2"),
        ("loop variables that start apart", LOOP.replace("j = phi(e: 0", "j = phi(e: 1"), "", ""),
        ("loop variables that move apart", LOOP.replace("j + 1", "j + 2"), "", ""),
        ("loop variables, one through a copy", LOOP.replace("j2 = j + 1", "k = j + 1\n  j2 = k"), "k=j2", "i=j i2=k=j2"),
        ("in sibling blocks", SIBLINGS, "", "u=v=w"),
        ("a branch tells nothing", "func f(a):\n0:\n  c = a == 1\n  if c goto 1 else 1\n1:\n  d = a == 1\n  return d", "c=d", "c=d"),
    ],
)  # fmt: skip
def test_what_is_equal(name: str, text: str, hashed: str, partitioned: str) -> None:
    func = sw.parse(text)
    assert sw.verify(func) == []
    assert classes(func, "hash") == hashed
    assert classes(func, "partition") == partitioned


def test_numbers_count_from_0_in_block_order() -> None:
    func = sw.parse(
        "func f(a, b):\n0:\n  x = b\n  goto 2\n1:\n  y = 3\n  return y\n2:\n  z = a + b\n  if z goto 1 else 2"
    )
    for method in BOTH:
        assert list(sw.value_numbers(func, method).items()) == [
            ("a", 0),
            ("b", 1),
            ("x", 1),
            ("y", 2),
            ("z", 3),
        ]


@pytest.mark.parametrize("method", BOTH)
def test_the_classes_do_not_depend_on_the_order_of_blocks(method: str) -> None:
    rng = Random(40)
    for func in map(sw.to_ssa, random_programs(40, 60, most_blocks=12)):
        first, *others = func.blocks
        rng.shuffle(others)
        again = sw.value_numbers(func.with_blocks((first, *others)), method)  # type: ignore[arg-type]
        numbers = sw.value_numbers(func, method)  # type: ignore[arg-type]
        assert len(set(zip(numbers.values(), [again[n] for n in numbers], strict=True))) == len(
            {*numbers.values()}
        )
        assert len({*again.values()}) == len({*numbers.values()})


# --- what stands for what ---------------------------------------------------------------------------------


def test_equal_loop_variables_become_one() -> None:
    """One pass cannot know that j2 is i2 when it has to compare i and j: it finds nothing."""
    func = sw.parse(LOOP)
    assert sw.gvn(func, "hash") == func
    assert (
        str(sw.gvn(func, "partition"))
        == """\
func f(n):
e:
  goto h
h:
  i = phi(e: 0, h: i2)
  i2 = i + 1
  c = ?1
  if c goto h else x
x:
  print i, i
"""
    )


@pytest.mark.parametrize("method", BOTH)
def test_a_leader_must_dominate(method: str) -> None:
    """The leader was taken from the other arm of a branch, where it had not been computed."""
    func = sw.parse(SIBLINGS)
    assert sw.gvn(func, method) == func  # type: ignore[arg-type]
    # With one that dominates there is something to stand for all three.
    above = sw.parse(SIBLINGS.replace("e:\n", "e:\n  a = y + x\n"))
    after = sw.gvn(above, method)  # type: ignore[arg-type]
    assert [str(i) for b in after.blocks for i in b.body] == ["a = y + x", "print a", "print a", "print a"]


@pytest.mark.parametrize("method", BOTH)
def test_each_subtree_has_its_own_leader(method: str) -> None:
    func = sw.parse(
        "func f(c, x):\ne:\n  if c goto l else r\nl:\n  u = x + 1\n  goto l2\nl2:\n  u2 = x + 1\n  return u2\nr:\n  v = x + 1\n  v2 = 1 + x\n  return v2"
    )
    after = sw.gvn(func, method)  # type: ignore[arg-type]
    assert {b.name: [i.dest for i in b.body] for b in after.blocks if b.body} == {"l": ["u"], "r": ["v"]}
    assert [after.block(b).term.args for b in ("l2", "r")] == [("u",), ("v",)]


@pytest.mark.parametrize("method", BOTH)
def test_what_traps_stays_but_for_a_second_time(method: str) -> None:
    func = sw.parse(
        "func f(a, b):\n0:\n  x = a / b\n  y = a / b\n  z = 1 / 0\n  w = b / a\n  goto 1\n1:\n  v = a / b\n  return v"
    )
    after = sw.gvn(func, method)  # type: ignore[arg-type]
    assert [str(i) for i in after.block(0).body] == ["x = a / b", "z = 1 / 0", "w = b / a"]
    assert after.block(1).body == () and after.block(1).term.args == ("x",)


@pytest.mark.parametrize("method", BOTH)
def test_constants_lead_everywhere(method: str) -> None:
    func = sw.parse(
        "func f(n):\n0:\n  if n goto 1 else 2\n1:\n  x = 3\n  print x\n  goto 3(x)\n2:\n  y = undef\n  goto 3(y)\n3(z):\n  return z"
    )
    after = sw.gvn(func, method)  # type: ignore[arg-type]
    assert (
        str(after)
        == "func f(n):\n0:\n  if n goto 1 else 2\n1:\n  print 3\n  goto 3\n2:\n  goto 3\n3:\n  z = phi(1: 3, 2: undef)\n  return z\n"
    )


@pytest.mark.parametrize("method", BOTH)
def test_unreachable_blocks_are_dropped(method: str) -> None:
    func = sw.parse("func f(a):\n0:\n  x = a + 1\n  return x\nu:\n  y = a + 1\n  goto u")
    assert [b.name for b in sw.gvn(func, method).blocks] == ["0"]  # type: ignore[arg-type]
    assert "y" not in sw.value_numbers(func, method)  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [sw.gvn, sw.value_numbers])
def test_what_is_refused(function: object) -> None:
    with pytest.raises(ValueError, match=r"f is not in SSA form \(single-definition\): .* to_ssa"):
        function(sw.parse("func f():\na:\n  x = 1\n  x = 2"))  # type: ignore[operator]
    with pytest.raises(ValueError, match="no method 'simpson'; there are: hash, partition"):
        function(sw.parse("a:\n  x = 1"), "simpson")  # type: ignore[operator]


# --- random programs --------------------------------------------------------------------------------------


def observed(func: Func, pairs: list[tuple[str, str]]) -> Func:
    """The same program; after the definition of each second name both are observed."""
    after: dict[str, list[Instr]] = {}
    for first, second in pairs:
        after.setdefault(second, []).append(Instr(None, "use", (first, second)))
    blocks = []
    for b in func.blocks:
        body = [use for p in b.params for use in after.get(p, ())]
        for instr in b.body:
            if instr.op != "use":
                body.append(instr)
            body += after.get(instr.dest or "", ())
        blocks.append(Block(b.name, b.params, tuple(body), b.term))
    return func.with_blocks(tuple(blocks))


@pytest.mark.parametrize("method", BOTH)
def test_equal_names_are_equal_in_every_run(method: str) -> None:
    confirmed = 0
    for seed, func in enumerate(map(sw.to_ssa, random_programs(41, 300, most_blocks=16, variables=3))):
        stands_for = leaders(func, METHODS[method](func))
        pairs = [(leader, name) for name, leader in stands_for.items() if isinstance(leader, str)]
        for a, b in sw.run(observed(func, pairs), args_for(func, seed), fuel=300, seed=seed).uses:
            assert a == b, str(func)
            confirmed += 1
    assert confirmed > 1000


@pytest.mark.parametrize("method", BOTH)
def test_programs_do_the_same_afterwards(method: str) -> None:
    shorter = 0
    for seed, func in enumerate(map(sw.to_ssa, random_programs(42, 300, most_blocks=16, variables=3))):
        after = sw.gvn(func, method)  # type: ignore[arg-type]
        assert sw.verify(after) == []
        args = args_for(func, seed)
        assert (
            difference(sw.run(func, args, fuel=300, seed=seed), sw.run(after, args, fuel=300, seed=seed))
            is None
        )
        shorter += sum(len(b.body) for b in after.blocks) < sum(len(b.body) for b in func.blocks)
    assert shorter > 150


@pytest.mark.parametrize("method", BOTH)
def test_calls_may_change_memory_between_two_loads(method: str) -> None:
    program = sw.parse_program(
        "func bump(p: ptr):\na:\n  x = load p\n  y = x + 1\n  store p, y\n  return y\nfunc main():\na:\n  p = alloc 1\n  store p, 1\n  a = bump(p)\n  b = load p\n  c = bump(p)\n  d = load p\n  print a, b, c, d\n  free p"
    )
    after = type(program)(tuple([sw.gvn(f, method) for f in program.funcs]))  # type: ignore[arg-type]
    assert sw.run(after).prints == ((2, 2, 3, 3),)


UNDEF_OF_TWO_TYPES = """
func f(n):
s:
  a = x + x
  b = y + y
  c = a + 1.5
  d = b + 1
  print c, d
"""

PHIS_OF_UNDEF = """
func f(n):
s:
  debug = false
  if debug goto t else j
t:
  x = 2.5
  y = 1
j:
  if n goto k else l
k:
  z = x + 1.5
  w = y + 1
  print z, w
l:
  return n
"""


@pytest.mark.parametrize("method", ["hash", "partition"])
@pytest.mark.parametrize("text", [UNDEF_OF_TWO_TYPES, PHIS_OF_UNDEF])
def test_values_made_from_undef_alone_are_equal_only_within_a_type(text: str, method: str) -> None:
    func = sw.sccp(sw.to_ssa(sw.parse(text)))
    assert sw.verify(func) == []
    assert sw.verify(sw.gvn(func, method)) == []  # type: ignore[arg-type]
    sw.dce(sw.gvn(func, method))  # type: ignore[arg-type]


def test_a_phi_is_no_operator_whatever_its_block_is_called() -> None:
    text = "func f(n, m):\na:\n  x.1 = n + m\n  if n goto plus(n) else b\nb:\n  goto plus(m)\nplus(z.1):\n  w.1 = z.1 - x.1\n  return w.1\n"
    func = sw.parse(text)
    named = func.with_blocks(
        tuple(
            sw.Block(
                "+" if b.name == "plus" else b.name,
                b.params,
                b.body,
                b.term.with_names(
                    b.term.args,
                    tuple(sw.Target("+" if t.block == "plus" else t.block, t.args) for t in b.term.targets),
                ),
            )
            for b in func.blocks
        )
    )
    for method in ("hash", "partition"):
        assert sw.run(sw.gvn(named, method), [5, 3]).value == sw.run(named, [5, 3]).value == -3  # type: ignore[arg-type]
