"""The process in which LLVM works: `python -m ssawidgets.frontends.llvm.child`, jobs in on stdin, answers out on stdout.

Jobs are done in a fork; one that ends its process (a trap of the program, an assertion of LLVM's) ends it alone, and the jobs after
it are done in the next. What the program prints, uses and draws goes through functions of Python's, bound to the names that `runtime` declares.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import re
import select
import signal
import sys
from collections.abc import Iterator
from functools import partial
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
    answers: list[Answer] = []
    if not hasattr(os, "fork"):
        no_fork = {"ended": "machine code is run where processes can fork: on Linux and macOS"}
        answers = [passes(job) if job["task"] == "passes" else no_fork for job in jobs]
    while len(answers) < len(jobs):
        answers += _until_one_ends(jobs[len(answers) :], seconds)
    sys.stdout.buffer.write(pickle.dumps(answers))


def _until_one_ends(jobs: list[Job], seconds: float) -> list[Answer]:
    """Do jobs in a fork, up to the first that ends it: its answers, at least one."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        # LLVM's own complaints belong to the answer, not to the caller's screen.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        work = Work(write)
        for job in jobs:
            work.do(job)
        os._exit(0)
    os.close(write)
    found: list[Answer] = []
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while len(found) < len(jobs):
            ready, _, _ = select.select([pipe], [], [], seconds)
            if not ready:
                os.kill(child, signal.SIGKILL)
                found.append({"ended": f"no answer within {seconds} seconds"})
                break
            answer = _receive(pipe)
            if answer is None:
                break
            found.append(answer)
    _, status = os.waitpid(child, 0)
    number = os.waitstatus_to_exitcode(status)
    ended = number != 0 or not found  # otherwise than by a trap, which sends its answer first
    if len(found) < len(jobs) and ended and not (found and "ended" in found[-1]):
        found.append({"ended": signal.Signals(-number).name if number < 0 else f"status {number}"})
    return found


def _send(pipe: int, answer: Answer) -> None:
    data = pickle.dumps(answer)
    data = len(data).to_bytes(8, "little") + data
    while data:
        data = data[os.write(pipe, data) :]


def _receive(pipe: Any) -> Answer | None:
    """The next answer, None if the fork has ended before one."""

    def exactly(count: int) -> bytes:
        parts = b""
        while len(parts) < count:
            part = pipe.read(count - len(parts))
            if not part:
                return b""
            parts += part
        return parts

    size = exactly(8)
    data = exactly(int.from_bytes(size, "little")) if size else b""
    return pickle.loads(data) if data else None


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
    if job["passes"]:
        manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
        module.verify()
    return {"text": str(module)}


class Work:
    """What one fork does: jobs in order, each answered on the pipe."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self.llvm: Any = import_module("llvmlite.binding")
        self.answer: Answer = {}  # of the run going on
        self.draws = Draws(0)
        self.kept: list[Any] = []  # ctypes wants its callbacks kept alive
        self.engine: tuple[str, Any] = ("", None)  # the last module run, and its machine code
        self.blocks: dict[str, list[str]] = {}

    def do(self, job: Job) -> None:
        """Do a job and send its answer."""
        _send(self.pipe, passes(job) if job["task"] == "passes" else self.run(job))

    def run(self, job: Job) -> Answer:
        """Run a module on arguments."""
        self.answer = {"value": None, "prints": [], "uses": [], "trap": None}
        self.draws = Draws(job["seed"])
        self.blocks = job["blocks"]
        if self.engine[0] != job["ir"]:
            try:
                module = self.llvm.parse_assembly(job["ir"])
                module.verify()
            except RuntimeError as error:
                return {"refused": str(error)}
            self.engine = (job["ir"], self.compile(module))
        result: Type | None = job["result"]
        prototype = ctypes.CFUNCTYPE(
            None if result is None else _C_TYPE[result], *[_C_TYPE[kind] for kind in job["params"]]
        )
        start = prototype(self.engine[1].get_function_address(job["start"]))
        value = start(*[_to_c(kind, v) for kind, v in zip(job["params"], job["args"], strict=True)])
        self.answer["value"] = None if result is None else _from_c(result, value)
        return self.answer

    def compile(self, module: Any) -> Any:
        """Return the machine code of a module, its surroundings provided."""
        for name, function in self.surroundings(module):
            self.kept.append(function)
            self.llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
        machine = self.llvm.Target.from_default_triple().create_target_machine(opt=1)
        engine = self.llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        return engine

    def surroundings(self, module: Any) -> Iterator[tuple[str, Any]]:
        """What the module declares and Python provides."""
        for function in module.functions:
            name = function.name
            if not function.is_declaration:
                continue
            if name in TRAPS:
                yield name, ctypes.CFUNCTYPE(None)(partial(self.trap, name))
            elif name.split(".")[0] in ("print", "use"):
                kinds = kinds_in(name)
                kept = "prints" if name.startswith("print") else "uses"
                yield (
                    name,
                    ctypes.CFUNCTYPE(None, *[_C_TYPE[k] for k in kinds])(partial(self.record, kept, kinds)),
                )
            elif opaque := re.fullmatch(r"opaque\.(\w+)\.(.*)", name):
                kind: Type = opaque[1]  # type: ignore[assignment]
                yield (
                    name,
                    ctypes.CFUNCTYPE(_C_TYPE[kind], ctypes.c_int64)(partial(self.draw, opaque[2], kind)),
                )
            elif name.startswith("choose."):
                caller = name.partition(".")[2]
                made = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
                yield name, made(partial(self.choose, caller))

    def trap(self, name: str) -> None:
        """End the run, and this fork with it: machine code waits behind us and cannot be left otherwise."""
        _send(self.pipe, {**self.answer, "trap": name})
        os._exit(0)

    def record(self, kept: str, kinds: tuple[Type, ...], *values: Any) -> None:
        """Keep what was printed or observed."""
        self.answer[kept].append(tuple([_from_c(k, v) for k, v in zip(kinds, values, strict=True)]))

    def draw(self, caller: str, kind: Type, site: int) -> Any:
        """Return the next value of a `?`."""
        return _to_c(kind, self.draws.value(caller, str(site), kind))

    def choose(self, caller: str, block: int, count: int) -> int:
        """Return which way out of a block is taken next."""
        return self.draws.choice(caller, self.blocks[caller][block], count)


if __name__ == "__main__":
    main()
