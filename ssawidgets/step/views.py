"""View tables: how the variables of an algorithm are to be read, and what of them is drawn.

Algorithms number blocks, variables and names, and hold sets as bits; a reader wants names. So beside each
algorithm that a chapter steps stands a *view*: for a variable, what its entries and values mean and how it is drawn. The
algorithm knows nothing of it. A function without a view is read as it stands, by the shapes of its values (`pictures`).

A view also says which functions are worth stepping through when one calls the public function: `dominators` itself
only looks up an algorithm by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from ssawidgets.step.values import DICT, LIST, OBJECT, Frozen, text_of

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


def classes_by_name(lookup: Lookup) -> Frozen:
    """Return the class of every name and constant, from the class of every value (`partition.coarsest`)."""
    graph, class_of = lookup("graph"), lookup("class_of")
    if not isinstance(graph, tuple) or graph[0] != DICT or not isinstance(class_of, tuple):
        return None
    return (DICT, *[(name, class_of[value + 1]) for name, value in graph[1:]])


def merged(lookup: Lookup) -> Frozen:
    """Return for each name that shares its class the first name of it (`congruence.Classes`).

    >>> state = {"classes": ("list", ("set", "phi 1 of block b", "x.2", "x.1"), ("set", "y.1"))}
    >>> text_of(merged(state.get))
    '{x.2: x.1, x.1: x.1}'
    """
    classes = lookup("classes") or lookup("self.classes")
    if not isinstance(classes, tuple) or classes[0] != LIST:
        return None
    found = []
    for members in classes[1:]:
        names = [m for m in members[1:] if isinstance(m, str) and not m.startswith("phi ")]
        found += [(name, (OBJECT, min(names))) for name in names if len(names) > 1]
    return (DICT, *found)


def what_stays(lookup: Lookup) -> Frozen:
    """Return for each name that dead-code elimination keeps so far why it does (`dce`).

    >>> text_of(what_stays({"stays": ("set", "q.1"), "marked": ("set", "x.1", "q.1")}.get))
    '{q.1: stays, x.1: live}'
    """
    stays, marked = lookup("stays"), lookup("marked")
    kept = [(name, (OBJECT, "stays")) for name in stays[1:]] if isinstance(stays, tuple) else []
    held = {name for name, _ in kept}
    live = marked[1:] if isinstance(marked, tuple) else ()
    return (DICT, *kept, *[(name, (OBJECT, "live")) for name in live if name not in held])


_BLOCK: Final = Role(values="block")
_NUMBERS: Final = {"order": HIDDEN, "preds": HIDDEN, "succs": HIDDEN, "cfg": HIDDEN, "func": HIDDEN}
_PLACES: Final = {
    "semi": Role("place", "place", "badge", "semi"),
    "idom": Role("place", "place", "badge"),
    **{name: Role(values="place") for name in ("w", "v", "u", "p", "d", "above")},
    "bucket": Role("place", "places", "none"),
    **_NUMBERS,
    "preorder": HIDDEN,
    "parent": Role("place", "place", "tree"),
    "label": Role("place", "place", "none"),
    "ancestor": Role("place", "place", "none"),
    "result": Role("block", "block", "none"),
    "block": _BLOCK,
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
    "ssawidgets.analysis.dom_naive": View(
        {"dom": Role(), "idom": Role("block", "block", "tree"), "b": Role(), "new": Role(), **_NUMBERS}
    ),
    "ssawidgets.analysis.dom_chk": View(
        {
            **_NUMBERS,
            "idom": Role("block", "block", "tree"),
            **{name: _BLOCK for name in ("a", "b", "p", "new")},
            "number": Role("block", draw="none"),
            "place": PLAIN,
        }
    ),
    "ssawidgets.analysis.dom_lengauer_tarjan": View(_PLACES, through=("ssawidgets.analysis.link_eval",)),
    "ssawidgets.analysis.dom_semi_nca": View(_PLACES, through=("ssawidgets.analysis.link_eval",)),
    "ssawidgets.analysis.frontiers": View(
        {
            **_NUMBERS,
            "tree": HIDDEN,
            "frontier": Role("block", "blocks", "badge", "DF"),
            "join": _BLOCK,
            "runner": _BLOCK,
            "idom": Role("block", "block", "tree"),
            "above_the_entry": HIDDEN,
        },
        skip=frozenset({"__init__"}),
    ),
    "ssawidgets.step.plainly": View(
        instead=(
            "ssawidgets.analysis.frontiers",
            "ssawidgets.ssa.placement",
            "ssawidgets.ssa.rename",
            "ssawidgets.ssa.braun",
        )
    ),
    "ssawidgets.analysis.iterated_frontier": View(
        {
            "found": Role(values="blocks", label="φ"),
            "d": _BLOCK,
            "j": _BLOCK,
            "work": Role(values="blocks", draw="none"),
            "seen": Role(values="blocks", draw="none"),
            "frontier": Role("block", "blocks", "badge", "DF"),
            "blocks": Role(values="blocks", draw="none"),
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
            "self.current_def": Role(draw="by block", label="", everywhere=True),
            "func": HIDDEN,
            "source": HIDDEN,
            "waits_for": Role(draw="none"),
            "self.func": HIDDEN,
            "self.seal": HIDDEN,
            "self.front": HIDDEN,
            "self.preds": HIDDEN,
            "self.new_version": HIDDEN,
            "self.sealed_blocks": Role(label="sealed", everywhere=True),
            "self.incomplete_phis": Role(draw="none"),
            "self.phis": Role(draw="none"),
            "self.filled": HIDDEN,
            **dict.fromkeys("known params args term_args targets".split(), HIDDEN),
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
        {
            "merged": Role(draw="by definition", label=""),
            **dict.fromkeys("func ranges live_with interfere".split(), HIDDEN),
        },
        skip=frozenset({"affinities", "by_conflicts", "cost"}),
        made={"merged": merged},
    ),
    "ssawidgets.ssa.sreedhar": View(
        {
            "merged": Role(draw="by definition", label=""),
            "self.func": HIDDEN,
            "func": HIDDEN,
            "self.interfere": HIDDEN,
            "self.edges_into": HIDDEN,
            "self.live_in": HIDDEN,
            "self.live_out": HIDDEN,
        },
        skip=frozenset({"__init__", "resources", "resolve", "live_at", "border", "still_live_out"}),
        made={"merged": merged},
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
        {
            "numbers": Role(draw="by definition", label=""),
            "step": Role(values="block", label="here"),
            **dict.fromkeys("func tree walk".split(), HIDDEN),
        },
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
        {
            "classes": Role(draw="by definition", label=""),
            **dict.fromkeys("splitter uses counts groups parts part new worklist".split(), PLAIN),
            **dict.fromkeys("func graph users by_label operands position".split(), HIDDEN),
        },
        skip=frozenset({"value_graph", "add"}),
        made={"classes": classes_by_name},
    ),
    "ssawidgets.opt.dce": View(
        {
            "func": HIDDEN,
            "types": HIDDEN,
            "without_nops": HIDDEN,
            "kept": Role(draw="by definition", label=""),
            "reads": Role(draw="none"),
            "block": Role(draw="cursor"),
        },
        made={"kept": what_stays},
    ),
}


def view_of(module: str) -> View:
    """Return the view of a module's functions; an empty one for a stranger's."""
    return VIEWS.get(module, _NO_VIEW)


_NO_VIEW: Final = View()
