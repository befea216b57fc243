"""Questions of chapter 05: renaming."""

from __future__ import annotations

from ssawidgets.analysis import def_use, dominators
from ssawidgets.drawing.lines import drawn_name
from ssawidgets.explain import why_dominates, why_live
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse
from ssawidgets.ssa import to_ssa, verify
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.register import asked, claim, denial, fact, gives, six_blocks

RUNNING = "single assignment is about running"
UNIQUE = "unique destinations are enough"
OWN_BLOCK = "phi operands are filled in from the phi's own block"
LIVE_IN = "a phi's operands are live at the top of the phi's block"
ANY_ABOVE = "any version from above will do"


@asked("05-single", under="What SSA form promises", doubt=RUNNING)
def single() -> Choice:
    """Ask how often one version is assigned in a run."""
    func = to_ssa(
        parse("""
        func count(n):
        start:
          i = 0
        loop:
          i = i + 1
          print i
          c = i < n
          if c goto loop else out
        out:
          return i
        """)
    )
    outcome = run(func, [3])
    times = len(outcome.prints)
    version = next(str(i.dest) for i in func.block("loop").body if i.op == "+")
    shown = Evidence(
        f"count(3) {gives(outcome)}: {version} held each of the numbers printed, one after the other.", func
    )
    return Choice(
        f"In `count(3)`, how often is a value assigned to `{version}`?",
        (
            claim("Once: it is single assignment", times == 1, "Once in the text. A loop runs the same line again, and assigns again.", shown, RUNNING),
            claim("Twice", times == 2, "The last round assigns too; only then is the test false.", shown, "the last round makes no assignment"),
            claim("Three times", times == 3, "Written once, run three times. Static single assignment speaks of the text.", shown),
            claim("Four times", times == 4, "The value from before the loop has a name of its own.", shown, "all versions of a variable are one"),
        ),
        func,
    )  # fmt: skip


@asked("05-strict", under="What SSA form promises", doubt=UNIQUE)
def strict() -> Choice:
    """Ask whether a program with unique destinations is in SSA form."""
    func = parse("""
    func f(c):
    a:
      if c goto b else d
    b:
      x.1 = 1
      goto e
    d:
      goto e
    e:
      return x.1
    """)
    problems = verify(func)
    way = why_dominates(func, "b", "e")
    return Choice(
        "Every name is written once here. Is the program in (strict) SSA form?",
        (
            claim("Yes", not problems, "Strict SSA form asks for more: a definition dominates every use of it.", way, UNIQUE),
            claim("No: x₁ may be read before it is written", bool(problems), f"The verifier says: {problems[0].message}.", way),
            claim("No: x₁ is read in another block than it is written in", not problems and len(func.blocks) == 1, "Reading in another block is fine, wherever the definition dominates it.", way, "SSA names are local to blocks"),
        ),
        func,
    )  # fmt: skip


def defining_block(func: Func, name: str) -> str:
    """Return the block that defines a version, the entry for a parameter of the function."""
    return def_use(func).defs[name][0].block or func.entry


@asked("05-version", under="The walk", doubt=ANY_ABOVE)
def version() -> Prediction:
    """Ask which version a use gets."""
    ssa = to_ssa(six_blocks())
    read = next(i.args[0] for i in ssa.block("5").body if i.op == "use")
    # What the reader sees must not give the answer away: 5 still reads plain y.
    asked_of = parse(str(ssa).replace(f"5:\n  use {read}", "5:\n  use y"))

    def why(name: str) -> Evidence:
        where = defining_block(ssa, name)
        marks = {"marks": {"5": "current", where: "selected"}, "tree": dominators(ssa).idom}
        if name == read:
            return Evidence(
                f"Going up the dominator tree from 5, the first definition of y is {name} in {where}.",
                ssa,
                marks,
            )
        if not str(name).startswith("y."):
            return Evidence(f"{name} is no version of y.", ssa, marks)
        above = why_dominates(ssa, where, "5")
        if above.holds:
            closer = defining_block(ssa, str(read))
            return Evidence(
                f"{where} is above 5 in the tree, but {closer} stands between and defines y again.",
                ssa,
                marks,
            )
        return Evidence(f"{where} is not above 5 in the tree: {above.reason}", ssa, marks)  # fmt: skip

    return Prediction(
        "All is renamed but the read of y in 5. Renaming walks the dominator tree. On which line is the version defined that 5 gets?",
        asked_of,
        "versions",
        [read],
        why,
        lambda name: {
            "y.1": ANY_ABOVE,
            "y.2": "a phi is no definition",
            "y.3": "the version written last in the text is read",
        }.get(name, ""),
    )


@asked("05-operand", under="Three traps", doubt=OWN_BLOCK)
def operand() -> Choice:
    """Ask which version goes into a phi over the back edge."""
    ssa = to_ssa(six_blocks())
    place = ssa.block("1").params.index("x.2")
    right = next(t.args[place] for src, _, t in ssa.edges() if (src, t.block) == ("4", "1"))
    said = {
        "x.1": ("x₁ comes over the edge from 0.", "operands may stand in any order"),
        "x.2": ("x₂ is what the phi itself makes, at the top of 1. By the end of 4 x has another name.", OWN_BLOCK),
        "x.3": ("x₃ is the value in 3. At 4 it meets the one that came past 3.", "the last version written in the text is passed"),
        "x.4": ("The operand is the version on top at the end of 4, where the edge begins.", ""),
    }  # fmt: skip

    def seen(name: str) -> Evidence:
        where = defining_block(ssa, name)
        text = f"{name} is defined in {where}; the edge 4 > 1 passes {right}."
        return Evidence(text, ssa, {"marks": {where: "current"}, "edges": {"4>1": "path"}})

    return Choice(
        "The phi for x at 1 has an operand for the edge from 4. Which version is it?",
        tuple(
            [
                claim(drawn_name(name), name == right, said[name][0], seen(name), said[name][1])
                for name in said
            ]
        ),
        six_blocks(),
    )


@asked("05-live", under="Phi, or parameter?", doubt=LIVE_IN)
def live() -> Choice:
    """Ask where an operand of a phi is live."""
    ssa = to_ssa(six_blocks())
    top, end = why_live(ssa, "x.3", "4", "top"), why_live(ssa, "x.3", "3", "end")
    return Choice(
        "4 begins with x₄ = φ(2: x₂, 3: x₃). Where is x₃ live?",
        (
            fact("at the end of 3", end, "The edge 3 > 4 reads it: an operand is read where its edge begins."),
            fact("at the top of 4", top, "When 4 begins the phi has already chosen; x₃ is not read any more.", LIVE_IN),
            fact("at the end of 2", why_live(ssa, "x.3", "2", "end"), "The edge 2 > 4 passes x₂. On that way x₃ has no value.", "every predecessor passes all operands"),
            denial("nowhere: a phi is no real read", end, "Whoever leaves SSA form needs the value at the end of 3, so it must be kept until there.", "phis keep nothing alive"),
        ),
        ssa,
        several=True,
    )  # fmt: skip
