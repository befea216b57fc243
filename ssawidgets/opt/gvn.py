"""Global value numbering: names that always have the same value, and one of them to stand for all.

Numbers come from `hash_numbering` (one pass over the dominator tree) or from `partition` (optimistic). Neither finds
all that the other does: hashing sees that phi(x, x) is x, partitioning that two counters of a loop are one.

Equal is not yet replaceable. A name may be read in place of another only where its definition dominates, and in
SSA form that is settled at definitions: if the leader's definition dominates the definition of x, it dominates
every use of x. So one walks the dominator tree, and the first name of a number on the way down is its *leader* for the
whole subtree. Names of one number in sibling subtrees have different leaders, and stay both. A constant leads its number everywhere.

What a leader replaces is not computed any more. That is also right for what may trap: the leader has computed the same before, and not
trapped. Between the two the leader cannot have changed; both belong to the same round of every loop around them
(Alpern, Wegman, Zadeck 1988, theorem 1).
Not done: moving code up to where it would dominate (that is partial redundancy elimination), and what branches tell ("c is true here").
Unreachable blocks: in no result, and dropped from the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ssawidgets.analysis import dominators
from ssawidgets.ir import Block, Func, Operand
from ssawidgets.opt.hash_numbering import hash_numbers
from ssawidgets.opt.partition import partition_numbers
from ssawidgets.opt.precondition import require_ssa
from ssawidgets.opt.rewrite import rewrite

Method = Literal["hash", "partition"]

METHODS: Final = {"hash": hash_numbers, "partition": partition_numbers}


def value_numbers(func: Func, method: Method = "hash") -> dict[str, int]:
    """Number the names of a function so that names with one number are always equal, counting from 0 in block order.

    `method` is "hash" or "partition". Raises `ValueError` for an unknown method, and for a function that is not in
    SSA form, naming the rule broken.

    >>> from ssawidgets import parse
    >>> value_numbers(parse("func f(a, b):\\n0:\\n  x = a + b\\n  y = ?\\n  z = b + a"))
    {'a': 0, 'b': 1, 'x': 2, 'y': 3, 'z': 2}
    """
    numbers = _numbers(func, method)
    names = [*func.params]
    for block in func.blocks:
        if block.name in func.cfg.reachable:
            names += _defined(block)
    in_order: dict[int, int] = {}
    return {name: in_order.setdefault(numbers[name], len(in_order)) for name in names}


def gvn(func: Func, method: Method = "hash") -> Func:
    """Let one name, or a constant, stand for all names of equal value that its definition dominates.

    `method` is "hash" or "partition". Raises `ValueError` for an unknown method, and for a function that is not in
    SSA form, naming the rule broken.

    >>> from ssawidgets import parse
    >>> print(gvn(parse("func f(a, b):\\n0:\\n  x.1 = a + b\\n  y.1 = b + a\\n  z.1 = y.1 - x.1\\n  return z.1")))
    func f(a, b):
    0:
      x.1 = a + b
      z.1 = x.1 - x.1
      return z.1
    <BLANKLINE>
    """
    #: numbers first, then leaders, then each name gives way to its leader
    stands_for = leaders(func, _numbers(func, method))
    return rewrite(func, stands_for, gone=stands_for)


def leaders(func: Func, numbers: dict[Operand, int]) -> dict[str, Operand]:
    """Return for every name that can be replaced what stands for it: a name whose definition dominates, or a constant."""
    #: constants and parameters lead their numbers everywhere
    tree = dominators(func)
    leader: dict[int, Operand] = {numbers[a]: a for a in numbers if not isinstance(a, str)}
    leader |= {numbers[param]: param for param in func.params}
    stands_for: dict[str, Operand] = {}
    # On the stack: a block to enter, or the numbers that lose their leader when its subtree is left.
    walk: list[int | list[int]] = [0]
    #: a walk down the dominator tree: is a block left?
    while walk:
        #: next on the walk: a block to enter, or a subtree that is left
        step = walk.pop()
        #: is a subtree left?
        if isinstance(step, list):
            #: the subtree is left, and with it its leaders
            for number in step:
                #: number {number} has no leader any more
                del leader[number]
            #: back to the walk
            continue
        #: a block: which of its names have a leader above?
        led: list[int] = []
        for name in _defined(func.blocks[step]):
            #: {name} has the number {number}
            number = numbers[name]
            #: has number {number} a leader on the way down to {name}?
            if number in leader:
                #: the leader of number {number} dominates {name} and stands for it
                stands_for[name] = leader[number]
            else:
                #: {name} is the first with number {number} on this way down the tree
                leader[number] = name
                led.append(number)
        #: then the blocks it immediately dominates
        walk.append(led)
        walk += reversed(tree.child_ids[step])
    return stands_for


def _numbers(func: Func, method: Method) -> dict[Operand, int]:
    if method not in METHODS:
        raise ValueError(f"no method {method!r}; there are: {', '.join(METHODS)}")
    require_ssa(func)
    return METHODS[method](func)


def _defined(block: Block) -> Iterator[str]:
    yield from block.params
    yield from [instr.dest for instr in block.body if instr.dest is not None]
