"""The pure functions of the editor's script, run by node where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ssawidgets.widgets import CfgEditor

HERE = Path(__file__).parent


def test_the_geometry_of_the_editor(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on the PATH; the editor's geometry is then tested in the browser only")
    (tmp_path / "editor.mjs").write_text(CfgEditor._esm, encoding="utf-8")
    checks = shutil.copy(HERE / "geometry_checks.mjs", tmp_path)
    run = subprocess.run([node, str(checks)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, (run.stdout + run.stderr)[-3000:]
    assert "checks passed" in run.stdout
