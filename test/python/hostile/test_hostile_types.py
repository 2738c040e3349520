"""Element types, opsets and special values of hostile models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from hostile_models import agrees, command, compiled, constants, model, refused, saved, text, value
from onnx import ModelProto, TensorProto, helper

from forge_mlir.execute.run import run

node = helper.make_node
HELD = {
    "float32", "float16", "bfloat16", "float64", "int4", "uint4", "int8", "uint8", "int16", "uint16", "int32", "uint32",
    "int64", "uint64", "bool",
}  # fmt: skip


@pytest.mark.parametrize("code", [code for name, code in TensorProto.DataType.items() if name != "UNDEFINED"])
def test_S6_every_element_type(code: int, tmp_path: Path) -> None:
    """Either the values are returned unchanged, or the model is refused; no type is narrowed silently."""
    proto = model([node("Identity", ["x"], ["a"], "the node"), node("Reshape", ["a", "s"], ["y"], "shape")],
                  [value("x", [2, 3], code)], [value("y", [3, 2], code)], {"s": np.array([3, 2])},
                  opset=25)  # fmt: skip
    path = saved(proto, tmp_path)
    if command("check", path).code:
        refused(path, tmp_path)
        return
    artifact = compiled(path, tmp_path)
    dtype = onnx.helper.tensor_dtype_to_np_dtype(code)
    array = np.arange(6).reshape(2, 3).astype(dtype)
    got = run(artifact, {"x": array})["y"]
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, array.reshape(3, 2))
    assert dtype.name in HELD


def test_S6_casts_and_indices(tmp_path: Path) -> None:
    wide = model([node("Add", ["x", "w"], ["y"], "the node")], [value("x", [2], TensorProto.INT64)],
                 [value("y", [2], TensorProto.INT64)], {"w": np.array([2**40, 1])})  # fmt: skip
    refused(wide, tmp_path / "constant", "fit")
    for target in (TensorProto.STRING, TensorProto.COMPLEX64, TensorProto.FLOAT8E4M3FN, 999, 0, -1):
        cast = model([node("Cast", ["x"], ["y"], "the node", to=target)], [value("x", [2])], [value("y", [2])])
        cast.graph.output[0].type.tensor_type.elem_type = max(target, 0) % 24
        refused(cast, tmp_path / f"cast{target}")


OPSETS = [
    ("ReduceSum <axes = [1]> (x)", {}, [1, 11], [13, 18]),
    ("ReduceSum (x, a)", {"a": [1]}, [13, 18], [1, 11]),
    ("ReduceMean <axes = [1]> (x)", {}, [11, 13], [18]),
    ("ReduceMean (x, a)", {"a": [1]}, [18], [11, 13]),
    ("Unsqueeze <axes = [1]> (x)", {}, [1, 11], [13]),
    ("Unsqueeze (x, a)", {"a": [1]}, [13], [1, 11]),
    ("Softmax <axis = 1> (x)", {}, [1, 11, 13], []),
    ("Slice <starts = [0], ends = [1]> (x)", {}, [1, 9], [10, 13]),
    ("Slice (x, a, b)", {"a": [0], "b": [1]}, [10, 11, 13], [1, 9]),
    ("Split <axis = 1, split = [1, 2]> (x)", {}, [2, 11], [13, 18]),
    ("Split <axis = 1> (x, s)", {"s": [1, 2]}, [13, 18], [2, 11]),
    ("Split <axis = 1, num_outputs = 2> (x)", {}, [18], [2, 11, 13]),
    ("Clip <min = 0.0, max = 1.0> (x)", {}, [6], [11, 13]),
    ("Clip (x, lo)", {"lo": 0.0}, [11, 13], [6]),
    ("Dropout <ratio = 0.5> (x)", {}, [7, 10], [12, 13]),
    ("Dropout (x, lo)", {"lo": 0.5}, [12, 13], [7, 10]),
    ("Pad <pads = [0, 1, 0, 0]> (x)", {}, [2], [11, 13, 18]),
    ("Pad (x, p)", {"p": [0, 1, 0, 0]}, [11, 13, 18], [2]),
    ("Resize (x, z)", {"z": [2.0, 2.0]}, [10], [11]),
    ("Resize (x, , z)", {"z": [2.0, 2.0]}, [13, 18, 19], [10]),
    ("BatchNormalization (x, v, v, v, v)", {"v": [1.0, 1.0, 1.0]}, [14, 15], []),
    ("Squeeze <axes = [0]> (t)", {"t": [[1.0, 2.0]]}, [1, 11], [13]),
    ("Squeeze (t, a)", {"t": [[1.0, 2.0]], "a": [0]}, [13], [1, 11]),
]


@pytest.mark.parametrize(("call", "arrays", "right", "wrong"), OPSETS, ids=[row[0] for row in OPSETS])
def test_S7_opsets_with_different_meanings(
    call: str, arrays: dict[str, object], right: list[int], wrong: list[int], tmp_path: Path
) -> None:
    results = "y, z" if call.startswith("Split") else "y"
    for opset in (*right, *wrong):
        given = constants(**arrays) if arrays else ""
        proto = text(f"g (float[2,3] x) => (float y) {given} {{ [the_node] {results} = {call} }}", opset, 7)
        proto.graph.output[0].type.tensor_type.ClearField("shape")
        folder = tmp_path / str(opset)
        if opset in right and opset >= 6:  # onnx.reference and onnxruntime support opsets from here on.
            agrees(proto, folder)
        elif opset in wrong:
            refused(proto, folder)


@pytest.mark.parametrize("shape", [[4], [64, 64]])
def test_S8_special_values_in_weights(shape: list[int], tmp_path: Path) -> None:
    special = np.resize(np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38], np.float32), shape)
    proto = model([node("Where", ["c", "w", "x"], ["y"])], [value("x", shape)], [value("y", shape)],
                  {"w": special, "c": np.ones(shape, bool)})  # fmt: skip
    artifact = agrees(proto, tmp_path, exact=True)
    got = run(artifact, {"x": np.zeros(shape, np.float32)})["y"]
    np.testing.assert_array_equal(np.signbit(got[~np.isnan(got)]), np.signbit(special[~np.isnan(special)]))


def quantized(op: str, scale: object, zero: object, axis: int | None = None, dtype: str = "int8") -> ModelProto:
    attributes = {} if axis is None else {"axis": axis}
    tensors = {"s": np.asarray(scale, np.float32), "z": np.asarray(zero, dtype)}
    code = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    first, last = (TensorProto.FLOAT, code) if op == "QuantizeLinear" else (code, TensorProto.FLOAT)
    made = node(op, ["x", "s", "z"], ["y"], "the node", **attributes)
    return model([made], [value("x", [2, 3], first)], [value("y", [2, 3], last)], tensors, opset=19)


@pytest.mark.parametrize("op", ["QuantizeLinear", "DequantizeLinear"])
def test_S8_scales_and_zero_points(op: str, tmp_path: Path) -> None:
    for at, (scale, zero, axis) in enumerate((
        ([0.5, 0.5], [0, 0], 1), ([0.5] * 4, [0] * 4, 1), ([0.5] * 3, [0] * 2, 1), ([0.5] * 3, [0] * 3, 2),
        ([0.5] * 3, [0] * 3, -3), ([[0.5]], [[0]], 1),
    )):  # fmt: skip
        refused(quantized(op, scale, zero, axis), tmp_path / f"bad{at}", "the node")
    for at, (scale, zero, axis) in enumerate((
        (0.0, 0, None), (-0.5, 3, None), (np.nan, 0, None), (np.inf, 0, None), ([0.5, 0.0, 0.25], [0, 1, -128], 1),
    )):  # fmt: skip
        # Division by zero is infinity, and ONNX does not define its cast to an integer: the model is refused, or the
        # result is that of ONNX.
        path = saved(quantized(op, scale, zero, axis), tmp_path / f"odd{at}")
        if command("check", path).code or op == "QuantizeLinear":
            compiled_or_refused(path, tmp_path / f"odd{at}")
        else:
            agrees(quantized(op, scale, zero, axis), tmp_path / f"odd{at}")
    agrees(quantized(op, [0.5, 1.0, 0.25], [0, 1, -128], 1), tmp_path / "channels")
    agrees(quantized(op, [0.5, 1.0], [0, 255], 0, "uint8"), tmp_path / "rows")


def compiled_or_refused(path: Path, folder: Path) -> None:
    if command("check", path).code:
        refused(path, folder, "the node")
    else:
        compiled(path, folder)


@pytest.mark.parametrize("op", ["RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial"])
def test_S9_random_ops(op: str, tmp_path: Path) -> None:
    attributes = {"dtype": TensorProto.INT32} if op == "Multinomial" else {}
    code = TensorProto.INT32 if op == "Multinomial" else TensorProto.FLOAT
    shape = [2, 1] if op == "Multinomial" else [2, 3]
    proto = model([node(op, ["x"], ["y"], "the node", **attributes)], [value("x", [2, 3])], [value("y", shape, code)])
    refused(proto, tmp_path, "the node")


def test_S9_training_dropout(tmp_path: Path) -> None:
    tensors = {"r": np.array(0.5, np.float32), "t": np.array(True)}
    proto = model([node("Dropout", ["x", "r", "t"], ["y"], "the node")], [value("x", [2])], [value("y", [2])], tensors)
    refused(proto, tmp_path, "the node")
    for name in ("RandomNormal", "RandomUniform"):
        refused(
            model([node(name, [], ["y"], "the node", shape=[2])], [], [value("y", [2])]), tmp_path / name, "the node"
        )
