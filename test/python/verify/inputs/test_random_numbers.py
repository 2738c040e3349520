"""Nodes that draw random numbers: the ops that use these numbers are compared, the numbers are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import NodeProto

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.execute.onnx.nodes import draws
from forge_mlir.verify import verify_artifact, verify_model
from resealing import reseal
from sample_models.probe import FLOAT, build, node, weights

NOISE = {
    "read": [node("RandomNormalLike", ["x"], ["noise"], "draw")],
    "read and returned": [node("RandomUniformLike", ["x"], ["noise"], "draw"), node("Neg", ["noise"], ["z"], "negate")],
    "behind a node of the CPU": [
        node("RandomNormalLike", ["x"], ["drawn"], "draw"),
        node("Multinomial", ["drawn"], ["chosen"], "choose", sample_size=16),
        node("Cast", ["chosen"], ["noise"], "cast", to=FLOAT),
    ],
}


def noisy(name: str) -> onnx.ModelProto:
    """A product with weights, with noise added to it."""
    nodes = [
        *NOISE[name],
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Tanh", ["p"], ["t"], "bounded"),
        node("Add", ["t", "noise"], ["y"], "sum"),
    ]
    outputs = {"y": FLOAT, "z": FLOAT} if "z" in NOISE[name][-1].output else {"y": FLOAT}
    return build(nodes, {"x": (FLOAT, [4, 16])}, outputs, w=weights(16, 16))


@pytest.mark.parametrize("name", NOISE)
def test_other_values_agree(name: str, tmp_path: Path) -> None:
    onnx.save(noisy(name), tmp_path / "m.onnx")
    result = verify_model(tmp_path / "m.onnx", fallback="cpu")
    assert result.passed
    assert "random" in {report.off for report in result.nodes}
    assert {report.node.name for report in result.nodes if not report.off} >= {"product", "sum"}


@pytest.mark.parametrize("name", NOISE)
def test_an_error_after_random_nodes_is_found(name: str, tmp_path: Path) -> None:
    onnx.save(noisy(name), tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out", fallback="cpu")
    (part,) = (part for part in artifact.directory.glob("*.py") if "forge.op.Add(" in part.read_text())
    part.write_text(part.read_text().replace("forge.op.Add(", "forge.op.Subtract("))
    reseal(artifact)
    x = weights(4, 16)
    found = verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": x}).divergence
    assert found is not None
    assert found.node.name == "sum"


@pytest.mark.parametrize(
    ("made", "random"),
    [
        (node("RandomNormal", [], ["y"], shape=[2]), True),
        (node("RandomNormal", [], ["y"], shape=[2], seed=1.0), False),
        (node("RandomNormal", [], ["y"], domain="mine"), False),
        (node("Relu", ["x"], ["y"]), False),
    ],
)
def test_random_ops(made: NodeProto, random: bool) -> None:
    body = onnx.helper.make_graph([made], "body", [], [onnx.helper.make_tensor_value_info("y", FLOAT, None)])
    assert draws(made) == random
    assert draws(node("If", ["c"], ["y"], then_branch=body, else_branch=body)) == random


@pytest.mark.parametrize(("ratio", "trains", "random"), [(0.5, True, True), (0.0, True, False), (0.5, False, False)])
def test_a_dropout_in_training_mode(ratio: float, trains: bool, random: bool, tmp_path: Path) -> None:
    """It draws what to drop; verify called it wrong."""
    drop = node("Dropout", ["x", "ratio", "trains"], ["d"], "drop")
    constants = {"ratio": np.float32(ratio), "trains": np.bool_(trains)}
    model = build([drop, node("Neg", ["d"], ["y"], "negate")], {"x": (FLOAT, [4, 16])}, {"y": FLOAT}, **constants)
    onnx.save(model, tmp_path / "m.onnx")
    result = verify_model(tmp_path / "m.onnx", fallback="cpu")
    assert result.passed
    assert ("random" in {report.off for report in result.nodes}) == random
    assert draws(drop, constants) == random
    assert draws(drop)
    assert not draws(node("Dropout", ["x", "ratio"], ["d"]))


def test_subnormal_numbers_count_as_zero(tmp_path: Path) -> None:
    """Sums of subnormal numbers, which devices treat as zero."""
    nodes = [node("Mul", ["x", "tiny"], ["small"], "shrink"), node("MatMul", ["small", "w"], ["y"], "product")]
    model = build(nodes, {"x": (FLOAT, [4, 16])}, {"y": FLOAT}, tiny=np.float32(1e-40), w=weights(16, 16))
    onnx.save(model, tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx").passed
