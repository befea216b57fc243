"""Small faults put into analysis, ssa and opt one at a time: do the module's own tests notice?

    python3 run.py bench mutants                                  a short round
    python bench/mutants.py --count 600 --seconds 100000          a long one
    python bench/mutants.py --count 600 --only 17 230             some of them again

A mutant is one small change: an operator or comparison exchanged, a constant shifted, a condition negated, `and` for `or`,
a statement dropped. They are drawn in turn from every module, the same for the same seed. Each runs in a copy of the
tree with the test files that are its module's own (`TESTS` names those that another file tests), to the first failure,
within a limit of processor time and memory; who exceeds it is noticed too. Modules of others are imported once and every mutant
is a fork, so that most of the time goes into the tests. Survivors are printed as lines before and after, to be read: a test
is missing, or the change changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("analysis", "ssa", "opt")

#: The tests of modules that have no file of their own.
TESTS = {
    "analysis/block_sets": ("analysis/test_liveness", "analysis/test_frontier_sets"),
    "analysis/depth_first": ("analysis/test_dominators",),
    "analysis/dom_chk": ("analysis/test_dominators",),
    "analysis/dom_lengauer_tarjan": ("analysis/test_dominators",),
    "analysis/dom_naive": ("analysis/test_dominators",),
    "analysis/dom_semi_nca": ("analysis/test_dominators",),
    "analysis/dominance": ("analysis/test_dominators",),
    "analysis/domtree": ("analysis/test_dominators",),
    "analysis/frontier_bits": ("analysis/test_frontier_sets",),
    "analysis/graph": ("analysis/test_dominators", "analysis/test_strongly_connected"),
    "analysis/link_eval": ("analysis/test_dominators",),
    "opt/dense_constants": ("opt/test_sccp",),
    "opt/effects": ("opt/test_dce",),
    "opt/expressions": ("opt/test_gvn", "opt/test_partition"),
    "opt/hash_numbering": ("opt/test_gvn",),
    "opt/precondition": ("opt/test_sccp", "opt/test_dce", "opt/test_gvn"),
    "ssa/boissinot": ("ssa/test_from_ssa",),
    "ssa/braun_program": ("ssa/test_braun",),
    "ssa/braun_work": ("ssa/test_braun",),
    "ssa/congruence": ("ssa/test_from_ssa", "ssa/test_sreedhar", "ssa/test_ordered_classes"),
    "ssa/dj_graph": ("ssa/test_placement", "ssa/test_pruned_placement"),
    "ssa/entry": ("ssa/test_construct", "ssa/test_placement", "ssa/test_braun"),
    "ssa/isolation": ("ssa/test_from_ssa", "ssa/test_sreedhar"),
    "ssa/lower_edges": ("ssa/test_from_ssa",),
    "ssa/naive_copies": ("ssa/test_from_ssa", "ssa/test_known_bugs"),
    "ssa/out_of_ssa": ("ssa/test_from_ssa",),
    "ssa/redundant_phis": ("ssa/test_braun",),
    "ssa/variables": ("ssa/test_construct", "ssa/test_placement"),
    "ssa/versions": ("ssa/test_rename", "ssa/test_construct"),
}
#: Tests of one module that live beside its main file.
MORE = {
    "opt/gvn": ("opt/test_partition",),
    "ssa/braun": ("ssa/test_construct",),
    "ssa/live_ranges": ("ssa/test_from_ssa",),
}
OUTSIDE = ("pytest", "hypothesis", "networkx", "nbval", "llvmlite.binding", "numpy")

SWAPS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.FloorDiv,), ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.FloorDiv,),
    ast.BitOr: (ast.BitAnd,), ast.BitAnd: (ast.BitOr,), ast.BitXor: (ast.BitOr,), ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,), ast.And: (ast.Or,), ast.Or: (ast.And,),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}  # fmt: skip
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """One change: in which module (`ssa/rename`), at which line, the statement before and after, the whole new text."""

    module: str
    line: int
    before: str
    after: str
    text: str


def mutants(module: str, text: str) -> Iterator[Mutant]:
    """Every mutant of a module's text, in order of the source."""
    tree = ast.parse(text)
    yielded: set[str] = set()
    for statement in _statements(tree):
        for place, change in _changes(statement):
            changed = copy.deepcopy(tree)
            target = next(n for n in ast.walk(changed) if _same(n, statement))
            before = _first_line(ast.unparse(target))
            after = change(target, place)
            if after is not target:
                _replace(changed, target, after)
            new = ast.unparse(ast.fix_missing_locations(changed))
            if new not in yielded:
                yielded.add(new)
                yield Mutant(module, statement.lineno, before, _first_line(ast.unparse(after)), new)


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Statements that run, with definitions looked into; imports, docstrings and texts of errors are left alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if (
            isinstance(node, ast.stmt)
            and not text
            and not isinstance(node, ast.Import | ast.ImportFrom | ast.Raise)
        ):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _statements(node)


