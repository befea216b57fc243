"""Sketches: a graph with definitions and uses, as a textbook draws them, made into a real program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ssawidgets.ir.cfg import Cfg, Edges, cfg, check_label
from ssawidgets.ir.model import Block, Func, Instr, Target, Term
from ssawidgets.ir.names import VARIABLE_RULE, block_name, is_variable

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

    Raises `ValueError` naming a block that is not in the graph, or a name that the text notation cannot write;
    `TypeError` where `defs` or `uses` is no mapping.

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
    _mapping(defs, "defs", 'a variable to the blocks that define it, as {"x": "0 3"}')
    _mapping(uses, "uses", 'a block to the variables it reads, as {1: "x y"}')
    graph = edges if isinstance(edges, Cfg) and entry is None else cfg(_pairs(edges), entry)
    for block in graph.blocks:
        check_label(block)
    writes: dict[str, list[str]] = {b: [] for b in graph.blocks}
    reads: dict[str, list[str]] = {b: [] for b in graph.blocks}
    for variable, blocks in (defs or {}).items():
        _variable(variable, "defs")
        for block in _words(blocks, f"defs[{variable!r}]"):
            _known(block, writes, f"defs[{variable!r}]")
            writes[block].append(variable)
    for label, variables in (uses or {}).items():
        _known(block_name(label), reads, "uses")
        for variable in _words(variables, f"uses[{label!r}]"):
            _variable(variable, f"uses[{label!r}]")
            reads[block_name(label)].append(variable)

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


def _words(names: Names, where: str) -> list[str]:
    if isinstance(names, str):
        return names.replace(",", " ").split()
    if not isinstance(names, Iterable):
        raise TypeError(f'{where} is a text of names, as "0 3", or a list of them, not {names!r}')
    return [block_name(n) for n in names]


def _mapping(value: object, where: str, shape: str) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"{where} maps {shape}; it is not {value!r}")


def _variable(name: object, where: str) -> None:
    if not is_variable(name):
        raise ValueError(f"{where} has {name!r}, which cannot name a variable: {VARIABLE_RULE}")


def _known(block: str, among: Mapping[str, object], where: str) -> None:
    if block not in among:
        raise ValueError(f"{where} names block {block!r}, which is not in the graph: {', '.join(among)}")
