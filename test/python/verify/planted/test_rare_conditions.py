"""Errors under conditions that random numbers do not meet: padding tokens, thresholds, the lower bound of a norm."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

import forge_mlir
from forge_mlir.verify.exact import Exactness, exactness_of
from forge_mlir.verify.given.programs import traced_artifact
from resealing import replace_module
from sample_models.probe import FLOAT, INT64, build, node, weights


def padding() -> onnx.ModelProto:
    """An embedding in which the row of the padding token is 0."""
    nodes = [
        node("Gather", ["table", "ids"], ["rows"], "rows"),
        node("Equal", ["ids", "padding"], ["is_padding"], "is_padding"),
        node("Unsqueeze", ["is_padding", "last"], ["mask"], "mask"),
        node("Where", ["mask", "zero", "rows"], ["chosen"], "chosen"),
        node("MatMul", ["chosen", "w"], ["y"], "product"),
    ]
    made = {"padding": np.array(777), "last": np.array([-1]), "zero": np.float32(0)}
    return build(nodes, {"ids": (INT64, [2, 8])}, {"y": FLOAT}, table=weights(1000, 8), w=weights(8, 6), **made)


def threshold(limit: float = 1e6) -> onnx.ModelProto:
    """Another result if some element exceeds a million."""
    nodes = [
        node("Abs", ["x"], ["size"], "size"),
        node("ReduceMax", ["size", "axes"], ["most"], "most", keepdims=1),
        node("Greater", ["most", "limit"], ["is_large"], "is_large"),
        node("Tanh", ["x"], ["large"], "large"),
        node("MatMul", ["x", "w"], ["product"], "product"),
        node("Where", ["is_large", "large", "product"], ["y"], "chosen"),
    ]
    made = {"axes": np.array([0, 1]), "limit": np.float32(limit)}
    return build(nodes, {"x": (FLOAT, [4, 6])}, {"y": FLOAT}, w=weights(6, 6), **made)


def floor() -> onnx.ModelProto:
    """Rows divided by their norms, which are at least 1e-6."""
    nodes = [
        node("ReduceL2", ["x", "axes"], ["norm"], "norm", keepdims=1),
        node("Max", ["norm", "least"], ["divisor"], "divisor"),
        node("Div", ["x", "divisor"], ["y"], "quotient"),
    ]
    return build(
        nodes, {"x": (FLOAT, [2, 4, 6])}, {"y": FLOAT}, axes=np.array([-1]), least=np.array([1e-6], np.float32)
    )


def found(model: onnx.ModelProto, folder: Path, old: str, new: str) -> Exactness:
    """The exact check of the module of a model in which `new` replaces what `old` matches."""
    path = folder / "m.onnx"
    onnx.save(model, path)
    artifact = forge_mlir.compile(path, folder / "out")
    source, count = re.subn(old, new, artifact.module_path.read_text())
    assert count, artifact.module_path.read_text()
    replace_module(artifact, re.sub(r"\n *release\(.*", "", source))
    (given,) = traced_artifact(path, artifact.directory, str(folder / "traced")).programs
    return exactness_of(given.artifact, given.imported, {}, given.edits)


Model = Callable[[], onnx.ModelProto]
WHERE = r'forge\.op\.Where\("", (\w+), (\w+), (\w+)\)'
WRONG: dict[str, tuple[Model, str, str]] = {
    "no padding": (padding, WHERE, r'forge.op.Identity("", \3)'),
    "another token": (padding, "constant=777.0", "constant=778.0"),
    "another fill": (padding, WHERE, r'forge.op.Where("", \1, forge.op.Add("", \3, \3), \3)'),
    "a range of tokens": (padding, r"forge\.op\.Equal\(", "forge.op.GreaterEqual("),
    "another branch": (threshold, r"forge\.op\.Tanh\(", "forge.op.Sigmoid("),
    "another limit": (threshold, r"constant=1e\+06|constant=1000000\.0", "constant=1000001.0"),
    "no branch": (threshold, WHERE, r'forge.op.Identity("", \3)'),
    "the limit too": (threshold, r"forge\.op\.Greater\(", "forge.op.GreaterEqual("),
    "a lower floor": (floor, "constant=1e-06", "constant=1e-07"),
    "no floor": (floor, r'forge\.op\.Max\("", (\w+), (\w+)\)', r'forge.op.Add("", forge.op.Multiply("", \2, \2), \1)'),
}
RIGHT: dict[str, tuple[Model, str, str]] = {
    "the other way round": (threshold, r'forge\.op\.Greater\("", (\w+), (\w+)\)', r'forge.op.Less("", \2, \1)'),
    "a floor in another order": (floor, r'forge\.op\.Max\("", (\w+), (\w+)\)', r'forge.op.Max("", \2, \1)'),
    "padding in another order": (padding, r'forge\.op\.Equal\("", (\w+), (\w+)\)', r'forge.op.Equal("", \2, \1)'),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_under_a_condition(name: str, tmp_path: Path) -> None:
    model, old, new = WRONG[name]
    exact = found(model(), tmp_path, old, new)
    assert exact.state == "different", exact


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_edit(name: str, tmp_path: Path) -> None:
    model, old, new = RIGHT[name]
    assert found(model(), tmp_path, old, new).state == "equal"


@pytest.mark.parametrize(
    ("model", "old", "new"),
    [
        (lambda: threshold(1e30), r"forge\.op\.Tanh\(", "forge.op.Sigmoid("),
        # An edit with a condition that the model does not have.
        (
            floor,
            r'forge\.op\.Divide\("", (\w+), (\w+)\)',
            r'forge.op.Divide("", forge.op.Where("", forge.op.Greater("", \2, forge.op.Constant("", constant=1e30, '
            r"dtype=forge.DataFormat.Float32)), \2, \1), \2)",
        ),
    ],
    ids=["of the model", "of the module"],
)
def test_a_condition_that_nothing_decides(model: Model, old: str, new: str, tmp_path: Path) -> None:
    exact = found(model(), tmp_path, old, new)
    assert (exact.state, exact.edited) == ("not covered", True)
    assert "has one outcome in every run" in exact.reason
