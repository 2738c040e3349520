"""Cases of onnxruntime's norms, matrix products, fused layers and quantised ops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sample_models.microsoft.case import Array, Case, f, i32, u8


def norms() -> Iterator[Case]:
    x, skip, gamma, beta, bias = f(2, 3, 4), f(2, 3, 4), f(4), f(4), f(4)
    for op, extra in (("SkipLayerNormalization", (beta,)), ("SkipSimplifiedLayerNormalization", ())):
        yield Case(op, "plain", (x, skip, gamma, *extra), {"epsilon": 1e-3})
        yield Case(op, "bias", (x, skip, gamma, *extra, bias))
        yield Case(op, "sum", (x, skip, gamma, *extra, bias), {}, ("y", "", "", "sum"))
        yield Case(op, "root", (x, skip, gamma, *extra), {}, ("y", "", "root"))
        yield Case(op, "one batch", (x, skip[:1], gamma, *extra))
        yield Case(op, "no batch", (x, skip[0], gamma, *extra))
        yield Case(op, "rank 2", (x[0], skip[0], gamma))
        large, scale = np.full((2, 3, 4), 6e4, np.float16), np.ones(4, np.float16)
        yield Case(op, "16-bit sums that overflow", (large, large, scale))
        yield Case(
            op, "wrong gamma", (x, skip, f(3)), refused="gamma or beta does not fit an operand of shape (2, 3, 4)"
        )
        yield Case(op, "wrong skip", (x, f(2, 1, 4), gamma), refused="skip or bias does not fit an operand of shape")
    yield Case("SkipLayerNormalization", "all", (x, skip, gamma, beta, bias), {}, ("y", "mean", "root", "sum"))
    yield Case(
        "SkipSimplifiedLayerNormalization", "mean", (x, skip, gamma), {}, ("y", "mean"), refused="output 1 cannot"
    )

    op = "SimplifiedLayerNormalization"
    for opset in (9, 17, 21):
        yield Case(op, f"opset {opset}", (x, gamma), {}, domain="", opset=opset)
    yield Case(op, "root", (x, gamma), {"axis": -1, "epsilon": 1e-3, "stash_type": 1}, ("y", "root"), domain="")
    yield Case(op, "axis", (x, f(3, 4)), {"axis": 1}, ("y", "root"), domain="")
    yield Case(op, "one row", (x, f(4)), {"axis": 1}, domain="")
    yield Case(op, "wrong scale", (x, f(3)), domain="", refused="scale or bias does not broadcast to the operand")
    for opset in (9, 16):
        yield Case("LayerNormalization", f"opset {opset}", (x, gamma, beta), {}, domain="", opset=opset)
        outputs = ("y", "mean", "root")
        yield Case(
            "LayerNormalization", f"all {opset}", (x, gamma, beta), {"axis": -1}, outputs, domain="", opset=opset
        )


def embed_layer_normalization() -> Iterator[Case]:
    def case(about: str, *inputs: Array | None, sums: bool = True, refused: str = "", **attributes: Any) -> Case:
        outputs = ("y", "lengths", "sum") if sums else ("y", "lengths")
        return Case("EmbedLayerNormalization", about, inputs, attributes, outputs, (2, 3, 4, 5, 6), refused=refused)

    ids, segments = i32([[1, 2, 0], [3, 1, 4]]), i32([[0, 1, 0], [1, 1, 0]])
    words, places, kinds, gamma, beta = f(5, 4), f(6, 4), f(2, 4), f(4), f(4)
    mask, positions = i32([[1, 1, 0], [2, 1, 0]]), i32([[2, 5, 0]])
    yield case("plain", ids, segments, words, places, kinds, gamma, beta, sums=False)
    yield case("sums", ids, segments, words, places, kinds, gamma, beta, epsilon=1e-3)
    yield case("mask", ids, segments, words, places, kinds, gamma, beta, mask, mask_index_type=1)
    yield case("no segments", ids, None, words, places, None, gamma, beta, mask)
    yield case("positions", ids, None, words, places, None, gamma, beta, None, positions)
    yield case("all positions", ids, segments, words, places, kinds, gamma, beta, mask, np.tile(positions, (2, 1)))
    yield case(
        "short table", ids, None, words, f(2, 4), None, gamma, beta, refused="a table of 2 positions is too short"
    )
    yield case(
        "wrong segments", ids, segments[:1], words, places, kinds, gamma, beta, refused="of one shape (batch, seq"
    )
    yield case("segments only", ids, segments, words, places, None, gamma, beta, refused="embedding come together")
    yield case("wrong table", ids, None, f(5, 3), places, None, gamma, beta, refused="rows of the size of gamma")


def group_norm(
    x: Array, gamma: Array, beta: Array, skip: Array | None = None, bias: Array | None = None, **attributes: Any
) -> list[Array]:
    """A reference, since onnxruntime has the op for other devices only."""
    last, groups = attributes.get("channels_last", 1), attributes["groups"]
    if skip is not None:
        rows = skip if skip.ndim == 4 else skip[:, None, None] if last else skip[:, :, None, None]
        x = x + rows
    if bias is not None:
        x = x + (bias if last else bias[:, None, None])
    front = x.transpose(0, 3, 1, 2) if last else x
    flat = front.reshape(len(x), groups, -1)
    normal = (flat - flat.mean(-1, keepdims=True)) / np.sqrt(flat.var(-1, keepdims=True) + attributes["epsilon"])
    normal = normal.reshape(front.shape) * gamma[:, None, None] + beta[:, None, None]
    if attributes["activation"]:
        normal = normal / (1 + np.exp(-normal))
    y = normal.transpose(0, 2, 3, 1) if last else normal
    return [y.astype(np.float32), *([x] if skip is not None else [])]


def group_norms() -> Iterator[Case]:
    gamma, beta = f(4), f(4)
    base = {"groups": 2, "activation": 0, "epsilon": 1e-3}
    for last, x in ((1, f(2, 3, 5, 4)), (0, f(2, 4, 3, 5))):
        kind = {**base, "channels_last": last}
        skips, sums = "SkipGroupNorm", ("y", "sum")
        yield Case("GroupNorm", f"last {last}", (x, gamma, beta), kind, reference=group_norm)
        yield Case("GroupNorm", f"silu {last}", (x, gamma, beta), {**kind, "activation": 1}, reference=group_norm)
        yield Case(skips, f"last {last}", (x, gamma, beta, x[::-1]), kind, sums, reference=group_norm)
        yield Case(skips, f"row {last}", (x, gamma, beta, f(2, 4), f(4)), kind, sums, reference=group_norm)
    x = f(2, 3, 5, 4)
    yield Case(
        "GroupNorm",
        "wrong groups",
        (x, gamma, beta),
        {**base, "groups": 3},
        refused="whose channels attribute 'groups'",
    )
    yield Case(
        "GroupNorm", "wrong activation", (x, gamma, beta), {**base, "activation": 2}, refused="must be 0 or 1, but is 2"
    )
    yield Case(
        "SkipGroupNorm", "wrong skip", (x, gamma, beta, f(3, 4)), base, refused="skip does not fit an operand of shape"
    )


def _table_rows() -> Iterator[Case]:
    """Gathers from 5 rows of 40 packed numbers, with a scale and a zero point for each block of 16."""
    op, ids, scales = "GatherBlockQuantized", i32([[0, 4, 1], [2, -1, 0]]), f(5, 3) * 0.1
    sizes = {"block_size": 16, "gather_axis": 0, "quantize_axis": 1}
    for bits in (2, 4, 8):
        table, zeros = u8(5, 40 * bits // 8), u8(5, (3 * bits + 7) // 8)
        given = {**sizes, "bits": bits}
        yield Case(op, f"{bits} bits", (table, ids, scales), given, fixed=(0, 2))
        yield Case(op, f"{bits} bits zeros", (table, ids, scales, zeros), given, fixed=(0, 2, 3))
    yield Case(op, "known rows", (u8(5, 40), ids, scales), {**sizes, "bits": 8}, fixed=(0, 1, 2))
    yield Case(op, "one row", (u8(5, 40), i32(np.array(3)), scales), {**sizes, "bits": 8}, fixed=(0, 2))
    yield Case(
        op, "block of 24", (u8(5, 40), ids, scales), {**sizes, "bits": 8, "block_size": 24}, refused="a power of two"
    )
    yield Case(op, "few scales", (u8(5, 40), ids, scales[:, :2]), {**sizes, "bits": 8}, refused="one value per block")


def _channels_last_pools() -> Iterator[Case]:
    op, x = "NhwcMaxPool", u8(1, 6, 7, 3)
    yield Case(op, "plain", (x,), {"kernel_shape": [2, 3]})
    yield Case(op, "strides and pads", (x,), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 0, 1]})
    yield Case(op, "dilations", (x,), {"kernel_shape": [2, 2], "dilations": [2, 3]})
    yield Case(op, "ceil", (x,), {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1})
    yield Case(op, "signed", (x.astype(np.int8),), {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"})


def products() -> Iterator[Case]:
    op = "FusedMatMul"
    yield Case(op, "plain", (f(3, 4), f(4, 5)))
    yield Case(op, "alpha", (f(2, 3, 4), f(4, 5)), {"alpha": 0.5})
    yield Case(op, "transposed", (f(4, 3), f(5, 4)), {"transA": 1, "transB": 1})
    yield Case(op, "batch A", (f(4, 2, 3, 5), f(2, 3, 5, 6)), {"transBatchA": 1})
    yield Case(op, "batch and A", (f(5, 2, 3, 4), f(2, 3, 5, 6)), {"transBatchA": 1, "transA": 1})
    yield Case(op, "batch B", (f(2, 3, 4, 5), f(5, 2, 3, 6)), {"transBatchB": 1})
    yield Case(op, "batch and B", (f(2, 3, 4, 5), f(6, 2, 3, 5)), {"transBatchB": 1, "transB": 1})
    yield Case(op, "vectors", (f(5), f(5)), {"transA": 1})
    yield Case(op, "vector", (f(5), f(5, 6)), {"transA": 1})
    yield Case(
        op, "batch of rank 2", (f(4, 5), f(5, 6)), {"transBatchA": 1}, refused="of rank 3 or more, but got rank 2"
    )
    yield Case("TransposeMatMul", "transposed", (f(4, 3), f(5, 4)), {"transA": 1, "transB": 1, "alpha": 2.0})

    op, k, n, block, blocks = "MatMulNBits", 40, 3, 16, 3
    for bits in (2, 4, 8):
        sizes = {"K": k, "N": n, "bits": bits, "block_size": block}
        x, weights, scales = f(2, 2, k), u8(n, blocks, block * bits // 8), f(n, blocks) * 0.1
        zeros = u8(n, (blocks * bits + 7) // 8)
        fixed = (1, 2, 3, 4, 5)
        yield Case(op, f"{bits} bits", (x, weights, scales), sizes, fixed=(1, 2))
        yield Case(op, f"{bits} bits flat", (x, weights, scales.ravel(), zeros.ravel()), sizes, fixed=(1, 2, 3))
        yield Case(op, f"{bits} bits zeros", (x, weights, scales, zeros), sizes, fixed=(1, 2, 3))
        yield Case(op, f"{bits} bits zeros at run time", (x, weights, scales, zeros), sizes)
        yield Case(op, f"{bits} bits bias", (x, weights, scales, None, None, f(n)), sizes, fixed=fixed)
        if bits < 8:
            yield Case(op, f"{bits} bits float zeros", (x, weights, scales, f(n, blocks)), sizes, fixed=(1, 2, 3))
    yield from _table_rows()
    yield from _channels_last_pools()
    sizes = {"K": k, "N": n, "bits": 4, "block_size": block}
    x, weights, scales, zeros = f(2, k), u8(n, blocks, 8), f(n, blocks) * 0.1, u8(n, 2)
    groups = i32(np.arange(48)[::-1] // 16)
    yield Case(op, "vector", (f(k), weights, scales), sizes, fixed=(1, 2))
    yield Case(op, "groups", (x, weights, scales, None, groups[:k]), sizes, fixed=(1, 2, 3, 4))
    yield Case(op, "groups zeros", (x, weights, scales, f(n, blocks), groups), sizes, fixed=(1, 2, 3, 4))
    yield Case(op, "groups at run time", (x, weights, scales, f(n, blocks), groups), sizes)
    yield Case(op, "groups packed zeros", (x, weights, scales, zeros, groups), sizes, refused="with packed zero points")
    yield Case(op, "block of 32", (x, u8(n, 2, 16), f(n, 2), u8(n, 1)), {**sizes, "block_size": 32}, fixed=(1, 2, 3))
    yield Case(op, "block of 24", (x, u8(n, 2, 12), f(n, 2)), {**sizes, "block_size": 24}, refused="are not supported")
    yield Case(op, "3 bits", (x, weights, scales), {**sizes, "bits": 3}, refused="attributes 'bits'")
    yield Case(
        op, "8 bits groups", (x, weights, scales, None, groups), {**sizes, "bits": 8}, refused="with 4 bits only"
    )
    yield Case(op, "prepacked", (x, weights, scales), {**sizes, "weight_prepacked": 1}, refused="layout of one device")
    yield Case(
        op, "wrong zeros", (x, weights, scales, u8(5)), sizes, refused="expected 6 bytes or 9 floats as zero points"
    )
    yield Case(op, "wrong K", (f(2, 41), weights, scales), sizes, refused="the operands do not fit attributes 'K', 'N'")
    yield Case(
        op, "short groups", (x, weights, scales, None, groups[:8]), sizes, refused="a group index of 40 integers"
    )


def fused() -> Iterator[Case]:
    x = f(2, 3, 4)
    yield Case("Gelu", "plain", (x,))
    yield Case("BiasGelu", "plain", (x, f(4)))
    yield Case("BiasGelu", "16-bit sum that overflows", (np.full(4, -6e4, np.float16), np.full(4, -3e4, np.float16)))
    yield Case("FastGelu", "plain", (x,))
    yield Case("FastGelu", "bias", (x, f(4)))
    yield Case("QuickGelu", "plain", (x,))
    yield Case("QuickGelu", "alpha", (x,), {"alpha": 0.5})

    image, kernel, bias, rest = f(1, 2, 5, 5), f(3, 2, 3, 3), f(3), f(1, 3, 5, 5)
    pads = {"pads": [1, 1, 1, 1]}
    parameters = {"LeakyRelu": [0.2], "Clip": [-0.5, 0.5], "HardSigmoid": [0.3, 0.4]}
    for name in ("Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"):
        more = {"activation_params": parameters[name]} if name in parameters else {}
        yield Case("FusedConv", name, (image, kernel, bias), {"activation": name, **pads, **more})
    yield Case("FusedConv", "residual", (image, kernel, bias, rest), {"activation": "Relu", **pads})
    yield Case("FusedConv", "residual only", (image, kernel, None, rest), pads)
    yield Case("FusedConv", "elu", (image, kernel), {"activation": "Elu"}, refused="activation 'Elu' is not supported")
    yield Case(
        "FusedConv", "clip", (image, kernel), {"activation": "Clip"}, refused="expected 2 parameters for activation"
    )
    yield Case(
        "FusedConv", "wrong residual", (image, kernel, None, rest), refused="expected a residual of shape (1, 3, 3, 3)"
    )

    a, b, c = f(3, 4), f(5, 4), f(5)
    for name in ("Relu", "Sigmoid", "Tanh", "LeakyRelu"):
        attributes = {"activation": name, "transB": 1, "alpha": 0.5, "beta": 2.0, "activation_alpha": 0.2}
        yield Case("FusedGemm", name, (a, b, c), attributes)
    yield Case("FusedGemm", "no C", (a, b), {"activation": "Relu", "transB": 1})
    yield Case("FusedGemm", "elu", (a, b, c), {"activation": "Elu", "transB": 1}, refused="activation 'Elu' is not")


def quantised() -> Iterator[Case]:
    def one(value: float) -> Array:
        return np.array(value, np.float32)

    def zero(value: int) -> Array:
        return np.array(value, np.uint8)

    a, b, c = u8(2, 3, 4), u8(4), u8(2, 3, 4).view(np.int8)
    scales = one(0.11), one(0.23), one(0.37)
    of_a, of_b, of_c = (scales[0], zero(100)), (scales[1], zero(90)), (scales[2], zero(128))
    signed = (scales[0], np.array(-5, np.int8))
    for op in ("QLinearAdd", "QLinearMul"):
        yield Case(op, "plain", (a, *of_a, b, *of_b, *of_c))
        yield Case(op, "signed", (c, *signed, c[0], *signed, *signed))
        yield Case(op, "scales", (a, f(4), zero(1), b, *of_b, *of_c), refused="expected one scale (input 1) in float32")
        yield Case(op, "types", (a, *of_a, c, *signed, *of_c), refused="expected operands of one type")
    for op in ("QLinearSigmoid", "QLinearLeakyRelu"):
        yield Case(op, "plain", (a, one(0.05), zero(100), one(0.01), zero(10)))
        yield Case(op, "signed", (c, one(0.05), signed[1], one(0.01), signed[1]))
        yield Case(
            op,
            "zero points",
            (a, *of_a, scales[0], zero(3)[None].repeat(2)),
            refused="expected one zero point (input 4)",
        )
    yield Case("QLinearLeakyRelu", "alpha", (a, one(0.05), zero(100), one(0.05), zero(10)), {"alpha": 0.3})
    step = one(1 / 256), zero(0)
    yield Case("QLinearSoftmax", "plain", (a, one(0.02), zero(100), *step), {"opset": 13}, fixed=(3,))
    yield Case("QLinearSoftmax", "axis", (a, one(0.02), zero(100), *step), {"opset": 13, "axis": 1}, fixed=(3,))
    yield Case(
        "QLinearSoftmax",
        "flat",
        (c, one(0.02), signed[1], one(1 / 128), signed[1]),
        {"opset": 12, "axis": 1},
        fixed=(3,),
    )
    yield Case(
        "QLinearSoftmax",
        "scale",
        (a, *of_a, *of_b),
        {"opset": 13},
        fixed=(3,),
        refused="whose reciprocal is an integer",
    )
    image = u8(2, 3, 5, 4)
    for last in (0, 1):
        yield Case("QLinearGlobalAveragePool", f"last {last}", (image, *of_a, *of_b), {"channels_last": last})
    yield Case(
        "QLinearGlobalAveragePool", "rank", (u8(2, 3), *of_a, *of_b), refused="of rank 3 or more and at most 32768"
    )
    yield Case("QLinearConcat", "plain", (*of_c, a, *of_a, a[:, :1], *of_b, a, *of_c), {"axis": 1})
    yield Case("QLinearConcat", "last", (*of_c, a, *of_a, a, *of_b), {"axis": -1})
    yield Case(
        "QLinearConcat", "inputs", (*of_c, a, *of_a, a), {"axis": 1}, refused="expected 2 inputs and 3 per operand"
    )

    x, y, bias = f(2, 3, 8), u8(8, 5), f(5)
    op = "DynamicQuantizeMatMul"
    yield Case(op, "plain", (x, y, scales[0]))
    yield Case(op, "columns", (x, y, np.abs(f(5)), u8(5), bias))
    # On a processor without VNNI, onnxruntime's sum of two products saturates at 16 bits, unless weights are small.
    yield Case(op, "signed", (x, y.view(np.int8) // 2, scales[0], np.array(3, np.int8), bias))
    yield Case(op, "wrong scale", (x, y, f(4)), refused="expected a matrix B and one scale and zero point, or one per")
    op = "MatMulIntegerToFloat"
    yield Case(op, "plain", (u8(2, 8), y, *scales[:2]))
    yield Case(op, "columns", (u8(2, 8), y, scales[0], np.abs(f(5)), zero(7), u8(5), bias))
    yield Case(op, "signed", (c.reshape(3, 8), y.view(np.int8), *scales[:2], signed[1], signed[1]))
    yield Case(op, "rows", (u8(2, 8), y, f(2), scales[0]), refused="expected one scale and one zero point for A")

    yield Case("QuantizeLinear", "one", (f(2, 3), *of_a))
    yield Case("QuantizeLinear", "axis", (f(2, 3), np.abs(f(3)), u8(3)), {"axis": 1})
    yield Case("QuantizeLinear", "16 bits", (f(2, 3), scales[0], np.array(300, np.uint16)))
    yield Case("DequantizeLinear", "one", (u8(2, 3), *of_a))
    yield Case("DequantizeLinear", "axis", (u8(2, 3), f(2), u8(2)), {"axis": 0})


def families() -> Iterator[Case]:
    for family in (norms, embed_layer_normalization, group_norms, products, fused, quantised):
        yield from family()
