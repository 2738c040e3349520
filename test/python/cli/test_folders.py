"""A folder that is given as MODEL: each of its ONNX files, with the sizes that apply to it."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from forge_mlir.cli.folders import models_of
from forge_mlir.errors import ForgeError
from sample_models.small import one_node


def test_each_model_has_its_sizes(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", ["batch", 3]), tmp_path / "a.onnx")
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "b.onnx")
    (tmp_path / "c.txt").write_text("no model")
    found = {file.name: options.get("dims") for file, options in models_of(tmp_path, {"dims": {"batch": 4}})}
    assert found == {"a.onnx": {"batch": 4}, "b.onnx": {}}
    with pytest.raises(ForgeError, match="no model of the folder has a dimension 'bach'"):
        models_of(tmp_path, {"dims": {"batch": 4, "bach": 4}})
    with pytest.raises(ForgeError, match="no model of the folder has an input 'z'"):
        models_of(tmp_path, {"input_shapes": {"z": [2, 3]}})
    assert models_of(tmp_path / "a.onnx", {}) == [(tmp_path / "a.onnx", {})]


def test_a_folder_without_models(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=r"there is no \.onnx file in this folder"):
        models_of(tmp_path, {})
