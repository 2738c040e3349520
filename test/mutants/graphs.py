"""Rules that change one node before the model is compiled, as a converter that misreads the node would change the IR.

The wrong model is compiled and judged as if it were the artifact of the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import onnx
from onnx import ModelProto, NodeProto, helper

_SPECIAL: dict[tuple[str, str], tuple[object, ...]] = {
    ("Gelu", "approximate"): ("tanh", "none"),
    ("Pad", "mode"): ("reflect", "edge", "constant"),
    ("Resize", "coordinate_transformation_mode"): ("asymmetric", "align_corners", "half_pixel", "pytorch_half_pixel"),
    ("Resize", "nearest_mode"): ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil"),
    ("Resize", "mode"): ("linear", "nearest"),
    ("DepthToSpace", "mode"): ("DCR", "CRD"),
    ("ScatterElements", "reduction"): ("none", "add", "max"),
    ("ScatterND", "reduction"): ("none", "add", "max"),
    ("GridSample", "padding_mode"): ("zeros", "border", "reflection"),
    ("GridSample", "mode"): ("linear", "nearest"),
    ("LSTM", "direction"): ("forward", "reverse"),
    ("GRU", "direction"): ("forward", "reverse"),
    ("RNN", "direction"): ("forward", "reverse"),
}
"""Attributes whose values are words, and these words."""

_ABSENT: dict[str, dict[str, object]] = {
    "ArgMax": {"select_last_index": 1},
    "ArgMin": {"select_last_index": 1},
    "Mod": {"fmod": 1},
    "Softmax": {"axis": -2},
    "LogSoftmax": {"axis": -2},
    "CumSum": {"exclusive": 1},
    "TopK": {"largest": 0},
    "Gelu": {"approximate": "tanh"},
}
"""Attributes that a node does not have, and the value that a converter could read for them by mistake."""

_NEIGHBOURS = {
    "ReduceMax": "ReduceMin", "ReduceMin": "ReduceMax", "ReduceMean": "ReduceSum", "ReduceL1": "ReduceSum",
    "ReduceL2": "ReduceL1", "ReduceLogSum": "ReduceLogSumExp", "Floor": "Round", "Ceil": "Round", "Round": "Floor",
    "Greater": "GreaterOrEqual", "GreaterOrEqual": "Greater", "Less": "LessOrEqual", "LessOrEqual": "Less",
    "Max": "Min", "Min": "Max", "And": "Or", "Or": "Xor", "Xor": "Or", "Sinh": "Sin", "Asin": "Atan",
    "Softsign": "Tanh",
    "Softplus": "Relu", "HardSwish": "Swish", "Erf": "Tanh", "Mish": "Swish", "Add": "Sub", "Sub": "Add", "Mul": "Add",
    "Sign": "Tanh", "Elu": "LeakyRelu", "Sigmoid": "HardSigmoid",
}  # fmt: skip
"""Ops that may be mistaken for each other."""


def wrong_graphs(model: ModelProto) -> Iterator[tuple[str, ModelProto]]:
    """Wrong versions of a model, each with the name of its rule. They need not be valid."""
    for at, node in enumerate(model.graph.node):
        for rule, change in _changes(node):
            wrong = ModelProto()
            wrong.CopyFrom(model)
            wrong.graph.node[at].CopyFrom(change)
            # The types of the results are inferred again.
            del wrong.graph.value_info[:]
            yield f"{rule} of {node.op_type}", wrong
        if node.op_type == "Round":
            yield "halves up of Round", _halves_up(model, at)
        if node.op_type == "Neg":
            yield from _turned(model, at)
        if node.op_type in ("ReduceSum", "ReduceMean") and len(node.input) == 2:
            yield f"last summand missing of {node.op_type}", _shorter(model, at)


def _halves_up(model: ModelProto, at: int) -> ModelProto:
    """Replaces Round, which rounds halves to even, by the floor of x + 0.5."""
    wrong = ModelProto()
    wrong.CopyFrom(model)
    node = model.graph.node[at]
    half, shifted = f"{node.output[0]}_half", f"{node.output[0]}_shifted"
    made = [
        helper.make_node("Constant", [], [half], value_float=0.5),
        helper.make_node("Add", [node.input[0], half], [shifted]),
        helper.make_node("Floor", [shifted], list(node.output), node.name),
    ]
    del wrong.graph.node[:]
    wrong.graph.node.extend([*model.graph.node[:at], *made, *model.graph.node[at + 1 :]])
    return wrong


def _turned(model: ModelProto, at: int) -> Iterator[tuple[str, ModelProto]]:
    """A rotary embedding that rotates in the wrong direction: the other of the two concatenated halves is negated."""
    node = model.graph.node[at]
    for reader, join in enumerate(model.graph.node):
        if join.op_type == "Concat" and len(join.input) == 2 and node.output[0] in join.input:
            other = next(name for name in join.input if name != node.output[0])
            negated = helper.make_node("Neg", [other], [f"{other}_negated"])
            names = [node.input[0] if name == node.output[0] else negated.output[0] for name in join.input]
            wrong = ModelProto()
            wrong.CopyFrom(model)
            wrong.graph.node[at].CopyFrom(_with(node, op="Identity"))
            wrong.graph.node[reader].CopyFrom(_reading(join, names))
            wrong.graph.node.insert(reader, negated)
            yield "the other rotary sign of Neg", wrong


def _shorter(model: ModelProto, at: int) -> ModelProto:
    """A sum of all elements but the last one."""
    wrong = ModelProto()
    wrong.CopyFrom(model)
    node = wrong.graph.node[at]
    name = f"{node.output[0]}_shorter"
    ends = [helper.make_node("Constant", [], [f"{name}_{what}"], value_ints=[value]) for what, value in _ALL_BUT_ONE]
    made = helper.make_node(
        "Slice", [node.input[0], f"{name}_start", f"{name}_stop", node.input[1]], [name], f"{node.name}_shorter"
    )
    node.input[0] = name
    for new in reversed([*ends, made]):
        wrong.graph.node.insert(at, new)
    return wrong


_ALL_BUT_ONE = (("start", 0), ("stop", -1))


def _changes(node: NodeProto) -> Iterator[tuple[str, NodeProto]]:
    if node.op_type in _NEIGHBOURS:
        yield "another op", _with(node, op=_NEIGHBOURS[node.op_type])
    known = {attribute.name for attribute in node.attribute}
    for name, value in _ABSENT.get(node.op_type, {}).items():
        if name not in known:
            yield f"another {name}", _with(node, {name: value})
    if node.op_type in ("Conv", "Gemm") and len(node.input) == 3:
        yield "no bias", _reading(node, node.input[:2])
    if node.op_type == "Clip" and len(node.input) == 3:
        yield "no upper bound", _reading(node, node.input[:2])
    if node.op_type in ("Sub", "Div", "Pow", "MatMul", "Less", "Greater"):
        yield "swapped operands", _reading(node, [*node.input[1::-1], *node.input[2:]])
    for attribute in node.attribute:
        name, value = attribute.name, helper.get_attribute_value(attribute)
        words = _SPECIAL.get((node.op_type, name))
        if words is not None:
            for word in words:
                if value != str(word).encode():
                    yield f"another {name}", _with(node, {name: word})
                    break
        elif attribute.type == onnx.AttributeProto.FLOAT and value:
            yield f"{name} times 1.0005", _with(node, {name: value * 1.0005})
            yield f"the default of {name}", _without(node, name)
        elif attribute.type == onnx.AttributeProto.INT:
            if name in ("axis", "axes"):
                yield f"another {name}", _with(node, {name: value - 1 if value < 0 or value > 0 else value + 1})
            elif name not in ("to", "dtype", "output_dtype", "hidden_size", "num_groups", "group", "block_size"):
                yield f"the default of {name}", _without(node, name)
                yield f"another {name}", _with(node, {name: 0 if value else 1})
        elif name == "perm" and len(value) >= 2:
            yield "other axes", _with(node, {name: [*value[:-2], value[-1], value[-2]]})
        elif name == "pads" and len(value) >= 2 and any(value):
            half = len(value) // 2
            yield "pads at the other end", _with(node, {name: [*value[half:], *value[:half]]})
            yield "the default of pads", _without(node, name)


def _with(node: NodeProto, attributes: dict[str, object] | None = None, op: str = "") -> NodeProto:
    wrong = NodeProto()
    wrong.CopyFrom(node)
    wrong.op_type = op or node.op_type
    for name, value in (attributes or {}).items():
        kept = [attribute for attribute in wrong.attribute if attribute.name != name]
        del wrong.attribute[:]
        wrong.attribute.extend([*kept, helper.make_attribute(name, value)])
    return wrong


def _reading(node: NodeProto, names: Sequence[str]) -> NodeProto:
    wrong = NodeProto()
    wrong.CopyFrom(node)
    del wrong.input[:]
    wrong.input.extend(names)
    return wrong


def _without(node: NodeProto, name: str) -> NodeProto:
    wrong = NodeProto()
    wrong.CopyFrom(node)
    kept = [attribute for attribute in wrong.attribute if attribute.name != name]
    del wrong.attribute[:]
    wrong.attribute.extend(kept)
    return wrong
