"""Questions of chapter 06: construction on the fly, after Braun et al."""

from __future__ import annotations

from ssawidgets.analysis import loops
from ssawidgets.explain import why_phi
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse, sketch
from ssawidgets.ir.model import Operand
from ssawidgets.ssa import to_ssa, verify
from ssawidgets.ssa.braun import Braun
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, six_blocks

EARLY = "a block is sealed when it is filled"
SELF = "an operand that is the phi itself counts as another value"
RECHECK = "a phi is looked at once"
ALWAYS = "Braun's phis are minimal on every graph"
TOO_EARLY = "a block can be sealed as soon as one comes to it"


@asked("06-seal", under="Sealing", doubt=EARLY)
def seal() -> Choice:
    """Ask when a loop header may be sealed."""
    func = six_blocks()
    preds = func.cfg.preds["1"]
    order = list(func.cfg.blocks)
    earliest = max(preds, key=order.index)
    said = {
        "0": ("After 0 one of its edges is there; the one from 4 is still to come.", "a block is sealed when its first predecessor is filled"),
        "1": ("Filled means: its instructions are in. Sealed means: no further edge will come to it. 4 has not been filled yet.", EARLY),
        "4": ("Now both blocks that lead to 1 are filled, so no other edge will come.", ""),
        "5": ("5 is where the loop is left; the edge that comes back, from 4, is still to come.", "a loop's head is sealed when the loop is left"),
    }  # fmt: skip
    marks = {"marks": {"1": "current", **dict.fromkeys(preds, "path")}}
    shown = Evidence(f"To 1 lead {' and '.join(preds)}.", func.cfg, marks)
    return Choice(
        f"Blocks are filled in the order {' '.join(order)}. After which one can block 1 be sealed, at the earliest?",
        tuple([claim(b, b == earliest, said[b][0], shown, said[b][1]) for b in said]),
        func.cfg,
    )


def values_of(func: Func, phi: str) -> list[Operand]:
    """Return the different values passed to a phi, itself left out."""
    block = next(b for b in func.blocks if phi in b.params)
    place = block.params.index(phi)
    passed = [t.args[place] for _, _, t in func.edges() if t.block == block.name]
    return list(dict.fromkeys([v for v in passed if v != phi]))


def with_trivial_phis() -> Func:
    """Return a program with phis of which one is trivial at once, and one only after that one is gone."""
    return parse("""
    func f(n):
    start:
      x.1 = n + 1
    outer:
      x.2 = phi(start: x.1, bottom: x.3)
      i.1 = phi(start: 0, bottom: i.2)
    inner:
      x.3 = phi(outer: x.2, inner: x.3)
      i.2 = phi(outer: i.1, inner: i.3)
      i.3 = i.2 + x.3
      c.1 = i.3 < 9
      if c.1 goto inner else bottom
    bottom:
      c.2 = i.2 < n
      if c.2 goto outer else out
    out:
      return i.2
    """)


@asked("06-trivial", under="Trivial phis", doubt=SELF)
def trivial() -> Prediction:
    """Ask which phis are trivial as they stand."""
    func = with_trivial_phis()
    phis = [p for b in func.blocks for p in b.params]

    def why(name: str) -> Evidence:
        marks = {
            "marks": {
                next(b.name for b in func.blocks if name in (*b.params, *[i.dest for i in b.body])): "current"
            }
        }
        if name not in phis:
            return Evidence(f"{name} is no phi.", func, marks)
        values = values_of(func, name)
        text = " and ".join(map(str, values))
        more = (
            "one value, so it is trivial"
            if len(values) == 1
            else "two values, so it is not trivial as it stands"
        )
        return Evidence(f"Itself left out, {name} is passed {text}: {more}.", func, marks)  # fmt: skip

    return Prediction(
        "A phi is trivial when it is passed one value, itself left out. Which phis are trivial as they stand?",
        func,
        "versions",
        lambda func: [p for p in phis if len(values_of(func, p)) == 1],
        why,
        lambda name: (
            SELF
            if name == "x.3"
            else "a phi that will become trivial is trivial now"
            if name == "x.2"
            else ""
        ),
    )


def removed(func: Func) -> list[str]:
    """Remove trivial phis until there is none; return them in the order in which they go."""
    gone: dict[Operand, Operand] = {}

    def now(value: Operand) -> Operand:
        while value in gone:
            value = gone[value]
        return value

    phis = [p for b in func.blocks for p in b.params]
    order: list[str] = []
    while True:
        for phi in [p for p in phis if p not in gone]:
            left = list(dict.fromkeys([now(v) for v in values_of(func, phi) if now(v) != phi]))
            if len(left) == 1:
                gone[phi] = left[0]
                order.append(phi)
                break
        else:
            return order


