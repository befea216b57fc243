"""Questions on control-flow graphs: predict the order in which a depth-first search is done with the blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import GraphArgs, draw_until, edge_text, reachable
from ssawidgets.teach.truth import breadth_first_of, postorder_of, preorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _worth_asking(args: GraphArgs) -> bool:
    succs, entry = args
    orders = [
        postorder_of(*args),
        preorder_of(*args)[::-1],
        breadth_first_of(*args)[::-1],
        postorder_of({b: row[::-1] for b, row in succs.items()}, entry),
    ]
    return len(reachable(args)) == len(succs) and len({tuple(o) for o in orders}) == len(orders)


def _explain(case: Case) -> str:
    succs, _ = case.args
    given = case.actual
    for block in given:
        if block not in succs:
            return f"There is no block {shapes.cut(block)} in the graph."
    twice = [b for b in given if given.count(b) > 1]
    if twice:
        return f"Block {twice[0]} stands twice; the search is done with each block once."
    if len(given) < len(succs):
        return f"{len(succs) - len(given)} blocks are missing; all can be reached."
    place = next(i for i, (a, b) in enumerate(zip(given, case.expected, strict=True)) if a != b)
    block = given[place]
    open_ = [t for t in succs[block] if t not in given[:place] and t != block]
    where = f"At place {place + 1} you are done with {block}."
    if open_ and case.expected.index(open_[0]) < case.expected.index(block):
        return f"{where} But it leads to {open_[0]}, which was not visited yet: go there first."
    return f"{where} But the search has not come there yet, or is still below it: take successors in their order."


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_graph

    return draw_graph((args[0], args[1]))


def _entry_first(found: Counterexample) -> bool:
    return found.problem is None and found.actual[:1] == [found.args[1]] != found.actual[-1:]


PREDICT = Exercise(
    id="01-predict-postorder",
    title="Postorder by hand",
    notebook="01_control_flow",
    section="Reverse postorder",
    kind="predict",
    name="done_order",
    task="""
## Predict: when is the search done with a block?

A depth-first search starts at the entry. In a block it takes the successors in the order of the list and goes on into
each that it has not seen yet; it is **done** with the block when all of them are dealt with. In which order is it
done with the blocks? Give a list, for instance `done_order = ["c", "b", "a"]`.
""",
    hints=(
        "The entry is the first to be started and the last to be done.",
        "Walk with a finger and keep a stack: the top is where you are. Only when no successor is left unseen does "
        "the top come off, and that is the moment to write it down.",
        "An edge to a block that is still on the stack (a back edge) or already written down leads nowhere new: pass it over.",
    ),
    instances=lambda seed: [draw_until("01-predict-postorder", seed, 7, _worth_asking, names="letters")],
    oracle=postorder_of,
    accepts=lambda case: list(case.actual) == case.expected,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"In which order is a depth-first search done with the blocks of {edge_text((args[0], args[1]))}, from "
        f"{args[1]}, successors taken in the order of the edges?"
    ),
    explain=_explain,
    parts=(
        Part("every block once", 1, lambda c: sorted(c.actual) == sorted(c.expected)),
        Part(
            "the entry last",
            1,
            lambda c: sorted(c.actual) == sorted(c.expected) and c.actual[-1] == c.args[1],
        ),
        Part("the order of the search", 4, lambda c: list(c.actual) == c.expected),
    ),
    misconceptions=(
        Misconception(
            "started is taken for done",
            "A block is started before what it leads to, and done after it. You gave the order of starting.",
            (preorder_of, lambda s, e: preorder_of(s, e)[::-1]),
        ),
        Misconception(
            "it goes breadth first",
            "A depth-first search goes on from the block it has just found, before it takes the next successor.",
            (breadth_first_of, lambda s, e: breadth_first_of(s, e)[::-1]),
        ),
        Misconception(
            "reverse postorder is given",
            "That is the reverse: the entry comes first in reverse postorder and last in postorder.",
            (lambda s, e: postorder_of(s, e)[::-1],),
        ),
        Misconception(
            "successors are taken from the last to the first",
            "The order of the list counts: the first successor is visited first.",
            (lambda s, e: postorder_of({b: row[::-1] for b, row in s.items()}, e),),
        ),
        Misconception(
            "the entry is done first",
            "The search is done with the entry when everything else is done: it comes last.",
            shows=_entry_first,
        ),
    ),
    picture=_picture,
)
EXERCISES = (PREDICT,)
