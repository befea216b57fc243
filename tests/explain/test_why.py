"""Every answer to "why?" is true, and its witness bears it out: checked from the definitions, on small and on random programs.

Questions about one graph are put to one `Known`, as the public functions do for a single question.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.explain import Path, Site, Why
from ssawidgets.explain.critical import critical
from ssawidgets.explain.dominance import dominance, immediate_dominance
from ssawidgets.explain.frontiers import frontier
from ssawidgets.explain.known import Known
from ssawidgets.explain.reachability import in_loop, reachability
from ssawidgets.explain.reaches import reaches
from ssawidgets.ir import Cfg, Func
from ssawidgets.ir.families import all_cfgs, random_cfg
from tests.explain.definitions import (
    START,
    brute_force,
    definitions,
    distance,
    frontiers,
    happenings,
    live_in,
    meeting_pairs,
    minimal,
    reached,
)
from tests.programs import random_programs

SMALL = [g for n in (1, 2, 3) for g in all_cfgs(n)]


def graphs() -> list[Cfg]:
    """Every graph of up to three blocks, every ninth of four, and 150 random ones, some with unreachable blocks."""
    rng = Random(71)
    return [*SMALL, *list(all_cfgs(4))[::9], *[random_cfg(rng, 1 + rng.randrange(9)) for _ in range(150)]]


def check_path(g: Cfg, path: Path) -> None:
    """A path is one: each step an edge that is there, the number of the edge the right one."""
    assert len(path.edges) == len(path.blocks) - 1
    for (src, index), dst in zip(path.steps, path.blocks[1:], strict=True):
        assert g.succs[src][index] == dst
    assert path.shows


def check_cut_off(g: Cfg, why: Why, alive: set[str]) -> None:
    """All that leads to the block is listed, and the entry is not among it."""
    w = why.witness
    region = set(w.blocks)
    assert why.witness.block in region or w.other in region
    assert g.entry not in region and not region & alive
    assert {p for p, s in g.edges if s in region} <= region


def all_graphs() -> list[Cfg]:
    """Every graph of up to four blocks, and the random ones."""
    return [*SMALL, *all_cfgs(4), *graphs()[-150:]]


def pairs(g: Cfg) -> Iterator[tuple[str, str]]:
    return ((a, b) for a in g.blocks for b in g.blocks)


def test_dominance() -> None:
    for g in all_graphs():
        dom, known = brute_force(g), Known(g)
        for a, b in pairs(g):
            why = dominance(known, a, b)
            w = why.witness
            assert (w.block, w.other) == (b, a)
            assert why.holds == (b not in dom or a in dom[b]), (g, a, b)
            if b not in dom:
                check_cut_off(g, why, set(dom))
                assert why.text.startswith(f"{a} dominates {b}: ") and "vacuously" in why.text
            elif not why.holds:
                (path,) = w.paths
                check_path(g, path)
                assert path.blocks[0] == g.entry and path.blocks[-1] == b and a not in path.blocks
                assert len(path.edges) == distance(g, {g.entry}, {b}, {a})
            else:
                assert w.tree[0] == a and w.tree[-1] == b
                for up, down in zip(w.tree, w.tree[1:], strict=False):
                    assert dom[down] - {down} == dom[up]  # a step in the tree leaves nobody out
                if a != b:
                    assert set(w.blocks) == set(dom) - reached(g.succs, [g.entry], a) - {a}
                    assert b in w.blocks


def test_immediate_dominance() -> None:
    for g in graphs():
        dom, known = brute_force(g), Known(g)
        for a, b in pairs(g):
            why = immediate_dominance(known, a, b)
            is_it = b in dom and a in dom[b] and a != b and dom[a] == dom[b] - {b}
            assert why.holds == is_it, (g, a, b)
            if not why.holds:
                continue
            for path in why.witness.paths:
                check_path(g, path)
                assert path.blocks[0] == a and path.blocks[-1] == b
            if b in g.succs[a]:
                assert [p.blocks for p in why.witness.paths] == [(a, b)]
            else:
                one, other = [set(p.blocks[1:-1]) for p in why.witness.paths]
                assert not one & other


def test_frontiers() -> None:
    for g in all_graphs():
        dom, known = brute_force(g), Known(g)
        df = frontiers(g, dom)
        for d, j in pairs(g):
            why = frontier(known, d, j)
            w = why.witness
            assert (w.block, w.other) == (j, d)
            assert why.holds == (d in dom and j in df[d]), (g, d, j)
            preds = {p for p in g.preds[j] if p in dom}
            for path in w.paths:
                check_path(g, path)
            if why.holds:
                (link,) = w.chain
                assert (link.block, link.join) == (d, j)
                assert link.pred in preds and d in dom[link.pred]
                way = w.paths[0]
                assert way.blocks[0] == d and way.blocks[-2:] == (link.pred, j)
                assert all(d in dom[b] for b in way.blocks[:-1])
                assert len(way.edges) - 1 == distance(g, {d}, {p for p in preds if d in dom[p]})
                if d != j:
                    free = w.paths[1]
                    assert free.blocks[0] == g.entry and free.blocks[-1] == j and d not in free.blocks
                    assert len(free.edges) == distance(g, {g.entry}, {j}, {d})
            elif j not in dom or d not in dom:
                check_cut_off(g, why, set(dom))
            elif d in dom[j] and d != j:
                assert w.tree[0] == d and w.tree[-1] == j and j in w.blocks
            else:  # round every predecessor leads a path
                assert {p.blocks[-1] for p in w.paths} == preds
                assert all(p.blocks[0] == g.entry and d not in p.blocks for p in w.paths)


def test_reachability_and_loops() -> None:
    for g in graphs():
        dom, known = brute_force(g), Known(g)
        for b in g.blocks:
            why = reachability(known, b)
            assert why.holds == (b in dom)
            if why.holds:
                check_path(g, why.witness.paths[0])
                assert len(why.witness.paths[0].edges) == distance(g, {g.entry}, {b})
            else:
                check_cut_off(g, why, set(dom))
        for h, b in pairs(g):
            why = in_loop(known, h, b)
            latches = {p for p, s in g.edges if s == h and p in dom and h in dom[p]}
            member = bool(latches) and (b == h or (b in dom and bool(reached(g.succs, [b], h) & latches)))
            assert why.holds == member, (g, h, b)
            if why.holds:
                (trip,) = why.witness.paths
                check_path(g, trip)
                assert trip.blocks[0] == trip.blocks[-1] == h and b in trip.blocks
                assert trip.blocks[-2] in latches and h not in trip.blocks[1:-1]


# Phis and live names.


def variables_on(g: Cfg, rng: Random) -> Func:
    """A sketch over a graph: x, y defined and read here and there, y in one block at most."""
    share = rng.choice([0.2, 0.4, 0.7])
    return sw.sketch(
        g,
        defs={
            "x": [b for b in g.blocks if rng.random() < share],
            "y": [b for b in g.blocks if rng.random() < 0.5][:1],
        },
        uses={b: [v for v in "xy" if rng.random() < 0.35] for b in g.blocks},
    )


def small_funcs() -> list[Func]:
    rng = Random(72)
    return [variables_on(g, rng) for g in graphs()]


def random_funcs() -> list[Func]:
    """Random programs with parameters, edges' arguments aside, and some in SSA form, with block parameters."""
    plain = random_programs(73, 60, most_blocks=8, variables=3)
    return [*plain, *[sw.to_ssa(f) for f in plain[::3]]]


