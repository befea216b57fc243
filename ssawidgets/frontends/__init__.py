"""Programs and graphs from elsewhere: Python functions, Bril, networkx graphs."""

from ssawidgets.frontends.bril import BrilError, from_bril, to_bril
from ssawidgets.frontends.graphs import from_networkx, to_networkx
from ssawidgets.frontends.python import PythonError, from_python

__all__ = ["BrilError", "PythonError", "from_bril", "from_networkx", "from_python", "to_bril", "to_networkx"]
