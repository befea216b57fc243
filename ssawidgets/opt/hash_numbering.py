"""Value numbering by hashing, over the dominator tree.

Blocks are visited in preorder of the dominator tree, with a table from expressions to numbers. An expression is an operator
with the *numbers* of its operands; if it is in the table, a dominating instruction has computed it already, and the new
name gets that number. The table is *scoped*: what a block enters is forgotten when its subtree is left, so a number never
comes from a block that does not dominate (`a + b` in both arms of a branch has two numbers).

Phis: one that has equal operands in the same block as another is *redundant* and gets that one's number. One whose
operands all have one number (itself aside) is *meaningless* and gets that number. The operand of a back edge has no number
yet and is then equal to nothing but its own name: the method is pessimistic, and so does not see that
two counters of a loop move together (`partition` does).

Source: Briggs, Cooper, Simpson, "Value Numbering", Software: Practice and Experience 27(6), 1997, figure 4 (dominator-tree value
numbering), with children of a block in reverse postorder as they ask: the forward edges into a block then all
come from blocks visited before. Deviations: nothing is simplified or folded; the walk is a stack, not a recursion; replacing is
`gvn`'s business.
Invariant: all names of one number stand below the first of them in the dominator tree.
Cost: the size of the program. Unreachable blocks: in no result.
"""

from __future__ import annotations

from collections.abc import Hashable

from ssawidgets.analysis import dominators
from ssawidgets.ir import Block, Func, Operand
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.expressions import COMMUTATIVE, operator_and_operands
from ssawidgets.opt.rewrite import phi_operands


def hash_numbers(func: Func) -> dict[Operand, int]:
    """Number the values of a function in SSA form: names and constants with one number are equal.

    >>> from ssawidgets import parse
    >>> hash_numbers(parse("func f(a, b):\\n0:\\n  x = a + b\\n  y = b + a\\n  z = y"))
    {'a': 0, 'b': 1, 'x': 2, 'y': 2, 'z': 2}
    """
    #: no name has a number yet
    tree = dominators(func)
    order = {b: i for i, b in enumerate(func.cfg.rpo_ids)}
    operands_of = phi_operands(func)
    types = infer_types(func).of  # undef has no type of its own: undef + undef as int is not the one as float
    numbers: dict[Operand, int] = {}
    table: dict[Hashable, int] = {}  # expression -> number, for what dominates the place where the walk is

    def new_number() -> int:
        return len(numbers)  # not used before: each name or constant brings one number at most

    def number_of(operand: Operand) -> int:
        if operand not in numbers:  # a constant, or undef
            numbers[operand] = new_number()
        return numbers[operand]

    def number_phi(param: str, block: str) -> Hashable:
        """Number a phi; returns the expression that it enters into the table, None without one."""
        # What has no number yet comes along a back edge and stands for itself.
        #: the numbers of what the edges pass for {param}
        operands = [
            a if isinstance(a, str) and a not in numbers else number_of(a) for a in operands_of[param]
        ]
        #: besides itself {param} merges {others}
        others = {a for a in operands if a != param}
        if len(others) == 1 and isinstance(only := next(iter(others)), int):
            #: {param} is meaningless: all its operands have one number
            numbers[param] = only
            return None
        return enter(param, ("phi", types[param], block, *operands))

    def enter(name: str, expression: Hashable) -> Hashable:
        """Give a name its expression's number; returns the expression if it is new."""
        #: {expression}: was that computed before, in a block that dominates?
        if expression in table:
            #: {name} was computed before: {expression}
            numbers[name] = table[expression]
            return None
        #: {name} is new
        table[expression] = numbers[name] = new_number()
        return expression

    def number_block(block: Block) -> list[Hashable]:
        """Number what a block defines; returns what it has entered into the table."""
        #: {block}: first its phis
        entered = [number_phi(param, block.name) for param in block.params]
        #: {block}: instruction by instruction
        for instr in block.body:
            #: {instr}: does it define a name?
            if instr.dest is None:
                continue
            #: is it a copy, an operator, or something that is equal to nothing else?
            computed = operator_and_operands(instr)
            if instr.op == "copy":
                #: a copy has the number of what it copies
                numbers[instr.dest] = number_of(instr.args[0])
            #: is it a call, a load or the like?
            elif computed is None:
                #: equal to nothing else: a new number
                numbers[instr.dest] = new_number()
            else:
                #: an operator, and the numbers of its operands
                op, args = computed
                keys = [number_of(a) for a in args]
                ordered = sorted(keys) if op in COMMUTATIVE else keys
                entered.append(enter(instr.dest, (op, types[instr.dest], *ordered)))
        return [e for e in entered if e is not None]

    #: every parameter is a value of its own
    for param in func.params:
        #: {param} gets a number of its own
        numbers[param] = new_number()
    walk: list[int | list[Hashable]] = [0]  # a block to number, or what to forget when its subtree is left
    #: a walk down the dominator tree: is a block left?
    while walk:
        #: next on the walk: a block to number, or a subtree that is left
        step = walk.pop()
        #: is a subtree left?
        if isinstance(step, list):
            #: the subtree is left: forget what its blocks computed
            for expression in step:
                #: {expression} is forgotten
                del table[expression]
            #: back to the walk
            continue
        #: the block is numbered; then the blocks that it immediately dominates
        walk.append(number_block(func.blocks[step]))
        children = sorted(tree.child_ids[step], key=order.__getitem__)
        walk += reversed(children)
    return numbers
