"""Errors in the importer's own passes, which rewrite the graph before nodes are compared: outputs are compared with the
model's file. For functions of another opset, which onnxruntime reads wrongly, onnx.reference is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from onnx import GraphProto, ModelProto, NodeProto, numpy_helper, parser

from forge_mlir.importer import normalise
from forge_mlir.importer.passes import dense_experts, resolve_sequences
from forge_mlir.verify import verify_model

Spoil = Callable[[GraphProto], None]

EXPERTS = """
<ir_version: 9, opset_import: ["" : 18]>
expert (float[4,3] x, bool[4] mask) => (float[4,3] y)
<float[3,3] w = {1,2,3,4,5,6,7,8,9}> {
    hits = NonZero(mask)
    taken = Transpose<perm = [1, 0]>(hits)
    tokens = GatherND(x, taken)
    z = MatMul(tokens, w)
    y = ScatterND<reduction = "add">(x, taken, z)
}
"""
SEQUENCES = """
<ir_version: 9, opset_import: ["" : 18]>
sequences (float[6,3] x) => (float[5,3] y)
<int64[3] sizes = {1, 2, 3}, int64 second = {1}, int64 first = {0}> {
    parts = SplitToSequence<axis = 0>(x, sizes)
    one = SequenceAt(parts, second)
    rest = SequenceErase(parts, second)
    less = SequenceErase(rest, first)
    more = SequenceInsert(less, one)
    y = ConcatFromSequence<axis = 0>(more)
}
"""
FUNCTIONS = """
<ir_version: 9, opset_import: ["" : 18, "local" : 1]>
functions (float[2,3,4] x, float[2,3,4] b) => (float[2,3,4] y) {
    a = local.shifted<alpha = 0.25>(x, b)
    y = local.shifted<alpha = 0.5>(b, a)
}
<domain: "local", opset_import: ["" : 18]>
shifted <alpha> (x, b) => (y) {
    a = LeakyRelu<alpha: float = @alpha>(x)
    y = Sub(a, b)
}
"""
OPSETS = """
<ir_version: 9, opset_import: ["" : 18, "old" : 1]>
opsets (float[2,3,4] x) => (float[2,1,4] y) {
    y = old.summed(x)
}
<domain: "old", opset_import: ["" : 11]>
summed (x) => (y) {
    y = ReduceSum<axes = [1], keepdims = 1>(x)
}
"""
"""In the opset of the model, for which onnxruntime reads the node, the axes are no longer an attribute."""


def _nodes(graph: GraphProto, op: str) -> list[NodeProto]:
    found = [node for node in graph.node if node.op_type == op]
    assert found, f"the pass makes no {op}"
    return found


def without_mask(graph: GraphProto) -> None:
    for node in _nodes(graph, "Where"):
        rest = [node.input[1]]
        node.op_type = "Identity"
        del node.input[:]
        node.input.extend(rest)


def other_mask(graph: GraphProto) -> None:
    for node in _nodes(graph, "Where"):
        node.input[1], node.input[2] = node.input[2], node.input[1]


def other_positions(graph: GraphProto) -> None:
    hits = next(node for node in _nodes(graph, "Constant") if node.output[0] == "hits")
    value = numpy_helper.to_array(hits.attribute[0].t)
    hits.attribute[0].t.CopyFrom(numpy_helper.from_array(value[:, [1, 0, 2, 3]].copy()))


def other_order(graph: GraphProto) -> None:
    for node in _nodes(graph, "Concat"):
        node.input[0], node.input[1] = node.input[1], node.input[0]


def other_element(graph: GraphProto) -> None:
    (split,) = _nodes(graph, "Split")
    for node in _nodes(graph, "Concat"):
        node.input[0] = next(name for name in split.output if name not in node.input)


def no_attribute(graph: GraphProto) -> None:
    del _nodes(graph, "LeakyRelu")[0].attribute[:]


def other_attribute(graph: GraphProto) -> None:
    first, second = _nodes(graph, "LeakyRelu")
    first.attribute[0].f, second.attribute[0].f = second.attribute[0].f, first.attribute[0].f


def other_operands(graph: GraphProto) -> None:
    node = _nodes(graph, "Sub")[0]
    node.input[0], node.input[1] = node.input[1], node.input[0]


def other_op(graph: GraphProto) -> None:
    for node in _nodes(graph, "ReduceSum"):
        node.op_type = "ReduceMean"


PASSES = {
    EXPERTS: (dense_experts, "compute_experts_densely"),
    SEQUENCES: (resolve_sequences, "resolve_sequences"),
    FUNCTIONS: (normalise, "inline_functions"),
    OPSETS: (normalise, "inline_functions"),
}
PLANTS: list[tuple[str, Spoil]] = [
    *((EXPERTS, spoil) for spoil in (without_mask, other_mask, other_positions)),
    *((SEQUENCES, spoil) for spoil in (other_order, other_element)),
    *((FUNCTIONS, spoil) for spoil in (no_attribute, other_attribute, other_operands)),
    *((OPSETS, spoil) for spoil in (other_op,)),
]


def saved(text: str, folder: Path) -> Path:
    onnx.save(parser.parse_model(text), folder / "model.onnx")
    return folder / "model.onnx"


@pytest.mark.parametrize("text", PASSES, ids=["experts", "sequences", "functions", "opsets"])
def test_the_correct_pass_is_right(text: str, tmp_path: Path) -> None:
    found = verify_model(saved(text, tmp_path))
    assert found.verdict == "right", found.reasons


@pytest.mark.parametrize(("text", "spoil"), PLANTS, ids=lambda each: getattr(each, "__name__", ""))
def test_an_error_in_a_pass_is_found(text: str, spoil: Spoil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name = PASSES[text]
    right = getattr(module, name)

    def wrong(model: ModelProto) -> object:
        found = right(model)
        spoil(found.graph if isinstance(found, ModelProto) else model.graph)
        return found

    monkeypatch.setattr(module, name, wrong)
    found = verify_model(saved(text, tmp_path))
    assert found.verdict == ("undecided" if text == OPSETS else "wrong")
