"""Questions of chapter 02: dominators."""

from __future__ import annotations

from ssawidgets.analysis import dominators
from ssawidgets.explain import why_dominates, why_immediate_dominator
from ssawidgets.ir import cfg
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, denial, fact, six_blocks

ITSELF = "a block does not dominate itself"
REACHED = "what a block can reach, it dominates"
PREDECESSOR = "the immediate dominator must be a predecessor"
OWN_IDOM = "the entry is its own immediate dominator"
EARLIER = "what comes earlier in reverse postorder dominates what comes later"
UNREACHABLE = "a predecessor that no run comes to counts"


@asked("02-itself", under="The definition", doubt=ITSELF)
def itself() -> Choice:
    """Ask for dominance of a block over itself and over what comes after."""
    g = six_blocks().cfg
    return Choice(
        "Which blocks does block 2 dominate?",
        (
            fact("1", why_dominates(g, 2, 1), "1 comes before 2 on every path.", "dominance goes both ways round a loop"),
            fact("2", why_dominates(g, 2, 2), "Every path to 2 passes 2. Only strict dominance leaves the block itself out.", ITSELF),
            fact("3", why_dominates(g, 2, 3), "3 has no other way in."),
            fact("4", why_dominates(g, 2, 4), "4 has two ways in, and both passed 2.", "only successors with one way in are dominated"),
            fact("5", why_dominates(g, 2, 5), "From 2 one does come to 5, round the loop; but one may come to 5 without.", REACHED),
        ),
        g,
        several=True,
    )  # fmt: skip


@asked("02-below", under="The definition", doubt=REACHED)
def below() -> Prediction:
    """Ask for everything a block dominates, with a way round for some."""
    g = cfg("0>1 0>6 1>2 1>3 2>4 3>4 4>5 6>5 4>1")
    return Prediction(
        "Which blocks does block 1 dominate? (A block dominates itself.)",
        g,
        "blocks",
        lambda g: [b for b in g.blocks if dominators(g).dominates("1", b)],
        lambda b: why_dominates(g, 1, b),
        lambda b: ITSELF if b == "1" else REACHED if b == "5" else "",
    )


@asked("02-idom", under="The dominator tree", doubt=PREDECESSOR)
def idom() -> Choice:
    """Ask for the immediate dominator of a join."""
    g = cfg("0>1 1>2 1>3 2>4 3>4")
    return Choice(
        "Which block is the immediate dominator of 4?",
        (
            fact("0", why_immediate_dominator(g, 0, 4), "0 does dominate 4, but another dominator is closer.", "the immediate dominator is the first block on every path"),
            fact("1", why_immediate_dominator(g, 1, 4), "1 is the last block that all paths pass before 4. It is no predecessor of 4."),
            fact("2", why_immediate_dominator(g, 2, 4), "2 is a predecessor, but one may come through 3.", PREDECESSOR),
            fact("3", why_immediate_dominator(g, 3, 4), "3 is a predecessor, but one may come through 2.", PREDECESSOR),
        ),
        g,
    )  # fmt: skip


@asked("02-entry", under="Three traps", doubt=OWN_IDOM)
def entry() -> Choice:
    """Ask for the immediate dominator of an entry that is jumped back to."""
    g = cfg("1>2 2>1 2>3")
    found = dominators(g).idom["1"]
    tree = Evidence("The tree hangs from 1; above it there is nothing.", g, {"tree": dominators(g).idom})
    return Choice(
        "1 is the entry, and 2 jumps back to it. What is the immediate dominator of 1?",
        (
            claim("1 itself", found == "1", "An immediate dominator is a strict one, and nothing strictly dominates itself. Programs that write 1 here walk in circles when they climb the tree.", why_immediate_dominator(g, 1, 1), OWN_IDOM),
            claim("2, its only predecessor", found == "2", "A run starts at 1 without passing 2.", why_immediate_dominator(g, 2, 1), PREDECESSOR),
            claim("it has none", found is None, "A run starts at 1, so no other block comes before it on every path.", tree),
        ),
        g,
    )  # fmt: skip


@asked("02-earlier", under="Three traps", doubt=EARLIER)
def earlier() -> Choice:
    """Ask which of the earlier blocks dominate a join."""
    g = cfg("0>1 1>2 1>3 2>4 3>4 4>5")
    order = g.reverse_postorder
    said = {
        "0": ("Every path starts at 0.", ""),
        "1": ("Every path passes 1.", ""),
        "2": ("2 does come before 4 in the order, but a run may take the other arm. A value defined in 2 may be missing at 4.", EARLIER),
        "3": ("3 does come before 4 in the order, but a run may take the other arm. A value defined in 3 may be missing at 4.", EARLIER),
    }  # fmt: skip
    return Choice(
        f"The reverse postorder is {' '.join(order)}. Which of the blocks before 4 dominate 4?",
        tuple([fact(b, why_dominates(g, b, 4), *said[b]) for b in sorted(said)]),
        g,
        several=True,
    )


@asked("02-unreachable", under="Three traps", doubt=UNREACHABLE)
def unreachable() -> Choice:
    """Ask whether dead code takes dominance away."""
    g = cfg("0>1 1>2 9>2 2>3")
    why = why_dominates(g, 1, 2)
    return Choice(
        "No run comes to block 9, but it has an edge to 2. Does 1 still dominate 2?",
        (
            fact("Yes", why, "Paths start at the entry, and none of them leads through 9."),
            denial("No, 9 is a way round", why, "9 > 2 is an edge, but no path from the entry takes it. Whoever intersects with 9 loses dominators, or never ends.", UNREACHABLE),
        ),
        g,
    )  # fmt: skip
