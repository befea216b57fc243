"""List what the notebooks claim, sentence by sentence, each with the assert near it. `python tools/claims.py [NOTEBOOK…]`

    python tools/claims.py notebooks/02*.ipynb             every claim, the assert nearest to it, and the count
    python tools/claims.py --unproven notebooks/02*.ipynb  only those without an assert
    python tools/claims.py --doubtful notebooks/02*.ipynb  and those whose asserts share no word or number with them
    python tools/claims.py notebooks/02*.ipynb --mark CELL "start of the sentence" definition

A **claim** is a sentence of a markdown cell that states a number, says *always*, *never*, *every*, *only*, *at most*
and the like, speaks of growth or cost, or names an algorithm or a compiler. Rows of tables and items of lists are
sentences too. No claims: questions, beliefs that are quoted (`**Belief: *…***`), instructions ("Step through …"), headings, a quoted block that defines a **term**,
and the cells that only tell what is in the notebook (`NO_CLAIMS`).

An assert is **near** when it stands in the code cell before or in one of the next two, within one `##` section; cells
that only show a question or a stepper are not counted. What the title promises and the end sums up (`WHOLE_PAGE`) may be
borne out anywhere on the page. Of those near, the one that shares most words and numbers with the
sentence is shown; one that shares none is *doubtful*, for a reader to judge.

Where no assert is called for, the author says why, in the metadata of the cell:

    "ssawidgets": {"claims": {"start of the sentence": "definition"}}

with one of `REASONS`, or `at CELL` for an assert in another cell of the notebook, `at NN:CELL` for one in chapter NN, or
`at tests/…::test` for a test of the project. A mark that no longer fits any claim, or points nowhere, is an error.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: Ids of cells that tell what is in the notebook and claim nothing themselves.
NO_CLAIMS = {"objectives", "sources", "instructor"}

#: Ids of cells that speak of the whole page.
WHOLE_PAGE = {"title", "outcome"}
#: Lines that claim nothing: minutes, links, the heading of the table of calls.
NOT_TEXT = ("**Time:**", "**Before", "**Exercises", "**Next", "**API")

#: Why a claim may stand without an assert.
REASONS = {
    "definition": "says what a word means here",
    "history": "who did what, and when",
    "background": "a fact from outside this package, for which a source stands at the end of the page",
    "opinion": "a judgement, or a picture in words",
    "instruction": "says what to do or where to look",
}

NUMBER_WORDS = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve once twice hundred thousand hundredfold".split(),
        "2 3 4 5 6 7 8 9 10 11 12 1 2 100 1000 100".split(),
        strict=True,
    )
)
CLAIMING = re.compile(
    r"\d|\b(?:"
    + "|".join(NUMBER_WORDS)
    + r"|always|never|ever|exactly|precisely|at most|at least|only|every|each|all|both|any|no|none|nobody|nothing|nowhere|neither"
    r"|cannot|can't|must|fewest|fewer|most|more|least|less|same|equal|impossible|unique|whenever|wherever|everything|alone"
    r"|linear(?:ly)?|quadratic|constant time|slope|grows?|costs?|fast(?:er|est)?|slow(?:er|est)?|steps?|rounds?|minimal|optimal"
    r"|smallest|largest|ends|terminates?|halts?|right|wrong|enough|needs?|needed"
    r"|Cooper|Harvey|Kennedy|Lengauer|Tarjan|Semi-NCA|Cytron|Braun|Sreedhar|Boissinot|Briggs|Hopcroft|Wegman|Zadeck|Kildall"
    r"|SCCP|GVN|DCE|LLVM|Cranelift|MLIR|SPIR-V|JavaScriptCore|B3|CodeQL|networkx"
    r")\b",
    re.IGNORECASE,
)
INSTRUCTION = re.compile(
    r"(?:(?:Now|Then|And|First|But|So|Here)[,:]? )?(?:Read|Step|Take|Look|Give|Guess|Write|Drag|Add|Click|Cover|Replace|Predict|"
    r"Try|Follow|Watch|Count|See|Say|Ask|Go|Run|Change|Keep|Let|Compare|Play|Draw|Move|Open|Pick|Choose|Note|Think|Remember|"
    r"Imagine|Suppose|Start|Use|Edit|Find|Press|Set|Make|Put|Turn|Walk|Swap|Check)\b"
)
#: A wrong belief, quoted as people state it.
BELIEF = re.compile(r"\*\*(?:\d\. )?Belief:")
#: A dot after these does not end a sentence.
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|Fig|Sec|p|pp|[A-Z])\.$")
ONLY_SHOWS = re.compile(
    r"^(?:\w+ = )?sw\.(?:Quiz|Predict|Stepper|source|CfgEditor|Progress)\([^\n]*\)\n?\w*$"
)
FILLER = set(
    "that this with from have then than them they what when where which whose into over only once does also must more most"
    " each every both same will would were been here there their other another after before about some such very just like"
    " assert true false none print for not and are the its all one in of".split()
)


@dataclass(frozen=True)
class Claim:
    """A sentence, where it stands, and what bears it out: the assert shown, or the author's reason."""

    chapter: str
    cell: str
    sentence: str
    proof: str = ""
    reason: str = ""
    doubtful: bool = False

    @property
    def unproven(self) -> bool:
        """Whether neither an assert nor a reason stands behind the sentence."""
        return not (self.proof or self.reason)


