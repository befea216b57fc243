"""LLVM assembly in and out, and LLVM's own passes and machine code where llvmlite is installed."""

from ssawidgets.frontends.llvm.emit import to_llvm
from ssawidgets.frontends.llvm.lexer import LlvmError
from ssawidgets.frontends.llvm.reader import from_llvm

__all__ = ["LlvmError", "from_llvm", "to_llvm"]
