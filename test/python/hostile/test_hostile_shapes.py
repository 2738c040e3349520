"""Rows S1 to S9: invalid shapes, types and attributes, and unusual ones that ONNX allows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from hostile_models import agrees, command, compiled, model, refused, saved, text, value
from onnx import ModelProto, NodeProto, TensorProto, helper

from forge_mlir.execute.run import run

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


def constants(**arrays: object) -> str:
    shown = []
    for name, array in arrays.items():
        array = np.asarray(array)
        kind = {"i": "int64", "f": "float"}[array.dtype.kind]
        shape = f"[{','.join(map(str, array.shape))}]" if array.ndim else ""
        shown.append(f"{kind}{shape} {name} = {{{', '.join(map(str, array.ravel()))}}}")
    return f"<{', '.join(shown)}>"


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
