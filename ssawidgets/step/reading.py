"""Reading values by their roles: numbers as blocks, bits as sets, maps turned around into one value for each block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ssawidgets.ir import Cfg, Func
from ssawidgets.step.values import BLOCK, DICT, EDGE, LIST, OBJECT, SET, TUPLE, Frozen, natural, text_of
from ssawidgets.step.views import NOT_YET, Lookup, Role


def read(value: Frozen, role: Role, program: Func | Cfg | None, lookup: Lookup) -> Frozen:
    """Return a frozen value as a role says it is to be read: numbers as names, bits as sets.

    >>> from ssawidgets.ir import cfg
    >>> graph = cfg("a>b")
    >>> read(("list", -1, 0), Role("block", "block"), graph, lambda name: None)
    ('dict', (('block', 'a'), ('object', '–')), (('block', 'b'), ('block', 'a')))
    """
    if program is None or not (role.keys or role.values):
        return value
    reader = _Reader(program, lookup)
    convert = _VALUES.get(role.values)
    if role.keys and isinstance(value, tuple) and value[0] == LIST:
        name = reader.block if role.keys == "block" else reader.place
        return (DICT, *[(name(i), convert(reader, v) if convert else v) for i, v in enumerate(value[1:])])
    if role.keys and isinstance(value, tuple) and value[0] == DICT:
        return (DICT, *[(reader.block(k), convert(reader, v) if convert else v) for k, v in value[1:]])
    return convert(reader, value) if convert else value


class _Reader:
    def __init__(self, program: Func | Cfg, lookup: Lookup) -> None:
        self.program = program
        self.cfg = program if isinstance(program, Cfg) else program.cfg
        self.lookup = lookup

    def block(self, number: Frozen) -> Frozen:
        """Return the block of a number; other values are what they are."""
        if type(number) is not int:
            return number
        return (BLOCK, self.cfg.blocks[number]) if 0 <= number < len(self.cfg) else NOT_YET

    def blocks(self, numbers: Frozen) -> Frozen:
        return self._all(numbers, self.block)

    def place(self, place: Frozen) -> Frozen:
        """Return the block at a place of the preorder."""
        preorder = self.lookup("preorder")
        if type(place) is not int or not isinstance(preorder, tuple):
            return place
        return self.block(preorder[place + 1]) if 0 <= place < len(preorder) - 1 else NOT_YET

    def places(self, places: Frozen) -> Frozen:
        return self._all(places, self.place)

    def _all(self, numbers: Frozen, one: Callable[[Frozen], Frozen]) -> Frozen:
        if not isinstance(numbers, tuple) or numbers[0] not in (LIST, TUPLE, SET):
            return one(numbers)
        members = [one(n) for n in numbers[1:]]
        if numbers[0] == SET:
            members.sort(key=lambda m: natural(text_of(m)))
        return (numbers[0], *members)

    def edge(self, edge: Frozen) -> Frozen:
        """Return an edge, a pair of a block and a number, as the two blocks it joins."""
        if not isinstance(edge, tuple) or edge[0] != TUPLE or len(edge) != 3:
            return edge
        succs = self.cfg.succs.get(edge[1], ())
        return (EDGE, edge[1], edge[2], succs[edge[2]]) if 0 <= edge[2] < len(succs) else edge

    def edges(self, edges: Frozen) -> Frozen:
        if not isinstance(edges, tuple) or edges[0] not in (LIST, SET):
            return edges
        return (edges[0], *[self.edge(e) for e in edges[1:]])

    def bits(self, bits: Frozen) -> Frozen:
        """Return the variables whose bits are set."""
        known = self.lookup("bit")
        if type(bits) is not int or not isinstance(known, tuple):
            return bits
        return (SET, *sorted([name for name, n in known[1:] if bits >> n & 1], key=natural))


_VALUES: Final[dict[str, Callable[[_Reader, Frozen], Frozen]]] = {
    "block": _Reader.block,
    "blocks": _Reader.blocks,
    "place": _Reader.place,
    "places": _Reader.places,
    "edge": _Reader.edge,
    "edges": _Reader.edges,
    "bits": _Reader.bits,
}


def by_block(value: Frozen, role: Role, program: Func | Cfg) -> Frozen:
    """Return a value turned around into one for each block, where its role says that it is drawn so.

    >>> from ssawidgets.ir import cfg
    >>> versions = ("dict", ("x", ("dict", ("a", "x.1"), ("b", "x.2"))))
    >>> by_block(versions, Role(draw="by block"), cfg("a>b"))
    ('dict', (('block', 'a'), ('list', ('object', 'x=x.1'))), (('block', 'b'), ('list', ('object', 'x=x.2'))))
    """
    if role.draw not in ("by block", "by definition") or not isinstance(value, tuple) or value[0] != DICT:
        return value
    found: dict[str, list[Frozen]] = {}
    if role.draw == "by block":
        for variable, versions in value[1:]:
            for block, version in versions[1:] if isinstance(versions, tuple) else ():
                found.setdefault(block, []).append((OBJECT, f"{text_of(variable)}={text_of(version)}"))
    elif isinstance(program, Func):
        known = dict([pair for pair in value[1:] if isinstance(pair[0], str)])
        for block in program.blocks:
            defined = [*block.params, *[i.dest for i in block.body if i.dest is not None]]
            said = [(OBJECT, f"{name}={text_of(known[name])}") for name in defined if name in known]
            if said:
                found[block.name] = list(said)
    cfg = program if isinstance(program, Cfg) else program.cfg
    return (DICT, *[((BLOCK, b), (LIST, *found[b])) for b in cfg.blocks if b in found])


def labelled(value: Frozen, cfg: Cfg) -> Frozen:
    """Return a value with blocks for the ints in it that are labels of blocks.

    >>> from ssawidgets.ir import cfg
    >>> labelled(("list", 1, 7), cfg("0>1"))
    ('list', ('block', '1'), 7)
    """
    if type(value) is int:
        return (BLOCK, str(value)) if str(value) in cfg.index else value
    if isinstance(value, tuple) and value[0] in (LIST, TUPLE, SET):
        return (value[0], *[labelled(member, cfg) for member in value[1:]])
    if isinstance(value, tuple) and value[0] == DICT:
        return (DICT, *[(labelled(k, cfg), labelled(v, cfg)) for k, v in value[1:]])
    return value
