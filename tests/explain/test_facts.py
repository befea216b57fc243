"""Facts are those the analyses know, every one can be asked why, and what came and went over an edit is told."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.explain import KINDS, Comparison, Fact, compare, differences, facts, why_fact
from ssawidgets.explain.fact_tables import ABOUT_BLOCKS, reach
from ssawidgets.explain.reaching import mentions, reaching_pairs
from ssawidgets.ir import Func
from ssawidgets.ir.edits import (
    EditError,
    add_block,
    add_edge,
    remove_block,
    remove_edge,
    rename_block,
    replace_block_text,
    retarget_edge,
    split_edge,
)
from ssawidgets.ir.families import random_cfg
from ssawidgets.ssa.critical_edges import critical_edges
from tests.explain.test_why import small_funcs, variables_on

SIX_EDGES = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"
USES = {1: "x y", 3: "z", 4: "x y", 5: "y"}


def six(edges: str = SIX_EDGES, **more: str) -> Func:
    """The running example, with other edges or other definitions."""
    return sw.sketch(edges, defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3", **more}, uses=USES)


def expected(func: Func, kind: str) -> set[tuple[str, str]]:
    """The facts of a kind as other parts of the package give them."""
    if kind.endswith(" phi"):
        placed = sw.place_phis(func, kind.removesuffix(" phi"))  # type: ignore[arg-type]
        return {(b, v) for v, blocks in placed.items() for b in blocks}
    return {
        "reachable": lambda: {(b, "") for b in func.cfg.reachable},
        "dominator": lambda: {(b, d) for b, d in sw.dominators(func).idom.items() if d is not None},
        "frontier": lambda: {(j, d) for d, row in sw.dominance_frontiers(func).items() for j in row},
        "loop": lambda: {(b, h) for h, loop in sw.loops(func).items() for b in loop.body},
        "live": lambda: {(b, v) for b, names in sw.liveness(func).live_in.items() for v in names},
        "live out": lambda: {(b, v) for b, names in sw.liveness(func).live_out.items() for v in names},
        "critical": lambda: {(b, func.cfg.succs[b][n]) for b, n in critical_edges(func)},
        "def-use": lambda: {
            (f.block, f.about)
            for name in func.names
            for f in [reach(*pair) for pair in reaching_pairs(func, name)]
        },
    }[kind]()


def test_facts_are_what_the_analyses_say() -> None:
    for func in small_funcs()[::3]:
        mine = facts(func)
        for kind in KINDS:
            wanted = expected(func, kind)
            listed = mine.of(kind)
            assert {(f.block, f.about) for f in listed} == wanted and len(listed) == len(wanted)
            assert all(f.kind == kind and f in mine for f in listed)
            order = [func.cfg.index[f.block] for f in listed]
            assert order == sorted(order)
        assert list(mine) == [f for kind in KINDS for f in mine.of(kind)]


def test_every_fact_and_every_other_can_be_asked_why() -> None:
    rng = Random(76)
    for func in small_funcs()[::9]:
        mine = facts(func)
        for kind in KINDS:
            if kind == "def-use":
                asked = [*mine.of(kind), *others_that_might_reach(func)]
            else:
                abouts = (
                    func.cfg.blocks
                    if kind in ABOUT_BLOCKS
                    else [""]
                    if kind == "reachable"
                    else sorted(func.names)
                )
                blocks = func.cfg.blocks
                others = [Fact(kind, rng.choice(blocks), rng.choice(abouts)) for _ in "123456" if abouts]
                asked = [*mine.of(kind), *others]
            for fact in asked:
                why = mine.why(fact)
                assert why.holds == (fact in mine), (str(func), fact)
                assert why == mine.why(fact.key) == why_fact(func, fact)
                assert Fact.from_key(fact.key) == fact


def others_that_might_reach(func: Func) -> list[Fact]:
    """Every pair of a definition and a read of the same name, in the order of the text."""
    places = [site for b in func.blocks for name in sorted(func.names) for site in mentions(b, name)]
    definitions = [s for s in places if s.kind == "definition"]
    return [reach(d, r) for d in definitions for r in places if r.kind == "use" and r.name == d.name]


def test_keys_tell_names_of_any_kind_apart() -> None:
    odd = [
        Fact("live", 'a", "b', "x"),
        Fact("live", "a", 'b", "x'),
        Fact("live", "]", "π"),
        Fact("live", "a b", ""),
    ]
    assert len({f.key for f in odd}) == len(odd)
    assert [Fact.from_key(f.key) for f in odd] == odd
    for wrong in ("", "[]", '["live", "a"]', '["alive", "a", "x"]', '["live", 1, "x"]', "null"):
        with pytest.raises(ValueError, match="is no key of a fact; one looks like"):
            Fact.from_key(wrong)
    with pytest.raises(ValueError, match="no kind of fact 'phi'; there are: reachable, dominator"):
        facts(six()).of("phi")  # type: ignore[arg-type]
    for where in ("", "[]", '["x", "0", 1, 2]', '["x", "0", 1.5, 2, null]', '["x", 0, 1, 2, null]', "7"):
        with pytest.raises(ValueError, match="names no two places; those look like"):
            facts(six()).why(Fact("def-use", "1", where))
    with pytest.raises(ValueError, match="block 0 has no definition of 'x' at index 7; there are: 0"):
        facts(six()).why(Fact("def-use", "1", '["x", "0", 7, 0, null]'))


def edits(count: int) -> Iterator[tuple[str, Func, Func]]:
    """Random programs and what a random edit makes of them, with the edit's name."""
    rng = Random(77)
    made = 0
    while made < count:
        func = variables_on(random_cfg(rng, 1 + rng.randrange(8)), rng)
        a, b = rng.choice(func.cfg.blocks), rng.choice(func.cfg.blocks)
        name = rng.choice(list(EDITS))
        try:
            after = EDITS[name](func, a, b)
        except EditError:
            continue
        made += 1
        yield name, func, after


