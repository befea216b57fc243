"""Instances that are programs: `(code, succs, entry)` as plain data, from the smallest up.

THE SHAPE, which students' functions receive and return:

- `code` maps every block to its list of instructions, each a tuple `(dest, op, args)`. `dest` is the name it
  defines, or None. `args` is a tuple of names (strings), numbers (ints, floats, bools: constants) or None (undef).
- The last instruction of a block is its terminator, `(None, op, args)`: `"jump"`, `"branch"` on one value,
  `"choose"` (which way is not stated), `"switch"` on a value and then its cases as ints, `"return"` of nothing or
  of one value. Where it leads stands in `succs[block]`, in order: true before false, cases before the default.
- `succs` and `entry` are those of a graph (`teach.graphs`): every block is a key. A successor may stand twice.
- A function's parameters are defined at the top of the entry: `("n", "param", ())`.
- A phi stands at the top of its block; its args are a dict, predecessor -> name, number or None:
  `("x.3", "phi", {"1": "x.1", "4": "x.2"})`.

Other ops are those of `ssawidgets.ir.Instr`: `"copy"`, the operators (`"+"`, `"<"`, …), `"neg"`, `"not"`, `"use"`,
`"print"`; `("x", "?", (4,))` defines x by something not stated, whose site has the number 4 (keep it: a run draws
its value from it).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Any

from ssawidgets.interp import Outcome, difference, run
from ssawidgets.ir import UNDEF, Block, Cfg, Const, Func, Instr, Operand, Target, Term, cfg
from ssawidgets.ir.families import random_cfg
from ssawidgets.ir.model import BINARY, COMPARISONS, const
from ssawidgets.ir.names import is_label
from ssawidgets.ssa import verify
from ssawidgets.teach.graphs import LISTED, Graph, plain_graph, predecessors, up_to_renaming
from ssawidgets.teach.inside import plain
from ssawidgets.teach.shapes import cut

PlainInstr = tuple[str | None, str, Any]
Code = dict[str, list[PlainInstr]]
ProgramArgs = tuple[Code, Graph, str]

TERMINATORS = ("jump", "branch", "choose", "switch", "return")
#: op -> how many operands it takes; None: any number.
OPERANDS: Mapping[str, int | None] = {
    **dict.fromkeys(BINARY, 2),
    **dict.fromkeys(("copy", "neg", "not"), 1),
    **dict.fromkeys(("use", "print"), None),
    "nop": 0,
}
_NO_RESULT = ("use", "print", "nop")
#: Random programs after the small ones.
RANDOM = 120
#: Seeds on which two programs are run to compare them, and the steps a run may take.
RUNS, FUEL = 3, 60


# -- there and back ---------------------------------------------------------------------------------------


def plain_program(func: Func) -> ProgramArgs:
    """Return a `Func` as plain data, block parameters written as phis.

    Raises `ValueError` for what the shape has no word for: calls, memory, chars, parameters that are no ints, a
    phi whose parallel edges pass different values.

    >>> from ssawidgets.ir import parse
    >>> code, succs, entry = plain_program(parse("func f(n):\\na:\\n  x = n + 1\\n  goto b\\nb:\\n  return x"))
    >>> code["a"]
    [('n', 'param', ()), ('x', '+', ('n', 1)), (None, 'jump', ())]
    """
    if any(kind != "int" for kind in func.param_types):
        raise ValueError("only functions with int parameters have a plain form")
    incoming: dict[str, dict[str, tuple[Operand, ...]]] = {b.name: {} for b in func.blocks}
    for block in func.blocks:
        for target in block.term.targets:
            before = incoming[target.block].setdefault(block.name, target.args)
            if before != target.args:
                raise ValueError(f"the edges from {block.name} to {target.block} pass different values")
    code: Code = {}
    for block in func.blocks:
        rows: list[PlainInstr] = []
        if block.name == func.entry:
            rows += [(p, "param", ()) for p in func.params]
        for i, param in enumerate(block.params):
            rows.append((param, "phi", {p: _plain(args[i]) for p, args in incoming[block.name].items()}))
        rows += map(_plain_instr, block.body)
        values = tuple([_plain(a) for a in block.term.args]) + block.term.cases
        rows.append((None, block.term.op, values))
        code[block.name] = rows
    succs, entry = plain_graph(func.cfg)
    return {b: code[b] for b in succs}, succs, entry


def _plain(operand: Operand) -> Any:
    if isinstance(operand, Const):
        if operand.type not in ("int", "float", "bool"):
            raise ValueError(f"{operand} has no plain form")
        return operand.value
    return operand if isinstance(operand, str) else None


def _plain_instr(instr: Instr) -> PlainInstr:
    if instr.op == "opaque":
        return (instr.dest, "?", (instr.site or 0,))
    if instr.op not in OPERANDS:
        raise ValueError(f"{instr} has no plain form")
    return (instr.dest, instr.op, tuple([_plain(a) for a in instr.args]))


def to_func(code: Code, succs: Graph, entry: str, name: str = "f") -> Func:
    """Return the `Func` that a plain program stands for; it may still break rules of SSA, which `verify` finds.

    Raises `ValueError` saying what is no program and where. The entry comes first, whatever its place in the dict.

    >>> print(to_func({"0": [("x", "copy", (1,)), (None, "return", ("x",))]}, {"0": []}, "0"))
    func f():
    0:
      x = 1
      return x
    <BLANKLINE>
    """
    problem = code_problem(code, succs, entry)
    if problem is not None:
        raise ValueError(problem)
    params: list[str] = []
    phis: dict[str, list[tuple[str, Mapping[str, Any]]]] = {b: [] for b in succs}
    bodies: dict[str, list[Instr]] = {b: [] for b in succs}
    terms: dict[str, PlainInstr] = {}
    for block in succs:
        for dest, op, args in code[block]:
            if op == "param":
                params.append(str(dest))
            elif op == "phi":
                phis[block].append((str(dest), args))
            elif op in TERMINATORS:
                terms[block] = (dest, op, args)
            elif op == "?":
                bodies[block].append(Instr(dest, "opaque", site=args[0] if args else None))
            else:
                bodies[block].append(Instr(dest, op, tuple([_operand(a) for a in args])))
    made = []
    for block in [entry, *(b for b in succs if b != entry)]:
        _, op, args = terms[block]
        targets = [Target(t, tuple([_operand(a[block]) for _, a in phis[t]])) for t in succs[block]]
        cases = args[1:] if op == "switch" else ()
        values = args[:1] if op == "switch" else args
        term = Term(op, tuple([_operand(a) for a in values]), tuple(targets), tuple(cases))
        made.append(Block(block, tuple([d for d, _ in phis[block]]), tuple(bodies[block]), term))
    return Func(name, tuple(params), tuple(made))


def _operand(value: Any) -> Operand:
    if value is None:
        return UNDEF
    return value if type(value) is str else const(value)


def code_problem(code: Any, succs: Graph, entry: str) -> str | None:
    """Say what keeps `code` from being the code of the graph `(succs, entry)`; None when it is a program.

    Looks at the form only: `ssa_problems` says whether it is SSA.

    >>> code_problem({"0": [("x", "copy", (1,))]}, {"0": []}, "0")
    'block 0 does not end in a terminator (jump, branch, choose, switch, return)'
    """
    if type(code) is not dict:
        return f"the code is {plain.type_name(code)}; it is a dict {{block: list of instructions}}"
    for block in succs:
        if block not in code:
            return f"block {block} has no code; every block of the graph is a key"
    preds = {b: list(dict.fromkeys(row)) for b, row in predecessors(succs).items()}
    for block, rows in code.items():
        if block not in succs:
            return f"there is no block {cut(plain.show(block))} in the graph"
        if type(rows) is not list:
            return f"the code of block {block} is {plain.type_name(rows)}; it is a list of instructions"
        at_top = True
        for i, row in enumerate(rows):
            problem = _row_problem(row, block, preds[block], block == entry)
            if problem is not None:
                return f"block {block}, instruction {i + 1}: {problem}"
            at_top = at_top and row[1] in ("phi", "param")
            if row[1] == "phi" and not at_top:
                return f"block {block}, instruction {i + 1}: phis stand at the top of a block"
            if row[1] in TERMINATORS and i < len(rows) - 1:
                return f"block {block} goes on after its terminator"
        if not rows or rows[-1][1] not in TERMINATORS:
            return f"block {block} does not end in a terminator ({', '.join(TERMINATORS)})"
        problem = _term_problem(rows[-1], len(succs[block]))
        if problem is not None:
            return f"block {block}: {problem}"
    return None


def _row_problem(row: Any, block: str, preds: list[str], is_entry: bool) -> str | None:
    """Say what is wrong with the form of one instruction."""
    if type(row) is not tuple or len(row) != 3:
        return f"{cut(plain.show(row))} is no instruction; one is a tuple (dest, op, args)"
    dest, op, args = row
    if dest is not None and (type(dest) is not str or not _is_name(dest)):
        return f"{cut(plain.show(dest))} is no name to define"
    if type(op) is not str or op not in (*OPERANDS, *TERMINATORS, "phi", "param", "?"):
        return f"there is no operation {cut(plain.show(op))}"
    if (dest is None) != (op in _NO_RESULT or op in TERMINATORS):
        return f"{op} defines nothing" if dest is not None else f"{op} has to define a name"
    if op == "phi":
        if type(args) is not dict:
            return f"the args of a phi are a dict {{predecessor: name}}, not {plain.type_name(args)}"
        if set(args) != set(preds):
            return (
                f"the phi for {dest} has operands from {_listed(args)}; the predecessors are {_listed(preds)}"
            )
        values: list[Any] = list(args.values())
    else:
        if type(args) is not tuple:
            return f"the args of {op} are a tuple, not {plain.type_name(args)}"
        values = list(args)
    for value in values:
        if value is not None and type(value) not in (str, int, float, bool):
            return f"{cut(plain.show(value))} is no operand; one is a name, a number or None"
        if type(value) is str and not _is_name(value):
            return f"{cut(plain.show(value))} is no name"
    wanted = OPERANDS.get(op)
    if wanted is not None and len(values) != wanted:
        return f"{op} takes {wanted} operands, not {len(values)}"
    if op == "param" and (values or not is_entry):
        return "params stand in the entry and take no operands"
    if op == "?" and any(type(v) is not int for v in values):
        return "? takes the number of its site"
    return None


def _term_problem(row: PlainInstr, ways: int) -> str | None:
    _, op, args = row
    takes = {"jump": (1, 0), "branch": (2, 1), "return": (0, None)}
    if op == "choose":
        return None if ways > 1 and not args else "choose takes no operands and has several ways out"
    if op == "switch":
        cases = args[1:]
        fine = len(args) == ways >= 1 and all(type(c) is int for c in cases) and len(set(cases)) == len(cases)
        return None if fine else "switch takes a value and then an int for every way out but the last"
    wanted, operands = takes[op]
    if ways != wanted:
        return f"{op} has {wanted} ways out, the graph has {ways}"
    if operands is None:
        return None if len(args) <= 1 else "return takes one value at most"
    return None if len(args) == operands else f"{op} takes {operands} operands, not {len(args)}"


def _is_name(text: str) -> bool:
    return is_label(text.replace(".", "_")) and not text[:1].isdigit() and len(text) <= 60


def _listed(names: Any) -> str:
    return cut(", ".join(sorted(map(str, names)))) or "nowhere"


# -- judging ----------------------------------------------------------------------------------------------


def ssa_problems(code: Code, succs: Graph, entry: str) -> list[str]:
    """List what keeps a program of the right form from being SSA (`ssa.verify`), one sentence each.

    >>> code = {"0": [("x", "copy", (1,)), ("x", "copy", (2,)), (None, "return", ())]}
    >>> ssa_problems(code, {"0": []}, "0")
    ['block 0: x = 2 defines x a second time; the first stands in block 0: x = 1']
    """
    return [f"block {p.block}: {p.message}" for p in verify(to_func(code, succs, entry))]


def run_difference(before: ProgramArgs, after: ProgramArgs) -> str | None:
    """Say on which run two programs differ, and how; None when no run tried shows a difference.

    Both are run on the same arguments and draws, three times. What a pass may change is `interp.difference`'s to say.
    The answer is remembered: several parts of the credit ask for it.
    """
    return _run_difference(_written(before), _written(after))


def _written(args: ProgramArgs) -> str:
    return plain.text(plain.encode(args))


@lru_cache(maxsize=20_000)
def _run_difference(before: str, after: str) -> str | None:
    # The program before has so many steps, the one after twice that, for copies and new blocks.
    for (args, seed, one), (others, _, two) in zip(_runs(before, FUEL), _runs(after, 2 * FUEL), strict=True):
        if len(args) != len(others):
            return f"it has {len(others)} parameters, not {len(args)}"
        told = difference(one, two)
        if told is not None:
            given = f"on {', '.join(map(str, args))}, " if args else ""
            return f"{given}draw {seed}: {told}"
    return None


@lru_cache(maxsize=5_000)
def _runs(text: str, fuel: int) -> tuple[tuple[tuple[int, ...], int, Outcome], ...]:
    """Run a program several times; each run as (arguments, seed, outcome)."""
    func = to_func(*plain.decode(json.loads(text)))
    runs = []
    for seed in range(RUNS):
        rng = random.Random(seed)
        args = tuple([rng.randrange(-3, 12) for _ in func.params])
        runs.append((args, seed, run(func, args, fuel=fuel, seed=seed)))
    return tuple(runs)


# -- families ---------------------------------------------------------------------------------------------


def program_instances(seed: str, *, entry_preds: bool = True) -> Iterator[ProgramArgs]:
    """Yield programs, smallest first: sketches of one variable on all graphs up to three blocks, then random ones.

    A sketch block does nothing, reads x, or defines it; its way out is not stated. The random ones have three
    variables, a parameter, arithmetic and real branches. Without `entry_preds` no edge leads to the entry.

    >>> next(program_instances(""))
    ({'0': [('x', '?', (1,)), (None, 'return', ())]}, {'0': []}, '0')
    """
    for code, succs, entry in _sketches():
        if entry_preds or not any(entry in row for row in succs.values()):
            yield copy_program((code, succs, entry))
    rng = random.Random(f"programs {seed}")
    made = 0
    larger: list[ProgramArgs] = []
    while made < RANDOM:
        args = random_program(rng, 4 + made % 5)
        if entry_preds or not any(args[2] in row for row in args[1].values()):
            larger.append(args)
            made += 1
    yield from sorted(larger, key=_size)


@cache
def _sketches() -> tuple[ProgramArgs, ...]:
    found: list[ProgramArgs] = []
    graphs = [graph for blocks in (1, 2, 3) for graph in up_to_renaming(blocks)]
    graphs += [graph for graph in map(cfg, LISTED) if len(graph) <= 3]
    for graph in graphs:
        for kinds in product("-du", repeat=len(graph)):
            if "d" in kinds:
                found.append(_sketch(graph, kinds))
    return tuple(sorted(found, key=_size))


def _sketch(graph: Cfg, kinds: tuple[str, ...]) -> ProgramArgs:
    succs, entry = plain_graph(graph)
    code: Code = {}
    site = 0
    for block, kind in zip(succs, kinds, strict=True):
        rows: list[PlainInstr] = []
        if kind == "d":
            site += 1
            rows.append(("x", "?", (site,)))
        elif kind == "u":
            rows.append((None, "use", ("x",)))
        code[block] = [*rows, way_out(len(succs[block]))]
    return code, succs, entry


def way_out(ways: int) -> PlainInstr:
    """Return the plainest terminator with so many ways out.

    >>> way_out(2)
    (None, 'choose', ())
    """
    return (None, "return" if ways == 0 else "jump" if ways == 1 else "choose", ())


def random_program(
    rng: random.Random, blocks: int, variables: tuple[str, ...] = ("a", "b", "c")
) -> ProgramArgs:
    """Return a random program of ints over a random graph; deterministic for the state of `rng`.

    The entry defines most of the variables; others are undefined on some paths. Comparisons define the bool `t`,
    defined at the entry too, on which some branches go.
    """
    graph = random_cfg(rng, blocks)
    succs, entry = plain_graph(graph)
    sites = iter(range(1, 1000))

    def operand() -> Any:
        return rng.choice(variables) if rng.random() < 0.85 else rng.randrange(-2, 6)

    def row() -> PlainInstr:
        roll = rng.random()
        if roll < 0.2:
            return (rng.choice(variables), "?", (next(sites),))
        if roll < 0.4:
            return (rng.choice(variables), "copy", (operand(),))
        if roll < 0.65:
            return (rng.choice(variables), rng.choice(("+", "-", "*")), (operand(), operand()))
        if roll < 0.75:
            return ("t", rng.choice(COMPARISONS), (operand(), operand()))
        return (None, "use" if roll < 0.9 else "print", (rng.choice(variables),))

    def last(ways: int) -> PlainInstr:
        if ways == 0:
            return (None, "return", (rng.choice(variables),) if rng.random() < 0.7 else ())
        if ways == 2 and rng.random() < 0.6:
            return (None, "branch", ("t",))
        if ways > 2 and rng.random() < 0.5:
            return (None, "switch", (rng.choice(variables), *range(ways - 1)))
        return way_out(ways)

    code: Code = {}
    for block in succs:
        rows: list[PlainInstr] = []
        if block == entry:
            rows += [("n", "param", ()), ("t", "<", ("n", 3))]
            rows += [(v, "?", (next(sites),)) for v in variables if rng.random() < 0.8]
        rows += [row() for _ in range(rng.randrange(4))]
        code[block] = [*rows, last(len(succs[block]))]
    return code, succs, entry


def copy_program(args: ProgramArgs) -> ProgramArgs:
    """Return an independent copy of a plain program."""
    code, succs, entry = args
    return {b: list(rows) for b, rows in code.items()}, {b: list(row) for b, row in succs.items()}, entry


def _size(args: ProgramArgs) -> tuple[int, int, int]:
    code, succs, _ = args
    return len(succs), sum(map(len, code.values())), sum(map(len, succs.values()))


# -- words ------------------------------------------------------------------------------------------------


def one_line(code: Code, succs: Graph) -> str:
    """Write a program in one line, for a sentence.

    >>> one_line({"0": [("x", "copy", (1,)), (None, "jump", ())], "1": [(None, "return", ("x",))]}, {"0": ["1"], "1": []})
    '0: x = 1; goto 1 | 1: return x'
    """
    return " | ".join(
        [f"{b}: {'; '.join([row_text(row, succs[b]) for row in rows])}" for b, rows in code.items()]
    )


def row_text(row: PlainInstr, ways: list[str]) -> str:
    """Write one instruction of a plain program as the notation of `sw.parse` does."""
    dest, op, args = row
    left = f"{dest} = " if dest is not None else ""
    if op == "phi":
        return f"{left}phi({', '.join(f'{p}: {_text(a)}' for p, a in args.items())})"
    shown = [_text(a) for a in args]
    if op == "param":
        return f"param {dest}"
    if op == "?":
        return f"{left}?{''.join(shown)}"
    if op in ("jump", "choose"):
        return f"goto {', '.join(ways)}"
    if op == "branch":
        return f"if {shown[0]} goto {ways[0]} else {ways[1]}"
    if op == "switch":
        cases = ", ".join(f"{c}: {w}" for c, w in zip(shown[1:], ways, strict=False))
        return f"switch {shown[0]} [{cases}] else {ways[-1]}"
    if op in ("use", "print", "return", "nop"):
        return f"{op} {', '.join(shown)}".strip()
    if op == "copy":
        return f"{left}{shown[0]}"
    if op in ("neg", "not"):
        return f"{left}{'-' if op == 'neg' else '!'}{shown[0]}"
    return f"{left}{f' {op} '.join(shown)}"


def _text(value: Any) -> str:
    if value is None:
        return "undef"
    return str(value).lower() if type(value) is bool else str(value)


def describe(args: ProgramArgs) -> str:
    """Name a program in words, by its text in one line."""
    code, succs, entry = args
    return f"the program {one_line(code, succs)} with entry {entry}"
