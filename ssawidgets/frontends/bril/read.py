"""Reading Bril: from its JSON objects to functions of ours.

Every instruction of Bril becomes one instruction or one written terminator, so a run counts as many steps as brili does: labels
and falling into one count nothing, nor does the return at a function's end that nobody wrote.

- A block starts at a label, and after `jmp`, `br`, `ret`, where it has a name of ours. Code that no label
  leads to stays, as an unreachable block.
- The old SSA form: a `phi` becomes a block parameter, each edge passes the operand of its label, or undef where the phi lists
  none. All phis of a block read before any writes, as in the literature.
- The new one: where every `get` is at the head of its block and every predecessor has the `set` for it, a `get` becomes a
  parameter and the `set`s its arguments; such a function is in SSA form, and neither counts as a step. Where they
  stand elsewhere, as Bril allows, the shadow variable becomes a variable and `set` and `get` copies.
- Types: those of results follow from the operations; they are noted where they do not (calls, loads, undef). What a pointer
  points to is not kept: `to_bril` finds it again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.names import Fresh, distinct, function_here, label_here, variable_here
from ssawidgets.frontends.bril.objects import At
from ssawidgets.frontends.bril.operations import (
    EFFECT_OPERATIONS,
    OTHERS,
    REFUSED,
    TERMINATORS,
    VALUE_OPERATIONS,
)
from ssawidgets.ir.model import (
    INT_MAX,
    INT_MIN,
    UNDEF,
    Block,
    Const,
    Func,
    Instr,
    Operand,
    Program,
    Target,
    Term,
    Type,
)
from ssawidgets.ir.text import counted, short

_TYPES: Final[tuple[Type, ...]] = ("int", "bool", "float", "char")
_TYPE_HINT: Final = "types are int, bool, float, char and ptr<…>"
#: Spellings of other languages, and Bril's.
_INSTEAD: Final = {
    "goto": "jmp .label",
    "jump": "jmp .label",
    "branch": "br c .then .else",
    "if": "br c .then .else",
    "return": "ret x",
    "ne": "eq and then not",
    "neq": "eq and then not",
    "fne": "feq and then not",
    "mod": "a - a / b * b, with div, mul and sub",
    "rem": "a - a / b * b, with div, mul and sub",
    "copy": "id x",
    "mov": "id x",
    "neg": "sub zero x",
}


def read_program(program: At, as_run: bool = False) -> Program:
    """Translate a program's JSON object. Raises `BrilError` with the line of what is wrong.

    `as_run` keeps every `get` and `set` as an instruction, as brili executes and counts them.
    """
    if program.get("imports"):
        _fail(program, "imports are not taken", "put the functions it imports into this file")
    functions = program.get("functions")
    if not isinstance(functions, list):
        _fail(program, "the program has no list of functions", 'a program is {"functions": [ … ]}')
    if not functions:
        _fail(program, "there is no function here", "write @main { … }")
    names: dict[str, At] = {}
    for function in functions:
        if not isinstance(function, At):
            _fail(program, "a function is no object", 'a function is {"name": "main", "instrs": [ … ]}')
        name = _text(function, "name", "a function")
        if name in names:
            _fail(
                function,
                f"a second function is named @{name}; the first is on line {names[name].line}",
                "give every function a name of its own",
                f"@{name}",
            )
        names[name] = function
    here = distinct(names, function_here)
    return Program(tuple([_Function(f, here, as_run).translate() for f in functions]))


@dataclass(slots=True, eq=False)
class _RawBlock:
    """A block as written: its label (None without one), the instructions before the terminator, that one.

    `head` are its leading phis and gets, `sets` says which variable each shadow variable has at the block's end.
    """

    label: str | None
    body: list[At] = field(default_factory=list)
    term: At | None = None
    name: str = ""
    head: list[At] = field(default_factory=list)
    sets: dict[str, str] = field(default_factory=dict)


class _Function:
    """One function on the way to a Func."""

    def __init__(self, function: At, functions: dict[str, str], as_run: bool) -> None:
        self.at = function
        self.as_run = as_run
        self.functions = functions
        self.shown = f"@{function['name']}"
        self.params = self.read_params()
        if "type" in function:
            self.type(function, function["type"])
        self.blocks = self.split()
        self.by_label = {b.label: b for b in self.blocks if b.label is not None}
        instrs = [i for b in self.blocks for i in b.body]
        defined = Counter([*self.params, *[i["dest"] for i in instrs if "dest" in i]])
        self.defined = defined
        self.single = all(count == 1 for count in defined.values())
        read = [a for b in self.blocks for i in (*b.body, b.term) if i is not None for a in i.get("args", [])]
        self.here = distinct(dict.fromkeys([*defined, *read]), lambda name: variable_here(name, self.single))

    def fail(self, at: At, message: str, hint: str) -> NoReturn:
        _fail(at, message, hint, str(at.get("op", at.get("label", self.shown))))

    # --- what is written

    def read_params(self) -> dict[str, Type]:
        params: dict[str, Type] = {}
        listed = self.at.get("args", [])
        if not isinstance(listed, list):
            self.fail(self.at, f"the args of {self.shown} are no list", "write (a: int, b: bool)")
        for param in listed:
            if not isinstance(param, At):
                self.fail(self.at, f"a parameter of {self.shown} is no object", "write (a: int, b: bool)")
            name = _text(param, "name", "a parameter")
            if name in params:
                self.fail(
                    param,
                    f"{self.shown} has two parameters named {name}",
                    "give each parameter a name of its own",
                )
            if "type" not in param:
                self.fail(param, f"the parameter {name} has no type", f"write {name}: int")
            params[name] = self.type(param, param["type"])
        return params

    def type(self, at: At, kind: Any) -> Type:
        """Check a type and return ours; every `ptr<…>` is a ptr."""
        inner = kind
        while isinstance(inner, At) and list(inner) == ["ptr"]:
            inner = inner["ptr"]
        if isinstance(inner, At) or inner not in _TYPES:
            word = next(iter(inner), "{}") if isinstance(inner, At) else inner
            self.fail(at, f"{word!r} is no type", _TYPE_HINT)
        return "ptr" if isinstance(kind, At) else kind

    def split(self) -> list[_RawBlock]:
        """Cut the list of instructions into blocks, each with a name of ours."""
        items = self.at.get("instrs")
        if not isinstance(items, list):
            self.fail(self.at, f"{self.shown} has no list of instrs", '"instrs": [ … ]')
        blocks: list[_RawBlock] = []
        labels: dict[str, At] = {}
        for item in items:
            if not isinstance(item, At):
                self.fail(self.at, f"an instruction of {self.shown} is no object", '{"op": "nop"}')
            if "label" in item:
                label = _text(item, "label", "a label")
                if label in labels:
                    self.fail(
                        item,
                        f"a second block of {self.shown} is labelled .{label}; the first is on line {labels[label].line}",
                        "give each block a label of its own",
                    )
                labels[label] = item
                blocks.append(_RawBlock(label))
                continue
            self.check(item)
            if not blocks or blocks[-1].term is not None:
                blocks.append(_RawBlock(None))
            if item["op"] in TERMINATORS:
                blocks[-1].term = item
            else:
                blocks[-1].body.append(item)
        if not blocks:
            blocks.append(_RawBlock(None))
        here = distinct(labels, label_here)
        new = Fresh(here.values())
        for i, block in enumerate(blocks):
            wanted = "entry" if i == 0 else "unlabelled"
            block.name = here[block.label] if block.label is not None else new(wanted)
        return blocks

    def check(self, item: At) -> None:
        """Check the form of an instruction: that its operation exists, with these operands, labels, functions."""
        op = item.get("op")
        if not isinstance(op, str):
            self.fail(item, "an instruction has no op", '{"op": "print", "args": ["x"]}')
        if op in REFUSED:
            what, hint = REFUSED[op]
            self.fail(item, f"{what} is not taken", hint)
        if not (op in VALUE_OPERATIONS or op in EFFECT_OPERATIONS or op in TERMINATORS or op in OTHERS):
            instead = f"write {_INSTEAD[op]}" if op in _INSTEAD else "operations are add, lt, jmp, print, …"
            self.fail(item, f"Bril has no operation {op}", instead)
        for key in ("args", "labels", "funcs"):
            listed = item.get(key, [])
            if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
                self.fail(item, f"the {key} of {op} are no list of names", f'"{key}": ["a", "b"]')
        self.count(item)
        defines = op in VALUE_OPERATIONS or op in ("const", "phi", "get", "undef")
        if defines and "dest" not in item:
            self.fail(item, f"the value of {op} goes nowhere", f"write x: int = {op} …")
        if "dest" in item:
            if not defines and op != "call":
                self.fail(item, f"{op} gives no value", f"write {op} without a destination")
            _text(item, "dest", "a destination")
        if "type" in item:
            self.type(item, item["type"])
        elif defines and op in ("load", "get", "undef", "phi", "alloc"):
            self.fail(item, f"the type of {item['dest']} is missing", f"write {item['dest']}: int = {op} …")

    def count(self, item: At) -> None:
        """Check how many operands, labels and functions an instruction has."""
        op = item["op"]
        args, labels, funcs = [len(item.get(key, [])) for key in ("args", "labels", "funcs")]
        wanted: int | None
        if op in VALUE_OPERATIONS:
            wanted = len(VALUE_OPERATIONS[op].operands)
        else:
            wanted = EFFECT_OPERATIONS.get(
                op, {"const": 0, "set": 2, "get": 0, "undef": 0, "jmp": 0, "br": 1}.get(op)
            )
        if wanted is not None and args != wanted and item.broken is not None:
            self.unended(item)
        if wanted is not None and args != wanted:
            self.fail(item, f"{op} takes {counted(wanted, 'operand')}, not {args}", _shape(op))
        if op == "ret" and args > 1:
            self.fail(item, "a function returns a single value", "write ret or ret x")
        if op == "phi" and args != labels:
            self.fail(
                item,
                f"this phi has {counted(args, 'operand')} and {counted(labels, 'label')}",
                "write a label for each operand, as phi a .here b .there",
            )
        jumps = {"jmp": 1, "br": 2}.get(op, 0)
        if op != "phi" and labels != jumps:
            self.fail(item, f"{op} takes {counted(jumps, 'label')}, not {labels}", _shape(op))
        if funcs != (op == "call"):
            self.fail(
                item,
                f"{op} names {counted(funcs, 'function')}",
                "write call @f a b" if op == "call" else f"{op} takes no function",
            )

    def unended(self, item: At) -> None:
        """Raise where an instruction has swallowed the next one, for lack of a semicolon."""
        assert item.broken is not None
        line, column, text, following = item.broken
        if (
            following in VALUE_OPERATIONS
            or following in EFFECT_OPERATIONS
            or following in (*TERMINATORS, *OTHERS)
        ):
            raise BrilError(
                "the ; at the end of an instruction is missing",
                line,
                column,
                text,
                "every instruction ends with ;",
            )

    # --- what it becomes

    def translate(self) -> Func:
        following = [b.name for b in self.blocks[1:]]
        succs = [
            self.successors(block, nxt) for block, nxt in zip(self.blocks, [*following, None], strict=True)
        ]
        by_name = {b.name: b for b in self.blocks}
        preds: dict[str, list[_RawBlock]] = {b.name: [] for b in self.blocks}
        for block, targets in zip(self.blocks, succs, strict=True):
            for target in dict.fromkeys(targets):
                preds[target].append(block)
        for block in self.blocks:
            self.read_head(block)
        shadows = self.shadows(preds)
        made = []
        for block, targets in zip(self.blocks, succs, strict=True):
            received = self.received(block, shadows is None)
            body = [
                self.instr(item, shadows)
                for item in block.body[len(received) :]
                if not (item["op"] == "set" and shadows is None)
            ]
            to = tuple([Target(t, self.passed(block, by_name[t], shadows is None)) for t in targets])
            params = tuple([self.here[item["dest"]] for item in received])
            made.append(Block(block.name, params, tuple(body), self.term(block, to)))
        return Func(
            self.functions[self.at["name"]],
            tuple([self.here[p] for p in self.params]),
            tuple(made),
            tuple(self.params.values()),
            lang="bril",
        )

    def successors(self, block: _RawBlock, following: str | None) -> list[str]:
        term = block.term
        if term is None:
            return [] if following is None else [following]
        for label in term.get("labels", []):
            if label not in self.by_label:
                labels = ", ".join([f".{name}" for name in self.by_label])
                self.fail(
                    term,
                    f"no block of {self.shown} is labelled .{label}",
                    f"the labels are {labels}" if labels else f"write .{label}: where it should lead",
                )
        return [self.by_label[label].name for label in term.get("labels", [])]

    def term(self, block: _RawBlock, targets: tuple[Target, ...]) -> Term:
        term = block.term
        if term is None:
            return Term("jump" if targets else "return", (), targets, written=False)
        op = {"jmp": "jump", "br": "branch", "ret": "return"}[term["op"]]
        args = tuple([self.here[a] for a in term.get("args", [])])
        return Term(op, args, targets, line=_line(term))

    def instr(self, item: At, shadows: dict[str, str] | None) -> Instr:
        """Translate an instruction; `shadows` names the variables that stand for shadow variables."""
        op = item["op"]
        dest = self.here[item["dest"]] if "dest" in item else None
        args: tuple[Operand, ...] = tuple([self.here[a] for a in item.get("args", [])])
        kind: Type | None = self.type(item, item["type"]) if "type" in item else None
        line = _line(item)
        if op == "const":
            return Instr(dest, "copy", (self.constant(item, kind),), line=line)
        if op == "undef":
            return Instr(dest, "copy", (UNDEF,), line=line, type=kind)
        if op == "call":
            name = item["funcs"][0]
            callee = self.functions.get(name, function_here(name))
            return Instr(dest, "call", args, callee, line, type=_unless_int(kind))
        if op == "phi":
            self.fail(item, "this phi stands below an instruction", "phis come first in their block")
        if op == "get":
            assert shadows is not None
            return Instr(dest, "copy", (shadows[item["dest"]],), line=line, type=_unless_int(kind))
        if op == "set":
            assert shadows is not None
            return Instr(shadows[item["args"][0]], "copy", (self.here[item["args"][1]],), line=line)
        if op in EFFECT_OPERATIONS:
            return Instr(None, op, args, line=line)
        operation = VALUE_OPERATIONS[op]
        if kind is not None and operation.result is not None and kind != operation.result:
            self.fail(
                item,
                f"{op} gives a value of type {operation.result}, not {kind}",
                f"write {item['dest']}: {'ptr<…>' if operation.result == 'ptr' else operation.result}",
            )
        return Instr(dest, operation.op, args, line=line, type=_unless_int(kind) if op == "load" else None)

    def constant(self, item: At, kind: Type | None) -> Const:
        """Read the value of a const; without a type it has the one of its literal."""
        value = item.get("value")
        if kind == "float" and type(value) is int:
            try:
                return Const("float", float(value))
            except OverflowError:
                self.fail(item, f"{short(value)} is beyond what a float holds", "write inf as 1.0 / 0.0")
        if kind == "int" and type(value) is float and value.is_integer():
            value = int(value)  # JSON does not tell 3.0 from 3
        kinds: dict[type, Type] = {bool: "bool", int: "int", float: "float", str: "char"}
        found = kinds.get(type(value))
        if found is None or (found == "char" and len(str(value)) != 1):
            self.fail(
                item, f"{value!r} is no constant", "a constant is an int, a float, true, false or one char"
            )
        if kind is not None and kind != found:
            self.fail(item, f"{value!r} is no constant of type {kind}", f"write {item['dest']}: {found}")
        if found == "int" and not INT_MIN <= value <= INT_MAX:  # type: ignore[operator]
            self.fail(item, f"{short(value)} does not fit into 64 bits", "ints go from -2^63 to 2^63 - 1")  # type: ignore[arg-type]
        return Const(found, value)

    # --- SSA: what blocks receive, and what edges pass

    def read_head(self, block: _RawBlock) -> None:
        """Find the phis and gets at the head of a block, and the sets in it; check the phis."""
        for item in block.body:
            if item["op"] not in ("phi", "get"):
                break
            block.head.append(item)
        block.sets = {i["args"][0]: i["args"][1] for i in block.body if i["op"] == "set"}
        for phi in block.head:
            if phi["op"] != "phi":
                continue
            if block is self.blocks[0]:
                self.fail(
                    phi,
                    "this phi stands in the entry block, and running comes into it from no label",
                    "put a block before it that jumps to it",
                )
            for label in phi.get("labels", []):
                if label not in self.by_label:
                    self.fail(phi, f"no block of {self.shown} is labelled .{label}", "name a predecessor")

    def received(self, block: _RawBlock, gets: bool) -> list[At]:
        """What a block has as parameters: its leading phis, and the gets among them if those are parameters."""
        count = 0
        while count < len(block.head) and (gets or block.head[count]["op"] == "phi"):
            count += 1
        return block.head[:count]

    def shadows(self, preds: dict[str, list[_RawBlock]]) -> dict[str, str] | None:
        """Name a variable for each shadow variable; None where gets can be parameters instead (see the module)."""
        items = [item for b in self.blocks for item in b.body if item["op"] in ("get", "set")]
        gets = [item["dest"] for item in items if item["op"] == "get"]
        at_heads = [(item["dest"], b) for b in self.blocks for item in b.head if item["op"] == "get"]
        sent = all(
            block is not self.blocks[0] and all(name in pred.sets for pred in preds[block.name])
            for name, block in at_heads
        )
        if not items or (self.single and sent and len(at_heads) == len(gets) and not self.as_run):
            return None
        new = Fresh(self.here.values())
        names = dict.fromkeys([*gets, *[i["args"][0] for i in items if i["op"] == "set"]])
        return {name: new(f"{self.here[name].replace('.', '_')}_shadow") for name in names}

    def passed(self, pred: _RawBlock, block: _RawBlock, gets: bool) -> tuple[Operand, ...]:
        """What an edge passes for what the block it leads to receives."""
        args: list[Operand] = []
        for item in self.received(block, gets):
            if item["op"] == "phi":
                args.append(self.phi_operand(item, pred))
            else:
                args.append(self.here[pred.sets[item["dest"]]])
        return tuple(args)

    def phi_operand(self, phi: At, pred: _RawBlock) -> Operand:
        """What a phi receives from a predecessor: of labels listed twice the first, undef where it is not listed."""
        for label, arg in zip(phi.get("labels", []), phi.get("args", []), strict=True):
            if label == pred.label:
                return self.here[arg] if arg in self.defined else UNDEF
        return UNDEF


def _unless_int(kind: Type | None) -> Type | None:
    """What is said of a type: a result is an int unless something else is said."""
    return None if kind == "int" else kind


def _line(item: At) -> int:
    """The line of an instruction: of the text it came from (`pos`), else of the JSON."""
    pos = item.get("pos")
    row = pos.get("row") if isinstance(pos, dict) else None
    return row if type(row) is int else item.line


def _text(at: At, key: str, what: str) -> str:
    value = at.get(key)
    if not isinstance(value, str) or not value:
        _fail(at, f"{what} has no name", f'write "{key}": and a name')
    return value


def _shape(op: str) -> str:
    shapes = {
        "jmp": "jmp .label;",
        "br": "br c .then .else;",
        "set": "set x y;",
        "get": "x: int = get;",
        "undef": "x: int = undef;",
        "const": "x: int = const 3;",
        "store": "store p x;",
        "free": "free p;",
        "nop": "nop;",
    }
    if op in shapes:
        return f"write {shapes[op]}"
    if op not in VALUE_OPERATIONS:
        return f"write {op} without labels"
    operands = " ".join("ab"[: len(VALUE_OPERATIONS[op].operands)])
    return f"write x: {VALUE_OPERATIONS[op].result or 'int'} = {op} {operands};"


def _fail(at: At, message: str, hint: str, text: str = "") -> NoReturn:
    raise BrilError(message, at.line, at.column, text, hint)
