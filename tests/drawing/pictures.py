"""Programs and graphs that the drawing tests share, and what one asks of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ssawidgets.drawing import Scene
from ssawidgets.ir import Cfg, Func, cfg, parse, sketch

SIX = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"

SUM_SSA = """func sum(n):
entry:
  i.1 = 0
  s.1 = 0
  goto head
head:
  i.2 = phi(entry: i.1, body: i.3)
  s.2 = phi(entry: s.1, body: s.3)
  c.1 = i.2 < n
  if c.1 goto body else exit
body:
  s.3 = s.2 + i.2
  i.3 = i.2 + 1
  goto head
exit:
  return s.2
"""

SWITCH = """func day(x, y: float):
a:
  switch x [1: one, 2: two, 100: hundred, -7: two] else other
one:
  goto z
two:
  goto z
hundred:
  goto z
other:
  goto z
z:
  return y
"""

UNREACHABLE = """func f(a):
0:
  if a goto 1 else 2
1:
  return a
2:
  return
3:
  x = a
  goto 2
"""


def six_sketch() -> Func:
    """The six-block graph with its definitions and uses."""
    return sketch(
        SIX,
        defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
        uses={"1": "x y", "3": "z", "4": "x y", "5": "y"},
    )


def gallery() -> dict[str, Func | Cfg]:
    """One of each kind of thing that can be drawn."""
    return {
        "one block": cfg("0"),
        "self-loop": cfg("0>0"),
        "six": cfg(SIX),
        "sketch": six_sketch(),
        "sum": parse(SUM_SSA),
        "switch": parse(SWITCH),
        "unreachable": parse(UNREACHABLE),
        "parallel": cfg("0>1 0>1 1>1"),
        "nested loops": cfg("a>b b>c c>d d>e e>d e>c c>f f>b b>g g>a"),
        "irreducible": cfg("0>1 0>2 1>2 2>1 2>3"),
        "parts": cfg("0>1 1>0 5>6 6>1 7>7"),
    }


def nodes(scene: Scene) -> Iterator[list[Any]]:
    """Every node of a scene, in drawing order."""
    for _, _, root in scene.ordered():
        yield from below(root)


def below(root: list[Any]) -> Iterator[list[Any]]:
    """A node and all nodes in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in reversed(node[2]) if isinstance(child, list)]


def words(root: list[Any]) -> str:
    """The text in a node, `<title>`s left out."""
    return "".join(
        child if isinstance(child, str) else "" if child[0] == "title" else words(child) for child in root[2]
    )


def find(scene: Scene, **attrs: object) -> list[list[Any]]:
    """Nodes that have these attributes; `data_line=0` asks for data-line, `cls="x"` for a class among its classes."""
    found = []
    for node in nodes(scene):
        if all(_has(node[1], key, value) for key, value in attrs.items()):
            found.append(node)
    return found


def _has(attrs: dict[str, Any], key: str, value: object) -> bool:
    if key == "cls":
        return value in attrs.get("class", "").split(" ")
    return attrs.get(key.replace("_", "-")) == value
