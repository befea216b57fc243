"""Upsilon and Phi: our rendering runs like the program, and looks like what B3 printed for the same loop."""

from __future__ import annotations

import re
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.frontends.stored import stored
from ssawidgets.frontends.upsilon import upsilon_form, upsilon_text
from ssawidgets.interp import difference, run
from ssawidgets.ir import Func, parse
from tests.ssa.random_ssa import random_ssa

SUM = "func sum(n):\nentry:\n  s = 0\n  i = 0\n  goto head\nhead:\n  c = i < n\n  if c goto body else exit\nbody:\n  s = s + i\n  i = i + 1\n  goto head\nexit:\n  return s"


def test_the_shadows_written_out_do_what_the_program_does() -> None:
    rng = Random(8)
    for _ in range(150):
        func = random_ssa(rng)
        apart = upsilon_form(func)
        assert not any(b.params for b in apart.blocks) and not any(t.args for _, _, t in apart.edges())
        for seed in range(2):
            before = run(func, (3, 4, 0.5), fuel=2_000, seed=seed)
            assert difference(before, run(apart, (3, 4, 0.5), fuel=20_000, seed=seed)) is None, func


def test_phis_that_swap_and_phis_that_live_on() -> None:
    swap = parse(
        "func f(n):\ne:\n  goto h(1, 2, n)\nh(a, b, k):\n  print a, b\n  m = k - 1\n  if m goto h(b, a, m) else x\nx:\n  return a"
    )
    assert run(upsilon_form(swap), (3,)).prints == run(swap, (3,)).prints == ((1, 2), (2, 1), (1, 2))
    lost = parse(
        "func f(n):\ne:\n  goto h(1)\nh(x):\n  y = x + 1\n  c = y < n\n  if c goto h(y) else out\nout:\n  return x"
    )
    assert run(upsilon_form(lost), (5,)).value == run(lost, (5,)).value == 4


def test_parallel_edges_with_different_values_get_a_block_between() -> None:
    func = parse("func f(c: bool):\na:\n  if c goto b(1) else b(2)\nb(x):\n  return x")
    assert [run(upsilon_form(func), (c,)).value for c in (True, False)] == [1, 2]
    assert "a_b:\n  Upsilon(2, ^x)\n" in upsilon_text(func)


def test_undef_needs_no_upsilon() -> None:
    func = sw.to_ssa(parse("func f(c: bool):\na:\n  if c goto b else d\nb:\n  x = 1\nd:\n  use x"))
    assert upsilon_text(func).count("Upsilon") == 1


def test_what_is_not_in_ssa_form_is_refused() -> None:
    for render in (upsilon_text, upsilon_form):
        with pytest.raises(ValueError, match="not in SSA form"):
            render(parse("a:\n  x = 1\n  x = 2"))


def graph(lines: list[str]) -> dict[str, dict[str, object]]:
    """B3's blocks: successors, and what each Upsilon names."""
    found: dict[str, dict[str, object]] = {}
    for line in lines:
        if head := re.match(r"BB(#\d+):", line):
            block: dict[str, object] = {"phis": set(), "upsilons": set(), "to": set()}
            found[head[1]] = block
        elif phi := re.match(r"\s+\w+ b@(\d+) = Phi\(", line):
            block["phis"].add(phi[1])  # type: ignore[attr-defined]
        elif upsilon := re.search(r"Upsilon\(.*\^(\d+)", line):
            block["upsilons"].add(upsilon[1])  # type: ignore[attr-defined]
        elif "Successors:" in line:
            block["to"] = set(re.findall(r"#\d+", line))
    return found


def test_the_stored_graph_is_one_of_b3s() -> None:
    b3 = stored("b3")
    assert b3["program"].startswith("function sum(n) {") and re.fullmatch(r"\d+\.\d+\.\d+", b3["bun"])
    assert not re.search(r"0x[0-9a-f]{6}|D@\d", "\n".join([*b3["before"], *b3["after"]]))
    blocks = graph(b3["before"])
    # Every Phi is written on every way into its block.
    for name, block in blocks.items():
        for source in blocks.values():
            if name in source["to"]:  # type: ignore[operator]
                assert block["phis"] <= source["upsilons"]  # type: ignore[operator]


def test_ours_has_the_phis_and_upsilons_of_b3s_loop() -> None:
    blocks = graph(stored("b3")["before"])
    header = [name for name, b in blocks.items() if len(b["phis"]) == 2]  # type: ignore[arg-type]
    assert len(header) == 1
    into = [b for b in blocks.values() if header[0] in b["to"]]  # type: ignore[operator]
    ours: Func = sw.to_ssa(parse(SUM))
    assert len(into) == len(ours.cfg.preds["head"]) == 2
    assert all(len(b["upsilons"]) == 2 for b in into)  # type: ignore[arg-type]
    assert upsilon_text(ours).count("Upsilon(") == 4 and upsilon_text(ours).count("= Phi()") == 2
