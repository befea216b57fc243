"""Questions of chapter 01: control-flow graphs."""

from __future__ import annotations

from ssawidgets.analysis import dominators
from ssawidgets.analysis.depth_first import depth_first_tree
from ssawidgets.explain import why_dominates, why_reachable
from ssawidgets.ir import Cfg, cfg, parse
from ssawidgets.ssa import critical_edges
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, six_blocks

LEADER = "a block ends only where the text jumps"
REACHED = "a block with an edge out of it belongs to the program's runs"
LISTED = "reverse postorder is the order in which the search comes to the blocks"
BACK = "every edge that closes a cycle is a back edge"
CRITICAL = "an edge is critical when one of its ends branches or joins"


@asked("01-blocks", under="Basic blocks", doubt=LEADER)
def blocks() -> Choice:
    """Ask how many basic blocks a loop makes of straight-line text."""
    func = parse("""
    func f(n):
    start:
      s = 0
    again:
      s = s + n
      n = n - 1
      c = n > 0
      if c goto again else done
    done:
      return s
    """)
    count = len(func.blocks)
    leads = ", ".join(f"{src} > {dst}" for src, dst in func.cfg.edges)
    picture = Evidence(f"{count} blocks: a label that is jumped to starts one. The edges are {leads}.", func)
    return Choice(
        "A function sets `s = 0`. Three instructions follow; after them it jumps back to the first of the three if "
        "`n > 0`, and returns otherwise. How many basic blocks has it?",
        (
            claim("1", count == 1, "A jump into the middle of the text needs a block that starts there.", picture, "text without a jump in it is one block"),
            claim("2", count == 2, "The jump does end a block, and so does the place it leads to: it comes back to the middle.", picture, LEADER),
            claim("3", count == 3, "One before the place that is jumped to, one from there to the jump, one after it.", picture),
            claim("6", count == 6, "Instructions that always run one after the other share a block.", picture, "every instruction is a block"),
        ),
    )  # fmt: skip


@asked("01-reached", under="What can be reached", doubt=REACHED)
def reached() -> Prediction:
    """Ask which blocks no run comes to."""
    g = cfg("0>1 1>2 2>1 2>3 4>3 5>4 4>5")
    return Prediction(
        "The entry is 0. Which blocks does no run ever come to?",
        g,
        "blocks",
        lambda g: [b for b in g.blocks if b not in g.reachable],
        lambda b: why_reachable(g, b),
        lambda b: (
            REACHED
            if b in ("4", "5")
            else "what an unreachable block leads to is unreachable"
            if b == "3"
            else ""
        ),
    )


def preorder(g: Cfg) -> list[str]:
    """Return the reachable blocks in the order in which a depth-first search comes to them."""
    return [g.blocks[i] for i in depth_first_tree(g)[0]]


@asked("01-rpo", under="Reverse postorder", doubt=LISTED)
def rpo() -> Choice:
    """Ask for reverse postorder where it is not the order of the visit."""
    g = cfg("0>1 0>2 1>3 3>4 2>4")
    right = list(g.reverse_postorder)
    lists = {
        "visited": preorder(g),
        "left": list(reversed(right)),
        "reverse": right,
        "breadth": ["0", "1", "2", "3", "4"],
    }

    def numbered(order: list[str]) -> Evidence:
        badges = {b: f"{n}." for n, b in enumerate(order, 1)}
        late = [f"{a} > {b}" for a, b in g.edges if order.index(a) > order.index(b)]
        text = (
            f"Against the order lead: {', '.join(late)}."
            if late
            else "Every edge leads onwards in this order."
        )
        return Evidence(text, g, {"badges": badges})

    said = {
        "visited": ("That is preorder, the order of coming to a block. 4 then stands before 2, which leads to it.", LISTED),
        "left": ("That is postorder, the order in which the search is done with a block; turn it round.", "reverse postorder is postorder"),
        "reverse": ("The search is done with 4 first and with 0 last; turned round, every edge of this graph leads onwards.", ""),
        "breadth": ("That is the order of a breadth-first search. It happens to respect the edges here, but a depth-first search is done with 2 last but one.", "any order along the edges is reverse postorder of this search"),
    }  # fmt: skip
    return Choice(
        "A depth-first search takes successors in order: 1 before 2. Which list is its reverse postorder?",
        tuple(
            [
                claim(" ".join(order), order == right, said[name][0], numbered(order), said[name][1])
                for name, order in lists.items()
            ]
        ),
        g,
    )


@asked("01-back", under="Back edges and critical edges", doubt=BACK)
def back() -> Prediction:
    """Ask for back edges beside an edge into the middle of a cycle."""
    g = cfg("0>1 0>4 1>2 2>3 3>2 3>4 4>1 2>5")
    return Prediction(
        "An edge is a back edge when its target dominates its source. Which edges are back edges?",
        g,
        "edges",
        lambda g: [
            (src, i)
            for src in g.blocks
            for i, dst in enumerate(g.succs[src])
            if dominators(g).dominates(dst, src)
        ],
        lambda edge: why_dominates(g, g.succs[edge[0]][edge[1]], edge[0]),
        lambda edge: BACK if edge in (("3", 1), ("4", 0)) else "",
    )


@asked("01-critical", under="Critical edges", doubt=CRITICAL)
def critical() -> Prediction:
    """Ask for critical edges."""
    g = six_blocks().cfg

    def counted(edge: tuple[str, int]) -> Evidence:
        src, dst = edge[0], g.succs[edge[0]][edge[1]]
        out, into = len(g.succs[src]), len(g.preds[dst])
        so = "So the edge is critical" if edge in critical_edges(g) else "So the edge is not critical"
        text = f"Ways out of block {src}: {out}. Ways into block {dst}: {into}. {so}."
        return Evidence(text, g, {"edges": {edge: "path"}, "marks": {src: "path", dst: "path"}})

    return Prediction(
        "An edge is critical when its source has several ways out and its target several ways in. Which edges are?",
        g,
        "edges",
        lambda g: critical_edges(g),
        counted,
        lambda edge: CRITICAL,
    )
