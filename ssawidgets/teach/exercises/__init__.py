"""The exercises, one module each. A module holds one `EXERCISE` and is found by being here.

The id `02-dominator-sets` lives in the module `ex02_dominator_sets`; asking for one exercise loads that
module alone.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from ssawidgets.teach.exercise import Exercise


def exercise_ids() -> list[str]:
    """Return the ids of all exercises, sorted, without loading them.

    >>> "02-dominator-sets" in exercise_ids()
    True
    """
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name[2:].replace("_", "-") for name in names if name.startswith("ex"))


def find(exercise_id: str) -> Exercise:
    """Return the exercise of that id. Raises `KeyError` naming the ids there are.

    >>> find("02-dominator-sets").function
    'dominator_sets'
    """
    if exercise_id not in exercise_ids():
        raise KeyError(f"no exercise {exercise_id!r}; there are: {', '.join(exercise_ids())}")
    module = import_module(f"{__name__}.ex{exercise_id.replace('-', '_')}")
    exercise: Exercise = module.EXERCISE
    return exercise


def all_exercises() -> Iterator[Exercise]:
    """Yield every exercise, in order of id."""
    return map(find, exercise_ids())
