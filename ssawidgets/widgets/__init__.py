"""Widgets for notebooks: the only layer that needs anywidget, ipywidgets and traitlets."""

from ssawidgets.widgets.editor import CfgEditor
from ssawidgets.widgets.predict import Predict
from ssawidgets.widgets.progress import Progress
from ssawidgets.widgets.quiz import Quiz
from ssawidgets.widgets.stepper import Stepper
from ssawidgets.widgets.studio import Studio

__all__ = ["CfgEditor", "Predict", "Progress", "Quiz", "Stepper", "Studio"]
