"""Which kernels the cost model counts for the calls of a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, parser

from forge_mlir.report.cost import Cost
from sample_models.cost_summary import summary


def test_an_activation_after_a_reshape_to_pixels_is_fused() -> None:
    # The reshape from the image of a convolution to flattened pixels is free, so that the activation stays fused into
    # its call.
    rng = np.random.default_rng(0)
    weights = [numpy_helper.from_array(rng.standard_normal((32, 32, 3, 3)).astype(np.float32), name) for name in "wv"]
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="/a/Conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["r"], name="/a/Relu"),
        helper.make_node("Conv", ["r", "v"], ["b"], name="/b/Conv", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["b", "a"], ["y"], name="/Add"),
    ]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 32, 14, 14]) for name in "xy")
    model = helper.make_model(helper.make_graph(nodes, "g", [x], [y], weights), ir_version=9)
    rows = {row.name: row.after for row in summary(model).nodes}
    assert rows["/Add"].kernels > 0
    assert rows["/a/Relu"].kernels > 0  # The addition uses the result of the convolution, too.
    nodes[3] = helper.make_node("Add", ["b", "r"], ["y"], name="/Add")
    model = helper.make_model(helper.make_graph(nodes, "g", [x], [y], weights), ir_version=9)
    rows = {row.name: row.after for row in summary(model).nodes}
    assert rows["/a/Relu"].kernels == 0


def test_a_transpose_that_is_merged_into_that_of_an_operand_is_a_kernel() -> None:
    """A product reads an operand whose trailing axes are exchanged. Another exchange before that one makes a
    permutation of three axes, which is a kernel."""
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[64,64,8] x, float[8,64,32] y) => (float[8,64,32] z) {
        s = Softmax<axis = 1>(x)
        t = Transpose<perm = [2, 0, 1]>(s)
        z = MatMul(t, y)
      }""")
    rows = {row.name: row for row in summary(model).ops}
    assert rows["forge.op.Transpose"].ops_after == 2
    assert rows["forge.op.Transpose"].after.kernels == 1


def test_a_function_after_a_transposed_convolution() -> None:
    """The device's compiler does not move the reshape between rows of pixels and the image across the function, so that
    the program computes it on rows."""
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,16,16] x) => (float[1,32,32,32] y) {
        c = ConvTranspose<strides = [2, 2]>(x, W)
        r = Relu(c)
        y = Conv<pads = [1, 1, 1, 1]>(r, V)
      }""")
    rng = np.random.default_rng(0)
    for name, side in (("W", 2), ("V", 3)):
        weights = rng.standard_normal((32, 32, side, side)).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(weights, name))
    rows = {row.name: row.after for row in summary(model).ops if row.ops_after}
    # On images, it would also have reshapes.
    assert rows["forge.op.Relu"].kernels == 1
    assert rows["forge.op.Reshape"].kernels == 0


def test_a_cast_after_arithmetic_is_fused() -> None:
    """The norm is in Float32, and the product after it reads bfloat16: the quotient gets that type without a cast."""
    rng = np.random.default_rng(0)
    weights = [numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name)
               for name, shape in (("w", (64, 64)), ("g", (64,)))]  # fmt: skip
    nodes = [
        helper.make_node("Sin", ["x"], ["a"]),
        helper.make_node("LayerNormalization", ["a", "g"], ["n"], axis=-1),
        helper.make_node("MatMul", ["n", "w"], ["h"]),
        helper.make_node("Sigmoid", ["h"], ["r"]),
        helper.make_node("MatMul", ["r", "w"], ["p"]),
    ]
    x, p = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [32, 64]) for name in "xp")
    model = helper.make_model(
        helper.make_graph(nodes, "g", [x], [p], weights), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    rows = {row.name: row for row in summary(model, float_format="bfloat16").ops}
    assert rows["forge.op.Cast"].ops_after == 2
    # The other operand of the product makes its result Float32.
    assert rows["forge.op.Cast"].after.kernels == 1


@pytest.mark.parametrize(
    ("function", "after_product", "after_convolution"),
    # As counted in the output of the device's compiler.
    [("Relu", 1, 0), ("Gelu", 0, 1), ("Sigmoid", 0, 0), ("Tanh", 1, 1), ("Sqrt", 1, 1)],
)
def test_an_activation_is_fused_into_the_call_of_its_operand(
    function: str, after_product: int, after_convolution: int
) -> None:
    model = parser.parse_model(f"""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,64] x, float[1,32,16,16] i) => (float[1,32,64] y, float[1,32,16,16] z) {{
        p = MatMul(x, W)
        [after_product] f = {function}(p)
        y = MatMul(f, V)
        c = Conv<pads = [1, 1, 1, 1]>(i, K)
        [after_convolution] s = {function}(c)
        z = Conv<pads = [1, 1, 1, 1]>(s, L)
      }}""")
    rng = np.random.default_rng(0)
    for name, shape in (("W", (64, 64)), ("V", (64, 64)), ("K", (32, 32, 3, 3)), ("L", (32, 32, 3, 3))):
        model.graph.initializer.append(numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name))
    rows = {row.name: row.after for row in summary(model).nodes}
    assert rows["after_product"].kernels == after_product
    assert rows["after_convolution"].kernels == after_convolution


@pytest.mark.parametrize(
    ("high", "after_product", "after_convolution", "after_arithmetic", "before_arithmetic"),
    # As counted in the output of the device's compiler, which makes relu6 of Clip(x, 0, 6).
    [(6.0, 1, 0, 0, 0), (5.0, 1, 1, 1, 1)],
)
def test_relu6_is_fused(
    high: float, after_product: int, after_convolution: int, after_arithmetic: int, before_arithmetic: int
) -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,64] x, float[1,32,64] u, float[1,32,16,16] i)
        => (float[1,32,64] y, float[1,32,16,16] z, float[1,32,64] v, float[1,32,64] w) {
        p = MatMul(x, W)
        [after_product] f = Clip(p, low, high)
        y = MatMul(f, W)
        c = Conv<pads = [1, 1, 1, 1]>(i, K)
        [after_convolution] s = Clip(c, low, high)
        z = Conv<pads = [1, 1, 1, 1]>(s, K)
        a = Add(x, u)
        [after_arithmetic] b = Clip(a, low, high)
        v = MatMul(b, W)
        d = MatMul(u, W)
        [before_arithmetic] e = Clip(d, low, high)
        w = Sub(e, x)
      }""")
    rng = np.random.default_rng(0)
    for name, shape in (("W", (64, 64)), ("K", (32, 32, 3, 3))):
        model.graph.initializer.append(numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name))
    for name, bound in (("low", 0.0), ("high", high)):
        model.graph.initializer.append(numpy_helper.from_array(np.float32(bound), name))
    rows = {row.name: row.after.kernels for row in summary(model).nodes}
    assert rows["after_product"] == after_product
    assert rows["after_convolution"] == after_convolution
    assert rows["after_arithmetic"] == after_arithmetic
    assert rows["before_arithmetic"] == before_arithmetic


