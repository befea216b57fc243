"""Questions of chapter 02: dominators."""

from __future__ import annotations

from ssawidgets.analysis import dominators
from ssawidgets.explain import why_dominates, why_immediate_dominator
from ssawidgets.ir import Cfg, cfg
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, denial, fact, six_blocks

ITSELF = "a block does not dominate itself"
REACHED = "what a block can reach, it dominates"
PREDECESSOR = "the immediate dominator must be a predecessor"
OWN_IDOM = "the entry is its own immediate dominator"
EARLIER = "what comes earlier in reverse postorder dominates what comes later"
UNREACHABLE = "a predecessor that no run comes to counts"
ANY_ORDER = "the order in which Cooper, Harvey and Kennedy number blocks costs time only"


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


@asked("02-earlier", under="Cooper, Harvey and Kennedy", doubt=EARLIER)
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


def walking_up(g: Cfg, order: list[str], fuel: int = 100) -> dict[str, str] | None:
    """Run Cooper, Harvey and Kennedy's sweeps with blocks numbered in any order; None when the walks do not meet.

    The entry's own name stands for its missing dominator.
    """
    number = {b: place for place, b in enumerate(order)}
    idom = {g.entry: g.entry}
    before: dict[str, str] = {}
    while idom != before:
        before = dict(idom)
        for b in [b for b in order if b != g.entry]:
            found = [p for p in g.preds[b] if p in idom]
            if not found:
                continue
            new = found[0]
            for p in found[1:]:
                while new != p:
                    fuel -= 1
                    if fuel < 0:
                        return None
                    if number[new] > number[p]:
                        new = idom[new]
                    else:
                        p = idom[p]
            idom[b] = new
    return idom


@asked("02-order", under="Cooper, Harvey and Kennedy", doubt=ANY_ORDER)
def other_order() -> Choice:
    """Ask what comes of the walks when blocks are numbered in postorder, not reversed."""
    g = cfg("0>1 0>2 1>3 2>3")
    right = {b: up or b for b, up in dominators(g).idom.items()}
    postorder = list(reversed(g.reverse_postorder))
    got = walking_up(g, postorder)
    badges = {b: f"{n}." for n, b in enumerate(postorder)}
    shown = Evidence(
        f"The numbers are those of postorder. The entry 0 has {postorder.index('0')}, the largest: whenever a walk stands there, the entry moves, to itself.",
        g,
        {"badges": badges},
    )
    return Choice(
        "The block with the larger number moves up. By mistake the blocks are numbered in postorder, as the search is done with them, and not in reverse. What comes of it on this graph?",
        (
            claim("The right tree, after more sweeps", got == right, "The numbers decide which of the two walks moves, so they decide where the walks meet, not only how soon.", shown, ANY_ORDER),
            claim("A wrong tree", got is not None and got != right, "That happens with some orders. In this one a walk does not come to an end.", shown, "a wrong order shows in a wrong tree only"),
            claim("It never ends", got is None, "At 3 the two arms meet. One walk comes to the entry, which has the largest number, so it is the entry that must move, to itself, for ever.", shown),
        ),
        g,
    )  # fmt: skip
