"""Which code is recorded: that of a function's own module, or what a caller lists."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

Traced = Callable[..., Any] | CodeType | ModuleType


def wanted_code(function: Callable[..., Any], only: Iterable[Traced] | None) -> Callable[[FrameType], bool]:
    """Return the test whether a frame is to be recorded."""
    target = inspect.unwrap(function) if callable(function) else function
    target = getattr(target, "__func__", target)
    if not isinstance(target, FunctionType):
        call = vars(type(target)).get("__call__")  # an object that can be called
        target = call if isinstance(call, FunctionType) else target
    if only is None:
        if not isinstance(target, FunctionType):
            raise TypeError(
                f"a stepper takes a function written in Python, not {function!r}; for a class give one of its "
                "methods, or a function that uses it"
            )
        home = target.__globals__
        return lambda frame: frame.f_globals is home
    listed = list(only)
    modules = [one.__dict__ for one in listed if isinstance(one, ModuleType)]
    codes: set[CodeType] = set()
    for one in listed:
        if isinstance(one, CodeType):
            codes.add(one)
        elif not isinstance(one, ModuleType):
            codes |= _codes(_code(one))
    return lambda frame: frame.f_code in codes or any(frame.f_globals is m for m in modules)


def _code(one: Callable[..., Any]) -> CodeType:
    one = getattr(inspect.unwrap(one), "__func__", inspect.unwrap(one))
    if isinstance(one, FunctionType):
        return one.__code__
    raise TypeError(f"only lists functions and modules whose code is recorded, not {one!r}")


def _codes(code: CodeType) -> set[CodeType]:
    """Return a function's code and that of the functions in it."""
    found: set[CodeType] = set()
    left = [code]
    while left:
        found.add(code := left.pop())
        left += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


def is_part(code: CodeType) -> bool:
    """Say whether code has no lines of its own to show: a comprehension, a lambda, the methods of a dataclass."""
    return code.co_name.startswith("<") or code.co_filename == "<string>"
