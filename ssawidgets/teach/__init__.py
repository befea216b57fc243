"""Checks, counterexamples, misconceptions and grading: what turns an answer into something one learns from."""

from ssawidgets.teach.check import check
from ssawidgets.teach.instance import question
from ssawidgets.teach.report import Report
from ssawidgets.teach.source import source

__all__ = ["Report", "check", "question", "source"]
