"""How one looks at the program of an editor: the view, the facts behind it, and the questions asked of them.

Beside the `session.Session`, which holds what is edited. Nothing here is a step: a layer switched on is not undone with Ctrl+Z. Facts
are kept for the last few programs, so that an edit compares with what is known already, and undo knows its own.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from ssawidgets.explain import Comparison, Fact, Facts, compare, differences, facts
from ssawidgets.ir import Func
from ssawidgets.ssa import to_ssa
from ssawidgets.widgets.answers import edge_fact, facts_of, marked
from ssawidgets.widgets.layers import BY_KEY, View, is_ssa, variables
from ssawidgets.widgets.laying import Laid, lay
from ssawidgets.widgets.legend import legend

KEPT = 4  #: programs whose facts are kept
#: Sentences after an edit; of a large program fewer, since each costs a search or two.
MOST, LARGE, MOST_OF_LARGE = 6, 100, 3
#: Layers that are about one variable.
OF_ONE = frozenset({"iterated", "def-use"})

Command = Mapping[str, Any]


class Looking:
    """Hold the view of one editor, answer what is asked of its program.

    >>> from ssawidgets.ir import sketch
    >>> looking = Looking(View(("frontiers",)))
    >>> looking.show({"shown": ["frontiers", "live"]})
    ''
    >>> looking.view.shown
    ('frontiers', 'live')
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._known: deque[Facts] = deque(maxlen=KEPT)
        self._changed: Comparison | None = None

    def facts(self, func: Func) -> Facts:
        """Return the facts of a program, the same object for one of the last."""
        for known in self._known:
            if known.func is func:
                return known
        found = facts(func)
        self._known.append(found)
        return found

    def changed(self, before: Func | None, func: Func) -> Comparison | None:
        """Return what the last step changed, None where there was none."""
        if before is None or before is func:
            return None
        was, now = self.facts(before), self.facts(func)
        if self._changed is None or self._changed.before is not was or self._changed.after is not now:
            self._changed = compare(was, now)
        return self._changed

    def lay(self, before: Func | None, func: Func) -> Laid:
        """Lay the shown layers over a program."""
        return lay(self.facts(func), self.view, self.changed(before, func))

    def words(self, laid: Laid, before: Func | None, func: Func, headline: str) -> dict[str, Any]:
        """Return what stands around the picture: the view, the legend, and what the last step changed, without what `headline` says."""
        changed = self.changed(before, func)
        told = []
        if changed is not None:
            most = MOST if len(func.blocks) < LARGE else MOST_OF_LARGE
            for d in differences(changed, self.view.kinds, most):
                if d.sentence.partition(":")[0].rstrip(".") not in headline:
                    ask = d.ask.key if d.ask is not None else None
                    signs = "".join([s for s, found in (("+", d.added), ("−", d.removed)) if found])
                    told.append({"text": d.sentence, "ask": ask, "sign": signs})
        needs_name = bool(OF_ONE & set(self.view.shown))
        return {
            "view": {
                "shown": list(self.view.shown),
                "variable": laid.variable,
                "names": variables(self.facts(func)) if needs_name else [],
                "flavour": self.view.flavour,
                "notation": self.view.notation,
                "note": laid.note,
            },
            "legend": legend(
                laid,
                self.view,
                changed=_any_look(laid),
                unreachable=len(func.cfg.reachable) < len(func.blocks),
            ),
            "told": told,
        }

    def show(self, command: Command) -> str:
        """Take another view: `shown` layers, `variable`, `flavour`, `notation`, each if given. Returns why not, else ""."""
        shown = command.get("shown", self.view.shown)
        if not isinstance(shown, list | tuple) or not all(isinstance(key, str) for key in shown):
            return f"shown is a list of layers, not {shown!r}"
        variable = command.get("variable", self.view.variable)
        if variable is not None and not isinstance(variable, str):
            return f"variable is a name, not {variable!r}"
        flavour = command.get("flavour", self.view.flavour)
        notation = command.get("notation", self.view.notation)
        order = list(BY_KEY)
        try:
            # In the order of their keys: the legend then stands in the order of the buttons.
            known = sorted(dict.fromkeys(shown), key=lambda key: order.index(key) if key in BY_KEY else -1)
            self.view = View(tuple(known), variable, flavour, notation)
        except ValueError as error:
            return str(error)
        return ""

    def why(self, func: Func, command: Command) -> tuple[str, str]:
        """Answer why a fact holds or does not: (JSON of `answers.marked`, ""), or ("", why one cannot ask)."""
        try:
            fact = Fact.from_key(str(command.get("fact")))
            # Of all facts only def-use edges are about versions where those are drawn; phis are no lines of theirs then.
            renamed = self._renamed(func) if fact.kind == "def-use" else None
            why = (renamed or self.facts(func)).why(fact)
            return json.dumps(marked(why, renamed is None and self.view.notation == "phi")), ""
        except (KeyError, ValueError) as error:
            return "", str(error.args[0] if error.args else error)

    def about(self, func: Func, command: Command) -> tuple[str, str]:
        """Answer what the shown layers say of a block, and what one can ask: (JSON, ""), or ("", why one cannot ask).

        With `src` given it is about the edge that leads from there to the block, too.
        """
        block = command.get("block")
        if not isinstance(block, str) or block not in func.cfg:
            return "", f"there is no block {block!r}"
        known = self.facts(func)
        found = facts_of(known, self.view, block, self._renamed(func))
        src = command.get("src")
        if isinstance(src, str) and block in func.cfg.succs.get(src, ()):
            about = edge_fact(known, src, block)
            found = [about, *[one for one in found if one["key"] != about["key"]]]
        return json.dumps({"block": block, "facts": found, "names": variables(known)}), ""

    def _renamed(self, func: Func) -> Facts | None:
        """Return the facts of the program with versions, None where none are drawn."""
        if "versions" not in self.view.shown or "def-use" not in self.view.shown or is_ssa(func):
            return None
        return facts(to_ssa(func, flavour=self.view.flavour))


def _any_look(laid: Laid) -> bool:
    """Say whether anything in the picture is drawn as new or gone."""
    overlay = laid.overlay
    tags = [tag for tags in overlay.badges.values() for tag in tags if not isinstance(tag, str)]
    tags += [tag for row in overlay.tops.values() for tag in row.names]
    rows = [row for rows in (overlay.phis or {}).values() for row in rows]
    looks = {tag.look for tag in tags} | {row.look for row in rows}
    return bool(overlay.tree_new or overlay.tree_was or looks & {"added", "removed"})
