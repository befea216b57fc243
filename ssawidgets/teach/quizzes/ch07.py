"""Questions of chapter 07: out of SSA form."""

from __future__ import annotations

from ssawidgets.interp import run
from ssawidgets.ir import Func, parse
from ssawidgets.ir.names import base
from ssawidgets.opt import copy_propagate
from ssawidgets.ssa import critical_edges, from_ssa, sequentialise, to_ssa
from ssawidgets.ssa.congruence import phi_nodes
from ssawidgets.ssa.lower_edges import lower
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, ran

SUBSCRIPTS = "dropping the subscripts leaves SSA form"
IN_TURN = "phis run one after the other"
AT_THE_END = "a copy at the end of the predecessor is always right"
TEMPORARY = "a cycle of copies always needs a temporary"


def lost_copy() -> Func:
    """Return the lost-copy program: a phi's value is read after the loop, where its name has been copied over."""
    return parse("""
    func rounds():
    start:
      goto loop
    loop:
      i.1 = phi(start: 3, loop: i.2)
      i.2 = i.1 - 1
      c.1 = i.1 > 1
      if c.1 goto loop else out
    out:
      return i.1
    """)


def swap() -> Func:
    """Return the swap program: two phis of one block that pass each other's value."""
    return parse("""
    func swap(n):
    start:
      goto loop
    loop:
      x.1 = phi(start: 1, loop: y.1)
      y.1 = phi(start: 2, loop: x.1)
      k.1 = phi(start: n, loop: k.2)
      k.2 = k.1 - 1
      c.1 = k.2 > 0
      if c.1 goto loop else out
    out:
      print x.1, y.1
    """)


def without_subscripts(func: Func) -> Func:
    """Call every version by its variable's name."""
    variable = {name: base(name) for name in func.names}
    return lower(func, variable | {phi: base(parameter) for phi, parameter in phi_nodes(func)})


@asked("07-subscripts", under="Dropping the subscripts", doubt=SUBSCRIPTS)
def subscripts() -> Choice:
    """Ask what is left of a program when subscripts are dropped after copies were propagated."""
    source = parse("""
    func f(n):
    start:
      x = 1
      goto loop
    loop:
      y = x
      x = x + n
      c = x < 20
      if c goto loop else out
    out:
      return y
    """)
    ssa = to_ssa(source)
    propagated = copy_propagate(ssa)
    wanted = run(source, [3]).value
    plain, after = [run(without_subscripts(f), [3]).value == wanted for f in (ssa, propagated)]
    kept = ran("Right after construction, without subscripts, it", without_subscripts(ssa), [3])
    lost = ran(f"The source returns {wanted}. After copy propagation, without subscripts, it", without_subscripts(propagated), [3])  # fmt: skip
    return Choice(
        "The program is brought to SSA form and the subscripts are dropped again. When does it still compute the same?",
        (
            claim("always", plain and after, "Copy propagation read x₂ in place of y₁: now two versions of x are wanted at one time.", lost, SUBSCRIPTS),
            claim("if nothing was changed in between", plain and not after, "Then at each point one version of a variable is wanted, the one the source had. Copy propagation ends that.", kept),
            claim("never", not plain and not after, "Straight after construction it is right: at each point one version of each variable is wanted.", kept, "versions are always wanted side by side"),
        ),
        source,
    )  # fmt: skip


@asked("07-lost-copy", under="Naive copies, two ways to be wrong", doubt=AT_THE_END)
def lost() -> Choice:
    """Ask what the lost-copy program returns after naive copies."""
    ssa = lost_copy()
    naive = from_ssa(ssa, method="naive")
    right, wrong = run(ssa).value, run(naive).value
    shown = ran(f"The source returns {right}. With naive copies it", naive)
    split = ran("With the edge split it", from_ssa(ssa, method="split"))
    return Choice(
        f"The program returns {right}. Naive copies put `i.1 = i.2` at the end of loop, before its branch. What does it return then?",
        (
            claim(f"{right}, as before", wrong == right, "The copy also runs when the loop is left, and out reads i₁ after it.", shown, AT_THE_END),
            claim("0", wrong == 0, "In the last round i₁ is 1, i₂ is 0, and the copy overwrites i₁ on the way out.", shown),
            claim("3", wrong == 3, "The copy does run, each round.", shown, "copies for a phi run once"),
            claim("-1", wrong == -1, "Only i₁ is copied over; the branch is decided before the copy counts.", split, "the branch reads the copied value"),
        ),
        ssa,
    )  # fmt: skip


