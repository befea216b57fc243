"""Reading Bril: from its JSON objects to functions of ours.

Every instruction of Bril becomes one instruction or one written terminator, so a run of a program without
phis counts as many steps as brili does: labels and falling into one count nothing, nor does the return at a function's end
that nobody wrote. Of the two SSA forms brili counts each `phi`, `get` and `set`; here those that become parameters do not count.

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
from typing import NoReturn

from ssawidgets.frontends.bril.form import check_instr, fail, read_constant, read_type, text_at
from ssawidgets.frontends.bril.names import Fresh, distinct, function_here, label_here, variable_here
from ssawidgets.frontends.bril.objects import At
from ssawidgets.frontends.bril.operations import (
    EFFECT_OPERATIONS,
    TERMINATORS,
    VALUE_OPERATIONS,
)
from ssawidgets.ir.model import (
    UNDEF,
    Block,
    Func,
    Instr,
    Operand,
    Program,
    Target,
    Term,
    Type,
)


def read_program(program: At, as_run: bool = False) -> Program:
    """Translate a program's JSON object. Raises `BrilError` with the line of what is wrong.

    `as_run` keeps every `get` and `set` as an instruction, as brili executes and counts them.
    """
    if program.get("imports"):
        fail(program, "imports are not taken", "put the functions it imports into this file")
    functions = program.get("functions")
    if not isinstance(functions, list):
        fail(program, "the program has no list of functions", 'a program is {"functions": [ … ]}')
    if not functions:
        fail(program, "there is no function here", "write @main { … }")
    names: dict[str, At] = {}
    for function in functions:
        if not isinstance(function, At):
            fail(program, "a function is no object", 'a function is {"name": "main", "instrs": [ … ]}')
        name = text_at(function, "name", "a function")
        if name in names:
            fail(
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
            read_type(function, function["type"])
        self.blocks = self.split()
        self.by_label = {b.label: b for b in self.blocks if b.label is not None}
        instrs = [i for b in self.blocks for i in b.body]
        defined = Counter([*self.params, *[i["dest"] for i in instrs if "dest" in i]])
        self.defined = defined
        self.single = all(count == 1 for count in defined.values())
        read = [a for b in self.blocks for i in (*b.body, b.term) if i is not None for a in i.get("args", [])]
        self.here = distinct(dict.fromkeys([*defined, *read]), lambda name: variable_here(name, self.single))

    def fail(self, at: At, message: str, hint: str) -> NoReturn:
        fail(at, message, hint, str(at.get("op", at.get("label", self.shown))))

    # --- what is written

    def read_params(self) -> dict[str, Type]:
        params: dict[str, Type] = {}
        listed = self.at.get("args", [])
        if not isinstance(listed, list):
            self.fail(self.at, f"the args of {self.shown} are no list", "write (a: int, b: bool)")
        for param in listed:
            if not isinstance(param, At):
                self.fail(self.at, f"a parameter of {self.shown} is no object", "write (a: int, b: bool)")
            name = text_at(param, "name", "a parameter")
            if name in params:
                self.fail(
                    param,
                    f"{self.shown} has two parameters named {name}",
                    "give each parameter a name of its own",
                )
            if "type" not in param:
                self.fail(param, f"the parameter {name} has no type", f"write {name}: int")
            params[name] = read_type(param, param["type"])
        return params

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
                label = text_at(item, "label", "a label")
                if label in labels:
                    self.fail(
                        item,
                        f"a second block of {self.shown} is labelled .{label}; the first is on line {labels[label].line}",
                        "give each block a label of its own",
                    )
                labels[label] = item
                blocks.append(_RawBlock(label))
                continue
            check_instr(item)
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
        kind: Type | None = read_type(item, item["type"]) if "type" in item else None
        line = _line(item)
        if op == "const":
            return Instr(dest, "copy", (read_constant(item, kind),), line=line)
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
