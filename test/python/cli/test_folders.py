"""A folder that is given as MODEL: each of its ONNX files, with the sizes that apply to it."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest
from click.testing import CliRunner

from forge_mlir.cli.app import app
from forge_mlir.cli.exit_codes import Exit
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


@pytest.mark.parametrize("command", [["verify"], ["report", "--no-accuracy", "-o", "pages"]])
def test_a_refused_model_does_not_end_the_command(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The models after it are verified or reported, and the exit code is that of the worst."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.onnx").write_bytes(b"no model")
    onnx.save(one_node("NonZero", [2, 3]), tmp_path / "models" / "b.onnx")
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "models" / "c.onnx")
    done = CliRunner().invoke(app, [*command, "models", "--json"])
    found = json.loads(done.stdout)
    assert done.exit_code == Exit.REFUSED
    assert len(found["models"]) == 1
    errors = json.dumps(found["errors"])
    assert [name in errors for name in ("a.onnx", "b.onnx", "c.onnx")] == [True, True, False]
