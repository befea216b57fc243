"""What a cell shows for our objects, by IPython's own formatter."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest
from IPython.core.formatters import DisplayFormatter

import ssawidgets as sw
from ssawidgets import display
from ssawidgets.analysis import dominators
from ssawidgets.drawing import to_svg
from ssawidgets.ir import Program, cfg, parse
from tests.drawing.pictures import SIX, SUM_SSA

GRAPH = cfg(SIX)
FUNC = parse(SUM_SSA)


@pytest.fixture
def formatter() -> DisplayFormatter:
    """The display formatter of a notebook kernel with ours registered."""
    shell = SimpleNamespace(display_formatter=DisplayFormatter())
    display.register(shell)
    return shell.display_formatter


@pytest.mark.parametrize(
    ("shown", "svg", "text"),
    [
        (GRAPH, to_svg(GRAPH), f"cfg('{SIX}')"),
        (FUNC, to_svg(FUNC), str(FUNC).rstrip("\n")),
        (Program((FUNC,)), to_svg(Program((FUNC,))), str(FUNC).rstrip("\n")),
        (dominators(GRAPH), to_svg(GRAPH, tree=True), repr(dominators(GRAPH))),
    ],
    ids=["Cfg", "Func", "Program", "DomTree"],
)
def test_objects_show_a_picture_and_their_text(
    formatter: DisplayFormatter, shown: object, svg: str, text: str
) -> None:
    data, metadata = formatter.format(shown)
    assert data == {"image/svg+xml": svg, "text/plain": text}
    assert metadata == {}


def test_what_is_shown_is_the_same_each_time(formatter: DisplayFormatter) -> None:
    again = parse(SUM_SSA)
    assert formatter.format(FUNC) == formatter.format(again)
    assert "0x" not in formatter.format(dominators(GRAPH))[0]["text/plain"]


def test_in_a_list_each_object_is_its_text_indented(formatter: DisplayFormatter) -> None:
    data, _ = formatter.format([GRAPH, parse("func f():\n0:\n  x = 1\n  return x\n")])
    assert data == {"text/plain": f"[cfg('{SIX}'),\n func f():\n 0:\n   x = 1\n   return x]"}


def test_a_graph_too_large_to_read_is_shown_as_text(formatter: DisplayFormatter) -> None:
    chain = cfg([(i, i + 1) for i in range(display.MOST_BLOCKS)])
    data, _ = formatter.format(chain)
    assert set(data) == {"text/plain"}
    fits = cfg([(i, i + 1) for i in range(display.MOST_BLOCKS - 1)])
    assert set(formatter.format(fits)[0]) == {"image/svg+xml", "text/plain"}


def test_importing_the_package_in_ipython_registers_it_and_draws_nothing() -> None:
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "import sys, ssawidgets as sw\n"
        "assert not {'ssawidgets.drawing', 'matplotlib', 'networkx'} & set(sys.modules), 'loaded too early'\n"
        "print(shell.display_formatter.format(sw.cfg('0>1'))[0]['text/plain'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "cfg('0>1')\n"


def test_public_names_lead_to_the_pictures() -> None:
    assert sw.to_svg(sw.cfg("0>1")) == to_svg(cfg("0>1"))
