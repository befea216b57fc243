"""Sketches: a graph with definitions and uses, as a textbook draws them, made into a real program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ssawidgets.ir.cfg import Cfg, Edges, cfg
from ssawidgets.ir.model import Block, Func, Instr, Target, Term
from ssawidgets.ir.names import block_name

Names = str | Iterable[object]


def sketch(
    edges: Edges | Cfg,
    defs: Mapping[str, Names] | None = None,
    uses: Mapping[object, Names] | None = None,
    entry: object = None,
) -> Func:
    """Make a function from a graph, the blocks that define each variable, and what each block reads.

    `defs` maps a variable to blocks (`"0 3"` or a list), `uses` a block to variables. In a block, reads come
    before writes. A definition is opaque (`x = ?`); a block with several successors chooses among them
    (`goto 2, 5`), so the sketch can be run. `edges` and `entry` are those of `cfg`, or a `Cfg` is given as it is.

    Raises `ValueError` naming a block that is not in the graph.

    >>> print(sketch("0>1 1>1", defs={"x": "0 1"}, uses={1: "x"}))
    func sketch():
    0:
      x = ?1
      goto 1
    1:
      use x
      x = ?2
      goto 1
    <BLANKLINE>
    """
    graph = edges if isinstance(edges, Cfg) and entry is None else cfg(_pairs(edges), entry)
    writes: dict[str, list[str]] = {b: [] for b in graph.blocks}
    reads: dict[str, list[str]] = {b: [] for b in graph.blocks}
    for variable, blocks in (defs or {}).items():
        for block in _words(blocks):
            _known(block, writes, f"defs[{variable!r}]")
            writes[block].append(variable)
    for label, variables in (uses or {}).items():
        _known(block_name(label), reads, "uses")
        reads[block_name(label)] += _words(variables)

    site = 0
    made = []
    for block in graph.blocks:
        body = [Instr(None, "use", tuple(reads[block]))] if reads[block] else []
        for variable in writes[block]:
            site += 1
            body.append(Instr(variable, "opaque", site=site))
        made.append(Block(block, (), tuple(body), _term(graph.succs[block])))
    return Func("sketch", (), tuple(made))


def _pairs(edges: Edges | Cfg) -> Edges:
    return edges.edge_text() if isinstance(edges, Cfg) else edges


def _term(succs: tuple[str, ...]) -> Term:
    if not succs:
        return Term("return", written=False)
    return Term("jump" if len(succs) == 1 else "choose", (), tuple([Target(s) for s in succs]))


def _words(names: Names) -> list[str]:
    return names.replace(",", " ").split() if isinstance(names, str) else [block_name(n) for n in names]


def _known(block: str, among: Mapping[str, object], where: str) -> None:
    if block not in among:
        raise ValueError(f"{where} names block {block!r}, which is not in the graph: {', '.join(among)}")
