"""onnxruntime's own ops against onnxruntime: every case is run by both, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
from onnx import ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper

import forge_mlir
from forge_mlir.errors import ForgeError

Array = npt.NDArray[Any]
Reference = Callable[..., list[Array]]
MICROSOFT = "com.microsoft"

_draw = np.random.default_rng(0)


def f(*shape: int) -> Array:
    return _draw.standard_normal(shape).astype(np.float32)


def i32(*values: Any) -> Array:
    return np.array(values[0] if len(values) == 1 else values, np.int32)


def u8(*shape: int) -> Array:
    return _draw.integers(0, 256, shape).astype(np.uint8)


@dataclass(frozen=True)
class Case:
    """One node. `fixed` are the operands that are initializers; `outputs` are names, "" for one left out.

    `reference` computes what onnxruntime has no kernel for. `refused` is a part of the reason of a refusal.
    """

    op: str
    about: str
    inputs: tuple[Array | None, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: tuple[str, ...] = ("y",)
    fixed: tuple[int, ...] = ()
    domain: str = MICROSOFT
    opset: int = 17
    reference: Reference | None = None
    refused: str = ""

    def name(self) -> str:
        return f"{self.op}-{self.about}".replace(" ", "_")


def model_of(case: Case, outputs: list[ValueInfoProto], tail: list[NodeProto] | None = None) -> ModelProto:
    names = ["" if value is None else f"x{i}" for i, value in enumerate(case.inputs)]
    node = helper.make_node(case.op, names, case.outputs, domain=case.domain, **case.attributes)
    inputs = [
        helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for i, value in enumerate(case.inputs)
        if value is not None and i not in case.fixed
    ]
    fixed = [numpy_helper.from_array(value, f"x{i}") for i in case.fixed if (value := case.inputs[i]) is not None]
    graph = helper.make_graph([node, *(tail or [])], "g", inputs, outputs, fixed)
    opsets = [helper.make_opsetid("", case.opset)]
    if case.domain:
        opsets.append(helper.make_opsetid(case.domain, 1))
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def feed_of(case: Case) -> dict[str, Array]:
    return {f"x{i}": x for i, x in enumerate(case.inputs) if x is not None and i not in case.fixed}


def run_onnxruntime(model: ModelProto, feed: dict[str, Array]) -> list[Array]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, feed))


def typed(names: list[str], values: list[Array]) -> list[ValueInfoProto]:
    return [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in zip(names, values, strict=True)
    ]


def check(got: dict[str, Array], names: list[str], expected: list[Array]) -> None:
    for name, value in zip(names, expected, strict=True):
        assert got[name].dtype == value.dtype, name
        assert got[name].shape == value.shape, name
        np.testing.assert_allclose(
            got[name].astype(np.float64), value.astype(np.float64), rtol=1e-4, atol=1e-4, err_msg=name
        )


HIDDEN = {"num_heads": 2}
X, W, B = f(2, 3, 8), f(8, 24), f(24)


def with_zero_bias(x: Array, weights: Array, **attributes: Any) -> list[Array]:
    """Attention without a bias: onnxruntime's CPU kernel crashes."""
    case = Case("Attention", "", (x, weights, np.zeros(weights.shape[1], np.float32)), attributes)
    return run_onnxruntime(model_of(case, [ValueInfoProto(name="y")]), feed_of(case))


