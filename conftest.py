"""What holds for every test of the project, the notebooks' cells included.

It stands in the root because pytest reads a conftest.py only for tests below it, and the
notebooks are not below tests/.
"""

from __future__ import annotations

import os
import tempfile

import pytest
from nbval.kernel import RunningKernel

# Among the notebooks stands nbgrader's configuration, which only nbgrader can run.
collect_ignore_glob = ["notebooks/*.py", "solutions/*.py", "exercises/*.py"]


def pytest_configure(config: pytest.Config) -> None:
    # Kernels run without this user's IPython profile: start-up files would change outputs.
    profile = tempfile.TemporaryDirectory(prefix="ssawidgets-ipython-")
    config.add_cleanup(profile.cleanup)
    os.environ["IPYTHONDIR"] = profile.name
    # Nor is what tests answer this user's progress; a test of progress names a file of its own.
    os.environ["SSAWIDGETS_PROGRESS"] = "off"
    # pytest may be started in another folder than the one the option is written for.
    sanitize = config.option.nbval_sanitize_with
    if sanitize:
        config.option.nbval_sanitize_with = str(config.rootpath / sanitize)


def execute_cell_input(self: RunningKernel, cell_input: str, allow_stdin: bool | None = None) -> str:
    """Run a cell as JupyterLab does. nbval itself leaves history off, and then a `;` silences nothing."""
    return self.kc.execute(cell_input, store_history=True, allow_stdin=allow_stdin, stop_on_error=False)


RunningKernel.execute_cell_input = execute_cell_input
