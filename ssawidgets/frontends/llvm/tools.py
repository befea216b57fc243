"""LLVM itself on our programs: its passes, its verifier, its machine code. Needs llvmlite (`pip install ssawidgets[compilers]`).

Everything happens in a process of its own (`child`), since LLVM ends the process where one of its assertions fails (NewGVN's do
on some programs), and machine code ends it where it traps.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ssawidgets.frontends.llvm.emit import to_llvm
from ssawidgets.frontends.lowering import TRAPS, Typed, program_of
from ssawidgets.interp.outcome import Outcome
from ssawidgets.interp.printing import printed_line
from ssawidgets.ir import Func, Program
from ssawidgets.opt.operators import Value

#: The passes one may ask for, and what llvmlite calls them.
PASSES = {
    "sroa": "sroa",
    "sccp": "sccp",
    "new_gvn": "new_gvn",
    "dce": "dead_code_elimination",
    "instcombine": "instruction_combine",
    "simplifycfg": "simplify_cfg",
    "always_inline": "always_inliner",
}


def run_passes(ir: str, passes: Sequence[str]) -> str:
    """Return a module after some of LLVM's own passes, verified before and after, as text.

    `passes` are names of `PASSES`, in order; none only verifies. Raises `ImportError` without llvmlite, `ValueError` where LLVM does
    not accept the text, `RuntimeError` where LLVM gives up.

    >>> from ssawidgets import parse
    >>> ir = to_llvm(parse("func f(n):\\na:\\n  n = n + 1\\n  return n"))
    >>> "alloca" in ir, "alloca" in run_passes(ir, ["sroa"])
    (True, False)
    """
    return run_passes_on([ir], passes)[0]


def run_passes_on(modules: Sequence[str], passes: Sequence[str]) -> list[str]:
    """Return many modules after the same passes; see `run_passes`."""
    unknown = [p for p in passes if p not in PASSES]
    if unknown:
        raise ValueError(f"no pass {unknown[0]!r} here; there are: {', '.join(PASSES)}")
    names = [PASSES[p] for p in passes]
    texts = []
    for answer in _ask([{"task": "passes", "ir": ir, "passes": names} for ir in modules]):
        if "refused" in answer:
            raise ValueError(f"LLVM does not accept this: {answer['refused']}")
        if "text" not in answer:
            raise RuntimeError(f"LLVM gave up in {', '.join(passes) or 'reading'}: {answer['ended']}")
        texts.append(str(answer["text"]))
    return texts


def llvm_problems(modules: Sequence[str]) -> list[str | None]:
    """Return what LLVM's parser and verifier find wrong with each module, None for nothing. Raises `ImportError` without llvmlite.

    >>> llvm_problems(["define i64 @f() {\\n  ret i64 1\\n}"])
    [None]
    """
    answers = _ask([{"task": "passes", "ir": ir, "passes": []} for ir in modules])
    return [None if "text" in a else str(a.get("refused") or a.get("ended")) for a in answers]


def run_native(
    func_or_program: Func | Program,
    args: Sequence[Value] = (),
    *,
    start: str | None = None,
    seed: int = 0,
    seconds: float = 10,
) -> Outcome:
    """Run a program as machine code, compiled by LLVM, and return what `run` returns; steps are not counted.

    A trap has no place, only a reason. A run that uses undef, or memory outside its allocation, is undefined: only such programs
    belong here that `run` finishes, or that trap for another reason. Raises `ImportError` without llvmlite,
    `RuntimeError` where the process ended otherwise or took more than so many seconds.

    >>> from ssawidgets import parse
    >>> run_native(parse("func f(n):\\na:\\n  print n\\n  return n"), (5,)).value
    5
    """
    return run_many([(func_or_program, args)], start=start, seed=seed, seconds=seconds)[0]


def run_many(
    programs: Sequence[tuple[Func | Program, Sequence[Value]]],
    *,
    start: str | None = None,
    seed: int = 0,
    seconds: float = 10,
) -> list[Outcome]:
    """Run many programs, each on its arguments, in one process; see `run_native`."""
    jobs = [_job(program_of(p), args, start, seed) for p, args in programs]
    answers = _ask(jobs, seconds)
    return [
        _outcome(job, answer, program_of(p))
        for job, answer, (p, _) in zip(jobs, answers, programs, strict=True)
    ]


def _job(program: Program, args: Sequence[Value], start: str | None, seed: int) -> dict[str, Any]:
    names = [f.name for f in program.funcs]
    first = start or ("main" if "main" in names else names[-1])
    typed = Typed(program)
    func = program.func(first)
    return {
        "task": "run",
        "ir": to_llvm(program),
        "start": first,
        "params": list(func.param_types),
        "result": typed.signatures[first].result,
        "args": list(args),
        "seed": seed,
        "blocks": {f.name: [b.name for b in f.blocks] for f in program.funcs},
    }


def _outcome(job: dict[str, Any], answer: dict[str, Any], program: Program) -> Outcome:
    if "refused" in answer:
        raise ValueError(f"LLVM does not accept this: {answer['refused']}")
    if "prints" not in answer:
        raise RuntimeError(f"the machine code of {job['start']} ended otherwise: {answer['ended']}")
    lang = program.func(job["start"]).lang
    reason = TRAPS[answer["trap"]] if answer["trap"] else None
    text = "".join([f"{printed_line(row, lang)}\n" for row in answer["prints"]])
    return Outcome(answer["value"], tuple(answer["prints"]), text, reason, 0, tuple(answer["uses"]), reason)


def _ask(jobs: list[dict[str, Any]], seconds: float = 60) -> list[dict[str, Any]]:
    """Give the jobs to a child, and return its answers in order."""
    if importlib.util.find_spec("llvmlite") is None:
        raise ImportError("llvmlite is not installed: pip install ssawidgets[compilers]")
    root = str(Path(__file__).parents[3])
    inherited = os.environ.get("PYTHONPATH")
    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{inherited}" if inherited else root}
    child = subprocess.run(
        [sys.executable, "-m", "ssawidgets.frontends.llvm.child"],
        input=pickle.dumps((seconds, jobs)),
        capture_output=True,
        check=False,
        env=env,
    )
    if child.returncode != 0:
        raise RuntimeError(f"LLVM's process ended with {child.returncode}: {child.stderr.decode()[-500:]}")
    answers: list[dict[str, Any]] = pickle.loads(child.stdout)
    return answers
