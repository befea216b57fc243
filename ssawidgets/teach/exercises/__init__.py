"""The exercises: how they are found, and how to add one.

`exNN.py` holds `NOTEBOOK`, the page of chapter NN: its name, its introduction, the ids of its exercises in
order. The modules `exNN_*.py` hold the exercises, each module a constant `EXERCISES`. Nothing else has to be
registered: `find("02-dominator-sets")` loads the modules of chapter 02 and no others.

HOW TO ADD AN EXERCISE

1.  **Pick the property it tests**; no two exercises of a chapter test the same. Pick its kind:

    ========  ==================================================  ====================================
    kind      the student                                         hands in
    ========  ==================================================  ====================================
    write     writes a function                                   the function `name`
    repair    repairs a broken pass (`starter`)                   the function `name`
    build     builds a graph or program such that …               text: `name = "0>1 1>2"`
    click     picks the blocks, edges or versions that …          a set, a dict: `name = {"1", "4"}`
    predict   says what an algorithm does next, or gives          whatever fits
    witness   chooses the evidence for (or against) a claim       a path, an edge, a run: `name = [...]`
    ========  ==================================================  ====================================

    A chapter has at least five exercises, among them write, repair and build.

2.  **Choose the arguments**: plain data only (None, bools, ints, floats, strings; lists, tuples, sets and
    dicts of them), because students' code runs where analysis, ssa and opt cannot be imported, and the
    verdict falls in another process. For graphs take `(succs, entry)` from `teach.graphs`, for programs
    `(code, succs, entry)` from `teach.programs` (its docstring fixes the shape). Anything else: a tuple of
    plain data of your own; say so in the task. A question (the last four kinds) has one instance, made from
    the seed, `random.Random(f"{id} {seed}")`, so that each student can get another one of the same
    difficulty: the same number of blocks, of joins, of members in the answer, by drawing until it fits
    (`graphs.draw_until`). Seed "" is the one in the published notebook.

3.  **Write the oracle by the definition**, slow and obvious, never with the algorithm the student writes. Where
    many answers are right (build, renaming, sequentialising, out of SSA) give `accepts(case)` and let the
    oracle return one right answer. Judge renamed or translated programs by the definition: `programs.to_func`
    and `ssa.verify` say whether it is SSA, `programs.run_difference` whether it still does the same; a
    sequence of copies is judged by carrying it out; a lattice by its fixed point, computed by sweeping until
    nothing changes. Oracles may import any layer up to `step`; a test of yours holds the oracle against the
    library's own algorithm, so that one of them catches the other.

4.  **Shape, words, picture.** `shape(args, answer)` says what form is wanted, in words a beginner knows; take
    `teach.shapes` where one fits. `describe(args)` names the instance (`graphs.describe`,
    `programs.describe`). `explain(case)` says the *first* thing that is wrong and why, **with a witness** (a
    path that goes round, the predecessor that makes it so, the run that prints another value): compute it,
    never paste it. Take it from `graphs.path_avoiding` and friends, or from `ssawidgets.explain`. Where a
    block's name may be the student's own text, cut it (`shapes.cut`). For a question `explain` must not give
    the answer away: one wrong member or one kind of omission is enough. `draw` is one of
    `teach.pictures.draw_*`, imported inside the function (grading needs no picture).

5.  **Instances, smallest first.** `instances=graph_instances` tries every graph up to three blocks, every
    reachable one of four up to renaming, listed ones, then random ones; `program_instances` does the like.
    `smaller=smaller_graphs` (`shrinking.smaller_programs`, `smaller_ssa_programs`) shrinks what random ones find.

6.  **Parts of the credit**, ten points in all as a rule: properties (sound, complete, minimal, exact on
    acyclic graphs, exact on all). Whoever returns nothing, or everything, must not earn "sound" or
    "complete" by it: give those parts an `earns`. A right answer earns all. A repair earns nothing at all
    until it is right on an instance on which the broken version is wrong (the judge sees to that).

7.  **Misconceptions** with stable ids: name first those of MISCONCEPTIONS.md that code can show here, then
    the slips that people make. Give each a `behaviour` (a function that answers as its holder would) or, where
    that cannot be, `shows(found)`, a detector on one wrong answer (`found.problem` for time-outs and
    exceptions). The text says what is true instead, in one or two plain sentences. Most specific first: of two
    that fit equally well the first is named.

8.  **Text.** `task`: a heading `## …`, what is asked, the arguments, the result, an example. A block fenced
    by ```` ```python ```` becomes a code cell (it runs; keep it short, one idea); other code is fenced as
    ```` ```text ````. `hints`: three, from a nudge, by another way of seeing it, to almost the answer. `section`
    is a heading of the chapter's notebook, word for word; a test looks it up. `solution` is the source of a
    right function with a docstring (students get the `def` line and the docstring); for a repair also
    `starter`, the broken one, which must end on every instance or be cut off by the time limit.

9.  **Tests.** In tests/teach/right/exNN.py: `RIGHT = {id: (three right answers of different style)}` and
    `WRONG = {id: {name: (wrong answer, id of the misconception or None)}}` for slips beyond the behaviours. The
    shared tests (tests/teach/test_exercises.py) run them all, with the behaviours and the solution: right ones
    are accepted with all points under two seeds, wrong ones rejected, named and explained, a counterexample is
    of at most four blocks, the starter earns nothing. Oracles get a test of their own beside them.

10. **Notebook.** Add the id to `NOTEBOOK` in exNN.py, then `python -m ssawidgets.teach.masters 02` writes
    solutions/02_…/02_….ipynb and `python -m ssawidgets.teach.release 02` writes exercises/. Look at the page
    and at a few reports in a notebook, light and dark.

To read first: `ex02_dominator_sets` (write), `ex02_repair` (repair), `ex02_questions` (click, witness, build), `ex01_questions` (predict),
and `ex07_split_edges` (write, on programs, with many right answers).

"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from ssawidgets.teach.exercise import Exercise


@dataclass(frozen=True)
class Notebook:
    """The page of a chapter's exercises: `name` as the chapter's notebook, Markdown at its top and its end."""

    name: str
    title: str
    intro: str
    exercises: tuple[str, ...]
    outro: str


@cache
def _modules() -> dict[str, list[str]]:
    """Chapter -> names of its modules; a chapter is there once it has its page, `exNN`."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    pages = [name[2:] for name in names if name.startswith("ex") and len(name) == 4]
    return {chapter: [name for name in names if name.startswith(f"ex{chapter}_")] for chapter in pages}


