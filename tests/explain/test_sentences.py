"""The sentences of answers, on the running example and at the corners; what is refused; large programs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import ssawidgets as sw
from ssawidgets.explain import Fact, facts, why_fact
from ssawidgets.ir import Func
from tests.analysis.oracles import chain

SIX = sw.sketch(
    "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
    defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
)
#: An entry with predecessors, a self-loop, parallel edges, an unreachable block, a parameter.
CORNERS = sw.parse(
    """
    func f(n):
    0:
      goto 1, 2
    1:
      n = n + 1
      goto 0, 1
    2:
      x = 1
      goto 3, 3
    3:
      use n, x
      return
    7:
      x = 2
      goto 3
    """
)

DIAMOND = sw.sketch("0>1 0>2 1>3 2>3")

#: A call, whether the fact holds, the sentence.
SENTENCES = """
why_dominates(SIX, 2, 4) | yes | 2 dominates 4: without 2 no path leads from 0 to 4.
why_dominates(SIX, 0, 4) | yes | 0 dominates 4: every path starts at 0.
why_dominates(SIX, 4, 4) | yes | 4 dominates itself: every path to 4 ends in 4.
why_dominates(SIX, 3, 4) | no | 3 does not dominate 4: 0 > 1 > 2 > 4 goes round it.
why_dominates(SIX, 4, 1) | no | 4 does not dominate 1 (1 dominates 4): 0 > 1 goes round it.
why_dominates(SIX, 4, 0) | no | 4 does not dominate 0 (0 dominates 4): every run starts at 0.
why_dominates(CORNERS, 2, 7) | yes | 2 dominates 7: no path leads from 0 to 7, so none goes round 2. Every block dominates 7, vacuously.
why_dominates(CORNERS, 7, 3) | no | 7 does not dominate 3: no path leads from 0 to 7, and 0 > 2 > 3 does not need it.

why_immediate_dominator(SIX, 2, 4) | yes | 2 is the immediate dominator of 4: it dominates 4, and an edge leads straight from 2 to 4.
why_immediate_dominator(DIAMOND, 0, 3) | yes | 0 is the immediate dominator of 3: it dominates 3, and 0 > 1 > 3 and 0 > 2 > 3 have no block between in common.
why_immediate_dominator(SIX, 1, 4) | no | 1 is not the immediate dominator of 4: it dominates 4, but 2 is closer; 1 dominates 2, and 2 dominates 4.
why_immediate_dominator(SIX, 3, 4) | no | 3 is not the immediate dominator of 4: it does not dominate 4; 0 > 1 > 2 > 4 goes round it.
why_immediate_dominator(SIX, 4, 4) | no | 4 is not the immediate dominator of 4: that is the closest of its other dominators, 2.
why_immediate_dominator(SIX, 0, 0) | no | 0 is not the immediate dominator of 0: 0 is the entry, and nothing comes before it.
why_immediate_dominator(CORNERS, 0, 7) | no | 0 is not the immediate dominator of 7: no path leads from 0 to 7, so it is in no tree.

why_frontier(SIX, 3, 4) | yes | 4 is in the frontier of 3: an edge leads from 3 to 4, and 0 > 1 > 2 > 4 goes round 3.
why_frontier(SIX, 2, 1) | yes | 1 is in the frontier of 2: 2 dominates 4, which leads to 1, and 0 > 1 goes round 2.
why_frontier(SIX, 1, 1) | yes | 1 is in its own frontier: 1 dominates 4, which leads back to it, and no block strictly dominates itself.
why_frontier(CORNERS, 1, 1) | yes | 1 is in its own frontier: an edge leads from 1 back to it, and no block strictly dominates itself.
why_frontier(CORNERS, 0, 0) | yes | 0 is in its own frontier: 0 dominates 1, which leads back to it, and no block strictly dominates itself.
why_frontier(CORNERS, 1, 0) | yes | 0 is in the frontier of 1: an edge leads from 1 to 0, and every run starts at 0.
why_frontier(SIX, 2, 4) | no | 4 is not in the frontier of 2: 2 strictly dominates 4, so its dominance does not end there.
why_frontier(SIX, 2, 5) | no | 5 is not in the frontier of 2: 2 does not dominate 1, the only block that leads to 5; 0 > 1 goes round it.
why_frontier(SIX, 5, 1) | no | 1 is not in the frontier of 5: 5 dominates none of the blocks that lead to 1; the paths 0 and 0 > 1 > 2 > 4 go round it.
why_frontier(SIX, 5, 0) | no | 0 is not in the frontier of 5: no edge leads to 0 from a block that can be reached.
why_frontier(CORNERS, 2, 3) | no | 3 is not in the frontier of 2: 2 strictly dominates 3, so its dominance does not end there.
why_frontier(CORNERS, 7, 3) | no | 3 is not in the frontier of 7: no path leads from 0 to 7, so it has no frontier.
why_frontier(CORNERS, 2, 7) | no | 7 is not in the frontier of 2: no path leads from 0 to 7, so it is in no frontier.

