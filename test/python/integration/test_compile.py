"""`forge_mlir.compile` of a PyTorch module."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

import forge_mlir
from sample_models.goldens import assert_same
from sample_models.torch_modules import Mlp, X


def test_a_torch_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxscript")
    monkeypatch.chdir(tmp_path)
    module = Mlp().train()  # The module has no layer that depends on the mode.
    artifact = forge_mlir.compile(module, (X,))
    assert artifact.module_path == Path("mlp_forge/mlp.py")
    assert module.training
    (name,) = [info["name"] for info in artifact.manifest()["onnx"]["inputs"]]
    (result,) = forge_mlir.run(artifact, {name: X.numpy()}).values()
    assert_same(result, module(X).detach().numpy())
    with pytest.raises(TypeError, match="example inputs"):
        forge_mlir.compile(module)


def test_the_name_is_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module is exported to a temporary file, which must not be written elsewhere."""
    pytest.importorskip("onnxscript")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    artifact = forge_mlir.compile(Mlp().eval(), (X,), tmp_path / "out", name="../up")
    assert artifact.module_path == tmp_path / "out" / "up.py"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
