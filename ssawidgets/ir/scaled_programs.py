"""Programs that come in every size: a structured graph filled with arithmetic on many variables.

As in real functions most variables live in a region of the program, six for each twenty blocks, and eight are used
everywhere. About one operand and destination in three is one of the eight. The same program each time.
"""

from __future__ import annotations

from random import Random

from ssawidgets.ir.model import Block, Func, Instr, Target, Term
from ssawidgets.ir.scaled_graphs import structured

EVERYWHERE = 8  #: variables used in the whole program
IN_A_REGION = 6  #: variables of a region
REGION = 20  #: blocks of a region


def arithmetic(blocks: int, seed: int = 1) -> Func:
    """Make a program of about so many blocks, of three instructions on average, and a third as many variables.

    The entry sets every variable to the parameter; each block has one to five instructions `x = y + z`; a block with two
    ways out branches on a variable.

    >>> program = arithmetic(1000)
    >>> len(program.blocks), len(program.names), sum(len(b.body) for b in program.blocks)
    (1000, 309, 3378)
    """
    cfg = structured(blocks, seed)
    rng = Random(seed * 7 + 3)

    def variable(block: int) -> str:
        if rng.random() < 0.3:
            return f"v{rng.randrange(EVERYWHERE)}"
        return f"v{EVERYWHERE + IN_A_REGION * (block // REGION) + rng.randrange(IN_A_REGION)}"

    made = []
    for b, succs in enumerate(cfg.succ_ids):
        body = [Instr(variable(b), "+", (variable(b), variable(b))) for _ in range(rng.randint(1, 5))]
        if b == 0:
            variables = EVERYWHERE + IN_A_REGION * (1 + (len(cfg) - 1) // REGION)
            body = [Instr(f"v{i}", "copy", ("n",)) for i in range(variables)] + body
        targets = tuple([Target(cfg.blocks[s]) for s in succs])
        op = ("return", "jump", "branch")[len(targets)]
        args = (variable(b),) if op == "branch" else ()
        made.append(Block(cfg.blocks[b], (), tuple(body), Term(op, args, targets)))
    return Func("arithmetic", ("n",), tuple(made))
