"""The style table: every text and line can be seen in both themes, and no meaning rests on colour alone."""

from __future__ import annotations

import itertools

import pytest

from ssawidgets.drawing import style

THEMES = [0, 1]
GROUNDS = ["card", "box", "band"]
TEXTS = ["fg", "muted", "blue", "green", "red", "orange", "purple", *(f"v{i}" for i in range(style.HUES))]
LINES = ["line", "stroke", "fg", "muted", "blue", "green", "red", "orange", "purple"]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), list(itertools.product(TEXTS, GROUNDS)))
def test_text_reaches_4_5_to_1(theme: int, text: str, ground: str) -> None:
    assert contrast(style.TOKENS[text][theme], style.TOKENS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("line", "ground"), list(itertools.product(LINES, ["card", "box"])))
def test_lines_reach_3_to_1(theme: int, line: str, ground: str) -> None:
    assert contrast(style.TOKENS[line][theme], style.TOKENS[ground][theme]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("mark", [*style.BLOCK_MARKS, "critical"])
def test_a_sign_can_be_read_on_its_disc(theme: int, mark: str) -> None:
    disc = style.resolve(f"ssaw-sign ssaw-sign-{mark}", theme)["fill"]
    glyph = style.resolve("ssaw-sign-text", theme)["fill"]
    assert contrast(str(disc), str(glyph)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_see_through_lines_still_reach_3_to_1(theme: int) -> None:
    tree = style.resolve("ssaw-tree", theme)
    card = style.TOKENS["card"][theme]
    alpha = float(tree["stroke-opacity"])
    mixed = "#" + "".join(
        f"{round(alpha * int(str(tree['stroke'])[i : i + 2], 16) + (1 - alpha) * int(card[i : i + 2], 16)):02x}"
        for i in (1, 3, 5)
    )
    assert contrast(mixed, card) >= 3


def test_texts_and_lines_listed_here_are_all_there_are() -> None:
    fills = {
        s["fill"]
        for name, s in style.STYLES.items()
        if ("font-size" in s or name[6:] in TEXTS) and "fill" in s
    }
    strokes = {s["stroke"] for name, s in style.STYLES.items() if "stroke" in s and "font-size" not in s}
    assert fills - {"card"} <= set(TEXTS)
    # Hairlines that carry no meaning, and the gaps between a sign and what is under it.
    assert strokes - {"none", "transparent", "frame", "rule", "card"} <= set(LINES)


def test_every_mark_differs_by_more_than_colour() -> None:
    signs = list(style.BLOCK_MARKS.values())
    assert len(set(signs)) == len(signs) and all(signs)
    plain = style.STYLES["ssaw-line"]
    looks = {
        mark: (sign, style.STYLES.get(f"ssaw-line-{mark}", plain).get("stroke-width"))
        for mark, sign in style.EDGE_MARKS.items()
    }
    assert len(set(looks.values())) == len(looks)
    assert all(sign or width != plain["stroke-width"] for sign, width in looks.values())


@pytest.mark.parametrize("theme", [0, 1])
def test_high_contrast_is_higher(theme: int) -> None:
    high = {token: values[theme] for token, values in {**style.TOKENS, **style.HIGH_CONTRAST}.items()}
    for ground in ("card", "box"):
        assert min(contrast(high[text], high[ground]) for text in ("fg", "muted", "stroke", "line")) >= 10
        assert contrast(high["frame"], high[ground]) >= 7 and contrast(high["rule"], high[ground]) >= 4.5
        hues = [token for token in style.TOKENS if token not in style.HIGH_CONTRAST and token != "band"]
        assert min(contrast(high[hue], high[ground]) for hue in hues) >= 4.5


def test_css_has_every_class_and_token() -> None:
    for name in style.STYLES:
        assert f".{name}{{" in style.STYLE_CSS
    for token in style.TOKENS:
        # Light and dark, each twice; high contrast five times; forced colours once, or light and dark.
        times = 4 + 5 * (token in style.HIGH_CONTRAST) + (1 if token in sum(style.FORCED.values(), ()) else 2)
        assert style.STYLE_CSS.count(f"--ssaw-{token}:") == times
    used = {v for s in style.STYLES.values() for p, v in s.items() if p in ("fill", "stroke")}
    assert used <= {*style.TOKENS, "none", "transparent"}


def test_later_entries_of_the_table_win() -> None:
    look = style.resolve("ssaw-box-current ssaw-box", 0)
    assert look["stroke-width"] == style.STYLES["ssaw-box-current"]["stroke-width"]
    assert look["fill"] == style.TOKENS["box"][0]
