"""The layers of the editor's picture, and how one looks at a program: which are shown, for which variable, flavour and notation.

What they draw is in `laying`. Blocks that cannot be reached are hatched in every picture: no layer says anything of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ssawidgets.drawing.lines import Phis
from ssawidgets.explain import KINDS, Facts
from ssawidgets.explain.fact_tables import FLAVOUR_OF, Kind
from ssawidgets.explain.known import FLAVOURS
from ssawidgets.ir import Func
from ssawidgets.ssa.placement import Flavour

PHI_KIND: Final[dict[Flavour, Kind]] = {flavour: kind for kind, flavour in FLAVOUR_OF.items()}


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: a short key, the name on its button, what it shows, and the kinds of facts it is about."""

    key: str
    name: str
    says: str
    kinds: tuple[Kind, ...] = ()


#: In the order of the keys 1 to 9.
LAYERS: Final = (
    Layer("tree", "Dominator tree", "an arrow from each block's immediate dominator", ("dominator",)),
    Layer("frontiers", "Frontiers", "DF: where each block's dominance ends", ("frontier",)),
    Layer("iterated", "Iterated frontier", "DF⁺ of the definitions of one variable", ("minimal phi",)),
    Layer(
        "live",
        "Liveness",
        "names that may still be read, at the top and the end of each block",
        ("live", "live out"),
    ),
    Layer("phis", "Phis", "where each flavour puts a φ, and which flavour drops it", tuple(FLAVOUR_OF)),
    Layer("versions", "Versions", "the program in SSA form: every definition a name of its own"),
    Layer("def-use", "Def-use", "from each definition of one variable to the reads it reaches"),
    Layer(
        "critical",
        "Critical edges",
        "from a block with several ways out to one with several ways in",
        ("critical",),
    ),
    Layer("loops", "Loops", "each block's innermost loop", ("loop",)),
)
BY_KEY: Final = {layer.key: layer for layer in LAYERS}
NOTATIONS: Final[tuple[Phis, ...]] = ("phi", "args")


@dataclass(frozen=True, slots=True)
class View:
    """How one looks at the program: which layers are shown, and the choices some of them need.

    `variable` None means the first the program mentions.

    >>> View(("tree", "live")).kinds
    ('dominator', 'live', 'live out')
    """

    shown: tuple[str, ...] = ("tree",)
    variable: str | None = None
    flavour: Flavour = "pruned"
    notation: Phis = "phi"

    def __post_init__(self) -> None:
        for key in self.shown:
            if key not in BY_KEY:
                raise ValueError(f"no layer {key!r}; there are: {', '.join(BY_KEY)}")
        if self.flavour not in FLAVOURS:
            raise ValueError(f"no flavour {self.flavour!r}; there are: {', '.join(FLAVOURS)}")
        if self.notation not in NOTATIONS:
            raise ValueError(f'notation is "phi" or "args", not {self.notation!r}')

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of facts that the shown layers are about, in the order in which changes are told."""
        shown = {kind for key in self.shown for kind in BY_KEY[key].kinds}
        if "versions" in self.shown:
            shown.add(PHI_KIND[self.flavour])
        return tuple([kind for kind in KINDS if kind in shown])


def is_ssa(func: Func) -> bool:
    """Say whether a function has phis or versions of its own, so that there are none to add."""
    return any(b.params for b in func.blocks) or any("." in name for name in func.names)


def variables(facts: Facts) -> list[str]:
    """Return the variables one can choose, in the order in which the program mentions them."""
    return list(facts.known.mention)


def variable_of(facts: Facts, view: View) -> str | None:
    """Return the variable that the layers of one variable are about: the one chosen, else the first; None if there is none."""
    known = facts.known.mention
    return view.variable if view.variable in known else next(iter(known), None)
