"""Models of onnxruntime's ops for quantised models and for those that run on the CPU, each with inputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DOMAIN = "com.microsoft"

FLOAT, BYTE, INT8, INT32, INT64 = (
    TensorProto.FLOAT,
    TensorProto.UINT8,
    TensorProto.INT8,
    TensorProto.INT32,
    TensorProto.INT64,
)
Arrays = dict[str, np.ndarray]

# On processors without VNNI, onnxruntime adds pairs of products of uint8 and int8 in 16 bits: larger weights saturate.
_INT8 = (-63, 64)


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def whole(*shape: int, low: int = 0, high: int = 256, dtype: type = np.uint8, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, size=shape).astype(dtype)


def number(value: float, dtype: type = np.float32) -> np.ndarray:
    return np.array(value, dtype)


def model(
    op: str, inputs: Arrays, constants: Arrays, outputs: int, order: str, kind: int = FLOAT, **attributes: object
) -> tuple[bytes, Arrays]:
    """A model of one node; `order` lists the names of its operands, "_" for an absent one."""
    names = ["" if name == "_" else name for name in order.split()]
    made = [f"y{at}" for at in range(outputs)]
    node = helper.make_node(op, names, made, name="n", domain=DOMAIN, **attributes)
    given = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in inputs.items()
    ]
    results = [helper.make_tensor_value_info(name, kind if at == 0 else FLOAT, None) for at, name in enumerate(made)]
    stored = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph([node], "g", given, results, stored)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString(), inputs


def quantised_lstm(directions: int, per_channel: bool, kind: type) -> tuple[bytes, Arrays]:
    size, hidden, steps = 6, 4, 5
    low, high = _INT8 if kind is np.int8 else (0, 256)
    scales = (directions, 4 * hidden) if per_channel else (directions,)
    constants = {
        "w": whole(directions, size, 4 * hidden, low=low, high=high, dtype=kind),
        "r": whole(directions, hidden, 4 * hidden, low=low, high=high, dtype=kind, seed=2),
        "b": random(directions, 8 * hidden, seed=3),
        "ws": np.abs(random(*scales, seed=4)) / 200,
        "wz": np.zeros(scales, kind) if kind is np.int8 else np.full(scales, 128, kind),
        "rs": np.abs(random(*scales, seed=5)) / 200,
        "rz": np.zeros(scales, kind) if kind is np.int8 else np.full(scales, 127, kind),
    }
    direction = "bidirectional" if directions == 2 else "forward"
    inputs = {"x": random(steps, 1, size)}
    order = "x w r b _ _ _ _ ws wz rs rz"
    return model("DynamicQuantizeLSTM", inputs, constants, 3, order, hidden_size=hidden, direction=direction)


def quantised_gemm(to_bytes: bool, per_column: bool) -> tuple[bytes, Arrays]:
    inputs = {"a": whole(3, 8)}
    columns = (5,) if per_column else ()
    constants = {
        "sa": number(0.02),
        "za": number(120, np.uint8),
        "b": whole(5, 8, low=_INT8[0], high=_INT8[1], dtype=np.int8, seed=2),
        "sb": np.abs(random(*columns, seed=3)).astype(np.float32) / 50,
        "zb": np.zeros(columns, np.int8),
        "c": whole(5, low=-900, high=900, dtype=np.int32, seed=4),
    }
    order = "a sa za b sb zb c"
    if to_bytes:
        constants |= {"sy": number(0.11), "zy": number(100, np.uint8)}
        order += " sy zy"
    kind = BYTE if to_bytes else FLOAT
    return model("QGemm", inputs, constants, 1, order, kind, transB=1, alpha=1.5)


def quantised_where() -> tuple[bytes, Arrays]:
    inputs = {"c": whole(3, 4, high=2).astype(bool), "x": whole(3, 4), "z": whole(3, 4, seed=5)}
    constants = {
        "sx": number(0.02),
        "zx": number(120, np.uint8),
        "sz": number(0.03),
        "zz": number(9, np.uint8),
        "so": number(0.04),
        "zo": number(77, np.uint8),
    }
    return model("QLinearWhere", inputs, constants, 1, "c x sx zx z sz zz so zo", BYTE)


def gathered_blocks() -> tuple[bytes, Arrays]:
    packed = helper.make_tensor("d", TensorProto.UINT4, (6, 32), whole(6, 16).tobytes(), raw=True)
    data, inputs = model(
        "GatherBlockQuantized",
        {"i": whole(2, 3, high=6, dtype=np.int64)},
        {"s": np.abs(random(6, 2))},
        1,
        "d i s",
        block_size=16,
        gather_axis=0,
        quantize_axis=1,
    )
    proto = onnx.ModelProto.FromString(data)
    proto.graph.initializer.append(packed)
    return proto.SerializeToString(), inputs


def pooled_rows() -> tuple[bytes, Arrays]:
    inputs = {"x": whole(1, 6, 6, 3)}
    return model("NhwcMaxPool", inputs, {}, 1, "x", BYTE, kernel_shape=[2, 2], strides=[2, 2])


CONVERTED: dict[str, Callable[[], tuple[bytes, Arrays]]] = {
    "DynamicQuantizeLSTM": lambda: quantised_lstm(1, False, np.int8),
    "DynamicQuantizeLSTM both ways": lambda: quantised_lstm(2, False, np.uint8),
    "DynamicQuantizeLSTM per channel": lambda: quantised_lstm(2, True, np.int8),
    "GatherBlockQuantized of 4-bit integers": gathered_blocks,
    "NhwcMaxPool": pooled_rows,
    "QGemm": lambda: quantised_gemm(True, False),
    "QGemm per column": lambda: quantised_gemm(True, True),
    "QGemm to float": lambda: quantised_gemm(False, True),
    "QLinearWhere": quantised_where,
}


def quantised_attention() -> tuple[bytes, Arrays]:
    hidden = 8
    constants = {
        "w": whole(hidden, 3 * hidden, low=-127, high=128, dtype=np.int8, seed=2),
        "b": random(3 * hidden, seed=3),
        "sx": number(0.02),
        "sw": number(0.01),
        "m": np.ones((2, 5), np.int32),
        "zx": number(128, np.uint8),
        "zw": number(0, np.int8),
    }
    return model("QAttention", {"x": whole(2, 5, hidden)}, constants, 1, "x w b sx sw m zx zw", num_heads=2)


def quantised_embedding() -> tuple[bytes, Arrays]:
    tables = {f"t{at}": whole(rows, 8, seed=at) for at, rows in enumerate((20, 10, 2))}
    norms = {"g": whole(8, seed=5), "h": whole(8, seed=6)}
    scales = {f"s{at}": number(0.01 * (at + 1)) for at in range(5)}
    zeros = {f"z{at}": number(120 + at, np.uint8) for at in range(5)}
    inputs = {"i": whole(2, 5, high=20, dtype=np.int32), "j": whole(2, 5, high=2, dtype=np.int32)}
    order = "i j t0 t1 t2 g h _ s0 s1 s2 s3 s4 z0 z1 z2 z3 z4"
    data, inputs = model("QEmbedLayerNormalization", inputs, {**tables, **norms, **scales, **zeros}, 2, order)
    proto = onnx.ModelProto.FromString(data)
    proto.graph.output[1].type.tensor_type.elem_type = INT32
    return proto.SerializeToString(), inputs


def experts() -> tuple[bytes, Arrays]:
    inputs = {"x": random(5, 8), "p": random(5, 3, seed=1)}
    constants = {"w": random(3, 16, 8, seed=2), "v": random(3, 8, 16, seed=3)}
    return model("MoE", inputs, constants, 1, "x p w _ v", k=2, activation_type="relu", normalize_routing_weights=1)


def pooled_means() -> tuple[bytes, Arrays]:
    scales = {"sx": number(0.02), "zx": number(3, np.uint8), "sy": number(0.03), "zy": number(5, np.uint8)}
    return model("QLinearAveragePool", {"x": whole(1, 2, 6, 6)}, scales, 1, "x sx zx sy zy", BYTE, kernel_shape=[2, 2])


def four_bits() -> tuple[bytes, Arrays]:
    rows, columns, block = 32, 8, 16
    constants = {"b": whole(rows * columns // 2), "a": np.abs(random(rows * columns // block))}
    sizes = {"K": rows, "N": columns, "block_size": block, "quant_type": 1}
    return model("MatMulBnb4", {"x": random(3, rows)}, constants, 1, "x b a", **sizes)


ON_CPU: dict[str, Callable[[], tuple[bytes, Arrays]]] = {
    "MatMulBnb4": four_bits,
    "MoE": experts,
    "QAttention": quantised_attention,
    "QEmbedLayerNormalization": quantised_embedding,
    "QLinearAveragePool": pooled_means,
}
