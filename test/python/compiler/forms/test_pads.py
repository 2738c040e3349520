"""Pads before convolutions, on which the device's compiler asserts: of an image, of channels, with other values than
zero."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.compiler.driver import compile

_RNG = np.random.default_rng(0)
_PADS = {"channels": (1, 0, 0), "image": (0, 2, 1), "both": (1, 1, 2)}
"""The numbers of elements before the channels, rows and columns: n elements are added before the axis, n + 1 after
it."""
_MODES = {"zeros": ("constant", 0.0), "a number": ("constant", 1.5), "reflect": ("reflect", None)}
_READERS = ("one", "two", "other")


def _model(pads: tuple[int, int, int], mode: str, number: float | None, turned: bool, readers: str) -> ModelProto:
    """A pad before a convolution, or before the transpose of its operand."""
    before = np.array([0, *pads], np.int64)
    after = before + (before > 0)
    shape = np.array([1, 3, 6, 7])
    padded = shape + before + after
    if turned:
        shape, before, after = (axes[[0, 2, 3, 1]] for axes in (shape, before, after))
    weights = {"pads": np.concatenate([before, after])}
    for name, size in (("w", 3), ("u", 2)):
        weights[name] = _RNG.standard_normal((4, padded[1], size, size)).astype(np.float32)
    if number is not None:
        weights["number"] = np.array(number, np.float32)
    nodes: list[NodeProto] = [
        helper.make_node("Pad", ["x", "pads", *(["number"] if number is not None else [])], ["p"], mode=mode)
    ]
    if turned:
        nodes.append(helper.make_node("Transpose", ["p"], ["t"], perm=[0, 3, 1, 2]))
    image, results = "t" if turned else "p", ["y"]
    nodes.append(helper.make_node("Conv", [image, "w"], ["y"]))
    if readers == "two":
        nodes.append(helper.make_node("Conv", [image, "u"], ["z"], pads=[1, 0, 0, 1]))
        results.append("z")
    elif readers == "other":
        nodes.append(helper.make_node("Exp", [image], ["z"]))
        results.append("z")
    graph = helper.make_graph(
        nodes,
        "pads",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape.tolist())],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in results],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.alike(keep=9)
@pytest.mark.parametrize("readers", _READERS)
@pytest.mark.parametrize("turned", [False, True], ids=["as it is", "turned"])
@pytest.mark.parametrize(("pads", "mode"), list(product(_PADS, _MODES)))
def test_a_pad_before_convolutions(pads: str, mode: str, turned: bool, readers: str) -> None:
    assert forge_mlir.verify(_model(_PADS[pads], *_MODES[mode], turned, readers), seeds=2).passed


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("optimize", ["none", "exact"])
@pytest.mark.parametrize("pads", _PADS)
def test_without_rewrites(pads: str, optimize: str) -> None:
    model = _model(_PADS[pads], "constant", 0.0, turned=True, readers="one")
    assert forge_mlir.verify(model, optimize=optimize, seeds=2).passed


def test_a_pad_before_a_transpose_becomes_padding_of_the_convolution(tmp_path: Path) -> None:
    # Of columns only, because with channels last forge.pad cannot pad the rows.
    model = _model((0, 0, 2), "constant", 0.0, turned=True, readers="one")
    text = compile(model, tmp_path).module_path.read_text()
    assert "forge.op.Conv2d(" in text
    assert "forge.op.Pad(" not in text
    assert "forge.op.Concatenate(" not in text
