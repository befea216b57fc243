"""The visual vocabulary: colours for light and dark, measures, and what every class looks like.

Scenes (`scene.py`) say *what* a shape is by a class name; this table says how it looks. Three renderers read
it: the static SVG writes it as attributes, the widget gets it as `STYLE_CSS`, matplotlib resolves it class by
class. So a picture looks the same everywhere, and a test can compute every contrast from here.

Rules that the table keeps:

- every selector is one class, so resolving a style is: later entries win over earlier ones;
- colours are names of tokens, never literals; a token has a value for light and one for dark;
- hues are Okabe and Ito's (Color Universal Design, 2008), darkened for the light theme and lightened for the
  dark one until text reaches a contrast of 4.5:1 and lines 3:1 against what they stand on;
- no meaning rests on colour alone: every mark has a sign, a dash or a width of its own as well.
"""

from __future__ import annotations

from typing import Final

#: token -> (light, dark)
TOKENS: Final[dict[str, tuple[str, str]]] = {
    "card": ("#ffffff", "#161a1f"),  # the picture's ground
    "frame": ("#d8dde3", "#363e47"),  # its hairline; decoration, carries no meaning
    "box": ("#f6f8fa", "#20262d"),  # a block's ground
    "band": ("#e7eff7", "#2a3440"),  # the ground of phi rows
    "rule": ("#dfe4e9", "#39424c"),  # hairline under a block's name; decoration
    "fg": ("#1f2328", "#e6edf3"),
    "muted": ("#56606b", "#a3adb8"),
    "stroke": ("#7d8792", "#7f8b97"),  # a block's outline
    "line": ("#5b6570", "#a1abb6"),  # an edge
    "blue": ("#0068a8", "#62b4f0"),  # dominator tree, selection
    "green": ("#007350", "#3fc997"),  # added
    "red": ("#bf2a1c", "#ff8a75"),  # removed, problems
    "orange": ("#945600", "#f0b040"),  # a path
    "purple": ("#8a3578", "#e08fc4"),  # frontiers, sets
    "v0": ("#005f9e", "#6cb6ff"),  # v0 to v5: one hue for each source variable
    "v1": ("#855000", "#f0b040"),
    "v2": ("#006b4a", "#3fcf9b"),
    "v3": ("#8c2f72", "#e69ac4"),
    "v4": ("#a63a00", "#ff9566"),
    "v5": ("#00646f", "#76d7ea"),
}
HUES: Final = 6
#: Where high contrast is asked for: what stands for these tokens, light and dark; hues stay.
HIGH_CONTRAST: Final[dict[str, tuple[str, str]]] = {
    "card": ("#ffffff", "#000000"),
    "frame": ("#3d4650", "#c3ccd5"),
    "box": ("#ffffff", "#000000"),
    "rule": ("#5b6570", "#98a3ae"),
    "fg": ("#000000", "#ffffff"),
    "muted": ("#333b44", "#dbe2e9"),
    "stroke": ("#333b44", "#dbe2e9"),
    "line": ("#333b44", "#dbe2e9"),
}
#: Where the system forces its colours: the system's for the same tokens and the ground of phi rows; hues follow its light or dark.
FORCED: Final = {
    "Canvas": ("card", "box", "band"),
    "CanvasText": ("frame", "rule", "fg", "muted", "stroke", "line"),
}

MONO: Final = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
UI: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', 'Liberation Sans', sans-serif"

# Measures, in px.
CODE_SIZE: Final = 12.5  #: font size of instructions
CODE_ADVANCE: Final = (
    0.615 * CODE_SIZE
)  #: width of one character; 0.60 in DejaVu, Liberation and Menlo, 0.55 in Consolas
NAME_SIZE: Final = 12.5  #: font size of a block's name above its lines
LONE_SIZE: Final = 14.0  #: font size of the name of a block drawn without lines
SMALL_SIZE: Final = 11.0  #: badges, labels, messages
LINE_HEIGHT: Final = 19.0
HEADER: Final = 25.0  #: height of the row with the block's name
PAD: Final = 11.0  #: between a block's outline and its text
FOOT: Final = 5.0  #: below the last line
RADIUS: Final = 6.0  #: of a block's corners
BEND: Final = 6.0  #: radius of an edge's corners
HEAD: Final = 8.0  #: length of an arrowhead
MAX_CELLS: Final = 46  #: characters in a line before it is cut short
LONE_WIDTH: Final = 48.0  #: least size of a block drawn without lines
LONE_HEIGHT: Final = 32.0

