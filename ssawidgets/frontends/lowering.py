"""What the emitters of LLVM, MLIR, SPIR-V and Cranelift's notation share: types, signatures, names, and the shape of the graph.

All four formats want more than our notation asks of a program:

- every value and every function has a type: `Typed` infers them (`ir.types`), and finds out what functions return;
- the entry has no predecessors: `ready` puts a block `start` in front of one that has;
- a phi has one operand for each predecessor, so two parallel edges cannot pass different values: `ready` puts a block on
  each of them where the format has phis (LLVM, SPIR-V); block arguments (MLIR, Cranelift) can say it as it is;
- there is no copy: `resolved` says what each copied name stands for (SPIR-V alone has an `OpCopyObject`);
- a block stands after the one that dominates it, as SPIR-V requires; else the order is the source's. Unreachable blocks are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ssawidgets.analysis import dominators
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Program, Target, Term
from ssawidgets.ir.model import INT_MAX, INT_MIN, TYPES, Type
from ssawidgets.ir.names import edge_block, fresh
from ssawidgets.ir.text import short
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.operators import SIGNATURES
from ssawidgets.opt.precondition import require_ssa
from ssawidgets.ssa.verify import verify

#: Calls that an emitted program makes into its surroundings when it cannot go on, and the reason that `run` gives.
TRAPS = {
    "trap.division_by_zero": "division by zero",
    "trap.shift": "shift by",
    "trap.char": "int2char of",
    "trap.alloc": "alloc of",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """The types a function takes, and the one it returns (None: it returns nothing)."""

    params: tuple[Type, ...]
    result: Type | None


def program_of(given: object) -> Program:
    """Return a Program as it is, a Func as a program of one. Raises `TypeError` for anything else."""
    if isinstance(given, Program):
        if not given.funcs:
            raise ValueError("the program has no functions")
        return given
    if isinstance(given, Func):
        return Program((given,))
    raise TypeError(
        f"expected a Func or a Program, not {type(given).__name__}; sw.parse, sw.parse_program and sw.from_python make them"
    )


class Typed:
    """A program with the type of every variable and the signature of every function, also of those that it only calls."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.of: dict[str, Mapping[str, Type]] = {}
        for func in program.funcs:
            # What is called tells its result's type; a function without calls needs no look at the others.
            calls = any(i.op == "call" for b in func.blocks for i in b.body)
            types = infer_types(func, program if calls else None)
            # What is read and nowhere defined has no value, which all formats can say.
            malformed = [p for p in verify(func, ssa=False) if p.rule != "undefined"]
            for problem in (*malformed, *types.problems):
                raise ValueError(
                    f"{func.name} cannot be emitted: block {problem.block}: {problem.message}; {problem.hint}"
                )
            self.of[func.name] = types.of
        self.signatures = {f.name: Signature(f.param_types, self._returned(f)) for f in program.funcs}
        self.outside: dict[str, Signature] = {}
        for func in program.funcs:
            for block in func.blocks:
                for instr in block.body:
                    if instr.op == "call":
                        self._check_call(func, block, instr)

    def type_of(self, func: Func, operand: Operand, default: Type = "int") -> Type:
        """Return an operand's type; undef has the type its place asks for, `default`."""
        if isinstance(operand, str):
            return self.of[func.name][operand]
        return operand.type if isinstance(operand, Const) else default

    def signature(self, name: str) -> Signature:
        """Return the signature of a function of the program, or of one that it calls."""
        return self.signatures[name] if name in self.signatures else self.outside[name]

    def operand_type(self, func: Func, instr: Instr) -> Type:
        """Return the type of an operator's operands: of the first that has one."""
        known = [self.type_of(func, a) for a in instr.args if isinstance(a, str | Const)]
        if known:
            return known[0]
        # Only undef: any type will do that gives a result of the right one.
        result = self.of[func.name][instr.dest or ""]
        return next(kind for kind, given in SIGNATURES[instr.op].items() if given == result)

    def _returned(self, func: Func) -> Type | None:
        found: Type | None = None
        for block in func.blocks:
            if block.term.op == "return" and block.term.args:
                operand = block.term.args[0]
                if operand is not UNDEF:
                    return self.type_of(func, operand)
                found = "int"
        return found

    def _check_call(self, func: Func, block: Block, instr: Instr) -> None:
        name = instr.callee or ""
        types = tuple([self.type_of(func, a) for a in instr.args])
        result = None if instr.dest is None else self.of[func.name][instr.dest]
        have = self.signatures.get(name)
        if have is None:
            have = self.outside.setdefault(name, Signature(types, result))
            if have.result is None and result is not None:
                have = self.outside[name] = Signature(have.params, result)
        where = f"{func.name}, block {block.name}: {instr}"
        if len(have.params) != len(types):
            raise ValueError(f"{where} passes {len(types)} values to {name}, which takes {len(have.params)}")
        for position, (wanted, got) in enumerate(zip(have.params, types, strict=True), start=1):
            if wanted != got and instr.args[position - 1] is not UNDEF:
                raise ValueError(
                    f"{where} passes a {got} as value {position} of {name}, which takes a {wanted}"
                )
        if result is not None and have.result not in (None, result):
            raise ValueError(f"{where} expects a {result} from {name}, which returns a {have.result}")


