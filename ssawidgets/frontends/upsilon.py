"""Phis as JavaScriptCore's B3 has them: Upsilon and Phi, no operands.

In B3 a phi has no list of operands. An `Upsilon(value, ^phi)` stands anywhere before the jump and says: if that phi comes next, this is its
value. Each phi thus has a hidden variable, its *shadow*: an Upsilon writes it, the Phi reads it. So it is SSA form with its
copies written out, and taken in two steps, which is why swaps and lost copies (chapter 07) cannot happen.

- Edges that are parallel with different values get a block between, as for other phis; critical edges need none, since what
  an Upsilon writes for a way not taken is not read.
- An edge that passes `undef` needs no Upsilon.

Source: WebKit's documentation of B3 (webkit.org/docs/b3), "Phi" and "Upsilon".
"""

from __future__ import annotations

from ssawidgets.frontends.lowering import ready
from ssawidgets.ir import UNDEF, Block, Func, Instr, Target
from ssawidgets.ir.names import fresh
from ssawidgets.ir.text import operand_text, term_text


def upsilon_text(func: Func) -> str:
    """Write a function in SSA form with an Upsilon for each value that an edge passes.

    Raises `ValueError` for a function that is not in SSA form. Source: WebKit's documentation of B3.

    >>> from ssawidgets import parse
    >>> print(upsilon_text(parse("func f(n):\\na:\\n  goto h(0)\\nh(i):\\n  j = i + 1\\n  c = j < n\\n  if c goto h(j) else e\\ne:\\n  return i")))
    func f(n):
    a:
      Upsilon(0, ^i)
      goto h
    h:
      i = Phi()
      j = i + 1
      c = j < n
      Upsilon(j, ^i)
      if c goto h else e
    e:
      return i
    <BLANKLINE>
    """
    func = ready(func, phis=True)
    params = {b.name: b.params for b in func.blocks}
    lines = [f"func {func.name}({', '.join(func.params)}):"]
    for block in func.blocks:
        lines.append(f"{block.name}:")
        lines += [f"  {param} = Phi()" for param in block.params]
        lines += [f"  {instr}" for instr in block.body]
        passed = {p: a for t in block.term.targets for p, a in zip(params[t.block], t.args, strict=True)}
        lines += [f"  Upsilon({operand_text(a)}, ^{p})" for p, a in passed.items() if a is not UNDEF]
        lines.append(f"  {term_text(block.term, with_args=False)}")
    return "\n".join(lines) + "\n"


def upsilon_form(func: Func) -> Func:
    """Return the same function with every shadow as a variable: each Upsilon a copy into it, each Phi a copy out of it.

    The result is a program like any other, which `run` runs. Raises `ValueError` for a function that is not in SSA form.

    >>> from ssawidgets import parse
    >>> print(upsilon_form(parse("func f(c: bool):\\na:\\n  if c goto b(1) else b(1)\\nb(x):\\n  return x")))
    func f(c: bool):
    a:
      x_shadow = 1
      if c goto b else b
    b:
      x = x_shadow
      return x
    <BLANKLINE>
    """
    func = ready(func, phis=True)
    taken = set(func.names)
    shadow: dict[str, str] = {}
    for block in func.blocks:
        for param in block.params:
            shadow[param] = fresh(f"{param.replace('.', '_')}_shadow", taken)
            taken.add(shadow[param])
    params = {b.name: b.params for b in func.blocks}
    blocks = []
    for block in func.blocks:
        phis = [Instr(p, "copy", (shadow[p],)) for p in block.params]
        passed = {p: a for t in block.term.targets for p, a in zip(params[t.block], t.args, strict=True)}
        upsilons = [Instr(shadow[p], "copy", (a,)) for p, a in passed.items() if a is not UNDEF]
        targets = tuple([Target(t.block) for t in block.term.targets])
        term = block.term.with_names(block.term.args, targets)
        blocks.append(Block(block.name, (), (*phis, *block.body, *upsilons), term))
    return func.with_blocks(tuple(blocks))
