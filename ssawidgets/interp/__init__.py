"""Running programs: any Func or Program, in SSA or not, by an interpreter without recursion."""

from ssawidgets.interp.outcome import Outcome, difference
from ssawidgets.interp.running import run

__all__ = ["Outcome", "difference", "run"]
