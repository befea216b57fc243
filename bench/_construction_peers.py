"""A program of `scaled_programs.arithmetic` as each peer's SSA construction wants it, and how to run that.

Each function returns a pair: what makes the peer's program, and what brings it into SSA form. Making is not timed.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import Any

from ssawidgets.ir import Func

Peer = tuple[Callable[[], Any], Callable[[Any], object]]


def llvm(binding: Any, func: Func) -> Peer:
    """LLVM's SROA through llvmlite: every variable a stack cell, parsed anew for each run."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options())
    text = as_llvm(func)

    def run(module: Any) -> object:
        passes = binding.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.run(module.get_function("f"), builder)
        return module

    return lambda: binding.parse_assembly(text), run


def as_llvm(func: Func) -> str:
    """Write the program as LLVM IR: each read a load, each write a store."""
    cells = sorted({i.dest for b in func.blocks for i in b.body if i.dest is not None})
    lines = [f"define i64 @f({', '.join(f'i64 %{p}' for p in func.params)}) {{", "start:"]
    lines += [f"  %c_{name} = alloca i64" for name in cells]
    lines.append(f"  br label %b{func.entry}")
    count = 0

    def value(name: object) -> str:
        nonlocal count
        if name in func.params:
            return f"%{name}"
        count += 1
        lines.append(f"  %t{count} = load i64, ptr %c_{name}")
        return f"%t{count}"

    for block in func.blocks:
        lines.append(f"b{block.name}:")
        for instr in block.body:
            args = [value(a) for a in instr.args]
            result = args[0]
            if instr.op == "+":
                count += 1
                result = f"%t{count}"
                lines.append(f"  {result} = add i64 {args[0]}, {args[1]}")
            lines.append(f"  store i64 {result}, ptr %c_{instr.dest}")
        targets = [f"label %b{t.block}" for t in block.term.targets]
        if not targets:
            lines.append(f"  ret i64 {value(cells[0])}")
        elif len(targets) == 1:
            lines.append(f"  br {targets[0]}")
        else:
            condition = value(block.term.args[0])
            count += 1
            lines.append(f"  %t{count} = icmp ne i64 {condition}, 0")
            lines.append(f"  br i1 %t{count}, {targets[0]}, {targets[1]}")
    return "\n".join([*lines, "}\n"])


def bril(func_to_ssa: Callable[[dict[str, Any]], object], func: Func) -> Peer:
    """Bril's examples/to_ssa.py on the program as Bril's JSON."""
    instrs: list[dict[str, Any]] = []
    for block in func.blocks:
        instrs.append({"label": f"b{block.name}"})
        for i in block.body:
            op = "add" if i.op == "+" else "id"
            instrs.append({"op": op, "dest": i.dest, "type": "int", "args": list(i.args)})
        labels = [f"b{t.block}" for t in block.term.targets]
        if len(labels) == 2:
            instrs.append({"op": "br", "args": list(block.term.args), "labels": labels})
        else:
            instrs.append({"op": "jmp", "labels": labels} if labels else {"op": "ret", "args": []})
    whole = {"name": "f", "args": [{"name": p, "type": "int"} for p in func.params], "instrs": instrs}
    return lambda: copy.deepcopy(whole), func_to_ssa


def numba(ssa: Any, func: Func) -> Peer:
    """Numba's reconstruct_ssa on the program as Numba's IR."""
    from numba.core import compiler, ir  # type: ignore[import-not-found]

    loc = ir.Loc("arithmetic", 1)
    frame = compiler.run_frontend(lambda n: n)

    def make() -> Any:
        scope = ir.Scope(None, loc)
        variables: dict[str, Any] = {}

        def var(name: Any) -> Any:
            if name not in variables:
                variables[name] = scope.define(name, loc=loc)
            return variables[name]

        blocks = {}
        for b in func.blocks:
            block = blocks[int(b.name)] = ir.Block(scope, loc)
            if b.name == func.entry:
                for k, param in enumerate(func.params):
                    block.append(ir.Assign(ir.Arg(param, k, loc), var(param), loc))
            for i in b.body:
                args = [var(a) for a in i.args]
                value = args[0] if i.op == "copy" else ir.Expr.binop(operator.add, *args, loc)
                block.append(ir.Assign(value, var(i.dest), loc))
            targets = [int(t.block) for t in b.term.targets]
            if len(targets) == 2:
                block.append(ir.Branch(var(b.term.args[0]), *targets, loc))
            else:
                block.append(ir.Jump(targets[0], loc) if targets else ir.Return(var("n"), loc))
        program = frame.copy()
        program.blocks = blocks
        return program

    return make, ssa.reconstruct_ssa


def miasm(ssa: Any, func: Func) -> Peer:
    """Miasm's SSADiGraph on the program as Miasm's IR."""
    from miasm.core.locationdb import LocationDB  # type: ignore[import-not-found]
    from miasm.expression.expression import ExprCond, ExprId, ExprLoc  # type: ignore[import-not-found]
    from miasm.ir.ir import IRCFG, AssignBlock, IRBlock  # type: ignore[import-not-found]

    def make() -> Any:
        places = LocationDB()
        goes_to = ExprId("IRDst", 64)
        place = {b.name: places.add_location(name=f"b{b.name}") for b in func.blocks}
        graph = IRCFG(goes_to, places)

        def var(name: Any) -> Any:
            return ExprId(name, 64)

        for b in func.blocks:
            body = []
            for i in b.body:
                args = [var(a) for a in i.args]
                body.append(AssignBlock({var(i.dest): args[0] if i.op == "copy" else args[0] + args[1]}))
            targets = [ExprLoc(place[t.block], 64) for t in b.term.targets]
            if len(targets) == 2:
                after = ExprCond(var(b.term.args[0]), *targets)
            else:
                after = targets[0] if targets else var("n")
            graph.add_irblock(IRBlock(places, place[b.name], [*body, AssignBlock({goes_to: after})]))
        return ssa.SSADiGraph(graph), place[func.entry]

    return make, lambda made: made[0].transform(made[1])
