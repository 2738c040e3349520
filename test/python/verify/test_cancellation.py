"""Sums are as exact as their terms are large, and no less."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import NodeProto, helper

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import Verification, verify_artifact
from forge_mlir.verify.cancellation import largest_term
from forge_mlir.verify.onnx_nodes import Values
from resealing import replace_module
from sample_models.probe import FLOAT, build, node, weights

TERM = np.float32(1000)


def verified(op: NodeProto, operands: dict[str, np.ndarray], off: float, folder: Path) -> Verification:
    """What verify says of one node when the module adds `off` to its result."""
    model = build([op], {name: (FLOAT, list(value.shape)) for name, value in operands.items()}, {"y": FLOAT})
    onnx.save(model, folder / "m.onnx")
    artifact, imported = compile_traced(folder / "m.onnx", folder / "out")
    lines = artifact.module_path.read_text().splitlines()
    at = max(at for at, line in enumerate(lines) if " = forge.op." in line)
    result = lines[at].split(" = ")[0].strip()
    first = lines[at].replace(f"{result} = ", "near = ")
    more = f'        {result} = forge.op.Add("", near, off).set_src_layer("sum")'
    made = f'        off = forge.op.Constant("", constant={off}, dtype=forge.DataFormat.Float32)'
    replace_module(artifact, "\n".join([*lines[:at], first, made, more, *lines[at + 1 :]]) + "\n")
    return verify_artifact(folder / "m.onnx", artifact, imported, operands)


def opposed() -> np.ndarray:
    """Rows of 64 numbers of a thousand, of which half cancel the other half but for about one."""
    half = TERM * (1 + weights(4, 32) / 100)
    return np.concatenate([half, weights(4, 32) / 32 - half], axis=1).astype(np.float32)


SUMS = {
    "MatMul": (node("MatMul", ["x", "w"], ["y"], "sum"), {"x": opposed(), "w": np.ones((64, 8), np.float32)}),
    "Sub": (node("Sub", ["x", "w"], ["y"], "sum"), {"x": TERM + weights(4, 8), "w": TERM + weights(4, 8)}),
}


@pytest.mark.parametrize("op", SUMS)
def test_what_is_left_has_the_rounding_of_the_terms(op: str, tmp_path: Path) -> None:
    made, operands = SUMS[op]
    result = verified(made, operands, 2e-3, tmp_path)
    assert result.divergence is None
    assert [report.off for report in result.nodes] == ["sum"]


@pytest.mark.parametrize("op", SUMS)
def test_more_than_that_is_an_error(op: str, tmp_path: Path) -> None:
    made, operands = SUMS[op]
    assert verified(made, operands, 1.0, tmp_path).divergence is not None


def test_other_ops_have_no_such_excuse(tmp_path: Path) -> None:
    product = node("Mul", ["x", "w"], ["y"], "sum")
    operands = {"x": TERM + weights(4, 8), "w": weights(4, 8) / TERM}
    assert verified(product, operands, 2e-3, tmp_path).divergence is not None


def test_the_largest_term() -> None:
    def evaluate(made: NodeProto, values: Values) -> Values:
        operand, other = (np.asarray(values[name], np.float64) for name in made.input)
        (scale,) = (attribute.f for attribute in made.attribute) if made.attribute else (1.0,)
        return {"y": scale * (operand + other) if made.op_type == "Add" else scale * (operand @ other)}

    values: Values = {"a": np.float32([[1, -5]]), "b": np.float32([[-2], [3]])}
    assert largest_term(helper.make_node("MatMul", ["a", "b"], ["y"]), values, evaluate) == 17
    assert largest_term(helper.make_node("Gemm", ["a", "b"], ["y"], alpha=-2.0), values, evaluate) == 34
    assert largest_term(helper.make_node("Sub", ["a", "b"], ["y"]), values, evaluate) == 8
    assert largest_term(helper.make_node("Mul", ["a", "b"], ["y"]), values, evaluate) is None
    assert largest_term(helper.make_node("Add", ["a", "b"], ["y"], domain="mine"), values, evaluate) is None