why_reachable(SIX, 4) | yes | 4 can be reached: 0 > 1 > 2 > 4 leads there.
why_reachable(SIX, 0) | yes | 0 can be reached: it is the entry, where every run starts.
why_reachable(CORNERS, 7) | no | 7 cannot be reached: no edge leads to 7.
why_reachable(sw.cfg("0 7>8 8>7"), 7) | no | 7 cannot be reached: only 8 leads to 7, and 0 does not.
why_reachable(sw.cfg("0 7>7"), 7) | no | 7 cannot be reached: no edge leads to 7 but its own.
why_loop(SIX, 1, 3) | yes | 3 is in the loop of 1: 1 dominates it, and 1 > 2 > 3 > 4 > 1 leads there and back.
why_loop(SIX, 1, 1) | yes | 1 heads a loop: 1 > 2 > 4 > 1 leads back to it, and 1 dominates 4.
why_loop(SIX, 1, 5) | no | 5 is not in the loop of 1: no path leads from 5 back to 1.
why_loop(SIX, 1, 0) | no | 0 is not in the loop of 1: 1 does not dominate 0; every run starts at 0.
why_loop(SIX, 2, 4) | no | 4 is not in the loop of 2: no edge leads back to 2 from a block that it dominates.

why_phi(SIX, "x", 4) | yes | x needs a phi at 4: its definitions in 0 and 3 meet there, by 0 > 1 > 2 > 4 and 3 > 4.
why_phi(SIX, "x", 1) | yes | x needs a phi at 1: its definitions in 0 and 3 meet there, by 0 > 1 and 3 > 4 > 1.
why_phi(SIX, "z", 1) | yes | z needs a phi at 1: the start, where z has no value yet, and its definition in 2 meet there, by 0 > 1 and 2 > 4 > 1.
why_phi(SIX, "x", 5) | no | x needs no phi at 5: every way there from a definition goes through 1, so one value arrives, the one it has at the end of 1.
why_phi(SIX, "z", 3) | no | z needs no phi at 3: every way there from a definition goes through 2, which defines z, so that value alone arrives.
why_phi(SIX, "x", 0) | no | x needs no phi at 0: no definition of it leads there, so it has no value yet.
why_phi(SIX, "x", 4, "semi-pruned") | yes | x needs a phi at 4: its definitions in 0 and 3 meet there, by 0 > 1 > 2 > 4 and 3 > 4. 1 reads x before writing it, so semi-pruned keeps the phi.
why_phi(SIX, "w", 4, "semi-pruned") | no | w gets no phi at 4, though definitions meet there: nothing reads w.
why_phi(SIX, "y", 1, "pruned") | yes | y needs a phi at 1: its definitions in 0 and 4 meet there, by 0 > 1 and 4 > 1. y is live there: 1 reads y before writing it.
why_phi(SIX, "z", 1, "pruned") | no | z gets no phi at 1, though definitions meet there: nothing reads z before it is written again, in 2.
why_phi(CORNERS, "n", 0) | yes | n needs a phi at 0: the value n is passed and its definition in 1 meet there, by 0 and 1 > 0.
why_phi(CORNERS, "n", 1) | yes | n needs a phi at 1: the value n is passed and its definition in 1 meet there, by 0 > 1 and 1 > 1.
why_phi(CORNERS, "x", 3) | no | x needs no phi at 3: every way there from a definition goes through 2, which defines x, so that value alone arrives.
why_phi(CORNERS, "x", 7) | no | x needs no phi at 7: no path leads from 0 to 7.
why_phi(sw.sketch("0>1", uses={1: "q"}), "q", 1) | no | q needs no phi at 1: no block that can be reached defines it, so it has no value yet.

why_dropped(SIX, "w", 4) | yes | Semi-pruned drops the phi for w at 4, and so does pruned: nothing reads w.
why_dropped(SIX, "z", 1) | yes | Pruned drops the phi for z at 1, semi-pruned does not: nothing reads z before it is written again, in 2.
why_dropped(SIX, "x", 4) | no | Pruned keeps the phi for x at 4: 4 reads x before writing it.
why_dropped(LOCAL, "t", 3) | yes | Semi-pruned drops the phi for t at 3, and so does pruned: each block that reads t writes it first (1), so no value of it passes from block to block.

