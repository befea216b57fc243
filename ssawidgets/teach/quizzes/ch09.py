"""Questions of chapter 09: block arguments."""

from __future__ import annotations

from ssawidgets.explain import why_live
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse
from ssawidgets.ssa.promote import promotable, promote
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, fact, ran

TWO_EDGES = "two edges from one block are one"
LIVE_IN = "a parameter is live at the top of its own block"
IN_TURN = "arguments are passed one after the other"
ADDRESS = "loading and storing is all that counts"


def two_edges() -> Func:
    """Return a program in which one block leads to another by two edges with different arguments."""
    return parse("""
    func f(n):
    top:
      c.1 = n > 0
      if c.1 goto meet(1) else meet(2)
    meet(x.1):
      return x.1
    """)


def phis_can_say(func: Func) -> bool:
    """Say whether a program can be written with phis."""
    try:
        func.text(phis="phi")
    except ValueError:
        return False
    return True


@asked("09-two-edges", under="What a phi cannot say", doubt=TWO_EDGES)
def parallel() -> Choice:
    """Ask what two edges between the same blocks pass."""
    func = two_edges()
    returned = [run(func, [n]).value for n in (1, -1)]
    shown = Evidence(f"f(1) returns {returned[0]}, f(-1) returns {returned[1]}.", func, {"phis": "args"})
    refused = Evidence("Written with phis, top could be listed only once: the library refuses, and names the edge.", func, {"phis": "args"})  # fmt: skip
    can = phis_can_say(func)
    return Choice(
        "Both ways out of top lead to meet, one with 1 and one with 2. Which are so?",
        (
            claim("f(1) and f(-1) return different values", returned[0] != returned[1], "Each edge carries its own argument.", shown),
            claim("x₁ is 2 in any case: the later edge counts", returned == [2, 2], "There is no later one: a run takes one of the two edges.", shown, TWO_EDGES),
            claim("the same program can be written with a phi", can, "A phi has one operand for a predecessor, and here one predecessor passes two values.", refused, TWO_EDGES),
        ),
        func,
        several=True,
        marks={"phis": "args"},
    )  # fmt: skip


@asked("09-live", under="What arguments make easier", doubt=LIVE_IN)
def live() -> Choice:
    """Ask where arguments and parameters are live."""
    func = parse("""
    func f(n):
    top:
      i.1 = n + 1
      goto loop(i.1)
    loop(i.2):
      i.3 = i.2 - 1
      c.1 = i.3 > 0
      if c.1 goto loop(i.3) else out
    out:
      return i.2
    """)
    return Choice(
        "loop has the parameter i₂. Which are so?",
        (
            fact("i₁ is live at the end of top", why_live(func, "i.1", "top", "end"), "The edge passes it: an argument is read at the end of the block the edge comes from."),
            fact("i₁ is live at the top of loop", why_live(func, "i.1", "loop"), "By then it has been passed; loop knows the value as i₂.", "arguments are live where they arrive"),
            fact("i₂ is live at the top of loop", why_live(func, "i.2", "loop"), "It is defined there. Live means: a value from before is wanted.", LIVE_IN),
            fact("i₂ is live at the top of out", why_live(func, "i.2", "out"), "out returns it."),
        ),
        func,
        several=True,
        marks={"phis": "args"},
    )  # fmt: skip


