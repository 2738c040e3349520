"""`forge_mlir.compile` of a PyTorch module."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

import forge_mlir
from sample_models.goldens import assert_same
from sample_models.small import one_node
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


@pytest.mark.parametrize("source", [None, 1, b"m.onnx", [], torch.zeros(1), torch.nn.ReLU, onnx.GraphProto()])
def test_what_is_no_model(source: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="expected a path, an onnx"):
        forge_mlir.compile(source, tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"force": "no"}, "force: expected True or False"),
        ({"on_pass": 1}, "on_pass: expected a function"),
        ({"name": 0}, "name: expected a text"),
        ({"flat": np.array([1])}, "--flat: expected False or True"),
        ({"flat": torch.tensor(1)}, "--flat: expected False or True"),
        ({"cpu_ops": np.array(["Relu"]), "fallback": "cpu"}, "--cpu-ops: expected a list"),
        ({"keep_float32": torch.tensor(1), "float_format": "mixed"}, "--keep-float32: expected a list"),
        ({"lowerings": None}, "--plugin: expected a list"),
        ({"time_limit": ""}, "--time-limit: expected a number"),
    ],
)
def test_options_of_other_types(options: Any, message: str, tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    with pytest.raises((TypeError, forge_mlir.ForgeError), match=message):
        forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out", **options)


def test_options_of_numpy(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    options: Any = {"flat": np.bool_(True), "allow_rounding": np.bool_(False), "input_shapes": {"x": np.array([2, 3])}}
    assert forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out", **options).name == "m"


@pytest.mark.parametrize("model", ["absent.onnx", "refused.onnx"])
def test_errors_can_be_pickled(model: str, tmp_path: Path) -> None:
    """A process of a pool returns them so."""
    onnx.save(one_node("Det", [4, 4]), tmp_path / "refused.onnx")
    with pytest.raises(forge_mlir.ForgeError) as raised:
        forge_mlir.compile(tmp_path / model, tmp_path / "out")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again), again.details) == (type(raised.value), str(raised.value), raised.value.details)
