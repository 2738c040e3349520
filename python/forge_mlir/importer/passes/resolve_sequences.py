"""Sequences whose elements are known when the model is compiled, replaced by their elements.

The device has tensors only. Nodes that take an element, the length or all of a sequence are rewritten to read the
elements themselves; nodes that make sequences go when nothing reads them any more. What depends on a sequence that is
an input, or on positions that are computed, stays as it is and is refused later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.graph import all_graphs, constant_value, fresh_name, node_where, subgraphs
from forge_mlir.onnx_model.weightless import placeholder_of

_MOST_ELEMENTS = 4096
_MOST_NODES = 1 << 16
_MAKERS = {
    "SequenceEmpty", "SequenceConstruct", "SequenceInsert", "SequenceErase", "SplitToSequence", "SequenceMap",
}  # fmt: skip
_READERS = {"SequenceAt", "SequenceLength", "ConcatFromSequence"}

Sequences = dict[str, list[str]]
Constants = dict[str, npt.NDArray[np.generic]]
Shapes = dict[str, list[int | None]]


def resolve_sequences(model: ModelProto) -> bool:
    """Rewrites the sorted and typed `model` in place; whether anything has changed."""
    names: set[str] = set()
    used = False
    for graph in all_graphs(model.graph):
        used |= any(node.op_type in _MAKERS and not node.domain for node in graph.node)
        names.update(value.name for value in graph.input)
        names.update(tensor.name for tensor in graph.initializer)
        names.update(name for node in graph.node for name in node.output)
    if not used:
        return False
    opset = next(entry.version for entry in model.opset_import if not entry.domain)
    _Resolver(opset, names, _MOST_NODES).graph(model.graph, {}, {}, {})
    return True


@dataclass
class _Resolver:
    opset: int
    names: set[str]
    left: int

    def graph(self, graph: GraphProto, sequences: Sequences, constants: Constants, shapes: Shapes) -> None:
        """Rewrites `graph` and those in it; the tables are those of the graphs around it."""
        sequences, constants, shapes = dict(sequences), dict(constants), dict(shapes)
        for tensor in graph.initializer:
            if placeholder_of(tensor) is None and tensor.data_type in (TensorProto.INT32, TensorProto.INT64):
                constants[tensor.name] = numpy_helper.to_array(tensor)
        for value in (*graph.input, *graph.value_info, *graph.output):
            dims = value.type.tensor_type.shape.dim
            shapes[value.name] = [dim.dim_value if dim.HasField("dim_value") else None for dim in dims]
        nodes: list[NodeProto] = []
        for node in graph.node:
            self.node(node, sequences, constants, shapes, nodes)
        read = {value.name for value in graph.output}
        kept = []
        for node in reversed(nodes):
            if node.domain or node.op_type not in _MAKERS | {"Identity"} or not read.isdisjoint(node.output):
                kept.append(node)
                read |= _reads(node)
        copies = [NodeProto.FromString(node.SerializeToString()) for node in reversed(kept)]
        del graph.node[:]
        graph.node.extend(copies)

    def node(
        self, node: NodeProto, sequences: Sequences, constants: Constants, shapes: Shapes, nodes: list[NodeProto]
    ) -> None:
        """Appends to `nodes` what becomes of `node`."""
        if node.op_type != "SequenceMap":
            for inner in subgraphs(node):
                self.graph(inner, sequences, constants, shapes)
        if (value := _integers(node)) is not None:
            constants[node.output[0]] = value
        made: list[NodeProto] = []
        if not node.domain and node.op_type in _READERS | _MAKERS | {"Identity"}:
            known = _Known(sequences, constants, shapes)
            elements = getattr(self, f"_{node.op_type}")(node, known, made)
            if elements is not None and len(elements) <= _MOST_ELEMENTS:
                sequences[node.output[0]] = elements
        self.left -= len(made)
        if self.left < 0:
            raise import_error(
                Code.ExpansionTooLarge, f"its sequences unroll to more than {_MOST_NODES} nodes", where=node_where(node)
            )
        for part in made:
            self.node(part, sequences, constants, shapes, nodes)
        if not made or node.op_type in _MAKERS:
            nodes.append(node)

    # Each method gives the elements of the sequence that its node makes (None: not known), and the nodes that make
    # what is no sequence yet.

    def _SequenceEmpty(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        return []

    def _SequenceConstruct(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        return list(node.input)

    def _Identity(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        return known.sequences.get(node.input[0])

    def _SequenceInsert(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        elements = known.sequences.get(node.input[0])
        at = len(elements or ()) if len(node.input) < 3 else known.position(node.input[2], elements, extra=1)
        return None if elements is None or at is None else [*elements[:at], node.input[1], *elements[at:]]

    def _SequenceErase(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        elements = known.sequences.get(node.input[0])
        at = len(elements or ()) - 1 if len(node.input) < 2 else known.position(node.input[1], elements)
        return None if not elements or at is None else elements[:at] + elements[at + 1 :]

    def _SequenceAt(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        elements = known.sequences.get(node.input[0])
        at = known.position(node.input[1], elements)
        if elements and at is not None:
            made.append(helper.make_node("Identity", [elements[at]], node.output, node.name))

    def _SequenceLength(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        elements = known.sequences.get(node.input[0])
        if elements is not None:
            made.append(self._ints(np.array(len(elements)), node.output[0]))

    def _ConcatFromSequence(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        elements = known.sequences.get(node.input[0])
        if not elements:
            return
        axis = _integer(node, "axis", 0)
        if _integer(node, "new_axis", 0):
            elements = [self._reaxed("Unsqueeze", name, axis, made) for name in elements]
        made.append(helper.make_node("Concat", elements, node.output, node.name, axis=axis))

    def _SplitToSequence(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:
        axis, shape = _integer(node, "axis", 0), known.shapes.get(node.input[0]) or []
        size = shape[axis] if -len(shape) <= axis < len(shape) else None
        if size is None:
            return None
        given = len(node.input) > 1 and bool(node.input[1])
        split = known.constants.get(node.input[1]) if given else np.array(1)
        if split is None or split.ndim > 1 or (split.ndim == 0 and int(split) < 1):
            return None
        whole = int(split) if split.ndim == 0 else 0
        sizes = [min(whole, size - at) for at in range(0, size, whole)] if whole else [int(part) for part in split]
        if not 0 < len(sizes) <= _MOST_ELEMENTS:
            return None
        pieces = [self._name(node.output[0]) for _ in sizes]
        if self.opset < 13:
            made.append(helper.make_node("Split", node.input[:1], pieces, node.name, axis=axis, split=sizes))
        else:
            lengths = self._ints(np.array(sizes), self._name(node.output[0]))
            made += [
                lengths,
                helper.make_node("Split", [node.input[0], lengths.output[0]], pieces, node.name, axis=axis),
            ]
        if given or _integer(node, "keepdims", 1):
            return pieces
        return [self._reaxed("Squeeze", name, axis, made) for name in pieces]

    def _SequenceMap(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:
        elements = known.sequences.get(node.input[0])
        body = next((attribute.g for attribute in node.attribute if attribute.name == "body"), None)
        if elements is None or body is None or len(node.output) != 1 or body.initializer:
            return None  # several results would need several tables
        lists = [known.sequences.get(name) for name in node.input]
        if any(row is not None and len(row) != len(elements) for row in lists):
            return None
        results = []
        for index in range(len(elements)):
            arguments = [name if row is None else row[index] for name, row in zip(node.input, lists, strict=True)]
            renamed = dict(zip((value.name for value in body.input), arguments, strict=True))
            for part in body.node:
                copy = NodeProto.FromString(part.SerializeToString())
                renamed |= {name: self._name(f"{node.output[0]}/{name}") for name in part.output if name}
                _rename(copy, renamed)
                made.append(copy)
            results.append(renamed.get(body.output[0].name, body.output[0].name))
        return results

    def _reaxed(self, op: str, name: str, axis: int, made: list[NodeProto]) -> str:
        """`name` squeezed or unsqueezed."""
        result = self._name(name)
        if self.opset < 13:
            made.append(helper.make_node(op, [name], [result], axes=[axis]))
        else:
            axes = self._ints(np.array([axis]), self._name(name))
            made += [axes, helper.make_node(op, [name, axes.output[0]], [result])]
        return result

    def _ints(self, values: npt.NDArray[np.int64], name: str) -> NodeProto:
        return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(values.astype(np.int64)))

    def _name(self, near: str) -> str:
        return fresh_name(f"{near}/element", self.names)


@dataclass(frozen=True)
class _Known:
    sequences: Mapping[str, list[str]]
    constants: Mapping[str, npt.NDArray[np.generic]]
    shapes: Mapping[str, list[int | None]]

    def position(self, name: str, elements: list[str] | None, extra: int = 0) -> int | None:
        """The position that the constant `name` says, in [0, len(elements) + extra); None when it is not known."""
        value = self.constants.get(name)
        if value is None or elements is None or value.size != 1:
            return None
        at, count = int(value.reshape(-1)[0]), len(elements)
        return None if not -count <= at < count + extra else at + count if at < 0 else at


def _integers(node: NodeProto) -> npt.NDArray[np.generic] | None:
    """The value of a Constant node of 32-bit or 64-bit integers that is no weight; None for any other node."""
    if node.op_type != "Constant" or node.domain:
        return None
    value = constant_value(node)
    if value is not None:
        wanted = value.data_type in (TensorProto.INT32, TensorProto.INT64) and placeholder_of(value) is None
        return np.asarray(numpy_helper.to_array(value)) if wanted else None
    for attribute in node.attribute:
        if attribute.name == "value_int":
            return np.array(attribute.i)
        if attribute.name == "value_ints":
            return np.array(attribute.ints, np.int64)
    return None


def _integer(node: NodeProto, name: str, default: int) -> int:
    return next((int(attribute.i) for attribute in node.attribute if attribute.name == name), default)


def _visit(node: NodeProto, change: Callable[[str], str]) -> None:
    """Applies `change` to every name that `node`, or a graph in it, reads or writes."""
    node.input[:] = [change(name) for name in node.input]
    node.output[:] = [change(name) for name in node.output]
    for graph in subgraphs(node):
        for value in graph.output:
            value.name = change(value.name)
        for inner in graph.node:
            _visit(inner, change)


def _rename(node: NodeProto, renamed: Mapping[str, str]) -> None:
    # Inputs and initializers of graphs inside are not declared by nodes, and hide what is around them.
    own = {value.name for graph in subgraphs(node) for inner in all_graphs(graph) for value in inner.input}
    own |= {tensor.name for graph in subgraphs(node) for inner in all_graphs(graph) for tensor in inner.initializer}
    _visit(node, lambda name: name if name in own else renamed.get(name, name))


def _reads(node: NodeProto) -> set[str]:
    names = set(node.input)
    for graph in subgraphs(node):
        names.update(value.name for value in graph.output)
        for inner in graph.node:
            names |= _reads(inner)
    return names
