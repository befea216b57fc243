"""Layout of control-flow graphs: boxes in layers, orthogonal edges, stable under edits.

The picture is made in steps, each a module of its own that works on block numbers:

    order      depth-first forest, dominators, natural loops
    layers     the row of each block
    edges      which edges go up, which need a lane
    placement  x of blocks and lanes: a tidy tree over the dominator forest
                 (arms: what stands side by side; joins: what comes beneath; lanes: strips of long
                 edges; contour: outlines; work: what these share)
    ports      where edges leave and enter boxes
    channels   horizontal pieces between the layers
    rows       y of layers and tracks

Here they are called one after the other, and numbers become names again. The same graph, sizes included, gives the
same layout whatever its blocks are called.

General graph drawing (Sugiyama's method, as in Graphviz dot) knows nothing of loops and branches and moves
half of the picture when one edge is added. Here a block's place follows from the structure of the program.
"""

from __future__ import annotations

from collections.abc import Mapping

from ssawidgets.drawing.layout.channels import route_channels
from ssawidgets.drawing.layout.edges import list_edges
from ssawidgets.drawing.layout.layers import assign_layers
from ssawidgets.drawing.layout.model import MARGIN, Box, Layout, Route
from ssawidgets.drawing.layout.order import order_blocks
from ssawidgets.drawing.layout.placement import place
from ssawidgets.drawing.layout.ports import choose_ports
from ssawidgets.drawing.layout.rows import stack_rows
from ssawidgets.ir.cfg import Cfg

__all__ = ["Box", "Layout", "Route", "layout"]


def layout(cfg: Cfg, sizes: Mapping[str, tuple[float, float]]) -> Layout:
    """Lay out a graph whose blocks have the given widths and heights, in px.

    >>> from ssawidgets.ir.cfg import cfg
    >>> picture = layout(cfg("0>1 0>2"), {"0": (60, 30), "1": (60, 30), "2": (60, 30)})
    >>> [(box.x, box.y) for box in picture.boxes.values()]
    [(56.0, 12.0), (12.0, 86.0), (100.0, 86.0)]
    """
    succs = cfg.succ_ids
    width = [float(sizes[name][0]) for name in cfg.blocks]
    height = [float(sizes[name][1]) for name in cfg.blocks]
    order = order_blocks(succs)
    layer = assign_layers(succs, order)
    edges = list_edges(succs, layer)
    placement = place(edges, order, layer, width)
    start, end = choose_ports(edges, placement, width)
    runs = route_channels(edges, placement, layer, width, start, end)
    rows = stack_rows(layer, height, runs.tracks)

    half = [w / 2 for w in width]
    lanes = [lane.x for lane in placement.lane if lane is not None]
    left = min([x - h for x, h in zip(placement.x, half, strict=True)] + lanes)
    right = max([x + h for x, h in zip(placement.x, half, strict=True)] + lanes)
    shift = MARGIN - left
    boxes = {
        name: Box(placement.x[b] - half[b] + shift, rows.top[layer[b]], width[b], height[b])
        for b, name in enumerate(cfg.blocks)
    }
    routes = []
    for e, edge in enumerate(edges):
        lane = placement.lane[e]
        top = rows.top[layer[edge.src]] + height[edge.src]
        bottom = rows.top[layer[edge.dst]]
        points = [(start[e] + shift, top)]
        for net, x in ((runs.leaving[e], lane.x if lane else 0.0), (runs.arriving[e], end[e])):
            if net is not None:
                y = rows.track_y(net.channel, net.track)
                points += [(points[-1][0], y), (x + shift, y)]
        points.append((end[e] + shift, bottom))
        routes.append(Route(cfg.blocks[edge.src], edge.index, cfg.blocks[edge.dst], tuple(points), edge.up))
    return Layout(boxes, tuple(routes), right - left + 2 * MARGIN, rows.height)