EDITS = {
    "add edge": add_edge,
    "remove edge": lambda f, a, b: remove_edge(f, a, 0),
    "retarget": lambda f, a, b: retarget_edge(f, a, 0, b),
    "remove block": lambda f, a, b: remove_block(f, a),
    "rename": lambda f, a, b: rename_block(f, a, "new"),
    "add block": lambda f, a, b: add_block(f, None, a),
    "split": lambda f, a, b: split_edge(f, a, 0),
    "text": lambda f, a, b: replace_block_text(f, a, "z = ?\n  use x, z\n  " + str(f.block(a).term)),
    "no read": lambda f, a, b: replace_block_text(f, a, str(f.block(a).term)),
}


def test_what_came_and_went() -> None:
    seen: dict[str, int] = {}
    for name, before, after in edits(700):
        seen[name] = seen.get(name, 0) + 1
        changed = compare(before, after)
        new_name = dict(zip(before.cfg.blocks, after.cfg.blocks, strict=False)) if name == "rename" else {}
        assert changed.renamed == ({} if before.cfg.blocks == after.cfg.blocks else new_name)
        for kind in KINDS:
            was = {
                (new_name.get(b, b), new_name.get(a, a) if kind in ABOUT_BLOCKS else a)
                for b, a in expected(before, kind)
            }
            now = expected(after, kind)
            assert {(f.block, f.about) for f in changed.added(kind)} == now - was
            assert {(f.block, f.about) for f in changed.removed(kind)} == was - now
            assert len(changed.added(kind)) == len(now - was)
        check_words(changed)
    assert min(seen.values()) >= 20 and len(seen) == len(EDITS)


