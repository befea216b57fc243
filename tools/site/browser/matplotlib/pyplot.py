"""Charts as SVG: lines on two logarithmic scales, and horizontal bars. See the package's docstring."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn
from xml.sax.saxutils import escape, quoteattr

from matplotlib import missing

DPI = 96
INK, MUTED, RULE = "#1f2328", "#56606b", "#dfe4e9"
#: matplotlib's names of colours -> a hue that reads on white.
COLOURS = {"C0": "#0068a8", "C1": "#945600", "C2": "#007350", "C3": "#bf2a1c", "C4": "#8a3578"}
DASHES = {"-": "", "--": ' stroke-dasharray="6 4"'}
#: A sign -> its outline around (0, 0).
SIGNS = {
    "o": "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
    "s": "M-3.2-3.2h6.4v6.4h-6.4z",
    "^": "M0-4.2l4 7.4h-8z",
    "D": "M0-4.4l4.4 4.4-4.4 4.4-4.4-4.4z",
}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_open: list[Figure] = []


class Axes:
    """One chart of a figure: what was drawn on it, and its words."""

    def __init__(self) -> None:
        self.lines: list[tuple[list[float], list[float], str, str, str, str]] = []
        self.bars: list[tuple[str, float]] = []
        self.ticks: list[tuple[float, str]] = []
        self.words = {"title": "", "xlabel": "", "ylabel": ""}
        self.has_legend = False

    def loglog(self, x: Sequence[float], y: Sequence[float], look: str, label: str = "") -> None:
        """Draw a line on logarithmic scales; `look` is colour, sign and dash, as in "C0o-"."""
        # As in matplotlib, what is not positive has no place; a browser's clock is coarse enough to measure 0.
        x, y = zip(*[(a, b) for a, b in zip(x, y, strict=True) if b > 0] or [(x[0], 1.0)], strict=True)
        colour, sign, dash = re.fullmatch(r"(C\d)(.)(--?)", look).groups()  # type: ignore[union-attr]
        self.lines.append((list(x), list(y), COLOURS[colour], SIGNS[sign], DASHES[dash], label))

    def barh(self, names: Sequence[str], widths: Sequence[float]) -> None:
        """Draw a bar for each name, the first one lowest."""
        self.bars = list(zip(names, widths, strict=True))

    def set_xticks(self, places: Sequence[float], labels: Sequence[str]) -> None:
        """Write labels below places of the x axis."""
        self.ticks = list(zip(places, labels, strict=True))

    def minorticks_off(self) -> None:
        """Do nothing: there are none."""

    def set(self, **words: str) -> None:
        """Set title, xlabel, ylabel."""
        self.words.update(words)

    def set_title(self, text: str) -> None:
        """Set the title."""
        self.words["title"] = text

    def legend(self, **_: Any) -> None:
        """Show which line is which."""
        self.has_legend = True

    def __getattr__(self, name: str) -> NoReturn:
        raise missing("the axes", name, "loglog, barh, set_xticks, set, set_title and legend")

    def svg(self, left: float, width: float, height: float) -> list[str]:
        """Return the chart's elements, in a field that begins at x = `left`."""
        bars = bool(self.bars)
        x0 = left + (20 + 7 * max([len(n) for n, _ in self.bars], default=0) if bars else 64)
        x1, y0, y1 = left + width - 20, 34 if self.words["title"] else 18, height - 52
        out = _draw_bars(self.bars, x0, x1, y0, y1) if bars else self._draw_lines(x0, x1, y0, y1)
        middle = (x0 + x1) / 2
        out.append(_text(middle, height - 12, self.words["xlabel"]))
        out.append(_text(middle, 22, self.words["title"], weight="600"))
        if self.words["ylabel"]:
            y = (y0 + y1) / 2
            turned = f'transform="rotate(-90 {left + 16:.1f} {y:.1f})"'
            out.append(_text(left + 16, y, self.words["ylabel"], extra=turned))
        return out

    def _draw_lines(self, x0: float, x1: float, y0: float, y1: float) -> list[str]:
        xs = [x for line in self.lines for x in line[0]]
        ys = [y for line in self.lines for y in line[1]]
        low, high = math.log10(min(ys)), math.log10(max(ys))
        pad = max(0.08 * (high - low), 0.05)
        across = _scale(math.log10(min(xs)), math.log10(max(xs)), x0 + 14, x1 - 14)
        up = _scale(low - pad, high + pad, y1, y0)
        out = []
        decades = range(math.ceil(low - pad), math.floor(high + pad) + 1)
        marks = [10.0**d for d in decades] if len(decades) > 1 else _round_steps(10**low, 10**high)
        for value in marks:
            y = up(math.log10(value))
            out.append(f'<path d="M{x0:.1f} {y:.1f}H{x1:.1f}" stroke="{RULE}"/>')
            out.append(_text(x0 - 8, y + 4, _number(value, len(decades) > 1), "end", MUTED))
        for place, label in self.ticks:
            x = across(math.log10(place))
            out.append(f'<path d="M{x:.1f} {y1:.1f}v5" stroke="{MUTED}"/>')
            out.append(_text(x, y1 + 19, label, "middle", MUTED))
        out.append(f'<path d="M{x0:.1f} {y0:.1f}V{y1:.1f}H{x1:.1f}" fill="none" stroke="{MUTED}"/>')
        for line_x, line_y, colour, sign, dash, _ in self.lines:
            places = [(across(math.log10(x)), up(math.log10(y))) for x, y in zip(line_x, line_y, strict=True)]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
            out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
            out += [
                f'<path d="{sign}" fill="{colour}" transform="translate({x:.1f} {y:.1f})"/>'
                for x, y in places
            ]
        if self.has_legend:
            out += self._legend(x0 + 12, y0 + 6)
        return out

    def _legend(self, x: float, y: float) -> list[str]:
        width = 48 + 6.6 * max(len(line[-1]) for line in self.lines)
        height = 10 + 18 * len(self.lines)
        out = [
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="3" fill="#fff" fill-opacity=".9" stroke="{RULE}"/>'
        ]
        for i, (_, _, colour, sign, dash, label) in enumerate(self.lines):
            at = y + 14 + 18 * i
            out.append(f'<path d="M{x + 8:.1f} {at:.1f}h24" stroke="{colour}" stroke-width="1.8"{dash}/>')
            out.append(f'<path d="{sign}" fill="{colour}" transform="translate({x + 20:.1f} {at:.1f})"/>')
            out.append(_text(x + 40, at + 4, label, "start"))
        return out

    def told(self) -> str:
        """Return the chart in words, for those who do not see it."""
        rows = [(label, ys) for _, ys, _, _, _, label in self.lines] + [(n, [w]) for n, w in self.bars]
        values = "; ".join(f"{label}: {', '.join(f'{v:.4g}' for v in ys)}" for label, ys in rows)
        words = [w for w in self.words.values() if w]
        return f"{', '.join(words)}. {values}." if words else f"{values}."


