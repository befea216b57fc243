"""Everything the Studio works out of one program, each thing when it is first asked for.

A *stage* is the program after some passes: the source itself, its SSA form, one optimisation or all of them, the code
after SSA by each method. Every stage can be run, and its run is compared with the source's: `difference` says what a pass
may not have done, and so where a stage broke the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ssawidgets.interp import Outcome, difference, run
from ssawidgets.ir import Func, Program
from ssawidgets.opt import copy_propagate, dce, gvn, sccp
from ssawidgets.opt.operators import Value, written
from ssawidgets.ssa import count_copies, from_ssa, promote, to_ssa, verify
from ssawidgets.ssa.out_of_ssa import WayOut
from ssawidgets.widgets.layers import is_ssa

FUEL: Final = 10_000  #: steps of one run; an endless loop ends there
PRINTS_SHOWN: Final = 8

#: How SSA form is built: key -> name, and what builds it.
BUILDS: Final[dict[str, tuple[str, Callable[[Func], Func]]]] = {
    "minimal": ("minimal", lambda f: to_ssa(f, flavour="minimal")),
    "semi-pruned": ("semi-pruned", lambda f: to_ssa(f, flavour="semi-pruned")),
    "pruned": ("pruned", to_ssa),
    "braun": ("Braun", lambda f: to_ssa(f, method="braun")),
    "braun-scc": ("Braun, minimal everywhere", lambda f: to_ssa(f, method="braun", minimal_scc=True)),
}
#: Optimisations of a program in SSA form whose copies are propagated.
PASSES: Final[dict[str, tuple[str, Callable[[Func], Func]]]] = {
    "copies": ("Copies propagated", lambda f: f),
    "sccp": ("SCCP", sccp),
    "gvn-hash": ("GVN, hash", gvn),
    "gvn-partition": ("GVN, partition", lambda f: gvn(f, "partition")),
    "dce": ("Dead code gone", dce),
    "all": ("All in turn", lambda f: dce(gvn(sccp(f)))),
}
#: Ways out of SSA form, worst first.
METHODS: Final[dict[WayOut, str]] = {
    "naive": "Naive copies",
    "split": "Critical edges split",
    "sreedhar-1": "Sreedhar I",
    "sreedhar-3": "Sreedhar III",
    "boissinot": "Boissinot",
}
#: What leaves SSA form: the program as built, with copies propagated, or optimised.
BASES: Final = {"ssa": "as built", "copies": "copies propagated", "all": "optimised"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a stage does when it is run: in words, in steps, and what the source does otherwise ("" for nothing)."""

    gives: str
    steps: int
    wrong: str = ""


class Work:
    """One program, the function looked at, the arguments it is run on, and what follows from them.

    `args` None means that the program is not run. The stages are made lazily and kept.

    >>> from ssawidgets.widgets.examples import examples
    >>> work = Work(examples()["Lost copy"], args=[20])
    >>> work.verdict(work.left("naive")).wrong
    'returned 16 before, 32 after'
    >>> work.copies("boissinot")
    2
    """

    def __init__(
        self,
        func: Func,
        program: Program | None = None,
        args: list[Value] | None = None,
        build: str = "pruned",
    ) -> None:
        self.func = func
        self.program = program or Program((func,))
        self.args = args
        self.build = build
        self._passed: dict[str, Func] = {}
        self._left: dict[tuple[str, str], Func] = {}
        self._built: dict[str, Func] = {}
        #: What programs did when they were run; many stages are equal, and one run does for them all.
        self._ran: dict[Func, Outcome] = {}

    @cached_property
    def in_ssa(self) -> bool:
        """Whether the source is in SSA form by itself, with phis or versions."""
        return is_ssa(self.func) and not verify(self.func)

    @cached_property
    def variables(self) -> Func:
        """The source with every cell that can be a variable made one (mem2reg)."""
        return promote(self.func)

    def built(self, build: str) -> Func:
        """Return the program in SSA form, built in one of the ways of `BUILDS`."""
        if build not in self._built:
            ready = self.variables
            self._built[build] = ready if is_ssa(ready) and not verify(ready) else BUILDS[build][1](ready)
        return self._built[build]

    @property
    def ssa(self) -> Func:
        """The program in SSA form, built in the chosen way."""
        return self.built(self.build)

    def passed(self, key: str) -> Func:
        """Return the SSA form after an optimisation of `PASSES`; each starts from the one with copies propagated."""
        if key not in self._passed:
            before = copy_propagate(self.ssa) if key == "copies" else self.passed("copies")
            self._passed[key] = PASSES[key][1](before)
        return self._passed[key]

    def base(self, base: str) -> Func:
        """Return what leaves SSA form: one of `BASES`."""
        return self.ssa if base == "ssa" else self.passed(base)

    def left(self, method: WayOut, base: str = "copies") -> Func:
        """Return the program out of SSA form again."""
        if (method, base) not in self._left:
            self._left[method, base] = from_ssa(self.base(base), method)
        return self._left[method, base]

    def copies(self, method: WayOut, base: str = "copies") -> int:
        """Return how many copies leaving SSA form by a method leaves in the code."""
        return count_copies(self.left(method, base))

    @cached_property
    def wanted(self) -> Outcome:
        """What the source does."""
        return self.outcome(self.func)

    def outcome(self, stage: Func) -> Outcome:
        """Run a stage, or remember what an equal one did."""
        if stage not in self._ran:
            self._ran[stage] = self._run(stage)
        return self._ran[stage]

    def _run(self, stage: Func) -> Outcome:
        funcs = [stage if f is self.func else f for f in self.program.funcs]
        return run(Program(tuple(funcs)), tuple(self.args or ()), start=self.func.name, fuel=FUEL)

    def verdict(self, stage: Func) -> Verdict:
        """Run a stage and compare it with the source. Without arguments there is nothing to say."""
        if self.args is None:
            return Verdict("not run", 0)
        outcome = self.outcome(stage)
        return Verdict(gives(outcome), outcome.steps, difference(self.wanted, outcome) or "")


def gives(outcome: Outcome) -> str:
    """Say in a few words what a run gave.

    >>> gives(Outcome(value=3, prints=((1, 2), (2, 1))))
    'prints 1 2 | 2 1, returns 3'
    """
    said = []
    for word, rows in (("prints", outcome.prints), ("reads", outcome.uses)):
        if rows:
            shown = " | ".join([" ".join([written(v) for v in row]) for row in rows[:PRINTS_SHOWN]])
            said.append(f"{word} {shown}{' | …' if len(rows) > PRINTS_SHOWN else ''}")
    if outcome.value is not None:
        said.append(f"returns {written(outcome.value)}")
    if outcome.trap:
        said.append("goes on for ever, or at least long" if outcome.out_of_fuel else f"stops: {outcome.trap}")
    return ", ".join(said) or "returns nothing"
