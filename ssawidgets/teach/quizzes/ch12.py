"""Questions of chapter 12: what production compilers do."""

from __future__ import annotations

from ssawidgets.frontends.stored import stored
from ssawidgets.frontends.upsilon import upsilon_form
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse
from ssawidgets.ssa import from_ssa, place_phis, promote, split_critical_edges, verify
from ssawidgets.teach.questions import Choice, Evidence
from ssawidgets.teach.quizzes.register import asked, claim, gives, ran, six_blocks

OWN_LIVENESS = "a front end must run liveness itself to get few phis"
LOADED = "a cell that is only loaded and stored may still have to stay"
TOO_MANY = "a form that is not minimal is wrong"
ONE_WAY = "an Upsilon before a branch loses a copy"


@asked("12-liveness", under="LLVM: cells first", doubt=OWN_LIVENESS)
def liveness() -> Choice:
    """Ask whether a front end for LLVM has to know what is live."""
    six = six_blocks()
    pruned, minimal = [sum(len(b) for b in place_phis(six, f).values()) for f in ("pruned", "minimal")]
    llvm = stored("in_production")["six: phis of LLVM"]
    shown = Evidence(
        f"For the six blocks the front end wrote nothing but cells. LLVM made {llvm} phis; minimal placement has {minimal}, pruned {pruned}.",
        six,
    )
    return Choice(
        "A front end writes its variables as cells. It wants few phis from LLVM. Must it find out first which variables are live?",
        (
            claim("Yes, or LLVM places phis that nobody reads", llvm > pruned, "LLVM asks for liveness itself before it places.", shown, OWN_LIVENESS),
            claim("No", llvm == pruned, "The pass that turns cells into values prunes. Cells are all that the front end needs to write.", shown),
        ),
        six,
    )  # fmt: skip


@asked("12-address", under="A variable whose address is taken", doubt=LOADED)
def address() -> Choice:
    """Ask which cells have to stay in memory."""
    func = parse("""
    func f(n):
    top:
      p = alloc 1
      q = alloc 1
      r = alloc 1
      store p, n
      store q, n
      s = r
      store s, n
      g(p)
      x = load q
      return x
    """)
    kept = promote(func)
    stay = {i.dest.split(".")[0] for b in kept.blocks for i in b.body if i.op == "alloc" and i.dest}
    shown = Evidence(f"Promotion keeps the cells of {' and '.join(sorted(stay))}.", kept)
    said = {
        "p": ("g gets the pointer. It might keep it, and store through it later.", "a callee cannot keep a pointer"),
        "q": ("It is used for nothing but as an address of loads and stores: a variable.", LOADED),
        "r": ("The pointer is copied. Through s the same cell is written, under another name.", "copying a pointer does no harm"),
    }  # fmt: skip
    return Choice(
        "Which cells stay in memory?",
        tuple([claim(name, name in stay, text, shown, slip) for name, (text, slip) in said.items()]),
        func,
        several=True,
    )


@asked("12-redundant", under="Where it saves a step", doubt=TOO_MANY)
def redundant() -> Choice:
    """Ask whether the parameter that Cranelift leaves makes its program wrong."""
    func = parse("""
    func f(v, n):
    start:
      goto outer(v, n)
    outer(w, k):
      print w
      m = k - 1
      if m goto outer(w, m) else out
    out:
      return w
    """)
    lean = parse("""
    func f(v, n):
    start:
      goto outer(n)
    outer(k):
      print v
      m = k - 1
      if m goto outer(m) else out
    out:
      return v
    """)
    valid = not verify(func)
    same = all(run(func, [7, n]) == run(lean, [7, n]) for n in (1, 2, 3))
    shown = Evidence(
        f"The parameter w of outer gets v from start, and itself on the way back. With it f {gives(run(func, [7, 2]))}; without, it {gives(run(lean, [7, 2]))}.",
        func,
    )
    return Choice(
        "Cranelift left a parameter that Braun's algorithm removes. Is its program wrong?",
        (
            claim("Yes: the form is not valid", not valid, "Every name has one definition, and that dominates its uses. No rule says that there be no needless phi.", shown, TOO_MANY),
            claim("Yes: another value comes out", valid and not same, "The parameter gets the same value on every edge.", shown, "a trivial phi changes values"),
            claim("No: it only does more than it must", valid and same, "Right, but not minimal: a parameter too many costs time, not correctness.", shown),
        ),
        func,
    )  # fmt: skip


@asked("12-upsilon", under="JavaScriptCore: Upsilon and Phi", doubt=ONE_WAY)
def upsilon() -> Choice:
    """Ask whether an Upsilon may stand before a branch."""
    func = parse("""
    func rounds():
    start:
      goto loop
    loop:
      i.1 = phi(start: 3, loop: i.2)
      i.2 = i.1 - 1
      c.1 = i.1 > 1
      if c.1 goto loop else out
    out:
      return i.1
    """)
    shadows = upsilon_form(func)
    fine = run(shadows).value == run(func).value
    wrong = from_ssa(func, method="naive")
    shown = ran("With shadows written out it", shadows)
    return Choice(
        "loop ends in a branch. Its Upsilon for i₁ stands before the branch, and so happens on the way out as well. Is that right?",
        (
            claim("No: out reads i₁, which is overwritten", not fine, "The Upsilon writes the shadow, not i₁. i₁ takes its value from there at the top of loop, and out does not pass that.", ran("Naive copies, without a shadow, do lose it: the program", wrong), ONE_WAY),
            claim("Yes", fine, "On the way out nobody reads the shadow before it is written again. So no edge need be split.", shown),
        ),
        func,
    )  # fmt: skip


def with_phis(func: Func) -> str:
    """Return a program's text with phis; empty if they cannot say it."""
    try:
        return func.text(phis="phi")
    except ValueError:
        return ""


@asked("12-parallel", under="Traps", doubt="phis and arguments can say the same")
def parallel() -> Choice:
    """Ask how LLVM says what MLIR says with two edges to one block."""
    func = parse("""
    func f(c, x, y):
    a:
      if c goto b(x) else b(y)
    b(r):
      return r
    """)
    sayable = bool(with_phis(func))
    apart = split_critical_edges(func)
    more = len(apart.blocks) > len(func.blocks)
    shown = Evidence(
        f"With a block on each edge there are {len(apart.blocks)} blocks, and two predecessors to list.",
        apart,
    )
    return Choice(
        "MLIR can write `cf.cond_br %c, ^b(%x), ^b(%y)`. Can LLVM say it with a phi in b and no further block?",
        (
            claim("Yes: [ %x, %a ], [ %y, %a ]", sayable, "A phi lists predecessors, and both edges come from the same one. LLVM demands that the two entries agree.", shown, "phis and arguments can say the same"),
            claim("No", not sayable and more, "Both edges come from a, which a phi can list with one value only. A block goes between, or `select` picks the value.", shown),
        ),
        func,
    )  # fmt: skip