def attention() -> Iterator[Case]:
    def case(about: str, *inputs: Array | None, present: bool = False, refused: str = "", **more: Any) -> Case:
        outputs = ("y", "present") if present else ("y",)
        reference = more.pop("reference", None)
        attributes = {"num_heads": 2, **more}
        return Case("Attention", about, inputs, attributes, outputs, (1,), reference=reference, refused=refused)

    past, more = f(2, 2, 2, 2, 4), i32([[1, 1, 1, 0, 1], [0, 1, 1, 1, 1]])
    keys = i32([[1, 1, 0], [0, 1, 1]])
    yield case("plain", X, W, B)
    yield case("no bias", X, W, reference=with_zero_bias)
    yield case("scale", X, W, B, scale=0.3)
    yield case("present", X, W, B, present=True)
    yield case("lengths", X, W, B, i32(2, 3))
    yield case("keys", X, W, B, keys)
    yield case("keys per query", X, W, B, i32(np.tril(np.ones((2, 3, 3)))))
    yield case("filter value", X, W, B, keys, mask_filter_value=-2.0)
    yield case("unidirectional", X, W, B, unidirectional=1)
    yield case("unidirectional keys", X, W, B, keys, unidirectional=1)
    yield case(
        "unidirectional lowest filter", X, W, B, keys, unidirectional=1, mask_filter_value=-3.4028234663852886e38
    )
    yield case("unidirectional lengths", X, W, B, i32(2, 3), unidirectional=1)
    yield case("unidirectional keys per query", X, W, B, i32([[[1, 0, 1]] * 3] * 2), unidirectional=1)
    yield case("past", X, W, B, None, past, present=True)
    yield case("past unidirectional", X, W, B, None, past, present=True, unidirectional=1)
    yield case("past unidirectional keys", X, W, B, more, past, present=True, unidirectional=1)
    yield case("past lengths", X, W, B, i32(4, 5), past, present=True)
    yield case("one query", X[:, :1], W, B, None, past, present=True, unidirectional=1)
    yield case("bias", X, W, B, None, None, f(2, 2, 3, 3))
    yield case("bias for all", X, W, B, keys, None, f(1, 1, 3, 3), unidirectional=1)
    yield case("sizes", X, f(8, 8 + 8 + 12), f(28), qkv_hidden_sizes=[8, 8, 12])
    yield case("mask of starts", X, W, B, i32(2, 3, 0, 0), refused="expected a mask of shape (2), (2, 3) or (2, 3, 3)")
    yield case("packed mask", X, W, B, i32(np.ones(8)), refused="(2, 3, 3), but got (8)")
    yield case("mask of rank 4", X, W, B, i32(np.ones((2, 1, 8, 8))), refused="but got (2, 1, 8, 8)")
    yield case("rotary", X, W, B, do_rotary=1, refused="attribute 'do_rotary' is not supported")
    yield case(
        "shared", X, W, B, None, past, past_present_share_buffer=1, refused="a buffer that past and present share"
    )
    yield case("negative scale", X, W, B, scale=-1.0, refused="attribute 'scale' is negative")
    yield case("no heads", X, W, B, num_heads=0, refused="attribute 'num_heads' must be positive, but is 0")
    yield case("wrong sizes", X, W, B, qkv_hidden_sizes=[8, 8, 12], refused="24 columns for (8, 8, 12)")
    yield case("wrong past", X, W, B, None, f(2, 2, 2, 2, 3), refused="of shape (2, 2, 2, 4), but got (2, 2, 2, 3)")
    yield case("wrong bias", X, W, B, None, None, f(2, 2, 1, 3), refused="(2, 2, 3, 3) in its first two dims")
    yield case("unknown", X, W, B, surprise=1, refused="attribute 'surprise' is not known")
    yield case("uneven present", X, f(8, 28), f(28), present=True, qkv_hidden_sizes=[8, 8, 12],
               refused="present keys and values of different sizes")  # fmt: skip


def heads_of(x: Array, count: int) -> Array:
    return x.reshape(x.shape[0], x.shape[1], count, -1)


def as_unpacked(*inputs: Array, **_: Any) -> list[Array]:
    """MultiHeadAttention of packed operands by that of plain ones: onnxruntime's CPU kernel has no packed ones."""
    flat = [x.reshape(x.shape[0], x.shape[1], -1) for x in inputs[:1]]
    packed = [x for x in inputs if x.ndim == 5]
    parts = [packed[0][:, :, :, i].reshape(*packed[0].shape[:2], -1) for i in range(packed[0].shape[3])]
    plain = Case("MultiHeadAttention", "", tuple(parts if len(parts) == 3 else flat + parts), HIDDEN)
    return run_onnxruntime(model_of(plain, [ValueInfoProto(name="y")]), feed_of(plain))


