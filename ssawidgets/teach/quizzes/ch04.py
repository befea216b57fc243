"""Questions of chapter 04: placing phis."""

from __future__ import annotations

from ssawidgets.explain import why_live, why_phi
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse, sketch
from ssawidgets.ssa import place_phis, to_ssa
from ssawidgets.ssa.placement import Flavour
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, denial, fact, ran, six_blocks

TESTS = "a phi tests a condition"
BOTH = "a phi only where both branches assign"
ONE = "one definition never needs a phi"
EXITS = "liveness starts at the exits"
FEWEST = "minimal means fewest"
GLOBAL = "a variable used in two blocks is global"


@asked("04-edge", under="What a phi is", doubt=TESTS)
def edge() -> Choice:
    """Ask what a phi gives where the condition has changed since the branch."""
    func = parse("""
    func f(n):
    top:
      c.1 = n > 0
      if c.1 goto yes else no
    yes:
      c.2 = !c.1
      goto meet
    no:
      goto meet
    meet:
      c.3 = phi(yes: c.2, no: c.1)
      x.1 = phi(yes: 10, no: 20)
      print c.3
      return x.1
    """)
    outcome = run(func, [1])
    said = {
        10: "The run came over the edge from yes, so x₁ is 10. That c₃ is false by then does not matter.",
        20: "c₃ is false at meet, but a phi does not look at it: the run came over the edge from yes.",
    }
    return Choice(
        "`f(1)` takes the branch to yes, and there the condition is turned round. What does it return?",
        (
            *[
                claim(str(v), v == outcome.value, said[v], lambda: ran("It", func, [1]), TESTS)
                for v in (10, 20)
            ],
            claim(
                "It depends on which of the two was written last",
                outcome.value not in (10, 20),
                "Nothing is written twice here; the edge alone decides.",
                lambda: ran("It", func, [1]),
                "a phi picks the newest value",
            ),
        ),
        func,
    )


@asked("04-one-arm", under="One arm is enough", doubt=BOTH)
def one_arm() -> Choice:
    """Ask for a phi where one arm assigns and the other does not."""
    func = sketch("0>1 0>2 1>3 2>3", defs={"x": "0 1"}, uses={3: "x"})
    why = why_phi(func, "x", 3)
    return Choice(
        "x is defined in 0 and again in 1, but not in 2. Does 3 need a phi for x?",
        (
            fact("Yes", why, "Through 1 comes the new value, through 2 the old one of 0."),
            denial("No, only one of the two arms assigns x", why, "Then the other arm brings the value from before the branch, and two values meet.", BOTH),
            denial("No, x has a value on both ways anyway", why, "It has, but two different definitions bring it, and one name must stand for both.", "a phi is for variables without a value"),
        ),
        func,
    )  # fmt: skip


def total(func: Func, flavour: Flavour) -> int:
    """Count the phis of a flavour."""
    return sum(len(blocks) for blocks in place_phis(func, flavour).values())


@asked("04-flavours", under="Three flavours", doubt=FEWEST)
def flavours() -> Choice:
    """Ask how many phis pruned placement puts."""
    func = six_blocks()
    minimal, semi, pruned = [total(func, f) for f in ("minimal", "semi-pruned", "pruned")]

    def shown(flavour: Flavour) -> Evidence:
        return Evidence(
            f"With {flavour} placement there are {total(func, flavour)} phis.", to_ssa(func, flavour=flavour)
        )

    return Choice(
        f"Minimal placement gives this program {minimal} phis. How many does pruned placement give it?",
        (
            claim(str(minimal), pruned == minimal, "Minimal says that no phi stands where one definition alone reaches; it does not ask whether anybody reads the phi.", lambda: shown("minimal"), FEWEST),
            claim(str(semi), pruned == semi, "So many has semi-pruned placement. It keeps every phi of a variable that passes between blocks somewhere, read after that phi or not.", lambda: shown("semi-pruned"), "semi-pruned is pruned"),
            claim(str(pruned), pruned == total(func, "pruned"), "Only phis whose variable is live where they stand.", lambda: shown("pruned")),
            claim("0", pruned == 0, "Some of them are read: x in 1 and 4, y in 1, 4 and 5.", lambda: shown("pruned"), "a phi that can be pruned always is"),
        ),
        func,
    )  # fmt: skip


