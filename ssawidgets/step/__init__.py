"""Stepping: a run of any Python function recorded line by line, and drawn on the graph that it works on."""

from ssawidgets.step.recording import Recording
from ssawidgets.step.trace import Limits, record

__all__ = ["Limits", "Recording", "record"]
