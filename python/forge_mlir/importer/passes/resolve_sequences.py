"""Replaces sequences whose elements are known at compile time by their elements.

The device supports only tensors. Nodes that read an element, the length or all of a sequence are rewritten to read the
elements; nodes that construct sequences are removed once they have no users. A Loop that fills or reads a sequence is
unrolled if its trip count is known. Optionals that the model constructs are replaced by their content. Nodes that
depend on a sequence input or on computed positions stay and are refused later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.importer.passes.known_values import known_tensor, known_value
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.graph import all_graphs, fresh_name, names_read, node_where, subgraphs
from forge_mlir.support.opsets import default_opset

_MOST_ELEMENTS = 4096
_MOST_NODES = 1 << 16
_MAKERS = {
    "SequenceEmpty", "SequenceConstruct", "SequenceInsert", "SequenceErase", "SplitToSequence", "SequenceMap",
    "Optional",
}  # fmt: skip
_READERS = {"SequenceAt", "SequenceLength", "ConcatFromSequence", "OptionalHasElement", "OptionalGetElement"}

_OPTIONAL = "optional "
"""The prefix for optionals in the table of sequences, which have zero or one element."""

Sequences = dict[str, list[str]]
Constants = dict[str, npt.NDArray[np.generic]]
Shapes = dict[str, list[int | None]]


def resolve_sequences(model: ModelProto) -> bool:
    """Rewrites the sorted and typed `model` in place. Returns whether anything has changed."""
    names: set[str] = set()
    used = False
    for graph in all_graphs(model.graph):
        used |= any(node.op_type in _MAKERS and not node.domain for node in graph.node)
        names.update(value.name for value in graph.input)
        names.update(tensor.name for tensor in graph.initializer)
        names.update(name for node in graph.node for name in node.output)
    if not used:
        return False
    opset = default_opset(model)
    _Resolver(opset, names, _MOST_NODES).graph(model.graph, {}, {}, {})
    return True


@dataclass
class _Resolver:
    opset: int
    names: set[str]
    left: int

    def graph(self, graph: GraphProto, sequences: Sequences, constants: Constants, shapes: Shapes) -> None:
        """Rewrites `graph` and its subgraphs; the tables are those of outer graphs."""
        sequences, constants, shapes = dict(sequences), dict(constants), dict(shapes)
        for tensor in graph.initializer:
            if (known := known_tensor(tensor)) is not None:
                constants[tensor.name] = known
        for value in (*graph.input, *graph.value_info, *graph.output):
            if value.type.tensor_type.HasField("shape"):
                shapes[value.name] = _sizes(value)
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
        """Appends the replacement of `node` to `nodes`."""
        if node.op_type == "Loop" and not node.domain and names_read(node) & sequences.keys():
            unrolled = self._unrolled(node, _Known(dict(sequences), dict(constants), dict(shapes)))
            if unrolled is not None:
                after, steps = unrolled
                sequences.update(after.sequences)
                constants.update(after.constants)
                shapes.update(after.shapes)
                nodes += steps
                return
        if node.op_type != "SequenceMap":
            for inner in subgraphs(node):
                self.graph(inner, sequences, constants, shapes)
        if (value := known_value(node, constants, shapes, self.opset)) is not None:
            constants[node.output[0]] = value
        made: list[NodeProto] = []
        if not node.domain and node.op_type in _READERS | _MAKERS | {"Identity"}:
            known = _Known(sequences, constants, shapes)
            elements = getattr(self, f"_{node.op_type}")(node, known, made)
            if elements is not None and len(elements) <= _MOST_ELEMENTS:
                sequences[_key(node)] = elements
        self.left -= len(made)
        if self.left < 0:
            raise import_error(
                Code.ExpansionTooLarge, f"its sequences unroll to more than {_MOST_NODES} nodes", where=node_where(node)
            )
        for part in made:
            self.node(part, sequences, constants, shapes, nodes)
        if not made or node.op_type in _MAKERS:
            nodes.append(node)

    # Each method returns the elements of the sequence that its node constructs (None: unknown), and nodes for elements
    # that do not exist as values yet.

    def _SequenceEmpty(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        return []

    def _SequenceConstruct(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        return list(node.input)

    def _Identity(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        optional = known.sequences.get(_OPTIONAL + node.input[0])
        if optional is not None:
            known.sequences[_OPTIONAL + node.output[0]] = optional
        return known.sequences.get(node.input[0])

    def _Optional(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:  # noqa: ARG002
        return [name for name in node.input if name]

    def _OptionalHasElement(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        elements = known.sequences.get(_OPTIONAL + node.input[0]) if node.input and node.input[0] else None
        if elements is not None:
            made.append(_constant(np.array(bool(elements)), node.output[0]))

    def _OptionalGetElement(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        elements = known.sequences.get(_OPTIONAL + node.input[0])
        if elements:
            made.append(helper.make_node("Identity", elements, node.output, node.name))

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
            made.append(_constant(np.array(len(elements)), node.output[0]))

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
        slices = [self._name(node.output[0]) for _ in sizes]
        if self.opset < 13:
            made.append(helper.make_node("Split", node.input[:1], slices, node.name, axis=axis, split=sizes))
        else:
            lengths = _constant(np.array(sizes), self._name(node.output[0]))
            made += [
                lengths,
                helper.make_node("Split", [node.input[0], lengths.output[0]], slices, node.name, axis=axis),
            ]
        if given or _integer(node, "keepdims", 1):
            return slices
        return [self._reaxed("Squeeze", name, axis, made) for name in slices]

    def _SequenceMap(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> list[str] | None:
        elements = known.sequences.get(node.input[0])
        body = next((attribute.g for attribute in node.attribute if attribute.name == "body"), None)
        if elements is None or body is None or len(node.output) != 1 or body.initializer:
            return None  # only a single result is supported
        lists = [known.sequences.get(name) for name in node.input]
        if any(row is not None and len(row) != len(elements) for row in lists):
            return None
        results = []
        for index in range(len(elements)):
            arguments = [name if row is None else row[index] for name, row in zip(node.input, lists, strict=True)]
            renamed = dict(zip((value.name for value in body.input), arguments, strict=True))
            made += self._copied(body, node.output[0], renamed, known)
            results.append(renamed.get(body.output[0].name, body.output[0].name))
        return results

    def _unrolled(self, loop: NodeProto, known: _Known) -> tuple[_Known, list[NodeProto]] | None:
        """The nodes of an unrolled Loop, and the facts after it; None if the trip count is unknown. `known` is a copy
        that may be modified."""
        body, left = next(attribute.g for attribute in loop.attribute if attribute.name == "body"), self.left
        trips, condition, *states = [*loop.input, "", ""][: max(2, len(loop.input))]
        count = known.number(trips) if trips else _MOST_NODES
        nodes = [_constant(tensor, self._name(loop.output[0])) for tensor in body.initializer]
        own = {tensor.name: node.output[0] for tensor, node in zip(body.initializer, nodes, strict=True)}
        scans: list[list[str]] = [[] for _ in loop.output[len(states) :]]
        conditional = bool(condition)
        for step in range(count if count is not None else 0):
            going = known.number(condition) if conditional else 1
            if not going:
                count = None if going is None else step
                break
            first = [_constant(np.array(step, np.int64), self._name(loop.output[0]))]
            if not conditional:
                first.append(_constant(np.array(True), self._name(loop.output[0])))
                condition = first[-1].output[0]
            arguments = (first[0].output[0], condition, *states)
            renamed = {**own, **dict(zip((value.name for value in body.input), arguments, strict=True))}
            copies = first + self._copied(body, loop.output[0], renamed, known)
            self.left -= len(copies)
            if self.left < 0:
                break
            for node in copies:
                self.node(node, known.sequences, known.constants, known.shapes, nodes)
            condition, *results = [renamed.get(value.name, value.name) for value in body.output]
            states, scanned = results[: len(states)], results[len(states) :]
            for scan, name in zip(scans, scanned, strict=True):
                scan.append(name)
        if count is None or self.left < 0 or not all(scans):
            self.left = left
            return None
        ends: list[NodeProto] = []
        for scan, output in zip(scans, loop.output[len(states) :], strict=True):
            rows = [self._reaxed("Unsqueeze", name, 0, ends) for name in scan] if output else []
            ends += [helper.make_node("Concat", rows, [output], axis=0)] if output else []
        ends += [
            helper.make_node("Identity", [name], [to]) for name, to in zip(states, loop.output, strict=False) if to
        ]
        for node in ends:
            self.node(node, known.sequences, known.constants, known.shapes, nodes)
        return known, nodes

    def _copied(self, body: GraphProto, near: str, renamed: dict[str, str], known: _Known) -> list[NodeProto]:
        """Copies of the nodes of `body` with unique names, which are added to `renamed`; their shapes are added to
        `known`."""
        copies = []
        for part in body.node:
            copy = NodeProto.FromString(part.SerializeToString())
            renamed |= {name: self._name(f"{near}/{name}") for name in part.output if name}
            _rename(copy, renamed)
            copies.append(copy)
        for value in (*body.value_info, *body.output):
            if value.name in renamed and value.type.tensor_type.HasField("shape"):
                known.shapes.setdefault(renamed[value.name], _sizes(value))
        return copies

    def _reaxed(self, op: str, name: str, axis: int, made: list[NodeProto]) -> str:
        """`name`, squeezed or unsqueezed."""
        result = self._name(name)
        if self.opset < 13:
            made.append(helper.make_node(op, [name], [result], axes=[axis]))
        else:
            axes = _constant(np.array([axis]), self._name(name))
            made += [axes, helper.make_node(op, [name, axes.output[0]], [result])]
        return result

    def _name(self, near: str) -> str:
        return fresh_name(f"{near}/element", self.names)


@dataclass(frozen=True)
class _Known:
    """The facts about values by name."""

    sequences: Sequences
    constants: Constants
    shapes: Shapes

    def number(self, name: str) -> int | None:
        """The value of the constant scalar `name`."""
        value = self.constants.get(name)
        return int(value.reshape(-1)[0]) if value is not None and value.size == 1 else None

    def position(self, name: str, elements: list[str] | None, extra: int = 0) -> int | None:
        """The value of the constant `name` as a position in [0, len(elements) + extra); None if it is not constant."""
        at = self.number(name)
        if at is None or elements is None:
            return None
        count = len(elements)
        return None if not -count <= at < count + extra else at + count if at < 0 else at


def _constant(value: npt.NDArray[np.generic] | TensorProto, name: str) -> NodeProto:
    tensor = value if isinstance(value, TensorProto) else numpy_helper.from_array(value)
    return helper.make_node("Constant", [], [name], value=tensor)


def _sizes(value: ValueInfoProto) -> list[int | None]:
    dims = value.type.tensor_type.shape.dim
    return [dim.dim_value if dim.HasField("dim_value") else None for dim in dims]


def _key(node: NodeProto) -> str:
    """The key of the result of `node` in the table of sequences."""
    name: str = node.output[0]
    return _OPTIONAL + name if node.op_type == "Optional" else name


def _integer(node: NodeProto, name: str, default: int) -> int:
    return next((int(attribute.i) for attribute in node.attribute if attribute.name == name), default)


def _visit(node: NodeProto, change: Callable[[str], str]) -> None:
    """Applies `change` to every name that `node` and its subgraphs read or write."""
    node.input[:] = [change(name) for name in node.input]
    node.output[:] = [change(name) for name in node.output]
    for graph in subgraphs(node):
        for value in graph.output:
            value.name = change(value.name)
        for inner in graph.node:
            _visit(inner, change)


def _rename(node: NodeProto, renamed: Mapping[str, str]) -> None:
    # Inputs and initializers of subgraphs hide outer names.
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
