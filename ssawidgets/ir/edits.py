"""Edits: what a reader does to a program in the editor, each a pure function `Func -> Func`.

An edge is named by its source block and its index among the source's targets, so that parallel edges stay
apart. An edit that makes no sense raises `EditError`, which says what would; lines that do not parse raise
`ParseError` with the place counted inside the edited text. Edits keep what they do not touch: the other
blocks, the values that edges pass, the numbers of `?` sites. A new edge to a block with parameters
passes UNDEF for each, since nobody has said yet what it should pass.
"""

from __future__ import annotations

from itertools import count

from ssawidgets.ir.block_reader import BlockReader, RawBlock
from ssawidgets.ir.lexer import Cursor, ParseError, Token, source_lines
from ssawidgets.ir.model import UNDEF, Block, Func, Instr, Operand, Target, Term
from ssawidgets.ir.names import LABEL_RULE, VARIABLE_RULE, block_name, edge_block, is_label, is_variable
from ssawidgets.ir.parse import SiteNumbers, check_arity, check_phi
from ssawidgets.ir.text import block_lines, phi_obstacle, phi_text, short, value_text


class EditError(ValueError):
    """An edit that makes no sense here: `message` says why, `hint` what to do instead."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}"


# --- edges ------------------------------------------------------------------------------------------------


def add_edge(func: Func, src: object, dst: object) -> Func:
    """Add an edge from one block to another, as the last of the source's edges.

    A block that returns nothing goes to `dst` instead; a jump becomes a choice (`goto 2, 5`), a choice gets one
    more; a switch gets a case for the least int, from 0 on, that has none. Raises `EditError` where the edge would make something of the user's
    vanish: a branch has both its ways already, and a block that returns a value would lose it.

    >>> from ssawidgets import sketch
    >>> str(add_edge(sketch("0>1 1>2"), 0, 2).block(0).term)
    'goto 1, 2'
    """
    block, target = _block(func, src), _new_target(func, dst)
    term = block.term
    if term.op == "return":
        if term.args:
            raise EditError(
                f"{block.name} returns {term.args[0]}, and a block that returns goes nowhere",
                "edit its last line first",
            )
        new = Term("jump", (), (target,), line=term.line)
    elif term.op in ("jump", "choose"):
        new = Term("choose", (), (*term.targets, target), line=term.line)
    elif term.op == "switch":
        taken = set(term.cases)
        case = next(i for i in count() if i not in taken)
        targets = (*term.targets[:-1], target, term.targets[-1])
        new = Term("switch", term.args, targets, (*term.cases, case), term.line)
    else:
        raise EditError(
            f"{block.name} branches on {term.args[0]} and has both its ways already",
            "retarget one of them, or edit its last line",
        )
    return _with_term(func, block, new)


def remove_edge(func: Func, src: object, index: int) -> Func:
    """Remove one edge. What is left of a branch or choice of two is a jump; of a jump, a return.

    Raises `EditError` for a switch's default, or an edge that does not exist.

    >>> from ssawidgets import sketch
    >>> str(remove_edge(sketch("0>1 0>2"), 0, 0).block(0).term)
    'goto 2'
    """
    block = _block(func, src)
    term = block.term
    _edge(block, index)
    rest = term.targets[:index] + term.targets[index + 1 :]
    if term.op == "switch":
        if index == len(term.cases):
            raise EditError(f"the switch in {block.name} needs its default", "retarget it, or edit the line")
        new = Term("switch", term.args, rest, term.cases[:index] + term.cases[index + 1 :], term.line)
    elif not rest:
        new = Term("return", line=term.line, written=False)
    elif len(rest) == 1:
        new = Term("jump", (), rest, line=term.line)
    else:
        new = Term("choose", (), rest, line=term.line)
    return _with_term(func, block, new)


def retarget_edge(func: Func, src: object, index: int, dst: object) -> Func:
    """Let one edge lead to another block; its place (true side, case, …) stays.

    >>> from ssawidgets import sketch
    >>> str(retarget_edge(sketch("0>1 0>2"), 0, 1, 0).block(0).term)
    'goto 1, 0'
    """
    block = _block(func, src)
    _edge(block, index)
    target = _new_target(func, dst)
    if target.block == block.term.targets[index].block:
        return func
    targets = (*block.term.targets[:index], target, *block.term.targets[index + 1 :])
    return _with_term(func, block, _written(block.term.with_names(block.term.args, targets)))


def split_edge(func: Func, src: object, index: int, name: object = None) -> Func:
    """Put an empty block on an edge, right after its source; it passes on what the edge passed.

    The new block is named `src_dst` unless a name is given.

    >>> from ssawidgets import sketch
    >>> split_edge(sketch("0>1 0>2 1>2"), 0, 1).cfg
    cfg('0>1 0>0_2 0_2>2 1>2')
    """
    block = _block(func, src)
    target = _edge(block, index)
    new = edge_block(block.name, target.block, func.cfg.index) if name is None else _unused(func, name)
    targets = (*block.term.targets[:index], Target(new), *block.term.targets[index + 1 :])
    middle = Block(new, (), (), Term("jump", (), (target,), written=False))
    at = func.blocks.index(block)
    edited = Block(block.name, block.params, block.body, block.term.with_names(block.term.args, targets))
    return func.with_blocks((*func.blocks[:at], edited, middle, *func.blocks[at + 1 :]))


def set_case(func: Func, src: object, index: int, value: int) -> Func:
    """Let one edge of a switch be taken for another int. Its place among the edges stays.

    Raises `EditError` where the block ends in no switch, for the default, and for an int that has its case already.

    >>> from ssawidgets import parse
    >>> f = parse("a:\\n  x = 1\\n  switch x [1: a, 2: b] else b\\nb:\\n  return")
    >>> str(set_case(f, "a", 1, 7).block("a").term)
    'switch x [1: a, 7: b] else b'
    """
    block = _block(func, src)
    _edge(block, index)
    term = block.term
    if term.op != "switch":
        raise EditError(f"{block.name} ends in no switch, so its edges have no case", "edit its last line")
    if index == len(term.cases):
        raise EditError(
            f"this edge is the default of the switch in {block.name}",
            "give another edge that int, or edit the line",
        )
    if not isinstance(value, int) or isinstance(value, bool):
        raise EditError(f"a case is an int, not {value!r}", "write it as 3 or -1")
    if func.ints == "i64" and not -(2**63) <= value < 2**63:
        raise EditError(f"{short(value)} does not fit into 64 bits", "the ints of this function have 64 bits")
    if value in term.cases and term.cases[index] != value:
        raise EditError(
            f"the switch in {block.name} has a case {value} already", "retarget that edge instead"
        )
    cases = (*term.cases[:index], value, *term.cases[index + 1 :])
    return _with_term(func, block, Term("switch", term.args, term.targets, cases, term.line))


def swap_sides(func: Func, src: object) -> Func:
    """Let a branch go to its two blocks the other way round.

    >>> from ssawidgets import parse
    >>> f = parse("a:\\n  c = true\\n  if c goto a else b\\nb:\\n  return")
    >>> str(swap_sides(f, "a").block("a").term)
    'if c goto b else a'
    """
    block = _block(func, src)
    if block.term.op != "branch":
        raise EditError(f"{block.name} ends in no branch", "only `if … goto … else …` has two sides")
    there, here = block.term.targets
    return _with_term(func, block, block.term.with_names(block.term.args, (here, there)))


# --- blocks -----------------------------------------------------------------------------------------------


def add_block(func: Func, name: object = None, after: object = None) -> Func:
    """Add an empty block that returns, at the end or after a given block; no edge leads to it yet.

    Without a name it gets the least unused number where blocks are numbered, else `block_1`, `block_2`, …
    """
    if name is not None:
        new = _unused(func, name)
    elif all(b.name.isdigit() for b in func.blocks):
        new = str(next(i for i in range(len(func.blocks) + 1) if str(i) not in func.cfg.index))
    else:
        new = next(n for i in range(1, len(func.blocks) + 2) if (n := f"block_{i}") not in func.cfg.index)
    at = len(func.blocks) if after is None else func.blocks.index(_block(func, after)) + 1
    return func.with_blocks((*func.blocks[:at], Block(new), *func.blocks[at:]))


def remove_block(func: Func, name: object) -> Func:
    """Remove a block, and every edge that leads to it as `remove_edge` does.

    Raises `EditError` for the entry, and where a switch's default leads to the block.
    """
    gone = _block(func, name).name
    if gone == func.entry:
        raise EditError(
            f"{gone} is the entry, where running starts", "remove another block, or edit its lines"
        )
    for b in func.blocks:
        if b.name == gone:
            continue
        for index in reversed(range(len(b.term.targets))):
            if b.term.targets[index].block == gone:
                func = remove_edge(func, b.name, index)
    return func.with_blocks(tuple([b for b in func.blocks if b.name != gone]))


def move_block(func: Func, name: object, before: object = None) -> Func:
    """Let a block stand before another one in the order of the text, or at the end. Edges stay as they are.

    The entry stands first: moving it, or a block before it, raises `EditError`.

    >>> from ssawidgets import sketch
    >>> move_block(sketch("0>1 1>2 2>0"), 2, before=1).cfg
    cfg('0>1 2>0 1>2')
    """
    block = _block(func, name)
    if block.name == func.entry:
        raise EditError(f"{block.name} is the entry, and the entry stands first", "move the other blocks")
    others = [b for b in func.blocks if b is not block]
    at = len(others) if before is None else func.cfg.index[_block(func, before).name]
    if at == 0:
        raise EditError(
            f"{func.entry} is the entry, and the entry stands first",
            f"{block.name} can stand anywhere after it",
        )
    if before is not None and at > func.cfg.index[block.name]:
        at -= 1
    return func.with_blocks((*others[:at], block, *others[at:]))


def rename_block(func: Func, old: object, new: object) -> Func:
    """Give a block another name; every edge to it follows.

    Raises `EditError` where the name is taken or cannot be written as a label.
    """
    before = _block(func, old).name
    if block_name(new) == before:
        return func
    after = _unused(func, new)
    return func.with_blocks(
        tuple(
            [
                Block(
                    after if b.name == before else b.name,
                    b.params,
                    b.body,
                    b.term.with_names(
                        b.term.args,
                        tuple(
                            [Target(after if t.block == before else t.block, t.args) for t in b.term.targets]
                        ),
                    ),
                )
                for b in func.blocks
            ]
        )
    )


# --- text -------------------------------------------------------------------------------------------------


def block_text(func: Func, name: object) -> str:
    """Return a block's lines as text that `replace_block_text` reads: phis, instructions, terminator.

    Phi notation where it can say the function; else parameters stand in the block's head, which is not among the
    lines, and edges carry arguments. The terminator stands there even where the program's text does without.

    >>> from ssawidgets import sketch
    >>> block_text(sketch("0>1 1>1", defs={"x": "0"}, uses={1: "x"}), 1)
    'use x\\ngoto 1'
    """
    block = _block(func, name)
    position = func.blocks.index(block)
    with_phis = phi_obstacle(func) is None
    lines = block_lines(func, position, phi_text(func) if with_phis else None)
    shown = _shows_term(lines, block)
    if not shown and block.term.targets:
        lines.append(f"goto {block.term.targets[0].block}")
    return "\n".join(lines)


def _shows_term(lines: list[str], block: Block) -> bool:
    return bool(lines) and lines[-1].split(" ")[0] in ("goto", "if", "switch", "return")


def replace_block_text(func: Func, name: object, text: str) -> Func:
    """Replace a block's lines: phis, instructions and terminator, in the notation that `block_text` gives.

    Without a terminator the block falls through to the next, and the last one returns. An edge that stays
    keeps the values it passes unless the text gives others; a new one passes UNDEF for each parameter.
    Raises `ParseError`, its line and column counted in `text`; `TypeError` where that is no string.

    >>> from ssawidgets import sketch
    >>> f = replace_block_text(sketch("0>1 1>2"), 0, "x = 3\\nif x goto 1 else 2")
    >>> f.cfg
    cfg('0>1 0>2 1>2')
    """
    block = _block(func, name)
    position = func.blocks.index(block)
    raw = _read_block(func, block, text)
    with_phis = phi_obstacle(func) is None
    following = func.blocks[position + 1].name if position + 1 < len(func.blocks) else None
    term = raw.term or (
        Term("return", written=False)
        if following is None
        else Term("jump", (), (Target(following),), written=False)
    )
    if raw.term is None:
        raw.targets, raw.explicit = [Token("label", "", 1, 1)], [False]
    params = (
        tuple([phi.dest for phi in raw.phis]) if with_phis else (*block.params, *[p.dest for p in raw.phis])
    )
    arity = {b.name: b.params for b in func.blocks} | {block.name: params}
    body = _number_sites(func, block, tuple(raw.body))
    edited = Block(block.name, params, body, _connect(raw, term, block, arity))
    blocks = list(func.blocks)
    blocks[position] = edited
    return func.with_blocks(_pass_to_phis(blocks, raw, block, with_phis))


def _read_block(func: Func, block: Block, text: str) -> RawBlock:
    raw = RawBlock(block.name, Token("label", block.name, 1, 1))
    reader = BlockReader(raw, func.ints)
    for number, source in enumerate(source_lines(text), start=1):
        cursor = Cursor(source, number)
        if cursor.token.kind == "end":
            continue
        if cursor.peek().text == ":" and cursor.peek(2).kind == "end":
            cursor.fail(
                "a label starts a block, and these are the lines of one block",
                "add another block in the editor and write its lines there",
            )
        reader.read(cursor)
    for token in raw.targets:
        if token.text not in func.cfg.index:
            raise ParseError(
                f"no block is labelled {token.text!r}",
                token.line,
                token.column,
                token.text,
                f"the labels are {', '.join(func.cfg.blocks)}",
            )
    return raw


def _connect(raw: RawBlock, term: Term, before: Block, arity: dict[str, tuple[str, ...]]) -> Term:
    """Fill in the arguments that the text leaves to the phis: those the edge passed before, else UNDEF."""
    passed: dict[str, list[tuple[Operand, ...]]] = {}
    for target in before.term.targets:
        passed.setdefault(target.block, []).append(target.args)
    targets = []
    for i, target in enumerate(term.targets):
        params = arity[target.block]
        if raw.explicit[i]:
            check_arity(raw, i, target, params)
            targets.append(target)
            continue
        old = passed.get(target.block, [])
        args = old.pop(0) if len(old) > 1 else old[0] if old else ()
        targets.append(Target(target.block, args if len(args) == len(params) else (UNDEF,) * len(params)))
    return term.with_names(term.args, tuple(targets))


def _pass_to_phis(blocks: list[Block], raw: RawBlock, before: Block, with_phis: bool) -> tuple[Block, ...]:
    """Let every edge to the edited block pass what its phis list (in phi notation only)."""
    preds = {b.name: None for b in blocks if any(t.block == before.name for t in b.term.targets)}
    kept = () if with_phis else None
    for phi in raw.phis:
        check_phi(phi, before.name, preds, blocks[0].name)
    if not raw.phis and (kept is None or not before.params):
        return tuple(blocks)

    def arguments(src: Block, target: Target) -> tuple[Operand, ...]:
        head = target.args[: len(before.params)] if kept is None else ()
        return (*head, *[phi.operands[src.name][0] for phi in raw.phis])

    return tuple(
        [
            Block(
                b.name,
                b.params,
                b.body,
                b.term.with_names(
                    b.term.args,
                    tuple(
                        [
                            Target(t.block, arguments(b, t)) if t.block == before.name else t
                            for t in b.term.targets
                        ]
                    ),
                ),
            )
            for b in blocks
        ]
    )


def _number_sites(func: Func, block: Block, body: tuple[Instr, ...]) -> tuple[Instr, ...]:
    """Number new `?`s; one that defines the same variable as an old unlisted one keeps that number."""
    others = [i for b in func.blocks if b is not block for i in b.body]
    listed = {i.site for i in body if i.site is not None}
    old = [i for i in block.body if i.op == "opaque" and i.site not in listed]
    reused = []
    for instr in body:
        same = next((o for o in old if o.dest == instr.dest), None)
        if instr.op == "opaque" and instr.site is None and same is not None:
            old.remove(same)
            instr = Instr(instr.dest, "opaque", (), None, instr.line, same.site, instr.type)
        reused.append(instr)
    number = SiteNumbers([*others, *reused])
    return tuple([number(i) for i in reused])


def set_definition(func: Func, block: object, variable: str, value: str = "?") -> Func:
    """Let a block define a variable: its last definition there gets a new value, or one is added at the end.

    `value` is the right-hand side as text, as `a + 1` or `?`. Raises `ParseError` for text that is no value,
    `EditError` for more than one line, for what is no variable's name, and for what a phi defines.

    >>> from ssawidgets import sketch
    >>> str(set_definition(sketch("0>1"), 1, "x", "y + 1").block(1).body[0])
    'x = y + 1'
    """
    old = _block(func, block)
    if not is_variable(variable):
        raise EditError(f"{variable!r} cannot name a variable", VARIABLE_RULE)
    if len(source_lines(value)) > 1:
        raise EditError(
            "a value stands on one line", "give what stands right of =, or edit the block's lines for more"
        )
    raw = _read_block(func, old, f"{variable} = {value}")
    if not raw.body:
        raise EditError("a phi follows from the edges into its block", "edit the block's lines instead")
    new = raw.body[0]
    at = _last_definition(old, variable)
    if at is None:
        at = len(old.body)
    body = _number_sites(func, old, (*old.body[:at], new, *old.body[at + 1 :]))
    return _replace(func, old, Block(old.name, old.params, body, old.term))


def remove_definition(func: Func, block: object, variable: str) -> Func:
    """Remove a variable's last definition in a block. Raises `EditError` where there is none but a phi."""
    old = _block(func, block)
    at = _last_definition(old, variable)
    if at is None:
        raise EditError(f"{old.name} has no definition of {variable}", f"its lines are: {_summary(old)}")
    return _replace(func, old, Block(old.name, old.params, old.body[:at] + old.body[at + 1 :], old.term))


