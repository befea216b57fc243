"""The public names: each is there, says in one line what it is for, and shows an example that runs."""

from __future__ import annotations

import inspect

import pytest

import ssawidgets as sw

#: Names that the notebooks, exercises and benchmarks rely on.
RELIED_ON = (
    "Func Block Instr Target Cfg Const UNDEF ParseError Program cfg sketch parse parse_program "
    "dominators dominance_frontiers iterated_frontier post_dominators control_dependence loops liveness def_use "
    "place_phis to_ssa verify split_critical_edges run from_python to_networkx from_networkx to_svg draw "
    "sccp sccp_facts gvn value_numbers dce TOP BOTTOM CfgEditor check Why why_reachable why_dominates "
    "why_immediate_dominator why_frontier why_loop why_phi why_dropped why_live why_reaches why_critical why_copy"
).split()


@pytest.mark.parametrize("name", RELIED_ON)
def test_a_name_relied_on_is_public(name: str) -> None:
    assert name in sw.__all__ and name in dir(sw)
    assert not inspect.ismodule(getattr(sw, name))


@pytest.mark.parametrize("name", sw.__all__)
def test_a_public_name_is_documented(name: str) -> None:
    value = getattr(sw, name)
    if name == "UNDEF":
        return
    doc = inspect.getdoc(value) or ""
    first = doc.split("\n")[0]
    assert first.endswith((".", ":")) and len(first) < 130, first
    if inspect.isfunction(value):
        assert ">>>" in doc, f"{name} shows no example"


def test_an_unknown_name_is_told_what_there_is() -> None:
    with pytest.raises(AttributeError, match=r"ssawidgets has no 'dominator'; public names: .*dominators"):
        _ = sw.dominator
