"""Programs and graphs from elsewhere and for elsewhere: Python functions, Bril, LLVM, MLIR, SPIR-V, Cranelift, networkx."""

from ssawidgets.frontends.bril import BrilError, from_bril, to_bril
from ssawidgets.frontends.clif import to_clif
from ssawidgets.frontends.graphs import from_networkx, to_networkx
from ssawidgets.frontends.llvm import LlvmError, from_llvm, to_llvm
from ssawidgets.frontends.mlir import to_mlir
from ssawidgets.frontends.python import PythonError, from_python
from ssawidgets.frontends.spirv import to_spirv

__all__ = [
    "BrilError",
    "LlvmError",
    "PythonError",
    "from_bril",
    "from_llvm",
    "from_networkx",
    "from_python",
    "to_bril",
    "to_clif",
    "to_llvm",
    "to_mlir",
    "to_networkx",
    "to_spirv",
]
