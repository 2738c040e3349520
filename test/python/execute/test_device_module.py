"""Emitted modules run on Tenstorrent's package if Python finds it, otherwise on the CPU reference."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from forge_mlir import runtime
from forge_mlir.execute.device_module import _forge

pytestmark = pytest.mark.skipif(find_spec("forge") is not None, reason="the package is installed")


@pytest.mark.parametrize("by", ["path", "directory"])
def test_a_package_that_is_installed_later_is_found(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result of the search is cached per `sys.path`, and if that has the current directory, per directory."""
    monkeypatch.setattr(sys, "path", ["", *sys.path] if by == "directory" else [*sys.path])
    monkeypatch.chdir(tmp_path)
    assert _forge() is runtime
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "forge.py").write_text("")
    importlib.invalidate_caches()
    if by == "path":
        sys.path.append(str(tmp_path / "elsewhere"))
    else:
        monkeypatch.chdir(tmp_path / "elsewhere")
    try:
        assert _forge().__file__ == str(tmp_path / "elsewhere" / "forge.py")
    finally:
        sys.modules.pop("forge", None)
    monkeypatch.undo()
    assert _forge() is runtime


def test_without_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    gone.rmdir()
    assert _forge() is runtime
