"""LLVM assembly in: the text is read (`syntax`), checked as LLVM would (`checks`) and translated (`translate`)."""

from __future__ import annotations

from typing import Literal

from ssawidgets.frontends.llvm.checks import check_function, refuse
from ssawidgets.frontends.llvm.lexer import LlvmError
from ssawidgets.frontends.llvm.syntax import read_module
from ssawidgets.frontends.llvm.translate import CellSize, Translation, own_helper
from ssawidgets.ir import Func, Program


def from_llvm(ir: str, allocas: Literal["variables", "memory"] = "variables") -> Func | Program:
    """Read LLVM assembly: a `Func`, or a `Program` where the module defines several functions.

    Values are i64, double, i1, ptr, and narrower ints, which wrap as theirs do; blocks end in br, switch, ret or unreachable. A
    phi is a block parameter. A stack cell whose address nothing else uses is the variable it stands for, as clang -O0 writes them,
    or with `allocas="memory"` a cell, for `promote` to find out. Names are kept where the notation can write them. Raises `LlvmError`
    with line and column for what is malformed or has no counterpart here, `TypeError` for anything but a string.
    Source: the LLVM Language Reference.

    >>> print(from_llvm('''
    ... define i64 @down(i64 %n) {
    ... entry:
    ...   br label %head
    ... head:
    ...   %i = phi i64 [ %n, %entry ], [ %less, %head ]
    ...   %less = add nsw i64 %i, -1
    ...   %more = icmp sgt i64 %less, 0
    ...   br i1 %more, label %head, label %exit
    ... exit:
    ...   ret i64 %i
    ... }'''))
    func down(n):
    entry:
      goto head
    head:
      i = phi(entry: n, head: less)
      less = i + -1
      more = less > 0
      if more goto head else exit
    exit:
      return i
    <BLANKLINE>
    """
    if not isinstance(ir, str):
        raise TypeError(f"expected LLVM assembly as a string, not {type(ir).__name__}")
    if allocas not in ("variables", "memory"):
        raise ValueError(f'allocas is "variables" or "memory", not {allocas!r}')
    functions = read_module(ir)
    memory = CellSize()
    made: dict[str, Func] = {}
    for function in functions:
        if own_helper(function):
            continue
        check_function(function)
        func = Translation(function, memory, allocas == "variables").result()
        if func.name in made:
            refuse(
                function.token,
                f"a second function is named {func.name}",
                "give every function a name of its own",
            )
        made[func.name] = func
    memory.refuse_overlaps()
    if not made:
        raise LlvmError("no function is defined here", 1, 1, "", "define i64 @f(i64 %n) { … }")
    found = list(made.values())
    return found[0] if len(found) == 1 else Program(tuple(found))
