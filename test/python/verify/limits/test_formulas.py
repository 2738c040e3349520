"""The formulas in float64 are those of ONNX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import helper

from forge_mlir.verify import verify_model
from forge_mlir.verify.limits.formulas import evaluate_formula
from sample_models.probe import FLOAT, build, node


def test_the_formula_is_that_of_onnx() -> None:
    x = np.random.default_rng(0).standard_normal((1, 7, 2)).astype(np.float32)
    for size in (1, 2, 3, 4, 9):
        node = helper.make_node("LRN", ["x"], ["y"], size=size, alpha=0.3, beta=0.6, bias=1.5)
        found = evaluate_formula(node, {"x": x})["y"]
        for channel in range(7):
            first, last = max(0, channel - (size - 1) // 2), min(6, channel + -(-(size - 1) // 2))
            sums = (x[:, first : last + 1].astype(np.float64) ** 2).sum(1)
            right = x[:, channel] / (1.5 + 0.3 / size * sums) ** 0.6
            assert (np.abs(found[:, channel] - right) <= 1e-6 * np.abs(right)).all()


def test_the_formula_of_a_group_norm_is_that_of_torch() -> None:
    random = np.random.default_rng(0)
    x, scale, bias = random.normal(3, 2, (2, 6, 4, 5)), random.normal(0, 1, 6), random.normal(0, 1, 6)
    made = helper.make_node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=3, epsilon=0.125)
    right = torch.nn.functional.group_norm(torch.tensor(x), 3, torch.tensor(scale), torch.tensor(bias), 0.125)
    found = evaluate_formula(made, {"x": x, "s": scale, "b": bias})["y"]
    assert (np.abs(found - right.numpy()) <= 1e-12).all()
    by_group = evaluate_formula(made, {"x": x, "s": scale[:3], "b": bias[:3]})["y"]
    repeated = {"x": x, "s": np.repeat(scale[:3], 2), "b": np.repeat(bias[:3], 2)}
    assert (by_group == evaluate_formula(made, repeated)["y"]).all()


NORMS = {
    "mean and variance": (node("MeanVarianceNormalization", ["x"], ["y"], "norm"), 18),
    "of images": (node("MeanVarianceNormalization", ["x"], ["y"], "norm", axes=[2, 3]), 13),
    "groups": (node("GroupNormalization", ["x", "scale", "bias"], ["y"], "norm", num_groups=2), 21),
}
ROWS = {
    "0": np.zeros((2, 8, 4, 5), np.float32),
    "1.7": np.full((2, 8, 4, 5), 1.7, np.float32),
    "1e6": np.full((2, 8, 4, 5), 1234567.7, np.float32),
    "of channels": np.tile(np.float32([1.1, 2.3, 1e5, -3.7])[:, None, None], (2, 2, 4, 5)),
}


@pytest.mark.parametrize("kind", NORMS)
@pytest.mark.parametrize("rows", ROWS)
def test_norms_of_constant_rows_are_decided(kind: str, rows: str, tmp_path: Path) -> None:
    """onnxruntime and onnx.reference give NaN for some of them, although ONNX's epsilon excludes it."""
    made, opset = NORMS[kind]
    given = {name: np.full(8, 0.5, np.float32) for name in made.input if name != "x"}
    path = tmp_path / "m.onnx"
    onnx.save(build([made], {"x": (FLOAT, [2, 8, 4, 5])}, {"y": FLOAT}, opset=opset, **given), path)
    assert verify_model(path, {"x": ROWS[rows]}, alone=False).reasons == ()
