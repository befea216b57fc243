"""Machine code from LLVM does what `run` does; LLVM's own passes keep that, and find what ours find."""

from __future__ import annotations

import re

import pytest

import ssawidgets as sw
from ssawidgets.frontends.llvm import from_llvm, to_llvm
from ssawidgets.frontends.llvm.tools import run_many, run_native, run_passes, run_passes_on
from ssawidgets.interp import run
from ssawidgets.ir import Func, Program, parse, parse_program
from ssawidgets.opt.operators import SIGNATURES, arity
from tests.frontends.compilers import Case, disagreement, need, random_cases


def agree(cases: list[Case]) -> int:
    """Compare machine code with `run` on what `run` finishes without undef; returns how many that were."""
    expected = [(f, args, run(f, args, fuel=20_000)) for f, args in cases]
    finished = [(f, args, o) for f, args, o in expected if not (o.undefined or o.out_of_fuel)]
    got = run_many([(f, args) for f, args, _ in finished])
    for (func, args, before), after in zip(finished, got, strict=True):
        assert disagreement(before, after) is None, f"{args}\n{func}"
    return len(finished)


def test_machine_code_does_what_run_does_on_random_programs() -> None:
    need("llvmlite")
    cases = random_cases(31, 100)
    cases += [(sw.to_ssa(f), args) for f, args in cases[:100]]
    assert agree(cases) > 130


INTS = (0, 1, -1, -3, 63, 64, 2**63 - 1, -(2**63))
FLOATS = (0.0, -0.0, -1.0, 2.5, -7.0, 1e300, float("inf"), float("-inf"), float("nan"))
VALUES = {"int": INTS, "float": FLOATS, "bool": (True, False), "char": ("a", "é", "\U0001f600")}


@pytest.mark.parametrize("lang", [None, "python"])
def test_every_operator_on_every_type_at_the_edges(lang: str | None) -> None:
    need("llvmlite")
    cases: list[Case] = []
    for op, kinds in SIGNATURES.items():
        for kind in kinds:
            if kind == "ptr" or (lang == "python" and kind != "float"):
                continue
            args = ["a", "b"][: arity(op)]
            instr = sw.Instr("r", op, tuple(args))
            block = sw.Block("entry", (), (instr,), sw.Term("return", ("r",)))
            func = Func("f", tuple(args), (block,), (kind,) * len(args), lang=lang)
            rows = (
                [(v,) for v in VALUES[kind]]
                if len(args) == 1
                else [(v, w) for v in VALUES[kind] for w in VALUES[kind]]
            )
            if op == "int2char":
                rows += [(0xD7FF,), (0xD800,), (0xDFFF,), (0x10FFFF,), (0x110000,)]
            cases += [(func, row) for row in rows]
    assert agree(cases) == len(cases) > 100


PROGRAMS = [
    ("func main(n):\na:\n  p = alloc n\n  store p, 7\n  q = ptradd p, 2\n  store q, 8\n  x = load p: int\n  y = load q: int\n  free p\n  z = x + y\n  return z", (3,)),
    ("func main(n):\na:\n  p = alloc n\n  return n", (0,)),
    ("func main(x: float, c: bool):\na:\n  print x, c, 'z'\n  return c", (0.1, True)),
    ("func main(h: char):\na:\n  i = char2int h\n  i = i + 1\n  h = int2char i\n  return h", ("é",)),
    ("func main(n):\na:\n  if n goto b else c\nb:\n  n = n - 1\n  m = main(n)\n  m = m + 2\n  return m\nc:\n  return 0", (500,)),
    ("func main(n):\na:\n  x = ?: float\n  c = ?: bool\n  h = ?: char\n  print x, c, h\n  goto b, d\nb:\n  return 1\nd:\n  return 2", (5,)),
    ("func half(n):\na:\n  x = n / 2\n  return x\nfunc main(n):\na:\n  x = half(n)\n  y = half(x)\n  print y\n  return y", (9,)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "args"), PROGRAMS)
def test_a_program_runs_as_machine_code(text: str, args: tuple[object, ...]) -> None:
    need("llvmlite")
    program = parse_program(text)
    expected = run(program, args, seed=4)
    assert disagreement(expected, run_native(program, args, seed=4)) is None
    in_ssa = Program(tuple([sw.to_ssa(f) for f in program.funcs]))
    assert disagreement(run(in_ssa, args, seed=4), run_native(in_ssa, args, seed=4)) is None


def test_an_endless_program_is_stopped() -> None:
    need("llvmlite")
    with pytest.raises(RuntimeError, match=r"ended otherwise: no answer within 0\.3 seconds"):
        run_native(parse("func f():\na:\n  goto a"), seconds=0.3)


def test_a_process_that_dies_is_reported_and_the_others_go_on() -> None:
    need("llvmlite")
    wild = parse("func f():\na:\n  p = alloc 1\n  q = ptradd p, -99999999999\n  x = load q: int\n  return x")
    with pytest.raises(RuntimeError, match="ended otherwise: SIG"):
        run_many([(wild, ()), (parse("func g():\na:\n  return 1"), ())])


def test_llvms_passes_keep_what_a_program_does() -> None:
    need("llvmlite")
    cases = [(func, args, run(func, args, fuel=5_000)) for func, args in random_cases(7, 60)]
    cases = [case for case in cases if not (case[2].undefined or case[2].out_of_fuel)]
    assert len(cases) > 25
    texts = run_passes_on([to_llvm(func) for func, _, _ in cases], ["sroa", "sccp", "dce"])
    for (func, args, before), text in zip(cases, texts, strict=True):
        # `from_llvm` reads what LLVM writes; this tests that, too.
        after = from_llvm(text)
        problem = disagreement(before, run(after, args, fuel=40_000))
        assert problem is None, f"{problem}\n{func}\n{after}"


SIX_BLOCKS = sw.sketch(
    "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
    defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    uses={"1": "x y", "3": "z", "4": "x y", "5": "y"},
)


def phis(text: str) -> dict[str, set[str]]:
    """Where a function as LLVM prints it has phis, by variable."""
    found: dict[str, set[str]] = {}
    block = ""
    for label, name in re.findall(r'^"?(\w+)"?:|^  %(\w+)\.addr\.\d+ = phi', text, re.MULTILINE):
        block = label or block
        if name:
            found.setdefault(name, set()).add(block)
    return found


def test_sroa_places_the_pruned_phis_of_the_six_block_graph() -> None:
    need("llvmlite")
    text = run_passes(to_llvm(SIX_BLOCKS), ["sroa"])
    ours = {v: blocks for v, blocks in sw.place_phis(SIX_BLOCKS, "pruned").items() if blocks}
    assert phis(text) == ours == {"x": {"1", "4"}, "y": {"1"}}


def test_new_gvn_runs_in_its_own_process() -> None:
    need("llvmlite")
    func = sw.to_ssa(parse("func f(a, b):\nx:\n  s = a + b\n  t = a + b\n  d = s - t\n  return d"))
    text = run_passes(to_llvm(func), ["new_gvn", "instcombine", "dce"])
    assert "ret i64 0" in text
    assert sw.run(sw.copy_propagate(sw.gvn(func)), (3, 4)).value == 0


def test_a_pass_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no pass 'mem2reg' here; there are: sroa, sccp"):
        run_passes("", ["mem2reg"])


def test_text_that_llvm_refuses_is_refused_with_its_words() -> None:
    need("llvmlite")
    with pytest.raises(ValueError, match=r"(?s)LLVM does not accept this: .*undefined value '%x'"):
        run_passes("define i64 @f() {\n  ret i64 %x\n}", [])
