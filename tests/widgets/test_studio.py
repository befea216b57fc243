"""What the Studio shows: programs carried through their stages, each run and compared with the source."""

from __future__ import annotations

import json

import ssawidgets as sw
from ssawidgets.widgets.stages import Demo, demos, stages


def test_the_three_demos_claim_what_they_should() -> None:
    six, lost, swap = [stages(demo) for demo in demos()]
    titles = ["Source", "SSA", "Copies propagated", "Naive copies", "Boissinot"]
    for demo in (six, lost, swap):
        assert [s.title for s in demo] == titles
    assert all(s.right for s in six)
    assert [s.gives for s in lost] == ["returns 16"] * 3 + ["returns 32", "returns 16"]
    assert [s.gives for s in swap] == ["prints 0 1 | 1 0 | 0 1"] * 3 + [
        "prints 0 1 | 1 1 | 1 1",
        "prints 0 1 | 1 0 | 0 1",
    ]
    assert [s.right for s in lost] == [s.right for s in swap] == [True, True, True, False, True]


def test_stages_are_what_they_are_called() -> None:
    demo = stages(demos()[1])
    assert sw.verify(demo[1].program) == [] and any(b.params for b in demo[1].program.blocks)
    assert not any(b.params for b in demo[4].program.blocks)
    assert "1 copy read through" in demo[2].sentence


def test_a_program_of_ones_own_comes_first_and_an_endless_one_is_cut_short() -> None:
    endless = sw.parse("func spin():\na:\n  goto a\n")
    studio = sw.Studio(endless)
    assert repr(studio) == "Studio(spin, Six blocks, Lost copy, Swap)"
    assert stages(Demo("spin", "?", endless))[0].gives == "and runs on"


def test_all_stages_are_sent_at_once_as_pictures_and_words() -> None:
    sent = json.loads(sw.Studio()._demos)
    assert [d["name"] for d in sent] == ["Six blocks", "Lost copy", "Swap"]
    assert all(
        s["svg"].startswith("<svg") and s["text"].startswith("func") for d in sent for s in d["stages"]
    )
    bundle, _ = sw.Studio()._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"] == "Studio(Six blocks, Lost copy, Swap)"