def check_words(changed: Comparison) -> None:
    """Every change is told once, but for those told with their block; and what a sentence rests on is true."""
    told = differences(changed, most=10_000)
    after = changed.after
    for kind in KINDS:
        came, went = set(changed.added(kind)), set(changed.removed(kind))
        told_came = [f for d in told for f in d.added if f.kind == kind]
        told_went = [f for d in told for f in d.removed if f.kind == kind]
        assert len(told_came) == len(set(told_came)) and len(told_went) == len(set(told_went))
        assert set(told_came) <= came and set(told_went) <= went
        if kind in ("live out", "def-use"):
            assert not told_came + told_went  # they say once more what is told of names live at the top
            continue
        if changed.another_graph:
            continue
        here = after.func.cfg.index
        if kind == "dominator":  # told where a block has one before and after
            blocks = {f.block for f in came} & {f.block for f in went}
            assert {f.block for f in told_came} == {f.block for f in told_went} == blocks
        else:
            cut_off = set() if kind == "reachable" else set(here) - after.func.cfg.reachable
            assert set(told_went) == {f for f in went if f.block in here and f.block not in cut_off}
            assert set(told_came) == came
    for d in told:
        assert (
            d.sentence == str(d)
            and d.sentence.endswith(".")
            and ".." not in d.sentence
            and "  " not in d.sentence
        )
        if d.ask is None:
            continue
        gone = (
            d.ask.about not in after.func.names
            if d.ask.kind in ("live",) or " phi" in d.ask.kind
            else (d.ask.about not in after.func.cfg.index and d.ask.kind != "reachable")
        )
        if not gone:
            assert after.why(d.ask).holds == (d.ask in after) == (d.ask in d.added)
    assert differences(changed, most=10_000) == told
    few = differences(changed, most=3)
    if len(told) > 3:
        assert (
            few[:3] == told[:3] and str(few[3]) == f"And {len(told) - 3} more change{'s' * (len(told) > 4)}."
        )
    assert all(d.sentence in {t.sentence for t in told} for d in differences(changed, kinds=[]))


