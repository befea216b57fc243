"""Broken and invented texts for everything that reads: only the documented errors, at a place in the text, and soon.

    python3 run.py bench fuzz                                     a short round of each
    python bench/fuzz.py --count 300000 --seconds 100000          a long one
    python bench/fuzz.py --only bril --first 4711 --count 1       one again

Two thirds of the texts are mutations of a corpus (examples, generators of the tests, printed programs): pieces dropped,
doubled, exchanged, taken from another text, tokens replaced; the rest is invented from tokens. Deterministic: the number of a text
decides it. Readers raise `ParseError` with a line and column within the text, nothing else; the editor's session answers
every command and keeps its program; the grader's reader raises `ValueError`. None may take longer than 2 s. Faults
are printed once for each place in the code, with the number; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ssawidgets as sw
from ssawidgets.ir.lexer import ParseError
from ssawidgets.teach.grading import read_cells
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.session import Session
from tests.frontends.random_bril import random_bril
from tests.frontends.random_python import random_program as random_python
from tests.ir.random_funcs import random_func
from tests.programs import random_program
from tests.widgets.random_edits import command, start

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 2
COMMANDS = 30  #: commands in one editing session

OUR_TOKENS = (
    "func main(a, b):|func f(x: bool):|entry:|head(x.1, y):|goto|goto head|goto head(1, a)|if|else|switch|return|return x|undef|"
    "x|y.1|a.2|=|==|+|-|*|//|%%|<<|phi|phi(|phi [entry: 1, head: x]|(|)|,|:|?|use|print|nop|load|store|alloc|True|False|'a'|'\\u{41}'|1|-1|"
    "0.5|1e400|nan|inf|99999999999999999999999|x = 1|y = x + 1|choose|call|f(x)|# remark|[|]|ints=python|ints=64|!|\n|\n  |\n\n|\t|\ufeff"
).split("|")  # fmt: skip
PYTHON_TOKENS = (
    "def f(n):|def g(x: float):|\n    |\n        |\n|return|if|else:|elif|while|for i in range(n):|for|in|break|continue|pass|x|n|i|=|+=|"
    "==|<|and|or|not|+|-|*|//|%|**|<<|~|(|)|:|,|1|0|2.5|True|None|'s'|f''|lambda x: x|[1, 2]|{}|x if n else i|abs(x)|min(x, n)|"
    "print(x)|f(n)|g|range|int(x)|float|is|:=|async|yield|del x|global x|nonlocal x|import os|class C: pass|try:|with x:|assert x|"
    "@f|\\|match x:|case 1:|*a|**k|_|__x|é|0x10|1_000|1j|...|-> int|-> bool|\r|\x0c|\x00|\t"
).split("|")  # fmt: skip
BRIL_TOKENS = (
    "@main|@f(x: int): bool|{|}|.l:|.l|.b;|x|y|: int|: bool|: float|: char|: ptr<int>|: ptr<ptr<int>>|=|const|add|mul|eq|lt|not|jmp|br|ret|call|"
    "print|id|phi|undef|set|get|alloc|free|store|load|ptradd|fadd|ceq|speculate|nop|;|(|)|,|1|-1|true|false|1.5|'a'|'\\n'|"
    "99999999999999999999|# remark|\n|import|from \"x\" import @f;|<|>"
).split("|")  # fmt: skip
LLVM_TOKENS = (
    "define i64 @f(i64 %a) {|}|entry:|b1:|%x|%1|@g|i64|i32|i1|i8|double|ptr|void|=|add|sub nsw|mul|icmp slt|br label %b1|br i1 %c, label %a, label %b|"
    "ret i64 %a|ret void|phi i64 [ 0, %entry ], [ %x, %b1 ]|switch i64 %a, label %b1 [|]|[|select|zext|trunc|sext|to|alloca i64|load i64, ptr %p|"
    "store i64 %x, ptr %p|call i64 @g(i64 %a)|getelementptr|undef|poison|null|true|1|-1|0x7FF0000000000000|1.5e0|99999999999999999999|"
    "declare i64 @g(i64)|attributes #0 = {|#0|!dbg !1|!0 = !{}|unreachable|; remark|,|(|)|\n|<4 x i32>|[2 x i64]|{ i64 }|metadata|align 8|\"s\"|x"
).split("|")  # fmt: skip
NOTEBOOK_TOKENS = (
    '{|}|[|]|:|,|"cells"|"cell_type"|"code"|"source"|"markdown"|"metadata"|"kernelspec"|"language"|"python"|"R"|"x = 1"|["a", "b"]|'
    '{"cells": []}|{"cells": [{"cell_type": "code", "source": "x = 1"}]}|null|1|-1e999|NaN|true|"\\ud800"|"\\u0000"|\n|\ufeff|[[[[[[[['
).split("|")  # fmt: skip
ODD = (
    "\x00",
    "\u202e",
    "\ud800",
    "é",
    "²",
    "\U0001f600",
    "\u2028",
    "\x85",
    "\x0b",
    "\u00a0",
    "٣",
    "ﬁ",
    "-",
    "((((((((",
    "'",
    '"',
)


def broken(rng: Random, texts: list[str], words: list[str]) -> str:
    """Return a text of the corpus with one to four changes, or one of words in any order."""
    if rng.random() < 0.33:
        between = rng.choice(["", " ", " "])
        return between.join(rng.choices(words, k=rng.randrange(1, 40)))
    text = rng.choice(texts)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        text = changed(rng, text, texts, words)
    return text


def changed(rng: Random, text: str, texts: list[str], words: list[str]) -> str:
    """Return a text with one change in one place."""
    a = rng.randrange(len(text) + 1)
    b = min(len(text), a + rng.choice([0, 1, 1, 2, 5, 20]))
    roll = rng.random()
    if roll < 0.15:
        return text[:a] + text[b:]
    if roll < 0.25:
        return text[:b] + text[a:b] * rng.choice([1, 2, 30]) + text[b:]
    if roll < 0.50:
        return text[:a] + rng.choice(["", " "]) + rng.choice(words) + rng.choice(["", " "]) + text[b:]
    if roll < 0.57:
        return text[:a] + rng.choice(ODD) + text[b:]
    if roll < 0.65:
        return text[:a] + chr(rng.randrange(32, 127)) + text[b:]
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    if roll < 0.73:
        del lines[i]
    elif roll < 0.81:
        lines.insert(j, lines[i])
    elif roll < 0.88:
        lines[i], lines[j] = lines[j], lines[i]
    elif roll < 0.95:
        lines.insert(i, rng.choice(rng.choice(texts).split("\n")))
    else:
        tokens = lines[i].split(" ")
        tokens[rng.randrange(len(tokens))] = rng.choice(rng.choice(lines).split(" "))
        lines[i] = " ".join(tokens)
    return "\n".join(lines)


@lru_cache
def our_texts() -> list[str]:
    rng = Random(1)
    funcs = [*examples().values(), *[random_func(rng) for _ in range(40)]]
    funcs += [random_program(rng, 6) for _ in range(40)]
    texts = [str(f) for f in funcs]
    texts += [str(sw.to_ssa(f)) for f in funcs[-40:]]
    texts += [sw.to_ssa(f).text("args") for f in funcs[-20:]]
    return texts + ["\n".join(texts[i : i + 2]) for i in range(0, 40, 2)]


@lru_cache
def python_texts() -> list[str]:
    return [random_python(seed)[0] for seed in range(60)]


@lru_cache
def bril_texts() -> list[str]:
    texts = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "tests/frontends/bril").glob("*.bril"))]
    rng = Random(2)
    return texts + [sw.to_bril(random_program_for_bril(rng)) for _ in range(20)]


def random_program_for_bril(rng: Random) -> sw.Func:
    """Return a program that Bril can say."""
    while True:
        func = random_program(rng, 5)
        try:
            sw.to_bril(func)
        except ParseError:
            continue
        return func


@lru_cache
def json_texts() -> list[str]:
    rng = Random(3)
    return [json.dumps(random_bril(rng, 4), indent=rng.choice([None, 1])) for _ in range(60)]


@lru_cache
def llvm_texts() -> list[str]:
    rng = Random(4)
    return [sw.to_llvm(random_program(rng, 5)) for _ in range(60)]


@lru_cache
def notebook_texts() -> list[str]:
    cells = [
        {"cell_type": "code", "source": ["def f(x):\n", "    return x\n"], "metadata": {}, "outputs": []},
        {"cell_type": "markdown", "source": "text", "metadata": {}},
        {"cell_type": "code", "source": "x = 1", "metadata": {"nbgrader": {"grade": True}}, "outputs": []},
    ]
    kernel = {"kernelspec": {"language": "python", "name": "python3"}}
    made = [{"cells": cells[:n], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5} for n in range(4)]
    return [json.dumps(n, indent=indent) for n in made for indent in (None, 1)]


def reader(
    read: Callable[[str], object], texts: Callable[[], list[str]], words: list[str]
) -> Callable[[int], int]:
    """Return what gives one broken text to a reader, which takes it or raises `ParseError` at a place in it."""

    def once(number: int) -> int:
        text = broken(Random(f"text {number}"), texts(), words)
        try:
            read(text)
        except ParseError as error:
            assert_place(error, text)
        return 1

    return once


def assert_place(error: ParseError, text: str) -> None:
    """The line is one of the text, or the one after its last; the column one of the line, or the one behind its end."""
    lines = text.removeprefix("\ufeff").splitlines() or [""]
    longest = re.split(r"\r\n|\r|\n", text)  # as Python counts them
    assert 1 <= error.line <= max(len(lines), len(longest)), f"line {error.line} of {len(lines)}: {error}"
    width = len(lines[error.line - 1]) if error.line <= len(lines) else 0
    width = max(width, len(longest[error.line - 1]) if error.line <= len(longest) else 0)
    assert 1 <= error.column <= width + 1, f"column {error.column} of {width}: {error}"
    assert error.message, "no message"
    str(error)


def python(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own remarks about such texts
        sw.from_python(text)


def editing(number: int) -> int:
    """One session of the editor takes so many commands, half of them as a browser sends them, half nonsense."""
    rng = Random(f"session {number}")
    session = Session(start(rng))
    for _ in range(COMMANDS):
        asked = command(rng, session)
        roll = rng.random()
        if roll < 0.2:
            asked["text"] = broken(rng, our_texts(), OUR_TOKENS)
        elif roll < 0.3:
            asked[rng.choice([*asked, "block", "text", "op"])] = rng.choice(
                [*ODD, None, -1, 1e99, [], {"op": "undo"}, [[]], True]
            )
        before, rev = session.func, session.rev
        answer = session.apply(asked)
        assert answer.accepted or (session.rev == rev and session.func is before), asked
    assert sw.parse_program(str(session.func)) is not None
    return COMMANDS


class Notebook:
    """The grader's reader, on a file that is written over."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(
            prefix="fuzz", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
        )
        self.path = Path(self.folder.name) / "a.ipynb"

    def __call__(self, number: int) -> int:
        text = broken(Random(f"text {number}"), notebook_texts(), NOTEBOOK_TOKENS)
        self.path.write_bytes(text.encode("utf-8", "surrogatepass" if number % 2 else "replace"))
        try:
            cells = read_cells(self.path)
        except ValueError as error:
            assert type(error) is ValueError and str(error), repr(error)
            return 1
        assert all(isinstance(cell, str) and cell.strip() for cell in cells)
        for cell in cells:
            "\n".join(cells), cell.splitlines()
        return 1


