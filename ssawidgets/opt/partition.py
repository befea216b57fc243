"""Value numbering by partitioning: names are equal until something tells them apart.

At first all names computed by the same operator are in one class, all phis of one block too. Two names of a class must
then be separated if their operands, in one position, are in different classes; that splits the class, which can
separate what uses its members, and so on. What is left when nothing splits any more is the coarsest partition consistent with
the program. It is *optimistic*: i and j with i = phi(0, i + 1) and j = phi(0, j + 1) are equal because nothing tells
them apart, which no method can see that first wants to know the operand of the back edge.

Source: Alpern, Wegman, Zadeck, "Detecting Equality of Variables in Programs" (POPL 1988), with the refinement of Hopcroft, "An n log n
Algorithm for Minimizing States in a Finite Automaton" (1971): a class on the worklist is a *splitter*; it splits every class of
which some members use it in a position and others do not. Of a class that was split and is not on the worklist, all
parts but the largest are put there, since separating by those separates by the last one too.
Deviations. Commutative operators are recognised: both operands count as one position, and members are told apart by *how
often* they use the splitter there (0, 1 or 2 times). Copies are what they copy, before it all starts.
It ends: a class is split a finite number of times. A name is in a splitter at most log n times, which gives O(e log n) for e operands.
The result does not depend on the order of the worklist. Not found: phi(x, x) is x (`hash_numbering` knows).
Unreachable blocks: in no result.

`coarsest_by_rounds` beside it splits all classes by their operands' classes, over and over: plain, and quadratic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

from ssawidgets.ir import Func, Operand
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.expressions import COMMUTATIVE, operator_and_operands
from ssawidgets.opt.rewrite import phi_operands

#: Where an operand stands: its index, or this for both operands of a commutative operator.
EITHER = -1


@dataclass(frozen=True)
class ValueGraph:
    """Values and what they are computed from.

    `value_of` gives every name, constant and undef its value, copies the value of what they copy; a value has a `label`
    (what computes it) and `operands`, pairs of a position and a value.
    """

    value_of: dict[Operand, int]
    labels: list[tuple[Hashable, ...]]
    operands: list[list[tuple[int, int]]]


def value_graph(func: Func) -> ValueGraph:
    """Build the value graph of a function in SSA form.

    >>> from ssawidgets import parse
    >>> graph = value_graph(parse("func f(a):\\n0:\\n  x = a - 1\\n  y = x\\n  z = y + a"))
    >>> graph.value_of
    {'a': 0, 'x': 1, 'y': 1, 'z': 2, Const(type='int', value=1): 3}
    >>> graph.operands[2]
    [(-1, 1), (-1, 0)]
    """
    value_of: dict[Operand, int] = {}
    labels: list[tuple[Hashable, ...]] = []
    operands_of: list[tuple[Operand, ...]] = []

    types = infer_types(func).of  # undef has no type of its own: undef + undef as int is not the one as float

    def add(operand: Operand, label: tuple[Hashable, ...], operands: tuple[Operand, ...] = ()) -> None:
        value_of[operand] = len(labels)
        labels.append(label)
        operands_of.append(operands)

    for param in func.params:
        add(param, ("itself", param))
    phis = phi_operands(func)
    # Dominators first, so that what is copied has its value before the copy.
    for name in func.cfg.reverse_postorder:
        block = func.block(name)
        for param in block.params:
            add(param, ("phi", types[param], name), phis[param])
        for instr in block.body:
            if instr.dest is None:
                continue
            computed = operator_and_operands(instr)
            if instr.op == "copy":
                source = instr.args[0]
                if source not in value_of:
                    add(source, ("constant", source))
                value_of[instr.dest] = value_of[source]
            elif computed is None:
                add(instr.dest, ("itself", instr.dest))
            else:
                op, args = computed
                add(instr.dest, (op, types[instr.dest]), args)
    for operand in [a for operands in operands_of for a in operands]:
        if operand not in value_of:
            add(operand, ("constant", operand))
    positions = [
        [(EITHER if label[0] in COMMUTATIVE else i, value_of[a]) for i, a in enumerate(operands)]
        for label, operands in zip(labels, operands_of, strict=True)
    ]
    return ValueGraph(value_of, labels, positions)


def partition_numbers(func: Func) -> dict[Operand, int]:
    """Number the values of a function in SSA form: names and constants with one number are equal.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\na:\\n  goto l(0, 0)\\nl(i, j):\\n  i2 = i + 1\\n  j2 = 1 + j\\n  if n goto l(i2, j2) else b\\nb:\\n  return i")
    >>> numbers = partition_numbers(f)
    >>> numbers["i"] == numbers["j"], numbers["i2"] == numbers["j2"], numbers["i"] == numbers["i2"]
    (True, True, False)
    """
    #: a value for every name and constant, then the coarsest partition
    graph = value_graph(func)
    class_of = coarsest(graph)
    return {operand: class_of[value] for operand, value in graph.value_of.items()}


def coarsest(graph: ValueGraph) -> list[int]:
    """Return the class of every value in the coarsest partition in which equals have equal operands (Hopcroft)."""
    #: who uses each value, and in which position?
    users: list[list[tuple[int, int]]] = [[] for _ in graph.labels]  # of a value: (position, user)
    for user, operands in enumerate(graph.operands):
        #: value {user} uses {operands}
        for position, value in operands:
            #: value {value} is used by value {user}
            users[value].append((position, user))
    #: at first all values computed by the same operator are in one class
    by_label: dict[Hashable, int] = {}
    class_of = [by_label.setdefault(label, len(by_label)) for label in graph.labels]
    members: list[dict[int, None]] = [{} for _ in by_label]  # ordered sets
    #: which values are in which class?
    for value, number in enumerate(class_of):
        #: value {value} is in class {number}
        members[number][value] = None

    #: every class may split others
    worklist = dict.fromkeys(range(len(members)))
    #: is a class left to split others by?
    while worklist:
        #: split by class {splitter}: who uses its members, and how often?
        splitter, _ = worklist.popitem()
        # How often each value uses a member of the splitter in each position.
        uses: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for value in members[splitter]:
            #: value {value} is a member of class {splitter}: who uses it?
            for position, user in users[value]:
                #: value {user} uses a member of class {splitter}
                uses[position][user] += 1
        #: position by position
        for counts in uses.values():
            #: values {counts} use the class {splitter} so often: are all members of a class alike in this?
            groups: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
            for user, count in counts.items():
                #: value {user} uses class {splitter} {count} times
                groups[class_of[user]][count].append(user)
            for number, by_count in groups.items():
                #: class {number} falls into {parts} and those that do not use class {splitter}
                parts = list(by_count.values())
                #: does every member of class {number} use it?
                if sum(map(len, parts)) == len(members[number]):
                    #: yes: the largest part keeps the number
                    parts.remove(
                        max(parts, key=len)
                    )  # no member without a use: the largest part keeps the number
                #: what is left of class {number}
                new = [number]
                for part in parts:
                    #: {part} is split off from class {number}
                    new.append(len(members))
                    members.append(dict.fromkeys(part))
                    for value in part:
                        #: value {value} moves to the new class
                        class_of[value] = new[-1]
                        del members[number][value]
                #: was class {number} still to split others?
                if number not in worklist:
                    #: no: then splitting by all parts but the largest is enough
                    new.remove(max(new, key=lambda n: len(members[n])))
                #: {new} may split others now
                worklist.update(dict.fromkeys(new))
    return class_of


def coarsest_by_rounds(graph: ValueGraph) -> list[int]:
    """Return the same partition by splitting all classes at once, round after round, until none splits."""
    class_of: list[int] = [0] * len(graph.labels)
    count = 0
    keys: list[Hashable] = list(graph.labels)
    while len(set(keys)) > count:
        numbers: dict[Hashable, int] = {}
        class_of = [numbers.setdefault(key, len(numbers)) for key in keys]
        count = len(numbers)
        #: {count} classes: do their members have operands of the same classes?
        keys = [
            (class_of[value], *sorted([(position, class_of[a]) for position, a in operands]))
            for value, operands in enumerate(graph.operands)
        ]
    return class_of
