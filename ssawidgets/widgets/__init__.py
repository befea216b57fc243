"""Widgets for notebooks: the only layer that needs anywidget, ipywidgets and traitlets."""

from ssawidgets.widgets.editor import CfgEditor

__all__ = ["CfgEditor"]