def _same(node: ast.AST, statement: ast.stmt) -> bool:
    return type(node) is type(statement) and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == (  # type: ignore[attr-defined]
        statement.lineno, statement.col_offset, statement.end_lineno, statement.end_col_offset,
    )  # fmt: skip


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip()


def _own(statement: ast.AST) -> list[ast.expr]:
    """The expressions of a statement itself, not those of statements in it, annotations left out; always in the same order."""
    found: list[ast.expr] = []
    for name, value in ast.iter_fields(statement):
        if name in ("annotation", "returns", "type_params", "args") and isinstance(
            statement, ast.FunctionDef | ast.AnnAssign | ast.arguments
        ):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.expr):
                found.append(node)
            if isinstance(node, ast.expr | ast.comprehension | ast.keyword | ast.Slice):
                found += _own(node)
    return found


Change = Callable[[ast.AST, int], ast.AST]


def _changes(statement: ast.stmt) -> Iterator[tuple[int, Change]]:
    """What can be changed in one statement: the place among its own expressions, and what makes the change there."""
    if isinstance(statement, ast.Continue | ast.Break):
        yield (
            0,
            lambda s, n: ast.copy_location(ast.Break() if isinstance(s, ast.Continue) else ast.Continue(), s),
        )
        yield 0, lambda s, n: ast.copy_location(ast.Pass(), s)
        return
    if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr | ast.Delete):
        yield 0, lambda s, n: ast.copy_location(ast.Pass(), s)
    if isinstance(statement, ast.AugAssign):
        for swap in SWAPS.get(type(statement.op), ()):
            yield 0, _set_op(swap, itself=True)
    if isinstance(statement, ast.If | ast.While):
        yield 0, _negate
    for place, node in enumerate(_own(statement)):
        if isinstance(node, ast.IfExp):
            yield place, _negate_at
        elif isinstance(node, ast.BoolOp | ast.BinOp):
            for swap in SWAPS.get(type(node.op), ()):
                yield place, _set_op(swap)
        elif isinstance(node, ast.Compare):
            for swap in SWAPS.get(type(node.ops[0]), ()):
                yield place, _set_op(swap)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield place, _set_op(ast.UAdd)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield place, _shift
        elif isinstance(node, ast.Name) and node.id in NAMES:
            yield place, _rename


def _set_op(op: type, itself: bool = False) -> Change:
    def change(statement: ast.AST, place: int) -> ast.AST:
        node = statement if itself else _own(statement)[place]
        if isinstance(node, ast.Compare):
            node.ops[0] = op()
        else:
            node.op = op()  # type: ignore[attr-defined]
        return statement

    return change


def _negate(statement: ast.AST, place: int) -> ast.AST:
    statement.test = ast.UnaryOp(ast.Not(), statement.test)  # type: ignore[attr-defined]
    return statement


def _negate_at(statement: ast.AST, place: int) -> ast.AST:
    _negate(_own(statement)[place], 0)
    return statement


def _shift(statement: ast.AST, place: int) -> ast.AST:
    node = _own(statement)[place]
    assert isinstance(node, ast.Constant)
    node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
    return statement


def _rename(statement: ast.AST, place: int) -> ast.AST:
    node = _own(statement)[place]
    assert isinstance(node, ast.Name)
    node.id = NAMES[node.id]
    return statement


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and any(child is old for child in value):
                value[next(i for i, child in enumerate(value) if child is old)] = new


def sample(count: int, seed: int) -> list[Mutant]:
    """So many mutants, in turn from every module; a module that has no more is passed over."""
    rng = Random(seed)
    left: dict[str, list[Mutant]] = {}
    for layer in LAYERS:
        for path in sorted((ROOT / "ssawidgets" / layer).glob("[!_]*.py")):
            module = f"{layer}/{path.stem}"
            left[module] = list(mutants(module, path.read_text(encoding="utf-8")))
            rng.shuffle(left[module])
    found: list[Mutant] = []
    while len(found) < count and any(left.values()):
        order = [module for module in left if left[module]]
        rng.shuffle(order)
        found += [left[module].pop() for module in order]
    return found[:count]


