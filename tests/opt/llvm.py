"""LLVM as an oracle: what its own SCCP and NewGVN find out about a program in SSA form.

A function is translated instruction by instruction; a copy is what it copies. Blocks and values are observed: at its
top each block calls `@reached` with its number, and what is to be watched is passed to an opaque function with
numbers of its own. After LLVM's pass one reads which calls are left, and with which operands. `?` is an opaque call.

Only operators that cannot trap are translated, on ints, floats and bools; not a `switch` on ints for SCCP, where LLVM knows
ranges and finds more.
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from ssawidgets.ir import Const, Func, Operand
from ssawidgets.ir.types import infer_types

TYPE = {"int": "i64", "float": "double", "bool": "i1"}
BINARY = {
    "int": {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"},
    "float": {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"},
    "bool": {"&": "and", "|": "or", "^": "xor"},
}
COMPARE = {
    "int": {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"},
    "float": {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"},
    "bool": {"==": "eq", "!=": "ne"},
}
DECLARED = "declare void @reached(i64)\ndeclare i64 @choose()\n" + "".join(
    f"declare {t} @opaque_{name}()\n"
    f"declare void @watch_{name}(i64, {t})\ndeclare void @same_{name}(i64, {t}, {t})\n"
    for name, t in TYPE.items()
)


def constants_and_blocks(funcs: list[Func]) -> list[tuple[dict[str, Operand | None], set[str]]]:
    """What LLVM's SCCP finds in each function: every name's constant, or None, in the blocks that it keeps; and those blocks."""
    watched = [[name for _, name in _definitions(func)] for func in funcs]
    texts = [
        _translated(f"f{i}", func, [(name, (name,)) for name in names])
        for i, (func, names) in enumerate(zip(funcs, watched, strict=True))
    ]
    found = []
    for func, names, text in zip(funcs, watched, _after("sccp", texts), strict=True):
        values = {
            names[int(number)]: _constant(kind, value)
            for kind, number, value in re.findall(r"@watch_(\w+)\(i64 (\d+), \w+ ([^)]+)\)", text)
        }
        blocks = {func.blocks[int(n)].name for n in re.findall(r"@reached\(i64 (\d+)\)", text)}
        found.append((values, blocks))
    return found


def refuted(funcs: list[Func], pairs: list[list[tuple[str, str]]]) -> list[list[tuple[str, str]]]:
    """Which of these pairs of names LLVM's NewGVN does not find equal; of each pair the first dominates the second."""
    texts = [
        _translated(f"f{i}", func, [(second, (first, second)) for first, second in wanted])
        for i, (func, wanted) in enumerate(zip(funcs, pairs, strict=True))
    ]
    return [
        [
            wanted[int(number)]
            for number, a, b in re.findall(r"@same_\w+\(i64 (\d+), \w+ ([^,]+), \w+ ([^)]+)\)", text)
            if a != b
        ]
        for wanted, text in zip(pairs, _after("new_gvn", texts), strict=True)
    ]


