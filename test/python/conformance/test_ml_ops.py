"""The smaller ops of ai.onnx.ml, compared with onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

from forge_mlir import compile, run
from sample_models.goldens import assert_same

X = np.array([[1, -2, 3], [0, -0.0, 0], [-1, np.nan, 4]], np.float32)
FINITE = X[:2]


@pytest.mark.parametrize(
    ("op", "attributes", "x", "columns"),
    [
        ("Imputer", {"imputed_value_floats": [9.0]}, X, 3),
        ("Imputer", {"imputed_value_floats": [7.0, 8.0, 9.0], "replaced_value_float": float("nan")}, X, 3),
        ("Imputer", {"imputed_value_floats": [np.inf], "replaced_value_float": 3.0}, X, 3),
        ("LinearRegressor", {"coefficients": [0.5, 1.0, 2.0]}, FINITE, 1),
        (
            "LinearRegressor",
            {"coefficients": [0.5, 1.0, 2.0, -1.0, 4.0, 0.0], "intercepts": [0.5, -3.0], "targets": 2},
            FINITE,
            2,
        ),
        ("Normalizer", {"norm": "L1"}, FINITE, 3),
        ("Normalizer", {"norm": "L2"}, FINITE, 3),
        ("Normalizer", {"norm": "L2"}, FINITE.astype(np.int64), 3),
    ],
)
def test_results_are_those_of_onnxruntime(
    op: str, attributes: dict[str, Any], x: np.ndarray, columns: int, tmp_path: Path
) -> None:
    node = helper.make_node(op, ["x"], ["y"], op, domain="ai.onnx.ml", **attributes)
    given = helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
    made = helper.make_tensor_value_info("y", TensorProto.FLOAT, [len(x), columns])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 1)]
    proto = helper.make_model(helper.make_graph([node], "g", [given], [made]), opset_imports=imports, ir_version=10)
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, {"x": x})
    assert_same(run(compile(proto, tmp_path), {"x": x})["y"], expected)


@pytest.mark.parametrize("labels", [[0, 1], [7, 3, 5]])
@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"])
def test_linear_classifier(labels: list[int], transform: str, tmp_path: Path) -> None:
    """The first row is a tie of all labels."""
    count = len(labels)
    weights = np.random.default_rng(0).standard_normal(3 * count).astype(np.float32)
    attributes = {"coefficients": weights, "intercepts": [0.5] * count, "classlabels_ints": labels}
    node = helper.make_node(
        "LinearClassifier", ["x"], ["label", "score"], domain="ai.onnx.ml", post_transform=transform, **attributes
    )
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [8, 3])]
    made = [
        helper.make_tensor_value_info("label", TensorProto.INT64, [8]),
        helper.make_tensor_value_info("score", TensorProto.FLOAT, [8, count]),
    ]
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 1)]
    proto = helper.make_model(helper.make_graph([node], "g", given, made), opset_imports=imports, ir_version=10)
    x = np.random.default_rng(1).standard_normal((8, 3)).astype(np.float32)
    x[0] = 0
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, {"x": x})
    for result, right in zip(run(compile(proto, tmp_path), {"x": x}).values(), expected, strict=True):
        assert_same(result, right)
