"""Manifests whose fields contradict each other are refused when they are read."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import TensorProto

import forge_mlir
from forge_mlir.artifact.contradictions import contradictions
from forge_mlir.artifact.reader import Artifact
from forge_mlir.errors import ForgeError
from forge_mlir.execute.values.random_inputs import random_inputs
from forge_mlir.onnx_model.dtypes import element_text
from sample_models.probe import partitioned
from sample_models.small import one_node

Place = tuple[str | int, ...]


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Texts and numbers with their places; not those of tables that running does not read."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in entries:
        if key not in ("calls", "trace"):
            yield from leaves(each, (*place, key))
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        yield place, value


def edited(manifest: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    result: Any = copy.deepcopy(manifest)
    inner = result
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return dict(result)


@pytest.fixture(params=["one", "parts"])
def artifact(request: pytest.FixtureRequest, tmp_path: Path) -> Artifact:
    if request.param == "one":
        return forge_mlir.compile(one_node("Relu", [2, 3]), tmp_path / "out", name="model")
    onnx.save(partitioned(), tmp_path / "model.onnx")
    return forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "out", fallback="cpu")


def test_no_edit_ends_with_an_error_of_python(artifact: Artifact) -> None:
    """Each number and each text is replaced in turn: the artifact runs, or is refused."""
    manifest = artifact.manifest()
    assert list(contradictions(manifest)) == []
    refused = 0
    for place, value in list(leaves(manifest)):
        for other in (value + 7, -5, "x", None) if isinstance(value, int) else (5, None, "zzz"):
            artifact.manifest_path.write_text(json.dumps(edited(manifest, place, other)))
            try:
                forge_mlir.run(artifact, random_inputs(artifact.manifest(), 0))
            except ForgeError:
                refused += 1
    assert refused > 20


@pytest.mark.parametrize("code", TensorProto.DataType.values())
def test_each_type_of_onnx_is_known(code: int, tmp_path: Path) -> None:
    manifest = forge_mlir.compile(one_node("Relu", [2, 3]), tmp_path).manifest()
    assert list(contradictions(edited(manifest, ("onnx", "inputs", 0, "dtype"), element_text(code)))) == []


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("outputs", 0, "value"), 99, "an output of the model reads the value 99, which is not computed before"),
        (("inputs", 0), 99, "an input of the model names the value 99, but there are"),
        (("partitions", 0, "inputs", 0), -1, "reads the value -1, which is not computed before"),
        (("partitions", 0, "kind"), "gpu", "expected a partition of kind 'cpu' or 'device', but got 'gpu'"),
        (("partitions", 0, "module"), "other", "of a partition is not listed in 'files'"),
        (("outputs", 0, "onnx_name"), "q", "the model has no output 'q'"),
        (("values", 0, "shape"), [-2], "has the shape \\[-2\\], with a negative size"),
        (("values", 0, "dtype"), "float99", "has the element type 'float99', which does not exist"),
    ],
)
def test_what_is_said(place: Place, value: Any, said: str, tmp_path: Path) -> None:
    onnx.save(partitioned(), tmp_path / "model.onnx")
    artifact = forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "out", fallback="cpu")
    artifact.manifest_path.write_text(json.dumps(edited(artifact.manifest(), place, value)))
    with pytest.raises(ForgeError, match=said) as raised:
        artifact.manifest()
    assert str(raised.value.code) == "FM4001"
