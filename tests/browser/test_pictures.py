"""Static pictures in a real browser: nothing clipped with its fonts, light and dark, in a page and in an <img>."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from ssawidgets.drawing import style, to_svg
from ssawidgets.ir import Cfg, Func, cfg, parse
from tests.drawing.pictures import gallery, six_sketch

LONG = """func longlines(a):
entry:
  a_very_long_variable_name.12 = another_extremely_long_name(first_argument, second_argument)
  exactly_forty_six_cells_wide_line_x = a + 1234
  mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm.3 = WWWWWWWWWWWWWWWWWWWWWW + a
  if a goto WMWMWMWMWMWMWMWMWMWMWMWMWMWM else mmmmmmmmmm
WMWMWMWMWMWMWMWMWMWMWMWMWMWM:
  return a
mmmmmmmmmm:
  return
"""

#: Every text that does not lie within the rectangle drawn before it in its block (or in its pill, or note).
CLIPPED = """() => {
  const bad = [];
  for (const block of document.querySelectorAll('.ssaw-block')) {
    const box = block.querySelector('rect').getBBox();
    for (const text of block.querySelectorAll('text')) {
      const t = text.getBBox();
      const cls = text.getAttribute('class') || '';
      if (cls.includes('ssaw-sign')) continue;
      const own = cls.includes('pill') || cls.includes('note') ? text.previousElementSibling.getBBox() : box;
      if (t.x < own.x || t.x + t.width > own.x + own.width || t.y < own.y - 1 || t.y + t.height > own.y + own.height + 1)
        bad.push([text.textContent, t.x, t.width, own.x, own.width]);
    }
  }
  for (const text of document.querySelectorAll('.ssaw-problem text, .ssaw-caption')) {
    const t = text.getBBox();
    const frame = text.parentElement.querySelector('rect')?.getBBox() ?? text.ownerSVGElement.viewBox.baseVal;
    if (t.x + t.width > frame.x + frame.width) bad.push([text.textContent, t.x + t.width, frame.x + frame.width]);
  }
  return bad;
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("program", [*gallery().values(), parse(LONG)], ids=[*gallery(), "long"])
def test_no_text_is_clipped(page: Page, program: Func | Cfg) -> None:
    first = program.blocks[0] if isinstance(program, Cfg) else program.entry
    svg = to_svg(
        program,
        badges={first: ["DF 1, 2, 3", "WM"]},
        problems={(first, -1): "the block 'mmmmmmm' does not exist; there are 0, 1, 2, 3, WWWW"},
        caption="A caption that is quite a bit longer than most of the pictures here are wide. " * 2,
    )
    page.set_content(svg)
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate("document.querySelectorAll('.ssaw-block text').length") > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_auto_follows_the_readers_theme_in_an_image(page: Page, scheme: str) -> None:
    data = base64.b64encode(to_svg(six_sketch()).encode()).decode()
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_content(f'<img src="data:image/svg+xml;base64,{data}">')
    colour = page.evaluate(
        """async () => {
          const image = document.querySelector('img');
          await image.decode();
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          return [...context.getImageData(5, canvas.height - 10, 1, 1).data];
        }"""
    )
    card = style.TOKENS["card"][scheme == "dark"]
    assert colour == [*(int(card[i : i + 2], 16) for i in (1, 3, 5)), 255]


def test_two_pictures_on_a_page_keep_their_own_themes(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    graph = cfg("0>1")
    page.set_content(to_svg(graph, theme="light") + to_svg(graph) + to_svg(graph, theme="dark"))
    fills = page.evaluate("[...document.querySelectorAll('.ssaw-card')].map(e => getComputedStyle(e).fill)")
    light, dark = (
        "rgb({}, {}, {})".format(*(int(c[i : i + 2], 16) for i in (1, 3, 5))) for c in style.TOKENS["card"]
    )
    assert fills == [light, dark, dark]
