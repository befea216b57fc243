"""Questions of chapter 03: dominance frontiers."""

from __future__ import annotations

from itertools import pairwise

from ssawidgets.analysis import control_dependence, dominance_frontiers, dominators, iterated_frontier
from ssawidgets.explain import why_frontier, why_phi
from ssawidgets.ir import Cfg, cfg, sketch
from ssawidgets.teach.questions import Choice, Evidence, Option, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, fact, six_blocks

STRICTLY = "a block that D strictly dominates can be in D's frontier"
OWN = "a block cannot be in its own frontier"
SKIPPED = "a block with one predecessor is in no frontier"
WRONG_TREE = "the frontier of the graph turned round is as good"
ONCE = "phis go at the frontier, taken once"


@asked("03-frontier", under="The definition", doubt=STRICTLY)
def frontier() -> Prediction:
    """Ask for a frontier where the tempting blocks are those below."""
    g = six_blocks().cfg
    return Prediction(
        "Which blocks are in the dominance frontier of block 2?",
        g,
        "blocks",
        lambda g: dominance_frontiers(g)["2"],
        lambda b: why_frontier(g, 2, b),
        lambda b: STRICTLY if b in ("3", "4") else "",
    )


@asked("03-own-frontier", under="A block in its own frontier", doubt=OWN)
def own_frontier() -> Choice:
    """Ask for the frontier of a loop header."""
    g = six_blocks().cfg
    return Choice(
        "Block 1 is the head of a loop. Which blocks are in the dominance frontier of 1?",
        (
            fact(
                "1 itself",
                why_frontier(g, 1, 1),
                "1 dominates 4, 4 leads back to 1, and 1 does not strictly dominate 1.",
                OWN,
            ),
            fact(
                "2",
                why_frontier(g, 1, 2),
                "1 strictly dominates 2: its dominance goes on there, so its border is further off.",
                STRICTLY,
            ),
            fact(
                "4",
                why_frontier(g, 1, 4),
                "Paths meet at 4, but all of them passed 1 before: 4 is well inside what 1 dominates.",
                "every block where paths meet is in the frontier",
            ),
            fact(
                "5",
                why_frontier(g, 1, 5),
                "5 leaves the loop, but every path to it still passes 1.",
                "dominance ends where the loop is left",
            ),
        ),
        g,
        several=True,
    )


def walked_from_joins(g: Cfg) -> dict[str, set[str]]:
    """Return the frontiers found by a walk that passes over blocks with fewer than two predecessors."""
    idom = dominators(g).idom
    found: dict[str, set[str]] = {b: set() for b in idom}
    for j in idom:
        if len(g.preds[j]) < 2:
            continue
        for p in g.preds[j]:
            up: str | None = p
            while up is not None and up != idom[j]:
                found[up].add(j)
                up = idom[up]
    return found


@asked("03-entry", under="The entry, again", doubt=SKIPPED)
def entry() -> Choice:
    """Ask what is missed at an entry with one predecessor when only joins are looked at."""
    g = cfg("1>2 2>1 2>3")
    found = walked_from_joins(g)

    def missed(d: str, j: str, says: str, slip: str) -> Option:
        why = why_frontier(g, d, j)
        return claim(f"{j} in the frontier of {d}", why.holds and j not in found[d], says, why, slip)

    return Choice(
        "1 is the entry, and 2 jumps back to it. A program passes over every block with fewer than two predecessors. What does it miss?",
        (
            missed("1", "1", "1 dominates 2, which leads to 1, and nothing strictly dominates the entry. It has one predecessor, and one more way in: the start.", SKIPPED),
            missed("2", "1", "2 leads to 1, and the run that starts at 1 has not passed 2.", SKIPPED),
            missed("2", "3", "There is nothing to miss: every way to 3 passes 2.", "the frontier is the set of successors"),
            missed("1", "3", "There is nothing to miss: every way to 3 passes 1, as every run starts there.", "the frontier is what lies at the end"),
        ),
        g,
        several=True,
    )  # fmt: skip


