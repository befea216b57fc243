"""Programs and graphs from elsewhere and for elsewhere: Python functions, Bril, LLVM, networkx graphs."""

from ssawidgets.frontends.bril import BrilError, from_bril, to_bril
from ssawidgets.frontends.graphs import from_networkx, to_networkx
from ssawidgets.frontends.llvm import LlvmError, from_llvm, to_llvm
from ssawidgets.frontends.python import PythonError, from_python

__all__ = [
    "BrilError",
    "LlvmError",
    "PythonError",
    "from_bril",
    "from_llvm",
    "from_networkx",
    "from_python",
    "to_bril",
    "to_llvm",
    "to_networkx",
]
