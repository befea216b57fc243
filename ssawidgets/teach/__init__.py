"""Checks, counterexamples, misconceptions and grading: what turns an answer into something one learns from."""

from ssawidgets.teach.chapter_map import chapters
from ssawidgets.teach.check import check
from ssawidgets.teach.figures import figure
from ssawidgets.teach.instance import question
from ssawidgets.teach.report import Report
from ssawidgets.teach.source import source

__all__ = ["Report", "chapters", "check", "figure", "question", "source"]
