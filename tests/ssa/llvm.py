"""LLVM as an oracle: where its own construction (SROA's promotion of scalar stack cells) puts phis.

A function is translated as its definitions and uses only. Every variable is a stack cell; a definition stores the result of
an opaque call, a use passes what it loads to another; a block with several ways out switches on an opaque value. All cells
are set in a block before the entry, since LLVM would fold what it takes for undefined or constant. The phis
that promotion makes are named after the cell. LLVM's placement is pruned.
"""

from __future__ import annotations

import re

from ssawidgets.ir import Func


def promoted_phis(funcs: list[Func]) -> list[dict[str, set[str]]]:
    """Where LLVM places phis in each function: variable -> blocks, variables without any left out."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = "declare i64 @opaque()\ndeclare void @use(i64)\n" + "".join(
        _translated(i, func) for i, func in enumerate(funcs)
    )
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    found = []
    for i in range(len(funcs)):
        function = module.get_function(f"f{i}")
        passes.run(function, builder)
        found.append(_phis(str(function)))
    return found


def _translated(number: int, func: Func) -> str:
    """A function as LLVM's text, its blocks named `b_…`, its cells `v_…`."""
    names = sorted(func.names)
    lines = [f"define void @f{number}() {{", "before:"]
    lines += [f"  %v_{name} = alloca i64" for name in names]
    fresh = iter(range(1_000_000))

    def store(name: str) -> None:
        value = f"%d{next(fresh)}"
        lines.extend([f"  {value} = call i64 @opaque()", f"  store i64 {value}, ptr %v_{name}"])

    def load(name: str) -> None:
        value = f"%u{next(fresh)}"
        lines.extend([f"  {value} = load i64, ptr %v_{name}", f"  call void @use(i64 {value})"])

    for name in names:
        store(name)
    lines.append(f"  br label %b_{func.entry}")
    for block in func.blocks:
        lines.append(f"b_{block.name}:")
        for instr in block.body:
            for name in instr.uses:
                load(name)
            if instr.dest is not None:
                store(instr.dest)
        for name in block.term.uses:
            load(name)
        targets = [f"label %b_{t.block}" for t in block.term.targets]
        if not targets:
            lines.append("  ret void")
        elif len(targets) == 1:
            lines.append(f"  br {targets[0]}")
        else:
            value = f"%s{next(fresh)}"
            cases = " ".join(f"i64 {i}, {t}" for i, t in enumerate(targets[:-1]))
            lines += [f"  {value} = call i64 @opaque()", f"  switch i64 {value}, {targets[-1]} [{cases}]"]
    return "\n".join([*lines, "}\n"])


_LABEL_OR_PHI = re.compile(r"^b_(\w+):|^  %v_(\w+)\.\d+ = phi ", re.MULTILINE)


def _phis(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    block = ""
    for label, variable in _LABEL_OR_PHI.findall(text):
        if label:
            block = label
        else:
            found.setdefault(variable, set()).add(block)
    return found