def multi_head_attention() -> Iterator[Case]:
    def case(about: str, *inputs: Array | None, present: bool = False, refused: str = "", **more: Any) -> Case:
        outputs = ("y", "key", "value") if present else ("y",)
        reference = more.pop("reference", None)
        attributes = {"num_heads": 2, **more}
        return Case("MultiHeadAttention", about, inputs, attributes, outputs, reference=reference, refused=refused)

    q, k, v = f(2, 3, 8), f(2, 5, 8), f(2, 5, 8)
    k4, v4, past, pastv = f(2, 2, 5, 4), f(2, 2, 5, 4), f(2, 2, 2, 4), f(2, 2, 2, 4)
    keys = i32([[1, 1, 0, 1, 1], [0, 1, 1, 1, 1]])
    yield case("plain", q, k, v)
    yield case("scale", q, k, v, scale=0.2)
    yield case("wide values", q, k, f(2, 5, 12))
    yield case("bias", q, k, v, f(24), present=True)
    yield case("present", q, k, v, present=True)
    yield case("keys", q, k, v, None, keys)
    yield case("lengths", q, k, v, None, i32(4, 2))
    yield case("keys per query", q, k, v, None, np.tile(keys[:, None], (1, 3, 1)))
    yield case("filter value", q, k, v, None, keys, mask_filter_value=-3.0)
    yield case("attention bias", q, k, v, None, None, f(1, 2, 3, 5))
    yield case("attention bias and keys", q, k, v, f(24), keys, f(2, 1, 3, 5))
    yield case("unidirectional", q, q, q, unidirectional=1)
    yield case("past", q, q, q, None, None, None, past, pastv, present=True)
    yield case("past unidirectional keys", q, q, q, None, keys, None, past, pastv, present=True, unidirectional=1)
    yield case("past of another length", q, k, v, None, None, None, past, pastv, present=True)
    yield case("by heads", q, k4, v4)
    yield case("by heads bias", q, k4, v4, f(24), keys, present=True)
    yield case("packed", f(2, 3, 2, 3, 4), reference=as_unpacked)
    yield case("packed keys", q, f(2, 5, 2, 2, 4), reference=as_unpacked)
    yield case(
        "unidirectional cross", q, k, v, unidirectional=1, refused="as many new keys as queries, 3, but there are 5"
    )
    yield case("shared", q, q, q, None, None, None, past, pastv, i32([1]), refused="or beams, are not supported")
    yield case("mask of starts", q, k, v, None, i32(1, 2, 0, 0), refused="a mask of shape (2), (2, 5) or (2, 3, 5)")
    yield case("packed mask", q, k, v, None, i32(np.ones(8)), refused="but got (8)")
    yield case("key only", q, k, refused="query, key and value of ranks 3, 3 and 0 are not supported")
    yield case("wrong packing", q, f(2, 5, 2, 3, 4), refused="(batch, sequence, 2, 2, size), but got (2, 5, 2, 3, 4)")
    yield case("wrong heads", q, k, v, num_heads=3, refused="an operand does not split into 3 heads")
    yield case("wrong bias", q, k, v, f(20), refused="expected a bias of 24 values, but got shape (20)")
    yield case("past key only", q, q, q, None, None, None, past, refused="past key and past value come together")


def turned(x: Array, cosine: Array, sine: Array, positions: Array) -> Array:
    """Rotated heads: x (batch, heads, sequence, size), halves."""
    c, s, n = cosine[positions][:, None], sine[positions][:, None], cosine.shape[1]
    y = x.copy()
    y[..., :n], y[..., n : 2 * n] = x[..., :n] * c - x[..., n : 2 * n] * s, x[..., :n] * s + x[..., n : 2 * n] * c
    return y


