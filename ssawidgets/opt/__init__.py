"""Optimising passes on SSA, and the one table of operator semantics they share with the interpreter."""

from ssawidgets.opt.copy_propagation import copy_propagate
from ssawidgets.opt.dce import dce
from ssawidgets.opt.dense_constants import DenseFacts, dense_constants
from ssawidgets.opt.gvn import gvn, value_numbers
from ssawidgets.opt.lattice import BOTTOM, TOP
from ssawidgets.opt.sccp import SccpFacts, sccp, sccp_facts

__all__ = [
    "BOTTOM",
    "TOP",
    "DenseFacts",
    "SccpFacts",
    "copy_propagate",
    "dce",
    "dense_constants",
    "gvn",
    "sccp",
    "sccp_facts",
    "value_numbers",
]
