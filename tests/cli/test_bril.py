"""`python -m ssawidgets bril`: passes in order, output in each form, runs, counts, mistakes."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ssawidgets as sw
from ssawidgets.__main__ import main

GCD = """# ARGS: 12 18
@main(a: int, b: int) {
.head:
  c: bool = lt a b;
  br c .less .more;
.less:
  b: int = sub b a;
  jmp .check;
.more:
  a: int = sub a b;
.check:
  e: bool = eq a b;
  br e .done .head;
.done:
  print a;
}
"""


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def bril(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, *words: str) -> Ran:
    file = tmp_path / "program.bril"
    file.write_text(text, "utf-8")
    try:
        code = main(["bril", str(file), *words])
    except SystemExit as stop:
        code = int(str(stop.code))
    out, err = capsys.readouterr()
    return Ran(code, out, err.replace(str(file), "program.bril"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path):  # type: ignore[no-untyped-def]
    return lambda text, *words: bril(capsys, tmp_path, text, *words)


def test_json_comes_out_unless_text_is_asked_for(run) -> None:  # type: ignore[no-untyped-def]
    assert [f["name"] for f in json.loads(run(GCD).out)["functions"]] == ["main"]
    text = run(GCD, "--text").out
    assert text.startswith("@main(a: int, b: int) {\n.head:\n  c: bool = lt a b;\n")
    assert run(GCD, "--ours").out.startswith("func main(a, b):\nhead:\n  c = a < b\n")


def test_passes_are_done_in_the_order_given(run) -> None:  # type: ignore[no-untyped-def]
    ssa = run(GCD, "--to-ssa", "pruned", "--text")
    assert ssa.code == 0 and "a.1: int = get;" in ssa.out and "set a.1 a;" in ssa.out
    assert "a.1: int = phi a .start a.3 .check;" in run(GCD, "--to-ssa", "--phis", "phi", "--text").out
    out = run(
        GCD,
        "--to-ssa",
        "braun",
        "--sccp",
        "--gvn",
        "partition",
        "--dce",
        "--copies",
        "--from-ssa",
        "split",
        "--text",
    )
    assert out.code == 0 and "get" not in out.out and "." not in out.out.replace(" .", "").replace("\n.", "")
    wrong = run(GCD, "--from-ssa", "boissinot", "--to-ssa")
    assert wrong.code == 2
    assert wrong.err.startswith("bril: --from-ssa boissinot: main is not in SSA form (single-definition)")


@pytest.mark.parametrize("way_in", ["pruned", "semi-pruned", "minimal", "braun", "braun-scc"])
@pytest.mark.parametrize("way_out", ["boissinot", "sreedhar-3", "sreedhar-1", "split"])
def test_what_comes_out_runs_the_same(run, way_in: str, way_out: str) -> None:  # type: ignore[no-untyped-def]
    written = run(GCD, "--to-ssa", way_in, "--gvn", "--sccp", "--dce", "--from-ssa", way_out, "--verify")
    assert run(written.out, "--run", "21", "14").out == "7\n"


def test_a_run_prints_and_counts_as_brili_does(run) -> None:  # type: ignore[no-untyped-def]
    ran = run(GCD, "--run", "12", "18", "-p")
    assert (ran.code, ran.out, ran.err) == (0, "6\n", "total_dyn_inst: 12\n")
    # Each get and set counts, as brili counts them in the program written.
    ssa = run(GCD, "--to-ssa", "-p")
    again = run(run(GCD, "--to-ssa").out, "--run", "12", "18", "-p")
    assert (ssa.out, ssa.err) == ("6\n", again.err) and ssa.err == "total_dyn_inst: 30\n"
    assert run(GCD, "--run").out == "6\n"  # the arguments of its ARGS line
    assert run(GCD, "--run", "7", "21").out == "7\n"


ARGUMENTS = [
    ("x: int", ["-5"], "-5\n"),
    ("x: int", ["+5"], "5\n"),
    ("x: float", ["2"], "2.00000000000000000\n"),
    ("x: float", ["-1000.0"], "-1000.00000000000000000\n"),
    ("x: bool", ["true"], "true\n"),
    ("x: bool", ["false"], "false\n"),
    ("x: char", ["é"], "é\n"),
]


@pytest.mark.parametrize(("param", "words", "out"), ARGUMENTS)
def test_arguments_are_read_as_their_types_say(run, param: str, words: list[str], out: str) -> None:  # type: ignore[no-untyped-def]
    ran = run(f"@main({param}) {{ print x; }}", "--run", *words)
    assert (ran.code, ran.out) == (0, out)


WRONG_ARGUMENTS = [
    ("x: int", ["a"], "the argument x is an int, as 3 or -5, not 'a'"),
    ("x: int", ["1.5"], "the argument x is an int, as 3 or -5, not '1.5'"),
    ("x: int", ["9223372036854775808"], "does not fit"),
    ("x: float", ["nan"], "the argument x is a float, as 0.5 or 1e3, not 'nan'"),
    ("x: bool", ["True"], "the argument x is true or false, not 'True'"),
    ("x: char", ["ab"], "the argument x is one character, not 'ab'"),
    ("x: ptr<int>", ["0"], "a pointer, which no command line can give"),
    ("x: int", ["1", "2"], "main(x: int) takes 1 argument, not 2: 1 2"),
    ("x: int", [], "main(x: int) takes 1 argument, not 0: none are given"),
]


@pytest.mark.parametrize(("param", "words", "reason"), WRONG_ARGUMENTS)
def test_a_wrong_argument_is_told_what_would_be_right(run, param: str, words: list[str], reason: str) -> None:  # type: ignore[no-untyped-def]
    ran = run(f"@main({param}) {{ print x; }}", "--run", *words)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err


def test_a_run_that_stops_prints_what_came_before_and_says_why(run) -> None:  # type: ignore[no-untyped-def]
    text = "@main {\n  one: int = const 1;\n  zero: int = const 0;\n  print one;\n  x: int = div one zero;\n}"
    ran = run(text, "--run")
    assert (ran.code, ran.out, ran.err) == (2, "1\n", "bril: division by zero in block entry, line 5\n")
    endless = run("@main {\n.a:\n  jmp .a;\n}", "--run", "--fuel", "100")
    assert endless.code == 2 and "out of fuel after 100 steps" in endless.err


def test_memory_that_is_not_freed_is_an_error_at_the_end(run) -> None:  # type: ignore[no-untyped-def]
    ran = run(
        "@main { n: int = const 1; p: ptr<int> = alloc n; q: ptr<int> = alloc n; free p; print n; }", "--run"
    )
    assert (ran.code, ran.out) == (2, "1\n")
    assert ran.err == "bril: 1 allocation not freed at the end; Bril wants a free for every alloc\n"


MISTAKES = [
    ("", "is empty"),
    (
        "@main {\n  print x\n}",
        "program.bril: line 2, column 9: the ; at the end of an instruction is missing\n  hint:",
    ),
    ("@main {\n  jmp .a;\n}", "program.bril: line 2, column 3: no block of @main is labelled .a"),
    ('{"functions": [\n}', "program.bril: line 2, column 1: this is no JSON"),
    ("@main {\n  speculate;\n}", "line 2, column 3: speculation is not taken"),
]


@pytest.mark.parametrize(("text", "reason"), MISTAKES)
def test_a_mistake_leaves_with_its_line_and_code_2(run, text: str, reason: str) -> None:  # type: ignore[no-untyped-def]
    ran = run(text, "--text")
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err and "Traceback" not in ran.err


def test_other_mistakes_leave_with_code_2_too(
    run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    assert main(["bril", str(tmp_path / "none.bril")]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err
    (tmp_path / "binary.bril").write_bytes(b"@main {\n\xff}")
    assert main(["bril", str(tmp_path / "binary.bril")]) == 2
    assert "line 2 is not UTF-8" in capsys.readouterr().err
    assert "there is no function @main to run" in run("@f {\n}", "--run").err
    assert run(GCD, "--to-ssa", "maximal").code == 2
    assert "the result is not well formed" in run("@main { print x; }", "--verify").err
    clash = run("@main { x: int = const 1; x: bool = const true; print x; }", "--text")
    assert clash.code == 2 and "mixes" in clash.err
    assert run("@main { x: int = const 1; x: bool = const true; print x; }", "--run").out == "true\n"


def test_help_teaches(run) -> None:  # type: ignore[no-untyped-def]
    ran = run(GCD, "--help")
    assert ran.code == 0
    for word in (
        "bril2json < gcd.bril |",
        "--to-ssa",
        "pruned, semi-pruned, minimal",
        "examples:",
        "exit code",
    ):
        assert word in ran.out


def test_it_fits_into_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(GCD.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["bril", "--to-ssa", "--text"]) == 0
    assert capsys.readouterr().out == sw.to_bril(sw.to_ssa(sw.from_bril(GCD)))  # type: ignore[arg-type]


def test_a_pipe_of_processes() -> None:
    here = [sys.executable, "-m", "ssawidgets", "bril"]
    first = subprocess.run(
        [*here, "--to-ssa", "minimal"], input=GCD, capture_output=True, text=True, check=True
    )
    second = subprocess.run(
        [*here, "--from-ssa", "--run", "30", "12", "-p"],
        input=first.stdout,
        capture_output=True,
        text=True,
        check=True,
    )
    assert second.stdout == "6\n" and second.stderr.startswith("total_dyn_inst: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", [["bril", "--text"], ["bril", "--run", "12", "18"], ["show", "-"]])
def test_a_disk_that_is_full_is_said(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "ssawidgets", *command],
            input=GCD,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 2
    assert ran.stderr == f"{command[0]}: the output cannot be written: {os.strerror(errno.ENOSPC)}\n"


@pytest.mark.parametrize("command", ["bril", "show"])
@pytest.mark.parametrize(
    ("stream", "said"),
    [("stdin", "standard input is closed; name a file"), ("stdout", "standard output is closed")],
)
def test_a_stream_that_is_closed_is_said(
    command: str, stream: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert main([command, "-"]) == 2
    assert capsys.readouterr().err == f"{command}: {said}\n"


def test_a_run_is_stopped_from_the_keyboard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def interrupted(*args: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ssawidgets.cli.bril.run_program", interrupted)
    file = tmp_path / "gcd.bril"
    file.write_text(GCD)
    assert main(["bril", str(file), "--run"]) == 130
    assert capsys.readouterr().err == "bril: stopped\n"


@pytest.mark.parametrize("word", ["-5", "x", "1.5", "9" * 5000])
def test_fuel_is_a_number_of_instructions(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["bril", "--run", f"--fuel={word}"])
    assert f"'{word}' is no number of instructions, as 1000000" in capsys.readouterr().err


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "long.bril"
    file.write_text("@main {\n" + "  nop;\n" * 50_000 + "}\n")
    with subprocess.Popen(
        [sys.executable, "-m", "ssawidgets", "bril", str(file), "--text"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"@main {\n"
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 0)
