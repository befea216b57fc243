"""Questions of chapter 13: what grows, and how fast."""

from __future__ import annotations

from math import log2

from ssawidgets.analysis import dominance_frontiers
from ssawidgets.ir import parse
from ssawidgets.ir.scaled_graphs import FAMILIES
from ssawidgets.ssa import place_phis, to_ssa
from ssawidgets.teach.questions import Choice, Evidence
from ssawidgets.teach.quizzes.register import asked, claim, six_blocks

SMALL = "frontiers are small"
FEWEST = "minimal means fewest"
JOIN = "a phi costs the same wherever it stands"
LINES = "the slope of a log-log plot is the factor by which work grows"


@asked("13-frontiers", under="Try it first", doubt=SMALL)
def frontiers() -> Choice:
    """Ask how large the frontiers of ten nested loops are together."""
    loops = 10
    count = sum(len(df) for df in dominance_frontiers(FAMILIES["nested_repeat"](2 * loops + 2)).values())
    shown = Evidence(f"{loops} loops: {count} members, which is {loops} times {loops + 1}.")
    said = {
        10: ("Each loop's head is in more frontiers than one: in those of all blocks that its loop holds and that lead back to it.", SMALL),
        20: ("Each head is in the frontier of every block that its loop holds, and the innermost is held by all.", SMALL),
        110: ("n loops give n(n + 1) members: the number of blocks grows with n, that of members with its square.", ""),
        1024: ("Every loop adds to the frontiers of the blocks it holds, it does not double them.", "nested loops double the work"),
    }  # fmt: skip
    return Choice(
        "Ten repeat-until loops, each inside the last. How many members have all the frontiers together?",
        tuple([claim(f"{n:,}", n == count, text, shown, slip) for n, (text, slip) in said.items()]),
    )


@asked("13-slope", under="Reading growth", doubt=LINES)
def slope() -> Choice:
    """Ask for a slope."""
    factor = 8
    found = int(log2(factor))
    shown = Evidence(f"log {factor} divided by log 2 is {found}.")
    said = {
        2: ("That would be four times the work.", "slope counts doublings of the program"),
        3: ("Twice the program, 2 to the power 3 times the work.", ""),
        4: ("That would be sixteen times the work.", "slope is half the factor"),
        8: ("Eight is the factor. The slope is the power to which 2 is raised to get it.", LINES),
    }
    return Choice(
        "Whenever the program gets twice as large, an algorithm does eight times the work. Which slope has its line, both axes logarithmic?",
        tuple([claim(str(n), n == found, text, shown, slip) for n, (text, slip) in said.items()]),
    )


@asked("13-fewest", under="How many phis?", doubt=FEWEST)
def fewest() -> Choice:
    """Ask which flavour has the fewest phis."""
    six = six_blocks()
    counts = {
        flavour: sum(len(blocks) for blocks in place_phis(six, flavour).values())
        for flavour in ("minimal", "semi-pruned", "pruned")
    }
    least = min(counts.values())
    shown = Evidence("In the six blocks: " + ", ".join(f"{f} {n}" for f, n in counts.items()) + ".", six)
    said = {
        "minimal": ("It has none where one definition reaches. It does not ask whether anybody reads the phi.", FEWEST),
        "semi-pruned": ("It drops variables that stay within blocks, and keeps phis for dead ones.", "semi-pruned is pruned"),
        "pruned": ("It places where minimal does, and only where the variable is live.", ""),
    }  # fmt: skip
    return Choice(
        "Which placement has the fewest phis?",
        tuple([claim(f, counts[f] == least, text, shown, slip) for f, (text, slip) in said.items()]),
        six,
    )


@asked("13-operands", under="Operands at wide joins", doubt=JOIN)
def operands() -> Choice:
    """Ask how many operands a wide join has."""
    cases, variables = 9, 5
    names = [f"v{k}" for k in range(variables)]
    lines = ["func f(n):", "top:", *[f"  {v} = 0" for v in names]]
    lines.append(f"  switch n [{', '.join(f'{k}: case{k}' for k in range(cases))}] else join")
    for k in range(cases):
        lines += [f"case{k}:", *[f"  {v} = {v} + {k}" for v in names], "  goto join"]
    func = to_ssa(parse("\n".join([*lines, "join:", f"  print {', '.join(names)}", "  return"])))
    count = sum(len(target.args) for _, _, target in func.edges())
    shown = Evidence(f"{len(func.block('join').params)} phis, each with an operand for {cases} cases and for the default: {count}.")  # fmt: skip
    said = {
        variables: ("That is the number of phis. Each has an operand for every way in.", JOIN),
        cases + variables: ("Each phi has an operand for each way in: multiply.", "operands add up"),
        cases * variables: ("The default leads to the join too.", "the default is no way in"),
        (cases + 1) * variables: ("Ways in times variables.", ""),
    }
    return Choice(
        f"A switch with {cases} cases and a default that leads straight to the join; every case changes {variables} variables, all read after it. How many operands have the phis of the join together?",
        tuple([claim(str(n), n == count, text, shown, slip) for n, (text, slip) in said.items()]),
    )