@asked("06-recheck", under="Trivial phis", doubt=RECHECK)
def recheck() -> Choice:
    """Ask how many phis are left when trivial ones are removed until there is none."""
    func = with_trivial_phis()
    phis = [p for b in func.blocks for p in b.params]
    order = removed(func)
    left = len(phis) - len(order)
    once = len(phis) - len([p for p in phis if len(values_of(func, p)) == 1])
    shown = Evidence(
        f"First {order[0]} goes; then {', then '.join(order[1:])}, whose operands have become one. {left} are left.",
        func,
    )
    return Choice(
        f"There are {len(phis)} phis. Trivial ones are removed, and whoever used a removed one is looked at again. How many are left?",
        (
            claim(str(len(phis)), left == len(phis), "One of them is passed nothing but another value and itself.", shown, SELF),
            claim(str(once), left == once, "When a phi goes, a phi that used it may become trivial in turn. Look at its users again.", shown, RECHECK),
            claim(str(left), left == len(phis) - len(order), "One goes at once, one after it.", shown),
            claim("0", left == 0, "Two are passed different values, and these stay.", shown, "loops need no phi for a value that comes back"),
        ),
        func,
    )  # fmt: skip


class SealsAtOnce(Braun):
    """Seal every block as soon as the reader comes to it."""

    def fill_all(self) -> None:
        """Seal and fill every block in reverse postorder."""
        for block in self.func.cfg.reverse_postorder:
            self.seal_block(block)
            self.fill_block(block)


@asked("06-early", under="Sealing", doubt=TOO_EARLY)
def early() -> Choice:
    """Ask what comes of sealing a loop's head before the jump back to it is there."""
    func = parse("""
    func f(n):
    start:
      i = 0
    head:
      i = i + 1
      c = i < n
      if c goto head else out
    out:
      return i
    """)
    broken = SealsAtOnce(func)
    broken.fill_all()
    made = broken.result()
    right, wrong = run(func, [3], fuel=1000), run(made, [3], fuel=1000)
    endless = wrong.trap is not None and "fuel" in wrong.trap
    shown = Evidence(
        f"In the program made, i₂ is {made.block('head').body[0].args[0]} + 1 in every round.", made
    )
    return Choice(
        "head jumps back to itself. A front end seals it before its instructions are in. What does the program in SSA form do for n = 3?",
        (
            claim(f"It returns {right.value}, as it should", wrong.value == right.value, "The phi was completed too early: what head makes of i does not come back to it.", shown, TOO_EARLY),
            claim("It never ends", endless, "When the phi was completed, head knew nothing but the phi itself. So the phi looked trivial and went, and every round begins with 0 again.", shown),
            claim("It is refused by the verifier", bool(verify(made)), "Every name is defined once and dominates its uses. The form is right and the meaning is not.", shown, "a program in SSA form is a right program"),
        ),
        func,
    )  # fmt: skip


@asked("06-irreducible", under="Where it is not minimal", doubt=ALWAYS)
def irreducible() -> Choice:
    """Ask how many phis are left in a loop with two entries that changes nothing."""
    func = sketch("0>1 0>2 1>2 2>1 2>3", defs={"x": "0"}, uses={3: "x"})

    def count(ssa: Func) -> int:
        return sum(len(b.params) for b in ssa.blocks)

    plain, scc = to_ssa(func, "braun"), to_ssa(func, "braun", minimal_scc=True)
    kept = count(plain)
    each_other = Evidence(f"{kept} phis, and each is passed x₁ and the other: none is trivial.", plain)
    none = Evidence("With both removed together, as one value, nothing is missing.", scc)
    reducible = loops(func).reducible
    return Choice(
        "x is defined once, in 0. The loop of 1 and 2 has two entries. How many phis does Braun's algorithm keep, without its extra step for such graphs?",
        (
            claim("0", kept == count(scc) and reducible, "Minimal placement needs none. But each of the two phis is passed the other, so neither is trivial by itself.", why_phi(func, "x", 2), ALWAYS),
            claim("1", kept == 1, "If one of them went, the other would be trivial too. Neither goes first.", each_other, "one of two phis that need each other goes"),
            claim("2", kept == 2, "Two phis that are passed x₁ and each other. Removing whole groups of phis at once finds them.", each_other),
            claim("3", kept == 3, "3 has one predecessor, and a block with one predecessor gets no phi.", none, "every block that reads x gets a phi"),
        ),
        func,
    )  # fmt: skip