TARGETS: dict[str, Callable[[], Callable[[int], int]]] = {
    "parse": lambda: reader(sw.parse, our_texts, OUR_TOKENS),
    "parse_program": lambda: reader(sw.parse_program, our_texts, OUR_TOKENS),
    "python": lambda: reader(python, python_texts, PYTHON_TOKENS),
    "bril": lambda: reader(sw.from_bril, bril_texts, BRIL_TOKENS),
    "json": lambda: reader(sw.from_bril, json_texts, NOTEBOOK_TOKENS),
    "llvm": lambda: reader(sw.from_llvm, llvm_texts, LLVM_TOKENS),
    "editor": lambda: editing,
    "notebook": Notebook,
}


class Hang(BaseException):
    """An execution takes too long. No `Exception`, so that nobody on the way catches it."""


def hang(*_: object) -> None:
    raise Hang(f"more than {MOST_SECONDS} s of processor")


def fuzz(name: str, first: int, count: int, seconds: float) -> int:
    """Run one target on so many texts, or for so long. Returns how many places in the code had a fault."""
    once = TARGETS[name]()
    faults: dict[str, int] = {}
    begin = told = time.process_time()
    done, number, slowest = 0, first, 0.0
    while done < count and time.process_time() - begin < seconds:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
        try:
            done += once(number)
        except (Exception, Hang) as error:  # whatever comes is what we look for
            done += 1
            place = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{type(error).__name__} {place.filename}:{place.lineno} {str(error)[:40] if isinstance(error, AssertionError) else ''}"
            faults[key] = faults.get(key, 0) + 1
            if faults[key] == 1:
                print(f"FAULT in {name}, number {number}:\n{traceback.format_exc(limit=-4)}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        now = time.process_time()
        slowest = max(slowest, now - start)
        number += 1
        if now - told > 20:
            told = now
            print(f"  {name}: {done:,}", flush=True)
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{name:<14} {done:>9,} executions from {first}, {len(faults)} faults, slowest {slowest:.2f} s, "
        f"{time.process_time() - begin:.0f} s, most memory {rss} MB",
        flush=True,
    )
    return len(faults)


def main() -> int:
    """Run every target; the exit code is 1 when there was a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(TARGETS), default=list(TARGETS))
    parser.add_argument("--count", type=int, default=300_000, help="executions of each")
    parser.add_argument("--seconds", type=float, default=5, help="processor time for each")
    parser.add_argument("--first", type=int, default=0, help="number of the first text")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, hang)
    return int(sum([fuzz(name, options.first, options.count, options.seconds) for name in options.only]) > 0)


if __name__ == "__main__":
    sys.exit(main())
