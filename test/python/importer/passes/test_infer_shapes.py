"""Declared and inferred shapes and types: which one is taken, and which contradictions are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, numpy_helper
from onnxruntime import InferenceSession

import forge_mlir
from forge_mlir.importer import import_onnx
from sample_models.importing import chain, model, node, refusal, value, weights

X, Y = value("x", 2, 3), value("y", 2, 3)
NAMES = ("first", "last", "step")


@pytest.mark.parametrize("name", ["y", "a"])
@pytest.mark.parametrize("shape", [(2, 4), (2,), (0, 3), (2, 3, 1)])
def test_a_computed_shape_wins_over_a_declared_one(name: str, shape: tuple[int, ...]) -> None:
    proto = model(chain(("Abs", "x", "a"), ("Neg", "a", "y")), [X], [Y])
    if name == "y":
        proto.graph.output[0].CopyFrom(value("y", *shape))
    else:
        proto.graph.value_info.append(value("a", *shape))
    imported = import_onnx(proto)
    assert imported.outputs[0].shape == (2, 3)
    assert imported.warnings == [
        f"tensor '{name}' is declared with the shape {list(shape)}, and has the shape [2, 3], which is taken"
    ]


def test_a_declared_shape_without_contradiction_is_kept() -> None:
    """The shapes after an op that onnx does not know depend on the declared one, also if another declared shape is
    wrong."""
    nodes = [node("Foo", "x", "a", domain="com.x"), node("Neg", "a", "y"), node("Abs", "x", "z")]
    proto = model(nodes, [X], [value("y"), value("z", 7)], opsets={"": 17, "com.x": 1})
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    proto.graph.value_info.append(value("a", 4, 5))
    imported = import_onnx(proto)
    assert [output.shape for output in imported.outputs] == [(4, 5), (2, 3)]
    assert len(imported.warnings) == 1


def test_open_sizes_that_are_written_as_minus_one() -> None:
    proto = model(chain(("Abs", "x", "a"), ("Neg", "a", "y")), [X], [value("y", -1, 3)])
    proto.graph.value_info.append(value("a", 2, -1))
    imported = import_onnx(proto)
    assert (imported.outputs[0].shape, imported.warnings) == ((2, 3), [])


@pytest.mark.parametrize("lie", ["value_info", "value_info of an output", "value_info of an input"])
def test_types_that_contradict(lie: str) -> None:
    proto = model(chain(("Abs", "x", "a"), ("Neg", "a", "y")), [X], [Y])
    match lie:
        case "value_info":
            proto.graph.value_info.append(value("a", 2, 3, dtype=TensorProto.INT32))
        case "value_info of an output":
            proto.graph.value_info.append(value("y", 2, 3, dtype=TensorProto.INT32))
        case "value_info of an input":
            proto.graph.value_info.append(value("x", 2, 4))
    refusal(proto, "two different types" if "of an" in lie else "do not fit together")


def test_a_vaguer_output_takes_the_inferred_shape() -> None:
    proto = model(chain(("Abs", "x", "y")), [X], [value("y", None, "n")])
    proto.graph.value_info.append(value("y", 2, 3))
    assert import_onnx(proto).outputs[0].shape == (2, 3)


def test_vaguer_outputs_that_are_an_input_and_an_initializer() -> None:
    w = numpy_helper.from_array(weights(4, 5), "w")
    outputs = [value("y", 2, 3), value("x", None, "n"), value("w", "m", 5)]
    imported = import_onnx(model(chain(("Abs", "x", "y")), [X], outputs, [w]))
    assert [output.shape for output in imported.outputs] == [(2, 3), (2, 3), (4, 5)]


@pytest.mark.parametrize(
    ("kernel", "attributes", "shape"),
    [
        ((1, 1, 2), {"output_shape": [3]}, (1, 1, 3)),
        ((1, 1, 1, 2), {"output_shape": [2, 3]}, (1, 1, 2, 3)),
        ((1, 1, 2), {"auto_pad": "SAME_UPPER", "output_padding": [2], "strides": [3], "dilations": [2]}, (1, 1, 12)),
    ],
)
def test_transposed_convolutions_whose_shape_onnx_infers_wrongly(
    kernel: tuple[int, ...], attributes: dict[str, Any], shape: tuple[int, ...], tmp_path: Path
) -> None:
    size = (1, 1, *([2] * (len(kernel) - 3)), 4)
    proto = model(
        [node("ConvTranspose", "x w", "a", **attributes), node("Neg", "a", "y")],
        [value("x", *size)],
        [value("y", *shape)],
        [numpy_helper.from_array(np.ones(kernel, np.float32), "w")],
    )
    x = np.arange(np.prod(size), dtype=np.float32).reshape(size)
    (y,) = forge_mlir.run(forge_mlir.compile(proto, tmp_path), {"x": x}).values()
    np.testing.assert_array_equal(y, InferenceSession(proto.SerializeToString()).run(None, {"x": x})[0])


@pytest.mark.parametrize(
    ("bounds", "count"), [((0.1, 0.4, 0.1), 3), ((0.1, -2.9, -1), 4), ((0, 0.3, 0.1), 4), ((0, 7, 1), 7)]
)
def test_ranges_of_floats_that_onnx_counts_wrongly(bounds: tuple[float, ...], count: int, tmp_path: Path) -> None:
    proto = model(
        [node("Range", "first last step", "r"), node("Add", "r x", "y")],
        [value("x", 1)],
        [value("y", "n")],
        [numpy_helper.from_array(np.float32(bound), name) for name, bound in zip(NAMES, bounds, strict=True)],
    )
    x = np.ones(1, np.float32)
    (y,) = forge_mlir.run(forge_mlir.compile(proto, tmp_path), {"x": x}).values()
    assert y.shape == (count,)
    np.testing.assert_array_equal(y, InferenceSession(proto.SerializeToString()).run(None, {"x": x})[0])
