"""View tables: how the variables of an algorithm are to be read, and what of them is drawn.

Algorithms number blocks, variables and names, and hold sets as bits; a reader wants names. So beside each
algorithm that a chapter steps stands a *view*: for a variable, what its entries and values mean and how it is drawn. The
algorithm knows nothing of it. A function without a view is read as it stands, by the shapes of its values (`pictures`).

A view also says which functions are worth stepping through when one calls the public function: `dominators` itself
only looks up an algorithm by its name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, Final, Literal

from ssawidgets import analysis, opt, ssa
from ssawidgets.analysis import dominators
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.analysis.graph import Graph
from ssawidgets.ir import Cfg, Func
from ssawidgets.ssa.placement import Flavour, place_phis
from ssawidgets.ssa.rename import rename
from ssawidgets.step.values import BLOCK, DICT, EDGE, LIST, OBJECT, SET, TUPLE, Frozen, natural, text_of

Draw = Literal["", "cursor", "set", "tree", "badge", "edges", "by block", "by definition", "none"]
#: Returns the frozen value of another variable in sight, None without one.
Lookup = Callable[[str], Frozen]

NOT_YET: Final = (OBJECT, "–")


@dataclass(frozen=True)
class Role:
    """How one variable is read.

    - `keys`: "block" where a list's indices are numbers of blocks, "place" where they are places in `preorder`.
    - `values`: what its values are: "block", "blocks", "place", "places" (numbers, alone or in a container), "edge" and
      "edges" ((block, number of its edge)), "bits" (a set of variables as an int).
    - `draw`: how it is drawn; "" goes by the shape of its value, "none" leaves it out of the picture;
      "by block" draws {variable: {block: value}} and "by definition" {name: value} as badges of blocks.
    - `everywhere`: blocks are marked also while a function called from there is stepped.
    - `label`: what stands before it in the picture, in place of the variable's name. `hide` leaves it out altogether.
    """

    keys: Literal["", "block", "place"] = ""
    values: str = ""
    draw: Draw = ""
    label: str | None = None
    hide: bool = False
    everywhere: bool = False


HIDDEN: Final = Role(hide=True)
PLAIN: Final = Role(draw="none")


@dataclass(frozen=True)
class View:
    """How an algorithm is shown: a role for each variable, by name, and what code is stepped through.

    `through` names modules whose functions are recorded besides the algorithm's own, `instead` modules that are
    recorded in its place; `skip` names functions that are not. `made` says what is shown besides, made of the
    variables there are. Variables stand in the order of `made` and `roles`.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    through: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    skip: frozenset[str] = frozenset()
    made: Mapping[str, Callable[[Lookup], Frozen]] = field(default_factory=dict)


def registers(lookup: Lookup) -> Frozen:
    """Return what each register of a parallel copy holds after the moves made so far, and what it is to hold.

    >>> state = {"copies": ("dict", ("a", "b"), ("b", "a")), "moves": ("list", ("tuple", "tmp", "a"), ("tuple", "a", "b"))}
    >>> text_of(registers(state.get))
    "{a: b's value ✓, b: b's value, to be a's, tmp: a's value}"
    """
    copies, moves = lookup("copies"), lookup("moves")
    if not isinstance(copies, tuple) or copies[0] != DICT:
        return None
    wanted = dict(copies[1:])
    holds = {name: name for pair in copies[1:] for name in pair if isinstance(name, str)}
    for move in moves[1:] if isinstance(moves, tuple) else ():
        holds[move[1]] = holds.get(move[2], move[2])
    found = []
    for name, value in holds.items():
        said = f"{text_of(value)}'s value" if isinstance(value, str) else text_of(value)
        if name in wanted:
            goal = wanted[name]
            to_be = f"{goal}'s" if isinstance(goal, str) else text_of(goal)
            said += " ✓" if value == goal else f", to be {to_be}"
        found.append((name, (OBJECT, said)))
    return (DICT, *found)