def check_definition(func: Func, site: Site) -> None:
    """A site is the last definition in its block, the one whose value leaves it."""
    assert site.block is not None
    writes = [i for kind, i, _ in happenings(func.block(site.block), site.name) if kind == "write"]
    assert writes[-1] == site.index and site.kind == "definition"


def check_live_path(func: Func, name: str, block: str, path: Path, site: Site) -> None:
    """A path from the top of a block to the first thing done with a name, a read; and a shortest one."""
    check_path(func.cfg, path)
    assert path.blocks[0] == block and path.blocks[-1] == site.block
    assert all(not happenings(func.block(b), name) for b in path.blocks[:-1])
    assert happenings(func.block(path.blocks[-1]), name)[0] == ("read", site.index, site.edge)
    reads = {b.name for b in func.blocks if (happenings(b, name) or [("", 0, 0)])[0][0] == "read"}
    writes = {b.name for b in func.blocks if (happenings(b, name) or [("", 0, 0)])[0][0] == "write"}
    assert len(path.edges) == distance(func.cfg, {block}, reads, writes)


@pytest.mark.parametrize("funcs", [small_funcs, random_funcs])
def test_live_names(funcs) -> None:
    live = 0
    for func in funcs():
        alive = reached(func.cfg.succs, [func.entry])
        for name in sorted(func.names):
            wanted = live_in(func, name)
            for block in func.cfg.blocks:
                why = sw.why_live(func, name, block)
                w = why.witness
                assert why.holds == (block in wanted), (str(func), name, block)
                if why.holds:
                    live += 1
                    check_live_path(func, name, block, w.paths[0], w.sites[0])
                elif block not in alive:
                    check_cut_off(func.cfg, why, alive)
                else:
                    # Walking on from the block one stays inside, and each block either says nothing or writes first.
                    stops = {s.block: s for s in w.sites}
                    assert block in w.blocks
                    for b in w.blocks:
                        does = happenings(func.block(b), name)
                        assert (b in stops) == bool(does)
                        if does:
                            assert does[0] == ("write", stops[b].index, None)
                        else:
                            assert set(func.cfg.succs[b]) <= set(w.blocks)
                at_end = sw.why_live(func, name, block, at="end")
                passed = any(name in t.args for t in func.block(block).term.targets)
                follows = {s for s in func.cfg.succs[block]} & wanted
                assert at_end.holds == (block in alive and (passed or bool(follows)))
                if at_end.holds and not passed:
                    first, *rest = at_end.witness.paths[0].blocks
                    assert first == block
                    path = at_end.witness.paths[0]
                    check_live_path(
                        func,
                        name,
                        rest[0],
                        Path(tuple(rest), path.edges[1:], path.shows),
                        at_end.witness.sites[0],
                    )
    assert live > 200


