"""Emitted modules run on Tenstorrent's package if Python finds it, otherwise on the CPU reference."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from forge_mlir import compile, run, runtime
from forge_mlir.execute.device_module import forge_package
from sample_models.small import one_node

pytestmark = pytest.mark.skipif(find_spec("forge") is not None, reason="the package is installed")


@pytest.mark.parametrize("by", ["path", "directory"])
def test_a_package_that_is_installed_later_is_found(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result of the search is cached per `sys.path`, and if that has the current directory, per directory."""
    monkeypatch.setattr(sys, "path", ["", *sys.path] if by == "directory" else [*sys.path])
    monkeypatch.chdir(tmp_path)
    assert forge_package() is runtime
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "forge.py").write_text("")
    importlib.invalidate_caches()
    if by == "path":
        sys.path.append(str(tmp_path / "elsewhere"))
    else:
        monkeypatch.chdir(tmp_path / "elsewhere")
    try:
        assert forge_package().__file__ == str(tmp_path / "elsewhere" / "forge.py")
    finally:
        sys.modules.pop("forge", None)
    monkeypatch.undo()
    assert forge_package() is runtime


def test_a_folder_of_this_name_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a directory with results in the folder `forge`, or with a clone of Tenstorrent's repository."""
    artifact = compile(one_node("Relu", [2]), tmp_path / "forge", name="relu")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        for _ in range(2):  # The first run imports the folder as a package without files.
            assert forge_package() is runtime
            assert run(artifact, [[-1, 2]])["y"].tolist() == [0, 2]
    finally:
        sys.modules.pop("forge", None)


def test_without_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    gone.rmdir()
    assert forge_package() is runtime
