"""Cranelift itself on our programs: its FunctionBuilder, driven as a front end drives it. Needs cranelift-py.

Cranelift's front end constructs SSA form on the fly, by the method of Braun and others. One declares variables
(`declare_var`), writes and reads them while blocks are filled (`def_var`, `use_var`), and says when a block has all its predecessors
(`seal_block`); the blocks' parameters appear by themselves. That is `Braun` here, with the same order of filling and sealing, so the
two can be laid side by side.

`construction` asks Cranelift where one variable after the other gets parameters. `compiled` builds the whole function, and has Cranelift
verify and compile it.

Source: cranelift/frontend/src/ssa.rs in the wasmtime repository; Braun et al. (CC 2013). The Python package
is cranelift-py, on Cranelift 0.120.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from ssawidgets.analysis.graph import func_of
from ssawidgets.frontends.guards import guard_of
from ssawidgets.frontends.lowering import Signature, Typed, program_of
from ssawidgets.ir import Block, Const, Func, Instr, Operand
from ssawidgets.ir.model import COMPARISONS, Type
from ssawidgets.ir.names import ByBlock
from ssawidgets.ssa.variables import variables

_TYPE: Final[dict[Type, str]] = {"int": "I64", "bool": "I8", "float": "F64", "char": "I32", "ptr": "I64"}
_METHOD: Final[dict[Type, dict[str, str]]] = {
    "int": {
        **{"+": "iadd", "-": "isub", "*": "imul", "/": "sdiv", "%": "srem", "&": "band", "|": "bor"},
        **{"^": "bxor", "<<": "ishl", ">>": "sshr", "neg": "ineg"},
    },
    "bool": {"&": "band", "|": "bor", "^": "bxor"},
    "float": {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv", "neg": "fneg"},
}
_SIGNED: Final = {
    **{"<": "SignedLessThan", "<=": "SignedLessThanOrEqual", ">": "SignedGreaterThan"},
    **{">=": "SignedGreaterThanOrEqual", "==": "Equal", "!=": "NotEqual"},
}
_UNSIGNED: Final = {op: name.replace("Signed", "Unsigned") for op, name in _SIGNED.items()}
_FLOATS: Final = {op: name.replace("Signed", "") for op, name in _SIGNED.items()}


def construction(func: Func) -> dict[str, set[str]]:
    """Return where Cranelift's FunctionBuilder makes block parameters: variable -> blocks, every variable a key.

    One variable at a time, each definition of it a new value and each use a read: where one variable's parameters go
    does not depend on the others. Blocks are filled in reverse postorder and sealed as soon as all predecessors are filled; a
    block in front of the entry takes the parameters. Unreachable blocks are left out. Raises `ImportError` without cranelift-py.
    """
    cl = _cranelift()
    return {variable: _Skeleton(cl, func_of(func), variable).parameters() for variable in variables(func)}


def compiled(
    func: Func, address: Callable[[str, Signature], int] = lambda name, signature: 0
) -> tuple[Any, int]:
    """Build a function through Cranelift's FunctionBuilder, verify and compile it: the module (to be kept) and its address.

    `address` gives the address of each function that is called: prints, `?`, guards of operators (`guards`). Raises
    `ImportError` without cranelift-py, `ValueError` where Cranelift does not accept the function.
    """
    cl = _cranelift()
    typed = Typed(program_of(func))
    builder = _Whole(cl, func, typed, address)
    builder.build()
    module = cl.JITModule()
    made = module.declare_function(func.name, cl.Linkage.Export, builder.signature)
    try:
        module.define_function(made, builder.at)
        module.finalize_definitions()
    except BaseException as error:  # a panic of Rust's is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        raise ValueError(f"Cranelift does not accept {func.name}: {error}") from None
    return module, int(module.get_finalized_function(made))


def _cranelift() -> Any:
    if find_spec("cranelift") is None:
        raise ImportError("cranelift-py is not installed: pip install ssawidgets[compilers]")
    return import_module("cranelift")


class _Builder:
    """What both uses share: blocks in Cranelift, filled in reverse postorder and sealed as early as can be."""

    def __init__(self, cl: Any, func: Func) -> None:
        self.cl = cl
        self.func = func
        self.at = cl.FunctionBuilder()
        self.signature = cl.Signature(cl.CallConv.SystemV)

    def begin(self) -> None:
        """Make the blocks, and fill the one in front of the entry."""
        self.at.func_signature = self.signature
        self.front = self.at.create_block()
        self.blocks = ByBlock((b, self.at.create_block()) for b in self.func.cfg.reverse_postorder)
        self.at.append_block_params_for_function_params(self.front)
        self.at.switch_to_block(self.front)
        self.at.seal_block(self.front)

    def fill_all(self, fill: Callable[[Block], None]) -> None:
        cfg = self.func.cfg
        waits_for = {b: sum(p in self.blocks for p in cfg.preds[b]) for b in self.blocks}
        self.at.ins_jump(self.blocks[self.func.entry], [])
        self.seal_if(self.func.entry, waits_for)
        for name in cfg.reverse_postorder:
            self.at.switch_to_block(self.blocks[name])
            fill(self.func.block(name))
            for successor in dict.fromkeys(cfg.succs[name]):
                waits_for[successor] -= 1
                self.seal_if(successor, waits_for)

    def seal_if(self, block: str, waits_for: dict[str, int]) -> None:
        if waits_for[block] == 0:
            self.at.seal_block(self.blocks[block])

    def chain(self, tests: Iterator[Any], targets: list[Any]) -> None:
        """Jump to the first target whose test holds, else to the last: a switch as a front end writes it."""
        for test, target in zip(tests, targets, strict=False):
            following = self.at.create_block()
            self.at.ins_brif(test, target, [], following, [])
            self.at.switch_to_block(following)
            self.at.seal_block(following)
        self.at.ins_jump(targets[-1], [])


class _Skeleton(_Builder):
    """A function as one variable sees it: definitions and uses of that variable, and the graph."""

    def __init__(self, cl: Any, func: Func, variable: str) -> None:
        super().__init__(cl, func)
        self.name = variable
        self.variable = cl.Variable(0)
        self.at.declare_var(self.variable, cl.Type.I64)

    def parameters(self) -> set[str]:
        if self.name in self.func.params:
            self.signature.add_param(self.cl.Type.I64)
        self.begin()
        if self.name in self.func.params:
            self.at.def_var(self.variable, self.at.block_params(self.front)[0])
        self.fill_all(self.fill)
        return {b for b, block in self.blocks.items() if self.at.block_params(block)}

    def fill(self, block: Block) -> None:
        for param in block.params:
            self.write(param)
        for instr in block.body:
            self.read(instr.args)
            self.write(instr.dest)
        self.read(block.term.args)
        for target in block.term.targets:
            self.read(target.args)
        to = [self.blocks[t.block] for t in block.term.targets]
        if not to:
            self.at.ins_return([])
        else:
            self.chain((self.at.ins_iconst(self.cl.Type.I8, 0) for _ in to[:-1]), to)

    def read(self, operands: tuple[Operand, ...]) -> None:
        if self.name in operands:
            self.at.use_var(self.variable)

    def write(self, name: str | None) -> None:
        if name == self.name:
            self.at.def_var(self.variable, self.at.ins_iconst(self.cl.Type.I64, 0))


class _Whole(_Builder):
    """A function with all that it computes."""

    def __init__(self, cl: Any, func: Func, typed: Typed, address: Callable[[str, Signature], int]) -> None:
        super().__init__(cl, func)
        self.typed = typed
        self.address = address
        self.result = typed.signatures[func.name].result
        self.variables = {v: cl.Variable(i) for i, v in enumerate(variables(func))}

    def build(self) -> None:
        for kind in self.func.param_types:
            self.signature.add_param(self.type(kind))
        if self.result is not None:
            self.signature.add_return(self.type(self.result))
        self.begin()
        for name, variable in self.variables.items():
            self.at.declare_var(variable, self.type(self.typed.of[self.func.name][name]))
        for name, value in zip(self.func.params, self.at.block_params(self.front), strict=True):
            self.at.def_var(self.variables[name], value)
        if any(b.params for b in self.func.blocks):
            raise ValueError(
                f"{self.func.name} has block parameters already; Cranelift is to make them: see sw.from_ssa"
            )
        self.fill_all(self.fill)

    def type(self, kind: Type) -> Any:
        return getattr(self.cl.Type, _TYPE[kind])

    def kind(self, operand: Operand, default: Type = "int") -> Type:
        return self.typed.type_of(self.func, operand, default)

    def read(self, operand: Operand, kind: Type = "int") -> Any:
        if isinstance(operand, str):
            return self.at.use_var(self.variables[operand])
        value = operand.value if isinstance(operand, Const) else 0
        if kind == "float":
            return self.at.ins_f64const(float(value))
        return self.at.ins_iconst(self.type(kind), ord(value) if isinstance(value, str) else int(value))

    def fill(self, block: Block) -> None:
        for instr in block.body:
            value = self.instruction(instr)
            if instr.dest is not None:
                self.at.def_var(self.variables[instr.dest], value)
        term = block.term
        to = [self.blocks[t.block] for t in term.targets]
        if term.op == "return":
            value = (
                None
                if self.result is None
                else self.read(term.args[0] if term.args else Const("int", 0), self.result)
            )
            self.at.ins_return([] if value is None else [value])
        elif term.op == "jump":
            self.at.ins_jump(to[0], [])
        elif term.op == "branch":
            condition = self.read(term.args[0], self.kind(term.args[0], "bool"))
            self.at.ins_brif(condition, to[0], [], to[1], [])
        else:
            if term.op == "choose":
                place = self.func.cfg.index[block.name]
                args = (Const("int", place), Const("int", len(to)))
                value = self.call(f"choose_{self.func.name}", Signature(("int", "int"), "int"), args)
            else:
                value = self.read(term.args[0])
            cases = term.cases if term.op == "switch" else range(len(to) - 1)
            equal = self.condition("IntCC", "Equal")
            self.chain((self.at.ins_icmp_imm(equal, value, case) for case in cases), to)

    def instruction(self, instr: Instr) -> Any:
        op, args, dest = instr.op, instr.args, instr.dest
        if op == "nop":
            return None
        if op == "copy":
            return self.read(args[0], self.kind(dest or args[0]))
        if op in ("print", "use"):
            kinds = tuple([self.kind(a) for a in args])
            return self.call("_".join([op, *kinds]), Signature(kinds, None), args)
        if op == "call":
            return self.call(instr.callee or "", self.typed.signature(instr.callee or ""), args)
        if op == "opaque" and dest is not None:
            kind = self.kind(dest)
            return self.call(
                f"opaque_{kind}_{self.func.name}", Signature(("int",), kind), (Const("int", instr.site or 0),)
            )
        if op in ("alloc", "load", "store", "ptradd", "free") or dest is None:
            raise ValueError(
                f"{self.func.name}: {instr}: memory is not driven through the FunctionBuilder; see sw.to_clif"
            )
        kind = self.typed.operand_type(self.func, instr)
        guard = guard_of(kind, op, args)
        if guard is not None:
            return self.call(guard, Signature((kind,) * len(args), self.kind(dest)), args)
        values = [self.read(a, kind) for a in args]
        if op in COMPARISONS:
            if kind == "float":
                return self.at.ins_fcmp(self.condition("FloatCC", _FLOATS[op]), *values)
            table = _UNSIGNED if kind == "char" else _SIGNED
            return self.at.ins_icmp(self.condition("IntCC", table[op]), *values)
        if op == "not":
            return self.at.ins_bxor(values[0], self.at.ins_iconst(self.cl.Type.I8, 1))
        if op == "char2int":
            return self.at.ins_uextend(self.cl.Type.I64, values[0])
        return getattr(self.at, f"ins_{_METHOD[kind][op]}")(*values)

    def call(self, name: str, signature: Signature, args: tuple[Operand, ...]) -> Any:
        made = self.cl.Signature(self.cl.CallConv.SystemV)
        for kind in signature.params:
            made.add_param(self.type(kind))
        if signature.result is not None:
            made.add_return(self.type(signature.result))
        callee = self.at.ins_iconst(self.cl.Type.I64, self.address(name, signature))
        values = [self.read(a, k) for a, k in zip(args, signature.params, strict=True)]
        call = self.at.ins_call_indirect(self.at.import_signature(made), callee, values)
        return self.at.inst_results(call)[0] if signature.result is not None else None

    def condition(self, kind: str, name: str) -> Any:
        """One of Cranelift's conditions. cranelift-py 0.1 does not export their classes; they exist once one was asked for."""
        found = next((c for c in object.__subclasses__() if c.__name__ == kind), None)
        if found is None:
            zero = self.at.ins_iconst(self.cl.Type.I64, 0)
            try:
                (self.at.ins_icmp if kind == "IntCC" else self.at.ins_fcmp)(None, zero, zero)
            except TypeError:
                return self.condition(kind, name)
        return getattr(found, name)
