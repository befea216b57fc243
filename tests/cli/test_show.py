"""`python -m ssawidgets show`: what is read, what is shown, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssawidgets.__main__ import main

PYTHON = "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n"
OURS = "func f(n):\na:\n  if n goto a else b\nb:\n  return n\nlost:\n  goto b\n"
BRIL = "@main(c: bool) {\n.a:\n  br c .a .b;\n.b:\n  print c;\n}\n"


def show(capsys: pytest.CaptureFixture[str], path: Path, text: str, *words: str) -> tuple[int, str, str]:
    path.write_text(text, "utf-8")
    code = main(["show", str(path), *words])
    out, err = capsys.readouterr()
    return code, out, err.replace(str(path), path.name)


LLVM = "; a module\ndefine i64 @id(i64 %n) {\nentry:\n  ret i64 %n\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("gcd.py", PYTHON, "func gcd(a, b) ints=python:"),
        ("main.bril", BRIL, "func main(c: bool):"),
        ("f.txt", OURS, "func f(n):"),
        ("noname", PYTHON, "func gcd(a, b) ints=python:"),
        ("noname", BRIL, "func main(c: bool):"),
        ("id.ll", LLVM, "func id(n):"),
        ("noname", LLVM, "func id(n):"),
        ("noname", "# a comment\n\n@main {\n}\n", "func main():"),
    ],
)
def test_each_notation_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, first: str
) -> None:
    code, out, err = show(capsys, tmp_path / name, text)
    assert (code, err) == (0, "")
    assert out.startswith(first + "\n")


def test_facts_are_a_line_a_block(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = show(capsys, tmp_path / "f.txt", OURS, "--facts")
    assert out.splitlines() == [
        "f: 3 blocks, 3 edges, 1 loop, 1 critical edge",
        "block  idom         frontier  loop  live in  live out",
        "a      -            a         a     n        n",
        "b      a            -         -     n        -",
        "lost   unreachable",
        "  critical edge a > a",
    ]


def test_text_alone_and_in_ssa_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = show(capsys, tmp_path / "gcd.py", PYTHON, "--to-ssa", "minimal", "--text")
    assert "phi(" in out and "idom" not in out


def test_a_picture_goes_into_a_file_or_to_the_screen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "gcd.svg"
    code, out, _ = show(capsys, tmp_path / "gcd.py", PYTHON, "--svg", str(target))
    assert (code, out) == (0, "")
    assert target.read_text("utf-8").startswith("<svg ") and "gcd(a, b)" in target.read_text("utf-8")
    _, out, _ = show(capsys, tmp_path / "gcd.py", PYTHON, "--svg", "-")
    assert out.strip() == target.read_text("utf-8").strip()


def test_one_function_of_several(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    two = "@main {\n  call @f;\n}\n@f {\n}\n"
    _, out, _ = show(capsys, tmp_path / "two.bril", two, "--function", "f", "--text")
    assert out == "func f():\nentry:\n"
    code, _, err = show(capsys, tmp_path / "two.bril", two, "--function", "g")
    assert (code, err) == (2, "show: there is no function g; there are: main, f\n")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.py", "def f(x):\n    return [x]\n", "show: a.py: line 2, column 12: "),
        ("a.bril", "@main {\n  print x\n}", "show: a.bril: line 2, column 9: the ; "),
        ("a.ll", "define i64 @f() {\n  what\n}", "show: a.ll: line 2, column 3: "),
        ("a.json", "{", "show: a.json: line 1, column 2: this is no JSON"),
        ("a.txt", "a:\n  x = = 3\n", "show: a.txt: line 2, column 7: "),
        ("a.txt", "", "show: a.txt: line 1, column 1: there is no function here"),
    ],
)
def test_a_mistake_leaves_with_its_line_and_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, reason: str
) -> None:
    code, out, err = show(capsys, tmp_path / name, text)
    assert (code, out) == (2, "")
    assert err.startswith(reason) and "hint:" in err


def test_help_lists_the_commands_and_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for word in ("show", "bril", "grade", "examples:"):
        assert word in out
    with pytest.raises(SystemExit):
        main(["show", "--help"])
    assert "idom       the immediate dominator" in capsys.readouterr().out
