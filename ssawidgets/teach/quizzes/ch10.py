"""Questions of chapter 10: sparse conditional constant propagation."""

from __future__ import annotations

from ssawidgets.interp import run
from ssawidgets.ir import Const, Func, parse
from ssawidgets.opt import BOTTOM, sccp, sccp_facts
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, gives

MEET = "undef and a constant meet in 'not constant'"
BLOCKS = "a branch whose two ways lead to one block makes both edges executable"
WORST = "a phi in a loop is never constant"
TRAP = "everything on constants can be folded"
DEFAULT = "a switch on a constant that matches no case takes the first case"


def said_of(func: Func, name: str) -> str:
    """Say what is known of a name: a number, or that it is not constant."""
    value = sccp_facts(func).values[name]
    if isinstance(value, Const):
        return str(value.value).lower() if value.type == "bool" else str(value.value)
    return "not constant" if value is BOTTOM else "not yet known"


@asked("10-undef", under="undef, and what may go wrong at run time", doubt=MEET)
def undef() -> Choice:
    """Ask for the meet of a constant and undef."""
    func = parse("""
    func f(n):
    top:
      if n goto yes else no
    yes:
      goto meet
    no:
      goto meet
    meet:
      x.1 = phi(yes: 7, no: undef)
      y.1 = x.1 + 1
      return y.1
    """)
    known = said_of(func, "x.1")
    folded = sccp(func)
    shown = Evidence(f"x₁ is {known}, and after the pass f {gives(run(folded, [0]))}.", folded)
    return Choice(
        "One way brings 7 to the phi, the other undef. What does the analysis say of x₁?",
        (
            claim("7", known == "7", "undef may be taken for any value, so also for 7. It stands above all constants.", shown),
            claim("not constant", known == "not constant", "Two different constants meet in 'not constant'. undef is none: it may become what suits.", shown, MEET),
            claim("undef", known == "not yet known", "With 7 on one way it cannot be anything at all any more.", shown, "undef spreads"),
            claim("0", known == "0", "Nothing says that a variable without a value holds 0.", shown, "undef is 0"),
        ),
        func,
    )  # fmt: skip


@asked("10-edges", under="Edges, not blocks", doubt="blocks are marked executable, not edges")
def edges() -> Prediction:
    """Ask which edges become executable."""
    func = parse("""
    func f(n):
    top:
      a.1 = 3
      c.1 = a.1 > 5
      if c.1 goto left else right
    left:
      b.1 = 1
      goto meet
    right:
      if n goto meet else out
    meet:
      b.2 = phi(left: b.1, right: 2)
      d.1 = b.2 == 2
      if d.1 goto out else left
    out:
      return a.1
    """)
    facts = sccp_facts(func)

    def why(edge: tuple[str, int]) -> Evidence:
        src, index = edge
        dst = func.cfg.succs[src][index]
        marks = {"edges": {edge: "path"}, "marks": {src: "current"}}
        if src not in facts.executable_blocks:
            return Evidence(f"No executable edge leads to {src}, so none of its edges is taken.", func, marks)
        if len(func.cfg.succs[src]) == 1:
            return Evidence(f"{src} is executable and leads only to {dst}.", func, marks)
        on = str(func.block(src).term.args[0])
        said = said_of(func, on)
        taken = "" if edge in facts.executable_edges else "not "
        return Evidence(f"{src} branches on {on}, which is {said}: the edge to {dst} is {taken}taken.", func, marks)  # fmt: skip

    return Prediction(
        "Which edges does the analysis mark as executable?",
        func,
        "edges",
        lambda func: sorted(sccp_facts(func).executable_edges),
        why,
        lambda edge: {
            "left": "edges of blocks that are not executable count",
            "meet": "blocks are marked executable, not edges",
            "top": "a branch makes both its edges executable",
        }.get(edge[0], "a branch on a parameter takes one edge"),
    )