@asked("09-at-once", under="The same thing, as functions", doubt=IN_TURN)
def at_once() -> Choice:
    """Ask what a block is passed that exchanges its parameters."""
    func = parse("""
    func f(n):
    top:
      goto loop(1, 2, n)
    loop(a.1, b.1, k.1):
      k.2 = k.1 - 1
      c.1 = k.1 > 0
      if c.1 goto loop(b.1, a.1, k.2) else out
    out:
      print a.1, b.1
    """)
    text = run(func, [1]).text.strip()
    shown = ran("It", func, [1])
    with_args = Evidence(shown.text, func, {"phis": "args"})
    said = {
        "1 2": ("The jump back does pass them, the other way round.", "parameters keep what they were first passed"),
        "2 1": ("As in a call: all arguments are read before any parameter is written.", ""),
        "2 2": ("a₁ is not written before b₁'s argument is read. Arguments are passed all at once, as in a call.", IN_TURN),
        "1 1": ("b₁ is not written before a₁'s argument is read. Arguments are passed all at once, as in a call.", IN_TURN),
    }  # fmt: skip
    return Choice(
        "`f(1)` jumps back once, with `loop(b.1, a.1, k.2)`. What does it print?",
        tuple([claim(t, t == text, said[t][0], with_args, said[t][1]) for t in said]),
        func,
        marks={"phis": "args"},
    )


@asked("09-promote", under="Variables whose address is taken", doubt=ADDRESS)
def cells() -> Prediction:
    """Ask which cells can become variables."""
    func = parse("""
    func f(n):
    top:
      p = alloc 1
      q = alloc 1
      r = alloc 1
      s = alloc 2
      store p, n
      store q, r
      store r, 3
      store s, 4
      x = load p
      y = load s
      z = x + y
      return z
    """)
    allocs = [str(i.dest) for b in func.blocks for i in b.body if i.op == "alloc"]
    after = promote(func)

    def why(name: str) -> Evidence:
        marks = {"marks": {"top": "current"}}
        if name not in allocs:
            return Evidence(f"{name} is no cell: it holds a value, not the address of one.", func, marks)
        if name in promotable(func):
            uses = [
                i.op
                for b in func.blocks
                for i in b.body
                if i.args and i.args[0] == name and i.op in ("load", "store")
            ]
            return Evidence(
                f"{name} is used only as the address of a {' and of a '.join(sorted(set(uses)))}.", after, {}
            )
        size = next(i.args[0] for b in func.blocks for i in b.body if i.dest == name)
        stored = any(i.op == "store" and i.args[1] == name for b in func.blocks for i in b.body)
        reason = (
            "its address is stored in another cell, and may be read from there"
            if stored
            else f"it is alloc {size}, more than one cell"
        )
        return Evidence(f"{name} stays in memory: {reason}.", after, {})  # fmt: skip

    return Prediction(
        "Promotion turns a cell into a variable where nothing can reach it but loads and stores through its own pointer. Which pointers go?",
        func,
        "versions",
        lambda func: promotable(func),
        why,
        lambda name: {
            "q": "a cell that holds an address cannot be promoted",
            "r": ADDRESS,
            "s": "every alloc makes one variable",
        }.get(name, ""),
    )


@asked("09-notation", under="Why compilers chose it", doubt="block arguments compute something phis do not")
def notation() -> Choice:
    """Ask what changes when phis are written as arguments."""
    func = parse("""
    func f(n):
    top:
      goto loop(n, 0)
    loop(i.1, s.1):
      s.2 = s.1 + i.1
      i.2 = i.1 - 1
      c.1 = i.2 > 0
      if c.1 goto loop(i.2, s.2) else out
    out:
      return s.2
    """)
    again = parse(func.text(phis="phi"))
    same = again == func
    values = [run(f, [4]).value for f in (func, again)]
    shown = Evidence(f"Both return {values[0]} for 4, and read back they are the same program.", again)
    return Choice(
        "The program is written with phis in place of arguments, and read back. What has changed?",
        (
            claim("Nothing: it is the same program in another notation", same, "A parameter is a phi, and its operands stand with the edges.", shown),
            claim("What it returns", values[0] != values[1], "Phis and arguments say the same: over this edge, take this value.", shown, "block arguments compute something phis do not"),
            claim("Each phi makes a copy when it runs", not same and values[0] == values[1], "Neither notation says where a value lives; copies come when SSA form is left.", shown, "a phi is an instruction that copies"),
        ),
        func,
        marks={"phis": "args"},
    )  # fmt: skip
