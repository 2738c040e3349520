"""The distinct nodes of a model, each as a model of its own."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx.numpy_helper
from onnx import GraphProto, NodeProto, ValueInfoProto, helper

from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.nodes import OnnxNodes, draws, element_code
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.graph import constant_value, node_opset, subgraphs
from forge_mlir.onnx_model.subgraph_model import subgraph_model
from forge_mlir.verify.node_reports import NodeReport

_MOST_ELEMENTS = 1 << 20
"""The most elements of a node's operands and results together."""
_COMPARED_CONSTANT = 64
"""Of constants of more elements only type and shape distinguish nodes: they are weights."""

CONTROL, RANDOM, ON_CPU, UNKNOWN = "control flow", "random numbers", "on the CPU", "operands of unknown type or size"
CONSTANT, ANOTHER_DOMAIN, TOO_LARGE = "computed from constants", "of another domain", "too large"


@dataclass(frozen=True)
class OneNode:
    """A node as a serialised `model`; its variable operands have the dtypes `operands`."""

    name: str
    op: str
    model: bytes
    operands: tuple[np.dtype[Any], ...]
    elements: int
    """Of operands and results."""


@dataclass(frozen=True)
class LeftOut:
    """A distinct node that cannot be a model of its own, or would not be what the program has."""

    why: str


def distinct_nodes(
    imported: ImportedModel, hosted: Set[str], observed: Sequence[NodeReport] = ()
) -> Iterator[OneNode | LeftOut]:
    """One of each kind of nodes: op, attributes, opset, types of operands, and small constants. `hosted` are the values
    that CPU partitions compute; `observed` those of a run, whose sizes the graph may not say."""
    nodes = OnnxNodes.of(imported)
    values = _Values(dict(nodes.types), dict(nodes.constants))
    for report in observed:
        found = report.local
        if values.operand(found.name) is None and (code := _CODES.get(found.dtype)) is not None:
            values.types[found.name] = helper.make_tensor_value_info(found.name, code, found.shape)
    yield from _of_graph(nodes, nodes.model.graph, values, hosted, set())


_CODES = {name: element_code(np.dtype(name)) for name in ("bool", "float32", "float16", "float64", "int32", "int64")}


@dataclass(frozen=True)
class _Values:
    """The values that nodes of a graph can read: types by name, and constants."""

    types: dict[str, ValueInfoProto]
    constants: dict[str, Any]

    def within(self, nodes: OnnxNodes, graph: GraphProto) -> _Values:
        """Those of a subgraph, which also reads those outside."""
        types = {value.name: value for value in (*graph.input, *graph.output, *graph.value_info)}
        tensors = {tensor.name: tensor for tensor in graph.initializer}
        tensors |= {node.output[0]: tensor for node in graph.node if (tensor := constant_value(node)) is not None}
        arrays = {name: nodes.array(tensor) for name, tensor in tensors.items()}
        outer = {name: array for name, array in self.constants.items() if name not in types}
        return _Values({**self.types, **types}, {**outer, **arrays})

    def operand(self, name: str) -> ValueInfoProto | None:
        """The type of a variable of known sizes, or of a constant."""
        if name in self.constants:
            value = np.asarray(self.constants[name])
            return helper.make_tensor_value_info(name, element_code(value.dtype), value.shape)
        known = self.types.get(name)
        if known is None or not known.type.tensor_type.HasField("shape") or not known.type.tensor_type.elem_type:
            return None
        dims = known.type.tensor_type.shape.dim
        return known if all(dim.HasField("dim_value") for dim in dims) else None


def _of_graph(
    nodes: OnnxNodes, graph: GraphProto, values: _Values, hosted: Set[str], seen: set[bytes]
) -> Iterator[OneNode | LeftOut]:
    for node in graph.node:
        inner = list(subgraphs(node))
        for each in inner:
            yield from _of_graph(nodes, each, values.within(nodes, each), hosted, seen)
        if constant_value(node) is not None or (key := _key(node, values)) in seen:
            continue
        seen.add(key)
        why = (
            CONTROL if inner else RANDOM if draws(node, nodes.constants) else ON_CPU if hosted & {*node.output} else ""
        )
        if not why and node.domain not in ("", "ai.onnx"):
            why = ANOTHER_DOMAIN
        yield LeftOut(why) if why else _one(nodes, node, values)


def _one(nodes: OnnxNodes, node: NodeProto, values: _Values) -> OneNode | LeftOut:
    read = list(dict.fromkeys(name for name in node.input if name))
    known = {name: values.operand(name) for name in read}
    inputs = [info for name, info in known.items() if info is not None and name not in values.constants]
    if None in known.values():
        return LeftOut(UNKNOWN)
    if not inputs:
        return LeftOut(CONSTANT)
    outputs = [values.types.get(name, ValueInfoProto(name=name)) for name in node.output if name]
    elements = sum(map(_elements, (*(info for info in known.values() if info is not None), *outputs)))
    if elements > _MOST_ELEMENTS:  # Before its weights are copied into a model.
        return LeftOut(TOO_LARGE)
    constants = [
        onnx.numpy_helper.from_array(np.asarray(values.constants[name]), name)
        for name in read
        if name in values.constants
    ]
    try:
        model = subgraph_model(nodes.model, nodes.weights, [node], inputs, outputs, constants)
    except ForgeError:
        return LeftOut(UNKNOWN)
    dtypes = tuple(helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type) for info in inputs)
    return OneNode(node.name, node.op_type, model, dtypes, elements)


def _elements(info: ValueInfoProto) -> int:
    return math.prod(dim.dim_value for dim in info.type.tensor_type.shape.dim)


def _key(node: NodeProto, values: _Values) -> bytes:
    """Equal for nodes that differ in names and weights only."""
    names = {name: str(at) for at, name in enumerate(dict.fromkeys((*node.input, *node.output))) if name}
    copy = NodeProto()
    copy.CopyFrom(node)
    copy.ClearField("name")
    copy.ClearField("doc_string")
    del copy.metadata_props[:]
    for each in (copy.input, copy.output):
        each[:] = [names.get(name, "") for name in each]
    digest = hashlib.sha256(copy.SerializeToString(deterministic=True))
    digest.update(str(node_opset(node)).encode())
    for name in node.input:
        info = values.operand(name) if name else None
        digest.update(b"-" if info is None else info.type.SerializeToString(deterministic=True))
        if (value := values.constants.get(name)) is not None:
            array = np.asarray(value)
            digest.update(b"constant" + (array.tobytes() if array.size <= _COMPARED_CONSTANT else b""))
    return digest.digest()
