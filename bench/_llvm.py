"""A program as LLVM's text, every variable a stack cell, as a compiler's front end hands it to SROA."""

from __future__ import annotations

from typing import Any

from ssawidgets.ir import Func


def as_llvm(func: Func) -> str:
    """Write a function of `scaled_programs.arithmetic` as LLVM IR: each read a load, each write a store."""
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
            lines += [
                f"  %t{count} = icmp ne i64 {condition}, 0",
                f"  br i1 %t{count}, {targets[0]}, {targets[1]}",
            ]
    return "\n".join([*lines, "}\n"])


def sroa(llvm: Any) -> Any:
    """Return two functions: one that parses LLVM IR, and one that runs SROA on what that returned."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())

    def run(module: Any) -> Any:
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.run(module.get_function("f"), builder)
        return module

    return llvm.parse_assembly, run