@asked("04-global", under="What semi-pruned asks", doubt=GLOBAL)
def global_name() -> Choice:
    """Ask what semi-pruned placement does with a variable used in two blocks and written first in both."""
    func = parse("""
    func f(n):
    a:
      t = n + 1
      print t
      if n goto b else d
    b:
      t = n + 2
      print t
    d:
      return n
    """)
    minimal = why_phi(func, "t", "d")
    dropped = why_phi(func, "t", "d", "semi-pruned")
    return Choice(
        "t is written and read in a and in b. Which placements put a phi for t at d?",
        (
            fact("minimal", minimal, "Two definitions of t meet at d, and minimal asks for no more."),
            fact("semi-pruned", dropped, "t is used in two blocks, but each writes it before reading it: no value of t crosses an edge.", GLOBAL),
            fact("pruned", why_phi(func, "t", "d", "pruned"), "Nobody reads t after d.", "pruned drops fewer phis than semi-pruned"),
        ),
        func,
        several=True,
    )  # fmt: skip


@asked("04-dropped", under="What pruned asks", doubt="a phi in a loop is always needed")
def which_dropped() -> Prediction:
    """Ask at which blocks pruning drops a phi."""
    func = sketch("0>1 1>2 1>3 2>4 3>4 4>5 4>1", defs={"y": "0 2 3"}, uses={5: "y"})
    placed = place_phis(func)["y"]

    return Prediction(
        f"Minimal placement puts phis for y at {' and '.join(sorted(placed))}. Which of them stay when only live ones may?",
        func,
        "blocks",
        lambda func: place_phis(func, "pruned")["y"],
        lambda b: why_phi(func, "y", b, "pruned"),
        lambda b: (
            "a phi in a loop is always needed"
            if b == "1"
            else "a phi is live only where it is read at once"
            if b == "4"
            else ""
        ),
    )


@asked("04-one-definition", under="One definition can need a phi", doubt=ONE)
def one_definition() -> Choice:
    """Ask for a phi for a variable with one definition that does not dominate its use."""
    func = sketch("0>1 0>2 1>3 2>3", defs={"x": "1"}, uses={3: "x"})
    why = why_phi(func, "x", 3)
    return Choice(
        "x has one definition in the whole program, in 1. Does 3 need a phi for x?",
        (
            fact("Yes", why, "Through 2 no value comes at all; the phi says so, with undef."),
            denial("No, there is one definition only", why, "One definition, and yet two states of x: defined through 1, not defined through 2. Without the phi, the definition would not dominate the use.", ONE),
        ),
        func,
    )  # fmt: skip


def live_from_exits(func: Func, name: str) -> set[str]:
    """Return the blocks at whose top a name is found live when the search starts at blocks that end the program."""
    found: set[str] = set()
    seen: set[str] = set()
    work = [b for b in func.cfg.blocks if not func.cfg.succs[b]]
    while work:
        block = work.pop()
        if block in seen:
            continue
        seen.add(block)
        for instr in func.block(block).body:
            if name in instr.args:
                found.add(block)
                break
            if instr.dest == name:
                break
        work += func.cfg.preds[block]
    return found


@asked("04-endless", under="What pruned asks", doubt=EXITS)
def endless() -> Choice:
    """Ask what a liveness analysis that starts at the exits makes of a loop that never ends."""
    func = parse("""
    func ticks():
    start:
      x = 0
      goto loop
    loop:
      print x
      x = x + 1
      goto loop
    """)
    found = live_from_exits(func, "x")
    kept = place_phis(func, "pruned")["x"]
    truth = why_live(func, "x", "loop", "top")

    def shown() -> Evidence:
        return Evidence(
            f"No block ends the program, so such a search begins nowhere. Yet x is read: pruned placement needs a phi at {' and '.join(sorted(kept))}.",
            func,
            {"marks": {b: "selected" for b in kept}},
        )

    return Choice(
        "This program prints for ever. An analysis looks for live variables from the blocks that end the program, backwards. Where does it find x live?",
        (
            claim("At the top of loop", found == {"loop"}, "There x is live, but this search never gets there.", truth, EXITS),
            claim("Nowhere", not found, "No block ends the program, so the search has no place to begin. Start at the reads instead.", shown),
            claim("At the top of start and of loop", found == {"start", "loop"}, "start writes x before anybody reads it, and the search does not come to loop either.", why_live(func, "x", "start", "top"), "a variable is live wherever it is read later, written before or not"),
        ),
        func,
    )  # fmt: skip