def tests_of(module: str) -> list[str]:
    """The test files of a module, from the root of the tree."""
    layer, name = module.split("/")
    own = TESTS.get(module) or (f"{layer}/test_{name}", *MORE.get(module, ()))
    return [f"tests/{path}.py" for path in own]


class Copy:
    """A private copy of the tree, in which one module at a time is another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("ssawidgets", "tests"):
            shutil.copytree(
                ROOT / name,
                folder / name,
                ignore=shutil.ignore_patterns("node_modules", "*.ipynb", "__pycache__"),
            )
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, folder / name)
        os.system(f"{sys.executable} -m compileall -q {folder}/ssawidgets")
        self._stamp = time.time()
        self._baseline: dict[tuple[str, ...], float] = {}

    def limit(self, module: str) -> float:
        """Seconds of processor that a mutant of a module may take: three times what the module itself takes, and 3."""
        tests = tuple(tests_of(module))
        if tests not in self._baseline:
            start = time.monotonic()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            verdict = self.run(list(tests), 600)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if verdict != "survived":
                raise RuntimeError(f"{', '.join(tests)} fail without any change: {verdict}")
            self._baseline[tests] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"  {', '.join(tests)}: {time.monotonic() - start:.1f} s", flush=True)
        return 3 + 3 * self._baseline[tests]

    def judge(self, mutant: Mutant) -> str:
        """Say whether the tests noticed: survived, or how they did."""
        limit = self.limit(mutant.module)
        path = self.folder / "ssawidgets" / f"{mutant.module}.py"
        facts, text = path.stat(), path.read_text(encoding="utf-8")
        try:
            path.write_text(mutant.text, encoding="utf-8")
            self._stamp += 2  # byte code of the text before is not taken for that of this one
            os.utime(path, (self._stamp, self._stamp))
            return self.run(tests_of(mutant.module), limit)
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))

    def run(self, tests: list[str], seconds: float) -> str:
        """Run test files in a fork of this process, to the first failure."""
        child = os.fork()
        if child == 0:
            self._tests(tests, seconds)
        deadline = time.monotonic() + 4 * seconds + 30  # for one that sleeps
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            if time.monotonic() > deadline:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "killed by time"
            time.sleep(0.02)
        if os.WIFSIGNALED(status):
            over = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
            return "killed by time" if over else "killed by a crash"
        code = os.WEXITSTATUS(status)
        return {0: "survived", 1: "killed"}.get(
            code, "killed at import" if code in (2, 3, 4) else f"killed: {code}"
        )

    def _tests(self, tests: list[str], seconds: float) -> None:
        """In the child: run the tests and leave with their exit code."""
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 1, round(seconds) + 3))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.chdir(self.folder)
        sys.dont_write_bytecode = True
        sys.path[:] = [str(self.folder), *[p for p in sys.path if p not in (str(ROOT), str(ROOT / "bench"))]]
        import pytest

        code = 3
        try:
            options = [
                "-x",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:nbval",
                "-o",
                "addopts=",
                "--import-mode=prepend",
            ]
            code = int(pytest.main([*options, *tests]))
        finally:
            os._exit(code)


def main() -> int:
    """Judge a sample of mutants; the exit code is 1 when fewer than nine of ten are noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=600, help="mutants in the sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first to run")
    parser.add_argument("--seconds", type=float, default=45, help="begin no more after so many")
    parser.add_argument("--only", type=int, nargs="+", help="run only those with these numbers")
    options = parser.parse_args()
    chosen = options.only or range(options.first, options.count)
    drawn = sample(options.count, options.seed)
    for name in OUTSIDE:
        try:
            importlib.import_module(name)
        except ImportError:
            print(f"{name}: not installed; tests that need it are passed over")
    start, verdicts = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        tree = Copy(Path(folder))
        for number in chosen:
            if time.monotonic() - start > options.seconds:
                break
            mutant = drawn[number]
            verdict = tree.judge(mutant)
            verdicts.append(verdict)
            print(f"{number} {mutant.module}:{mutant.line} {verdict}", flush=True)
            if verdict == "survived":
                print(f"  - {mutant.before}\n  + {mutant.after}", flush=True)
    survived = verdicts.count("survived")
    print(
        f"{len(verdicts)} mutants, {len(verdicts) - survived} noticed ({1 - survived / max(1, len(verdicts)):.1%}), "
        f"{verdicts.count('killed by time')} of them by time, {time.monotonic() - start:.0f} s"
    )
    return int(survived > 0.1 * len(verdicts))


if __name__ == "__main__":
    sys.exit(main())