def ready(func: Func, phis: bool) -> Func:
    """Return a function in SSA form in the shape that the formats want; with `phis`, for phis rather than block arguments.

    Raises `ValueError` for a function that is not in SSA form, naming the rule broken and `to_ssa`.

    >>> from ssawidgets import parse
    >>> print(ready(parse("a(): \\n  c = 1\\n  if c goto a else a"), phis=True))
    func main():
    start:
    a:
      c = 1
      if c goto a else a
    <BLANKLINE>
    """
    require_ssa(func)
    blocks = [func.block(b) for b in _dominators_first(func)]
    taken = set(func.cfg.blocks)
    if any(t.block == func.entry for b in blocks for t in b.term.targets):
        front = Block(fresh("start", taken), (), (), Term("jump", (), (Target(func.entry),), written=False))
        taken.add(front.name)
        blocks.insert(0, front)
    if phis:
        blocks = [made for b in blocks for made in _with_edge_blocks(b, taken)]
    return func.with_blocks(tuple(blocks))


def _dominators_first(func: Func) -> list[str]:
    """The reachable blocks in the order of the source, but none before its immediate dominator."""
    idom = dominators(func).idom
    placed: dict[str, None] = {}
    for block in func.blocks:
        chain: list[str] = []
        above: str | None = block.name if block.name in idom else None
        while above is not None and above not in placed:
            chain.append(above)
            above = idom[above]
        placed.update(dict.fromkeys(reversed(chain)))
    return list(placed)


def _with_edge_blocks(block: Block, taken: set[str]) -> list[Block]:
    """The block, and one on each of its edges parallel to an earlier one with other values."""
    passed: dict[str, tuple[Operand, ...]] = {}
    targets: list[Target] = []
    made: list[Block] = []
    for target in block.term.targets:
        if passed.setdefault(target.block, target.args) == target.args:
            targets.append(target)
            continue
        name = edge_block(block.name, target.block, taken)
        taken.add(name)
        made.append(Block(name, (), (), Term("jump", (), (target,), written=False)))
        targets.append(Target(name))
    return [
        Block(block.name, block.params, block.body, block.term.with_names(block.term.args, tuple(targets))),
        *made,
    ]


def resolved(func: Func) -> dict[str, Operand]:
    """Return what every name stands for that a copy defines, in a function in SSA form: a name without a copy, or a constant.

    A block stands after its dominators (see `ready`), so what is copied is known before.

    >>> from ssawidgets import parse
    >>> resolved(parse("a:\\n  x = ?\\n  y = x\\n  z = y\\n  k = 3"))
    {'y': 'x', 'z': 'x', 'k': Const(type='int', value=3)}
    """
    stands: dict[str, Operand] = {}
    for block in func.blocks:
        for instr in block.body:
            if instr.op == "copy" and instr.dest is not None:
                source = instr.args[0]
                stands[instr.dest] = stands.get(source, source) if isinstance(source, str) else source
    return stands


class Names:
    """Names given out so that none is given twice; a number is put behind one that is taken.

    >>> names = Names(["x"], between="_")
    >>> names.new("x"), names.new("x"), names.new("y")
    ('x_1', 'x_2', 'y')
    """

    def __init__(self, taken: Iterable[str] = (), between: str = ".") -> None:
        self.taken = set(taken)
        self.between = between
        self.counts: dict[str, int] = {}  # where to go on, so that many names of one stem cost no more

    def new(self, wanted: str) -> str:
        """Return `wanted` if it is free, else with the first number that makes it so, and keep it."""
        name = wanted
        while name in self.taken:
            self.counts[wanted] = self.counts.get(wanted, 0) + 1
            name = f"{wanted}{self.between}{self.counts[wanted]}"
        self.taken.add(name)
        return name


def note_on_ints(funcs: Iterable[Func]) -> str | None:
    """Say, where it is so, that ints without bound become ints of 64 bits that wrap."""
    unbounded = [f.name for f in funcs if f.ints == "python"]
    if not unbounded:
        return None
    return f"ints of {', '.join(unbounded)} are unbounded in Python; here they have 64 bits and wrap"


def int64(value: int, where: str) -> int:
    """Return an int that fits 64 bits; raises `ValueError` for one that does not, as a Func from Python may hold.

    >>> int64(2**64, "f")
    Traceback (most recent call last):
    ValueError: f: 18446744073709551616 does not fit the 64 bits of an int here
    """
    if not INT_MIN <= value <= INT_MAX:
        raise ValueError(f"{where}: {short(value)} does not fit the 64 bits of an int here")
    return value


def is_ssa(func: Func) -> bool:
    """Say whether a function is in SSA form."""
    return not verify(func)


def kinds_in(name: str) -> tuple[Type, ...]:
    """Return the types in the name of a function that prints or observes.

    >>> kinds_in("print.int.bool"), kinds_in("use")
    (('int', 'bool'), ())
    """
    return tuple([kind for part in name.split(".")[1:] for kind in TYPES if kind == part])
