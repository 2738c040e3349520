"""Public names of a package are loaded on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import forge_mlir


def test_a_name_is_loaded_when_it_is_used() -> None:
    code = """
import sys, forge_mlir
assert "forge_mlir.artifact.reader" not in sys.modules
assert "compile" in dir(forge_mlir) and "Artifact" in forge_mlir.__all__
assert forge_mlir.Artifact is sys.modules["forge_mlir.artifact.reader"].Artifact
assert "Artifact" in vars(forge_mlir)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'forge_mlir' has no attribute 'absent'"):
        forge_mlir.absent  # type: ignore[attr-defined]  # noqa: B018
