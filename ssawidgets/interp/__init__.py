"""Running programs: any Func or Program, in SSA or not, by an interpreter without recursion."""

from ssawidgets.interp.machine import run
from ssawidgets.interp.outcome import Outcome, difference

__all__ = ["Outcome", "difference", "run"]
