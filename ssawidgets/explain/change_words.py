"""What an edit changed in words, what tells most first.

What came and what went (`comparison`) is put in sentences, one for what belongs together: the blocks that one block no longer
dominates, the phis of one variable. Each has its reason, that of the fact it names first: why it holds now, or why it
holds no longer. A reason costs a search or two, so only the sentences asked for are made.

The order is the one in which one change explains the next: blocks gone and new, blocks reached or cut off, dominance,
phis, frontiers, loops, critical edges, live names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ssawidgets.explain.comparison import Comparison
from ssawidgets.explain.dominance import dominance
from ssawidgets.explain.fact_tables import FLAVOUR_OF, KINDS, Fact, Kind
from ssawidgets.explain.reachability import reachability
from ssawidgets.explain.witness import names_text

#: Sentences that are made unless told otherwise.
MOST: Final = 12

#: Kinds in the order in which they are told; the flavours of phis are told together.
TOLD: Final[tuple[tuple[Kind, ...], ...]] = (
    ("reachable",),
    ("dominator",),
    ("minimal phi", "semi-pruned phi", "pruned phi"),
    ("frontier",),
    ("loop",),
    ("critical",),
    ("live",),
)


@dataclass(frozen=True, slots=True)
class Group:
    """What came and what went of the things that are told in one sentence, and the kinds of facts that were asked for."""

    changed: Comparison
    asked: Collection[Kind]
    added: tuple[Fact, ...] = ()
    removed: tuple[Fact, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What came, or if nothing did what went."""
        return self.added or self.removed

    @property
    def about_gone(self) -> bool:
        """Whether the other block of the first fact is gone."""
        return self.facts[0].about not in self.changed.after.func.cfg.index

    def sentence(self) -> str:
        """Put the group in words."""
        return _SENTENCES[self.facts[0].kind](self)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that an edit changed: a sentence, and the facts that came and went.

    `ask` is the fact the sentence gives the reason for: `facts(after).why(ask)` shows its witness, also where the fact is gone. It is
    None where there is nothing to ask, as when a block is gone.
    """

    sentence: str
    added: tuple[Fact, ...] = ()
    removed: tuple[Fact, ...] = ()

    @property
    def ask(self) -> Fact | None:
        """The fact to ask why of: the first that went, else the first that came."""
        both = (*self.removed, *self.added)
        return both[0] if both else None

    def __str__(self) -> str:
        return self.sentence


def differences(
    changed: Comparison, kinds: Collection[Kind] = KINDS, most: int = MOST
) -> tuple[Difference, ...]:
    """Say what changed in these kinds of facts, what tells most first; after so many sentences one counts the rest.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import compare
    >>> changed = compare(sketch("0>1 1>2 1>5 2>4"), sketch("0>1 1>2 1>5 2>4 5>4"))
    >>> print(*differences(changed), sep="\\n")
    2 no longer dominates 4: 0 > 1 > 5 > 4 goes round it. Its immediate dominator is 1 now.
    4 is in the frontiers of 2 and 5 now: an edge leads from 2 to 4, and 0 > 1 > 5 > 4 goes round 2.
    """
    told = list(_blocks(changed))
    if changed.another_graph:
        return tuple(told)
    groups = [g for together in TOLD for g in _groups(changed, [k for k in together if k in kinds])]
    room = max(most - len(told), 0)
    told += [Difference(g.sentence(), g.added, g.removed) for g in groups[:room]]
    if len(groups) > room:
        rest = len(groups) - room
        told.append(Difference(f"And {rest} more {'change' if rest == 1 else 'changes'}."))
    return tuple(told)


def _blocks(changed: Comparison) -> Iterator[Difference]:
    """Yield what became of the blocks themselves."""
    old, new = changed.before.func.cfg, changed.after.func.cfg
    if changed.another_graph:
        size = "one block" if len(new) == 1 else f"{len(new)} blocks"
        yield Difference(f"This is another graph: it starts at {new.entry} and has {size}.")
        return
    if changed.renamed:
        named = [f"{b} is called {c} now" for b, c in changed.renamed.items() if b != c]
        yield Difference(f"{names_text(named)}.")
        return
    if gone := [b for b in old.blocks if b not in new.index]:
        yield Difference(f"{names_text(gone)} {_are(gone)} gone.")
    if made := [b for b in new.blocks if b not in old.index]:
        found = tuple([Fact("reachable", b) for b in made if b in new.reachable])
        how = f": {reachability(changed.after.known, made[0]).reason}" if len(made) == 1 else "."
        yield Difference(f"{names_text(made)} {_are(made)} new{how}", added=found)
    if old.entry != new.entry:
        yield Difference(f"Every run starts at {new.entry} now.")


def _groups(changed: Comparison, kinds: list[Kind]) -> list[Group]:
    """Return what belongs together among the changes of kinds that are told together, if any.

    That a block is gone or cut off says all about what was known of it; so does that a block is new about its being
    reached, and its first immediate dominator.
    """
    reachable = changed.after.func.cfg.reachable
    removed = [f for kind in kinds for f in changed.removed(kind) if f.block in reachable]
    added = [f for kind in kinds for f in changed.added(kind)]
    if kinds == ["dominator"]:
        return _new_dominators(changed, removed, added)
    if kinds == ["reachable"]:
        here = changed.after.func.cfg.index
        cut_off = tuple([f for f in changed.removed("reachable") if f.block in here])
        joined = tuple([f for f in added if changed.was_there(f.block)])
        came, went = [joined] if joined else [], [cut_off] if cut_off else []
    elif set(kinds) <= set(FLAVOUR_OF):
        came, went = _phis(added), _phis(removed)
    else:
        # The frontiers a block is in; the blocks where a variable is live; a loop's blocks; critical edges to a block.
        key: Callable[[Fact], str] = _block if kinds == ["frontier"] else _about
        came, went = _grouped(added, key), _grouped(removed, key)
    tell_came = [Group(changed, kinds, added=found) for found in came]
    tell_went = [Group(changed, kinds, removed=found) for found in went]
    return [*tell_went, *tell_came] if kinds == ["reachable"] else [*tell_came, *tell_went]


def _phis(found: list[Fact]) -> list[tuple[Fact, ...]]:
    """Group phis by variable and by the flavours that have them; those of most flavours first, the strictest flavour last."""
    flavours: dict[tuple[str, str], list[Kind]] = {}
    for f in found:
        flavours.setdefault((f.about, f.block), []).append(f.kind)
    groups: dict[tuple[str, tuple[Kind, ...]], list[Fact]] = {}
    for f in found:
        groups.setdefault((f.about, tuple(flavours[f.about, f.block])), []).append(f)
    return [tuple(groups[key]) for key in sorted(groups, key=lambda key: -len(key[1]))]


def _new_dominators(changed: Comparison, removed: list[Fact], added: list[Fact]) -> list[Group]:
    """Group the blocks that have another immediate dominator: by the one they lost, the others by the one they gained."""
    now = {f.block: f for f in added}
    lost = _grouped([f for f in removed if f.block in now and _lost(changed, f)], _about)
    kept = {f.block: f for f in removed if f.block in now and not _lost(changed, f)}
    gained = _grouped([now[b] for b in kept], _about)
    told = [(tuple([now[f.block] for f in found]), found) for found in lost]
    told += [(found, tuple([kept[f.block] for f in found])) for found in gained]
    return [Group(changed, ["dominator"], came, went) for came, went in told]


def _lost(changed: Comparison, was: Fact) -> bool:
    """Say whether a former immediate dominator is still there and dominates the block no more."""
    tree = changed.after.known.tree
    return was.about in tree.cfg.index and not tree.dominates(was.about, was.block)


def _say_reachable(g: Group) -> str:
    names = [f.block for f in g.facts]
    verb = "can be reached now" if g.added else "can no longer be reached"
    return f"{names_text(names)} {verb}: {reachability(g.changed.after.known, names[0]).reason}"


def _say_dominator(g: Group) -> str:
    was, now = g.removed[0], g.added[0]
    after = g.changed.after
    others = [f.block for f in g.added[1:]]
    if _lost(g.changed, was):
        reason = dominance(after.known, was.about, was.block).reason
        more = f"Its immediate dominator is {now.about} now."
        if others:
            more = f"Nor does it dominate {names_text(others)}."
        return f"{was.about} no longer dominates {was.block}: {reason} {more}"
    before = f"it was {was.about}" if was.about in after.func.cfg.index else f"{was.about} is gone"
    more = f" It is that of {names_text(others)} too." if others else ""
    claim = f"{now.about} is the immediate dominator of {now.block} now ({before})"
    return f"{claim}: {after.why(now).reason}{more}"


def _say_phi(g: Group) -> str:
    first, after, variable = g.facts[0], g.changed.after, g.facts[0].about
    blocks = list(dict.fromkeys([f.block for f in g.facts]))
    met_before_and_after = g.changed.old_pairs("minimal phi") & after.pairs("minimal phi")
    if variable not in after.known.mention:
        reason = "nothing mentions it any more."
    elif (first.block, variable) in met_before_and_after:
        reason = after.why(first).reason  # what changed is whether anybody reads it
    else:
        reason = after.why(Fact("minimal phi", first.block, variable)).reason
    flavours = list(dict.fromkeys([f.kind for f in g.facts]))
    some = len(flavours) < len(g.asked)
    which = f"{' and '.join([FLAVOUR_OF[kind] for kind in flavours])} " if some else ""
    also = names_text(blocks[1:]) if len(blocks) > 1 else ""
    if g.added:
        more = f" So {'does one' if len(blocks) == 2 else 'do others'} at {also}." if also else ""
        return f"A {which}phi for {variable} appears at {first.block}: {reason}{more}"
    more = f" So {'is the one' if len(blocks) == 2 else 'are those'} at {also}." if also else ""
    return f"The {which}phi for {variable} at {first.block} is gone: {reason}{more}"


def _say_frontier(g: Group) -> str:
    first, owners = g.facts[0], [f.about for f in g.facts]
    reason = f"{first.about} is gone." if g.about_gone else g.changed.after.why(first).reason
    frontiers = f"the {'frontier' if len(owners) == 1 else 'frontiers'} of {names_text(owners)}"
    if g.added:
        return f"{first.block} is in {frontiers} now: {reason}"
    return f"{first.block} is no longer in {frontiers}: {reason}"


def _say_loop(g: Group) -> str:
    header, names = g.facts[0].about, [f.block for f in g.facts]
    heads = Fact("loop", header, header)
    asked = heads if heads in g.facts else g.facts[0]
    reason = f"{header} is gone." if g.about_gone else g.changed.after.why(asked).reason
    if heads in g.facts:
        return f"{header} {'heads a loop now' if g.added else 'heads no loop any more'}: {reason}"
    if g.added:
        return f"{names_text(names)} {_are(names)} in the loop of {header} now: {reason}"
    return f"{names_text(names)} {_are(names)} no longer in the loop of {header}: {reason}"


def _say_critical(g: Group) -> str:
    first, edges = g.facts[0], [f"{f.block} > {f.about}" for f in g.facts]
    reason = f"{first.about} is gone." if g.about_gone else g.changed.after.why(first).reason
    return (
        f"{names_text(edges)} {_are(edges)} {'critical now' if g.added else 'no longer critical'}: {reason}"
    )


def _say_live(g: Group) -> str:
    first, names = g.facts[0], [f.block for f in g.facts]
    mentioned = first.about in g.changed.after.func.names
    reason = g.changed.after.why(first).reason if mentioned else "nothing mentions it any more."
    where = f"at the top of {names_text(names)}"
    if g.added:
        return f"{first.about} is live {where} now: {reason}"
    return f"{first.about} is no longer live {where}: {reason}"


_SENTENCES: Final[dict[Kind, Callable[[Group], str]]] = {
    "reachable": _say_reachable,
    "dominator": _say_dominator,
    **dict.fromkeys(FLAVOUR_OF, _say_phi),
    "frontier": _say_frontier,
    "loop": _say_loop,
    "critical": _say_critical,
    "live": _say_live,
}


def _about(fact: Fact) -> str:
    return fact.about


def _block(fact: Fact) -> str:
    return fact.block


def _grouped(found: Iterable[Fact], key: Callable[[Fact], str]) -> list[tuple[Fact, ...]]:
    """Return facts in groups of one key each, in the order in which the keys are first met."""
    groups: dict[str, list[Fact]] = {}
    for fact in found:
        groups.setdefault(key(fact), []).append(fact)
    return [tuple(group) for group in groups.values()]


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