def _after(name: str, texts: list[str]) -> list[str]:
    """The functions after one of LLVM's passes, as text.

    In a process of its own: NewGVN has assertions that fail on some programs, and LLVM then ends the process.
    """
    child = subprocess.run(
        [sys.executable, "-m", __name__, name],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert child.returncode == 0, f"LLVM stopped: {child.stderr}"
    results: list[str] = json.loads(child.stdout)
    return results


def _run_pass(name: str, texts: list[str]) -> list[str]:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(DECLARED + "".join(texts))
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes = llvm.create_new_function_pass_manager()
    getattr(passes, f"add_{name}_pass")()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    for i in range(len(texts)):
        passes.run(module.get_function(f"f{i}"), builder)
    return [str(module.get_function(f"f{i}")) for i in range(len(texts))]


def _definitions(func: Func) -> Iterator[tuple[str, str]]:
    """Block and name of every definition in it."""
    for block in func.blocks:
        for param in block.params:
            yield block.name, param
        for instr in block.body:
            if instr.dest is not None:
                yield block.name, instr.dest


def _translated(title: str, func: Func, watched: list[tuple[str, tuple[str, ...]]]) -> str:
    """A function as LLVM's text. `watched`: after the definition of the first, a call that is passed the names of the second."""
    types = infer_types(func).of
    copied = {i.dest: i.args[0] for b in func.blocks for i in b.body if i.op == "copy"}
    calls: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for number, (after, names) in enumerate(watched):
        calls.setdefault(after, []).append((number, names))
    index = {b.name: i for i, b in enumerate(func.blocks)}

    def shown(operand: Operand) -> str:
        while operand in copied:
            operand = copied[operand]  # type: ignore[index]
        if isinstance(operand, str):
            return f"%{operand.replace('.', '_')}"
        if not isinstance(operand, Const):
            return "undef"
        if operand.type == "float":
            return f"0x{struct.unpack('>Q', struct.pack('>d', operand.value))[0]:016X}"
        return str(operand)

    def watch(name: str) -> Iterator[str]:
        for number, names in calls.get(name, ()):
            kind = types[name]
            passed = ", ".join([f"{TYPE[kind]} {shown(n)}" for n in names])
            yield f"  call void @{'watch' if len(names) == 1 else 'same'}_{kind}(i64 {number}, {passed})"

    params = ", ".join([f"{TYPE[types[p]]} {shown(p)}" for p in func.params])
    # An entry of LLVM's has no predecessors.
    lines = [f"define void @{title}({params}) {{", "before:", "  br label %b0"]
    for block in func.blocks:
        lines.append(f"b{index[block.name]}:")
        for position, param in enumerate(block.params):
            operands = [
                f"[ {shown(t.args[position])}, %b{index[src]} ]"
                for src, _, t in func.edges()
                if t.block == block.name
            ]
            lines.append(f"  {shown(param)} = phi {TYPE[types[param]]} {', '.join(operands)}")
        lines.append(f"  call void @reached(i64 {index[block.name]})")
        for param in block.params:
            lines += watch(param)
        for instr in block.body:
            if instr.dest is None:
                continue
            if instr.op == "opaque":
                kind = types[instr.dest]
                lines.append(f"  {shown(instr.dest)} = call {TYPE[kind]} @opaque_{kind}()")
            elif instr.op != "copy":
                first = instr.args[0]
                kind = types[first] if isinstance(first, str) else first.type  # type: ignore[union-attr]
                if instr.op in COMPARE[kind]:
                    op = f"{'fcmp' if kind == 'float' else 'icmp'} {COMPARE[kind][instr.op]}"
                else:
                    op = BINARY[kind][instr.op]
                a, b = map(shown, instr.args)
                lines.append(f"  {shown(instr.dest)} = {op} {TYPE[kind]} {a}, {b}")
            lines += watch(instr.dest)
        targets = [f"label %b{index[t.block]}" for t in block.term.targets]
        if block.term.op == "return":
            lines.append("  ret void")
        elif block.term.op == "jump":
            lines.append(f"  br {targets[0]}")
        elif block.term.op == "branch":
            lines.append(f"  br i1 {shown(block.term.args[0])}, {', '.join(targets)}")
        else:
            choice = f"%choice{index[block.name]}"
            cases = " ".join([f"i64 {i}, {t}" for i, t in enumerate(targets[:-1])])
            lines += [f"  {choice} = call i64 @choose()", f"  switch i64 {choice}, {targets[-1]} [{cases}]"]
    return "\n".join([*lines, "}\n"])


def _constant(kind: str, text: str) -> Const | None:
    if text.startswith("%"):
        return None
    if kind == "bool":
        return Const("bool", text == "true")
    if kind == "int":
        return Const("int", int(text))
    bits = int(text, 16) if text.startswith("0x") else None
    value = float(text) if bits is None else struct.unpack(">d", struct.pack(">Q", bits))[0]
    return Const("float", value)


if __name__ == "__main__":
    print(json.dumps(_run_pass(sys.argv[1], json.load(sys.stdin))))
