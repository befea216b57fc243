"""Dominators and their frontiers beside networkx, rustworkx (Rust) and igraph (C).

    python bench/dominators.py [--quick]

Ours get the graph with its lists of predecessors, as peers get theirs built. networkx sweeps as Cooper, Harvey and Kennedy do, and
so does rustworkx; igraph has Lengauer-Tarjan and no frontiers. Where a peer is quadratic, only its smaller sizes are run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from _harness import Contender, Report, duration, race, ratio, slope, times

import ssawidgets as sw
from ssawidgets.ir import Cfg
from ssawidgets.ir.scaled_graphs import FAMILIES

SHAPES = ("structured", "diamonds", "gotos", "far_gotos")
HARD = ("nested_repeat", "line_both_ways", "iteration_worst", "crossing_ladders", "backward_line", "two_fans")


class Peers:
    """The peers that are installed, and a graph as each wants it."""

    def __init__(self, report: Report) -> None:
        self.networkx = report.peer("networkx")
        self.rustworkx = report.peer("rustworkx")
        self.igraph = report.peer("igraph")

    def dominators(self, cfg: Cfg) -> dict[str, Contender | None]:
        """Return what computes immediate dominators with each peer."""
        nx, rx, ig = self.networkx, self.rustworkx, self.igraph
        graph = self._graphs(cfg)
        return {
            "networkx": nx and (lambda: nx.immediate_dominators(graph["networkx"], 0)),
            "rustworkx": rx and (lambda: rx.immediate_dominators(graph["rustworkx"], 0)),
            "igraph": ig and (lambda: graph["igraph"].dominator(0)),
        }

    def frontiers(self, cfg: Cfg) -> dict[str, Contender | None]:
        """Return what computes all dominance frontiers with each peer that has them."""
        nx, rx = self.networkx, self.rustworkx
        graph = self._graphs(cfg)
        return {
            "networkx": nx and (lambda: nx.dominance_frontiers(graph["networkx"], 0)),
            "rustworkx": rx and (lambda: rx.dominance_frontiers(graph["rustworkx"], 0)),
        }

    def _graphs(self, cfg: Cfg) -> dict[str, Any]:
        edges = [(a, b) for a, row in enumerate(cfg.succ_ids) for b in row]
        made: dict[str, Any] = {}
        if self.networkx:
            made["networkx"] = self.networkx.DiGraph(edges)
        if self.rustworkx:
            made["rustworkx"] = graph = self.rustworkx.PyDiGraph()
            graph.add_nodes_from(range(len(cfg)))
            graph.add_edges_from_no_data(edges)
        if self.igraph:
            made["igraph"] = self.igraph.Graph(n=len(cfg), edges=edges, directed=True)
        return made


def ours(cfg: Cfg) -> Callable[[], object]:
    """Return what computes our dominator tree of a graph that has its predecessors listed."""
    assert cfg.pred_ids
    return lambda: sw.dominators(cfg)


def shapes(report: Report, peers: Peers, sizes: list[int]) -> None:
    """Programs of every shape: goals on ratios."""
    header = ["", "ours", "networkx", "rustworkx", "igraph", "/ networkx", "/ rustworkx", "/ igraph"]
    rows, goals = [], []
    for family in SHAPES:
        growth = []
        for n in sizes:
            cfg = FAMILIES[family](n)
            medians = race({"ours": ours(cfg), **peers.dominators(cfg)})
            growth.append(medians["ours"])
            ratios = {p: ratio(medians, p) for p in ("networkx", "rustworkx", "igraph")}
            rows.append(
                [
                    f"{family} {n:,}",
                    *(duration(medians.get(c)) for c in header[1:5]),
                    *map(times, ratios.values()),
                ]
            )
            wanted = (
                {"networkx": 5.0}
                if "gotos" in family
                else {"networkx": 12.0, "rustworkx": 1.5, "igraph": 1.7}
            )
            goals += [
                (f"{family} {n:,}: times faster than {p}", ratios[p], goal) for p, goal in wanted.items()
            ]
        rows.append([f"{family}: slope", f"{slope(sizes, growth):.2f}", *[""] * 6])
    report.table("Dominators, shapes of programs", header, rows)
    for goal in goals:
        report.at_least(*goal)


def hard(report: Report, peers: Peers, sizes: list[int]) -> None:
    """Families made to be hard: goals on how time grows."""
    rows, goals = [], []
    for family in HARD:
        edges, growth = [], []
        for n in sizes:
            n = min(n, 4_000) if family == "iteration_worst" else n  # a million edges
            if n in edges:
                continue
            cfg = FAMILIES[family](n)
            size = len(cfg) + len(cfg.edges)
            if size in edges:
                continue
            theirs = peers.dominators(cfg) if n <= 1_000 else {}
            medians = race({"ours": ours(cfg), **theirs}, rounds=9 if n < 100_000 else 5)
            edges.append(size)
            growth.append(medians["ours"])
            shown = [duration(medians.get(c)) for c in ("ours", "networkx", "rustworkx", "igraph")]
            rows.append([f"{family} {n:,}", f"{len(cfg.edges):,}", *shown])
            if family == "line_both_ways" and n == 1_000:
                report.at_least(
                    "line_both_ways 1,000: times faster than networkx", ratio(medians, "networkx"), 300
                )
        goals.append((f"{family}: slope, on blocks and edges", slope(edges, growth), 1.2))
    report.table(
        "Dominators, made to be hard", ["", "edges", "ours", "networkx", "rustworkx", "igraph"], rows
    )
    for goal in goals:
        report.at_most(*goal)


def frontiers(report: Report, peers: Peers, sizes: list[int]) -> None:
    """Dominators with all frontiers, every set made, and the lazy mapping on loops in each other."""
    header = ["", "ours", "networkx", "rustworkx", "/ networkx", "/ rustworkx"]
    rows, goals = [], []

    def all_sets(cfg: Cfg) -> Callable[[], object]:
        assert cfg.pred_ids
        return lambda: dict(sw.dominance_frontiers(cfg).items())

    for family in SHAPES:
        for n in sizes:
            cfg = FAMILIES[family](n)
            medians = race({"ours": all_sets(cfg), **peers.frontiers(cfg)})
            ratios = {p: ratio(medians, p) for p in ("networkx", "rustworkx")}
            rows.append(
                [
                    f"{family} {n:,}",
                    *(duration(medians.get(c)) for c in header[1:4]),
                    *map(times, ratios.values()),
                ]
            )
            if family == "structured":
                goals += [
                    (f"all frontiers, {family} {n:,}: times faster than {p}", ratios[p], goal)
                    for p, goal in (("networkx", 8.0), ("rustworkx", 1.3))
                ]

    nest = FAMILIES["nested_repeat"](6_000)
    some = [nest.blocks[b] for b in (1, 2_999, 5_998)]

    def three_sets() -> object:
        mapping = sw.dominance_frontiers(nest)
        return [mapping[b] for b in some]

    medians = race({"ours": three_sets, "all": all_sets(nest), **peers.frontiers(nest)}, rounds=3)
    for ours_is, name, goal in (("ours", "three sets asked for", 100.0), ("all", "all sets", 2.0)):
        ratios = {p: ratio(medians, p, ours_is) for p in ("networkx", "rustworkx")}
        shown = [duration(medians.get(c)) for c in (ours_is, "networkx", "rustworkx")]
        rows.append([f"nested_repeat 6,000, {name}", *shown, *map(times, ratios.values())])
        for p in ("networkx", "rustworkx") if ours_is == "ours" else ("networkx",):
            goals.append((f"frontiers, nested_repeat 6,000, {name}: times faster than {p}", ratios[p], goal))
    report.table("Dominators and frontiers, every set made", header, rows)
    for goal_line in goals:
        report.at_least(*goal_line)


def main() -> int:
    """Print all tables."""
    report = Report(__doc__)
    peers = Peers(report)
    sizes = [1_000, 10_000] if report.quick else [1_000, 10_000, 100_000]
    shapes(report, peers, sizes)
    hard(report, peers, sizes)
    frontiers(report, peers, sizes[:2])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