@pytest.mark.parametrize(
    "function", ["Abs", "Atan", "Cos", "Erf", "Exp", "Gelu", "LeakyRelu", "Sigmoid", "Sin", "Tanh"]
)
def test_a_function_is_fused_into_arithmetic(function: str) -> None:
    """Before it and after it. SiLU is one function."""
    model = parser.parse_model(f"""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,64] x, float[1,32,64] u) => (float[1,32,64] y, float[1,32,64] z, float[1,32,64] w) {{
        a = Add(x, u)
        [after] b = {function}(a)
        y = MatMul(b, W)
        s = Softmax(u)
        [before] t = {function}(s)
        z = Add(t, x)
        m = Sub(x, u)
        [silu] n = Sigmoid(m)
        [silu] o = Mul(m, n)
        w = MatMul(o, W)
      }}""")
    numbers = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(numbers, "W"))
    rows = {row.name: row.after.kernels for row in summary(model).nodes}
    assert (rows["after"], rows["before"], rows["silu"]) == (0, 0, 0)


def test_a_mean_of_an_image_reads_the_pixels_of_a_convolution() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,16,16] x) => (float[1,64,1,1] y) {
        [c] p = Conv<pads = [1, 1, 1, 1]>(x, K, B)
        q = Relu(p)
        [m] y = GlobalAveragePool(q)
      }""")
    rng = np.random.default_rng(0)
    for name, shape in (("K", (64, 32, 3, 3)), ("B", (64,))):
        model.graph.initializer.append(numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name))
    rows = {row.name: row.after for row in summary(model).ops}
    # 256 pixels of 64 channels are 16 tiles; a row of 64 elements is 2 tiles.
    assert replace(rows["forge.op.AvgPool2d"], picoseconds=0) == Cost(1, 4096 * 18, 4 * 31 * 64, 0, 0)


def test_an_average_of_windows_is_a_convolution() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,16,16] x) => (float[1,32,8,8] y) {
        c = Conv<pads = [1, 1, 1, 1]>(x, K)
        p = AveragePool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], count_include_pad = 1>(c)
        y = Conv<pads = [1, 1, 1, 1]>(p, K)
      }""")
    numbers = np.random.default_rng(0).standard_normal((32, 32, 3, 3)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(numbers, "K"))
    rows = {row.name: row for row in summary(model).ops}
    assert "forge.op.Pad" not in rows
    # 256 pixels of 32 channels are 8 tiles, which become rows. The filters have 9 elements for each channel.
    pool = Cost(2, 4096 * (16 + 8 + 2) + 4 * 9 * 32, 0, 4096 * 16, 0)
    assert replace(rows["forge.op.AvgPool2d"].after, picoseconds=0) == pool


