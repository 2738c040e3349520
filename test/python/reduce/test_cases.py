"""Smaller models with the inputs of the original one."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.codes import Code
from forge_mlir.execute.values.array_files import load_npz
from forge_mlir.reduce import capture, reduce_model
from forge_mlir.verify import verify_model
from sample_models.probe import FLOAT, INT64, build, node


def test_inputs_of_any_name(tmp_path: Path) -> None:
    """`file` and `allow_pickle` are names of parameters of np.savez."""
    names = ["file", "allow_pickle"]
    model = build([node("Add", names, ["y"])], dict.fromkeys(names, (FLOAT, [2])), {"y": FLOAT})
    onnx.save(model, tmp_path / "model.onnx")
    found = reduce_model(tmp_path / "model.onnx", command="true", options={})
    files = found.save(tmp_path / "out", "small")
    assert sorted(load_npz(files[1])) == ["allow_pickle", "file"]


def test_a_damaged_file_is_no_absent_file(tmp_path: Path) -> None:
    (tmp_path / "damaged.onnx").write_bytes(b"\x0a\xff\xff")
    reasons = {"damaged.onnx": "not a readable ONNX file", "absent.onnx": "cannot be opened"}
    for name, code in (("damaged.onnx", Code.FileDamaged), ("absent.onnx", Code.FileUnreadable)):
        with pytest.raises(forge_mlir.ForgeError, match=f"{name}: {reasons[name]}") as raised:
            reduce_model(tmp_path / name, command="true", options={})
        assert raised.value.code == code


def test_inputs_of_types_that_numpy_lacks(tmp_path: Path) -> None:
    x = np.linspace(-2, 2, 6).reshape(2, 3).astype(ml_dtypes.bfloat16)
    model = build([node("Relu", ["x"], ["y"])], {"x": (TensorProto.BFLOAT16, [2, 3])}, {"y": TensorProto.BFLOAT16})
    case = capture(model, {"x": x})
    case.save(tmp_path / "model.onnx", tmp_path / "x.npz")
    stored = load_npz(tmp_path / "x.npz")
    assert verify_model(tmp_path / "model.onnx", stored).passed
    y = forge_mlir.run(forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "out"), stored)["y"]
    np.testing.assert_array_equal(y.astype(np.float32), np.maximum(x, 0).astype(np.float32))


def test_a_bound_input_with_a_default() -> None:
    nodes = [node("Add", ["x", "w"], ["y"])]
    model = build(nodes, {"x": (FLOAT, [2]), "w": (FLOAT, [2])}, {"y": FLOAT}, w=np.float32([1, 1]))
    x, w = np.float32([1, 2]), np.float32([5, 6])
    case = capture(model, {"x": x}, {"w": w})
    assert [numpy_helper.to_array(tensor).tolist() for tensor in case.model.graph.initializer] == [[5, 6]]
    np.testing.assert_array_equal(case.values["y"], x + w)


def test_sparse_initializers_are_kept(tmp_path: Path) -> None:
    model = build([node("Add", ["x", "s"], ["a"]), node("NonZero", ["a"], ["y"])], {"x": (FLOAT, [4])}, {"y": INT64})
    values = numpy_helper.from_array(np.float32([1, 2]), "s")
    indices = numpy_helper.from_array(np.int64([0, 2]))
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [4]))
    onnx.save(model, tmp_path / "model.onnx")
    found = reduce_model(tmp_path / "model.onnx", options={})
    assert found.failure.kind == "refused"
    assert [n.op_type for n in found.case.nodes] == ["NonZero"]


@pytest.mark.parametrize(("dims", "data"), [([4], b"\0"), ([1 << 62], b""), ([4], b"\0" * 12)])
def test_a_tensor_that_cannot_be_read(dims: list[int], data: bytes, tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 18]> g (float[4] x) => (float[4] y) { y = Add(x, w) }'
    )
    model.graph.initializer.append(onnx.TensorProto(name="w", data_type=1, dims=dims, raw_data=data))
    onnx.save(model, tmp_path / "m.onnx")
    with pytest.raises(forge_mlir.ForgeError, match=r"FM0110.*m\.onnx: tensor 'w' cannot be read: "):
        capture(tmp_path / "m.onnx", {})
