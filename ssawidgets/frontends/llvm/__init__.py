"""LLVM assembly in and out, and LLVM's own passes and machine code where llvmlite is installed."""

from ssawidgets.frontends.llvm.emit import to_llvm

__all__ = ["to_llvm"]