why_live(SIX, "x", 2) | yes | x is live at the top of 2: 2 > 4 leads to a read of x in 4, and nothing writes x before.
why_live(SIX, "y", 5) | yes | y is live at the top of 5: 5 reads y before writing it.
why_live(SIX, "x", 3) | no | x is not live at the top of 3: 3 writes x before anything reads it.
why_live(SIX, "z", 4) | no | z is not live at the top of 4: nothing reads z before it is written again, in 2.
why_live(SIX, "x", 5) | no | x is not live at the top of 5: nothing that runs from there reads x.
why_live(SIX, "x", 3, at="end") | yes | x is live at the end of 3: 3 > 4 leads to a read of x in 4, and nothing writes x before.
why_live(CORNERS, "x", 7) | no | x is not live at the top of 7: no path leads from 0 to 7.
why_live(PASSED, "x.1", "a", at="end") | yes | x.1 is live at the end of a: an edge passes x.1 on.
why_live(PASSED, "x.2", "b") | no | x.2 is not live at the top of b: b writes x.2 before anything reads it.
"""

LOCAL = sw.parse("0:\n  goto 1, 2\n1:\n  t = 1\n  use t\n  goto 3\n2:\n  goto 3\n3:\n")
PASSED = sw.parse("a:\n  x.1 = 1\n  goto b\nb:\n  x.2 = phi(a: x.1)\n  use x.2")


@pytest.mark.parametrize("row", [row for row in SENTENCES.split("\n") if row])
def test_a_sentence(row: str) -> None:
    call, holds, sentence = row.split(" | ")
    names = {"SIX": SIX, "CORNERS": CORNERS, "DIAMOND": DIAMOND, "LOCAL": LOCAL, "PASSED": PASSED, "sw": sw}
    why = eval(f"sw.{call}", names)
    assert (why.text, why.holds) == (sentence, holds == "yes")
    assert why.text.endswith(why.reason) and str(why) == sentence and bool(why) == why.holds
    assert repr(why) == f"{'Yes' if why.holds else 'No'}: {sentence}"
    again = json.loads(json.dumps(why.to_json()))
    assert again["text"] == sentence and again["witness"]["block"] == why.witness.block
    assert again["witness"]["paths"] == [
        {"blocks": list(p.blocks), "edges": list(p.edges), "shows": p.shows} for p in why.witness.paths
    ]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sw.why_dominates(SIX, 9, 1), KeyError, "no block named '9'; there are: 0, 1, 2, 5, 3, 4"),
        (lambda: sw.why_frontier(SIX, 1, "q"), KeyError, "no block named 'q'"),
        (lambda: sw.why_phi(SIX, "q", 1), KeyError, "no variable named 'q'; there are: x, y, z, w"),
        (lambda: sw.why_live(SIX, "q", 1), KeyError, "no variable named 'q'; there are: x, y, z, w"),
        (
            lambda: sw.why_phi(SIX, "x", 1, "prune"),
            ValueError,
            "no flavour 'prune'; there are: minimal, semi-pr",
        ),
        (lambda: sw.why_live(SIX, "x", 1, at="middle"), ValueError, 'at is "top" or "end", not \'middle\''),
        (lambda: sw.why_phi(SIX.cfg, "x", 1), TypeError, "expected a Func, not Cfg"),
        (lambda: sw.why_dominates("0>1", 0, 1), TypeError, "expected a Cfg or a Func, not str"),
        (lambda: why_fact(SIX, "frontier 4 3"), ValueError, "is no key of a fact"),
    ],
)
def test_what_makes_no_sense_is_refused(call, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value.args[0])


def test_answers_about_the_same_graph_are_equal_whatever_asked_for_them() -> None:
    assert sw.why_dominates(SIX, 3, 4) == sw.why_dominates(SIX.cfg, "3", "4")
    assert sw.why_dominates(SIX, 3, 4) != sw.why_dominates(SIX, 3, 1)


def test_answers_do_not_depend_on_hash_order() -> None:
    code = (
        "import ssawidgets as sw\n"
        "f = sw.sketch('a>b b>c b>f c>d c>e d>e e>b', defs={'x': 'a d', 'w': 'c d', 'z': 'c'}, uses={'d': 'z', 'e': 'x'})\n"
        "from ssawidgets.explain import facts, compare, differences\n"
        "for fact in facts(f): print(fact.key, facts(f).why(fact).to_json())\n"
        "g = sw.sketch('a>b b>c b>f c>d c>e d>e e>b a>e f>d', defs={'x': 'a d e', 'z': 'c f'}, uses={'d': 'z', 'e': 'x'})\n"
        "print(*differences(compare(f, g), most=99), sep='\\n')\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(runs) == 1 and len(runs.pop()) > 5000


def long_func(blocks: int) -> Func:
    """A chain with a definition at its start and in its middle, a back edge over all of it, and a read at its end."""
    rows = [f"{i}>{i + 1}" for i in range(blocks - 1)]
    return sw.sketch(
        " ".join([*rows, f"{blocks - 2}>0"]),
        defs={"x": f"1 {blocks // 2}"},
        uses={blocks - 1: "x"},
    )


def test_a_chain_of_a_hundred_thousand_blocks() -> None:
    g = chain(100_000)
    last = "99999"
    assert sw.why_dominates(g, "1", last).holds and len(sw.why_dominates(g, "1", last).witness.tree) == 99_999
    assert not sw.why_frontier(g, "7", last).holds
    f = long_func(100_000)
    mine = facts(f)
    asked = [
        Fact("minimal phi", "0", "x"),
        Fact("pruned phi", "0", "x"),
        Fact("live", "50001", "x"),
        Fact("loop", "50000", "0"),
        Fact("reachable", last),
    ]
    answers = [mine.why(fact) for fact in asked]
    assert [a.holds for a in answers] == [fact in mine for fact in asked] == [True, False, True, True, True]
    assert len(answers[0].witness.paths[1].blocks) == 50_000
    assert all(len(a.text) < 300 for a in answers)
