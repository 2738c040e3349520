"""The models whose programs are changed: those of the repository, and small ones with ops that these do not have."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from onnx.backend.test import loader

REPOSITORY = Path(__file__).resolve().parents[2]
STORED = ("gpt2_block", "bert", "llama", "vit", "swin", "resnet18", "unet", "yolov8", "lstm", "resnet18_qdq")
_FLOAT, _INT = TensorProto.FLOAT, TensorProto.INT64


def stored() -> dict[str, Path]:
    """Models of the repository by name."""
    return {name: REPOSITORY / "models" / name / "model.onnx" for name in STORED}


def small() -> dict[str, ModelProto]:
    """Models of a few nodes, each for one kind of code that is easily wrong."""
    random = np.random.default_rng(7)

    def weight(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    def node(op: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
        return helper.make_node(op, inputs.split(" "), outputs.split(), f"{op}_{outputs.split()[0]}", **attributes)

    def build(
        nodes: list[NodeProto], x: list[int], kind: int = _FLOAT, y: int = _FLOAT, result: str = "y", **weights: object
    ) -> ModelProto:
        return _model(nodes, {"x": (kind, x)}, {result: y}, weights)

    bounds = {"low": np.float32(0), "high": np.float32(6)}
    return {
        "relu6": build([node("MatMul", "x w", "p"), node("Clip", "p low high", "y")], [8, 16],
                       w=weight(16, 16), **bounds),
        "round": build([node("Mul", "x two", "p"), node("Round", "p", "y")], [8, 16], two=np.float32(2)),
        "scaled round": build([node("Mul", "x c", "p"), node("Round", "p", "q"), node("Mul", "q d", "y")], [9, 12],
                              c=np.float32(3.7), d=np.float32(1 / 3.7)),
        "argmax": build([node("ArgMax", "x", "y", axis=-1, keepdims=0)], [16, 12], y=_INT),
        "last argmax": build([node("ArgMax", "x", "y", axis=1, keepdims=0, select_last_index=1)], [16, 12], y=_INT),
        "topk": _model([node("TopK", "x k", "v y", axis=-1)], {"x": (_FLOAT, [12, 16])}, {"v": _FLOAT, "y": _INT},
                       {"k": np.array([3])}),
        "topk of a sum": _model([node("Gemm", "x w b", "s"), node("TopK", "s k", "v y", axis=-1)],
                                {"x": (_FLOAT, [8, 16])}, {"v": _FLOAT, "y": _INT},
                                {"w": weight(16, 24), "b": weight(24), "k": np.array([5])}),
        "argmin of a column": build([node("Gemm", "x w b", "s"), node("ArgMin", "s", "y", axis=0, select_last_index=1)],
                                    [8, 16], y=_INT, w=weight(16, 24), b=weight(24)),
        "cubic": build([node("Resize", "x  scales", "y", mode="cubic", coordinate_transformation_mode="half_pixel")],
                       [1, 2, 11, 12], scales=np.array([1, 1, 1.5, 1.5], np.float32)),
        "gather": build([node("Gather", "t x", "y")], [12], _INT, t=weight(9, 8)),
        "mod": build([node("Mod", "x three", "y")], [6, 9], _INT, _INT, three=np.int64(3)),
        "long sum": build([node("ReduceSum", "x axes", "y", keepdims=1)], [1, 300000], axes=np.array([1])),
        "long dot": build([node("MatMul", "x w", "y")], [2, 300000], w=weight(300000, 2)),
        "layer norm": build([node("LayerNormalization", "x g b", "y", axis=-1, epsilon=1e-5)], [16, 32],
                            g=1 + weight(32), b=weight(32)),
        "rms norm": build([node("Pow", "x two", "s"), node("ReduceMean", "s axes", "m", keepdims=1),
                           node("Add", "m e", "a"),
                           node("Sqrt", "a", "r"), node("Div", "x r", "n"), node("Mul", "n g", "y")], [16, 32],
                          two=np.float32(2), axes=np.array([-1]), e=np.float32(1e-6), g=1 + weight(32)),
        "gelu": build([node("Gemm", "x w b", "p"), node("Gelu", "p", "y")], [16, 32], w=weight(32, 24), b=weight(24)),
        "leaky": build([node("LeakyRelu", "x", "y", alpha=0.1)], [8, 24]),
        "elu": build([node("Elu", "x", "y", alpha=1.5)], [8, 24]),
        "pool": build([node("AveragePool", "x", "y", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2],
                            count_include_pad=1)], [1, 4, 11, 11]),
        "max pool": build([node("MaxPool", "x", "y", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])],
                          [1, 4, 11, 11]),
        "conv": build([node("Conv", "x w b", "y", pads=[1, 0, 1, 0], strides=[1, 2], dilations=[1, 1])], [1, 4, 10, 11],
                      w=weight(6, 4, 3, 3), b=weight(6)),
        "batch norm": build([node("BatchNormalization", "x s b m v", "y", epsilon=1e-3)], [2, 6, 5, 5], s=weight(6),
                            b=weight(6), m=weight(6), v=np.abs(weight(6)) + np.float32(0.01)),
        "rotary": build(_rotary(node), [1, 4, 16, 8], cos=weight(16, 8), sin=weight(16, 8)),
        "rotary scores": build([*_rotary(node), node("MatMul", "y k", "s"), node("Softmax", "s", "z", axis=-1)],
                               [1, 4, 16, 8], result="z", cos=weight(16, 8), sin=weight(16, 8), k=weight(8, 16)),
        "fused heads": build([node("MatMul", "x w", "p"), node("Split", "p", "q k v", axis=-1, num_outputs=3),
                              node("Transpose", "k", "kt", perm=[0, 2, 1]), node("MatMul", "q kt", "s"),
                              node("Softmax", "s", "a", axis=-1), node("MatMul", "a v", "y")], [2, 12, 16],
                             w=weight(16, 24)),
        "attention": build(_attention(node), [1, 12, 16], q=weight(16, 16), k=weight(16, 16), v=weight(16, 16),
                           heads=np.array([1, 12, 4, 4]), back=np.array([1, 12, 16]), scale=np.float32(0.5),
                           mask=np.triu(np.full((12, 12), -3.4028235e38, np.float32), 1)),
        "tied attention": build(_attention(node, tied=True), [1, 12, 16], q=weight(16, 16), v=weight(16, 16),
                                heads=np.array([1, 12, 4, 4]), back=np.array([1, 12, 16]), scale=np.float32(0.5),
                                mask=np.triu(np.full((12, 12), -3.4028235e38, np.float32), 1)),
        "slices": build([node("Slice", "x a b c", "p"), node("Slice", "x d e c", "q"),
                         node("Concat", "q p", "y", axis=1)],
                        [4, 16], a=np.array([0]), b=np.array([7]), c=np.array([1]), d=np.array([7]), e=np.array([16])),
        "halves": build([node("MatMul", "x w", "p"), node("Add", "p b", "s"), node("Softmax", "s", "y", axis=-1)],
                        [8, 32], TensorProto.FLOAT16, TensorProto.FLOAT16, w=weight(32, 24).astype(np.float16),
                        b=weight(24).astype(np.float16)),
        "zeros": build([node("Relu", "x", "p"), node("Neg", "p", "m"), node("MatMul", "m w", "q"),
                        node("Relu", "q", "y")], [8, 16], w=np.abs(weight(16, 8))),
    }  # fmt: skip


def _rotary(node: object) -> list[NodeProto]:
    make: object = node
    return [
        make("Split", "x", "left right", axis=-1, num_outputs=2),  # type: ignore[operator]
        make("Neg", "right", "minus"),  # type: ignore[operator]
        make("Concat", "minus left", "turned", axis=-1),  # type: ignore[operator]
        make("Mul", "x cos", "first"),  # type: ignore[operator]
        make("Mul", "turned sin", "second"),  # type: ignore[operator]
        make("Add", "first second", "y"),  # type: ignore[operator]
    ]


def _attention(node: object, tied: bool = False) -> list[NodeProto]:
    make: object = node
    nodes = []
    for name, weight in (("q", "q"), ("k", "q" if tied else "k"), ("v", "v")):
        nodes += [
            make("MatMul", f"x {weight}", f"{name}p"),  # type: ignore[operator]
            make("Reshape", f"{name}p heads", f"{name}r"),  # type: ignore[operator]
            make("Transpose", f"{name}r", f"{name}t", perm=[0, 2, 3, 1] if name == "k" else [0, 2, 1, 3]),  # type: ignore[operator]
        ]
    return [
        *nodes,
        make("MatMul", "qt kt", "raw"),  # type: ignore[operator]
        make("Mul", "raw scale", "scores"),  # type: ignore[operator]
        make("Add", "scores mask", "masked"),  # type: ignore[operator]
        make("Softmax", "masked", "p", axis=-1),  # type: ignore[operator]
        make("MatMul", "p vt", "o"),  # type: ignore[operator]
        make("Transpose", "o", "ot", perm=[0, 2, 1, 3]),  # type: ignore[operator]
        make("Reshape", "ot back", "y"),  # type: ignore[operator]
    ]


def _model(
    nodes: list[NodeProto],
    inputs: Mapping[str, tuple[int, list[int]]],
    outputs: Mapping[str, int],
    weights: Mapping[str, object],
) -> ModelProto:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs.items()],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()],
    )
    return onnx.shape_inference.infer_shapes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    )


def node_cases() -> Iterator[tuple[str, ModelProto]]:
    """The models of ONNX's own cases of one op with static shapes and no random results."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        cases = sorted(loader.load_model_tests(kind="node"), key=lambda case: case.name)
    for case in cases:
        model = case.model
        if len(model.graph.node) != 1 or case.name.endswith("_expanded"):
            continue
        types = [value.type.tensor_type for value in (*model.graph.input, *model.graph.output)]
        if all(kind.elem_type == _FLOAT or kind.elem_type == _INT for kind in types):
            yield case.name, model