_BLOCK: Final = Role(values="block")
_NUMBERS: Final = {"order": HIDDEN, "preds": HIDDEN, "succs": HIDDEN, "cfg": HIDDEN, "func": HIDDEN}
_PLACES: Final = {
    **_NUMBERS,
    "preorder": HIDDEN,
    "parent": Role("place", "place", "tree"),
    "semi": Role("place", "place", "badge", "semi"),
    "label": Role("place", "place", "none"),
    "ancestor": Role("place", "place", "none"),
    "bucket": Role("place", "places", "none"),
    "idom": Role("place", "place", "badge"),
    "result": Role("block", "block", "none"),
    "block": _BLOCK,
    **{name: Role(values="place") for name in ("v", "u", "w", "p", "d", "above")},
    "path": Role(values="places"),
    "n": PLAIN,
}

#: module -> the view of what is in it.
VIEWS: Final[dict[str, View]] = {
    "ssawidgets.analysis.dominance": View(
        instead=(
            "ssawidgets.analysis.dom_chk",
            "ssawidgets.analysis.dom_naive",
            "ssawidgets.analysis.dom_lengauer_tarjan",
            "ssawidgets.analysis.dom_semi_nca",
            "ssawidgets.analysis.link_eval",
        )
    ),
    "ssawidgets.analysis.dom_naive": View({**_NUMBERS, "changed": PLAIN}),
    "ssawidgets.analysis.dom_chk": View(
        {
            **_NUMBERS,
            "number": Role("block", draw="none"),
            "place": PLAIN,
            "idom": Role("block", "block", "tree"),
            **{name: _BLOCK for name in ("a", "b", "p", "new")},
        }
    ),
    "ssawidgets.analysis.dom_lengauer_tarjan": View(_PLACES, through=("ssawidgets.analysis.link_eval",)),
    "ssawidgets.analysis.dom_semi_nca": View(_PLACES, through=("ssawidgets.analysis.link_eval",)),
    "ssawidgets.analysis.frontiers": View(
        {
            **_NUMBERS,
            "tree": HIDDEN,
            "idom": Role("block", "block", "tree"),
            "above_the_entry": HIDDEN,
            "frontier": Role("block", "blocks", "badge", "DF"),
            "join": _BLOCK,
            "runner": _BLOCK,
        },
        skip=frozenset({"__init__"}),
    ),
    "ssawidgets.step.views": View(
        instead=(
            "ssawidgets.analysis.frontiers",
            "ssawidgets.ssa.placement",
            "ssawidgets.ssa.rename",
            "ssawidgets.ssa.braun",
        )
    ),
    "ssawidgets.analysis.iterated_frontier": View(
        {
            "frontier": Role("block", "blocks", "badge", "DF"),
            "blocks": Role(values="blocks", draw="none"),
            "found": Role(values="blocks", label="φ"),
            "work": Role(values="blocks", draw="none"),
            "seen": Role(values="blocks", draw="none"),
            "d": _BLOCK,
            "j": _BLOCK,
        }
    ),
    "ssawidgets.analysis.liveness": View(
        {
            **{name: _BLOCK for name in ("b", "s", "p")},
            "out": Role(values="bits"),
            "new": Role(values="bits"),
            "live_in": Role("block", "bits", "badge", "in"),
            "live_out": Role("block", "bits", "badge", "out"),
            "work": Role(values="blocks"),
            **_NUMBERS,
            "postorder": HIDDEN,
            "local": HIDDEN,
            "bit": Role(draw="none"),
            "name": HIDDEN,
            "read": Role("block", "bits", "none"),
            "written": Role("block", "bits", "none"),
            "passed": Role("block", "bits", "none"),
            "waiting": HIDDEN,
        },
        skip=frozenset({"reads_and_writes", "arguments", "bits_of", "names"}),
    ),
    "ssawidgets.ssa.placement": View(
        {
            "func": HIDDEN,
            "flavour": PLAIN,
            "defined_in": Role(values="blocks", label="def"),
            "joins": Role(values="blocks", label="φ"),
            "placed": Role(draw="none"),
            "live": HIDDEN,
        },
        through=("ssawidgets.analysis.iterated_frontier", "ssawidgets.ssa.dj_graph"),
        skip=frozenset({"_minimal", "_semi_pruned", "_pruned", "_joins", "names_across_blocks"}),
    ),
    "ssawidgets.ssa.dj_graph": View(
        {
            "self": HIDDEN,
            "level": Role("block", "", "badge"),
            "j_edges": Role("block", "blocks", "badge", "J"),
            "d_edges": HIDDEN,
            "blocks": HIDDEN,
            "defined_in": Role(values="blocks", draw="none"),
            "piggy_bank": Role(draw="none"),
            "found": Role(values="blocks", label="φ"),
            "visited": Role(values="blocks", draw="none"),
            "subtree": Role(values="blocks", draw="none"),
            **{name: _BLOCK for name in ("root", "x", "y", "z", "_")},
        },
        skip=frozenset({"dj_graph"}),
    ),
    "ssawidgets.ssa.rename": View(
        {
            "b": _BLOCK,
            "variable": PLAIN,
            "name": PLAIN,
            "instr": PLAIN,
            "stacks": Role(draw="none"),
            "pushed": Role(draw="none"),
            "body": PLAIN,
            "phis_of": Role("block", "", "badge", "φ"),
            **dict.fromkeys(
                "tree known at_start new_version renamed height above phis block args dest term target to_phis params "
                "targets passed".split(),
                HIDDEN,
            ),
        },
        skip=frozenset({"_by_block", "reaching"}),
    ),
    "ssawidgets.ssa.construct": View(
        instead=("ssawidgets.ssa.placement", "ssawidgets.ssa.rename", "ssawidgets.ssa.braun"),
    ),
    "ssawidgets.ssa.braun": View(
        {
            "func": HIDDEN,
            "source": HIDDEN,
            "waits_for": Role(draw="none"),
            "self.func": HIDDEN,
            "self.seal": HIDDEN,
            "self.front": HIDDEN,
            "self.preds": HIDDEN,
            "self.new_version": HIDDEN,
            "self.current_def": Role(draw="by block", label="", everywhere=True),
            "self.sealed_blocks": Role(label="sealed", everywhere=True),
            "self.incomplete_phis": Role(draw="none"),
            "self.phis": Role(draw="none"),
            "self.filled": HIDDEN,
            "known": HIDDEN,
            "variable": PLAIN,
        },
        skip=frozenset({"find", "is_complete", "__init__", "read", "write", "result", "make_phi", "seal_if"}),
    ),
    "ssawidgets.ssa.parallel_copies": View(
        {
            **{name: PLAIN for name in ("b", "a", "c", "moves", "ready", "loc", "to_do", "pred", "copies")},
            "tmp": PLAIN,
            "taken": HIDDEN,
        },
        made={"registers": registers},
    ),
    "ssawidgets.ssa.out_of_ssa": View(
        instead=("ssawidgets.ssa.boissinot", "ssawidgets.ssa.sreedhar", "ssawidgets.ssa.isolation")
    ),
    "ssawidgets.ssa.boissinot": View(
        {"func": HIDDEN, "ranges": HIDDEN, "live_with": HIDDEN, "interfere": HIDDEN},
        skip=frozenset({"affinities", "by_conflicts", "cost"}),
    ),
    "ssawidgets.ssa.sreedhar": View(
        {
            "self.func": HIDDEN,
            "func": HIDDEN,
            "self.interfere": HIDDEN,
            "self.edges_into": HIDDEN,
            "self.live_in": HIDDEN,
            "self.live_out": HIDDEN,
        },
        skip=frozenset({"__init__", "resources", "resolve", "live_at", "border", "still_live_out"}),
    ),
    "ssawidgets.ssa.isolation": View(skip=frozenset({"singletons"})),
    "ssawidgets.opt.sccp": View(
        {
            "func": HIDDEN,
            "chains": HIDDEN,
            "block": HIDDEN,
            "target": HIDDEN,
            "values": Role(draw="by definition", label=""),
            "executable_blocks": Role(label="", everywhere=True),
            "executable_edges": Role(values="edges"),
            "flow_worklist": Role(values="edges", draw="none"),
            "ssa_worklist": Role(draw="none"),
            "edge": Role(values="edge", draw="none"),
        },
        skip=frozenset({"fact_of", "require_ssa", "undecided"}),
    ),
    "ssawidgets.opt.gvn": View(
        {"func": HIDDEN, "tree": HIDDEN, "walk": HIDDEN, "step": _BLOCK},
        through=("ssawidgets.opt.hash_numbering", "ssawidgets.opt.partition"),
        skip=frozenset({"_defined", "_numbers", "value_numbers"}),
    ),
    "ssawidgets.opt.hash_numbering": View(
        {
            "numbers": Role(draw="by definition", label=""),
            "table": Role(draw="none"),
            "func": HIDDEN,
            "tree": HIDDEN,
            "order": HIDDEN,
            "operands_of": HIDDEN,
            "types": HIDDEN,
            "walk": HIDDEN,
            "step": HIDDEN,
        },
        skip=frozenset({"new_number", "number_of"}),
    ),
    "ssawidgets.opt.partition": View(
        {"func": HIDDEN, "graph": HIDDEN}, skip=frozenset({"value_graph", "add"})
    ),
    "ssawidgets.opt.dce": View(
        {
            "func": HIDDEN,
            "types": HIDDEN,
            "without_nops": HIDDEN,
            "reads": Role(draw="none"),
            "block": Role(draw="cursor"),
        }
    ),
}


