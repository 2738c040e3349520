"""Elements that are known when a program is made are those that ONNX defines."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, numpy_helper, parser
from onnx.reference import ReferenceEvaluator

from forge_mlir.importer.generation.fold import fold
from forge_mlir.importer.generation.program import Program
from forge_mlir.importer.generation.rewrite import constant_of
from forge_mlir.importer.generation.sizes import Size, Span

CONSTANTS = (
    "int64[3] a = {1, 2, 3}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] last = {-1}, "
    "int64[1] before = {-9}, int64[1] negative = {-7}, int64[1] large = {-1152921504606846977}, "
    "int64[1] wide = {16777217}, int32[1] half = {1073741824}, int32[1] four = {4}, float[2] f = {0.1, 3}, "
    "float[2] g = {0.3, 0.7}, float[1] h = {70000}, bool[2] b = {1, 0}"
)


def model(node: str) -> ModelProto:
    head = f'<ir_version: 8, opset_import: ["" : 18]> g () => (y) <{CONSTANTS}>'
    proto: ModelProto = parser.parse_model(f"{head} {{ {node} }}")
    return proto


def folded(node: str) -> list[object] | None:
    """The elements of y; None if they are not known."""
    graph, program = model(node).graph, Program(18, 16, Span(1, 16), set())
    for tensor in graph.initializer:
        program.give(tensor.name, constant_of(tensor))
    found = fold(program, graph.node[0])
    if found is None:
        return None
    assert found.known is not None
    return [each.const if isinstance(each, Size) else each for each in found.known.reshape(-1)]


@pytest.mark.parametrize(
    "node",
    [
        "y = Slice(a, last, before, , last)",
        "y = Slice(a, zero, last, zero, two)",
        "y = Div(negative, two)",
        "y = Div(large, two)",
        "y = Mod(negative, two)",
        "y = Max(a, two)",
        "y = Min(a, two, one)",
        "y = ReduceSum(a, zero)",
        "y = ReduceMax(a, zero)",
        "y = ReduceMin <keepdims = 0> (a)",
        "y = NonZero(b)",
        "y = NonZero(a)",
        "y = Transpose(a)",
        "y = Add(f, g)",
        "y = Mul(f, g)",
        "y = Div(f, g)",
        "y = Cast <to = 1> (wide)",
        "y = Cast <to = 10> (h)",
        "y = Cast <to = 7> (f)",
        "y = Less(f, g)",
        "y = Where(b, f, g)",
    ],
)
def test_known_elements_are_those_of_onnx(node: str) -> None:
    with np.errstate(over="ignore"):
        (expected,) = ReferenceEvaluator(model(node)).run(None, {})
    assert folded(node) == np.asarray(expected).reshape(-1).tolist()


@pytest.mark.parametrize(
    "node",
    [
        "y = Mod <fmod = 1> (negative, two)",
        "y = Mul(half, four)",
        "y = ReduceSum <noop_with_empty_axes = 1> (a)",
        "y = ReduceSum(f, zero)",
        "y = Max(f, g)",
        "y = ReduceMax(f, zero)",
        "y = ReduceMin <noop_with_empty_axes = 1> (a)",
        "y = Cast <to = 2> (negative)",
    ],
)
def test_elements_that_are_not_known(node: str) -> None:
    """Integers that wrap around, types without exact elements, and forms without a rule."""
    assert folded(node) is None


def test_comparisons_with_nan_are_not_known() -> None:
    program = Program(18, 16, Span(1, 16), set())
    for name in "fg":
        program.give(name, constant_of(numpy_helper.from_array(np.float32([np.nan, 1]), name)))
    assert fold(program, model("y = GreaterOrEqual(f, g)").graph.node[0]) is None
