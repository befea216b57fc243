"""The editing state: what commands do, what is refused, drafts, undo and redo."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssawidgets import Func, cfg, parse, sketch
from ssawidgets.ir.edits import block_text
from ssawidgets.widgets.session import Answer, Session
from tests.widgets.random_edits import edit

#: Random sessions in the tests; bench/edits.py takes as many as one wants.
SEQUENCES = 150
SIX = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"
BRANCHING = """func f(n):
head:
  c = n > 0
  if c goto yes else no
yes:
  x = 1
  goto done
no:
  x = 2
  goto done
done:
  return x
"""


def do(session: Session, op: str, **fields: object) -> Answer:
    return session.apply({"op": op, "rev": session.rev, **fields})


def done(session: Session, op: str, **fields: object) -> None:
    answer = do(session, op, **fields)
    assert answer.accepted, answer


def edges(session: Session) -> str:
    return session.func.cfg.edge_text()


@pytest.mark.parametrize(
    ("command", "after", "name", "touched"),
    [
        ({"op": "add_edge", "src": "0", "dst": "5"}, "0>1 0>5 1>2 1>5 2>3 2>4 3>4 4>1", "add edge 0 → 5", "0"),
        ({"op": "add_edge", "src": "5", "dst": "5"}, "0>1 1>2 1>5 2>3 2>4 5>5 3>4 4>1", "add edge 5 → 5", "5"),
        ({"op": "remove_edge", "src": "1", "index": 1}, "0>1 1>2 2>3 2>4 5 3>4 4>1", "remove edge 1 → 5", "1"),
        ({"op": "retarget_edge", "src": "4", "index": 0, "dst": "5"}, "0>1 1>2 1>5 2>3 2>4 3>4 4>5", "retarget 4 → 1 to 5", "4"),
        ({"op": "split_edge", "src": "4", "index": 0}, "0>1 1>2 1>5 2>3 2>4 3>4 4>4_1 4_1>1", "split edge 4 → 1", "4"),
        ({"op": "add_block", "after": "0"}, "0>1 6 1>2 1>5 2>3 2>4 3>4 4>1", "add block 6", "0"),
        ({"op": "add_block", "after": None}, "0>1 1>2 1>5 2>3 2>4 3>4 4>1 6", "add block 6", None),
        ({"op": "remove_block", "block": "4"}, "0>1 1>2 1>5 2>3", "remove block 4", None),
        ({"op": "rename_block", "block": "1", "name": " head "}, "0>head head>2 head>5 2>3 2>4 3>4 4>head", "rename 1 to head", "head"),
        ({"op": "move_block", "block": "4", "before": "2"}, SIX, "move block 4 before 2", "4"),
        ({"op": "move_block", "block": "1", "before": None}, SIX, "move block 1 to the end", "1"),
        ({"op": "set_program", "text": "func sketch():\n0:\n  goto 1\n1:\n", "was": str(sketch(SIX))}, "0>1", "edit the text", None),
        ({"op": "load", "name": "Six blocks"}, SIX, "open Six blocks", None),
        ({"op": "set_text", "block": "0", "text": "goto 1, 4", "was": "goto 1"}, "0>1 0>4 1>2 1>5 2>3 2>4 3>4 4>1", "edit block 0", "0"),
    ],
    ids=lambda value: value["op"] if isinstance(value, dict) else "",
)  # fmt: skip
def test_each_edit(command: dict[str, Any], after: str, name: str, touched: str | None) -> None:
    session = Session(sketch(SIX))
    assert session.apply({**command, "rev": 0}).accepted
    assert sorted(session.func.cfg.edges) == sorted(cfg(after).edges)
    assert set(session.func.cfg.blocks) == set(cfg(after).blocks)
    assert (session.undo_name, session.touched, session.rev) == (name, touched, 1)
    assert session.sentence
    done(session, "undo")
    assert session.func == sketch(SIX)
    assert (session.undo_name, session.redo_name, session.step) == (None, name, f"undone: {name}")
    done(session, "redo")
    assert session.undo_name == name


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ({"op": "dance"}, "there is no command 'dance'"),
        ({"op": 3}, "3 needs a text 'op'"),
        ({}, "None needs a text 'op'"),
        ({"op": "add_edge", "src": "0"}, "needs a text 'dst', not None"),
        ({"op": "add_edge", "src": "yes", "dst": "9"}, "'9'"),
        ({"op": "add_edge", "src": "head", "dst": "done"}, "both its ways"),
        ({"op": "remove_edge", "src": "head", "index": 2}, "no edge number 2"),
        ({"op": "remove_edge", "src": "head", "index": -1}, "no edge number -1"),
        ({"op": "remove_edge", "src": "head", "index": True}, "needs a whole number 'index', not True"),
        ({"op": "remove_edge", "src": "gone", "index": 0}, "no edge number 0"),
        ({"op": "retarget_edge", "src": "yes", "index": 0, "dst": "done"}, "leads to done already"),
        ({"op": "remove_block", "block": "head"}, "is the entry"),
        ({"op": "rename_block", "block": "yes", "name": "no"}, "no"),
        ({"op": "rename_block", "block": "yes", "name": "yes"}, "is called yes already"),
        ({"op": "set_text", "block": "gone", "text": "x = 1", "was": ""}, "block gone is gone"),
        (
            {"op": "set_text", "block": "yes", "text": "x = 1", "was": "x = 7"},
            "changed while you were editing",
        ),
        ({"op": "text", "block": "gone"}, "block gone is gone"),
        ({"op": "discard", "block": "yes"}, "no text that waits"),
        ({"op": "move_block", "block": "head", "before": None}, "the entry stands first"),
        ({"op": "move_block", "block": "no", "before": "done"}, "stands there already"),
        ({"op": "set_case", "src": "head", "index": 0, "value": "3"}, "ends in no switch"),
        ({"op": "set_case", "src": "head", "index": 0, "value": "three"}, "'three' is no whole number"),
        ({"op": "set_case", "src": "head", "index": 0, "value": "1" * 99}, "is no whole number"),
        ({"op": "swap_sides", "src": "yes"}, "ends in no branch"),
        ({"op": "set_program", "text": "a:", "was": "b:"}, "changed while you were typing"),
        ({"op": "discard_program"}, "has no problem"),
        ({"op": "load", "name": "Tetris"}, "no example 'Tetris'"),
        ({"op": "undo"}, "nothing to undo"),
        ({"op": "redo"}, "nothing to redo"),
        ({"op": "reset"}, "as it was at the start"),
    ],
)
def test_refusals_change_nothing(command: dict[str, Any], message: str) -> None:
    session = Session(parse(BRANCHING))
    answer = session.apply({"rev": 0, **command})
    assert not answer.accepted
    assert message in answer.message
    assert (session.func, session.rev, session.undo_name) == (parse(BRANCHING), 0, None)


def test_a_command_for_an_older_picture_is_refused() -> None:
    session = Session(sketch(SIX))
    done(session, "add_edge", src="0", dst="5")
    answer = session.apply({"op": "remove_edge", "src": "0", "index": 0, "rev": 0})
    assert not answer.accepted
    assert "changed meanwhile" in answer.message
    assert "try again" in answer.hint
    assert len(session.func.cfg.succs["0"]) == 2


def test_text_that_does_not_read_is_kept_and_can_be_corrected() -> None:
    session = Session(parse(BRANCHING))
    before = session.func
    done(session, "set_text", block="yes", text="x = 1\ny = +\ngoto done", was="x = 1\ngoto done")
    (problem,) = session.problems
    assert (problem.block, problem.line) == ("yes", 2)
    assert problem.message and problem.hint
    assert session.func is before
    assert do(session, "text", block="yes").text == "x = 1\ny = +\ngoto done"
    assert session.undo_name == "edit block yes"

    done(session, "set_text", block="yes", text="x = 1\ny = 2\ngoto done", was="x = 1\ny = +\ngoto done")
    assert session.problems == []
    assert block_text(session.func, "yes") == "x = 1\ny = 2\ngoto done"

    done(session, "undo")
    assert [p.line for p in session.problems] == [2]
    done(session, "undo")
    assert session.problems == []
    assert session.func == before
    done(session, "redo")
    assert do(session, "text", block="yes").text == "x = 1\ny = +\ngoto done"


def test_a_draft_can_be_discarded_or_typed_away() -> None:
    session = Session(parse(BRANCHING))
    good = "x = 1\ngoto done"
    done(session, "set_text", block="yes", text="x =", was=good)
    done(session, "discard", block="yes")
    assert (session.problems, do(session, "text", block="yes").text) == ([], good)
    done(session, "undo")
    assert len(session.problems) == 1
    done(session, "set_text", block="yes", text=good, was="x =")
    assert (session.problems, session.func) == ([], parse(BRANCHING))


def test_the_same_text_is_no_step() -> None:
    session = Session(parse(BRANCHING))
    done(session, "set_text", block="yes", text="x = 1\ngoto done", was="x = 1\ngoto done")
    assert (session.rev, session.undo_name) == (0, None)


def test_edges_of_a_block_with_a_draft_wait_for_it_and_other_edits_go_on() -> None:
    session = Session(sketch(SIX))
    done(session, "set_text", block="0", text="goto 9", was="goto 1")
    assert "'9'" in session.problems[0].message
    answer = do(session, "add_edge", src="0", dst="2")
    assert not answer.accepted
    assert "correct that text" in answer.hint
    done(session, "add_edge", src="3", dst="5")
    assert ("3", "5") in session.func.cfg.edges
    assert len(session.problems) == 1


def test_a_draft_is_read_as_soon_as_what_it_lacked_exists() -> None:
    session = Session(sketch(SIX))
    done(session, "set_text", block="0", text="goto 6", was="goto 1")
    done(session, "set_text", block="5", text="goto 6", was=block_text(session.func, "5"))
    assert [p.block for p in session.problems] == ["0", "5"]
    done(session, "add_block", after=None)
    assert session.problems == []
    assert session.func.cfg.succs["0"] == session.func.cfg.succs["5"] == ("6",)
    done(session, "undo")
    assert [p.block for p in session.problems] == ["0", "5"]


def test_a_draft_goes_along_with_a_rename_and_away_with_its_block() -> None:
    session = Session(sketch(SIX))
    done(session, "set_text", block="3", text="x =", was="goto 4")
    done(session, "rename_block", block="3", name="three")
    assert [p.block for p in session.problems] == ["three"]
    done(session, "remove_block", block="three")
    assert session.problems == []
    done(session, "undo")
    assert [p.block for p in session.problems] == ["three"]


def test_python_sets_the_function_as_a_step_and_reset_can_be_undone() -> None:
    session = Session(sketch(SIX))
    session.replace(sketch("0>1"))
    assert (session.undo_name, session.rev, edges(session)) == ("set from Python", 1, "0>1")
    done(session, "reset")
    assert session.func == sketch(SIX)
    assert not session.changed
    done(session, "undo")
    assert edges(session) == "0>1"


def test_a_new_step_forgets_what_was_undone() -> None:
    session = Session(sketch(SIX))
    done(session, "add_edge", src="0", dst="5")
    done(session, "undo")
    done(session, "add_edge", src="0", dst="4")
    assert session.redo_name is None
    assert not do(session, "redo").accepted


def test_the_sentence_tells_the_change_and_its_witness() -> None:
    session = Session(sketch(SIX))
    done(session, "retarget_edge", src="3", index=0, dst="5")
    done(session, "add_edge", src="0", dst="4")
    assert session.sentence.startswith("2 no longer dominates 4")
    assert session.path == ("0", "4")


def typed(session: Session, text: str) -> None:
    done(session, "set_program", text=text, was=session.program_text)


def test_the_whole_text_edits_the_graph_and_the_graph_the_text() -> None:
    session = Session(parse(BRANCHING))
    text = BRANCHING.replace("x = 1", "x = 7  # seven")
    typed(session, text)
    assert session.func == parse(text)
    assert do(session, "program").text == text
    assert do(session, "program").names == ("n", "c", "x")
    done(session, "retarget_edge", src="head", index=0, dst="done")
    assert "if c goto done else no" in do(session, "program").text
    done(session, "undo")
    assert do(session, "program").text == text
    done(session, "undo")
    assert do(session, "program").text == BRANCHING


def test_remarks_stay_where_the_graph_is_edited_elsewhere() -> None:
    session = Session(parse(BRANCHING))
    text = "# mine\n" + BRANCHING.replace("x = 1", "x = 7   # seven").replace("x = 2", "x = 2 # two").replace(
        "no:", "# at last\nno: # else"
    )
    typed(session, text)
    done(session, "add_edge", src="no", dst="no")
    now = do(session, "program").text
    assert now.startswith("# mine\n") and "x = 7   # seven" in now and "# at last" in now
    assert "# two" not in now  # its block was written anew
    assert parse(now) == session.func
    done(session, "undo")
    assert do(session, "program").text == text
    done(session, "reset")
    assert (do(session, "program").text, session.changed) == (BRANCHING, False)


def test_a_whole_text_that_does_not_read_is_a_state_and_the_graph_waits() -> None:
    session = Session(parse(BRANCHING))
    broken = BRANCHING.replace("x = 1", "x = ")
    typed(session, broken)
    (problem,) = session.problems
    assert (problem.block, problem.line) == ("", 6)
    assert str(problem).startswith("text, line 6:")
    assert (session.func, session.program_text) == (parse(BRANCHING), broken)
    for command in (
        {"op": "add_edge", "src": "done", "dst": "head"},
        {"op": "remove_block", "block": "no"},
        {"op": "add_block"},
        {"op": "rename_block", "block": "no", "name": "maybe"},
        {"op": "move_block", "block": "no"},
        {"op": "set_text", "block": "yes", "text": "x = 2", "was": "x = 1\ngoto done"},
    ):
        answer = session.apply({**command, "rev": session.rev})
        assert "the graph waits" in answer.message, command
    assert session.program_text == broken
    done(session, "undo")
    assert session.problems == []
    done(session, "redo")
    assert session.program_text == broken
    done(session, "discard_program")
    assert (session.problems, session.program_text) == ([], BRANCHING)
    done(session, "undo")
    assert session.program_text == broken


def test_typing_in_pauses_is_one_step_for_each_text_that_reads() -> None:
    session = Session(parse(BRANCHING))
    stages = [
        BRANCHING.replace("x = 1", new) for new in ("x = ", "x = 1 +", "x = 1 + 4", "x = 1 + ", "x = 1 + 45")
    ]
    for stage in stages:
        typed(session, stage)
    assert session.func == parse(stages[-1])
    done(session, "undo")
    assert session.func == parse(stages[2])
    done(session, "undo")
    assert (session.func, session.undo_name) == (parse(BRANCHING), None)


def test_typing_a_problem_and_taking_it_back_leaves_no_step() -> None:
    session = Session(parse(BRANCHING))
    typed(session, BRANCHING + "  x =")
    typed(session, BRANCHING)
    assert (session.func, session.undo_name, session.redo_name) == (parse(BRANCHING), None, None)
    assert session.rev == 2
    assert not session.changed


def test_a_block_rewritten_in_the_text_has_done_with_its_draft() -> None:
    session = Session(parse(BRANCHING))
    for block in ("yes", "no"):
        done(session, "set_text", block=block, text="x =", was=do(session, "text", block=block).text)
    typed(session, BRANCHING.replace("x = 1", "x = 3"))
    assert [p.block for p in session.problems] == ["no"]
    assert str(session.func.block("yes").body[0]) == "x = 3"
    done(session, "undo")
    assert [p.block for p in session.problems] == ["yes", "no"]


def test_names_in_scope_are_offered_the_nearest_first() -> None:
    session = Session(parse(BRANCHING))
    assert do(session, "text", block="done").names == ("x", "c", "n")
    assert do(session, "text", block="yes").names == ("x", "c", "n")
    assert do(session, "text", block="head").names == ("c", "n")


def test_looking_otherwise_is_no_step() -> None:
    session = Session(parse(BRANCHING))
    session.look_again("yes")
    assert (session.rev, session.undo_name, session.touched) == (1, None, "yes")


def test_a_thousand_blocks_and_long_lines_are_text_like_any_other() -> None:
    chain = " ".join(f"{b}>{b + 1}" for b in range(999))
    session = Session(sketch(chain))
    long = "\n".join(["x = " + " + ".join(["1"] * 2), "# " + "<script>\u202e\"'" * 1000, "goto 1"])
    done(session, "set_text", block="0", text=long, was="goto 1")
    assert len(session.func.blocks) == 1000 and session.problems == []
    bad = "x" * 10_000 + " = <script>"
    done(session, "set_text", block="5", text=bad, was="goto 6")
    assert do(session, "text", block="5").text == bad
    typed(session, str(sketch(chain)) + bad)
    assert session.program_text.endswith(bad)
    for _ in range(3):
        done(session, "undo")
    assert session.func == sketch(chain)


def test_random_sessions() -> None:
    """The first of the ten thousand that `bench/edits.py` runs."""
    counts = sum((edit(seed) for seed in range(SEQUENCES)), Counter())
    assert counts["valid"] + counts["invalid"] == 30 * SEQUENCES
    assert counts["invalid"] > 30 * SEQUENCES / 4
    assert counts["valid"] > 30 * SEQUENCES / 4
    assert counts["steps"] > 5 * SEQUENCES


OPS = ["add_edge", "remove_edge", "retarget_edge", "split_edge", "add_block", "remove_block", "rename_block",
       "set_text", "discard", "undo", "redo", "reset", "text", "?"]  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(
        ["0", "1", "2", "3", "4", "5", "x = 1", "x = ?\ngoto 1", "goto 1, 2", "goto 9", "x = (", "", "a b"]
    ),
    st.integers(-1, 3),
    st.none(),
)
COMMANDS = st.fixed_dictionaries(
    {"op": st.sampled_from(OPS)},
    optional={key: VALUES for key in ("src", "dst", "index", "block", "after", "name", "text")},
)


@settings(max_examples=150, deadline=None)
@given(st.lists(COMMANDS, max_size=12))
def test_whatever_is_sent_every_step_can_be_taken_back_and_brought_again(
    commands: list[dict[str, object]],
) -> None:
    session = Session(sketch(SIX))
    states: list[tuple[Func, dict[str, str]]] = []

    def state() -> tuple[Func, dict[str, str]]:
        return session.func, {block: draft.text for block, draft in session.drafts.items()}

    for command in commands:
        if command["op"] in ("undo", "redo"):
            continue
        if command["op"] == "set_text" and isinstance(command.get("block"), str):
            command = {"was": do(session, "text", block=command["block"]).text, **command}
        before, rev = state(), session.rev
        answer = session.apply({**command, "rev": session.rev})
        if session.rev == rev:
            assert state() == before
        else:
            assert answer.accepted
            states.append(before)
    last, forward = state(), [*states[1:], state()]
    for expected in reversed(states):
        done(session, "undo")
        assert state() == expected
    assert session.undo_name is None
    for expected in forward if states else []:
        done(session, "redo")
        assert state() == expected
    assert (state(), session.redo_name) == (last, None)


def test_lines_without_a_terminator_say_where_they_go_on() -> None:
    session = Session(sketch("0>1 0>2 1>3 2>3"))

    def answer(block: str, text: str) -> Answer:
        was = session.text(block)
        return session.apply({"op": "set_text", "block": block, "text": text, "was": was, "rev": session.rev})

    said = "1 ends without goto, if or return, so it goes on to 2, the next block of the text."
    assert answer("1", "x = 1") == Answer(True, said)
    assert session.func.cfg.succs["1"] == ("2",)
    assert answer("1", "x = 1\ngoto 3") == answer("3", "use x") == answer("2", "x = ") == Answer(True)
