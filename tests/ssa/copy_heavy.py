"""Random programs that make leaving SSA form hard: loops tested at the bottom, rotating and copied variables.

Structured, and every loop counts down, so that each run ends. Copy propagation makes their SSA form non-conventional often: a
loop that rotates its variables becomes phis that read each other (swap), one that keeps an old value becomes a phi
read after its loop (lost copy).
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from ssawidgets.ir import Func, parse

VARIABLES = ("u", "v", "w", "x", "y")


def copy_heavy_program(rng: Random) -> Func:
    """A random program of loops, branches and copies; deterministic for the state of `rng`."""
    return _Writer(rng).program()


class _Writer:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.lines = ["func f(a, b):", "entry:"]
        self.blocks = 0

    def program(self) -> Func:
        self.lines += [f"  {v} = {self.rng.choice(['a', 'b', '1', '2'])}" for v in VARIABLES]
        self.statements(2 + self.rng.randrange(4), depth=0)
        self.lines += [f"  print {', '.join(VARIABLES)}", f"  return {self.any()}"]
        return parse("\n".join(self.lines))

    def any(self) -> str:
        return self.rng.choice(VARIABLES)

    def statements(self, count: int, depth: int) -> None:
        for _ in range(count):
            roll = self.rng.random()
            if roll < 0.45:
                self.copies()
            elif roll < 0.6:
                self.lines.append(
                    f"  {self.any()} = {self.any()} {self.rng.choice('+-')} {self.rng.choice(['1', self.any()])}"
                )
            elif roll < 0.66:
                self.lines.append(f"  print {self.any()}, {self.any()}")
            elif roll < 0.78 and depth < 3:
                self.branch(depth)
            elif depth < 2:
                self.loop(depth)

    def copies(self) -> None:
        """One copy, or a rotation of two or three variables through a temporary."""
        rotated = self.rng.sample(VARIABLES, self.rng.choice([1, 2, 2, 3]))
        if len(rotated) == 1:
            self.lines.append(f"  {self.any()} = {self.any()}")
            return
        self.lines.append(f"  t = {rotated[0]}")
        self.lines += [f"  {to} = {source}" for to, source in pairwise(rotated)]
        self.lines.append(f"  {rotated[-1]} = t")

    def label(self) -> str:
        self.blocks += 1
        return f"b{self.blocks}"

    def branch(self, depth: int) -> None:
        then, after = self.label(), self.label()
        self.lines += [
            f"  c = {self.any()} < {self.rng.randrange(4)}",
            f"  if c goto {then} else {after}",
            f"{then}:",
        ]
        self.statements(1 + self.rng.randrange(2), depth + 1)
        self.lines.append(f"{after}:")

    def loop(self, depth: int) -> None:
        """Repeat two to four times, tested at the bottom, so that the back edge is often critical."""
        head, after, counter = self.label(), self.label(), f"i{depth}"
        self.lines += [f"  {counter} = {2 + self.rng.randrange(3)}", f"{head}:"]
        self.statements(1 + self.rng.randrange(3), depth + 1)
        self.lines += [
            f"  {counter} = {counter} - 1",
            f"  c = {counter} > 0",
            f"  if c goto {head} else {after}",
            f"{after}:",
        ]