def chapters() -> list[str]:
    """Return the numbers of the chapters that have exercises.

    >>> "02" in chapters()
    True
    """
    return sorted(_modules())


@cache
def of_chapter(chapter: str) -> dict[str, Exercise]:
    """Return the exercises of a chapter by id, in the order of its notebook."""
    found: dict[str, Exercise] = {}
    for name in _modules().get(chapter, ()):
        for exercise in getattr(import_module(f"{__name__}.{name}"), "EXERCISES", ()):
            found[exercise.id] = exercise
    order = notebook_of(chapter).exercises
    if sorted(order) != sorted(found):
        raise ValueError(
            f"chapter {chapter}: NOTEBOOK names {', '.join(order)}; there are {', '.join(sorted(found))}"
        )
    return {id_: found[id_] for id_ in order}


def notebook_of(chapter: str) -> Notebook:
    """Return the page of a chapter's exercises."""
    notebook: Notebook = import_module(f"{__name__}.ex{chapter}").NOTEBOOK
    return notebook


def exercise_ids() -> list[str]:
    """Return the ids of all exercises, by chapter and in the order of its notebook.

    >>> "02-dominator-sets" in exercise_ids()
    True
    """
    return [exercise.id for exercise in all_exercises()]


def find(exercise_id: str) -> Exercise:
    """Return the exercise of that id. Raises `KeyError` naming the ids there are.

    >>> find("02-dominator-sets").name
    'dominator_sets'
    """
    chapter = str(exercise_id)[:2]
    found = of_chapter(chapter).get(exercise_id) if chapter in _modules() else None
    if found is None:
        raise KeyError(f"no exercise {exercise_id!r}; there are: {', '.join(exercise_ids())}")
    return found


def all_exercises() -> Iterator[Exercise]:
    """Yield every exercise, by chapter and in the order of its notebook."""
    for chapter in chapters():
        yield from of_chapter(chapter).values()
