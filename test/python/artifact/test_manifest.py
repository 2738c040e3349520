"""What a manifest says about its compilation."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import onnx
import pytest

import forge_mlir
from forge_mlir.artifact.manifest import FORMAT
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from sample_models.probe import partitioned
from sample_models.repository import MODELS
from sample_models.small import mlp, one_node
from sample_models.tiny_language_model import tiny_language_model


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


PAGE = (Path(__file__).parents[3] / "docs/reference/manifest.md").read_text()


def documented() -> set[str]:
    """The fields in the tables of docs/reference/manifest.md. A name that begins with a dot is beside the name before
    it."""
    found: set[str] = set()
    for cell in re.findall(r"^\| (`.*?`) \| ", PAGE, re.MULTILINE):
        beside = ""
        for name in re.findall(r"`([^`]+)`", cell):
            found.add(f"{beside}{name}" if name.startswith(".") else name)
            beside = beside if name.startswith(".") else name.rpartition(".")[0]
    return found


MAPS = {field[: star.start()] for field in documented() for star in re.finditer(r"\.\*", field)}


def fields(value: Any, path: str = "") -> Iterator[str]:
    """The paths of the values of a manifest that are neither maps nor lists of maps."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            name = "*" if path in MAPS else key
            yield from fields(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        for inner in value:
            yield from fields(inner, f"{path}[]")
    elif not (isinstance(value, (list, dict)) and not value):
        yield path


def test_every_field_is_in_the_reference(tmp_path: Path) -> None:
    forge_mlir.compile(partitioned(), tmp_path / "partitioned", fallback="cpu")
    forge_mlir.compile(tiny_language_model(), tmp_path / "language", generate=Generation(24, [8], batch=2))
    forge_mlir.compile(MODELS / "resnet18_qdq/model.onnx", tmp_path / "quantised")
    forge_mlir.compile(mlp(), tmp_path / "mixed", float_format="mixed", error_budget=2e-3)
    edited = forge_mlir.compile(MODELS / "gpt2_block/model.onnx", tmp_path / "edited", weights="reference")
    edited.module_path.write_text(edited.module_path.read_text() + "\n# edited\n")
    reseal(edited.module_path)
    found = {field for path in tmp_path.rglob("*.json") for field in fields(json.loads(path.read_text()))}
    known = documented() | {field.removesuffix("[]") for field in documented()}
    assert {"edited", "weights[].sha256", "partitions[].engine", "generation.windows.*"} <= known
    steps = {field for field in found if field.startswith("weights[].steps[].")}
    assert {field for field in found - steps if field not in known} == set()
    assert steps & known


def test_manifests_of_another_format_are_refused(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(one_node("Relu", [4]), tmp_path)
    facts = json.loads(artifact.manifest_path.read_text())
    artifact.manifest_path.write_text(json.dumps({**facts, "format": 1}))
    with pytest.raises(
        ForgeError, match=f"expected a manifest of format {FORMAT}, but got '1'; compile the model again"
    ):
        Artifact.open(artifact.module_path).manifest()


def test_a_manifest_that_is_nested_too_deeply(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(one_node("Relu", [4]), tmp_path)
    artifact.manifest_path.write_text("[" * 100_000)
    with pytest.raises(ForgeError, match=r"FM4001.*not a manifest"):
        artifact.manifest()


EDITS: dict[str, tuple[str, Any]] = {
    "onnx": ("onnx", 1.5),
    "compiled.flags": ("compiled", {"flags": None}),
    "files": ("files", [0]),
    "partitions[0].module": ("partitions", [{}]),
    "weights[0].shape[1]": ("weights", [{"name": "w", "kind": "parameter", "dtype": "float32", "shape": [1, "2"]}]),
    "outputs[0].onnx_name": ("outputs", [{}]),
}


@pytest.mark.parametrize("path", EDITS)
def test_a_fact_of_another_type(path: str, tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path, name="relu")
    key, value = EDITS[path]
    artifact.manifest_path.write_text(json.dumps({**artifact.manifest(), key: value}))
    with pytest.raises(ForgeError, match=re.escape(f"'{path}' is missing or has another type")) as raised:
        forge_mlir.run(artifact, [[[0.0] * 3] * 2])
    assert str(raised.value.code) == "FM4001"
