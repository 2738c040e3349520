"""Models with splits and slices: attention with fused projections, channels, and small programs for each rewrite."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, numpy_helper, parser


def random_weights(model: ModelProto, **shapes: tuple[int, ...]) -> ModelProto:
    """Adds initializers of these shapes, among them large ones."""
    generator = np.random.default_rng(7)
    for name, shape in shapes.items():
        scale = 1 / np.sqrt(shape[0]) if len(shape) > 1 else 0.1
        values = (scale * generator.standard_normal(shape)).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(values, name))
    return model


def attention(length: int, heads: int, size: int, split: str, transposed: bool = False) -> ModelProto:
    """Attention with one projection with a bias for queries, keys and values, and heads of `size`."""
    width = heads * size
    if transposed:
        product = "fused2 = Gemm<transB=1>(flat, wqkv, bqkv)"
    else:
        product = "fused1 = MatMul(flat, wqkv)\n fused2 = Add(bqkv, fused1)"
    model = parser.parse_model(f"""
<ir_version: 8, opset_import: ["" : 17]>
attention (float[1,{length},{width}] x) => (float[1,{length},{width}] y)
<int64[2] two = {{{length}, {width}}}, int64[3] three = {{1, {length}, {3 * width}}}, int64[3] sizes = {{{split}}},
 int64[4] heads = {{1, {length}, {heads}, {size}}}, int64[3] whole = {{1, {length}, {width}}},
 float scale = {{0.25}}> {{
  flat = Reshape(x, two)
  {product}
  fused = Reshape(fused2, three)
  q, k, v = Split<axis = -1>(fused, sizes)
  q1 = Reshape(q, heads)
  k1 = Reshape(k, heads)
  v1 = Reshape(v, heads)
  q2 = Transpose<perm = [0, 2, 1, 3]>(q1)
  k2 = Transpose<perm = [0, 2, 3, 1]>(k1)
  v2 = Transpose<perm = [0, 2, 1, 3]>(v1)
  q3 = Mul(q2, scale)
  scores = MatMul(q3, k2)
  probs = Softmax<axis = -1>(scores)
  mixed = MatMul(probs, v2)
  back = Transpose<perm = [0, 2, 1, 3]>(mixed)
  joined = Reshape(back, whole)
  y = MatMul(joined, wo)
}}""")
    shape = (3 * width, width) if transposed else (width, 3 * width)
    return random_weights(model, wqkv=shape, bqkv=(3 * width,), wo=(width, width))


def timm_attention(length: int, heads: int, size: int) -> ModelProto:
    """The fused QKV of timm: one reshape and one transpose for all three, which are then indexed along the leading
    axis."""
    width = heads * size
    return simple(
        """
        fused1 = MatMul(x, wqkv)
        fused2 = Add(bqkv, fused1)
        fused = Reshape(fused2, five)
        moved = Transpose<perm = [2, 0, 3, 1, 4]>(fused)
        q = Gather<axis = 0>(moved, first)
        k = Gather<axis = 0>(moved, second)
        v = Gather<axis = 0>(moved, third)
        q1 = Mul(q, scale)
        k1 = Transpose<perm = [0, 1, 3, 2]>(k)
        scores = MatMul(q1, k1)
        probs = Softmax<axis = -1>(scores)
        mixed = MatMul(probs, v)
        back = Transpose<perm = [0, 2, 1, 3]>(mixed)
        joined = Reshape(back, whole)
        y = MatMul(joined, wo)
        """,
        f"(float[1,{length},{width}] x) => (float[1,{length},{width}] y) "
        f"<int64[5] five = {{1,{length},3,{heads},{size}}}, int64 first = {{0}}, int64 second = {{1}}, "
        f"int64 third = {{2}}, int64[3] whole = {{1,{length},{width}}}, "
        "float scale = {0.25}>",
        wqkv=(width, 3 * width),
        bqkv=(3 * width,),
        wo=(width, width),
    )


def simple(body: str, shapes: str, **weights: tuple[int, ...]) -> ModelProto:
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 18]>\ng {shapes} {{ {body} }}')
    return random_weights(model, **weights)


HALVES = "(float[1,128,160] x) => (float[1,128,{0}] y) <int64[2] sizes = {{80, 80}}>"

# (the model, the rules that must be applied).
PROGRAMS = {
    "heads of 24": (attention(128, 4, 24, "96, 96, 96"), ["split-weights"]),
    "heads of 24, transposed weight": (attention(128, 4, 24, "96, 96, 96", transposed=True), ["split-weights"]),
    "heads of 80": (attention(256, 2, 80, "160, 160, 160"), ["pad-weights"]),
    "heads of 80, transposed weight": (attention(256, 2, 80, "160, 160, 160", transposed=True), ["pad-weights"]),
    "heads of 64": (attention(64, 2, 64, "128, 128, 128"), []),
    "12 heads of 64, as in GPT-2": (attention(64, 12, 64, "768, 768, 768"), []),
    "12 heads of 64, as in ViT-B": (attention(197, 12, 64, "768, 768, 768"), []),
    "3 heads of 64, as timm writes it": (timm_attention(197, 3, 64), []),
    "window": (
        simple(
            "a, b, c, d = Split<axis=2, num_outputs=4>(x)\n y = Concat<axis=0>(a, d, c, b)",
            "(float[1,64,320] x) => (float[4,64,80] y)",
        ),
        ["window"],
    ),
    "hoist through reshape": (
        simple(
            "r = Reshape(x, s)\n a, b = Split<axis=2, num_outputs=2>(r)\n y = Sub(b, a)",
            "(float[1,64,384] x) => (float[1,64,3,64] y) <int64[4] s = {1,64,6,64}>",
        ),
        ["hoist"],
    ),
    "hoist through transpose": (
        simple(
            "r = Transpose<perm=[0,2,1,3]>(x)\n a, b = Split<axis=2, num_outputs=2>(r)\n y = Sub(b, a)",
            "(float[1,6,64,64] x) => (float[1,64,3,64] y)",
        ),
        ["hoist"],
    ),
    "inner digit": (
        simple(
            "r = Reshape(x, s)\n a, b = Split<axis=3, num_outputs=2>(r)\n c = Squeeze(a, l)\n d = Squeeze(b, l)\n"
            "y = Sub(c, d)",
            "(float[1,64,128] x) => (float[1,64,64] y) <int64[4] s = {1,64,64,2}, int64[1] l = {3}>",
        ),
        ["hoist"],
    ),
    "C2f": (
        simple(
            "c = Conv(x, w)\n a, b = Split<axis=1, num_outputs=2>(c)\n d = Relu(b)\n y = Concat<axis=1>(a, b, d)",
            "(float[1,3,64,64] x) => (float[1,48,64,64] y)",
            w=(32, 3, 1, 1),
        ),
        [],
    ),
    "C2f of YOLOv8": (
        simple(
            """
            c = Conv<pads = [1,1,1,1]>(x, w)
            s1 = Sigmoid(c)
            m1 = Mul(c, s1)
            a, b = Split<axis=1, num_outputs=2>(m1)
            d = Conv<pads = [1,1,1,1]>(b, w1)
            s2 = Sigmoid(d)
            m2 = Mul(d, s2)
            e = Add(b, m2)
            j = Concat<axis=1>(a, b, e)
            y = Conv(j, w2)
            """,
            "(float[1,3,40,40] x) => (float[1,32,40,40] y)",
            w=(32, 3, 3, 3),
            w1=(16, 16, 3, 3),
            w2=(32, 48, 1, 1),
        ),
        [],
    ),
    "halves of channels that are last": (
        simple(
            "a, b = Split<axis=3, num_outputs=2>(x)\n c = Transpose<perm=[0,3,1,2]>(a)\n"
            "d = Transpose<perm=[0,3,1,2]>(b)\n e = Conv(c, w)\n y = Sub(d, e)",
            "(float[1,28,28,116] x) => (float[1,58,28,28] y)",
            w=(58, 58, 1, 1),
        ),
        ["sink"],
    ),
    "rows that become batches": (
        simple(
            "a, b = Split<axis=0>(x, sizes)\n c = Reshape(a, two)\n d = Reshape(b, three)\n y = MatMul(c, w)\n"
            "z = MatMul(d, w)",
            "(float[100,64] x) => (float[2,20,32] y, float[3,20,32] z) <int64[2] sizes = {40, 60}, "
            "int64[3] two = {2, 20, 64}, int64[3] three = {3, 20, 64}>",
            w=(64, 32),
        ),
        ["sink"],
    ),
    "a block diagonal product": (
        simple(
            "r = Relu(x)\n a, b, c, d = Split<axis=2>(r, sizes)\n e = MatMul(a, w0)\n f = MatMul(b, w1)\n"
            "g = MatMul(c, w2)\n h = MatMul(d, w3)\n y = Concat<axis=2>(e, f, g, h)",
            "(float[1,256,320] x) => (float[1,256,128] y) <int64[4] sizes = {80, 80, 80, 80}>",
            **{f"w{i}": (80, 32) for i in range(4)},
        ),
        ["regroup"],
    ),
    "a block diagonal product of uneven blocks": (
        simple(
            "a, b, c = Split<axis=2>(x, sizes)\n d = Tanh(a)\n e = Tanh(b)\n f = Tanh(c)\n g = MatMul(d, w0)\n"
            "h = MatMul(e, w1)\n i = MatMul(f, w2)\n y = Sum(g, h, i)",
            "(float[1,256,85] x) => (float[1,256,64] y) <int64[3] sizes = {4, 1, 80}>",
            w0=(4, 64),
            w1=(1, 64),
            w2=(80, 64),
        ),
        ["regroup"],
    ),
    "joined again": (
        simple(
            "a, b = Split<axis=2>(x, sizes)\n c = Relu(a)\n d = Relu(b)\n y = Concat<axis=2>(c, d)", HALVES.format(160)
        ),
        [],
    ),
    "joined in another order": (
        simple(
            "a, b = Split<axis=2>(x, sizes)\n c = Relu(a)\n d = Relu(b)\n y = Concat<axis=2>(d, c)", HALVES.format(160)
        ),
        [],
    ),
}
