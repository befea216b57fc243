"""What the shown layers lay over a program: arrows, badges, rows of phis and of names, links.

Pure: the facts of a function (`explain.Facts`), what the last edit changed, and a `View` make an overlay. What no shown layer needs is
not worked out. Every place that shows a fact carries the fact's key, so that a click can ask why. Facts that came with the last edit are
drawn with a +, facts that went are drawn once more, struck out, with a −.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ssawidgets.drawing import Link, NameRow, Overlay, PhiRow, Tag
from ssawidgets.drawing.blocks import UNNUMBERED
from ssawidgets.drawing.lines import NAME, PLAIN, Phis, Piece, phi_rows
from ssawidgets.explain import Comparison, Fact, Facts, Site
from ssawidgets.explain.fact_tables import Kind, Pair, reach
from ssawidgets.explain.known import FLAVOURS
from ssawidgets.explain.reaching import last_write, reaching_pairs
from ssawidgets.ir import Block, Func, Target
from ssawidgets.ir.names import base
from ssawidgets.ssa import to_ssa
from ssawidgets.widgets.layers import PHI_KIND, View, is_ssa, variable_of

LINKS_SHOWN = 60  #: def-use edges drawn; the legend counts the rest


@dataclass(frozen=True, slots=True)
class Laid:
    """What is to be drawn: the program (renamed where versions are shown), its notation, what lies over it.

    `variable` is the one the layers of one variable are about, None where the program mentions none. `links` counts the
    def-use edges there are, `note` says why a layer shows nothing.
    """

    program: Func
    notation: Phis
    overlay: Overlay
    variable: str | None
    links: int = 0
    note: str = ""


def lay(facts: Facts, view: View, changed: Comparison | None = None) -> Laid:
    """Lay the shown layers over a function; `changed` marks what came and what went with the last edit.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import facts
    >>> mine = facts(sketch("0>1 0>2 1>3 2>3", defs={"x": "1 2"}, uses={3: "x"}))
    >>> {b: [str(t) for t in tags] for b, tags in lay(mine, View(("frontiers",))).overlay.badges.items()}
    {'1': ['DF 3'], '2': ['DF 3']}
    """
    laying = _Laying(facts, view, changed)
    return laying.all()


def links_of(func: Func, variable: str, versions: bool = False) -> Iterator[tuple[Site, Site]]:
    """Yield the def-use edges of a variable, or with `versions` those of all its versions.

    >>> from ssawidgets import sketch
    >>> [(d.block, u.block) for d, u in links_of(sketch("0>1", defs={"x": "0"}, uses={1: "x"}), "x")]
    [('0', '1')]
    """
    names = [name for name in sorted(func.names) if base(name) == variable] if versions else [variable]
    for name in names:
        yield from reaching_pairs(func, name)


class _Laying:
    """One picture's worth of layers: what `lay` collects."""

    def __init__(self, facts: Facts, view: View, changed: Comparison | None) -> None:
        self.facts = facts
        self.func = facts.func
        self.view = view
        # Of another graph everything is new, which needs no marks.
        self.changed = None if changed is None or changed.another_graph else changed
        self.variable = variable_of(facts, view)
        self.badges: dict[str, list[Tag]] = {}
        self.line_marks: dict[tuple[str, int], str] = {}
        self.ssa: Func | None = None
        self.phi_row: dict[Pair, int] = {}  #: the place of a variable's phi among the rows of its block
        self.note = ""

    def all(self) -> Laid:
        """Lay every shown layer."""
        shown = self.view.shown
        overlay = Overlay(critical="critical" in shown)
        notation = self.view.notation
        program = self.func
        if "tree" in shown:
            overlay = self._tree(overlay)
        if "loops" in shown:
            self._loops()
        if "frontiers" in shown:
            self._frontiers()
        if "iterated" in shown:
            self._iterated()
        if "live" in shown:
            overlay = self._live(overlay)
        if "phis" in shown or "versions" in shown:
            if is_ssa(self.func):
                self.note = "This program is in SSA form already: its phis and versions are its own."
            else:
                if "versions" in shown:
                    program = self._renamed()
                overlay = replace(overlay, phis=self._phis())
        links: list[Link] = []
        if "def-use" in shown:
            links = self._links()
        overlay = replace(
            overlay, badges=self.badges, line_marks=self.line_marks, links=tuple(links[:LINKS_SHOWN])
        )
        return Laid(program, notation, overlay, self.variable, len(links), self.note)

    def _looks(self, kind: Kind) -> tuple[set[Pair], list[Fact]]:
        """Return which facts of a kind are new, as pairs, and those that went and whose block is still there."""
        if self.changed is None:
            return set(), []
        here = self.func.cfg.index
        gone = [f for f in self.changed.removed(kind) if f.block in here]
        return {(f.block, f.about) for f in self.changed.added(kind)}, gone

    def _badge(self, block: str, tag: Tag) -> None:
        self.badges.setdefault(block, []).append(tag)

    def _tree(self, overlay: Overlay) -> Overlay:
        idom = dict(self.facts.known.tree.idom)
        came, gone = self._looks("dominator")
        here = self.func.cfg.index
        return replace(
            overlay,
            tree=idom,
            tree_new=frozenset([block for block, _ in came]),
            tree_was={f.block: f.about for f in gone if f.about in here and f.block in idom},
            tree_facts={b: Fact("dominator", b, a).key for b, a in idom.items() if a is not None},
        )

    def _frontiers(self) -> None:
        known = self.facts.known
        names = known.cfg.blocks
        came, gone = self._looks("frontier")
        for d, row in enumerate(known.frontier):
            for j in row:
                look = "added" if (names[j], names[d]) in came else ""
                self._badge(names[d], Tag(f"DF {names[j]}", look, Fact("frontier", names[j], names[d]).key))
        for f in gone:
            if f.about in known.cfg.index:
                self._badge(f.about, Tag(f"DF {f.block}", "removed", f.key))

    def _iterated(self) -> None:
        variable, known = self.variable, self.facts.known
        if variable is None:
            self.note = "This program has no variable whose frontier could be iterated."
            return
        came, gone = self._looks("minimal phi")
        for b in sorted(known.joins(variable)):
            name = known.cfg.blocks[b]
            look = "added" if (name, variable) in came else ""
            self._badge(name, Tag(f"DF⁺ {variable}", look, Fact("minimal phi", name, variable).key))
        for f in gone:
            if f.about == variable:
                self._badge(f.block, Tag(f"DF⁺ {variable}", "removed", f.key))
        for b in known.definitions[variable]:
            block = self.func.blocks[b]
            site = last_write(block, variable)
            if site is not None:
                self.line_marks[self._place(self.func, site)] = "defines"

    def _loops(self) -> None:
        forest = self.facts.known.loops
        came, gone = self._looks("loop")
        for b, h in forest.innermost.items():
            if h is not None:
                look = "added" if (b, h) in came else ""
                self._badge(b, Tag("loop head" if b == h else f"loop {h}", look, Fact("loop", b, h).key))
        for f in gone:
            text = "loop head" if f.block == f.about else f"loop {f.about}"
            self._badge(f.block, Tag(text, "removed", f.key))

    def _live(self, overlay: Overlay) -> Overlay:
        live, cfg = self.facts.known.live, self.func.cfg
        came, gone = self._looks("live")
        went: dict[str, list[Tag]] = {}
        for f in gone:
            went.setdefault(f.block, []).append(Tag(f.about, "removed", f.key))
        tops, bottoms = {}, {}
        for b in cfg.rpo_ids:
            name = cfg.blocks[b]
            tags = [
                Tag(v, "added" if (name, v) in came else "", Fact("live", name, v).key)
                for v in self._mentioned(live.names(live.in_bits[b]))
            ]
            tags += went.get(name, [])
            if tags:
                tops[name] = NameRow("live in", tuple(tags))
            after = self._mentioned(live.names(live.out_bits[b]))
            if after:
                mine = [Tag(v, "", Fact("live out", name, v).key) for v in after]
                bottoms[name] = NameRow("live out", tuple(mine))
        return replace(overlay, tops=tops, bottoms=bottoms)

    def _mentioned(self, names: Iterable[str]) -> list[str]:
        order = self.facts.known.mention
        return sorted(names, key=lambda v: (order.get(v, len(order)), v))

    def _renamed(self) -> Func:
        """Return the program in SSA form with the blocks it has here: unreachable ones as they were, no block added."""
        ssa = self.ssa = to_ssa(self.func, flavour=self.view.flavour)
        by_name = {b.name: b for b in ssa.blocks}
        with_args = self.view.notation == "args"
        blocks = []
        for old in self.func.blocks:
            new = by_name.get(old.name)
            if new is None:
                blocks.append(old)
                continue
            targets = new.term.targets if with_args else tuple([Target(t.block) for t in new.term.targets])
            term = new.term.with_names(new.term.args, targets)
            blocks.append(Block(new.name, new.params if with_args else (), new.body, term))
        if with_args and ssa.entry != self.func.entry:
            # The block made for the way in is not drawn: what it passes is said at the entry.
            passed = ", ".join(map(str, by_name[ssa.entry].term.targets[0].args))
            self._badge(self.func.entry, Tag(f"passed at the start: {passed}"))
        return self.func.with_blocks(tuple(blocks))

    def _phis(self) -> dict[str, tuple[PhiRow, ...]]:
        """Return the rows of phis: of every flavour where the layer is shown, with versions where those are."""
        rows: dict[str, list[PhiRow]] = {}
        flavour = self.view.flavour
        kind = PHI_KIND[flavour]
        known, names = self.facts.known, self.func.cfg.blocks
        came, gone = self._looks(kind)
        in_args = self.ssa is not None and self.view.notation == "args"
        written: dict[tuple[str, str], tuple[Piece, ...]] = {}
        if self.ssa is not None:
            own = phi_rows(self.ssa)
            for block in self.ssa.blocks:
                for param, row in zip(block.params, own.get(block.name, ()), strict=True):
                    written[block.name, base(param)] = tuple(row)
        placed = {f: {(names[b], v) for v, at in known.phis(f).items() for b in at} for f in FLAVOURS}
        order = [(b, v) for v, at in known.phis("minimal").items() for b in sorted(at)]
        for b, variable in order:
            pair = (names[b], variable)
            drops = next((f for f in FLAVOURS if pair not in placed[f]), None)
            kept = pair in placed[flavour]
            if (not kept and "phis" not in self.view.shown) or (kept and in_args):
                continue
            pieces = written.get(pair) or ((PLAIN, "φ "), (NAME, variable))
            note = f"{drops} drops it" if drops is not None and "phis" in self.view.shown else ""
            look = "added" if kept and pair in came else "" if kept else "dropped"
            mine = rows.setdefault(names[b], [])
            self.phi_row[pair] = len(mine)
            mine.append(PhiRow(pieces, look, Fact(kind, *pair).key, note))
        for f in gone:
            if (f.block, f.about) not in placed["minimal"]:
                pieces = (PLAIN, "φ "), (NAME, f.about)
                rows.setdefault(f.block, []).append(PhiRow(pieces, "removed", f.key))
        return {b: tuple(mine) for b, mine in rows.items()}

    def _links(self) -> list[Link]:
        """Return the def-use edges of the chosen variable, or of all its versions."""
        if self.variable is None:
            self.note = "This program has no variable."
            return []
        func = self.ssa or self.func
        here = self.func.cfg.index
        links = []
        for definition, read in links_of(func, self.variable, self.ssa is not None):
            ends = self._place(func, definition), self._place(func, read)
            if ends[0][0] not in here or ends[1][0] not in here:
                continue
            self.line_marks[ends[0]] = "defines"
            self.line_marks.setdefault(ends[1], "reads")
            title = f"{definition.name}: from {ends[0][0]} to {ends[1][0]}"
            links.append(Link(*ends, title, reach(definition, read).key))
        return links

    def _place(self, func: Func, site: Site) -> tuple[str, int]:
        """Return the block and the drawn line of a definition or read; -1 is the row with the block's name."""
        assert site.block is not None, "a definition before the entry reaches nothing here"
        as_phi = self.view.notation == "phi"
        if site.edge is not None and as_phi:
            # What an edge passes is read in the row of the phi.
            target = func.block(site.block).term.targets[site.edge]
            param = func.block(target.block).params[target.args.index(site.name)]
            return target.block, self._phi_line(func, target.block, param)
        if site.index is None:
            return site.block, self._phi_line(func, site.block, site.name) if as_phi else -1
        own = len(self.func.block(site.block).params) if as_phi and site.block in self.func.cfg.index else 0
        return site.block, site.index + own

    def _phi_line(self, func: Func, block: str, param: str) -> int:
        if self.ssa is None:
            return func.block(block).params.index(param)
        return UNNUMBERED - self.phi_row.get((block, base(param)), 0)
