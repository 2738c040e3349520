"""Goldens for several inputs at once are equal to those for each input alone."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import SparseTensorProto, TensorProto, helper, numpy_helper

from forge_mlir.errors import ForgeError
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify import golden_outputs, verify_model
from forge_mlir.verify.inputs import goldens
from sample_models.small import one_node


@pytest.fixture
def picked(tmp_path: Path) -> Path:
    """A model that gathers elements of `x` at positions that may be out of range."""
    node = helper.make_node("Gather", ["x", "at"], ["y"])
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in ("x", "y"))
    graph = helper.make_graph([node], "g", [x, helper.make_tensor_value_info("at", TensorProto.INT64, [4])], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, tmp_path / "picked.onnx")
    return tmp_path / "picked.onnx"


def inputs_at(*positions: int) -> dict[str, np.ndarray]:
    return {"x": np.arange(4, dtype=np.float32) + 10, "at": np.array(positions)}


def test_each_input_has_its_goldens(picked: Path) -> None:
    found = goldens.goldens_of_each(
        picked, [inputs_at(0, 1, 2, 3), inputs_at(0, 99, 0, 0), inputs_at(-1, -1, 0, 0)], Limits()
    )
    first, outside, last = found
    assert isinstance(outside, ForgeError)
    with pytest.raises(ForgeError, match="out of"):
        golden_outputs(picked, inputs_at(0, 99, 0, 0))
    assert isinstance(first, dict)
    assert isinstance(last, dict)
    np.testing.assert_array_equal(first["y"], [10, 11, 12, 13])
    np.testing.assert_array_equal(last["y"], golden_outputs(picked, inputs_at(-1, -1, 0, 0))["y"])


def test_the_number_is_limited_by_memory(picked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goldens, "_TOGETHER", 20)
    found = goldens.goldens_of_each(picked, [inputs_at(0, 1, 2, 3)] * 4, Limits())
    assert [one is not None for one in found] == [True, True, False, False]


def test_after_a_crash_each_input_gets_a_child_process(picked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verification then computes the goldens of each input separately."""
    monkeypatch.undo()  # Undoes the replacement of child processes by in-process calls.
    of_model, here = goldens._run_model, os.getpid()

    def crashing(*arguments: object) -> object:
        if os.getpid() != here and len(arguments) == 2:
            os.kill(os.getpid(), signal.SIGSEGV)
        return of_model(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(goldens, "_run_model", crashing)
    assert goldens.goldens_of_each(picked, [inputs_at(0, 1, 2, 3)] * 4, Limits()) == [None] * 4
    onnx.save(one_node("Relu", [2, 3]), picked)
    found = verify_model(picked)
    assert found.verdict == "right"
    assert dict(found.runs).keys() == {"normal", "mixed", "ties"}


def test_float32_that_the_reference_computes_as_float64(tmp_path: Path) -> None:
    """onnx.reference's Adam, which onnxruntime does not implement, computes float64 for float32."""
    domain, names = "ai.onnx.preview.training", ("x", "g", "v", "h")
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("x_new", "v_new", "h_new")]
    node = helper.make_node("Adam", ["r", "t", *names], [each.name for each in results], domain=domain, alpha=0.95)
    inputs = [
        helper.make_tensor_value_info("r", TensorProto.FLOAT, []),
        helper.make_tensor_value_info("t", TensorProto.INT64, []),
        *(helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in names),
    ]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)]
    file = tmp_path / "m.onnx"
    onnx.save(
        helper.make_model(helper.make_graph([node], "g", inputs, results), opset_imports=opsets, ir_version=8), file
    )
    given = {"r": np.float32(0.1), "t": np.int64(0)} | {name: np.ones(2, np.float32) for name in names}
    assert {value.dtype for value in golden_outputs(file, given).values()} == {np.dtype(np.float32)}
    assert verify_model(file, profiles=("normal",)).passed


def test_a_sparse_output_is_an_error(tmp_path: Path) -> None:
    """onnxruntime returns a value of its own for a sparse initializer that is an output."""
    model = one_node("Relu", [2])
    weight = SparseTensorProto(dims=[4, 2])
    weight.values.CopyFrom(numpy_helper.from_array(np.ones(1, np.float32), "w"))
    weight.indices.CopyFrom(numpy_helper.from_array(np.array([2])))
    model.graph.sparse_initializer.append(weight)
    model.graph.output.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [4, 2]))
    onnx.save(model, tmp_path / "net.onnx")
    with pytest.raises(ForgeError, match=r"FM5004.*onnxruntime: TypeError: an output is a sparse tensor"):
        verify_model(tmp_path / "net.onnx")