@dataclass
class Page:
    """The claims of a notebook, and what is wrong with its marks."""

    name: str
    claims: list[Claim] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def sentences(markdown: str) -> Iterator[str]:
    """Yield the sentences of a cell: running text, items of lists, rows of tables; no headings, code blocks or questions."""
    text = re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->|</?[a-z][^>]*>", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    blocks: list[str] = []
    previous = ""
    for raw in text.split("\n"):
        line = raw.strip().removeprefix(">").strip()
        if not line or line.startswith(("#", *NOT_TEXT)):
            previous = ""
            continue
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            header = previous != "|"
            previous = "|"
            if not header and not set("".join(cells)) <= set("-: "):
                blocks.append("| " + " | ".join(cells))
            continue
        item = re.match(r"(?:[-*+]|\d+[.)])\s+", line)
        quoted = raw.strip().startswith(">")
        if item or not previous or previous == "|":
            blocks.append(("> " if quoted else "") + (line[item.end() :] if item else line))
        else:
            blocks[-1] += " " + line
        previous = "text"
    for block in blocks:
        if block.startswith("| ") or is_definition(block):
            yield block
            continue
        start = 0
        for end in re.finditer(r"[.!?:](?:\*\*|\*|\)|\")*(?=\s+[\"(*`>]*[A-Z0-9…])|$", block):
            piece = block[start : end.end()].strip().removeprefix("> ")
            if end.group() and ABBREVIATION.search(piece):
                continue
            start = end.end()
            if piece:
                yield piece


def is_definition(block: str) -> bool:
    """Say whether a block is quoted and defines a term, which is set in bold: `> A block is **sealed** when …`."""
    return block.startswith("> ") and "**" in block and "**Non-example" not in block


def is_claim(sentence: str) -> bool:
    """Say whether a sentence states something that could be wrong."""
    plain = re.sub(r"\bchapters? \d\d(?: (?:and|to) \d\d)?", "", sentence).strip("*_ ")
    if plain.endswith("?") or is_definition(sentence) or INSTRUCTION.match(plain) or BELIEF.match(sentence):
        return False
    return bool(CLAIMING.search(plain))


def words(text: str) -> set[str]:
    """The numbers, names and longer words of a text, each cut to its stem."""
    found = set(re.findall(r"\b\d[\d,]*\b", text))
    for word in re.findall(r"[^\W\d_]+", text):
        low = word.lower()
        if low in NUMBER_WORDS:
            found.add(NUMBER_WORDS[low])
        elif len(low) > 3 and low not in FILLER:
            found.add(low[:5])
    return found | set(re.findall(r"`([^`]+)`", text))


def asserts_of(code: str) -> list[str]:
    """The asserts of a code cell, each on one line."""
    try:
        tree = ast.parse(code)
    except SyntaxError:  # a cell with a magic command
        return [line.strip() for line in code.splitlines() if line.strip().startswith("assert ")]
    return [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Assert)]


def source(cell: dict[str, Any]) -> str:
    """The text of a cell, whether stored as one string or as lines."""
    return "".join(cell["source"])


def heading(cell: dict[str, Any]) -> bool:
    """Say whether a cell begins a section."""
    return cell["cell_type"] == "markdown" and source(cell).startswith(("# ", "## "))


def near(cells: list[dict[str, Any]], index: int) -> list[dict[str, Any]]:
    """The code cells in which a claim of cell `index` may be borne out, nearest first."""
    if cells[index]["id"] in WHOLE_PAGE:
        return [cell for cell in cells if cell["cell_type"] == "code"]
    after: list[dict[str, Any]] = []
    for cell in cells[index + 1 :]:
        if heading(cell) or len(after) == 2:
            break
        if cell["cell_type"] == "code" and not ONLY_SHOWS.match(source(cell)):
            after.append(cell)
    before: list[dict[str, Any]] = []
    at = index
    while at > 0 and not before and not heading(cells[at]):
        at -= 1
        if cells[at]["cell_type"] == "code" and not ONLY_SHOWS.match(source(cells[at])):
            before.append(cells[at])
    return after[:1] + before + after[1:]


def best_assert(sentence: str, cells: list[dict[str, Any]]) -> tuple[str, bool]:
    """Return the assert that shares most words with a sentence, as `cell: assert`, and whether it shares any."""
    wanted = words(sentence)
    best, shared = "", 0
    for cell in cells:
        found = asserts_of(source(cell))
        in_cell = len(wanted & words(source(cell)))
        for text in found:
            score = 1 + in_cell + 3 * len(wanted & words(text))
            if score > shared:
                best, shared = f"{cell['id']}: {text}", score
    return best, shared > 1


