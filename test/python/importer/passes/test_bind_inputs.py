"""Sizes for open dims, and what the module reports about dims that remain open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.importer import ImportedModel, TensorInfo, import_onnx
from sample_models.importing import model, operators, refusal, save, value


def dynamic() -> ModelProto:
    """x (batch, seq, 4) and an open (?, 4) are added; y is x with its last two axes merged by a Reshape."""
    nodes = [
        helper.make_node("Add", ["x", "b"], ["s"]),
        helper.make_node("Shape", ["s"], ["shape"], end=1),
        helper.make_node("Concat", ["shape", "rest"], ["to"], axis=0),
        helper.make_node("Reshape", ["s", "to"], ["y"]),
    ]
    rest = numpy_helper.from_array(np.array([-1]), "rest")
    proto = model(nodes, [value("x", "batch", "seq", 4), value("b", None, 4)], [value("y", "batch", "joined")], [rest])
    proto.graph.value_info.append(value("s", "batch", "seq", 4))
    return proto


def shapes(imported: ImportedModel) -> list[tuple[int | str, ...] | None]:
    return [info.shape for info in (*imported.inputs, *imported.outputs)]


def test_open_dims_are_named() -> None:
    imported = import_onnx(dynamic())
    assert imported.inputs == [TensorInfo("x", "float32", ("batch", "seq", 4)), TensorInfo("b", "float32", ("", 4))]
    function = next(op for op in operators(imported) if op.name == "func.func")
    x, b = function.attributes["arg_attrs"]
    assert [d.value for d in x["forge.dims"]] == ["batch", "seq", ""]
    assert "forge.dims" not in b


@pytest.mark.parametrize(
    ("input_shapes", "dims", "expected"),
    [
        (None, {"batch": 2}, [(2, "seq", 4), ("", 4)]),
        (None, {"batch": 2, "seq": 5}, [(2, 5, 4), ("", 4)]),
        ({"x": (2, 5, 4), "b": [5, 4]}, None, [(2, 5, 4), (5, 4), (2, 20)]),
        ({"x": (2, 5, 4), "b": (1, 4)}, {"batch": 2}, [(2, 5, 4), (1, 4), (2, 20)]),
    ],
)
def test_binding(
    input_shapes: Mapping[str, Sequence[int]] | None,
    dims: Mapping[str, int] | None,
    expected: list[tuple[int | str, ...]],
    tmp_path: Path,
) -> None:
    imported = import_onnx(save(dynamic(), tmp_path), input_shapes=input_shapes, dims=dims)
    assert shapes(imported)[: len(expected)] == expected
    assert "batch" not in str(imported.module)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dims": {"bach": 2}}, ["no input has a dimension 'bach'", "'batch', 'seq'"]),
        ({"dims": {"joined": 2}}, ["no input has a dimension 'joined'"]),
        ({"input_shapes": {"z": (1,)}}, ["no input 'z'", "'b', 'x'"]),
        ({"input_shapes": {"rest": (1,)}}, ["no input 'rest'"]),
        ({"input_shapes": {"x": (2, 5)}}, ["tensor 'x'", "rank 2", "['batch', 'seq', 4]"]),
        ({"input_shapes": {"x": (2, 5, 3)}}, ["contradicts the model", "['batch', 'seq', 4]"]),
        ({"input_shapes": {"x": (2, 5, 4)}, "dims": {"batch": 3}}, ["'batch' cannot be both 3 and 2"]),
        ({"input_shapes": {"x": (2, -5, 4)}}, ["cannot have the size '-5'"]),
        ({"dims": {"batch": True}}, ["cannot have the size 'True'"]),
        ({"dims": {"batch": "4"}}, ["cannot have the size '4'"]),
        ({"input_shapes": {"x": (2, 5, 4), "b": (7, 4)}}, ["do not fit together"]),
        (
            {"input_shapes": {"b": (7, 4)}, "bind": {"b": np.zeros((5, 4), np.float32)}},
            ["tensor 'b'", "shape [5, 4] contradicts the model, which says [7, 4]"],
        ),
    ],
)
def test_bindings_that_do_not_fit(options: dict[str, object], words: list[str]) -> None:
    refusal(dynamic(), *words, **options)


def test_the_binding_wins_over_a_declared_output() -> None:
    proto = model([helper.make_node("Abs", ["x"], ["y"])], [value("x", "n", 3)], [value("y", 1, 3)])
    assert import_onnx(proto, dims={"n": 1}).outputs[0].shape == (1, 3)
    assert import_onnx(proto, dims={"n": 2}).outputs[0].shape == (2, 3)


def test_symbols_in_bodies_are_bound_too() -> None:
    body = helper.make_graph([helper.make_node("Relu", ["x"], ["t"])], "b", [], [value("t", "n", 3)])
    node = helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body)
    proto = model([node], [value("x", "n", 3), value("c", dtype=TensorProto.BOOL)], [value("y", "n", 3)])
    text = str(import_onnx(proto, dims={"n": 7}).module)
    assert "?" not in text
    assert text.count("!torch.vtensor<[7,3],f32>") > 4


def test_a_negative_dim_can_be_bound() -> None:
    proto = model([helper.make_node("Abs", ["x"], ["y"])], [value("x", -1, 3)], [value("y", "n", 3)])
    assert import_onnx(proto).inputs[0].shape == ("", 3)
    assert import_onnx(proto, input_shapes={"x": (4, 3)}).outputs[0].shape == (4, 3)


def test_question_marks_are_different_open_dims() -> None:
    """paddle2onnx writes "?" for each unknown dim, and -1 or 0 for others."""
    proto = model([helper.make_node("Abs", ["x"], ["y"])], [value("x", -1, 0, "?", "?")], [value("y", -1, "?", 0, 0)])
    imported = import_onnx(proto, input_shapes={"x": (1, 3, 48, 192)})
    assert imported.outputs[0].shape == (1, 3, 48, 192)


def test_zero_and_rankless() -> None:
    proto = model([helper.make_node("Abs", ["x"], ["y"])], [value("x", "n")], [value("y", "n")])
    assert import_onnx(proto, dims={"n": 0}).outputs[0].shape == (0,)
    proto.graph.input[0].type.tensor_type.ClearField("shape")
    assert import_onnx(proto, input_shapes={"x": (4,)}).inputs[0].shape == (4,)


def test_a_value_of_another_byte_order_can_be_bound() -> None:
    proto = model([helper.make_node("Reshape", ["x", "to"], ["y"])], [value("x", 2, 3)], [value("y", "a", "b")])
    proto.graph.input.append(value("to", 2, dtype=TensorProto.INT64))
    for given in (np.array([3, 2], ">i8"), [3, 2]):
        assert import_onnx(proto, bind={"to": given}).outputs[0].shape == (3, 2)  # type: ignore[dict-item]


def test_numpy_integers_are_sizes() -> None:
    assert import_onnx(dynamic(), dims={"batch": np.int64(2)}).inputs[0].shape == (2, "seq", 4)  # type: ignore[dict-item]