@asked("03-iterated", under="Once is not enough", doubt=ONCE)
def iterated() -> Prediction:
    """Ask for all blocks that need a phi for a variable defined once more in the loop."""
    func = sketch("0>1 1>2 1>5 2>3 2>4 3>4 4>1", defs={"x": "0 3"}, uses={5: "x"})
    return Prediction(
        "x is defined in 0 and in 3. A phi is a definition too. Which blocks need a phi for x?",
        func,
        "blocks",
        lambda func: iterated_frontier(func, ["0", "3"]),
        lambda b: why_phi(func, "x", b),
        lambda b: ONCE if b == "1" else "a phi stands wherever x is read" if b == "5" else "",
    )


def nested(depth: int) -> Cfg:
    """Return `depth` repeat-until loops, each inside the one before."""
    heads = [f"h{i}" for i in range(depth)]
    tests = [f"t{i}" for i in reversed(range(depth))]
    chain = [*heads, *tests, "end"]
    edges = [*pairwise(chain), *zip(reversed(tests), heads, strict=True)]
    return cfg([(str(a), str(b)) for a, b in edges])


@asked("03-size", under="How large can they be?", doubt="frontiers are small")
def size() -> Choice:
    """Ask how the frontiers of nested loops grow."""
    ten, twenty = [sum(len(members) for members in dominance_frontiers(nested(d)).values()) for d in (10, 20)]

    def shown() -> Evidence:
        frontiers = dominance_frontiers(nested(3))
        badges = {b: f"DF {' '.join(sorted(members))}" for b, members in frontiers.items() if members}
        text = f"{ten} members at depth 10, {twenty} at depth 20. At depth 3: each test leads to every head around it."
        return Evidence(text, nested(3), {"badges": badges})

    times = twenty / ten
    return Choice(
        f"Ten repeat loops, each inside the last, have frontiers of {ten} members in all. Twenty loops have …",
        (
            claim("about as many", times < 1.5, f"The frontiers do grow: {ten} members become {twenty}.", shown, "a frontier belongs to one join, so there are few"),
            claim("about twice as many", 1.5 <= times < 3, f"There are twice as many frontiers, but each is twice as large too: {twenty} members.", shown, "frontiers are small"),
            claim("about four times as many", 3 <= times < 6, f"The innermost test has every head around it in its frontier, the next one all but one of them: {twenty} members.", shown),
            claim("about a thousand times as many", times >= 6, f"A frontier is a set of blocks, so the members are at most the square of the blocks: {twenty} of them.", shown, "frontiers grow exponentially"),
        ),
    )  # fmt: skip


@asked("03-mirror", under="The mirror image: control dependence", doubt=WRONG_TREE)
def mirror() -> Choice:
    """Ask where phis land that are placed by post-dominators."""
    g = cfg("0>1 0>2 1>3 2>3")
    right, turned = dominance_frontiers(g)["1"], control_dependence(g)["1"]

    def at(block: str) -> Evidence:
        text = f"The frontier of 1 is {' '.join(sorted(right))}. On the graph turned round it is {' '.join(sorted(turned))}."
        return Evidence(text, g, {"marks": {block: "selected", "1": "current"}})

    return Choice(
        "x is defined in 1. A tool takes the post-dominator tree by mistake and puts the phi at the frontier of 1 on the graph turned round. Where does the phi land?",
        (
            claim("At 3, where the arms meet", turned == {"3"}, "That is the frontier on the graph as it is, and the right place.", at("3"), WRONG_TREE),
            claim("At 0, where the arms part", turned == {"0"}, "Turned round, the arms meet at 0: it is the branch that decides whether 1 runs. No phi is needed there, and the one at 3 is missing.", at("0")),
            claim("At 1 itself", turned == {"1"}, "1 is in its own frontier only where it heads a loop, forwards or backwards.", at("1"), "a definition needs a phi where it stands"),
            claim("Nowhere", not turned, "1 runs in some runs only, so some branch decides about it.", at("2"), "only joins have frontiers on any tree"),
        ),
        g,
    )  # fmt: skip
