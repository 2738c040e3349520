"""Attention whose heads are rows of transposed columns: the results are those of ONNX, whatever other users a value
has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.verify import verify_model

RNG = np.random.default_rng(31)
# The number of sequences, of heads, of elements of a head, and of positions.
BATCH, HEADS, SIZE, ROWS = 3, 4, 8, 10


def random(*shape: int) -> npt.NDArray[np.float32]:
    return RNG.standard_normal(shape).astype(np.float32) / np.sqrt(shape[0]).astype(np.float32)


def heads_of(name: str, shape: str) -> list[NodeProto]:
    """The nodes that reshape and transpose [B, N, H * D] to [B, H, N, D]."""
    return [
        helper.make_node("Reshape", [f"{name}_columns", shape], [f"{name}_split"]),
        helper.make_node("Transpose", [f"{name}_split"], [f"{name}_heads"], perm=[0, 2, 1, 3]),
    ]


def attention(is_joined: bool, scale: float, also: list[str]) -> onnx.ModelProto:
    """Multi-head attention, with one projection and slices of it, or with three; `also` are outputs besides y."""
    width = HEADS * SIZE
    weights = {
        "heads": np.array([0, 0, HEADS, SIZE]),
        "columns": np.array([0, 0, width]),
        "scale": np.float32(scale),
        "w_out": random(width, width),
    }
    nodes = []
    if is_joined:
        weights |= {"w": random(width, 3 * width), "b": random(3 * width)}
        nodes += [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Add", ["p", "b"], ["packed"])]
        nodes.append(
            helper.make_node("Split", ["packed"], [f"{name}_columns" for name in "qkv"], axis=2, num_outputs=3)
        )
    for name in "qkv":
        if not is_joined:
            weights[f"w_{name}"] = random(width, width)
            nodes.append(helper.make_node("MatMul", ["x", f"w_{name}"], [f"{name}_columns"]))
        nodes += heads_of(name, "heads")
    nodes += [
        helper.make_node("Transpose", ["k_heads"], ["k_rows"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["q_heads", "k_rows"], ["products"]),
        helper.make_node("Mul", ["products", "scale"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["shares"], axis=-1),
        helper.make_node("MatMul", ["shares", "v_heads"], ["mixed"]),
        helper.make_node("Transpose", ["mixed"], ["mixed_split"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["mixed_split", "columns"], ["merged"]),
        helper.make_node("MatMul", ["merged", "w_out"], ["y"]),
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [BATCH, ROWS, width])]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ["y", *also]]
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    model = helper.make_model(
        helper.make_graph(nodes, "attention", inputs, outputs, tensors),
        opset_imports=[helper.make_opsetid("", 18)],
        ir_version=9,
    )
    return onnx.shape_inference.infer_shapes(model)


def compiled(model: onnx.ModelProto, folder: Path) -> str:
    """The text of the module. Asserts that `verify` finds it right and proves it equal."""
    file = folder / "m.onnx"
    onnx.save(model, file)
    report = verify_model(file, profiles=("normal", "mixed"))
    assert report.passed, report
    return forge_mlir.compile(model, folder / "out", name="m", flat=True).module_path.read_text()


@pytest.mark.parametrize("is_joined", [True, False])
def test_heads_are_rows(is_joined: bool, tmp_path: Path) -> None:
    """Also with three projections, which are merged."""
    text = compiled(attention(is_joined, 0.25, []), tmp_path)
    assert f"shape=({BATCH}, {3 * HEADS}, {SIZE}, {ROWS})" in text
    assert f"shape=({BATCH}, {HEADS * SIZE}, {ROWS})" in text
    # No value has the axis of heads among its last two.
    assert f"{HEADS}, {SIZE})" not in text


@pytest.mark.alike(keep=8)
@pytest.mark.parametrize(
    "also",
    [
        ["q_heads"],
        ["k_heads"],
        ["v_heads"],
        ["k_rows"],
        ["q_columns", "v_heads"],
        ["mixed"],
        ["merged"],
        ["mixed_split", "k_split"],
    ],
    ids="-".join,
)
@pytest.mark.parametrize("is_joined", [True, False])
def test_values_that_are_outputs(is_joined: bool, also: list[str], tmp_path: Path) -> None:
    """A value that is an output as well keeps its ONNX value, so that no scale is folded into the weights of the
    queries."""
    text = compiled(attention(is_joined, 0.3, also), tmp_path)
    assert "forge.op.Softmax" in text
