"""The book, opened from a file: it plays, answers, finds and prints with no kernel and no request at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.lab import LAPTOP, PROJECTOR
from tools.book.__main__ import main

MOST = 1_000_000  #: bytes of a page


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of two chapters."""
    out = tmp_path_factory.mktemp("a book") / "ssa book"
    assert main([str(out), "--chapters", "00", "02"]) == 0
    return out


class Reader:
    """A browser that was given the book's folder and nothing else."""

    def __init__(self, browser: Browser, book: Path, **options: object) -> None:
        self.book = book
        self.context: BrowserContext = browser.new_context(
            viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, **options
        )
        self.faults: list[str] = []
        self.context.on("request", lambda request: self._seen(request.url))
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda m: m.type == "error" and self.faults.append(m.text))

    def _seen(self, url: str) -> None:
        if not url.startswith(("data:", f"{self.book.as_uri()}/")):
            self.faults.append(url)

    def open(self, name: str) -> Page:
        self.page.goto(f"{self.book.as_uri()}/{name}.html")
        self.page.wait_for_function("document.documentElement.dataset.plays !== undefined")
        return self.page


@pytest.fixture(scope="module")
def reader(browser: Browser, book: Path) -> Iterator[Reader]:
    reader = Reader(browser, book, color_scheme="light")
    yield reader
    reader.context.close()
    assert reader.faults == []


def test_pages_are_small_and_name_nothing_outside(book: Path) -> None:
    for page in book.glob("*.html"):
        text = page.read_text("utf-8")
        assert len(text.encode()) <= MOST, page.name
        loaded = re.findall(r'<(?:script|img|link|iframe)\b[^>]*?(?:src|href)="([^"]*)"', text)
        assert loaded and [x for x in loaded if not (x.startswith("data:") or (book / x).is_file())] == []


def test_links_lead_somewhere(book: Path) -> None:
    pages = {page.name: page.read_text("utf-8") for page in book.glob("*.html")}
    notebooks = {f"{path.stem}.html" for path in (Path(__file__).parents[2] / "notebooks").glob("*.ipynb")}
    checked = 0
    for name, text in pages.items():
        for target in re.findall(r'<a\b[^>]*?href="([^"]*)"', text):
            if target.startswith("https://"):
                continue
            page, _, place = target.partition("#")
            page = page or name
            assert page in pages or page in notebooks, f"{name}: {target}"
            if page in pages and place:
                assert f'id="{place}"' in pages[page], f"{name}: {target}"
                checked += 1
    assert checked > 20


def test_ids_are_the_pages_only_ones(book: Path) -> None:
    for page in book.glob("*.html"):
        ids = re.findall(r'\sid="([^"]*)"', page.read_text("utf-8"))
        assert len(ids) == len(set(ids)), page.name


def test_no_answer_can_be_read_in_a_page(book: Path) -> None:
    from ssawidgets.teach.quizzes import of_chapter

    text = (book / "02_dominators.html").read_text("utf-8")
    for entry in of_chapter("02").values():
        for option in getattr(entry.question, "options", ()):
            assert option.feedback not in text
    assert '"right"' not in text


def test_steppers_play(reader: Reader) -> None:
    page = reader.open("02_dominators")
    stepper = page.locator(".ssaw-stepper").first
    place = stepper.locator(".ssaw-sp-place")
    total = place.inner_text().split("/")[1]
    stepper.get_by_role("button", name="Step (right arrow)").click()
    assert place.inner_text() == f"2 /{total}"
    stepper.locator(".ssaw-sp-film").focus()
    page.keyboard.press("End")
    assert place.inner_text() == f"{total.strip()} /{total}"
    assert page.locator(".is-pair").count() == 1
    assert page.locator(".bk-still:visible").count() == 0


def test_questions_answer_back_and_what_was_right_is_remembered(reader: Reader) -> None:
    page = reader.open("02_dominators")
    quiz = page.locator(".ssaw-quiz", has_text="Which block is the immediate dominator of 4?")
    for option, result in (("3", "✗ Not right. Read why, and choose again."), ("1", "✓ Right.")):
        quiz.get_by_role("radio", name=option, exact=True).check()
        quiz.get_by_role("button", name="Check").click()
        assert quiz.locator(".ssaw-qz-result").inner_text() == result
        # The witness is drawn.
        assert quiz.locator(".ssaw-qz-evidence svg:visible").count() == 1
    predict = page.locator(".is-predict").first
    predict.get_by_role("checkbox").first.press("Space")
    predict.get_by_role("button", name="Reveal").click()
    assert "missed" in predict.locator(".ssaw-qz-result").inner_text()
    assert predict.locator(".ssaw-qz-remark").count() > 1
    page = reader.open("00_start_here")
    page.locator(".ssaw-progress").scroll_into_view_if_needed()
    expect(page.locator(".ssaw-pg-total")).to_contain_text("1 of ")
    assert "exercise" not in page.locator(".ssaw-progress").inner_text().lower()


def test_search_finds_a_section_and_goes_there(reader: Reader) -> None:
    page = reader.open("00_start_here")
    page.keyboard.press("/")
    page.keyboard.type("semidominator")
    assert "found" in page.locator("#found").inner_text()
    assert page.locator("#results mark").first.inner_text().lower().startswith("semidominator")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/02_dominators.html#*")
    name = page.url.partition("#")[2]
    page.wait_for_function("document.documentElement.dataset.plays !== undefined")
    top = page.locator(f"[id='{name}']").evaluate("e => e.getBoundingClientRect().top")
    assert 0 <= top < 200, "what plays came in above and pushed the section away"
    page.keyboard.press("/")
    page.keyboard.type("zzz")
    assert page.locator("#found").inner_text().startswith("Nothing found")


def test_the_theme_is_the_systems_until_one_is_chosen(browser: Browser, reader: Reader) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page = reader.open("00_start_here")
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ground)
    assert light != dark
    page.get_by_label("Theme").select_option("light")
    assert page.evaluate(ground) == light
    assert reader.open("02_dominators").evaluate(ground) == light
    page.emulate_media(media="print")
    page.get_by_label("Theme")
    assert page.locator(".bk-side:visible, .bk-stage:visible").count() == 0
    stills = page.locator(".bk-live > .bk-still")
    assert stills.count() == page.locator(".bk-still:visible").count() > 5
    page.emulate_media(media="screen", color_scheme="light")
    page.get_by_label("Theme").select_option("")


def test_pages_are_accessible(reader: Reader) -> None:
    # The start page has a stepper; a long page takes axe a minute, and the widgets' own tests have what plays.
    for name, scheme in (("index", "light"), ("00_start_here", "dark")):
        reader.page.emulate_media(color_scheme=scheme)
        # Without preload: axe would fetch the style sheet, which a page from a file may not.
        found = Axe().run(reader.open(name), options={"preload": False})
        assert [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in found.response["violations"]] == []
    reader.page.emulate_media(color_scheme="light")


def test_nothing_is_wider_than_its_page(reader: Reader) -> None:
    for width in (PROJECTOR[0], 390):
        reader.page.set_viewport_size({"width": width, "height": 800})
        for name in ("index", "02_dominators"):
            page = reader.open(name)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
    reader.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})


def test_without_scripts_pictures_and_questions_are_there(browser: Browser, book: Path) -> None:
    reader = Reader(browser, book, java_script_enabled=False)
    reader.page.goto(f"{book.as_uri()}/02_dominators.html")
    assert reader.page.locator(".bk-live .bk-still svg:visible").count() > 5
    assert reader.page.get_by_text("Which block is the immediate dominator of 4?").is_visible()
    reader.context.close()
    assert reader.faults == []
