"""Programs that the editor's menu offers, each the smallest that shows its point."""

from __future__ import annotations

from functools import cache

from ssawidgets.ir import Func, parse, sketch

#: Name in the menu -> the text of the program.
_TEXTS = {
    "Sum of 0 to n": """
        func sum(n):
        entry:
          i = 0
          s = 0
          goto head
        head:
          c = i < n
          if c goto body else exit
        body:
          s = s + i
          i = i + 1
          goto head
        exit:
          return s
        """,
    "Lost copy": """
        func last_before(limit):
        start:
          x = 1
        loop:
          y = x
          x = x * 2
          c = x <= limit
          if c goto loop else out
        out:
          return y
        """,
    "Swap": """
        func swap(n):
        start:
          x = 0
          y = 1
        loop:
          print x, y
          t = x
          x = y
          y = t
          n = n - 1
          c = n > 0
          if c goto loop else out
        out:
        """,
    "Loop with two entries": """
        func two_entries(c, n):
        start:
          x = 0
          if c goto left else right
        left:
          x = x + 1
          goto right
        right:
          x = x + 2
          d = x < n
          if d goto left else out
        out:
          return x
        """,
    "Nested loops": """
        func cells(rows, columns):
        start:
          r = 0
          n = 0
        outer:
          more = r < rows
          if more goto row else out
        row:
          k = 0
        inner:
          within = k < columns
          if within goto cell else next
        cell:
          n = n + 1
          k = k + 1
          goto inner
        next:
          r = r + 1
          goto outer
        out:
          return n
        """,
    "Switch": """
        func days(month, leap):
        start:
          d = 31
          switch month [2: february, 4: short, 6: short, 9: short, 11: short] else out
        february:
          d = 28
          if leap goto day else out
        day:
          d = 29
          goto out
        short:
          d = 30
        out:
          return d
        """,
    "One empty block": """
        func f():
        start:
        """,
}


@cache
def examples() -> dict[str, Func]:
    """Return the programs of the menu by name, in its order.

    >>> list(examples())[:3]
    ['Six blocks', 'Sum of 0 to n', 'Lost copy']
    """
    six = sketch(
        "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
        defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
        uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
    )
    return {"Six blocks": six} | {name: parse(text) for name, text in _TEXTS.items()}
