"""Settings and fixtures for all tests under tests/."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import pytest

# The same examples on every run and every machine; slow machines are no failure.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def root(request: pytest.FixtureRequest) -> Path:
    """The project's root folder."""
    return request.config.rootpath