def test_values_in_rows_are_not_converted_for_ops_that_read_rows() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,32,16,16] x) => (float[1,32,8,8] y) {
        a = Conv<pads = [1, 1, 1, 1]>(x, K)
        b = Conv<pads = [1, 1, 1, 1]>(a, L)
        [joined] c = Concat<axis = 1>(a, b)
        [of_rows] d = Conv<pads = [1, 1, 1, 1]>(c, M)
        e = Conv<pads = [1, 1, 1, 1]>(d, K)
        [pool] p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(e)
        [of_pool] y = Conv<pads = [1, 1, 1, 1]>(p, K)
      }""")
    rng = np.random.default_rng(0)
    for name, shape in (("K", (32, 32, 3, 3)), ("L", (8, 32, 3, 3)), ("M", (32, 40, 3, 3))):
        model.graph.initializer.append(numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name))
    rows = {row.name: row.after.kernels for row in summary(model).nodes}
    # As counted in the output of the device's compiler: two conversions to rows, and the concatenation; a cast and a
    # conversion to rows, the pool, and a cast in rows; a convolution, with a reshape and a transpose to the output.
    assert (rows["joined"], rows["of_rows"], rows["pool"], rows["of_pool"]) == (3, 1, 4, 3)


def test_a_pad_is_a_concatenation_along_each_axis() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,4,64,64] x) => (float[1,4,96,128] y) { s = Sin(x)  [pad] y = Pad(s, pads) }""")
    pads = np.array([0, 0, 0, 32, 0, 0, 32, 32], np.int64)
    model.graph.initializer.append(numpy_helper.from_array(pads, "pads"))
    rows = {row.name: replace(row.after, picoseconds=0) for row in summary(model).nodes}
    # 16 tiles of x and 16 of constants, and then 32 and 16.
    assert rows["pad"] == Cost(2, 4096 * (16 + 16 + 32 + 32 + 16 + 48), 0, 4096 * 160, 0)


# As counted in the output of the device's compiler. 21 channels are padded to 32 before, and sliced after.
@pytest.mark.parametrize(("channels", "kernels"), [(32, 4), (21, 6)])
def test_a_bilinear_resize_is_computed_in_sixteen_bits_and_rows(channels: int, kernels: int) -> None:
    model = parser.parse_model(f"""<ir_version: 9, opset_import: ["" : 20]>
      g (float[1,8,18,18] x) => (float[1,{channels},32,32] y) <float[4] scales = {{1, 1, 2, 2}}> {{
        c = Conv(x, W)
        y = Resize<mode = "linear">(c, , scales)
      }}""")
    weights = np.random.default_rng(0).standard_normal((channels, 8, 3, 3)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weights, "W"))
    rows = {row.name: row.after for row in summary(model).ops}
    assert rows["forge.op.Resize2d"].kernels == kernels
    # All kernels but the interpolation move. This reads and writes 16-bit floats of 32 channels.
    assert rows["forge.op.Resize2d"].bytes - rows["forge.op.Resize2d"].moved == 2 * 32 * (16 * 16 + 32 * 32)


def test_the_input_of_merged_transposes_is_in_rows() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[2,32,16,8] x) => (float[2,16,8,32] y) { y = Transpose<perm = [0, 2, 3, 1]>(x) }""")
    assert summary(model).after.kernels == 2  # A conversion to tiles, and the transpose.


def test_an_addend_per_channel_becomes_the_bias_of_a_convolution() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 17]>
      g (float[1,128,8,8] x) => (float[1,128,8,8] y) {
        c = Conv<pads = [1, 1, 1, 1]>(x, K)
        n = Add(c, B)
        r = Relu(n)
        y = Conv<pads = [1, 1, 1, 1]>(r, K)
      }""")
    # Two convolutions use the filters, so that our passes leave the addition to the device's compiler.
    for name, shape in (("K", (128, 128, 3, 3)), ("B", (128, 1, 1))):
        numbers = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(numbers, name))
    rows = {row.name: row for row in summary(model).ops}
    assert rows["forge.op.Add"].ops_after == 1
    assert rows["forge.op.Add"].after.kernels == 0
    assert rows["forge.op.Relu"].after.kernels == 0


def test_arithmetic_on_weights_has_no_kernel() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 20]>
      g (float[4,512] x) => (float[4,512] y) {
        [square] s = Mul(W, W)
        [sum] n = ReduceSum<keepdims = 1>(s, axes)
        [root] r = Sqrt(n)
        [norm] v = Div(W, r)
        [product] y = MatMul(x, v)
      }""")
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((512, 512)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weights, "W"))
    model.graph.initializer.append(numpy_helper.from_array(np.array([0], np.int64), "axes"))
    rows = {row.name: row for row in summary(model).nodes}
    assert rows["square"].ops_after == 1  # A sum is not computed when weights are loaded.
    assert [rows[name].after.kernels for name in ("square", "sum", "root", "norm")] == [0, 0, 0, 0]
    assert rows["product"].after.kernels == 2  # The input is tilized.
