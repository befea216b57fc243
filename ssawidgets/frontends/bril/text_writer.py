"""Writing Bril's JSON objects in its text format; see `text` for the grammar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ssawidgets.frontends.bril.text import ESCAPES

_ESCAPED: Final = {char: f"\\{letter}" for letter, char in ESCAPES.items()}


def write_text(program: Mapping[str, Any]) -> str:
    """Write a program's JSON object as Bril's text.

    >>> print(write_text({"functions": [{"name": "main", "instrs": [{"label": "a"}, {"op": "print", "args": ["x"]}]}]}))
    @main {
    .a:
      print x;
    }
    <BLANKLINE>
    """
    return "\n".join([_function_text(function) for function in program["functions"]])


def _function_text(function: Mapping[str, Any]) -> str:
    params = ", ".join([f"{p['name']}: {type_text(p['type'])}" for p in function.get("args", [])])
    returns = f": {type_text(function['type'])}" if "type" in function else ""
    head = f"@{function['name']}{f'({params})' if params else ''}{returns} {{"
    lines = [
        f".{item['label']}:" if "label" in item else f"  {_instr_text(item)};" for item in function["instrs"]
    ]
    return "\n".join([head, *lines, "}", ""])


def _instr_text(instr: Mapping[str, Any]) -> str:
    words = [instr["op"]]
    words += [f"@{name}" for name in instr.get("funcs", [])]
    args, labels = instr.get("args", []), instr.get("labels", [])
    if instr["op"] == "phi":
        words += [f"{arg} .{label}" for arg, label in zip(args, labels, strict=True)]
    else:
        words += [*args, *[f".{label}" for label in labels]]
    if "value" in instr:
        words.append(_literal_text(instr["value"]))
    text = " ".join(words)
    return f"{instr['dest']}: {type_text(instr['type'])} = {text}" if "dest" in instr else text


def _literal_text(value: bool | int | float | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{_ESCAPED.get(value, value)}'"
    return repr(value)


def type_text(kind: Any) -> str:
    """Write a type, `{"ptr": "int"}` as `ptr<int>`."""
    words: list[str] = []
    while isinstance(kind, Mapping):
        [(word, kind)] = kind.items()
        words.append(word)
    return "<".join([*words, str(kind)]) + ">" * len(words)