@asked("07-swap", under="The swap", doubt=IN_TURN)
def swapped() -> Choice:
    """Ask what the swap program prints after naive copies."""
    ssa = swap()
    naive = from_ssa(ssa, method="naive")
    right, wrong = [run(f, [2]).text.strip() for f in (ssa, naive)]
    shown = ran(f"In SSA form it prints {right}. With naive copies it", naive, [2])
    together = ran("In SSA form, with both phis at once, it", ssa, [2])
    return Choice(
        "`swap(2)` goes round once. Naive copies write `x = y`, then `y = x`. What is printed then?",
        (
            claim("1 2", wrong == "1 2", "One round does change something.", shown, "two swaps cancel out"),
            claim("2 1", wrong == "2 1", "That is what the phis mean, both at once. One after the other, the second copy reads what the first has written.", together, IN_TURN),
            claim("2 2", wrong == "2 2", "x = y makes x 2; then y = x copies that 2 back, and 1 is gone.", shown),
            claim("1 1", wrong == "1 1", "It would be, were y copied first. Whichever comes first overwrites what the other wants to read.", shown, "the order of the copies can be chosen so that it works"),
        ),
        ssa,
    )  # fmt: skip


@asked("07-temporary", under="Parallel copies", doubt=TEMPORARY)
def temporary() -> Choice:
    """Ask how many copies a cycle with an outside reader takes."""
    copies = {"a": "b", "b": "a", "c": "a"}
    found = sequentialise(copies)
    lines = [f"{dst} = {src}" for dst, src in found]
    shown = Evidence(
        f"In order: {'; '.join(lines)}. When a has been overwritten, c still holds its old value."
    )
    said = {
        2: ("There are three different destinations, and each has to be written.", "equal sources are copied once"),
        3: ("c takes the value of a first, and afterwards b can take it from c.", ""),
        4: ("A temporary is not needed where an outside destination holds one of the cycle's values.", TEMPORARY),
        5: ("Even with a temporary it would be four.", "each value goes through a temporary"),
    }  # fmt: skip
    return Choice(
        "At the same moment a takes the value of b, b that of a, and c that of a. How many copies, one after the other, are needed at least?",
        tuple([claim(str(n), len(found) == n, said[n][0], shown, said[n][1]) for n in said]),
    )


@asked("07-edges", under="A way that is always right", doubt="every edge into a phi must be split")
def edges() -> Prediction:
    """Ask which edges have no place for copies."""
    func = parse("""
    func f(n):
    a:
      if n goto b else d
    b:
      c.1 = n > 3
      if c.1 goto d else e
    d:
      x.1 = phi(a: 1, b: 2)
      goto e
    e:
      y.1 = phi(b: 3, d: x.1)
      return y.1
    """)
    g = func.cfg

    def why(edge: tuple[str, int]) -> Evidence:
        src, dst = edge[0], g.succs[edge[0]][edge[1]]
        marks = {"edges": {edge: "path"}, "marks": {src: "path", dst: "path"}}
        if not func.block(dst).params:
            return Evidence(f"{dst} has no phi, so nothing is copied on the way there.", func, marks)
        if edge in critical_edges(g):
            return Evidence(
                f"At the end of {src} a copy would also run on its other way out, at the top of {dst} on its other way in: only on the edge is it right.",
                func,
                marks,
            )
        return Evidence(f"{src} leads only to {dst}: its end is a place for the copies.", func, marks)  # fmt: skip

    return Prediction(
        "Copies for the phis belong on edges. On which edges do they fit neither at the end of the source nor at the top of the target?",
        func,
        "edges",
        lambda func: [e for e in critical_edges(func.cfg) if func.block(g.succs[e[0]][e[1]]).params],
        why,
        lambda edge: "every edge into a phi must be split" if edge[0] == "d" else "",
    )
