"""Optimising passes on SSA, and the one table of operator semantics they share with the interpreter."""
