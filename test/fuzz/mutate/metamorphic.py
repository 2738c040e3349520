"""Changes of a model that must not change its results."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from fuzz.mutate.onnx_files import TEXTS


def renamed(r: Random, model: ModelProto) -> ModelProto:
    """Renames all nodes and all tensors that are not inputs or outputs. Some names are hostile, and some nodes have the
    same name."""
    copy = _copy(model)
    fixed = {value.name for value in (*copy.graph.input, *copy.graph.output)}
    names: dict[str, str] = {}

    def new(name: str) -> str:
        if not name or name in fixed:
            return name
        return names.setdefault(name, f"{r.choice(TEXTS)[:60]}{len(names)}")

    for node in copy.graph.node:
        node.name = r.choice(TEXTS)[:60]
        node.input[:] = map(new, node.input)
        node.output[:] = map(new, node.output)
    for tensor in copy.graph.initializer:
        tensor.name = new(tensor.name)
    return copy


def reordered(r: Random, model: ModelProto) -> ModelProto:
    """Writes the nodes in another order, which need not be topological."""
    copy = _copy(model)
    nodes = list(copy.graph.node)
    r.shuffle(nodes)
    del copy.graph.node[:]
    copy.graph.node.extend(nodes)
    return copy


def with_identities(r: Random, model: ModelProto) -> ModelProto:
    """Adds an Identity after some values."""
    copy = _copy(model)
    nodes: list[NodeProto] = []
    for node in copy.graph.node:
        nodes.append(node)
        for i, name in enumerate(node.output):
            if name and r.random() < 0.5:
                before = f"{name}/before"
                node.output[i] = before
                nodes.append(helper.make_node("Identity", [before], [name], f"identity of {name}"))
    _set_nodes(copy, nodes)
    return copy


def with_constant_nodes(_: Random, model: ModelProto) -> ModelProto:
    """Replaces initializers by Constant nodes. Before opset 9 these are of float types only."""
    copy = _copy(model)
    old = copy.opset_import[0].version < 9
    floats = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)
    tensors = [tensor for tensor in copy.graph.initializer if not old or tensor.data_type in floats]
    constants = [helper.make_node("Constant", [], [t.name], f"constant {t.name}", value=t) for t in tensors]
    _set_nodes(copy, [*constants, *copy.graph.node])
    for tensor in tensors:
        copy.graph.initializer.remove(tensor)
    return copy


def with_pads_apart(_: Random, model: ModelProto) -> ModelProto:
    """Replaces the explicit pads of each Conv by a Pad node. Pad has them as an operand since opset 11."""
    copy = _copy(model)
    if copy.opset_import[0].version < 11:
        return copy
    nodes: list[NodeProto] = []
    for at, node in enumerate(copy.graph.node):
        pads = next((list(a.ints) for a in node.attribute if a.name == "pads"), [])
        if node.op_type == "Conv" and any(pads):
            half = len(pads) // 2
            amounts = np.asarray([0, 0, *pads[:half], 0, 0, *pads[half:]], np.int64)
            copy.graph.initializer.append(numpy_helper.from_array(amounts, f"pads {at}"))
            nodes.append(helper.make_node("Pad", [node.input[0], f"pads {at}"], [f"padded {at}"], f"pad {at}"))
            node.input[0] = f"padded {at}"
            kept = [a for a in node.attribute if a.name != "pads"]
            del node.attribute[:]
            node.attribute.extend(kept)
        nodes.append(node)
    _set_nodes(copy, nodes)
    return copy


CHANGES: dict[str, Callable[[Random, ModelProto], ModelProto]] = {
    "renamed": renamed,
    "reordered": reordered,
    "with identities": with_identities,
    "with constant nodes": with_constant_nodes,
    "with pads apart": with_pads_apart,
}


def _copy(model: ModelProto) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(model)
    return copy


def _set_nodes(model: ModelProto, nodes: list[NodeProto]) -> None:
    copies = [NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del model.graph.node[:]
    model.graph.node.extend(copies)