def with_norms(*inputs: Array | None, **attributes: Any) -> list[Array]:
    """GroupQueryAttention with normalised heads by that of plain ones: onnxruntime's CPU kernel has no norms."""

    def normal(x: Array | None, weight: Array | None, count: int) -> Array:
        assert x is not None
        assert weight is not None
        heads = heads_of(x, count)
        normal = heads / np.sqrt((heads**2).mean(-1, keepdims=True) + 0.01) * weight
        return np.asarray(normal.reshape(x.shape), np.float32)

    epsilon = attributes.pop("qk_norm_epsilon")
    assert epsilon == pytest.approx(0.01)
    plain = (normal(inputs[0], inputs[14], 2), normal(inputs[1], inputs[15], 1), *inputs[2:14])
    case = Case("GroupQueryAttention", "", plain, attributes, ("y", "key", "value"))
    return run_onnxruntime(model_of(case, [ValueInfoProto(name=name) for name in case.outputs]), feed_of(case))


def group_query_attention() -> Iterator[Case]:
    def case(about: str, *inputs: Array | None, fixed: tuple[int, ...] = (6,), refused: str = "", **more: Any) -> Case:
        reference = more.pop("reference", None)
        attributes = {"num_heads": 2, "kv_num_heads": 1, **more}
        outputs = ("y", "key", "value")
        return Case(
            "GroupQueryAttention", about, inputs, attributes, outputs, fixed, reference=reference, refused=refused
        )

    def both(about: str, *inputs: Array | None, **more: Any) -> Iterator[Case]:
        """With lengths that are known, and with lengths that are not."""
        yield case(about, *inputs, fixed=(5, 6), **more)
        yield case(f"{about} at run time", *inputs, **more)

    q, k, v = f(2, 5, 32), f(2, 5, 16), f(2, 5, 16)
    one = q[:, :1], k[:, :1], v[:, :1]
    past = f(2, 1, 3, 16), f(2, 1, 3, 16)
    buffer = f(2, 1, 7, 16), f(2, 1, 7, 16)
    full, total = i32(4, 4), i32([5])
    caches = f(12, 8), f(12, 8)
    rotary: dict[str, Any] = {"do_rotary": 1}
    prompt = q, k, v, None, None, full, total
    step = *one, *past, i32(3, 3), i32([4])
    ragged = *one, *past, i32(3, 2), i32([4])
    yield from both("prompt", *prompt)
    yield from both("padded prompt", q, k, v, None, None, i32(4, 2), total)
    yield from both("prompt into a buffer", q, k, v, *buffer, full, total)
    yield from both("step", *step)
    yield from both("ragged step", *ragged)
    yield from both("step in a buffer", *one, *buffer, i32(4, 4), total)
    yield from both("ragged step in a buffer", *one, *buffer, i32(4, 1), total)
    yield from both("several steps", *(x[:1] for x in (q, k, v, *past)), i32([7]), i32([8]))
    yield from both(
        "several steps in a buffer", *(x[:1, :2] for x in (q, k, v)), *(x[:1] for x in buffer), i32([4]), total
    )
    yield from both("window", *prompt, local_window_size=2)
    yield from both("padded window", q, k, v, None, None, i32(4, 1), total, local_window_size=2)
    yield from both("ragged window", *ragged, local_window_size=2)
    yield from both("window of one", *prompt, local_window_size=1)
    yield from both("bidirectional", *prompt, causal=0)
    yield from both("padded bidirectional", q, k, v, None, None, i32(4, 2), total, causal=0)
    yield case("packed", np.concatenate([q, k, v], 2), None, None, None, None, full, total)
    yield case("scale", *prompt, scale=0.1)
    yield case("softcap", *prompt, softcap=0.7)
    yield case("bias", *prompt, None, None, None, f(2, 1, 5, 5), softcap=0.7)
    yield case("bias in a buffer", *one, *buffer, i32(4, 1), total, None, None, None, f(1, 2, 1, 5))
    yield case("smooth", *prompt, smooth_softmax=1)
    yield case("sink", *ragged, None, None, None, None, f(2))
    yield case("smooth window", *prompt, local_window_size=2, smooth_softmax=1)
    yield case("norms", *prompt, *(None,) * 7, f(16), f(16), qk_norm_epsilon=0.01, reference=with_norms)
    for interleaved in (0, 1):
        kind: dict[str, Any] = {**rotary, "rotary_interleaved": interleaved}
        yield from both(f"rotary {interleaved}", *prompt, *caches, **kind)
        yield from both(f"rotary step {interleaved}", *ragged, *caches, **kind)
    yield case("rotary norms", *prompt, *caches, *(None,) * 5, f(16), f(16), qk_norm_epsilon=0.01, **rotary,
               reference=with_norms)  # fmt: skip
    ids = np.array([[3, 5, 2, 7, 1], [1, 2, 3, 4, 5]])
    yield case("rotary positions", *prompt, *caches, ids, **rotary)
    yield case("rotary step positions", *ragged, *caches, ids[:, :1], **rotary)
    yield case(
        "rotary steps positions", *(x[:1] for x in (q, k, v, *past)), i32([7]), i32([8]), *caches, ids[:1], **rotary
    )
    yield case("rotary packed", np.concatenate([q, k, v], 2), None, None, None, None, full, total, *caches, **rotary)
    yield case(
        "rotary part", f(2, 5, 64), f(2, 5, 32), f(2, 5, 32), None, None, full, total, f(12, 8), f(12, 8), **rotary
    )
    yield case("positions without rotary", *prompt, *caches, ids)
    yield case("total at run time", *prompt, fixed=(), refused="the total sequence length (input 6) must be known")
    yield case("wrong total", *one, *past, i32(4, 4), total, refused="5 does not fit 1 new keys and 3 past ones")
    yield case("wrong lengths", *one, *past, i32(9, 9), i32([4]), fixed=(5, 6), refused="keys of length 10 do not fit")
    yield case("quantised", *step, k_quant_type="PER_TENSOR", refused="a quantised cache is not supported")
    yield case("window of none", *prompt, local_window_size=0, refused="must be -1, or positive in causal attention")
    yield case("window both ways", *prompt, local_window_size=2, causal=0, refused="must be -1, or positive")
    yield case("sliding", *step, sliding_window_cache=1, refused="a cache of the size of the window")
    yield case("scores", *prompt, qk_output=1, refused="the output of the scores (attribute 'qk_output')")
    yield case("uneven heads", *prompt, num_heads=2, kv_num_heads=4, refused="'kv_num_heads' divides, but got 2 and 4")
    yield case("no caches", *prompt, **rotary, refused="input 7 is missing")
    yield case("short caches", *prompt, f(3, 8), f(3, 8), **rotary, refused="expected caches of 5 or more rows")
    yield case(
        "wrong bias", *prompt, None, None, None, f(1, 1, 5, 4), refused="1 or heads, 5, 5), but got (1, 1, 5, 4)"
    )
    yield case("wrong sink", *prompt, None, None, None, None, f(3), refused="expected one sink per head, 2, but got")
    yield case("one norm", *prompt, *(None,) * 7, f(16), refused="norms of queries and keys come together")
    yield case("key only", q, k, None, None, None, full, total, refused="keys and values come together")


