"""Cranelift's own FunctionBuilder on our programs: where it makes parameters, and what its machine code computes."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.frontends.cranelift import compiled, construction
from ssawidgets.frontends.guards import GUARD
from ssawidgets.frontends.lowering import Signature
from ssawidgets.interp import run
from ssawidgets.interp.draws import Draws
from ssawidgets.interp.outcome import Outcome
from ssawidgets.ir import Func, parse
from ssawidgets.ir.names import base
from ssawidgets.opt.operators import evaluate
from tests.frontends.compilers import chapter_programs, disagreement, need, random_cases
from tests.programs import random_programs


def ours(func: Func, minimal_scc: bool = False) -> dict[str, set[str]]:
    """Where our Braun places phis: variable -> blocks; in front of the entry stands nobody's block."""
    made = sw.to_ssa(func, "braun", minimal_scc=minimal_scc)
    found: dict[str, set[str]] = {v: set() for v in sw.place_phis(func)}
    for block in made.blocks:
        for param in block.params:
            found[base(param)].add(block.name)
    return found


def test_a_loop_gets_the_parameters_of_our_braun() -> None:
    need("cranelift")
    func = parse(
        "func f(n):\na:\n  s = 0\n  i = 0\n  goto h\nh:\n  c = i < n\n  if c goto b else e\nb:\n  s = s + i\n  i = i + 1\n  goto h\ne:\n  return s"
    )
    assert construction(func) == ours(func) == {"n": set(), "s": {"h"}, "i": {"h"}, "c": set()}


#: Two loops, one in the other, and a variable that neither changes. The outer head is sealed while the inner one's parameter
#: still stands; once that turns out redundant, Cranelift does not look at the outer one again, and Braun's algorithm 3 does.
NESTED = """
func f(v, c):
outer:
  goto inner
inner:
  use v
  goto outer, rest
rest:
  goto inner
"""


def test_cranelift_does_not_look_again_at_a_parameter_that_has_become_redundant() -> None:
    need("cranelift")
    func = parse(NESTED)
    assert ours(func)["v"] == set()
    assert construction(func)["v"] == {"outer"}


def test_cranelift_never_makes_fewer_parameters_and_mostly_the_same() -> None:
    need("cranelift")
    equal = 0
    programs = random_programs(9, 150)
    for func in programs:
        theirs, least, braun = construction(func), ours(func, minimal_scc=True), ours(func)
        assert all(theirs[v] >= least[v] for v in least), func
        equal += theirs == braun
    assert equal >= 0.9 * len(programs)


def provided(func: Func, answer: dict[str, list[Any]], kept: list[Any]) -> Any:
    """The functions around a compiled program, as addresses; they record what a run prints and observes."""
    c_types = {
        "int": ctypes.c_int64,
        "bool": ctypes.c_uint8,
        "float": ctypes.c_double,
        "char": ctypes.c_uint32,
    }
    draws = Draws(0)
    guarded = {name: op for (_, op), name in GUARD.items()}

    def value(kind: str, raw: Any) -> Any:
        return bool(raw) if kind == "bool" else chr(raw) if kind == "char" else raw

    def address(name: str, signature: Signature) -> int:
        def called(*raw: Any) -> Any:
            args = tuple([value(k, r) for k, r in zip(signature.params, raw, strict=True)])
            what = name.split("_")[0]
            if what in ("print", "use"):
                answer[what].append(args)
                return None
            if what == "opaque":
                return draws.value(func.name, str(args[0]), signature.result or "int")
            if what == "choose":
                return draws.choice(func.name, func.blocks[args[0]].name, args[1])
            return evaluate(guarded[name], args)

        result = None if signature.result is None else c_types[signature.result]
        kept.append(ctypes.CFUNCTYPE(result, *[c_types[k] for k in signature.params])(called))
        return ctypes.cast(kept[-1], ctypes.c_void_p).value or 0

    return address


def test_machine_code_does_what_run_does() -> None:
    need("cranelift")
    seen = 0
    for func, args in random_cases(41, 120)[:120]:
        expected = run(func, args, fuel=5_000)
        if expected.trap is not None:
            continue
        seen += 1
        answer: dict[str, list[Any]] = {"print": [], "use": []}
        kept: list[Any] = []
        module, place = compiled(func, provided(func, answer, kept))
        kinds = [ctypes.c_uint8 if t == "bool" else ctypes.c_int64 for t in func.param_types]
        made = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(place)(*[int(a) for a in args])
        got = Outcome(made, tuple(answer["print"]), uses=tuple(answer["use"]))
        assert disagreement(expected, got) is None, func
        assert module is not None
    assert seen > 40


def test_cranelift_verifies_and_compiles_300_random_programs_and_those_of_the_chapters() -> None:
    need("cranelift")
    programs = [f for f, _ in random_cases(77, 300)[:300]]
    programs += [f for f in chapter_programs() if not any(b.params for b in f.blocks)]
    memory = {"alloc", "load", "store", "ptradd", "free"}
    for func in programs:
        if "ptr" not in func.param_types and not any(i.op in memory for b in func.blocks for i in b.body):
            compiled(func)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "func f():\na:\n  p = alloc 1\n  free p",
            "memory is not driven through the FunctionBuilder; see sw.to_clif",
        ),
        (
            "func f():\na:\n  goto b(1)\nb(x):\n  return x",
            "f has block parameters already; Cranelift is to make them",
        ),
    ],
)
def test_what_is_not_driven_is_refused(text: str, problem: str) -> None:
    need("cranelift")
    with pytest.raises(ValueError, match=problem):
        compiled(parse(text))
