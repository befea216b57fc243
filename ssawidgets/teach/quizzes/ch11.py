"""Questions of chapter 11: equal values and dead code."""

from __future__ import annotations

from ssawidgets.explain import why_dominates
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse
from ssawidgets.opt import dce, gvn, value_numbers
from ssawidgets.opt.gvn import Method
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, denial, gives

PHIS = "phis with equal operands are equal"
LEADER = "what is equal can be replaced anywhere"
LOOPS = "one pass finds equal loop variables"
USED = "what is used is alive"
KNOWN = "c is true in the block that its branch leads to"


def equal(func: Func, a: str, b: str, method: Method = "hash") -> bool:
    """Say whether two names have one number."""
    numbers = value_numbers(func, method)
    return numbers[a] == numbers[b]


@asked("11-phis", under="Phis of different blocks", doubt=PHIS)
def phis() -> Choice:
    """Ask whether phis of different blocks with equal operands are equal."""
    func = parse("""
    func f(a, b):
    p:
      if a goto p1 else p2
    p1:
      goto q
    p2:
      goto q
    q:
      x.1 = phi(p1: 1, p2: 2)
      if b goto q1 else q2
    q1:
      goto r
    q2:
      goto r
    r:
      y.1 = phi(q1: 1, q2: 2)
      print x.1, y.1
    """)
    same = equal(func, "x.1", "y.1") or equal(func, "x.1", "y.1", "partition")
    run_apart = run(func, [1, 0])
    shown = Evidence(f"f(1, 0) {gives(run_apart)}: x₁ and y₁ differ.", func)
    return Choice(
        "x₁ and y₁ are phis with the operands 1 and 2. Are they always equal?",
        (
            claim("Yes: equal operands in equal order", same, "x₁ follows the branch on a, y₁ that on b. Which operand a phi gives depends on the edge taken.", shown, PHIS),
            claim("No: they stand in different blocks", not same, "The edges into q and into r are chosen by different branches.", shown),
            claim("No: a phi is equal to nothing but itself", same and len(func.params) == 1, "Two phis of one block with the same operands are equal: one edge decides for both.", shown, "phis are never equal"),
        ),
        func,
    )  # fmt: skip


@asked("11-leader", under="Equal is not replaceable", doubt=LEADER)
def leader() -> Choice:
    """Ask whether a value computed in one arm can be read at the join."""
    func = parse("""
    func f(a, b):
    top:
      if a goto arm else meet
    arm:
      x.1 = a + b
      print x.1
      goto meet
    meet:
      y.1 = a + b
      return y.1
    """)
    why = why_dominates(func, "arm", "meet")
    after = gvn(func, "partition")
    replaced = "y.1" not in {i.dest for i in after.block("meet").body}
    kept = Evidence("gvn leaves y₁ where it is.", after)
    return Choice(
        "Partition gives x₁ and y₁ the same number. May meet read x₁ in place of y₁?",
        (
            claim("Yes: their values are equal", replaced, "Equal, wherever both exist. On the way past arm there is no x₁.", why, LEADER),
            denial("No: x₁ does not dominate meet", why, "A leader must dominate what it replaces.", ""),
            claim("No: they get different numbers", not equal(func, "x.1", "y.1", "partition"), "Same operator, same operands: one number.", kept, "numbers are given block by block"),
        ),
        func,
    )  # fmt: skip


@asked("11-loop", under="By partition", doubt=LOOPS)
def loop() -> Choice:
    """Ask which method finds two counters of one loop equal."""
    func = parse("""
    func f(n):
    top:
      goto loop
    loop:
      i.1 = phi(top: 0, loop: i.2)
      j.1 = phi(top: 0, loop: j.2)
      i.2 = i.1 + 1
      j.2 = j.1 + 1
      c.1 = i.2 < n
      if c.1 goto loop else out
    out:
      print i.2, j.2
    """)
    by_hash, by_partition = equal(func, "i.1", "j.1", "hash"), equal(func, "i.1", "j.1", "partition")
    saved = Evidence("By partition j becomes i.", gvn(func, "partition"))
    left = Evidence("Hashing leaves both counters.", gvn(func, "hash"))
    return Choice(
        "i and j start at 0 and are counted up together. Which method finds that they are equal?",
        (
            claim("hashing, in one pass", by_hash and not by_partition, "When it comes to the phis it has not seen i₂ and j₂, and must take them for different.", left, LOOPS),
            claim("partition, which starts by believing the best", by_partition and not by_hash, "It puts all phis of loop together and finds nothing that takes them apart.", saved),
            claim("both", by_hash and by_partition, "Hashing gives numbers on the way down, before it has seen what comes back.", left, LOOPS),
            claim("neither", not by_hash and not by_partition, "One of them starts with everything equal and only separates what it must.", saved, "equality round a loop cannot be found"),
        ),
        func,
    )  # fmt: skip


@asked("11-dead", under="Dead code", doubt=USED)
def dead() -> Prediction:
    """Ask which definitions are dead where two phis keep each other used."""
    func = parse("""
    func f(n):
    top:
      goto loop
    loop:
      i.1 = phi(top: 0, loop: i.2)
      s.1 = phi(top: 1, loop: s.2)
      i.2 = i.1 + 1
      s.2 = s.1 * 2
      t.1 = i.2 * i.2
      u.1 = n / i.2
      c.1 = i.2 < n
      if c.1 goto loop else out
    out:
      return i.2
    """)
    kept = {n for b in dce(func).blocks for n in (*b.params, *[i.dest for i in b.body])}
    names = [n for b in func.blocks for n in (*b.params, *[i.dest for i in b.body]) if n]
    said = {
        "i": "the function returns it in the end, and the branch depends on it",
        "s": "it is read only by the other s, round and round, and no effect ever sees either",
        "t": "nothing reads it, and multiplying cannot trap",
        "u": "nothing reads it, but dividing may trap, and that is an effect",
        "c": "the branch reads it",
    }

    def why(name: str) -> Evidence:
        so = "stays" if name in kept else "goes"
        return Evidence(f"{name} {so}: {said[name[0]]}.", dce(func))

    return Prediction(
        "Which definitions are dead? What may trap is no dead code.",
        func,
        "versions",
        [n for n in names if n not in kept],
        why,
        lambda name: {"s": USED, "u": "what nobody reads is dead"}.get(name[0], ""),
    )


@asked("11-both-edges", under="Is the condition true here?", doubt=KNOWN)
def both_edges() -> Choice:
    """Ask what is known of a condition in a block that both edges of the branch enter."""
    func = parse("""
    func f(n):
    top:
      c.1 = n > 0
      if c.1 goto meet else other
    other:
      print 0
      goto meet
    meet:
      return c.1
    """)
    values = [run(func, [n]).value for n in (1, -1)]
    always_true = values[0] is not None and all(values)
    shown = Evidence(
        f"In meet c₁ is {str(values[0]).lower()} for n = 1 and {str(values[1]).lower()} for n = -1.", func
    )
    round_it = why_dominates(func, "other", "meet")
    return Choice(
        "top goes straight to meet where c₁ is true. Is c₁ always true in meet?",
        (
            claim("Yes: the branch to meet is the true one", always_true, "The edge says so, the block does not: meet is entered from other too, and there c₁ is false.", shown, KNOWN),
            claim("No", not always_true, "What an edge tells holds in a block only if every way into the block passes that edge.", shown),
            claim("No: it is always false there", not any(values), "Straight from top it is true.", round_it, "the last edge into a block decides"),
        ),
        func,
    )  # fmt: skip
