"""An artifact is written as a whole or not at all, and holds the weights of the model."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from onnx import helper, numpy_helper
from safetensors import safe_open

from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from sample_models.small import one_node


def weighted(values: np.ndarray, op: str = "Add") -> object:
    weight = numpy_helper.from_array(values, "w")
    infos = [helper.make_tensor_value_info(n, weight.data_type, list(values.shape)) for n in ("x", "y")]
    graph = helper.make_graph([helper.make_node(op, ["x", "w"], ["y"], name="n")], "g", infos[:1], infos[1:], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int32", "int64"])
@pytest.mark.parametrize("size", [3, 4096])
def test_weights_round_trip(dtype: str, size: int, tmp_path: Path) -> None:
    values = np.arange(size).astype(dtype)
    artifact = compile(weighted(values), tmp_path)
    with safe_open(artifact.weights_path, framework="np") as weights:
        np.testing.assert_array_equal(weights.get_tensor("w").astype(dtype), values)
    result = run(artifact, {"x": values})["y"]
    assert result.dtype == values.dtype
    np.testing.assert_array_equal(result, values + values)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_numbers_fit(dtype: str, sign: int, tmp_path: Path) -> None:
    largest = np.full(4, sign * float(ml_dtypes.finfo(dtype).max), dtype)
    result = run(compile(weighted(largest, "Mul"), tmp_path), {"x": np.ones(4, dtype)})["y"]
    np.testing.assert_array_equal(result, largest)


@pytest.mark.parametrize("size", [3, 4096])
@pytest.mark.parametrize(("dtype", "value"), [("int64", 2**31), ("int64", -(2**31) - 1), ("float64", 1e300)])
def test_values_that_do_not_fit_are_refused(dtype: str, value: float, size: int, tmp_path: Path) -> None:
    values = np.arange(size).astype(dtype)
    values[1] = value
    with pytest.raises(ForgeError) as caught:
        compile(weighted(values), tmp_path)
    assert "does not fit" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_model_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="no converter"):
        compile(one_node("Bernoulli", [2]), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_full_folder_is_replaced_whole(tmp_path: Path) -> None:
    first = compile(weighted(np.arange(4096, dtype=np.float32)), tmp_path, name="m")
    before = first.manifest()["weights_sha256"]
    second = compile(weighted(-np.arange(4096, dtype=np.float32)), tmp_path, name="m")
    assert second.manifest()["weights_sha256"] != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.json", "m.py", "m.safetensors"]


def test_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ForgeError, match="cannot write"):
        compile(weighted(np.ones(3, np.float32)), tmp_path / "file" / "out")