@asked("10-loop", under="Why believe the best?", doubt=WORST)
def loop() -> Prediction:
    """Ask which versions are constant in a loop that changes one of them to itself."""
    func = parse("""
    func f(n):
    top:
      x.1 = 1
      i.1 = 0
    loop:
      x.2 = phi(top: x.1, same: x.4)
      i.2 = phi(top: i.1, same: i.3)
      c.1 = x.2 == 1
      if c.1 goto one else two
    one:
      x.3 = x.2 * 1
      goto same
    two:
      x.5 = 2
      goto same
    same:
      x.4 = phi(one: x.3, two: x.5)
      i.3 = i.2 + 1
      d.1 = i.3 < n
      if d.1 goto loop else out
    out:
      return x.4
    """)
    facts = sccp_facts(func)

    def why(name: str) -> Evidence:
        where = next(b.name for b in func.blocks if name in (*b.params, *[i.dest for i in b.body]))
        marks = {"marks": {where: "current"}, "edges": {e: "path" for e in sorted(facts.executable_edges)}}
        if where not in facts.executable_blocks:
            return Evidence(
                f"{name} is defined in {where}, which no run comes to: it gets no value at all.", func, marks
            )
        said = said_of(func, name)
        tail = "" if said != "not constant" else ": over the edges marked, different values come to it"
        return Evidence(f"{name} is {said}{tail}.", func, marks)  # fmt: skip

    return Prediction(
        "n is not known. Which versions does the analysis find constant?",
        func,
        "versions",
        lambda func: [k for k, v in facts.values.items() if isinstance(v, Const) and k not in func.params],
        why,
        lambda name: {
            "x.2": WORST,
            "x.4": WORST,
            "x.3": "what a loop computes is not constant",
            "x.5": "a constant in dead code counts",
            "i.2": "a phi whose first operand is constant is constant",
            "i.3": "a phi whose first operand is constant is constant",
        }.get(name, ""),
    )


@asked("10-traps", under="undef, and what may go wrong at run time", doubt=TRAP)
def traps() -> Choice:
    """Ask which operations on constants are folded."""
    texts = {"7 / 0": "a", "-7 / 2": "b", "7 % 0": "d", "1 << 70": "e", "0 * 5": "g"}
    lines = "\n".join(f"  {name}.1 = {text}" for text, name in texts.items())
    func = parse(f"func f():\ntop:\n{lines}\n  return")
    said = {
        "7 / 0": "It traps. Folding it would lose the trap, or crash the compiler.",
        "-7 / 2": "It does not trap, and its value is the same on every run.",
        "7 % 0": "It traps, as dividing does.",
        "1 << 70": "A shift by more than 63 traps here.",
        "0 * 5": "It does not trap.",
    }

    def shown(text: str, name: str) -> Evidence:
        alone = parse(f"func f():\ntop:\n  {name}.1 = {text}\n  return {name}.1")
        return Evidence(
            f"`{text}` {gives(run(alone))}. The analysis says: {said_of(func, f'{name}.1')}.", sccp(alone)
        )

    return Choice(
        "Dividing by 0 traps here, and so does shifting by more than 63. All operands are known. Which of these does the pass fold?",
        tuple(
            [
                claim(f"`{text}`", isinstance(sccp_facts(func).values[f"{name}.1"], Const), said[text], shown(text, name), TRAP)
                for text, name in texts.items()
            ]
        ),
        several=True,
    )  # fmt: skip


@asked("10-switch", under="Edges, not blocks", doubt=DEFAULT)
def switch() -> Choice:
    """Ask where a switch on a known value goes that no case names."""
    func = parse("""
    func f():
    top:
      k.1 = 5
      switch k.1 [0: zero, 1: one] else other
    zero:
      return 10
    one:
      return 11
    other:
      return 12
    """)
    facts = sccp_facts(func)
    shown = Evidence(
        f"It {gives(run(func))}.", func, {"edges": {e: "path" for e in sorted(facts.executable_edges)}}
    )
    said = {
        "zero": (
            "5 is not 0. A pass that looks for the case and finds none must not take the first.",
            DEFAULT,
        ),
        "one": ("5 is not 1, though 1 is nearest.", "a switch takes the nearest case"),
        "other": ("No case matches, so the default is taken, and only that edge is executable.", ""),
        "all three": ("k₁ is known, so one edge is taken.", "a switch makes all its edges executable"),
    }
    reached = sorted(facts.executable_blocks - {"top"})
    return Choice(
        "k₁ is known to be 5. Which blocks below top does the analysis mark as executable?",
        tuple(
            [
                claim(text, reached == ([text] if text in func.cfg else ["one", "other", "zero"]), said[text][0], shown, said[text][1])
                for text in said
            ]
        ),
        func,
    )  # fmt: skip