#: A block's marks: the sign drawn in its corner. Every one also changes the outline (`ssaw-box-current`, …).
BLOCK_MARKS: Final[dict[str, str]] = {
    "current": "▸",
    "added": "+",
    "removed": "−",
    "problem": "!",
    "selected": "◆",
    "path": "•",
    "set": "∈",
}
#: An edge's marks: the sign drawn at its middle, where there is one.
EDGE_MARKS: Final[dict[str, str]] = {
    "added": "+",
    "removed": "−",
    "problem": "!",
    "selected": "",
    "path": "",
    "critical": "✕",
}
#: A line's marks: the sign in front of it.
LINE_MARKS: Final[dict[str, str]] = {"defines": "●", "reads": "○"}
#: What a tag or a row may be besides what it is, and the sign before it; `dropped` is struck out.
LOOKS: Final[dict[str, str]] = {"": "", "added": "+ ", "removed": "− ", "dropped": ""}
_LOOK_COLOUR: Final = {"added": "green", "removed": "red", "dropped": "muted"}
_MARK_COLOUR: Final = {
    "current": "fg",
    "added": "green",
    "removed": "red",
    "problem": "red",
    "selected": "blue",
    "path": "orange",
    "set": "purple",
    "critical": "orange",
}

Style = dict[str, str | float]
_COLOUR_PROPERTIES: Final = ("fill", "stroke")


