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
        ("Imputer", {"imputed_value_int64s": [9]}, FINITE.astype(np.int64), 3),
        ("Imputer", {"imputed_value_int64s": [7, 8, 9], "replaced_value_int64": 3}, FINITE.astype(np.int64), 3),
        ("SVMRegressor", {"coefficients": [0.5, 1.0, 2.0], "rho": [0.25], "kernel_params": [0.0] * 3}, FINITE, 1),
        ("LabelEncoder", {"keys_int64s": [3, 0], "values_int64s": [70, 1]}, FINITE.astype(np.int64), 3),
        ("LabelEncoder", {"keys_int64s": [3, 0], "values_floats": [0.1, np.inf]}, FINITE.astype(np.int64), 3),
        ("LabelEncoder", {"keys_floats": [3.0, 0.0], "values_int64s": [1, 2], "default_int64": 5}, X, 3),
    ],
)
def test_results_are_those_of_onnxruntime(
    op: str, attributes: dict[str, Any], x: np.ndarray, columns: int, tmp_path: Path
) -> None:
    node = helper.make_node(op, ["x"], ["y"], op, domain="ai.onnx.ml", **attributes)
    given = helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
    is_integer = "values_int64s" in attributes or "imputed_value_int64s" in attributes
    made = helper.make_tensor_value_info("y", TensorProto.INT64 if is_integer else TensorProto.FLOAT, [len(x), columns])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 2 if op == "LabelEncoder" else 1)]
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


@pytest.mark.parametrize("threshold", [-3e9, -0.5, 0.0, 1.0, 3e9])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_binarizer_of_integers(dtype: type, threshold: float, tmp_path: Path) -> None:
    """onnxruntime has no kernel for integers."""
    x = np.array([[-2, -1, 0], [1, 2, 2**31 - 1]], dtype)
    node = helper.make_node("Binarizer", ["x"], ["y"], domain="ai.onnx.ml", threshold=threshold)
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    values = [helper.make_tensor_value_info(name, kind, x.shape) for name in "xy"]
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 1)]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    proto = helper.make_model(graph, opset_imports=imports, ir_version=10)
    assert_same(run(compile(proto, tmp_path), {"x": x})["y"], (x > threshold).astype(dtype))


KERNELS = {"LINEAR": [0.0, 0.0, 0.0], "RBF": [0.4, 0.0, 0.0], "POLY": [0.4, 0.1, 3.0], "SIGMOID": [0.4, 0.1, 0.0]}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("kind", ["regressor", "one class", "2 classes", "4 classes"])
def test_support_vectors(kind: str, kernel: str, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    counts = [2, 3, 1, 2][: int(kind[0])] if "classes" in kind else [5]
    vectors, pairs = sum(counts), len(counts) * (len(counts) - 1) // 2
    attributes: dict[str, Any] = {
        "kernel_type": kernel,
        "kernel_params": KERNELS[kernel],
        "support_vectors": random.standard_normal(3 * vectors).astype(np.float32),
        "coefficients": random.standard_normal(max(1, len(counts) - 1) * vectors).astype(np.float32),
        "rho": [0.0] * max(1, pairs),
    }
    if "classes" in kind:
        attributes |= {"vectors_per_class": counts, "classlabels_ints": [7, 3, 5, 9][: len(counts)]}
        made = [
            helper.make_tensor_value_info("label", TensorProto.INT64, [32]),
            helper.make_tensor_value_info("score", TensorProto.FLOAT, [32, max(2, pairs)]),
        ]
        node = helper.make_node("SVMClassifier", ["x"], ["label", "score"], domain="ai.onnx.ml", **attributes)
    else:
        attributes |= {"n_supports": vectors, "one_class": int(kind == "one class")}
        made = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [32, 1])]
        node = helper.make_node("SVMRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes)
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [32, 3])]
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 1)]
    proto = helper.make_model(helper.make_graph([node], "g", given, made), opset_imports=imports, ir_version=10)
    x = random.standard_normal((32, 3)).astype(np.float32)
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, {"x": x})
    assert len(np.unique(expected[0])) > 1
    for result, right in zip(run(compile(proto, tmp_path), {"x": x}).values(), expected, strict=True):
        assert_same(result, right)