@pytest.mark.parametrize("funcs", [small_funcs, random_funcs])
def test_phis(funcs) -> None:
    told = {"minimal": 0, "none": 0, "long chain": 0, "from the start": 0, "at the entry": 0}
    for func in funcs():
        g = func.cfg
        dom = brute_force(g)
        df = frontiers(g, dom)
        places = {f: sw.place_phis(func, f) for f in ("minimal", "semi-pruned", "pruned")}
        for name in sorted(func.names):
            defs = definitions(func, name)
            if funcs is small_funcs:
                assert places["minimal"][name] == minimal(g, defs)
            for block in g.blocks:
                for flavour, placed in places.items():
                    why = sw.why_phi(func, name, block, flavour)
                    assert why.holds == (block in placed[name]), (str(func), name, block, flavour)
                    assert why.witness.block == block
                why = sw.why_phi(func, name, block)
                w = why.witness
                if why.holds:
                    told["minimal"] += 1
                    told["from the start"] += w.sites[0].block is None
                    told["at the entry"] += block == g.entry
                    told["long chain"] += len(w.chain) > 1
                    check_meeting(func, name, block, defs, why)
                    check_chain(block, defs, df, dom, g, why)
                elif block not in dom:
                    check_cut_off(g, why, set(dom))
                elif defs:
                    told["none"] += 1
                    # All that leads to the block round its immediate dominator: closed under predecessors, without a definition.
                    inside, through = set(w.blocks), w.other
                    preds = {p for p in g.preds[block] if p in dom}
                    assert inside >= preds - {through}
                    assert all({p for p in g.preds[b] if p in dom} <= inside | {through} for b in inside)
                    assert not inside & defs
                    assert (through is None) == (block == g.entry)
                    assert through is None or dom[through] == dom[block] - {block}
    assert all(count >= 10 for kind, count in told.items() if kind != "at the entry"), told
    assert funcs is random_funcs or told["at the entry"] >= 10


