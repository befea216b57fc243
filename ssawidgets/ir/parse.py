"""Reading programs from text, in phi notation or with block parameters and edge arguments.

Two stages. `BlockReader` reads the lines of a block into a `RawBlock`, in which phis and targets stand as
written. `assemble` then connects the blocks: it makes fall-throughs explicit, turns phis into parameters
and edge arguments, numbers the `?` sites, and checks that every edge leads somewhere with as many
arguments as parameters.

Grammar, one construct a line, `#` starts a comment:

    program   function…
    function  func NAME(NAME[: TYPE], …) [ints=python]:  block…
    block     LABEL[(NAME, …)]:  line…
    line      NAME = phi(LABEL: operand, …)  |  NAME = value[: TYPE]  |  effect  |  terminator
    value     operand | operand OP operand | -operand | !operand | NAME(operand, …) | ? | load operand | …
    effect    NAME(operand, …) | print … | use … | store operand, operand | free operand | nop
    terminator  goto target, … | if operand goto target else target
              | switch operand [INT: target, …] else target | return [operand]
    target    LABEL[(operand, …)]
    operand   NAME | constant | undef
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ssawidgets.ir.block_reader import BlockReader, RawBlock, RawPhi, read_type, refuse_foreign_word
from ssawidgets.ir.lexer import Cursor, ParseError, Token, source_lines
from ssawidgets.ir.model import Block, Func, Instr, Ints, Program, Target, Term, Type
from ssawidgets.ir.names import RESERVED
from ssawidgets.ir.text import counted

__all__ = ["ParseError", "parse", "parse_program"]


def parse(text: str) -> Func:
    """Read one function.

    The line `func name(params):` may be left out; the function is then `main` without parameters. Raises
    `ParseError` with line, column, the offending text and a hint; `TypeError` for anything but a string.

    >>> f = parse('''
    ... func sum(n):
    ... entry:
    ...   goto head
    ... head:
    ...   i.2 = phi(entry: 0, body: i.3)
    ...   c.1 = i.2 < n
    ...   if c.1 goto body else exit
    ... body:
    ...   i.3 = i.2 + 1
    ...   goto head
    ... exit:
    ...   return i.2
    ... ''')
    >>> f.block("head").params, f.block("body").term.targets[0].args
    (('i.2',), ('i.3',))
    """
    funcs = _read(text)
    if len(funcs) > 1:
        second = funcs[1].start
        raise ParseError(
            "a second function starts here",
            second.line,
            second.column,
            second.text,
            "parse reads one function; sw.parse_program reads several",
        )
    return assemble(funcs[0])


def parse_program(text: str) -> Program:
    """Read any number of functions.

    Raises `ParseError` with line, column, the offending text and a hint.

    >>> [f.name for f in parse_program("func f():\\na:\\nfunc g():\\na:\\n").funcs]
    ['f', 'g']
    """
    funcs = _read(text)
    seen: set[str] = set()
    for raw in funcs:
        if raw.name in seen:
            raise ParseError(
                f"a second function is named {raw.name!r}",
                raw.start.line,
                raw.start.column,
                raw.start.text,
                "give every function a name of its own",
            )
        seen.add(raw.name)
    return Program(tuple([assemble(raw) for raw in funcs]))


@dataclass(slots=True)
class RawFunc:
    """A function as written."""

    name: str
    start: Token
    params: tuple[str, ...] = ()
    param_types: tuple[Type, ...] = ()
    ints: Ints = "i64"
    blocks: list[RawBlock] = field(default_factory=list)
    labels: dict[str, Token] = field(default_factory=dict)


def _read(text: str) -> list[RawFunc]:
    funcs: list[RawFunc] = []
    reader: BlockReader | None = None
    for number, source in enumerate(source_lines(text), start=1):
        cursor = Cursor(source, number)
        first = cursor.token
        if first.kind == "end":
            continue
        if first.text == "func":
            funcs.append(_func_head(cursor))
            reader = None
            continue
        if _is_label_line(cursor):
            if not funcs:
                funcs.append(RawFunc("main", first))
            raw = _block_head(cursor, funcs[-1])
            funcs[-1].blocks.append(raw)
            reader = BlockReader(raw, funcs[-1].ints)
            continue
        if reader is None:
            refuse_foreign_word(cursor)
            cursor.fail(
                "an instruction stands outside any block",
                "start a block with a label and a colon on a line of its own, as `entry:`",
            )
        reader.read(cursor)
    if not funcs:
        raise ParseError(
            "there is no function here", 1, 1, "", "write a label such as `entry:` and instructions below it"
        )
    for raw_func in funcs:
        if not raw_func.blocks:
            raise ParseError(
                f"the function {raw_func.name} has no blocks",
                raw_func.start.line,
                raw_func.start.column,
                raw_func.start.text,
                "write a label such as `entry:` on the next line",
            )
    return funcs


def _func_head(cursor: Cursor) -> RawFunc:
    start = cursor.next()
    shape = "a function starts with `func name(a, b):`"
    raw = RawFunc(cursor.name("a function's name", shape), start)
    cursor.expect("(", "the parameters' opening ( is missing", shape)
    names: list[str] = []
    types: list[Type] = []
    while not cursor.accept(")"):
        if names:
            cursor.expect(",", "the parameters are separated by commas and end with )", shape)
        token = cursor.token
        name = cursor.name("a parameter's name", shape)
        if name in names:
            cursor.fail(
                f"the parameter {name!r} stands twice", "give each parameter a name of its own", token
            )
        names.append(name)
        types.append(read_type(cursor) if cursor.accept(":") else "int")
    if cursor.accept("ints"):
        cursor.expect("=", "after ints comes =", "write ints=python or ints=i64")
        token = cursor.next()
        if token.text not in ("python", "i64"):
            cursor.fail(f"{token.text!r} is no kind of ints", "write ints=python or ints=i64", token)
        raw.ints = "python" if token.text == "python" else "i64"
    cursor.expect(":", "the function's first line ends with a colon", shape)
    cursor.done("more stands after the colon", "put the first label on the next line")
    raw.params, raw.param_types = tuple(names), tuple(types)
    return raw


def _is_label_line(cursor: Cursor) -> bool:
    """A label, perhaps parameters in brackets, then a colon; `x = ?: float` and `f(a)` are none."""
    at = 1
    if cursor.token.text in RESERVED and cursor.peek(1).text != ":":
        return False
    if cursor.token.kind in ("op", "char", "end"):
        return False
    if cursor.peek(at).text == "(":
        while cursor.peek(at).kind != "end" and cursor.peek(at).text != ")":
            at += 1
        at += 1
    return cursor.peek(at).text == ":" and cursor.peek(at + 1).text != "="


def _block_head(cursor: Cursor, func: RawFunc) -> RawBlock:
    token = cursor.token
    name = cursor.label("a block starts with its label and a colon, as `head:`")
    if name in func.labels:
        cursor.fail(
            f"a second block is labelled {name!r}; the first is on line {func.labels[name].line}",
            "give each block a label of its own",
            token,
        )
    func.labels[name] = token
    params: dict[str, None] = {}
    if cursor.accept("("):
        while not cursor.accept(")"):
            if params:
                cursor.expect(",", "parameters are separated by commas", "write head(i.2, s.2):")
            at = cursor.token
            param = cursor.name("a block parameter's name", "write head(i.2, s.2):")
            if param in params:
                cursor.fail(
                    f"the parameter {param!r} stands twice", "give each parameter a name of its own", at
                )
            params[param] = None
    cursor.expect(":", "a label's line ends with a colon", "write the label and a colon, as `head:`")
    cursor.done("an instruction stands beside the label", "put it on the next line")
    return RawBlock(name, token, tuple(params), entering=set(params))


# --- assembling: from what is written to a function -------------------------------------------------------


def assemble(raw: RawFunc) -> Func:
    """Connect raw blocks: fall-throughs, phis to parameters and arguments, sites; check every edge."""
    blocks = raw.blocks
    by_name = {b.name: b for b in blocks}
    params = {b.name: (*b.params, *[phi.dest for phi in b.phis]) for b in blocks}
    terms = [
        _explicit_term(b, blocks[i + 1].name if i + 1 < len(blocks) else None) for i, b in enumerate(blocks)
    ]
    preds: dict[str, dict[str, None]] = {b.name: {} for b in blocks}
    for b, term in zip(blocks, terms, strict=True):
        for i, target in enumerate(term.targets):
            if target.block not in by_name:
                token = b.targets[i]
                raise ParseError(
                    f"no block is labelled {target.block!r}",
                    token.line,
                    token.column,
                    token.text,
                    f"the labels are {', '.join(by_name)}",
                )
            preds[target.block][b.name] = None
    for b in blocks:
        for phi in b.phis:
            check_phi(phi, b.name, preds[b.name], blocks[0].name)
    number = SiteNumbers(instr for b in blocks for instr in b.body)
    made = []
    for b, term in zip(blocks, terms, strict=True):
        targets = []
        for i, target in enumerate(term.targets):
            to = by_name[target.block]
            check_arity(b, i, target, to.params)
            targets.append(
                Target(target.block, (*target.args, *[phi.operands[b.name][0] for phi in to.phis]))
            )
        body = tuple([number(instr) for instr in b.body])
        made.append(Block(b.name, params[b.name], body, term.with_names(term.args, tuple(targets))))
    return Func(raw.name, raw.params, tuple(made), raw.param_types, raw.ints)


def _explicit_term(raw: RawBlock, following: str | None) -> Term:
    if raw.term is not None:
        return raw.term
    if following is None:
        return Term("return", written=False)
    # The block's own label stands in for the position of an edge that is nowhere written.
    raw.targets, raw.explicit = [raw.token], [False]
    return Term("jump", (), (Target(following),), written=False)


def check_phi(phi: RawPhi, block: str, preds: Collection[str], entry: str) -> None:
    """Raise `ParseError` unless a phi lists exactly the predecessors of its block, which is not the entry."""
    if block == entry:
        raise ParseError(
            f"the phi for {phi.dest} stands in the entry block, and running comes into it from no block",
            phi.token.line,
            phi.token.column,
            phi.token.text,
            f"put a block before it that goes to {block}",
        )
    for label, (_, token) in phi.operands.items():
        if label not in preds:
            raise ParseError(
                f"{label} is no predecessor of {block}",
                token.line,
                token.column,
                token.text,
                f"the predecessors of {block} are {', '.join(preds)}"
                if preds
                else f"{block} has no predecessors",
            )
    missing = [p for p in preds if p not in phi.operands]
    if missing:
        raise ParseError(
            f"the phi for {phi.dest} has no value for the predecessor {missing[0]}",
            phi.token.line,
            phi.token.column,
            phi.token.text,
            f"add {missing[0]}: and a name, or {missing[0]}: undef",
        )


def check_arity(raw: RawBlock, index: int, target: Target, params: tuple[str, ...]) -> None:
    """Raise `ParseError` unless an edge passes one argument for each parameter in the block's head."""
    if len(target.args) == len(params):
        return
    token = raw.targets[index]
    raise ParseError(
        f"the edge {raw.name} > {target.block} passes {counted(len(target.args), 'value')}, {target.block} takes {len(params)}",
        token.line,
        token.column,
        token.text,
        f"write {target.block}({', '.join(params)}) with a value for each"
        if params
        else f"write {target.block} without brackets, or give {target.block} parameters",
    )


class SiteNumbers:
    """Give each `?` without a number the least one not yet taken, in order."""

    def __init__(self, instrs: Iterable[Instr]) -> None:
        self.taken = {i.site for i in instrs if i.site is not None}
        self.last = 0

    def __call__(self, instr: Instr) -> Instr:
        if instr.op != "opaque" or instr.site is not None:
            return instr
        self.last += 1
        while self.last in self.taken:
            self.last += 1
        self.taken.add(self.last)
        return Instr(instr.dest, instr.op, (), None, instr.line, self.last, instr.type)