class Figure:
    """One or more charts side by side."""

    def __init__(self, size: tuple[float, float], charts: int) -> None:
        self.width, self.height = DPI * size[0], DPI * size[1]
        self.axes = [Axes() for _ in range(charts)]

    def svg(self) -> str:
        """Return the picture."""
        each = self.width / len(self.axes)
        inside = [e for i, chart in enumerate(self.axes) for e in chart.svg(i * each, each, self.height)]
        told = " ".join(chart.told() for chart in self.axes)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label={quoteattr(told)} width="{self.width:.0f}" '
            f'height="{self.height:.0f}" viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
            'font-family="system-ui, sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" rx="6" fill="#fff"/>{"".join(inside)}</svg>'
        )


def subplots(
    rows: int = 1, columns: int = 1, figsize: tuple[float, float] = (6.4, 4.8), layout: str = ""
) -> tuple[Figure, Any]:
    """Open a figure: it, and its chart, or a list of its charts."""
    if rows != 1:
        raise ValueError("charts stand side by side here, in one row")
    figure = Figure(figsize, columns)
    _open.append(figure)
    return figure, figure.axes[0] if columns == 1 else figure.axes


def show() -> None:
    """Show the figures that are open."""
    from IPython.display import display

    while _open:
        figure = _open.pop(0)
        words = " ".join(chart.told() for chart in figure.axes)
        display({"image/svg+xml": figure.svg(), "text/plain": words}, raw=True)


def __getattr__(name: str) -> NoReturn:
    raise missing("matplotlib.pyplot", name, "subplots and show")


def _draw_bars(bars: list[tuple[str, float]], x0: float, x1: float, y0: float, y1: float) -> list[str]:
    most = max(width for _, width in bars)
    across = _scale(0, most * 1.05, x0, x1)
    each = (y1 - y0) / len(bars)
    out = []
    for value in _round_steps(0, most):
        out.append(f'<path d="M{across(value):.1f} {y0:.1f}V{y1:.1f}" stroke="{RULE}"/>')
        out.append(_text(across(value), y1 + 17, _number(value, False), "middle", MUTED))
    for i, (name, width) in enumerate(bars):
        y = y1 - (i + 1) * each
        out.append(
            f'<rect x="{x0:.1f}" y="{y + each * 0.15:.1f}" width="{across(width) - x0:.1f}" height="{each * 0.7:.1f}" fill="{COLOURS["C0"]}"/>'
        )
        out.append(_text(x0 - 8, y + each / 2 + 4, name, "end"))
    out.append(f'<path d="M{x0:.1f} {y0:.1f}V{y1:.1f}H{x1:.1f}" fill="none" stroke="{MUTED}"/>')
    return out


def _scale(low: float, high: float, start: float, end: float) -> Any:
    span = (high - low) or 1.0
    return lambda value: start + (end - start) * (value - low) / span


def _round_steps(low: float, high: float) -> list[float]:
    """About five round numbers from low to high."""
    rough = ((high - low) or high or 1.0) / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(s * unit for s in (1, 2, 5, 10) if s * unit >= rough)
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _number(value: float, power: bool) -> str:
    if power and not 0.01 <= value <= 1000:
        return "10" + f"{round(math.log10(value))}".translate(SUPERSCRIPTS)
    return f"{value:,.0f}" if value >= 10 else f"{value:.4g}"


def _text(
    x: float, y: float, text: str, anchor: str = "middle", fill: str = INK, weight: str = "", extra: str = ""
) -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{bold} {extra}>{escape(text)}</text>'
        if text
        else ""
    )
