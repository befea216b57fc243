"""SSA on the fly: versions and phis found while blocks are filled, with neither dominators nor liveness.

Each block records which version of each variable holds at its end. Where a variable is read that the block itself
has not written (`read_variable_recursive`), the predecessors are asked:

- A block is *filled* once its instructions are in; only then does it say what holds at its end.
- A block is *sealed* once all its predecessors are filled. A read in a block not yet sealed leaves an
  *incomplete phi*, whose operands are looked up when the block is sealed.
- In a sealed block with one predecessor the answer is that predecessor's. With several it is a phi, which is
  recorded *before* its operands are looked up: a loop that comes back to it finds it and stops.
- A phi whose operands are one value, or that value and itself, is *trivial*. The value replaces it, and
  phis that used it may have become trivial and are looked at again.

Source: Braun, Buchwald, Hack, Leissa, Mallon, Zwinkau, "Simple and Efficient Construction of Static Single Assignment
Form" (CC 2013): algorithms 1 to 4, with the paper's names; its global variables are the attributes here. Algorithm 5 is
`redundant_phis`.
Result: pruned, since phis arise only from reads; minimal on reducible graphs (the paper's section 3.2).

Deviations. The recursion from phi to operand is a stack of phis under completion, that from block to only
predecessor a loop. A replaced phi is not searched for and overwritten everywhere: `replaced_by` says what stands for it, and
`find` follows that, so a map can hold a stale name and never gives one out. Triviality is judged only when a
phi has all its operands. Values are provisional version names, numbered anew in `braun_program`.
The virtual block before the entry is a predecessor like any other: it defines all variables, most of
them as UNDEF. Every reachable block thus gets every value from somewhere, and the paper's case of a phi without operands cannot arise.
Blocks are filled in reverse postorder and sealed as early as possible. `seal="late"` seals all of them at the very
end, to show what that costs: a phi at first for every read that leaves its block.
It ends because a look-up records a value in each block it passes, and no block is asked twice for a variable.
Cost: the reads, and one entry for each block and variable that a look-up passed.
Unreachable blocks: never filled, never predecessors.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ssawidgets.ir import UNDEF, Block, Func, Instr, Operand, Target
from ssawidgets.ssa.entry import front_name
from ssawidgets.ssa.variables import variables
from ssawidgets.ssa.versions import Versions


@dataclass(slots=True, eq=False)
class Phi:
    """A phi under construction: one operand for each predecessor of its block, in their order, as far as looked up."""

    name: str
    variable: str
    block: str
    operands: list[Operand] = field(default_factory=list)
    users: dict[str, None] = field(default_factory=dict)  # phis with this operand, an ordered set


class Braun:
    """The state of one construction, and the paper's procedures on it.

    >>> from ssawidgets import parse
    >>> construction = Braun(parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  n = 1\\nc:\\n  return n"))
    >>> construction.fill_all()
    >>> construction.phis
    {'n.2': Phi(name='n.2', variable='n', block='c', operands=['n', 'n.1'], users={})}
    """

    def __init__(self, func: Func, seal: Literal["early", "late"] = "early") -> None:
        if seal not in ("early", "late"):
            raise ValueError(f'seal is "early" or "late", not {seal!r}')
        self.func = func
        self.seal = seal
        self.front = front_name(func)
        cfg = func.cfg
        self.preds = {b: [p for p in cfg.preds[b] if p in cfg.reachable] for b in cfg.reverse_postorder}
        self.preds[func.entry].insert(0, self.front)
        self.new_version = Versions(func)

        # What the virtual block defines. It is sealed, as nothing leads to it, and filled by this.
        self.current_def: dict[str, dict[str, Operand]] = {v: {self.front: UNDEF} for v in variables(func)}
        for p in func.params:
            self.current_def[p][self.front] = p
        self.sealed_blocks: set[str] = {self.front}
        self.incomplete_phis: dict[str, list[Phi]] = {b: [] for b in self.preds}
        self.phis: dict[str, Phi] = {}  # all that were ever made
        self.replaced_by: dict[str, Operand] = {}  # removed phi -> what stands for it
        self.filled: dict[str, Block] = {}  # with provisional names; edges do not pass to phis yet

    # --- the paper's algorithm 1: within a block

    def write_variable(self, variable: str, block: str, value: Operand) -> None:
        """Record the version that holds from here on in a block."""
        #: {value} holds for {variable} in {block} from here on
        self.current_def[variable][block] = value

    def read_variable(self, variable: str, block: str) -> Operand:
        """Return the version that holds here in a block."""
        #: does {block} know a version of {variable}?
        value = self.current_def[variable].get(block)
        #: was one found in {block} itself?
        if value is not None:
            return self.find(value)
        return self.read_variable_recursive(variable, block)

    # --- algorithm 2: across blocks

    def read_variable_recursive(self, variable: str, block: str) -> Operand:
        """Ask the predecessors, with a phi where they may differ."""
        #: {block} has not written {variable}: ask upwards
        value, new_phi = self.closest_definition(variable, block)
        if new_phi is not None:
            self.add_phi_operands(new_phi)
        return self.find(value)

    def closest_definition(self, variable: str, block: str) -> tuple[Operand, Phi | None]:
        """Go up to the first block that has a version recorded or needs a phi, and record what is found on the way.

        Returns the version, and the phi, where one was made whose operands must be looked up now.
        """
        #: who knows a version of {variable}? Go up from {block}
        known = self.current_def[variable]
        passed: list[str] = []
        new_phi: Phi | None = None
        #: does {block} know a version of {variable}?
        while (value := known.get(block)) is None:
            #: no: {block} will have to remember what is found
            passed.append(block)
            #: may {block} still get predecessors?
            if block not in self.sealed_blocks:
                #: {block} is not sealed yet: an incomplete phi for {variable}
                phi = self.make_phi(variable, block)
                self.incomplete_phis[block].append(phi)
                value = phi.name
                break
            #: {block} is sealed: has it several predecessors?
            if len(self.preds[block]) > 1:
                #: {block} is a join: a phi for {variable}, recorded first, so that a loop finds it
                new_phi = self.make_phi(variable, block)
                value = new_phi.name
                break
            #: one predecessor: no phi needed, ask it
            block = self.preds[block][0]
        #: every block on the way remembers {value}
        for b in passed:
            #: in {b} the version of {variable} is {value}
            self.write_variable(variable, b, value)
        return value, new_phi

    def make_phi(self, variable: str, block: str) -> Phi:
        """Make a phi that has no operands yet."""
        phi = Phi(self.new_version(variable), variable, block)
        self.phis[phi.name] = phi
        return phi

    def add_phi_operands(self, phi: Phi) -> None:
        """Look up a phi's operands at the ends of the predecessors, and those of all phis that this makes."""
        #: {phi} needs an operand for each predecessor
        under_completion = [phi]
        #: is a phi left to be completed?
        while under_completion:
            #: the one that is completed now is {phi}
            phi = under_completion[-1]
            if self.is_complete(phi):
                under_completion.pop()
                #: {phi} has all its operands: is it trivial?
                self.try_remove_trivial_phi(phi)
                continue
            #: the next predecessor is {pred}
            pred = self.preds[phi.block][len(phi.operands)]
            #: what does {pred} pass to {phi}?
            value, new_phi = self.closest_definition(phi.variable, pred)
            value = self.find(value)
            phi.operands.append(value)
            if value in self.phis:
                self.phis[value].users[phi.name] = None  # type: ignore[index]
            if new_phi is not None:
                under_completion.append(new_phi)

    def is_complete(self, phi: Phi) -> bool:
        """Say whether a phi has an operand for every predecessor."""
        return len(phi.operands) == len(self.preds[phi.block])

    # --- algorithm 3: phis that merge nothing

    def try_remove_trivial_phi(self, phi: Phi) -> None:
        """Replace a phi that merges one value only, then look again at the phis that used it."""
        #: does {phi} merge more than one value?
        worklist = [phi]
        #: is a phi left to be judged?
        while worklist:
            #: judge {phi}
            phi = worklist.pop()
            if phi.name in self.replaced_by or not self.is_complete(phi):
                continue  # gone already, or judged when its last operand is there
            #: its operands besides itself are {others}
            others = dict.fromkeys(op for op in map(self.find, phi.operands) if op != phi.name)
            if len(others) == 1:
                #: {phi} is one value and perhaps itself: trivial
                self.replace_phi(phi, next(iter(others)))
                #: its users {worklist} may have become trivial
                worklist += [self.phis[user] for user in phi.users]

    def replace_phi(self, phi: Phi, value: Operand) -> None:
        """Let a value stand for a phi, also as an operand of other phis."""
        #: {value} stands for {phi} from now on
        self.replaced_by[phi.name] = value
        # Users that are gone themselves are forgotten: passed on from phi to phi they would make nests quadratic.
        phi.users = {user: None for user in phi.users if user not in self.replaced_by}
        if value in self.phis:
            self.phis[value].users.update(phi.users)  # type: ignore[index]

    def find(self, value: Operand) -> Operand:
        """Return what stands for a value now, after all replacements."""
        last = value
        while last in self.replaced_by:
            last = self.replaced_by[last]  # type: ignore[index]
        while value != last:  # shorten the way for the next time
            self.replaced_by[value], value = last, self.replaced_by[value]  # type: ignore[index]
        return last

    # --- algorithm 4: sealing; and filling, which the paper leaves to the front end

    def fill_all(self) -> None:
        """Fill every block in reverse postorder, sealing each as soon as (or, with seal="late", after) all are filled."""
        #: for how many predecessors does each block wait?
        waits_for = {b: len(preds) for b, preds in self.preds.items()}
        waits_for[self.func.entry] -= 1  # the virtual block is filled
        if self.seal == "early":
            self.seal_if(self.func.entry, waits_for)
        #: block after block, in reverse postorder
        for block in self.func.cfg.reverse_postorder:
            #: {block} is filled
            self.fill_block(block)
            #: blocks that wait for nobody any more are sealed at once
            if self.seal == "early":
                #: who has waited for {block}?
                for successor in dict.fromkeys(self.func.cfg.succs[block]):
                    #: {successor} has waited for {block}, and waits for one predecessor less
                    waits_for[successor] -= 1
                    #: {successor} is sealed if it waits for nobody any more
                    self.seal_if(successor, waits_for)
        if self.seal == "late":
            for block in self.preds:
                self.seal_block(block)

    def seal_if(self, block: str, waits_for: dict[str, int]) -> None:
        """Seal a block if no predecessor is left to wait for."""
        if waits_for[block] == 0:
            self.seal_block(block)

    def seal_block(self, block: str) -> None:
        """Look up the operands of a block's incomplete phis: no predecessor will be added or filled any more."""
        #: {block} is sealed: all its predecessors are filled
        self.sealed_blocks.add(block)
        #: all predecessors of {block} are filled: complete its phis
        for phi in self.incomplete_phis[block]:
            self.add_phi_operands(phi)

    def fill_block(self, block: str) -> None:
        """Read and write the variables of a block's instructions, then say that it is filled."""
        #: filling {block}
        source = self.func.block(block)

        def read(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
            return tuple([self.read_variable(a, block) if isinstance(a, str) else a for a in operands])

        def write(variable: str) -> str:
            version = self.new_version(variable)
            self.write_variable(variable, block, version)
            return version

        #: filling {block}
        params = tuple([write(p) for p in source.params])
        body: list[Instr] = []
        for instr in source.body:
            #: an instruction: which versions does it read?
            args = read(instr.args)
            #: and what it defines holds from here on
            body.append(instr.with_names(None if instr.dest is None else write(instr.dest), args))
        term_args = read(source.term.args)
        targets = tuple([Target(t.block, read(t.args)) for t in source.term.targets])
        self.filled[block] = Block(block, params, tuple(body), source.term.with_names(term_args, targets))

    def result(self) -> Func:
        """Return the program that a finished construction has found; `braun_program` makes it."""
        from ssawidgets.ssa.braun_program import program

        return program(self)
