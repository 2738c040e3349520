"""Cases of onnxruntime's attention ops and rotary embedding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from onnx import ValueInfoProto

from sample_models.microsoft.case import Array, Case, f, feed_of, i32, model_of, run_onnxruntime

HIDDEN = {"num_heads": 2}
X, W, B = f(2, 3, 8), f(8, 24), f(24)


def with_zero_bias(x: Array, weights: Array, **attributes: Any) -> list[Array]:
    """Computes attention without a bias by a zero bias, since onnxruntime's CPU kernel crashes without one."""
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
    yield case("wrong bias", X, W, B, None, None, f(2, 2, 1, 3), refused="1 or heads, 3, 3), but got (2, 2, 1, 3)")
    yield case("unknown", X, W, B, surprise=1, refused="attribute 'surprise' is not known")
    yield case("uneven present", X, f(8, 28), f(28), present=True, qkv_hidden_sizes=[8, 8, 12],
               refused="present keys and values of different sizes")  # fmt: skip


def heads_of(x: Array, count: int) -> Array:
    return x.reshape(x.shape[0], x.shape[1], count, -1)


def as_unpacked(*inputs: Array, **_: Any) -> list[Array]:
    """Computes MultiHeadAttention with packed operands by separate operands, since onnxruntime's CPU kernel does not
    support packed ones."""
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
    """Heads with a rotary embedding of halves: x (batch, heads, sequence, size)."""
    c, s, n = cosine[positions][:, None], sine[positions][:, None], cosine.shape[1]
    y = x.copy()
    y[..., :n], y[..., n : 2 * n] = x[..., :n] * c - x[..., n : 2 * n] * s, x[..., :n] * s + x[..., n : 2 * n] * c
    return y


def with_norms(*inputs: Array | None, **attributes: Any) -> list[Array]:
    """Computes GroupQueryAttention with normalised heads by normalising the operands first, since onnxruntime's CPU
    kernel has no norms."""

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
        """A case with lengths that are known at compile time, and one with lengths at run time."""
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
    yield case("not smooth", *prompt, smooth_softmax=-1)
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


def families() -> Iterator[Case]:
    for family in (attention, multi_head_attention, group_query_attention, rotary_embedding):
        yield from family()
