"""Mod of floats: the sign of a zero, which decides a later division."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from forge_mlir import compile, run

X = np.array([0, -0.0, 0, -0.0, -6, 6, 0, 5.5, -1], np.float32)
Y = np.array([3, 3, -3, -3, 3, -3, -np.inf, -3, np.inf], np.float32)


@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize(("fmod", "expected"), [(0, np.mod(X, Y)), (1, np.fmod(X, Y))])
def test_a_remainder_of_zero_has_a_sign(fmod: int, expected: np.ndarray, folds: bool, tmp_path: Path) -> None:
    nodes = [helper.make_node("Mod", ["x", "y"], ["m"], fmod=fmod), helper.make_node("Div", ["one", "m"], ["z"])]
    typed = [helper.make_tensor_value_info(name, TensorProto.FLOAT, X.shape) for name in ("x", "y", "one", "z")]
    constants = [numpy_helper.from_array(value, name) for name, value in (("x", X), ("y", Y))] if folds else []
    graph = helper.make_graph(nodes, "g", typed[2 * folds : 3], typed[3:], constants)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 28)], ir_version=10)
    given = {"one": np.ones_like(X)} | ({} if folds else {"x": X, "y": Y})
    with np.errstate(divide="ignore"):
        assert np.array_equal(run(compile(proto, tmp_path), given)["z"], 1 / expected)
