"""Sparse conditional constant propagation: which names are constants, and which edges no run takes.

Each question helps the other. A branch on a constant takes one edge only; a phi then need not look at what the other
edge would pass, and may be constant for it. So both are answered together, *optimistically*: at first no edge is
executable and every name is TOP, and only what is forced is given up. Constants of a loop are found that one could
not find by asking first "which blocks are reached?" and then "what is constant?", in whatever order and however often.

Two worklists drive it:

- the *flow worklist* holds edges of the graph that became executable. Edges, not blocks: a block can be reached by
  one of its edges and not by another, and a phi counts only the former. Parallel edges are edges of their own.
- the *SSA worklist* holds uses of names whose fact went down (def-use edges). That is what makes it sparse: a fact goes
  from a definition straight to its uses, not through all blocks between.

Source: Wegman and Zadeck, "Constant Propagation with Conditional Branches", ACM TOPLAS 13(2), 1991, section 3.3.
Deviations. A phi is not evaluated as a whole: each executable edge lowers it by what that edge passes, which comes to
the same, since facts only go down. And the paper has no undef: here it is TOP, so phi(undef, 3) is 3. When all is
done and a block that is executable still branches on TOP, the condition becomes BOTTOM, all such conditions at
once, and it goes on; a branch on undef is never folded.
Invariant: when both worklists are empty, each fact is what its definition says, given the others and the executable edges.
It ends: a name goes down at most twice, an edge becomes executable once. The fixed point does not depend on the
order of the worklists.
Cost: edges plus def-use edges; the dense fixpoint beside it (`dense_constants`) carries every variable through every block.
What has a BOTTOM operand is BOTTOM, as in the paper, also `x * 0`, `x & 0` and `c & false`: such an x may be undef, on which
the operation traps, and laws of arithmetic are another pass's business.
Unreachable blocks: in no result, and dropped from the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ssawidgets.analysis.def_use import Use, def_use
from ssawidgets.ir import Block, Const, Func, Instr, Operand, Term
from ssawidgets.opt.lattice import BOTTOM, TOP, Fact, edges_taken, meet, result
from ssawidgets.opt.precondition import require_ssa
from ssawidgets.opt.quick_sccp import quick_facts
from ssawidgets.opt.rewrite import rewrite

#: An edge of the graph: the block it leaves, and which of that block's targets it is.
Edge = tuple[str, int]


@dataclass(frozen=True, repr=False)
class SccpFacts:
    """What SCCP found out.

    - `values`: for every name in a reachable block, a `Const`, `TOP` or `BOTTOM`.
    - `executable_blocks`, and `executable_edges` as pairs (block, index among its targets).
    """

    values: Mapping[str, Fact]
    executable_blocks: frozenset[str]
    executable_edges: frozenset[Edge]

    def __repr__(self) -> str:
        blocks, edges = sorted(self.executable_blocks), sorted(self.executable_edges)
        return f"SccpFacts(values={self.values!r}, executable_blocks={blocks}, executable_edges={edges})"


def sccp_facts(func: Func) -> SccpFacts:
    """Find the names that are constants and the blocks and edges that a run may take.

    Raises `ValueError` naming the rule broken for a function that is not in SSA form.
    Source: Wegman and Zadeck (1991), section 3.3.

    >>> from ssawidgets import parse
    >>> f = parse('''
    ... a:
    ...   x.1 = 2
    ...   goto loop(x.1)
    ... loop(x.2):
    ...   c.1 = x.2 < 9
    ...   if c.1 goto loop(x.2) else b
    ... b:
    ...   return x.2
    ... ''')
    >>> facts = sccp_facts(f)
    >>> {name: str(fact) for name, fact in facts.values.items()}
    {'x.1': '2', 'x.2': '2', 'c.1': 'true'}
    >>> sorted(facts.executable_edges)
    [('a', 0), ('loop', 0)]
    """
    require_ssa(func)
    #: at first every name is TOP and no edge is executable
    chains = def_use(func)
    values: dict[str, Fact] = dict.fromkeys(chains.defs, TOP)
    values.update(dict.fromkeys(func.params, BOTTOM))  # whatever the caller passes
    executable_blocks: set[str] = set()
    executable_edges: set[Edge] = set()
    flow_worklist: list[Edge] = []
    ssa_worklist: list[Use] = []

    def fact_of(operand: Operand) -> Fact:
        if isinstance(operand, str):
            return values[operand]
        return operand if isinstance(operand, Const) else TOP

    def lower(name: str, fact: Fact) -> None:
        """Let a name be no more than this fact, and look at its uses again if that is news."""
        #: {name} is to be no more than {fact}: the meet is {lowered}
        lowered = meet(values[name], fact)
        #: does that say less of {name} than was known?
        if lowered != values[name]:
            #: {name} goes down to {lowered}: its uses are looked at again
            values[name] = lowered
            ssa_worklist.extend(chains.uses[name])

    def visit_instr(instr: Instr) -> None:
        #: {instr}: what is known of its result?
        if instr.dest is not None:
            lower(instr.dest, result(instr, [fact_of(a) for a in instr.args], func))

    def visit_term(block: Block) -> None:
        #: what is known of the condition at the end of {block}: {condition}
        condition = fact_of(block.term.args[0]) if block.term.args else BOTTOM
        flow_worklist.extend([(block.name, edge) for edge in edges_taken(block.term, condition)])

    def visit_argument(edge: Edge, position: int) -> None:
        """Lower the phi at the end of an executable edge by what the edge passes for it."""
        #: the edge {edge} passes a value to a phi
        target = func.block(edge[0]).term.targets[edge[1]]
        lower(func.block(target.block).params[position], fact_of(target.args[position]))

    def enter(name: str) -> None:
        """Visit a block's instructions and terminator, the first time that an edge leads there."""
        #: {name} is reached for the first time
        executable_blocks.add(name)
        block = func.block(name)
        for instr in block.body:
            #: what is known of the result of {instr}?
            visit_instr(instr)
        visit_term(block)

    def propagate() -> None:
        """Work until both lists are empty."""
        #: is something left to do?
        while flow_worklist or ssa_worklist:
            #: does an edge wait? Edges come first
            if flow_worklist:
                #: the edge {edge}
                edge = flow_worklist.pop()
                #: the edge {edge}: is it new?
                if edge not in executable_edges:
                    #: the edge {edge} is executable: its arguments count from now on
                    executable_edges.add(edge)
                    target = func.block(edge[0]).term.targets[edge[1]]
                    for position in range(len(target.args)):
                        #: a phi is lowered by what the edge {edge} passes
                        visit_argument(edge, position)
                    if target.block not in executable_blocks:
                        #: the edge {edge} leads to a block that was not reached before
                        enter(target.block)
                continue
            #: no edge waits: a use of a name that went down
            use = ssa_worklist.pop()
            name = use.block
            #: {use}: is its block executable?
            if name not in executable_blocks:
                continue  # looked at when the block is entered
            #: a fact that went down reaches its use in {name}
            if use.edge is not None:
                #: an edge passes the name: is that edge executable?
                if (name, use.edge) in executable_edges:
                    #: yes: the phi at its end is lowered
                    visit_argument((name, use.edge), use.position)
            elif use.kind == "operand":
                #: an instruction in {name} reads it, and is evaluated again
                visit_instr(func.block(name).body[use.index])
            else:
                #: the terminator of {name} reads it, and is looked at again
                visit_term(func.block(name))

    def undecided() -> list[str]:
        """Blocks that a run may reach and that branch on a value nobody has defined."""
        return [
            block.name
            for block in func.blocks
            if block.name in executable_blocks
            and block.term.op in ("branch", "switch")
            and fact_of(block.term.args[0]) is TOP
            and (block.name, 0) not in executable_edges
        ]

    #: a run starts in the entry
    enter(func.entry)
    propagate()
    #: does an executable block branch on undef?
    while names := undecided():
        for name in names:
            #: {name} branches on undef: any of its edges may be taken
            term = func.block(name).term
            flow_worklist.extend([(name, edge) for edge in edges_taken(term, BOTTOM)])
            condition = term.args[0]
            if isinstance(condition, str):
                lower(condition, BOTTOM)
        propagate()
    return SccpFacts(values, frozenset(executable_blocks), frozenset(executable_edges))


