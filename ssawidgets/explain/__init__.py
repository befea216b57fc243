"""Why a fact holds, and what an edit changed: sentences with a witness in the graph."""

from ssawidgets.explain.changes import Change, describe_change
from ssawidgets.explain.paths import path_avoiding

__all__ = ["Change", "describe_change", "path_avoiding"]