def view_of(module: str) -> View:
    """Return the view of a module's functions; an empty one for a stranger's."""
    return VIEWS.get(module, _NO_VIEW)


_NO_VIEW: Final = View()


def traced_by(function: Callable[..., Any]) -> list[CodeType] | None:
    """Return the code that is stepped through for one of our functions, None for a stranger.

    >>> from ssawidgets.analysis import dominators
    >>> [one.co_name for one in traced_by(dominators)][:3]
    ['immediate_dominators', 'intersect', 'dominator_sets']
    """
    home = getattr(getattr(function, "__func__", function), "__module__", "") or ""
    if home not in VIEWS:
        return None
    modules = [*(VIEWS[home].instead or (home,)), *VIEWS[home].through]
    found: list[CodeType] = []
    for name in modules:  # grows as it is walked
        view = view_of(name)
        modules += [m for m in view.through if m not in modules]
        module = sys.modules.get(name) or import_module(name)
        for one in [one for one in vars(module).values() if getattr(one, "__module__", None) == name]:
            functions = (
                [getattr(m, "__func__", m) for m in vars(one).values()] if isinstance(one, type) else [one]
            )
            codes = [f.__code__ for f in functions if isinstance(f, FunctionType)]
            for code in codes:  # grows: functions inside functions
                if code.co_name not in view.skip:
                    found.append(code)
                    codes += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