def rotary_embedding() -> Iterator[Case]:
    def case(about: str, *inputs: Array, fixed: tuple[int, ...] = (2, 3), refused: str = "", **attributes: Any) -> Case:
        return Case("RotaryEmbedding", about, inputs, attributes, ("y",), fixed, refused=refused)

    x, heads, caches = f(2, 3, 16), f(2, 2, 3, 8), (f(12, 4), f(12, 4))
    start, ids = np.array([2]), np.array([[1, 3, 2], [5, 11, 0]])
    for interleaved in (0, 1):
        yield case(f"start {interleaved}", x, start, *caches, interleaved=interleaved)
        yield case(f"ids {interleaved}", x, ids, *caches, interleaved=interleaved)
        yield case(f"by heads {interleaved}", heads, ids, *caches, interleaved=interleaved)
    yield case("known", x, start, *caches, fixed=(1, 2, 3))
    yield case("heads", x, start, *caches, num_heads=2)
    yield case("part", x, start, *caches, num_heads=1, rotary_embedding_dim=8)
    yield case("part by heads", f(2, 2, 3, 16), ids, *caches, num_heads=2, rotary_embedding_dim=8)
    yield case("scale", x, start, *caches, scale=2.0, refused="attribute 'scale' must be 1")
    yield case("packed", x, start, *caches, is_packed_batching=1, refused="'is_packed_batching') are not supported")
    yield case("part without heads", x, start, *caches, rotary_embedding_dim=8, refused="needs 'num_heads'")
    yield case(
        "wrong positions", x, ids[:, :2], *caches, refused="expected positions of shape (1) or (2, 3), but got (2, 2)"
    )
    yield case("wrong caches", x, start, *caches, num_heads=1, refused="the 16 rotated ones of a head of 16, but got 4")


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
    """onnxruntime has it for other devices only."""
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
    sizes = {"K": k, "N": n, "bits": 4, "block_size": block}
    x, weights, scales, zeros = f(2, k), u8(n, blocks, 8), f(n, blocks) * 0.1, u8(n, 2)
    groups = i32(np.arange(48)[::-1] // 16)
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
    yield Case(op, "signed", (x, y.view(np.int8), scales[0], np.array(3, np.int8), bias))
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


CASES = [
    case
    for family in (attention, multi_head_attention, group_query_attention, rotary_embedding, norms,
                   embed_layer_normalization, group_norms, products, fused, quantised)
    for case in family()
]  # fmt: skip


@pytest.mark.parametrize("case", [case for case in CASES if not case.refused], ids=Case.name)
def test_agrees_with_onnxruntime(case: Case, tmp_path: Path) -> None:
    names = [name for name in case.outputs if name]
    if case.reference is None:
        untyped = [ValueInfoProto(name=name) for name in names]
        expected = run_onnxruntime(model_of(case, untyped), feed_of(case))
    else:
        expected = case.reference(*case.inputs, **case.attributes)
    artifact = forge_mlir.compile(model_of(case, typed(names, expected)), tmp_path)
    check(forge_mlir.run(artifact, feed_of(case)), names, expected)


@pytest.mark.parametrize("case", [case for case in CASES if case.refused], ids=Case.name)
def test_is_refused(case: Case, tmp_path: Path) -> None:
    names = [name for name in case.outputs if name]
    outputs = [helper.make_tensor_value_info(name, 1, None) for name in names]
    with pytest.raises(ForgeError) as caught:
        forge_mlir.compile(model_of(case, outputs), tmp_path)
    messages = [diagnostic.message for diagnostic in caught.value.diagnostics]
    assert any(case.refused in message for message in messages), messages


def test_types_behind_a_node_that_onnx_does_not_know(tmp_path: Path) -> None:
    """Shape inference stops at such nodes; what follows is converted all the same, in the default domain too."""
    tail = [
        helper.make_node("Shape", ["y"], ["shape"]),
        helper.make_node("Reshape", ["z", "shape"], ["r"]),
        helper.make_node("SimplifiedLayerNormalization", ["r", "x2"], ["n"]),
        helper.make_node("Softmax", ["n"], ["s"]),
        helper.make_node("Transpose", ["y"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["s", "t"], ["out"]),
    ]
    flat = helper.make_node("Flatten", ["y"], ["z"])
    case = Case("SkipSimplifiedLayerNormalization", "tail", (f(2, 3, 4), f(2, 3, 4), f(4)))
    for opset in (12, 17):
        case = replace(case, opset=opset)
        expected = run_onnxruntime(model_of(case, [ValueInfoProto(name="out")], [flat, *tail]), feed_of(case))
        artifact = forge_mlir.compile(model_of(case, typed(["out"], expected), [flat, *tail]), tmp_path / str(opset))
        check(forge_mlir.run(artifact, feed_of(case)), ["out"], expected)


def test_every_converter_has_a_case() -> None:
    from forge_mlir import _native

    known = {op for domain, op, _ in _native.registered_ops() if domain == MICROSOFT}
    assert known == {case.op for case in CASES if case.domain == MICROSOFT}