def _styles() -> dict[str, Style]:
    """Return the table: class -> properties (SVG presentation attributes, colours as tokens)."""
    styles: dict[str, Style] = {
        "ssaw-card": {"fill": "card", "stroke": "frame", "stroke-width": 1},
        "ssaw-heading": {"fill": "fg", "font-family": MONO, "font-size": CODE_SIZE},
        "ssaw-caption": {"fill": "fg", "font-family": UI, "font-size": 12.5},
        # Blocks.
        "ssaw-box": {"fill": "box", "stroke": "stroke", "stroke-width": 1.25},
        "ssaw-hatch": {"fill": "none", "stroke": "stroke", "stroke-width": 1, "stroke-opacity": 0.4},
        "ssaw-rule": {"fill": "none", "stroke": "rule", "stroke-width": 1},
        "ssaw-band": {"fill": "band", "stroke": "none"},
        "ssaw-name": {"fill": "fg", "font-family": UI, "font-size": NAME_SIZE, "font-weight": 650},
        "ssaw-lone": {"fill": "fg", "font-family": UI, "font-size": LONE_SIZE, "font-weight": 650, "text-anchor": "middle"},
        "ssaw-small": {"font-size": NAME_SIZE},
        "ssaw-struck": {"text-decoration": "line-through"},
        "ssaw-code": {"fill": "fg", "font-family": MONO, "font-size": CODE_SIZE, "font-weight": 400},
        "ssaw-dim": {"fill": "muted"},
        **{f"ssaw-v{i}": {"fill": f"v{i}"} for i in range(HUES)},
        "ssaw-squiggle": {"fill": "none", "stroke": "red", "stroke-width": 1.5},
        # Badges, signs and messages: small text on a ground of its own.
        "ssaw-pill": {"fill": "card", "stroke": "purple", "stroke-width": 1.25},
        "ssaw-pill-text": {"fill": "purple", "font-family": UI, "font-size": SMALL_SIZE, "font-weight": 600, "text-anchor": "middle"},
        "ssaw-note": {"fill": "card", "stroke": "muted", "stroke-width": 1},
        "ssaw-note-text": {"fill": "muted", "font-family": UI, "font-size": SMALL_SIZE, "text-anchor": "middle"},
        "ssaw-message": {"fill": "card", "stroke": "red", "stroke-width": 1.5},
        "ssaw-message-text": {"fill": "red", "font-family": UI, "font-size": SMALL_SIZE, "font-weight": 600},
        "ssaw-live": {"fill": "muted", "font-family": UI, "font-size": SMALL_SIZE},
        "ssaw-line-defines": {"fill": "orange", "stroke": "orange", "stroke-width": 1.5},
        "ssaw-line-reads": {"fill": "box", "stroke": "orange", "stroke-width": 1.5},
        "ssaw-link": {"fill": "none", "stroke": "purple", "stroke-width": 1.75, "stroke-dasharray": "2 3.5", "stroke-linecap": "round"},
        "ssaw-link-head": {"fill": "purple", "stroke": "none"},
        # Edges.
        "ssaw-line": {"fill": "none", "stroke": "line", "stroke-width": 1.5, "stroke-linejoin": "round"},
        "ssaw-double": {"fill": "none", "stroke": "line", "stroke-width": 4.5, "stroke-linejoin": "round"},
        "ssaw-core": {"fill": "none", "stroke": "card", "stroke-width": 1.6, "stroke-linejoin": "round"},
        "ssaw-head": {"fill": "line", "stroke": "none"},
        "ssaw-label": {"fill": "muted", "stroke": "card", "stroke-width": 3, "paint-order": "stroke", "font-family": UI, "font-size": SMALL_SIZE, "font-weight": 600},
        "ssaw-entry": {"fill": "none", "stroke": "fg", "stroke-width": 1.75},
        "ssaw-entry-head": {"fill": "fg", "stroke": "none"},
        "ssaw-tree": {"fill": "none", "stroke": "blue", "stroke-width": 5, "stroke-opacity": 0.75, "stroke-linecap": "round"},
        "ssaw-tree-end": {"fill": "blue", "stroke": "card", "stroke-width": 1.5},
        "ssaw-sign": {"stroke": "card", "stroke-width": 1.5},
        "ssaw-sign-text": {"fill": "card", "font-family": UI, "font-size": SMALL_SIZE, "font-weight": 700, "text-anchor": "middle"},
        # What only the widget needs: places to point at. The static picture leaves these shapes out.
        "ssaw-hit": {"fill": "transparent", "stroke": "transparent"},
        "ssaw-port": {"fill": "card", "stroke": "blue", "stroke-width": 1.5},
    }  # fmt: skip
    for mark, token in _MARK_COLOUR.items():
        styles[f"ssaw-sign-{mark}"] = {"fill": token}
    for mark in BLOCK_MARKS:
        styles[f"ssaw-box-{mark}"] = {"stroke": _MARK_COLOUR[mark], "stroke-width": 2.5}
    styles["ssaw-box-current"]["stroke-width"] = 3.5
    styles["ssaw-box-removed"]["stroke-dasharray"] = "6 4"
    styles["ssaw-box-unreachable"] = {"stroke-dasharray": "2 3"}
    for mark in EDGE_MARKS:
        if mark != "critical":
            styles[f"ssaw-line-{mark}"] = {"stroke": _MARK_COLOUR[mark], "stroke-width": 2.5}
            styles[f"ssaw-double-{mark}"] = {"stroke": _MARK_COLOUR[mark], "stroke-width": 5.5}
            styles[f"ssaw-head-{mark}"] = {"fill": _MARK_COLOUR[mark]}
    for look, token in _LOOK_COLOUR.items():
        styles[f"ssaw-pill-{look}"] = {"stroke": token}
        styles[f"ssaw-text-{look}"] = {"fill": token}
        styles[f"ssaw-tree-{look}"] = {"stroke": token}
    for look in ("removed", "dropped"):
        styles[f"ssaw-pill-{look}"]["stroke-dasharray"] = "3 2"
        styles[f"ssaw-text-{look}"]["text-decoration"] = "line-through"
    styles["ssaw-text-added"]["font-weight"] = 700
    styles["ssaw-tree-removed"] |= {"stroke-width": 2.5, "stroke-dasharray": "6 4", "stroke-opacity": 1}
    styles["ssaw-line-removed"]["stroke-dasharray"] = "6 4"
    styles["ssaw-double-removed"]["stroke-dasharray"] = "6 4"
    styles["ssaw-line-path"]["stroke-width"] = 3.5
    return styles


STYLES: Final = _styles()
#: Classes of shapes that only the widget draws.
INTERACTIVE: Final = frozenset({"ssaw-hit", "ssaw-port"})