def pointed_at(target: str, cells: list[dict[str, Any]], root: Path) -> str:
    """Return what a mark `at …` points to, as text; empty if there is no such assert or test."""
    if target.startswith("tests/"):
        path, _, test = target.partition("::")
        there = (root / path).is_file() and re.search(rf"\bdef {test}\b", (root / path).read_text("utf-8"))
        return target if test and there else ""
    chapter, _, cell_id = target.rpartition(":")
    if chapter:
        cells = [c for path in root.glob(f"notebooks/{chapter}*.ipynb") for c in read(path)]
    for cell in cells:
        if cell["id"] == cell_id and cell["cell_type"] == "code":
            return next((f"{target}: {text}" for text in asserts_of(source(cell))), "")
    return ""


def read(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook file."""
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def claims_of(path: Path, root: Path = ROOT) -> Page:
    """Collect the claims of a notebook, each with its assert or reason, and the marks that do not fit."""
    page, cells = Page(path.stem), read(path)
    for index, cell in enumerate(cells):
        if cell["cell_type"] != "markdown" or cell["id"] in NO_CLAIMS:
            continue
        marks: dict[str, str] = dict(cell["metadata"].get("ssawidgets", {}).get("claims", {}))
        left = set(marks)
        for sentence in sentences(source(cell)):
            if not is_claim(sentence) or (cell["id"] in WHOLE_PAGE and sentence.startswith("| ")):
                continue
            mark = next((m for m in marks if sentence.strip("*|> ").startswith(m.strip("*|> "))), None)
            proof, reason, doubtful = "", "", False
            if mark is not None:
                left.discard(mark)
                kind = marks[mark]
                if kind in REASONS:
                    reason = kind
                elif kind.startswith("at "):
                    proof = pointed_at(kind.removeprefix("at "), cells, root)
                if not (reason or proof):
                    page.problems.append(f"{path.stem}, cell {cell['id']}: nothing at {kind!r}, for {mark!r}")
            else:
                proof, shares = best_assert(sentence, near(cells, index))
                doubtful = bool(proof) and not shares
            page.claims.append(Claim(path.stem, cell["id"], sentence, proof, reason, doubtful))
        page.problems += [f"{path.stem}, cell {cell['id']}: no claim starts with {m!r}" for m in sorted(left)]
    return page


def mark(path: Path, cell_id: str, start: str, reason: str) -> None:
    """Write a mark into a notebook file. Raises `ValueError` when it fits no claim or points nowhere."""
    before = path.read_text("utf-8")
    notebook = json.loads(before)
    for cell in notebook["cells"]:
        if cell["id"] == cell_id:
            own = cell["metadata"].setdefault("ssawidgets", {}).setdefault("claims", {})
            own[start] = reason
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    page = claims_of(path)
    wrong = [p for p in page.problems if repr(start) in p]
    if wrong or not any(c.cell == cell_id for c in page.claims):
        path.write_text(before, "utf-8")
        raise ValueError(wrong[0] if wrong else f"{path.stem} has no cell {cell_id!r} with a claim")


def main(argv: list[str] | None = None) -> int:
    """Print the claims of the notebooks named; 1 if one has neither assert nor reason, or a mark does not fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of notebooks/")
    parser.add_argument("--unproven", action="store_true", help="only claims without an assert or a reason")
    parser.add_argument(
        "--doubtful", action="store_true", help="and those whose asserts share no word with them"
    )
    parser.add_argument(
        "--mark", nargs=3, metavar=("CELL", "START", "REASON"), help="say why a claim needs none"
    )
    options = parser.parse_args(argv)
    paths = options.notebooks or sorted((ROOT / "notebooks").glob("*.ipynb"))
    if options.mark:
        mark(paths[0], *options.mark)
        return 0
    failed = False
    for path in paths:
        page = claims_of(path)
        for claim in page.claims:
            some = options.unproven or options.doubtful
            if some and not (claim.unproven or (options.doubtful and claim.doubtful)):
                continue
            sign = "!!" if claim.unproven else "~ " if claim.doubtful else "  "
            print(f"{sign}[{claim.cell}] {claim.sentence}")
            if not claim.unproven:
                print(f"      {f'({claim.reason})' if claim.reason else claim.proof[:150]}")
        for problem in page.problems:
            print(f"!! {problem}")
        unproven = sum(claim.unproven for claim in page.claims)
        marked = sum(bool(claim.reason) for claim in page.claims)
        doubtful = sum(claim.doubtful for claim in page.claims)
        print(
            f"{path.stem}: {len(page.claims)} claims, {unproven} unproven, {marked} with a reason, {doubtful} doubtful\n"
        )
        failed = failed or bool(unproven or page.problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
