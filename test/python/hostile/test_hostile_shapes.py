"""Rows S1 to S9: invalid shapes, types and attributes, and unusual ones that ONNX allows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hostile_models import agrees, command, compiled, constants, model, refused, saved, text, value
from onnx import ModelProto, NodeProto, TensorProto, helper

node = helper.make_node
BIG = 2**63 - 1


def unary(shape: list[int] | None, op: str = "Relu") -> ModelProto:
    return model([node(op, ["x"], ["y"], "the node")], [value("x", shape)], [value("y", shape)])


@pytest.mark.parametrize(
    "shape", [[-1, 2], [-5], [BIG], [BIG, BIG], [2**31, 2**32], [2**62, 2], [1] * 100_000, [2**62] * 3]
)
def test_S1_dims_beyond_sense(shape: list[int], tmp_path: Path) -> None:
    refused(unary(shape), tmp_path, "'x'" if len(shape) < 10 else "")


def test_S1_ranks_that_no_array_has(tmp_path: Path) -> None:
    """Modules of larger ranks were written, and failed when they ran."""
    agrees(unary([1] * 32), tmp_path / "32")
    refused(unary([1] * 33), tmp_path / "33", "'x'", "33 dimensions")
    deep = helper.make_tensor("w", TensorProto.FLOAT, [1] * 33, [1.0])
    nodes = [node("Reshape", ["w", "s"], ["a"]), node("Add", ["x", "a"], ["y"])]
    weighted = model(nodes, [value("x", [1])], [value("y", [1])], {"s": np.array([1])})
    weighted.graph.initializer.append(deep)
    refused(weighted, tmp_path / "weight", "'w'", "33 dimensions")
    nodes = [node("Unsqueeze", ["x", "s"], ["a"]), node("Relu", ["a"], ["b"]), node("Squeeze", ["b", "s"], ["y"])]
    within = model(nodes, [value("x", [1] * 30)], [value("y", [1] * 30)], {"s": np.arange(3)})
    refused(within, tmp_path / "within", "'a'", "33 dimensions")


def test_S1_sizes_that_a_file_may_have(tmp_path: Path) -> None:
    for shape in ([], [0], [3, 0, 2], [1] * 5, [1] * 12):
        path = saved(unary(shape), tmp_path / str(len(shape)))
        if command("check", path).code == 0:
            agrees(unary(shape), tmp_path / str(len(shape)))
        else:
            refused(path, tmp_path / str(len(shape)))
    for shape in ([1] * 64, [2**31], [2**20, 2**20]):  # Declared shapes are not allocated.
        folder = tmp_path / f"big{len(shape)}"
        path = saved(unary(shape), folder)
        if command("check", path).code == 0:
            compiled(path, folder)
        else:
            refused(path, folder)


@pytest.mark.parametrize(
    "nodes",
    [
        [node("ConstantOfShape", ["s"], ["y"], "the node")],
        [node("Expand", ["one", "s"], ["y"], "the node")],
        [node("Tile", ["square", "s"], ["y"], "the node")],
        [node("Range", ["zero", "big", "unit"], ["y"], "the node")],
        [node("OneHot", ["i", "big", "pair"], ["y"], "the node")],
        [node("EyeLike", ["wide"], ["y"], "the node")],
        [node("HannWindow", ["big"], ["y"], "the node")],
    ],
    ids=lambda nodes: nodes[0].op_type,
)
def test_S1_results_that_are_not_folded(nodes: list[NodeProto], tmp_path: Path) -> None:
    constants = {
        "s": np.array([2**30, 2**30]), "one": np.ones(1, np.float32), "square": np.ones((2, 2), np.float32),
        "zero": np.array(0), "big": np.array(2**62), "unit": np.array(1), "i": np.array([0]),
        "pair": np.array([0, 1], np.float32),
    }  # fmt: skip
    inputs = [value("wide", [2**20, 2**20])] if nodes[0].op_type == "EyeLike" else []
    refused(model(nodes, inputs, [value("y", None)], constants), tmp_path)


def compiles(proto: ModelProto, folder: Path) -> str:
    """The warnings of a model that compiles."""
    result = command("compile", saved(proto, folder), "-o", folder)
    assert result.code == 0, result.err
    return result.err


@pytest.mark.parametrize("declared", [[3, 2], [2, 3, 1], [7], [0, 3], []])
def test_S2_declared_shapes_that_lie(declared: list[int], tmp_path: Path) -> None:
    proto = unary([2, 3])
    proto.graph.output[0].CopyFrom(value("y", declared))
    assert "has the shape [2, 3], which is taken" in compiles(proto, tmp_path / "output")
    proto = model([node("Relu", ["x"], ["a"]), node("Neg", ["a"], ["y"])], [value("x", [2, 3])], [value("y", [2, 3])])
    proto.graph.value_info.append(value("a", declared))
    assert "has the shape [2, 3], which is taken" in compiles(proto, tmp_path / "inner")
    proto.graph.value_info[0].CopyFrom(value("a", [2, 3], TensorProto.INT32))
    refused(proto, tmp_path / "type")


def test_S3_open_and_empty(tmp_path: Path) -> None:
    refused(unary(None), tmp_path / "rank")
    refused(unary(["n", 2]), tmp_path / "dim", "--input-shape")  # type: ignore[list-item]
    two = model(
        [node("Add", ["a", "b"], ["y"], "the node")], [value("a", ["n"]), value("b", ["n"])], [value("y", ["n"])]
    )
    refused(two, tmp_path / "two", options=["--input-shape=a:2", "--input-shape=b:3"])
    agrees(two, tmp_path / "same", "--dim=n=4")
    x, empty = value("x", [2, 3]), {"e": np.zeros((0, 3), np.float32)}
    either(
        model([node("Concat", ["x", "e"], ["y"], "the node", axis=0)], [x], [value("y", [2, 3])], empty), tmp_path / "c"
    )
    bounds = {"a": np.array([2]), "b": np.array([2]), "z": np.array([0])}
    slices = node("Slice", ["x", "a", "b", "z"], ["y"], "the node")
    either(model([slices], [x], [value("y", [0, 3])], bounds), tmp_path / "slice")


def either(proto: ModelProto, folder: Path) -> None:
    """Asserts that the model compiles and agrees with ONNX, or is refused with the name of its node."""
    path = saved(proto, folder)
    if command("check", path).code == 0:
        agrees(proto, folder)
    else:
        refused(path, folder, "the node")


CONV = "g (float[1,4,8,8] x, float[4,4,3,3] w) => (float[1,?,?,?] y) { [the_node] y = Conv <ATTR> (x, w) }"
GROUPS = "g (float[1,4,8,8] x, float[4] s) => (float[1,4,8,8] y) { [the_node] y = GroupNormalization <ATTR> (x, s, s) }"
POOL = "g (float[1,4,8,8] x) => (float[1,4,?,?] y) { [the_node] y = MaxPool <ATTR> (x) }"


@pytest.mark.parametrize(
    ("body", "attributes"),
    [
        *((CONV, a) for a in (
            "kernel_shape = [3]", "kernel_shape = [3, 3, 3]", "kernel_shape = [0, 3]", "kernel_shape = [-3, 3]",
            "kernel_shape = [5, 5]", "strides = [1]", "strides = [0, 1]", "strides = [-1, 1]", "dilations = [0, 1]",
            "dilations = [-1, 1]", "dilations = [1]", "pads = [1]", "pads = [1, 1, 1]", "pads = [-9, 0, 0, 0]",
            "group = 0", "group = -1", "group = 3", "group = 9223372036854775807", "group = -9223372036854775808",
            "strides = [0, 0], group = 0", "dilations = [9223372036854775807, 1]", "kernel_shape = [3, 3], group = 2",
            "pads = [9223372036854775807, 9223372036854775807, 0, 0]", "strides = [9223372036854775807, 0]",
        )),
        *((POOL, a) for a in (
            "kernel_shape = [2]", "kernel_shape = [0, 2]", "kernel_shape = [-2, 2]", "kernel_shape = [2, 2, 2]",
            "kernel_shape = [2, 2], strides = [0, 1]", "kernel_shape = [2, 2], dilations = [0, 1]",
            "kernel_shape = [9, 9]", "kernel_shape = [2, 2], pads = [-3, 0, 0, 0]",
            "kernel_shape = [9223372036854775807, 2]", "kernel_shape = [2, 2], storage_order = 7",
        )),
        ("g (float[1,4,8,8] x) => (float[1,4,?,?] y) { [the_node] y = AveragePool <ATTR> (x) }",
         "kernel_shape = [2, 2], strides = [0, 0]"),
        ("g (float[1,4,8,8] x, float[4,4,3,3] w) => (float[1,?,?,?] y) { [the_node] y = ConvTranspose <ATTR> (x, w) }",
         "group = 0"),
        ("g (float[1,4,8,8] x, float[4,4,3,3] w) => (float[1,?,?,?] y) { [the_node] y = ConvTranspose <ATTR> (x, w) }",
         "strides = [0, 1]"),
        ("g (float[1,4,8,8] x, float[4,4,3,3] w) => (float[1,?,?,?] y) { [the_node] y = ConvTranspose <ATTR> (x, w) }",
         "output_padding = [-1, 5]"),
        ("g (float[1,4,8,8] x) => (float[1,?,?,?] y) { [the_node] y = DepthToSpace <ATTR> (x) }", "blocksize = 0"),
        ("g (float[1,4,8,8] x) => (float[1,?,?,?] y) { [the_node] y = DepthToSpace <ATTR> (x) }", "blocksize = 3"),
        ("g (float[1,4,8,8] x) => (float[1,?,?,?] y) { [the_node] y = SpaceToDepth <ATTR> (x) }", "blocksize = -2"),
        ("g (float[1,4,8,8] x) => (float[1,4,8,8] y) { [the_node] y = LRN <ATTR> (x) }", "size = 0"),
        (GROUPS, "num_groups = 0"),
        (GROUPS, "num_groups = 3"),
    ],
)  # fmt: skip
def test_S4_windows_and_groups(body: str, attributes: str, tmp_path: Path) -> None:
    refused(text(body.replace("ATTR", attributes), opset=21), tmp_path, "the_node")


S5 = {
    "axis out of range": "[the_node] y = Softmax <axis = 2> (x)",
    "axis very negative": "[the_node] y = Softmax <axis = -9223372036854775808> (x)",
    "axis of Concat": "[the_node] y = Concat <axis = 5> (x, x)",
    "axis of Flatten": "[the_node] y = Flatten <axis = 4> (x)",
    "axis of Gather": ("[the_node] y = Gather <axis = 2> (x, i)", {"i": [0]}),
    "duplicate axes": ("[the_node] y = ReduceSum (x, a)", {"a": [0, 0]}),
    "the same axis twice, once negative": ("[the_node] y = ReduceSum (x, a)", {"a": [1, -1]}),
    "duplicate axes of Unsqueeze": ("[the_node] y = Unsqueeze (x, a)", {"a": [0, 0]}),
    "Squeeze of a dim that is not 1": ("[the_node] y = Squeeze (x, a)", {"a": [0]}),
    "perm repeats": "[the_node] y = Transpose <perm = [0, 0]> (x)",
    "perm is short": "[the_node] y = Transpose <perm = [0]> (x)",
    "perm out of range": "[the_node] y = Transpose <perm = [0, 5]> (x)",
    "perm negative": "[the_node] y = Transpose <perm = [0, -1]> (x)",
    "Slice step 0": ("[the_node] y = Slice (x, a, b, a, a)", {"a": [0], "b": [2]}),
    "Slice axis": ("[the_node] y = Slice (x, a, b, b)", {"a": [0], "b": [2]}),
    "Slice lengths": ("[the_node] y = Slice (x, a, b)", {"a": [0, 0], "b": [2]}),
    "Slice axes twice": ("[the_node] y = Slice (x, a, b, c)", {"a": [0, 0], "b": [1, 1], "c": [0, 0]}),
    "Gather past the end": ("[the_node] y = Gather (x, i)", {"i": [2]}),
    "Gather before the start": ("[the_node] y = Gather (x, i)", {"i": [-3]}),
    "Gather far": ("[the_node] y = Gather (x, i)", {"i": [BIG]}),
    "GatherElements far": ("[the_node] y = GatherElements (x, i)", {"i": [[7]]}),
    "GatherND far": ("[the_node] y = GatherND (x, i)", {"i": [[5, 5]]}),
    "ScatterND far": ("[the_node] y = ScatterND (x, i, u)", {"i": [[5, 0]], "u": [1.0]}),
    "TopK of too many": ("[the_node] v, y = TopK (x, k)", {"k": [4]}),
    "TopK negative": ("[the_node] v, y = TopK (x, k)", {"k": [-1]}),
    "TopK of two": ("[the_node] v, y = TopK (x, k)", {"k": [1, 1]}),
    "Pad lengths": ("[the_node] y = Pad (x, p)", {"p": [0, 1, 0]}),
    "Pad cuts too much": ("[the_node] y = Pad (x, p)", {"p": [-3, 0, 0, 0]}),
    "Pad far": ("[the_node] y = Pad (x, p)", {"p": [BIG, BIG, BIG, BIG]}),
    "Reshape two -1": ("[the_node] y = Reshape (x, s)", {"s": [-1, -1]}),
    "Reshape another size": ("[the_node] y = Reshape (x, s)", {"s": [5, 2]}),
    "Reshape -1 does not divide": ("[the_node] y = Reshape (x, s)", {"s": [-1, 4]}),
    "Reshape -2": ("[the_node] y = Reshape (x, s)", {"s": [-2, 3]}),
    "Reshape copies a dim that is not there": ("[the_node] y = Reshape (x, s)", {"s": [2, 3, 0]}),
    "Reshape overflows": ("[the_node] y = Reshape (x, s)", {"s": [2**32, 2**32, 6]}),
    "Reshape to nothing": ("[the_node] y = Reshape <allowzero = 1> (x, s)", {"s": [0, 3]}),
    "Reshape 0 and -1": ("[the_node] y = Reshape <allowzero = 1> (x, s)", {"s": [0, -1]}),
    "Expand to a size that does not fit": ("[the_node] y = Expand (x, s)", {"s": [2, 2]}),
    "Expand negative": ("[the_node] y = Expand (x, s)", {"s": [-2, 3]}),
    "Split sum": ("[the_node] y, z = Split <axis = 0> (x, s)", {"s": [1, 2]}),
    "Split negative": ("[the_node] y, z = Split <axis = 0> (x, s)", {"s": [-1, 3]}),
    "Split count": ("[the_node] y, z = Split <axis = 0> (x, s)", {"s": [2]}),
    "Split into too many": "[the_node] y, z = Split <axis = 0, num_outputs = 3> (x)",
    "Tile negative": ("[the_node] y = Tile (x, r)", {"r": [-1, 1]}),
    "Tile far": ("[the_node] y = Tile (x, r)", {"r": [BIG, BIG]}),
    "Tile lengths": ("[the_node] y = Tile (x, r)", {"r": [1]}),
    "CumSum axis": ("[the_node] y = CumSum (x, a)", {"a": 7}),
    "MatMul sizes": "[the_node] y = MatMul (x, x)",
    "Add sizes": ("[the_node] y = Add (x, w)", {"w": [1.0, 2.0]}),
    "Range without end": ("[the_node] y = Range (a, b, c)", {"a": 0, "b": 1, "c": 0}),
    "OneHot depth": ("[the_node] y = OneHot (i, d, v)", {"i": [0], "d": -1, "v": [0.0, 1.0]}),
}


@pytest.mark.parametrize("case", S5)
def test_S5_values_out_of_range(case: str, tmp_path: Path) -> None:
    given = S5[case]
    body, arrays = given if isinstance(given, tuple) else (given, {})
    source = f"g (float[2,3] x) => (float y) {constants(**arrays) if arrays else ''} {{ {body} }}"
    proto = text(source)
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    refused(proto, tmp_path, "the_node")


def test_S5_reflections_of_reflections(tmp_path: Path) -> None:
    """A Pad wider than the axis reflects repeatedly, as in onnx.reference."""
    arrays = constants(p=[0, 5, 0, 4])
    agrees(text(f'g (float[2,3] x) => (float[2,12] y) {arrays} {{ y = Pad <mode = "reflect"> (x, p) }}'), tmp_path)


def test_S5_bounds_beyond_the_axis(tmp_path: Path) -> None:
    low = np.iinfo(np.int64).min
    for start, end, step, size in (
        (0, BIG, 1, 3),
        (-1, low, -1, 3),
        (low, BIG, 2, 2),
        (BIG, low, -2, 2),
        (-2, BIG, 1, 2),
    ):
        bounds = {"a": np.array([start]), "b": np.array([end]), "c": np.array([1]), "d": np.array([step])}
        proto = model(
            [node("Slice", ["x", "a", "b", "c", "d"], ["y"])], [value("x", [2, 3])], [value("y", [2, size])], bounds
        )
        agrees(proto, tmp_path / f"{start}{end}")
    agrees(text(f"g (float[2,3] x) => (float[1,3] y) {constants(i=[-1])} {{ y = Gather (x, i) }}"), tmp_path / "gather")
    agrees(
        text(f"g (float[2,3] x) => (float[3,2] y) {constants(s=[-1, 2])} {{ y = Reshape (x, s) }}"),
        tmp_path / "reshape",
    )
