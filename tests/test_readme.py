"""The README: its example runs, and what it points to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_library_example_runs_and_gives_what_it_says() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    import ssawidgets as sw

    assert sw.run(names["f"], [12, 18]).value == 6  # type: ignore[arg-type]
    assert "# 6" in example
    assert str(names["svg"]).startswith("<svg")
    assert sw.verify(names["ssa"]) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_a_link_leads_somewhere(target: str) -> None:
    assert target.startswith("https://") or (ROOT / target).exists()


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`((?:notebooks|exercises|solutions)/[^`]*)`", README)))
)
def test_a_path_named_exists(name: str) -> None:
    assert (ROOT / name).exists()