# --- helpers ----------------------------------------------------------------------------------------------


def _last_definition(block: Block, variable: str) -> int | None:
    """Return the place of a variable's last definition among the instructions, None where there is none."""
    for at in reversed(range(len(block.body))):
        if block.body[at].dest == variable:
            return at
    if variable in block.params:
        raise EditError(
            f"{variable} is defined by a phi of {block.name}",
            f"edit the line {variable} = phi(…) among the block's lines",
        )
    return None


def _summary(block: Block) -> str:
    return (
        "; ".join(f"{i.dest} = {value_text(i)}" for i in block.body if i.dest) or "none that define anything"
    )


def _block(func: Func, name: object) -> Block:
    text = block_name(name)
    if text not in func.cfg.index:
        raise EditError(f"there is no block {text!r}", f"the blocks are {', '.join(func.cfg.blocks)}")
    return func.block(text)


def _edge(block: Block, index: int) -> Target:
    if not isinstance(index, int) or isinstance(index, bool):
        raise EditError(f"the number of an edge is an int, not {index!r}", "edges are numbered from 0")
    if not 0 <= index < len(block.term.targets):
        raise EditError(
            f"{block.name} has no edge number {index}", f"it has {len(block.term.targets)}, numbered from 0"
        )
    return block.term.targets[index]


def _new_target(func: Func, name: object) -> Target:
    block = _block(func, name)
    return Target(block.name, (UNDEF,) * len(block.params))


def _written(term: Term) -> Term:
    return Term(term.op, term.args, term.targets, term.cases, term.line)


def _replace(func: Func, old: Block, new: Block) -> Func:
    return func.with_blocks(tuple([new if b is old else b for b in func.blocks]))


def _with_term(func: Func, block: Block, term: Term) -> Func:
    return _replace(func, block, Block(block.name, block.params, block.body, term))


def _unused(func: Func, name: object) -> str:
    text = block_name(name)
    if not is_label(text):
        raise EditError(f"{text!r} cannot be a label", LABEL_RULE)
    if text in func.cfg.index:
        raise EditError(f"a block is named {text!r} already", "names of blocks are unique")
    return text
