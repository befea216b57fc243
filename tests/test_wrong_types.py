"""What is no function or no graph: every public name that takes one says so, and what makes one."""

from __future__ import annotations

import pytest

import ssawidgets as sw

PROGRAM = sw.Program((sw.parse("func f(n):\na:\n  return n"),))
TAKE_A_FUNC = (
    "liveness def_use place_phis to_ssa verify from_ssa promote copy_propagate sccp sccp_facts gvn value_numbers dce"
).split()
TAKE_A_GRAPH = (
    "dominators dominance_frontiers post_dominators control_dependence loops to_svg draw to_networkx"
).split()


@pytest.mark.parametrize("wrong", [sw.cfg("0>1"), "0>1", None], ids=["Cfg", "str", "None"])
@pytest.mark.parametrize("name", [*TAKE_A_FUNC, "run"])
def test_a_func_is_asked_for(name: str, wrong: object) -> None:
    says = f"expected a Func, not {type(wrong).__name__}; sw.parse, sw.sketch and sw.from_python make one"
    with pytest.raises(TypeError, match=says):
        getattr(sw, name)(wrong)


@pytest.mark.parametrize("wrong", ["0>1", None], ids=["str", "None"])
@pytest.mark.parametrize("name", TAKE_A_GRAPH)
def test_a_graph_is_asked_for(name: str, wrong: object) -> None:
    says = f"expected a Cfg or a Func, not {type(wrong).__name__}; .* makes a Cfg"
    with pytest.raises(TypeError, match=says):
        getattr(sw, name)(wrong)


@pytest.mark.parametrize("name", [*TAKE_A_FUNC, *(n for n in TAKE_A_GRAPH if n != "to_svg")])
def test_of_a_program_one_function_is_asked_for(name: str) -> None:
    with pytest.raises(TypeError, match=r"not Program; take one of its functions, as program\.func\(name\)"):
        getattr(sw, name)(PROGRAM)
