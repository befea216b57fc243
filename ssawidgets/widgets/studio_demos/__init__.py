"""Ready demos for a class: each an idea or a trap of the course, in a few slides that are revealed step by step.

Everything in them is worked out by the library when they are made; the sentences are filled in from what it finds. A demo is
plain data once made, pictures included, so a browser that has it needs nothing more.
"""

from __future__ import annotations

from functools import cache

from ssawidgets.widgets.studio_demos.dominance import dominator_demo, iterated_demo, own_frontier_demo
from ssawidgets.widgets.studio_demos.leaving import coalescing_demo, critical_demo, lost_copy_demo, swap_demo
from ssawidgets.widgets.studio_demos.optimising import sccp_demo, values_demo
from ssawidgets.widgets.studio_demos.placing import (
    braun_demo,
    flavours_demo,
    one_definition_demo,
    renaming_demo,
)
from ssawidgets.widgets.studio_demos.slides import Demo, carried, demos_json

__all__ = ["KEYS", "Demo", "carried", "demos", "demos_json"]

#: The key of each demo, in their order; 0 is the program on the bench.
KEYS = "123456789abcd"


@cache
def demos() -> tuple[Demo, ...]:
    """Return the demos in the order of the course.

    >>> [demo.name for demo in demos()][7:9]
    ['Lost copy', 'Swap']
    """
    makers = (
        *(dominator_demo, own_frontier_demo, iterated_demo, flavours_demo, one_definition_demo),
        *(renaming_demo, braun_demo, lost_copy_demo, swap_demo, critical_demo, coalescing_demo),
        *(sccp_demo, values_demo),
    )
    return tuple([make() for make in makers])
