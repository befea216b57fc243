"""The process in which LLVM works: `python -m ssawidgets.frontends.llvm.child`, jobs in on stdin, answers out on stdout.

Each job is done in a fork, so that one that ends its process (a trap of the program, an assertion of LLVM's) takes no other
with it. What the program prints, uses and draws goes through functions of Python's, bound to the names that `runtime` declares.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import re
import select
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ssawidgets.frontends.lowering import TRAPS, kinds_in
from ssawidgets.interp.draws import Draws
from ssawidgets.ir.model import Type

Job = dict[str, Any]
Answer = dict[str, Any]

_C_TYPE: dict[Type, Any] = {
    "int": ctypes.c_int64,
    "bool": ctypes.c_uint8,  # of which LLVM sets the last bit
    "float": ctypes.c_double,
    "char": ctypes.c_uint32,  # of which LLVM sets the last 21 bits
    "ptr": ctypes.c_void_p,
}


def _from_c(kind: Type, value: Any) -> Any:
    if kind == "bool":
        return value & 1 == 1
    return chr(value & 0x1FFFFF) if kind == "char" else value


def _to_c(kind: Type, value: Any) -> Any:
    if kind == "char":
        return ord(value)
    return int(value) if kind == "bool" else value


def main() -> None:
    """Answer the jobs on stdin."""
    llvm: Any = import_module("llvmlite.binding")

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    seconds, jobs = pickle.load(sys.stdin.buffer)
    answers = [_in_a_fork(job, seconds) for job in jobs]
    sys.stdout.buffer.write(pickle.dumps(answers))


def _in_a_fork(job: Job, seconds: float) -> Answer:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        # LLVM's own complaints belong to the answer, not to the caller's screen.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        _send(write, passes(job) if job["task"] == "passes" else _run(job, write))
    os.close(write)
    parts = []
    late = False
    while True:
        ready, _, _ = select.select([read], [], [], seconds)
        if not ready:
            late = True
            os.kill(child, signal.SIGKILL)
            break
        part = os.read(read, 1 << 16)
        if not part:
            break
        parts.append(part)
    os.close(read)
    _, status = os.waitpid(child, 0)
    if parts and not late:
        answer: Answer = pickle.loads(b"".join(parts))
        return answer
    if late:
        return {"ended": f"no answer within {seconds} seconds"}
    number = os.waitstatus_to_exitcode(status)
    return {"ended": signal.Signals(-number).name if number < 0 else f"status {number}"}


def _send(pipe: int, answer: Answer) -> None:
    """Send the answer and end this process at once: machine code may be waiting behind us."""
    data = pickle.dumps(answer)
    while data:
        data = data[os.write(pipe, data) :]
    os._exit(0)


def passes(job: Job) -> Answer:
    """Verify a module, run passes on it, verify it again."""
    llvm: Any = import_module("llvmlite.binding")

    try:
        module = llvm.parse_assembly(job["ir"])
        module.verify()
    except RuntimeError as error:
        return {"refused": str(error)}
    machine = llvm.Target.from_default_triple().create_target_machine()
    manager = llvm.create_new_module_pass_manager()
    for name in job["passes"]:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    module.verify()
    return {"text": str(module)}


def _run(job: Job, pipe: int) -> Answer:
    llvm: Any = import_module("llvmlite.binding")

    try:
        module = llvm.parse_assembly(job["ir"])
        module.verify()
    except RuntimeError as error:
        return {"refused": str(error)}
    answer: Answer = {"value": None, "prints": [], "uses": [], "trap": None}
    kept = []  # ctypes wants its callbacks kept alive
    for name, function in _surroundings(module, job, answer, pipe).items():
        kept.append(function)
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    engine = llvm.create_mcjit_compiler(
        module, llvm.Target.from_default_triple().create_target_machine(opt=1)
    )
    engine.finalize_object()
    result: Type | None = job["result"]
    prototype = ctypes.CFUNCTYPE(
        None if result is None else _C_TYPE[result], *[_C_TYPE[kind] for kind in job["params"]]
    )
    start = prototype(engine.get_function_address(job["start"]))
    value = start(*[_to_c(kind, v) for kind, v in zip(job["params"], job["args"], strict=True)])
    answer["value"] = None if result is None else _from_c(result, value)
    return answer


def _surroundings(module: Any, job: Job, answer: Answer, pipe: int) -> dict[str, Any]:
    """What the module declares and Python provides."""
    draws = Draws(job["seed"])
    found: dict[str, Any] = {}
    for function in module.functions:
        name = function.name
        if not function.is_declaration:
            continue
        if name in TRAPS:
            found[name] = ctypes.CFUNCTYPE(None)(_trap(name, answer, pipe))
        elif name.split(".")[0] in ("print", "use"):
            rows = answer["prints" if name.startswith("print") else "uses"]
            kinds = kinds_in(name)
            found[name] = ctypes.CFUNCTYPE(None, *[_C_TYPE[k] for k in kinds])(_record(rows, kinds))
        elif opaque := re.fullmatch(r"opaque\.(\w+)\.(.*)", name):
            kind: Type = opaque[1]  # type: ignore[assignment]
            found[name] = ctypes.CFUNCTYPE(_C_TYPE[kind], ctypes.c_int64)(_draw(draws, opaque[2], kind))
        elif name.startswith("choose."):
            caller = name.partition(".")[2]
            found[name] = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(
                _choose(draws, caller, job["blocks"][caller])
            )
    return found


def _trap(name: str, answer: Answer, pipe: int) -> Callable[[], None]:
    def trap() -> None:
        _send(pipe, {**answer, "trap": name})

    return trap


def _record(rows: list[tuple[Any, ...]], kinds: tuple[Type, ...]) -> Callable[..., None]:
    def record(*values: Any) -> None:
        rows.append(tuple([_from_c(k, v) for k, v in zip(kinds, values, strict=True)]))

    return record


def _draw(draws: Draws, caller: str, kind: Type) -> Callable[[int], Any]:
    def draw(site: int) -> Any:
        return _to_c(kind, draws.value(caller, str(site), kind))

    return draw


def _choose(draws: Draws, caller: str, blocks: list[str]) -> Callable[[int, int], int]:
    def choose(block: int, count: int) -> int:
        return draws.choice(caller, blocks[block], count)

    return choose


if __name__ == "__main__":
    main()