def check_meeting(func: Func, name: str, block: str, defs: set[str], why: Why) -> None:
    """Two paths from two definitions have only their end in common, and no pair is shorter together."""
    g, w = func.cfg, why.witness
    starts = []
    paths = []
    for path, site in zip(w.paths, w.sites, strict=True):
        check_path(g, path)
        assert path.blocks[-1] == block
        if site.block is None:
            assert path.blocks[0] == g.entry
            starts.append(START)
            paths.append((START, *path.blocks))
        else:
            check_definition(func, site)
            assert path.blocks[0] == site.block and site.block in defs and len(path.blocks) > 1
            starts.append(site.block)
            paths.append(path.blocks)
    assert starts[0] != starts[1]
    assert not set(paths[0][:-1]) & set(paths[1][:-1])
    shortest = min(len(p) + len(q) for p, q in meeting_pairs(g, defs, block))
    assert len(paths[0]) + len(paths[1]) == shortest


def check_chain(
    block: str, defs: set[str], df: dict[str, set[str]], dom: dict[str, set[str]], g: Cfg, why: Why
) -> None:
    """Links from a definition to the block, each a true membership in a frontier, and no chain is shorter."""
    chain = why.witness.chain
    assert chain[0].block in defs and chain[-1].join == block
    assert all(a.join == b.block for a, b in pairwise(chain))
    for link in chain:
        assert link.join in df[link.block]
        assert link.pred in g.preds[link.join] and link.block in dom[link.pred]
    level, steps = set(defs), 0
    while True:
        level = {j for d in level for j in df[d]}
        steps += 1
        if block in level:
            break
    assert len(chain) == steps


@pytest.mark.parametrize("funcs", [small_funcs, random_funcs])
def test_what_flavours_keep_and_drop(funcs) -> None:
    told = dict.fromkeys(["kept", "semi-pruned drops", "pruned drops", "none"], 0)
    for func in funcs():
        alive = reached(func.cfg.succs, [func.entry])
        first = {b.name: b for b in func.blocks if b.name in alive}
        places = {f: sw.place_phis(func, f) for f in ("minimal", "semi-pruned", "pruned")}
        for name in sorted(func.names):
            wanted = live_in(func, name)
            for block in func.cfg.blocks:
                why = sw.why_dropped(func, name, block)
                needed = block in places["minimal"][name]
                assert why.holds == (needed and block not in places["pruned"][name])
                if not needed:
                    told["none"] += 1
                    assert why.text == sw.why_phi(func, name, block).text
                    continue
                pruned, semi = (sw.why_phi(func, name, block, f) for f in ("pruned", "semi-pruned"))
                if not why.holds:
                    told["kept"] += 1
                    assert block in wanted
                    check_live_path(func, name, block, why.witness.paths[0], why.witness.sites[0])
                    check_live_path(func, name, block, pruned.witness.paths[2], pruned.witness.sites[2])
                if semi.holds:
                    assert why.text.startswith(("Pruned drops", "Pruned keeps"))
                    told["pruned drops"] += why.holds
                    read = semi.witness.sites[2]
                    does = happenings(first[str(read.block)], name)
                    assert does[0] == ("read", read.index, read.edge)
                else:
                    told["semi-pruned drops"] += 1
                    assert why.text.startswith("Semi-pruned drops")
                    # Every block that reads the name is listed, with the write before the read.
                    read_at_all = any(d[0] == "read" for b in first.values() for d in happenings(b, name))
                    if not read_at_all:
                        assert semi.reason == f"nothing reads {name}."
                        assert semi.witness.sites == sw.why_phi(func, name, block).witness.sites
                        continue
                    sites = {s.block: [] for s in semi.witness.sites}
                    for s in semi.witness.sites:
                        sites[s.block].append((s.kind, s.index))
                    for b in first.values():
                        does = happenings(b, name)
                        reads = [d for d in does if d[0] == "read"]
                        assert (b.name in sites) == bool(reads)
                        if reads:
                            assert does[0][0] == "write"
                            assert sites[b.name] == [("definition", does[0][1]), ("use", reads[0][1])]
    assert all(count > 20 for count in told.values()), told


