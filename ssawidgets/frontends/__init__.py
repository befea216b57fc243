"""Programs and graphs from elsewhere: Python functions, networkx graphs."""

from ssawidgets.frontends.graphs import from_networkx, to_networkx
from ssawidgets.frontends.python import PythonError, from_python

__all__ = ["PythonError", "from_networkx", "from_python", "to_networkx"]
