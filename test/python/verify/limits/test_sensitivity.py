"""Models that amplify rounding may differ by as much as ONNX does itself."""

from __future__ import annotations

import numpy as np
import pytest

from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.importer import import_onnx
from forge_mlir.verify import Comparison, compare
from forge_mlir.verify.limits.sensitivity import measured
from forge_mlir.verify.verdict import decide
from sample_models.probe import FLOAT, build, node

GOLDEN = np.linspace(1, 2, 64, dtype=np.float32).reshape(8, 8)


def row_off(by: float) -> Comparison:
    """An output of which one element is beyond the limit by the factor `by`."""
    actual = GOLDEN.copy()
    actual[3, 3] += np.float32(by * 1e-3 * 2)
    return compare("y", actual, GOLDEN)


@pytest.mark.parametrize(
    ("off", "moved", "verdict"),
    [
        (0.1, 0.0, "right"),
        (5, 0.0, "wrong"),
        (5, 0.9, "wrong"),
        (5, 2.0, "wrong"),
        (5, 4.0, "right"),
        (500, 4.0, "wrong"),
        (500, 1e6, "undecided"),
        (50, 1e6, "right"),
    ],
)
def test_the_model_itself_must_change_by_half_as_much(off: float, moved: float, verdict: str) -> None:
    row = row_off(off)
    found = decide([row], "file", movement={"y": moved})
    assert found["verdict"] == verdict
    assert found["by_node"] == ({"y"} if verdict == "right" and off > 1 else set())
    assert verdict == "right" or found["reasons"]


def test_the_movement_is_relative_to_what_the_output_is_compared_with() -> None:
    """Of a sum that cancels, the file's result may be many times smaller than that of its nodes."""
    model = build([node("Mul", ["x", "w"], ["y"], "scale")], {"x": (FLOAT, [8, 8])}, {"y": FLOAT}, w=np.float32(3))
    nodes, goldens = OnnxNodes.of(import_onnx(model, keep_graph=True)), {"y": GOLDEN * 3}
    row = row_off(5)
    moved, larger = (
        measured(nodes, {"x": GOLDEN}, goldens, {"y": GOLDEN * np.float32(by)}, [row])["y"] for by in (3, 2.0**-20)
    )
    assert 0 < moved < 1e-3
    assert larger > 1e6 * moved


def test_a_result_of_equal_operands_may_be_far_off_if_it_is_no_index() -> None:
    indices = np.arange(8)
    rows = {"right": row_off(500), "undecided": compare("y", indices[::-1].copy(), indices)}
    for verdict, row in rows.items():
        assert decide([row], "file", movement={"y": 1e6})["verdict"] == "undecided"
        assert decide([row], "file", movement={"y": 1e6}, unmoved={"y"})["verdict"] == verdict


def test_goldens_of_zero_allow_nothing() -> None:
    assert not compare("y", np.full(4, 1e-9, np.float32), np.zeros(4, np.float32)).passed
    assert compare("y", np.zeros(4, np.float32), np.zeros(4, np.float32)).passed


@pytest.mark.parametrize(("op", "largest"), [("Mul", 0.0), ("Sub", np.inf)])
def test_only_zeros_of_sums_have_any_sign(op: str, largest: float) -> None:
    """Zeros of both signs are equal, and their reciprocals are not: infinities of the other sign may come from a
    difference, and are an error of a product."""
    nodes = [node(op, ["x", "c"], ["zero"], "zero"), node("Reciprocal", ["zero"], ["y"], "divided")]
    zeros = np.zeros((8, 8), np.float32)
    model = build(nodes, {"x": (FLOAT, [8, 8])}, {"y": FLOAT}, c=zeros)
    x = zeros if op == "Sub" else -np.ones_like(zeros)
    golden = np.full((8, 8), np.inf if op == "Sub" else -np.inf, np.float32)
    row = compare("y", -golden, golden)
    given = OnnxNodes.of(import_onnx(model, keep_graph=True))
    assert measured(given, {"x": x}, {"y": golden}, {"y": golden}, [row]) == {"y": largest}
