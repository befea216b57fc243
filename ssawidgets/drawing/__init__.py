"""Pictures of programs and graphs: layout, scene, static SVG, matplotlib, and the same in words.

The way through: `measure` says how large each block is, `layout` places them, `build_scene` draws, and
`to_svg`, the widget or `draw` show the scene.
"""

from ssawidgets.drawing.layout import Box, Layout, Route
from ssawidgets.drawing.overlay import Link, NameRow, Overlay, PhiRow, Tag, overlay_of
from ssawidgets.drawing.plot import draw
from ssawidgets.drawing.scene import Scene, build_scene, measure
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.drawing.svg import make_overlay, scene_svg, to_svg
from ssawidgets.drawing.twin import html_twin, text_twin
from ssawidgets.drawing.witness import why_marks, why_svg

__all__ = [
    "STYLE_CSS",
    "Box",
    "Layout",
    "Link",
    "NameRow",
    "Overlay",
    "PhiRow",
    "Route",
    "Scene",
    "Tag",
    "build_scene",
    "draw",
    "html_twin",
    "make_overlay",
    "measure",
    "overlay_of",
    "scene_svg",
    "text_twin",
    "to_svg",
    "why_marks",
    "why_svg",
]