PRUNED = ("dominator", "pruned phi")
CHANGES = {
    "nothing": (six(), six(), KINDS, ""),
    "an edge that goes round a dominator": (
        six(),
        six(SIX_EDGES + " 5>4"),
        KINDS,
        """
        2 no longer dominates 4: 0 > 1 > 5 > 4 goes round it. Its immediate dominator is 1 now.
        A minimal and semi-pruned phi for z appears at 4: the start, where z has no value yet, and its definition in 2 meet there, by 0 > 1 > 5 > 4 and 2 > 4.
        4 is in the frontiers of 2 and 5 now: an edge leads from 2 to 4, and 0 > 1 > 5 > 4 goes round 2.
        1 is no longer in the frontier of 2: 2 dominates none of the blocks that lead to 1; the paths 0 and 0 > 1 > 5 > 4 go round it.
        5 is in the loop of 1 now: 1 dominates it, and 1 > 5 > 4 > 1 leads there and back.
        x is live at the top of 5 now: 5 > 4 leads to a read of x in 4, and nothing writes x before.
        """,
    ),
    "an edge that goes round it for two": (
        six(),
        six(SIX_EDGES + " 0>3"),
        PRUNED,
        """
        2 no longer dominates 3: 0 > 3 goes round it. Nor does it dominate 4.
        A phi for y appears at 3: its definitions in 0 and 4 meet there, by 0 > 3 and 4 > 1 > 2 > 3. So does one at 4.
        A phi for z appears at 3: the start, where z has no value yet, and its definition in 2 meet there, by 0 > 3 and 2 > 3.
        """,
    ),
    "an edge less": (
        six(),
        six("0>1 1>2 1>5 2>3 3>4 4>1"),
        PRUNED,
        """
        3 is the immediate dominator of 4 now (it was 2): it dominates 4, and an edge leads straight from 3 to 4.
        The phi for x at 4 is gone: every way there from a definition goes through 3, which defines x, so that value alone arrives.
        """,
    ),
    "a way cut off": (
        six(),
        six("0>1 1>5 2>3 2>4 3>4 4>1"),
        ("reachable", "dominator", "live", "loop"),
        """
        2, 3 and 4 can no longer be reached: no edge leads to 2.
        1 heads no loop any more: no edge leads back to 1 from a block that it dominates.
        """,
    ),
    "a way opened": (
        six("0>1 1>5 2>3 2>4 3>4 4>1"),
        six(),
        ("reachable", "dominator", "loop", "pruned phi"),
        """
        2, 3 and 4 can be reached now: 0 > 1 > 2 leads there.
        A phi for x appears at 1: its definitions in 0 and 3 meet there, by 0 > 1 and 3 > 4 > 1. So does one at 4.
        A phi for y appears at 1: its definitions in 0 and 4 meet there, by 0 > 1 and 4 > 1.
        1 heads a loop now: 1 > 2 > 4 > 1 leads back to it, and 1 dominates 4.
        """,
    ),
    "a definition less": (
        six(),
        six(x="0"),
        KINDS,
        """
        The phi for x at 1 is gone: every way there from a definition goes through 0, which defines x, so that value alone arrives. So is the one at 4.
        x is live at the top of 3 now: 3 > 4 leads to a read of x in 4, and nothing writes x before.
        """,
    ),
    "a read less": (
        six(),
        sw.sketch(
            SIX_EDGES, defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"}, uses={1: "x y", 4: "x y", 5: "y"}
        ),
        KINDS,
        """
        The semi-pruned phi for z at 1 is gone: nothing reads z.
        z is no longer live at the top of 3: nothing reads z before it is written again, in 2.
        """,
    ),
    "a name less": (
        six(),
        sw.sketch(SIX_EDGES, defs={"x": "0 3", "y": "0 4"}, uses={1: "x y", 4: "x y", 5: "y"}),
        ("minimal phi", "live"),
        """
        The phi for z at 1 is gone: nothing mentions it any more.
        The phi for w at 1 is gone: nothing mentions it any more. So is the one at 4.
        z is no longer live at the top of 3: nothing mentions it any more.
        """,
    ),
    "a block less": (
        six(),
        remove_block(six(), 3),
        ("reachable", "dominator", "frontier"),
        """
        3 is gone.
        4 is no longer in the frontier of 3: 3 is gone.
        """,
    ),
    "a block more": (
        six(),
        split_edge(six(), 2, 1),
        ("reachable", "dominator", "loop"),
        """
        2_4 is new: 0 > 1 > 2 > 2_4 leads there.
        2_4 is in the loop of 1 now: 1 dominates it, and 1 > 2 > 2_4 > 4 > 1 leads there and back.
        """,
    ),
    "another name": (six(), rename_block(six(), 4, "join"), KINDS, "4 is called join now."),
    "another graph": (
        six(),
        sw.sketch("a>b"),
        KINDS,
        "This is another graph: it starts at a and has 2 blocks.",
    ),
    "another entry": (
        sw.sketch("0>1 1>2"),
        sw.sketch("1>2 2>0"),
        ("reachable", "dominator"),
        """
        Every run starts at 1 now.
        """,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_in_words(name: str) -> None:
    before, after, kinds, sentences = CHANGES[name]
    told = [str(d) for d in differences(compare(before, after), kinds)]
    assert told == [line.strip() for line in sentences.strip().split("\n") if line]


def test_facts_that_were_kept_are_not_worked_out_again() -> None:
    before, after = facts(six()), facts(six(SIX_EDGES + " 5>4"))
    changed = compare(before, after)
    assert changed.before is before and changed.after is after
    assert changed.added("frontier") == compare(six(), six(SIX_EDGES + " 5>4")).added("frontier")
    with pytest.raises(TypeError, match="expected a Func, not Cfg"):
        compare(six().cfg, six())  # type: ignore[arg-type]