def plain_form(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is stepped in place of a function whose fast form hides the algorithm: the plain form beside it."""
    for public, plain in _PLAIN_FORMS:
        if function is public:
            return plain
    return function


def dominance_frontiers(g: Graph) -> dict[str, set[str]]:
    """Compute the dominance frontier of every reachable block by the walk from each join's predecessors."""
    tree = dominators(g)
    names = tree.cfg.blocks
    rows = frontier_ids(tree)
    return {b: {names[j] for j in rows[tree.cfg.index[b]]} for b in tree.idom}


def to_ssa(
    func: Func,
    method: Literal["cytron", "braun"] = "cytron",
    flavour: Flavour = "pruned",
    minimal_scc: bool = False,
) -> Func:
    """Bring a function into SSA form by phi placement and renaming as in the paper, or by Braun's construction."""
    if method == "cytron" and not minimal_scc:
        return rename(func, place_phis(func, flavour))
    return ssa.to_ssa(func, method, flavour, minimal_scc)


#: A public function, and its plain form.
_PLAIN_FORMS: Final[tuple[tuple[Callable[..., Any], Callable[..., Any]], ...]] = (
    (analysis.dominance_frontiers, dominance_frontiers),
    (opt.sccp, opt.sccp_facts),
    (ssa.to_ssa, to_ssa),
)

# --- reading values


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
