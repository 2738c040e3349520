"""Replaces sequences whose elements are known at compile time by their elements.

The device supports only tensors. Nodes that read an element, the length or all of a sequence are rewritten to read the
elements; nodes that construct sequences are removed once they have no users. A Loop that fills or reads a sequence is
unrolled if its trip count is known. Optionals that the model constructs are replaced by their content. Nodes that
depend on a sequence input or on computed positions stay and are refused later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.importer.passes.known_values import known_tensor, known_value
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.graph import (
    all_graphs,
    all_names,
    all_nodes,
    fresh_name,
    names_read,
    node_opset,
    node_where,
    subgraphs,
)
from forge_mlir.onnx_model.hints import is_hint
from forge_mlir.support.opsets import default_opset

_MOST_ELEMENTS = 4096
_MOST_NODES = 1 << 16
_MAKERS = {
    "SequenceEmpty", "SequenceConstruct", "SequenceInsert", "SequenceErase", "SplitToSequence", "SequenceMap",
    "Optional",
}  # fmt: skip
_READERS = {"SequenceAt", "SequenceLength", "ConcatFromSequence", "OptionalHasElement", "OptionalGetElement"}

Constants = dict[str, npt.NDArray[np.generic]]


def resolve_sequences(model: ModelProto) -> bool:
    """Rewrites the sorted and typed `model` in place. Returns whether anything has changed."""
    if not any(node.op_type in _MAKERS and not node.domain for node in all_nodes(model.graph.node)):
        return False
    names = all_names(model.graph)
    _unhide(model.graph, set(), names)
    values = [value for graph in all_graphs(model.graph) for value in (*graph.input, *graph.value_info, *graph.output)]
    lists = {value.name for value in values if value.type.HasField("sequence_type")}
    _Resolver(default_opset(model), names, lists, _MOST_NODES).graph(model.graph, _Known())
    return True


@dataclass
class _Resolver:
    opset: int
    names: set[str]
    lists: set[str]
    """The names of values of the model that are sequences."""
    left: int

    def graph(self, graph: GraphProto, outer: _Known) -> None:
        """Rewrites `graph` and its subgraphs; `outer` are the facts about values of outer graphs."""
        known = outer.copy()
        for tensor in graph.initializer:
            if (value := known_tensor(tensor)) is not None:
                known.constants[tensor.name] = value
        known.add_shapes((*graph.input, *graph.value_info, *graph.output))
        nodes: list[NodeProto] = []
        for node in graph.node:
            self.node(node, known, nodes)
        read = {value.name for value in graph.output}
        kept = []
        for node in reversed(nodes):
            if node.domain or node.op_type not in _MAKERS | {"Identity"} or not read.isdisjoint(node.output):
                kept.append(node)
                read |= names_read(node)
        copies = [NodeProto.FromString(node.SerializeToString()) for node in reversed(kept)]
        del graph.node[:]
        graph.node.extend(copies)

    def node(self, node: NodeProto, known: _Known, nodes: list[NodeProto]) -> None:
        """Appends the replacement of `node` to `nodes`, and what is known about its results to `known`."""
        if node.op_type == "Loop" and not node.domain and names_read(node) & known.sequences.keys():
            unrolled = self._unrolled(node, known.copy())
            if unrolled is not None:
                after, steps = unrolled
                known.update(after)
                nodes += steps
                return
        if node.op_type != "SequenceMap":
            for inner in subgraphs(node):
                self.graph(inner, known)
        opset = node_opset(node) or self.opset
        if (value := known_value(node, known.constants, known.shapes, opset)) is not None:
            known.constants[node.output[0]] = value
        made: list[NodeProto] = []
        if not node.domain and node.op_type in _READERS | _MAKERS | {"Identity"}:
            getattr(self, f"_{node.op_type}")(node, known, made)
        self.left -= len(made)
        if self.left < 0:
            raise import_error(
                Code.ExpansionTooLarge, f"its sequences unroll to more than {_MOST_NODES} nodes", where=node_where(node)
            )
        for part in made:
            self.node(part, known, nodes)
        if not made or node.op_type in _MAKERS:
            nodes.append(node)

    # Each method adds the elements of the sequence that its node constructs to `known`, if they are known, and to
    # `made` nodes that replace the node, or that compute elements which are no values of the model.

    def _SequenceEmpty(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:  # noqa: ARG002
        known.add(node, [])

    def _SequenceConstruct(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:  # noqa: ARG002
        known.add(node, list(node.input))

    def _Identity(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:  # noqa: ARG002
        for table in (known.sequences, known.optionals):
            if node.input[0] in table:
                table[node.output[0]] = table[node.input[0]]

    def _Optional(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:  # noqa: ARG002
        known.optionals[node.output[0]] = [name for name in node.input if name]

    def _OptionalHasElement(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        content = known.optionals.get(_operand(node, 0))
        if content is not None:
            made.append(_constant(np.array(bool(content)), node.output[0]))

    def _OptionalGetElement(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        content = known.optionals.get(node.input[0])
        if content:
            made.append(helper.make_node("Identity", content, node.output, node.name))

    def _SequenceInsert(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:  # noqa: ARG002
        elements = known.sequences.get(node.input[0])
        at = known.position(_operand(node, 2), elements, extra=1)
        if elements is not None and at is not None:
            known.add(node, [*elements[:at], node.input[1], *elements[at:]])

    def _SequenceErase(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:  # noqa: ARG002
        elements = known.sequences.get(node.input[0])
        at = known.position(_operand(node, 1), elements)
        if elements and at is not None:
            known.add(node, elements[:at] + elements[at + 1 :])

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

    def _SplitToSequence(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        axis, shape = _integer(node, "axis", 0), known.shapes.get(node.input[0]) or []
        size = shape[axis] if -len(shape) <= axis < len(shape) else None
        given = _operand(node, 1)
        split = known.constants.get(given) if given else np.array(1)
        if size is None or split is None or split.ndim > 1 or (split.ndim == 0 and int(split) < 1):
            return
        whole = int(split) if split.ndim == 0 else 0
        sizes = [min(whole, size - at) for at in range(0, size, whole)] if whole else [int(part) for part in split]
        if not 0 < len(sizes) <= _MOST_ELEMENTS:
            return
        slices = [self._name(node.output[0]) for _ in sizes]
        if self.opset < 13:
            made.append(helper.make_node("Split", node.input[:1], slices, node.name, axis=axis, split=sizes))
        else:
            lengths = _constant(np.array(sizes), self._name(node.output[0]))
            made += [
                lengths,
                helper.make_node("Split", [node.input[0], lengths.output[0]], slices, node.name, axis=axis),
            ]
        if not given and not _integer(node, "keepdims", 1):
            slices = [self._reaxed("Squeeze", name, axis, made) for name in slices]
        known.add(node, slices)

    def _SequenceMap(self, node: NodeProto, known: _Known, made: list[NodeProto]) -> None:
        elements = known.sequences.get(node.input[0])
        if elements is None:
            return
        lists = [known.sequences.get(name) for name in node.input]
        for name, row in zip(node.input, lists, strict=True):
            if name in self.lists if row is None else len(row) != len(elements):
                return
        body = next(attribute.g for attribute in node.attribute if attribute.name == "body")
        constants, own = self._constants_of(body, node.output[0])
        made += constants
        results: list[list[str]] = [[] for _ in node.output]
        for index in range(len(elements)):
            arguments = [name if row is None else row[index] for name, row in zip(node.input, lists, strict=True)]
            renamed = own | dict(zip((value.name for value in body.input), arguments, strict=True))
            made += self._copied(body, node.output[0], renamed, known)
            for result, value in zip(results, body.output, strict=True):
                result.append(renamed.get(value.name, value.name))
        for name, result in zip(node.output, results, strict=True):
            if name:
                known.sequences[name] = result

    def _unrolled(self, loop: NodeProto, known: _Known) -> tuple[_Known, list[NodeProto]] | None:
        """The nodes of an unrolled Loop, and the facts after it; None if the trip count is unknown. `known` is a copy
        that may be modified."""
        body, left = next(attribute.g for attribute in loop.attribute if attribute.name == "body"), self.left
        trips, condition, states = _operand(loop, 0), _operand(loop, 1), list(loop.input[2:])
        count = known.number(trips) if trips else _MOST_NODES
        constants, own = self._constants_of(body, loop.output[0])
        nodes: list[NodeProto] = []
        for node in constants:
            self.node(node, known, nodes)
        stacked: list[list[str]] = [[] for _ in loop.output[len(states) :]]
        is_conditional = bool(condition)
        for step in range(count if count is not None else 0):
            going = known.number(condition) if is_conditional else 1
            if not going:
                count = None if going is None else step
                break
            first = [_constant(np.array(step, np.int64), self._name(loop.output[0]))]
            if not is_conditional:  # ONNX ignores the condition that the body computes.
                first.append(_constant(np.array(True), self._name(loop.output[0])))
                condition = first[-1].output[0]
            arguments = (first[0].output[0], condition, *states)
            renamed = own | dict(zip((value.name for value in body.input), arguments, strict=True))
            copies = first + self._copied(body, loop.output[0], renamed, known)
            self.left -= len(copies)
            if self.left < 0:
                break
            for node in copies:
                self.node(node, known, nodes)
            condition, *results = [renamed.get(value.name, value.name) for value in body.output]
            states = results[: len(states)]
            for rows, name in zip(stacked, results[len(states) :], strict=True):
                rows.append(name)
        if count is None or self.left < 0 or not all(stacked):
            self.left = left
            return None
        for node in self._loop_results(loop, states, stacked):
            self.node(node, known, nodes)
        return known, nodes

    def _loop_results(self, loop: NodeProto, states: list[str], stacked: list[list[str]]) -> list[NodeProto]:
        """Nodes that give the outputs of an unrolled Loop: the last `states`, and concatenations of `stacked` rows."""
        made: list[NodeProto] = []
        for rows, output in zip(stacked, loop.output[len(states) :], strict=True):
            if output:
                rows = [self._reaxed("Unsqueeze", name, 0, made) for name in rows]
                made.append(helper.make_node("Concat", rows, [output], axis=0))
        for state, output in zip(states, loop.output, strict=False):
            if output:
                made.append(helper.make_node("Identity", [state], [output]))
        return made

    def _constants_of(self, body: GraphProto, near: str) -> tuple[list[NodeProto], dict[str, str]]:
        """The initializers of `body` as Constant nodes, and their new names."""
        nodes = [_constant(tensor, self._name(near)) for tensor in body.initializer]
        return nodes, {tensor.name: node.output[0] for tensor, node in zip(body.initializer, nodes, strict=True)}

    def _copied(self, body: GraphProto, near: str, renamed: dict[str, str], known: _Known) -> list[NodeProto]:
        """Copies of the nodes of `body` with unique names, which are added to `renamed`; their shapes are added to
        `known`."""
        copies = []
        for part in body.node:
            copy = NodeProto.FromString(part.SerializeToString())
            renamed |= {name: self._name(f"{near}/{name}") for name in part.output if name}
            _rename(copy, renamed)
            copies.append(copy)
        known.add_shapes((*body.value_info, *body.output), renamed)
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
    """The facts about values by name: the elements of sequences, the content of optionals (zero or one element),
    constants, and shapes."""

    sequences: dict[str, list[str]] = field(default_factory=dict)
    optionals: dict[str, list[str]] = field(default_factory=dict)
    constants: Constants = field(default_factory=dict)
    shapes: dict[str, list[int | None]] = field(default_factory=dict)

    def copy(self) -> _Known:
        return _Known(dict(self.sequences), dict(self.optionals), dict(self.constants), dict(self.shapes))

    def update(self, other: _Known) -> None:
        self.sequences.update(other.sequences)
        self.optionals.update(other.optionals)
        self.constants.update(other.constants)
        self.shapes.update(other.shapes)

    def add(self, node: NodeProto, elements: list[str]) -> None:
        """Records the sequence that `node` makes."""
        if len(elements) <= _MOST_ELEMENTS:
            self.sequences[node.output[0]] = elements

    def add_shapes(self, values: Iterable[ValueInfoProto], renamed: Mapping[str, str] | None = None) -> None:
        """Records the shapes of `values`, or only of those that are `renamed`, under their new names. Shapes that are
        only declared may be wrong, and are not used."""
        for value in values:
            name = value.name if renamed is None else renamed.get(value.name)
            if name is not None and value.type.tensor_type.HasField("shape") and not is_hint(value):
                dims = value.type.tensor_type.shape.dim
                self.shapes.setdefault(name, [dim.dim_value if dim.HasField("dim_value") else None for dim in dims])

    def number(self, name: str) -> int | None:
        """The value of the constant scalar `name`."""
        value = self.constants.get(name)
        return int(value.reshape(-1)[0]) if value is not None and value.size == 1 else None

    def position(self, name: str, elements: list[str] | None, extra: int = 0) -> int | None:
        """The value of the constant `name` as a position in [0, len(elements) + extra), the last one if `name` is "";
        None if it is not constant."""
        if elements is None:
            return None
        count = len(elements)
        at = self.number(name) if name else count + extra - 1
        if at is None or not -count <= at < count + extra:
            return None
        return at + count if at < 0 else at


def _constant(value: npt.NDArray[np.generic] | TensorProto, name: str) -> NodeProto:
    tensor = value if isinstance(value, TensorProto) else numpy_helper.from_array(value)
    return helper.make_node("Constant", [], [name], value=tensor)


def _operand(node: NodeProto, at: int) -> str:
    """The name of an operand, "" if it is absent."""
    return node.input[at] if at < len(node.input) else ""


def _integer(node: NodeProto, name: str, default: int) -> int:
    return next((int(attribute.i) for attribute in node.attribute if attribute.name == name), default)


def _unhide(graph: GraphProto, outer: set[str], names: set[str]) -> None:
    """Renames inputs and initializers of subgraphs that hide values of outer graphs: the elements of sequences are read
    in other graphs than those that make them."""
    visible = outer.union(_own(graph), *(node.output for node in graph.node))
    for node in graph.node:
        for inner in subgraphs(node):
            renamed = {name: fresh_name(name, names) for name in sorted(_own(inner) & visible)}
            for value in (*inner.input, *inner.initializer, *inner.output, *inner.value_info):
                value.name = renamed.get(value.name, value.name)
            for part in inner.node:
                _rename(part, renamed)
            _unhide(inner, visible, names)


def _own(graph: GraphProto) -> set[str]:
    return {value.name for value in (*graph.input, *graph.initializer)}


def _rename(node: NodeProto, renamed: Mapping[str, str]) -> None:
    """Renames values that `node` and its subgraphs read or write. Inputs and initializers of a subgraph hide outer
    values of their names."""
    node.input[:] = [renamed.get(name, name) for name in node.input]
    node.output[:] = [renamed.get(name, name) for name in node.output]
    for graph in subgraphs(node):
        own = _own(graph)
        visible = {old: new for old, new in renamed.items() if old not in own}
        for value in graph.output:
            value.name = visible.get(value.name, value.name)
        for inner in graph.node:
            _rename(inner, visible)
