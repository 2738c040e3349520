"""The C++ tools of the build tree, and the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sample_models.repository import REPOSITORY


def tool(name: str) -> Path:
    """A tool, which must have been built."""
    path = REPOSITORY / "build" / "tools" / name / name
    assert path.is_file(), f"{path} is missing; run make build"
    return path


def run_tool(name: str, *arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a tool; whether it failed is for the caller to see."""
    return subprocess.run([tool(name), *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def run_command(*arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs forge-mlir as it is installed; whether it failed is for the caller to see."""
    return subprocess.run(
        [sys.executable, "-m", "forge_mlir.cli.main", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
