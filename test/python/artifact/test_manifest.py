"""What a manifest says about its compilation."""

from __future__ import annotations

import hashlib
import json
from importlib import metadata
from pathlib import Path

import onnx

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from sample_models.small import one_node


def test_versions_flags_and_the_models_hash(tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"
    onnx.save(one_node("Relu", [2, 3]), file)
    manifest = forge_mlir.compile(file, tmp_path / "out", layout="tiles", max_expansion=7).manifest()
    assert forge_mlir.__version__ == metadata.version("forge-mlir")
    assert manifest["versions"]["forge-mlir"] == forge_mlir.__version__
    assert manifest["compiled"]["flags"] == ["--max-expansion", "7", "--tiles"]
    assert manifest["compiled"]["model_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert manifest["onnx"]["nodes"] == 1
    sets = forge_mlir.compile(file, tmp_path / "sets", shapes={"a": {"x": [2, 3]}})
    assert sets.manifest()["compiled"] == sets.shape_set("a").manifest()["compiled"]
    in_memory = forge_mlir.compile(one_node("Relu", [2, 3]), tmp_path / "other").manifest()
    assert "model_sha256" not in in_memory["compiled"]


def test_manifest_facts(tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path, name="my model")
    manifest = json.loads(artifact.manifest_path.read_text())
    assert artifact.name == "my_model"
    assert manifest["class"] == "MyModel"
    assert manifest["onnx"]["opset"] == {"": 18}
    assert manifest["onnx"]["inputs"] == [{"name": "x", "dtype": "float32", "shape": [2, 3]}]
    assert len(manifest["weights_sha256"]) == 64
    assert Artifact.open(tmp_path).name == "my_model"
