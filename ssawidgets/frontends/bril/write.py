"""Writing functions of ours as Bril's JSON objects.

After `lower` every instruction has its operation; what is left is to give Bril what it wants and we do not have:

- *Types* on every result and parameter: `types`.
- *Names for constants.* Operands are variables in Bril, so a constant gets a `const` before the instruction, and undef an `undef`.
- *Labels* before every block, and instructions for the terminators. What nobody wrote stays unwritten where the text means the
  same without it: a fall into the next block, a return at the end. So counts stay.
- *SSA form*, one of two: a parameter is a `get`, and the edges' arguments are `set`s at the ends of predecessors; or it is a
  `phi` with a label for each predecessor. Both want one argument for each predecessor, which `lower` saw to.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.lower import lower
from ssawidgets.frontends.bril.names import Fresh, bril_name, distinct
from ssawidgets.frontends.bril.operations import BRIL_NAME, VALUE_OPERATIONS
from ssawidgets.frontends.bril.types import BrilType, BrilTypes
from ssawidgets.ir.model import COMPARISONS, Block, Const, Func, Instr, Operand, Program, Target, Undef

Phis = Literal["get", "phi"]
_INF: Final = float("inf")
Object = dict[str, Any]


def write_program(program: Program, phis: Phis) -> Object:
    """Translate a program into Bril's JSON object; `phis` chooses the SSA form for block parameters.

    Raises `BrilError` for what Bril cannot say.
    """
    types = BrilTypes(program, lowered=False)
    lowered = Program(tuple([lower(f, types) for f in program.funcs]))
    types = BrilTypes(lowered)
    functions = distinct([f.name for f in lowered.funcs], bril_name)
    return {"functions": [_Writer(f, types, functions, phis).write() for f in lowered.funcs]}


class _Writer:
    def __init__(self, func: Func, types: BrilTypes, functions: dict[str, str], phis: Phis) -> None:
        self.func = func
        self.types = types
        self.functions = functions
        self.phis = phis
        self.items: list[Object] = []
        self.names = distinct([*func.params, *sorted(func.names - set(func.params))], bril_name)
        self.new = Fresh(self.names.values())
        self.labels = distinct([b.name for b in func.blocks], bril_name)
        if func.blocks[0].params:
            raise BrilError(
                f"the entry block {func.entry} of {func.name} has parameters, and no edge brings their first values",
                1,
                1,
                func.entry,
                f"put a block before it that goes to {func.entry}",
            )
        #: (block, parameter) -> (label, name) pairs, for phis
        self.incoming: dict[tuple[str, int], list[tuple[str, str]]] = {}

    def write(self) -> Object:
        func = self.func
        bodies = {}
        # Bodies first: what an edge passes is named at its predecessor's end, and a phi may come before that.
        for position, block in enumerate(func.blocks):
            self.items = []
            for instr in block.body:
                self.instr(instr)
            self.term(block, position)
            bodies[block.name] = self.items
        made: Object = {"name": self.functions[func.name]}
        if func.params:
            made["args"] = [{"name": self.names[p], "type": self.types.of(func, p)} for p in func.params]
        returned = self.types.returned(func)
        if returned is not None:
            made["type"] = returned
        made["instrs"] = [
            item
            for block in func.blocks
            for item in (
                {"label": self.labels[block.name]},
                *self.head(block),
                *bodies[block.name],
            )
        ]
        return made

    # --- names and types

    def typed(self, name: str) -> Object:
        return {"dest": self.names[name], "type": self.types.of(self.func, name)}

    def operand(self, operand: Operand, kind: BrilType = "int") -> str:
        """Return the name of an operand, after a `const` or `undef` that gives it one."""
        if isinstance(operand, str):
            return self.names[operand]
        if isinstance(operand, Undef):
            name = self.new("u")
            self.items.append({"op": "undef", "dest": name, "type": kind})
            return name
        name = self.new("k")
        self.constant(name, operand)
        return name

    def constant(self, dest: str, const: Const) -> None:
        if const.type == "float" and (const.value != const.value or const.value in (_INF, -_INF)):
            # The text has no word for these: 0/0 and 1/0.
            zero = self.operand(Const("float", 0.0))
            top = (
                zero
                if const.value != const.value
                else self.operand(Const("float", 1.0 if const.value > 0 else -1.0))
            )
            self.items.append({"op": "fdiv", "dest": dest, "type": "float", "args": [top, zero]})
            return
        self.items.append({"op": "const", "dest": dest, "type": const.type, "value": const.value})

    # --- instructions

    def instr(self, instr: Instr) -> None:
        op, args = instr.op, instr.args
        if op == "copy" and isinstance(args[0], Const):
            self.constant(self.names[str(instr.dest)], args[0])
            return
        if op == "copy" and isinstance(args[0], Undef):
            self.items.append({"op": "undef", **self.typed(str(instr.dest))})
            return
        made: Object = {"op": self.operation(instr)}
        operands = [self.operand(a, self.undef_type(instr, made["op"], i)) for i, a in enumerate(args)]
        if op == "call":
            made["funcs"] = [self.functions.get(str(instr.callee), bril_name(str(instr.callee)))]
        if instr.dest is not None:
            made |= self.typed(instr.dest)
        if operands:
            made["args"] = operands
        self.items.append(made)

    def operation(self, instr: Instr) -> str:
        """Return Bril's operation for an instruction."""
        op = instr.op
        names = [name for name, operation in VALUE_OPERATIONS.items() if operation.op == op]
        if len(names) < 2:
            return names[0] if names else op
        # A comparison's result says nothing of its operands, arithmetic's does.
        telling = instr.args if op in COMPARISONS or instr.dest is None else (*instr.args, instr.dest)
        known = [w for a in telling if (w := self.types.word_of(self.func, a)) is not None]
        return BRIL_NAME[op, known[0] if known else "int"]

    def undef_type(self, instr: Instr, operation: str, index: int) -> BrilType:
        """Return the type that an operand has if it is undef."""
        if operation in VALUE_OPERATIONS:
            kind = VALUE_OPERATIONS[operation].operands[index]
            if kind not in (None, "ptr"):
                return kind
            return {"ptr": "int"} if kind == "ptr" else "int"
        if operation == "call":
            return self.types.param(instr.callee, index, self.func)
        if operation == "store" and index == 1:
            return self.types.stored(self.func, instr.args[0])
        return {"ptr": "int"} if operation in ("store", "free") else "int"

    # --- terminators and edges

    def term(self, block: Block, position: int) -> None:
        term = block.term
        undef_type = "bool" if term.op == "branch" else self.types.returned(self.func)
        condition = [self.operand(a, undef_type) for a in term.args]
        seen: set[str] = set()
        for target in term.targets:
            if target.block not in seen:
                seen.add(target.block)
                self.edge(block, target)
        last = position + 1 == len(self.func.blocks)
        if term.op == "return":
            if term.written or term.args or not last:
                self.items.append({"op": "ret", **({"args": condition} if condition else {})})
            return
        labels = [self.labels[t.block] for t in term.targets]
        if term.op == "branch":
            self.items.append({"op": "br", "args": condition, "labels": labels})
            return
        falls = not last and term.targets[0].block == self.func.blocks[position + 1].name
        if term.written or not falls:
            self.items.append({"op": "jmp", "labels": labels})

    def edge(self, block: Block, target: Target) -> None:
        """Name what an edge passes, and send it by `set` or note it for the target's phis."""
        params = self.func.block(target.block).params
        if len(params) != len(target.args):
            raise BrilError(
                f"the edge {block.name} > {target.block} of {self.func.name} passes {len(target.args)} values "
                f"where {target.block} takes {len(params)}",
                1,
                1,
                target.block,
                "verify(func) lists what is wrong",
            )
        for i, (param, arg) in enumerate(zip(params, target.args, strict=True)):
            source = self.operand(arg, self.types.of(self.func, param))
            if self.phis == "get":
                self.items.append({"op": "set", "args": [self.names[param], source]})
            else:
                self.incoming.setdefault((target.block, i), []).append((self.labels[block.name], source))

    def head(self, block: Block) -> list[Object]:
        """The gets or phis of a block."""
        if self.phis == "get":
            return [{"op": "get", **self.typed(param)} for param in block.params]
        made = []
        for i, param in enumerate(block.params):
            pairs = self.incoming.get((block.name, i), [])
            made.append(
                {
                    "op": "phi",
                    **self.typed(param),
                    "labels": [label for label, _ in pairs],
                    "args": [name for _, name in pairs],
                }
            )
        return made
