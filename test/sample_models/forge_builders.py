"""One use of every forge op through its Python builder, and helpers to put ops into functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from torch_mlir import ir
from torch_mlir.dialects import func

from forge_mlir.dialects import forge

Make = Callable[..., Any]


def function(build: Callable[[Make], Any], *, context: ir.Context | None = None, name: str = "main") -> ir.Module:
    """A module with one function of the ops that `build` makes. `build` gets `t(*shape, dtype="f32")`, which gives a
    new argument of the function; what it returns are the results."""
    context = context or ir.Context()
    forge.register(context)
    with context, ir.Location.name("node"):
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            main = func.FuncOp(name, ([], []))
        block = main.add_entry_block()

        def tensor(*shape: int, dtype: str = "f32") -> ir.Value:
            sizes = "".join(f"{size}x" for size in shape)
            return block.add_argument(ir.Type.parse(f"tensor<{sizes}{dtype}>"), ir.Location.unknown())

        with ir.InsertionPoint(block):
            made = build(tensor)
            results = [made] if isinstance(made, ir.Value) else list(made)
            func.ReturnOp(results)
        inputs = [argument.type for argument in block.arguments]
        main.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get(inputs, [result.type for result in results])
        )
    return module


_UNARY = [
    "abs",
    "exp",
    "log",
    "reciprocal",
    "sqrt",
    "relu",
    "sigmoid",
    "sine",
    "cosine",
    "atan",
    "tanh",
    "erf",
    "identity",
]
_BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "max",
    "min",
    "power",
    "heaviside",
    "remainder",
    "bitwise_and",
    "logical_and",
    "equal",
    "not_equal",
    "greater",
    "less",
    "greater_equal",
    "less_equal",
]


def _unary(op: Make) -> Callable[[Make], Any]:
    return lambda t: op(t(2, 3))


def _binary(op: Make) -> Callable[[Make], Any]:
    return lambda t: op(t(2, 3), t(3))


# Op name without "forge." -> (its use, the type of its first result).
USES: dict[str, tuple[Callable[[Make], Any], str]] = {
    **{name: (_unary(getattr(forge, name)), "2x3xf32") for name in _UNARY},
    **{name: (_binary(getattr(forge, name)), "2x3xf32") for name in _BINARY},
    "parameter": (lambda _: forge.parameter(ir.Type.parse("tensor<4xf32>"), key="w"), "4xf32"),
    "constant": (lambda _: forge.constant(np.arange(6, dtype=np.int64).reshape(2, 3)), "2x3xi64"),
    "scalar_constant": (lambda _: forge.scalar_constant(2.5, ir.BF16Type.get()), "1xbf16"),
    "logical_not": (lambda t: forge.logical_not(t(2, 3)), "2x3xi32"),
    "cast": (lambda t: forge.cast(t(2, 3), ir.F16Type.get()), "2x3xf16"),
    "pow": (lambda t: forge.pow(t(2, 3), 2.0), "2x3xf32"),
    "leaky_relu": (lambda t: forge.leaky_relu(t(2, 3), alpha=0.1), "2x3xf32"),
    "gelu": (lambda t: forge.gelu(t(2, 3), "tanh"), "2x3xf32"),
    "clip": (lambda t: forge.clip(t(2, 3), min=0.0, max=6.0), "2x3xf32"),
    "dropout": (lambda t: forge.dropout(t(2, 3), p=0.5, training=False, seed=0), "2x3xf32"),
    "where": (lambda t: forge.where(t(2, 1), t(2, 3), t(3)), "2x3xf32"),
    "reduce_sum": (lambda t: forge.reduce_sum(t(2, 3), dim=-1, keep_dim=True), "2x1xf32"),
    "reduce_avg": (lambda t: forge.reduce_avg(t(2, 3), dim=0, keep_dim=False), "3xf32"),
    "reduce_max": (lambda t: forge.reduce_max(t(2, 3), dim=1, keep_dim=False), "2xf32"),
    "argmax": (lambda t: forge.argmax(t(2, 3), keep_dim=True, dim=1), "2x1xi32"),
    "cum_sum": (lambda t: forge.cum_sum(t(2, 3), dim=1), "2x3xf32"),
    "transpose": (lambda t: forge.transpose(t(2, 3), dim0=0, dim1=-1), "3x2xf32"),
    "reshape": (lambda t: forge.reshape(t(2, 3), shape=[3, 2, 1]), "3x2x1xf32"),
    "index": (lambda t: forge.index(t(2, 3), dim=-1, start=0, stop=3, stride=2), "2x2xf32"),
    "adv_index": (lambda t: forge.adv_index(t(4, 3), t(2, dtype="i32"), dim=0), "2x3xf32"),
    "select": (lambda t: forge.select(t(2, 4), dim=1, index=[0, 2], stride=4), "2x2xf32"),
    "pad": (lambda t: forge.pad(t(2, 3), pad=[1, 2], mode="constant", value=0.0, channel_last=False), "2x6xf32"),
    "constant_pad": (lambda t: forge.constant_pad(t(2, 3), padding=[0, 0, 1, 1], value=0.0), "2x5xf32"),
    "broadcast": (lambda t: forge.broadcast(t(1, 3), dim=0, shape=4), "4x3xf32"),
    "repeat": (lambda t: forge.repeat(t(2, 3), repeats=[2, 1]), "4x3xf32"),
    "repeat_interleave": (lambda t: forge.repeat_interleave(t(2, 3), repeats=2, dim=1), "2x6xf32"),
    "quotient": (lambda t: forge.quotient(t(2, 3, dtype="i64"), t(3, dtype="i64")), "2x3xi64"),
    "wrap_index": (lambda t: forge.wrap_index(t(2, dtype="i64"), size=9), "2xi64"),
    "unsqueeze": (lambda t: forge.unsqueeze(t(2, 3), dim=0), "1x2x3xf32"),
    "squeeze": (lambda t: forge.squeeze(t(1, 3), dim=0), "3xf32"),
    "pixel_shuffle": (lambda t: forge.pixel_shuffle(t(1, 4, 2, 2), upscale_factor=2), "1x1x4x4xf32"),
    "concatenate": (lambda t: forge.concatenate([t(2, 3), t(4, 3), t(1, 3)], axis=0), "7x3xf32"),
    "stack": (lambda t: forge.stack([t(2, 3), t(2, 3)], axis=0), "2x2x3xf32"),
    "index_copy": (lambda t: forge.index_copy(t(4, 3), t(2, dtype="i32"), t(2, 3), dim=0), "4x3xf32"),
    "embedding": (lambda t: forge.embedding(t(2, 3, dtype="i32"), t(9, 4)), "2x3x4xf32"),
    "matmul": (lambda t: forge.matmul(t(5, 2, 3), t(3, 4), bias=t(4)), "5x2x4xf32"),
    "conv2d": (
        lambda t: forge.conv2d(
            t(1, 3, 8, 8),
            t(4, 3, 3, 3),
            stride=[2, 2],
            padding=[1, 1, 1, 1],
            dilation=[1, 1],
            groups=1,
            channel_last=False,
        ),
        "1x4x4x4xf32",
    ),
    "conv2d_transpose": (
        lambda t: forge.conv2d_transpose(
            t(1, 3, 4, 4),
            t(3, 2, 2, 2),
            stride=[2, 2],
            padding=[0, 0],
            dilation=[1, 1],
            groups=1,
            channel_last=False,
            output_padding=[0, 0],
            bias=t(2),
        ),
        "1x2x8x8xf32",
    ),
    "max_pool1d": (
        lambda t: forge.max_pool1d(
            t(1, 3, 8), kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False, return_indices=False
        ),
        "1x3x4xf32",
    ),
    "max_pool2d": (
        lambda t: forge.max_pool2d(
            t(1, 3, 8, 8),
            kernel_size=[2, 2],
            stride=[2, 2],
            padding=[0, 0, 0, 0],
            dilation=1,
            ceil_mode=False,
            return_indices=False,
            channel_last=False,
        ),
        "1x3x4x4xf32",
    ),
    "avg_pool1d": (
        lambda t: forge.avg_pool1d(
            t(1, 3, 8), kernel_size=8, stride=1, padding=0, ceil_mode=False, count_include_pad=True
        ),
        "1x3x1xf32",
    ),
    "avg_pool2d": (
        lambda t: forge.avg_pool2d(
            t(1, 3, 8, 8),
            kernel_size=[2, 2],
            stride=[2, 2],
            padding=[0, 0, 0, 0],
            ceil_mode=False,
            count_include_pad=True,
            channel_last=False,
        ),
        "1x3x4x4xf32",
    ),
    "resize1d": (
        lambda t: forge.resize1d(t(1, 3, 4), size=8, mode="nearest", align_corners=False, channel_last=False),
        "1x3x8xf32",
    ),
    "resize2d": (
        lambda t: forge.resize2d(t(1, 3, 4, 4), sizes=[8, 8], mode="bilinear", align_corners=False, channel_last=False),
        "1x3x8x8xf32",
    ),
    "upsample2d": (
        lambda t: forge.upsample2d(t(1, 3, 4, 4), scale_factor=[2, 3], mode="nearest", channel_last=False),
        "1x3x8x12xf32",
    ),
    "downsample2d": (
        lambda t: forge.downsample2d(t(1, 3, 4, 4), scale_factor=[2, 4], mode="nearest", channel_last=False),
        "1x3x2x1xf32",
    ),
    "softmax": (lambda t: forge.softmax(t(2, 3), dim=-1, stable=True), "2x3xf32"),
    "log_softmax": (lambda t: forge.log_softmax(t(2, 3), dim=-1, stable=True), "2x3xf32"),
    "layernorm": (lambda t: forge.layernorm(t(2, 3), t(3), t(3), dim=-1, epsilon=1e-5), "2x3xf32"),
    "batchnorm": (lambda t: forge.batchnorm(t(1, 3, 4, 4), t(3), t(3), t(3), t(3), epsilon=1e-5), "1x3x4x4xf32"),
    "fill_cache": (lambda t: forge.fill_cache(t(2, 4, 8, 16), t(1, 4, 3, 16), batch_offset=0), "2x4x8x16xf32"),
    "update_cache": (
        lambda t: forge.update_cache(t(2, 4, 8, 16), t(2, 4, 1, 16), t(2, dtype="i32"), batch_offset=0),
        "2x4x8x16xf32",
    ),
    "split": (lambda t: forge.split(t(10, 4), dim=0, sizes=[2, 3, 5]), "2x4xf32"),
    "strided_slice": (
        lambda t: forge.strided_slice(t(10, 4), axes=[0, 1], begin=[0, -1], end=[100, -5], strides=[3, -2]),
        "4x2xf32",
    ),
}
