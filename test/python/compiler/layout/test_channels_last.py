"""Channels last: every op between convolutions gives the same result, and verification takes the layout into
account."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, helper, numpy_helper, save

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs, verify_model
from sample_models.goldens import assert_matches

RNG = np.random.default_rng(3)


def conv(name: str, x: str, y: str, **attributes: Any) -> NodeProto:
    return helper.make_node("Conv", [x, name], [y], name, **attributes)


def program(nodes: list[NodeProto], weights: dict[str, Any], shape: list[int]) -> ModelProto:
    """A convolution with 6 output channels, `nodes`, which compute y from s, and another convolution."""
    weights = {
        "first": RNG.standard_normal((6, 3, 3, 3)).astype(np.float32),
        "last": RNG.standard_normal((2, shape[1], 1, 1)).astype(np.float32),
        **weights,
    }
    nodes = [conv("first", "x", "s", pads=[1, 1, 1, 1]), *nodes, conv("last", "y", "z")]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, [1, 3, 8, 10])],
        [helper.make_tensor_value_info("z", 1, [1, 2, *shape[2:]])],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def of(*shape: int) -> Any:
    return RNG.uniform(0.5, 2, shape).astype(np.float32)


node = helper.make_node
ints = np.array

CASES: dict[str, tuple[list[NodeProto], dict[str, Any], list[int]]] = {
    "activation": ([node("Sigmoid", ["s"], ["a"]), node("Mul", ["a", "s"], ["y"])], {}, [1, 6, 8, 10]),
    "term per channel": (
        [node("Relu", ["s"], ["r"]), node("Add", ["r", "c"], ["y"])],
        {"c": of(6, 1, 1)},
        [1, 6, 8, 10],
    ),
    "term per row": ([node("Relu", ["s"], ["r"]), node("Mul", ["r", "c"], ["y"])], {"c": of(8, 1)}, [1, 6, 8, 10]),
    "term per column": ([node("Relu", ["s"], ["r"]), node("Sub", ["c", "r"], ["y"])], {"c": of(10)}, [1, 6, 8, 10]),
    "splat": (
        [node("Relu", ["s"], ["r"]), node("Max", ["c", "r"], ["y"])],
        {"c": np.ones((6, 8, 10), np.float32)},
        [1, 6, 8, 10],
    ),
    "slice": (
        [node("Slice", ["s", "b", "e", "d", "t"], ["y"])],
        {"b": ints([1, 0]), "e": ints([6, 8]), "d": ints([1, 2]), "t": ints([2, 3])},
        [1, 3, 3, 10],
    ),
    "concatenation": ([node("Concat", ["s", "c", "s"], ["y"], axis=1)], {"c": of(1, 2, 8, 10)}, [1, 14, 8, 10]),
    "concatenation of rows": ([node("Concat", ["s", "s"], ["y"], axis=2)], {}, [1, 6, 16, 10]),
    "softmax of channels": ([node("Softmax", ["s"], ["y"], axis=1)], {}, [1, 6, 8, 10]),
    "softmax of columns": ([node("LogSoftmax", ["s"], ["y"], axis=-1)], {}, [1, 6, 8, 10]),
    "mean": ([node("ReduceMean", ["s"], ["m"], axes=[1]), node("Sub", ["s", "m"], ["y"])], {}, [1, 6, 8, 10]),
    "maximum of rows": ([node("ReduceMax", ["s"], ["m"], axes=[2]), node("Sub", ["s", "m"], ["y"])], {}, [1, 6, 8, 10]),
    "pad": ([node("Pad", ["s", "p"], ["y"], mode="reflect")], {"p": ints([0, 0, 1, 2, 0, 0, 3, 4])}, [1, 6, 12, 16]),
    "zeros": (
        [node("Relu", ["s"], ["r"]), node("Pad", ["r", "p"], ["q"]), node("Sigmoid", ["q"], ["y"])],
        {"p": ints([0, 0, 1, 2, 0, 0, 3, 4])},
        [1, 6, 12, 16],
    ),
    "tile": ([node("Tile", ["s", "n"], ["y"])], {"n": ints([1, 2, 1, 3])}, [1, 12, 8, 30]),
    "resize": (
        [
            node(
                "Resize",
                ["s", "", "f"],
                ["y"],
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            )
        ],
        {"f": np.array([1, 1, 2, 2], np.float32)},
        [1, 6, 16, 20],
    ),
    "linear resize": (
        [node("Resize", ["s", "", "f"], ["y"], mode="linear")],
        {"f": np.array([1, 1, 2, 2], np.float32)},
        [1, 6, 16, 20],
    ),
    "pools": (
        [
            node("MaxPool", ["s"], ["m"], kernel_shape=[2, 2], strides=[2, 2]),
            node("AveragePool", ["m"], ["y"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]),
        ],
        {},
        [1, 6, 4, 5],
    ),
    "squeeze and excite": (
        [
            node("GlobalAveragePool", ["s"], ["g"]),
            conv("w", "g", "c"),
            node("Sigmoid", ["c"], ["h"]),
            node("Mul", ["s", "h"], ["y"]),
        ],
        {"w": of(6, 6, 1, 1)},
        [1, 6, 8, 10],
    ),
    "squeeze by a product": (
        [
            node("GlobalAveragePool", ["s"], ["g"]),
            node("Flatten", ["g"], ["f"]),
            node("MatMul", ["f", "w"], ["c"]),
            node("Reshape", ["c", "n"], ["h"]),
            node("Mul", ["s", "h"], ["y"]),
        ],
        {"w": of(6, 6), "n": ints([1, 6, 1, 1])},
        [1, 6, 8, 10],
    ),
    "transposed": (
        [node("ConvTranspose", ["s", "w"], ["y"], "up", strides=[2, 2])],
        {"w": of(6, 4, 2, 2)},
        [1, 4, 16, 20],
    ),
    "groups": ([conv("w", "s", "y", group=6, pads=[1, 1, 1, 1])], {"w": of(6, 1, 3, 3)}, [1, 6, 8, 10]),
    "tokens": (
        [
            node("Reshape", ["s", "n"], ["t"]),
            node("Transpose", ["t"], ["u"], perm=[0, 2, 1]),
            node("MatMul", ["u", "w"], ["p"]),
            node("Transpose", ["p"], ["q"], perm=[0, 2, 1]),
            node("Reshape", ["q", "m"], ["y"]),
        ],
        {"n": ints([1, 6, 80]), "w": of(6, 4), "m": ints([1, 4, 8, 10])},
        [1, 4, 8, 10],
    ),
    "norm of channels": (
        [
            node("Transpose", ["s"], ["t"], perm=[0, 2, 3, 1]),
            node("LayerNormalization", ["t", "g", "b"], ["l"]),
            node("Transpose", ["l"], ["y"], perm=[0, 3, 1, 2]),
        ],
        {"g": of(6), "b": of(6)},
        [1, 6, 8, 10],
    ),
    "norm of instances": (
        [node("InstanceNormalization", ["s", "g", "b"], ["y"])],
        {"g": of(6), "b": of(6)},
        [1, 6, 8, 10],
    ),
    "shuffle": (
        [
            node("Reshape", ["s", "n"], ["t"]),
            node("Transpose", ["t"], ["u"], perm=[0, 2, 1, 3, 4]),
            node("Reshape", ["u", "m"], ["y"]),
        ],
        {"n": ints([1, 2, 3, 8, 10]), "m": ints([1, 6, 8, 10])},
        [1, 6, 8, 10],
    ),
}


# The op between has a fixed meaning of its axes, so that each convolution is alone.
UNCHANGED = {"pad"}


@pytest.mark.parametrize("case", CASES)
def test_same_results(case: str, tmp_path: Path) -> None:
    model = program(*CASES[case])
    artifact = compile(model, tmp_path)
    assert ("channel_last=True" in artifact.module_path.read_text()) == (case not in UNCHANGED)
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(model.SerializeToString(), inputs))


def test_values_are_verified_in_their_onnx_layout(tmp_path: Path) -> None:
    """Values with channels last are compared in their ONNX layout."""
    path = tmp_path / "model.onnx"
    save(program(*CASES["squeeze and excite"]), path)
    verified = verify_model(path)
    assert verified.passed, verified
    assert len(verified.nodes) >= 6


def test_transposes_at_the_ends_only(tmp_path: Path) -> None:
    text = compile(program(*CASES["activation"]), tmp_path).module_path.read_text()
    assert text.count("forge.op.Transpose") == 4
