"""What every layout must satisfy, as a function that lists what is wrong with one."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from ssawidgets.drawing.layout import Box, Layout
from ssawidgets.ir.cfg import Cfg

Point = tuple[float, float]


def layout_errors(cfg: Cfg, picture: Layout) -> list[str]:
    """Return a sentence for each rule that a layout breaks."""
    return [
        *_incomplete(cfg, picture),
        *_overlapping_boxes(picture),
        *_misplaced_ends(picture),
        *_edges_through_boxes(picture),
        *_edges_on_edges(picture),
        *_edges_close_together(picture),
        *_shared_ports(picture),
        *_outside(picture),
    ]


def _incomplete(cfg: Cfg, picture: Layout) -> list[str]:
    errors = []
    if list(picture.boxes) != list(cfg.blocks):
        errors.append("boxes are not the blocks in order")
    edges = [
        (cfg.blocks[u], i, cfg.blocks[v]) for u, row in enumerate(cfg.succ_ids) for i, v in enumerate(row)
    ]
    if [(r.src, r.index, r.dst) for r in picture.routes] != edges:
        errors.append("routes are not the edges in order")
    top = picture.boxes[cfg.entry].y
    if any(box.y < top for box in picture.boxes.values()):
        errors.append("a block stands above the entry")
    for r in picture.routes:
        if r.back != (picture.boxes[r.dst].y <= picture.boxes[r.src].y):
            errors.append(f"{r.src}>{r.dst} says back={r.back}")
    return errors


def _overlapping_boxes(picture: Layout) -> list[str]:
    boxes = sorted(picture.boxes.items(), key=lambda item: item[1].y)
    errors = []
    for i, (a, p) in enumerate(boxes):
        for b, q in boxes[i + 1 :]:
            if q.y >= p.y + p.height:
                break
            if p.x < q.x + q.width and q.x < p.x + p.width:
                errors.append(f"{a} and {b} overlap")
    return errors


def _misplaced_ends(picture: Layout) -> list[str]:
    errors = []
    for r in picture.routes:
        src, dst = picture.boxes[r.src], picture.boxes[r.dst]
        (x0, y0), (x1, y1) = r.points[0], r.points[-1]
        if y0 != src.y + src.height or not src.x < x0 < src.x + src.width:
            errors.append(f"{r.src}>{r.dst} does not leave the bottom of its source")
        if y1 != dst.y or not dst.x < x1 < dst.x + dst.width:
            errors.append(f"{r.src}>{r.dst} does not enter the top of its target")
        for (ax, ay), (bx, by) in _segments(r.points):
            if (ax == bx) == (ay == by):
                errors.append(f"{r.src}>{r.dst} has a piece that is slanted or empty: {(ax, ay)} {(bx, by)}")
        if r.points[1][1] <= y0 or r.points[-2][1] >= y1:
            errors.append(f"{r.src}>{r.dst} does not leave or enter downward")
    return errors


def _segments(points: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(pairwise(points))


def _edges_through_boxes(picture: Layout) -> list[str]:
    """Find edges that run through a box, or closer than 8 px past one that is not their own."""
    # Boxes sorted into strips of 100 px, so that big pictures are checked fast enough.
    strips: dict[int, list[tuple[str, Box]]] = defaultdict(list)
    for name, box in picture.boxes.items():
        for strip in range(int(box.y // 100), int((box.y + box.height) // 100) + 1):
            strips[strip].append((name, box))
    errors = []
    for r in picture.routes:
        for (ax, ay), (bx, by) in _segments(r.points):
            left, right, top, bottom = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
            for strip in range(int(top // 100), int(bottom // 100) + 1):
                for name, box in strips[strip]:
                    # Touching the bottom of the source and the top of the target is where edges end.
                    gap = 0.0 if name in (r.src, r.dst) else 8.0
                    beside = left >= box.x + box.width + gap or right <= box.x - gap
                    if not beside and top < box.y + box.height and bottom > box.y:
                        errors.append(f"{r.src}>{r.dst} runs through {name}")
    return errors


def _edges_on_edges(picture: Layout) -> list[str]:
    """Find pieces of different edges on one line: allowed only for edges from different blocks to one target."""
    lines: dict[tuple[str, float], list[tuple[float, float, int]]] = defaultdict(list)
    for i, r in enumerate(picture.routes):
        for (ax, ay), (bx, by) in _segments(r.points):
            if ax == bx:
                lines["x", ax].append((min(ay, by), max(ay, by), i))
            else:
                lines["y", ay].append((min(ax, bx), max(ax, bx), i))
    errors = []
    for (axis, at), pieces in lines.items():
        pieces.sort()
        for k, (_, end, i) in enumerate(pieces):
            for start, _, j in pieces[k + 1 :]:
                if start >= end:
                    break
                a, b = picture.routes[i], picture.routes[j]
                if i != j and (a.dst != b.dst or a.src == b.src):
                    errors.append(
                        f"{a.src}>{a.dst} and {b.src}>{b.dst} run on top of each other at {axis}={at}"
                    )
    return errors


def _edges_close_together(picture: Layout) -> list[str]:
    """Find vertical pieces of different edges, neither to one target nor at one box, less than 3 px apart."""
    pieces = sorted(
        (ax, min(ay, by), max(ay, by), i)
        for i, r in enumerate(picture.routes)
        for (ax, ay), (bx, by) in _segments(r.points)
        if ax == bx
    )
    errors = []
    for k, (x, top, bottom, i) in enumerate(pieces):
        for y, other_top, other_bottom, j in pieces[k + 1 :]:
            if y - x >= 3:
                break
            a, b = picture.routes[i], picture.routes[j]
            if i != j and a.dst != b.dst and a.src != b.src and top < other_bottom and other_top < bottom:
                errors.append(f"{a.src}>{a.dst} and {b.src}>{b.dst} run less than 3 px apart at x={x}")
    return errors


def _shared_ports(picture: Layout) -> list[str]:
    ends: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for r in picture.routes:
        ends[r.src, False].append(r.points[0][0])
        ends[r.dst, True].append(r.points[-1][0])
    errors = []
    for (block, arrives), xs in ends.items():
        xs.sort()
        # Four px are enough to tell arrowheads apart; a box full of ports gives each its share.
        least = min(4.0, picture.boxes[block].width / 4 / len(xs))
        if any(b - a < least for a, b in pairwise(xs)):
            errors.append(f"edges meet at the {'top' if arrives else 'bottom'} of {block}: {xs}")
    return errors


def _outside(picture: Layout) -> list[str]:
    xs = [x for r in picture.routes for x, _ in r.points]
    ys = [y for r in picture.routes for _, y in r.points]
    for box in picture.boxes.values():
        xs += [box.x, box.x + box.width]
        ys += [box.y, box.y + box.height]
    if min(xs) <= 0 or min(ys) <= 0 or max(xs) >= picture.width or max(ys) >= picture.height:
        return ["something lies outside of the drawing, or at its very edge"]
    return []
