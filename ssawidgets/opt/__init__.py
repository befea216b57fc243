"""Optimising passes on SSA, and the one table of operator semantics they share with the interpreter."""

from ssawidgets.opt.copy_propagation import copy_propagate

__all__ = ["copy_propagate"]