def sccp(func: Func) -> Func:
    """Replace names by the constants they are, branches and switches on constants by jumps, and drop blocks never reached.

    The facts are those of `sccp_facts`, found quickly (`quick_sccp`). The definition of a name that is a constant goes, since nothing reads it; what may trap or has an effect stays.
    Raises `ValueError` naming the rule broken for a function that is not in SSA form.

    >>> from ssawidgets import parse
    >>> print(sccp(parse("func f(n):\\na:\\n  x.1 = 6 * 7\\n  c.1 = x.1 < n\\n  if x.1 goto b else c\\nb:\\n  return x.1\\nc:\\n  return n")))
    func f(n):
    a:
      c.1 = 42 < n
      goto b
    b:
      return 42
    <BLANKLINE>
    """
    require_ssa(func)
    values, _ = quick_facts(func)
    constants: dict[str, Operand] = {n: fact for n, fact in values.items() if isinstance(fact, Const)}

    jumps: dict[str, Term] = {}
    for block in func.blocks:
        term = block.term
        #: {term}: is it a branch?
        if term.op in ("branch", "switch"):
            condition = constants.get(term.args[0], term.args[0])  # type: ignore[arg-type]
            #: is its condition a constant?
            if isinstance(condition, Const):
                [taken] = edges_taken(term, condition)
                jumps[block.name] = Term(
                    "jump", (), (term.targets[taken],), line=term.line, written=term.written
                )
    # The edges that are left are the executable ones, so what is not executable is unreachable now, and goes.
    return rewrite(func, constants, gone=constants, terms=jumps)