def test_critical_edges() -> None:
    held = 0
    for g in graphs()[::3]:
        known = Known(g)
        alive = reached(g.succs, [g.entry])
        for src in g.blocks:
            for dst in g.blocks:
                why = critical(known, src, dst)
                w = why.witness
                ways_in = [
                    (p, i) for p in g.blocks if p in alive for i, s in enumerate(g.succs[p]) if s == dst
                ]
                start = dst == g.entry
                wanted = dst in g.succs[src] and src in alive and len(g.succs[src]) > 1
                wanted = wanted and len(ways_in) + start > 1
                assert why.holds == wanted, (g, src, dst)
                for path in w.paths:
                    check_path(g, path)
                if why.holds:
                    held += 1
                    assert len(w.paths) == (2 if len(ways_in) == 1 else 3)
                    edge, out, *into = [p.steps[0] for p in w.paths]
                    assert edge[0] == out[0] == src and out[1] != edge[1] and g.succs[src][edge[1]] == dst
                    assert all(way in ways_in and way != edge for way in into)
                elif src not in alive and dst in g.succs[src]:
                    check_cut_off(g, why, alive)
                elif dst in g.succs[src]:
                    assert w.paths[0].blocks == (src, dst)
    assert held > 100


@pytest.mark.parametrize("funcs", [small_funcs, random_funcs])
def test_what_reaches_what(funcs) -> None:
    held = 0
    for func in funcs()[::2]:
        known, g = Known(func), func.cfg
        alive = reached(g.succs, [g.entry])
        for name in sorted(func.names):
            does = {b.name: happenings(b, name) for b in func.blocks}
            writes = {b for b in does if any(kind == "write" for kind, _, _ in does[b])}
            places = [(b, *what) for b in does for what in does[b]]
            for d, _, index, _ in [p for p in places if p[1] == "write"]:
                for r, _, at, edge in [p for p in places if p[1] == "read"]:
                    definition, read = Site(name, "definition", d, index), Site(name, "use", r, at, edge)
                    why = reaches(known, definition, read)
                    w = why.witness
                    before = does[r][: does[r].index(("read", at, edge))]
                    local = [i for kind, i, _ in before if kind == "write"]
                    last = [i for kind, i, _ in does[d] if kind == "write"][-1]
                    far = None
                    if not local and last == index:
                        far = distance(g, set(g.succs[d]), {r}, writes - {r})
                    wanted = {d, r} <= alive and ((d == r and local[-1:] == [index]) or far is not None)
                    assert why.holds == wanted, (str(func), definition, read)
                    if why.holds:
                        held += 1
                        (path,) = w.paths
                        check_path(g, path)
                        assert w.sites == (definition, read)
                        assert (path.blocks[0], path.blocks[-1]) == (d, r)
                        assert len(path.edges) == (0 if local else far + 1)
                        assert not writes & set(path.blocks[1:-1])
                    elif not {d, r} <= alive:
                        check_cut_off(g, why, alive)
                    elif w.blocks:
                        # The value gets to these blocks and no further: each writes the name or leads to others of them.
                        stops = {s.block for s in w.sites[1:-1]}
                        assert set(g.succs[d]) <= set(w.blocks) and stops == writes & set(w.blocks)
                        assert r not in w.blocks
                        assert all(set(g.succs[b]) <= set(w.blocks) for b in set(w.blocks) - stops)
                    else:
                        assert (
                            any(s.kind == "definition" and s != definition for s in w.sites) or not g.succs[d]
                        )
    assert held > 100