def resolve(classes: str, theme: int) -> Style:
    """Return the properties of space-separated classes, colours as literals; theme 0 is light, 1 dark.

    >>> resolve("ssaw-box ssaw-box-added", 0)["stroke"]
    '#007350'
    """
    names = classes.split(" ")
    style: Style = {}
    for name in sorted(names, key=_ORDER.__getitem__) if len(names) > 1 else names:
        style.update(STYLES[name])
    for prop in _COLOUR_PROPERTIES:
        token = style.get(prop)
        if token in TOKENS:
            style[prop] = TOKENS[str(token)][theme]
    return style


_ORDER: Final = {name: i for i, name in enumerate(STYLES)}


def rules(scope: str, theme: int | None, *, only: set[str] | None = None, colours_only: bool = False) -> str:
    """Write the table as CSS, each selector behind `scope`, colours as variables (theme None) or literals.

    `only` keeps the classes of that set, `colours_only` what differs between the themes.
    """
    lines = []
    for name, style in STYLES.items():
        if only is not None and name not in only:
            continue
        declarations = []
        for prop, value in style.items():
            if value in TOKENS and prop in _COLOUR_PROPERTIES:
                value = f"var(--ssaw-{value})" if theme is None else TOKENS[str(value)][theme]
            elif colours_only:
                continue
            elif prop == "font-size":
                value = f"{value}px"
            declarations.append(f"{prop}:{value}")
        if declarations:
            lines.append(f"{scope}.{name}{{{';'.join(declarations)}}}")
    return "\n".join(lines)


def _variables(theme: int) -> str:
    return ";".join(f"--ssaw-{token}:{values[theme]}" for token, values in TOKENS.items())


def _high_contrast(theme: int) -> str:
    return ";".join(f"--ssaw-{token}:{values[theme]}" for token, values in HIGH_CONTRAST.items())


def _forced() -> str:
    """Write the rules for forced colours. They count more than what follows JupyterLab's theme, which is not that of the system."""
    forced = {token: colour for colour, tokens in FORCED.items() for token in tokens}
    own = ";".join(f"--ssaw-{token}:{colour}" for token, colour in forced.items())
    rules = [f"@media (forced-colors:active){{.ssaw.ssaw.ssaw{{{own}}}}}"]
    for theme, scheme in enumerate(("light", "dark")):
        hues = ";".join(f"--ssaw-{t}:{values[theme]}" for t, values in TOKENS.items() if t not in forced)
        media = f"@media (forced-colors:active) and (prefers-color-scheme:{scheme})"
        rules.append(f"{media}{{.ssaw.ssaw.ssaw{{{hues};color-scheme:{scheme}}}}}")
    return "\n".join(rules)


#: CSS for a live picture inside an element of class `ssaw`. The theme is that of JupyterLab or VS Code where
#: they say which, else the system's; the classes `ssaw-light` and `ssaw-dark` on the element itself override. A theme of high
#: contrast, a system that asks for more of it, and one that forces its own colours are followed too.
STYLE_CSS: Final = f""".ssaw{{{_variables(0)};color-scheme:light}}
@media (prefers-color-scheme:dark){{.ssaw{{{_variables(1)};color-scheme:dark}}}}
[data-jp-theme-light="true"] .ssaw,.vscode-light .ssaw,.ssaw.ssaw-light{{{_variables(0)};color-scheme:light}}
[data-jp-theme-light="false"] .ssaw,.vscode-dark .ssaw,.ssaw.ssaw-dark{{{_variables(1)};color-scheme:dark}}
@media (prefers-contrast:more){{.ssaw,[data-jp-theme-light="true"] .ssaw{{{_high_contrast(0)}}}}}
@media (prefers-contrast:more) and (prefers-color-scheme:dark){{.ssaw{{{_high_contrast(1)}}}}}
@media (prefers-contrast:more){{[data-jp-theme-light="false"] .ssaw{{{_high_contrast(1)}}}}}
[data-jp-theme-name*="High Contrast"][data-jp-theme-light="true"] .ssaw{{{_high_contrast(0)}}}
[data-jp-theme-name*="High Contrast"][data-jp-theme-light="false"] .ssaw{{{_high_contrast(1)}}}
{_forced()}
.ssaw text{{pointer-events:none}}
{rules(".ssaw ", None)}
"""
