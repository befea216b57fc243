"""What is written on a command line or in a file, as a program and its arguments."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from ssawidgets.ir.model import INT_MAX, INT_MIN, Func, Program, Type
from ssawidgets.opt.operators import Value


class CommandError(Exception):
    """A command cannot do what is asked; the message says why and what would be right. Exit code 2."""


def read_source(path: str) -> str:
    """Return the text of a file, `-` for standard input. Raises `CommandError` where it cannot be read."""
    if path == "-" and sys.stdin is None:
        raise CommandError("standard input is closed; name a file")
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(
            f"{name_of(path)}: line {line} is not UTF-8 text; save the file as UTF-8"
        ) from None


def finish(command: str, work: Callable[[], int | None]) -> int:
    """Do a command's work; return its exit code, 2 with the reason on stderr where it cannot be done, 130 after Ctrl-C."""
    if sys.stdout is None:
        print(f"{command}: standard output is closed", file=sys.stderr)
        return 2
    try:
        code = work() or 0
        sys.stdout.flush()
        return code
    except CommandError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{command}: stopped", file=sys.stderr)
        return 130  # as a shell says it
    except OSError as error:
        # What is left must not be written when Python ends either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0  # the reader of a pipe has enough
        print(f"{command}: the output cannot be written: {error.strerror}", file=sys.stderr)
        return 2


def name_of(path: str) -> str:
    """Return what messages call a file.

    >>> name_of("-"), name_of("a.bril")
    ('standard input', 'a.bril')
    """
    return "standard input" if path == "-" else path


def each(program: Func | Program, change: Callable[[Func], Func]) -> Func | Program:
    """Apply a pass to every function."""
    if isinstance(program, Func):
        return change(program)
    return Program(tuple([change(f) for f in program.funcs]))


def args_line(text: str) -> list[str] | None:
    """Return the arguments of a `# ARGS:` line, by which Bril's test programs say how they are run; None without one.

    >>> args_line("# ARGS: 3 true\\n@main(n: int, b: bool) {}")
    ['3', 'true']
    """
    found = re.search(r"^[ \t]*#[ \t]*ARGS:(.*)$", text, re.MULTILINE)
    return None if found is None else shlex.split(found[1])


def values_of(func: Func, words: list[str]) -> list[Value]:
    """Read the arguments of a function from words, as its parameters' types say. Raises `CommandError`.

    >>> from ssawidgets import parse
    >>> values_of(parse("func f(n: int, x: float, b: bool):\\n0:"), ["-3", "2", "true"])
    [-3, 2.0, True]
    """
    if len(words) != len(func.params):
        params = ", ".join([f"{p}: {t}" for p, t in zip(func.params, func.param_types, strict=True)])
        raise CommandError(
            f"{func.name}({params}) takes {len(func.params)} argument{'s' * (len(func.params) != 1)}, "
            f"not {len(words)}: {' '.join(words) or 'none are given'}"
        )
    return [
        _value(word, kind, param)
        for word, param, kind in zip(words, func.params, func.param_types, strict=True)
    ]


def _value(word: str, kind: Type, param: str) -> Value:
    if kind == "int" and re.fullmatch(r"[-+]?[0-9]{1,4000}", word):
        if INT_MIN <= int(word) <= INT_MAX:
            return int(word)
        raise CommandError(f"the argument {param} is an int of 64 bits, and {word} does not fit")
    if kind == "bool" and word in ("true", "false"):
        return word == "true"
    if kind == "char" and len(word) == 1:
        return word
    if kind == "float" and word.lower().lstrip("+-") != "nan":
        try:
            return float(word)
        except ValueError:
            pass
    wanted = {
        "int": "an int, as 3 or -5",
        "bool": "true or false",
        "float": "a float, as 0.5 or 1e3",
        "char": "one character",
        "ptr": "a pointer, which no command line can give",
    }[kind]
    raise CommandError(f"the argument {param} is {wanted}, not {word!r}")
