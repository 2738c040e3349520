"""Replaces standard ops without a converter by the function bodies that ONNX defines for them.

Runs after shape inference: a body has an opset of its own, and is typed in a small model of that opset. Its nodes are
annotated with the opset (`node_opset`) if it differs from that of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import onnx
from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TypeProto,
    ValueInfoProto,
)

from forge_mlir.codes import Code
from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.importer.passes.functions.bodies import call_attributes, function_body
from forge_mlir.importer.request import IsKnown
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.graph import (
    all_names,
    all_nodes,
    constant_value,
    fresh_name,
    node_opset,
    node_where,
    set_node_opset,
    subgraphs,
)
from forge_mlir.onnx_model.storage.weightless import placeholder_of
from forge_mlir.support.opsets import declared_opsets

_MAX_DEPTH = 16

Types = dict[str, TypeProto]
Constants = dict[str, TensorProto]
Opsets = Mapping[str, int]


@dataclass(frozen=True)
class Expansion:
    """Expands nodes that `is_known` rejects (none without it), up to `budget` nodes in all."""

    is_known: IsKnown | None = None
    budget: int = MAX_EXPANSION

    def run(self, model: ModelProto) -> None:
        """Expands nodes in all graphs of the typed `model` that have no converter but a function body.

        Nodes of a body are named `<node>/<inner>`. Raises OnnxImportError if the budget is exceeded.
        """
        opsets = declared_opsets(model)
        if self.is_known is None or all(
            self.is_known(node.domain, node.op_type, _opset(node, opsets)) for node in all_nodes(model.graph.node)
        ):
            return
        expander = _Expander(self.is_known, dict(opsets), all_names(model.graph), self.budget, self.budget)
        expander.graph(model.graph, opsets, {}, {}, 0)
        for domain in sorted(set(expander.opsets) - set(opsets)):
            model.opset_import.append(onnx.helper.make_opsetid(domain, expander.opsets[domain]))


@dataclass
class _Expander:
    is_known: IsKnown
    opsets: dict[str, int]
    """The opsets of the model; those that only bodies use are added."""
    names: set[str]
    budget: int
    left: int
    prefixes: set[str] = field(default_factory=set)

    def graph(self, graph: GraphProto, opsets: Opsets, types: Types, constants: Constants, depth: int) -> None:
        """Expands nodes in `graph` and its subgraphs; `types` and `constants` are those of outer graphs."""
        own = _types(graph)  # These names hide those of outer graphs.
        types = {**types, **own}
        constants = {name: tensor for name, tensor in constants.items() if name not in own}
        constants.update((t.name, t) for t in graph.initializer if placeholder_of(t) is None)
        nodes: list[NodeProto] = []
        for node in graph.node:
            self.node(node, opsets, types, constants, nodes, graph, depth)
        if len(nodes) != len(graph.node) or any(new is not old for new, old in zip(nodes, graph.node, strict=True)):
            copies = [NodeProto.FromString(node.SerializeToString()) for node in nodes]
            del graph.node[:]
            graph.node.extend(copies)

    def node(
        self,
        node: NodeProto,
        opsets: Opsets,
        types: Types,
        constants: Constants,
        nodes: list[NodeProto],
        graph: GraphProto,
        depth: int,
    ) -> None:
        """Appends the expansion of `node` to `nodes`, and the types of its inner values to `graph`."""
        for inner_graph in subgraphs(node):
            self.graph(inner_graph, opsets, types, constants, depth)
        value = _constant(node)
        if value is not None:
            constants[node.output[0]] = value
        opset = _opset(node, opsets)
        opsets = {**opsets, node.domain: opset}
        body = None
        if not self.is_known(node.domain, node.op_type, opset) and depth < _MAX_DEPTH:
            body = function_body(node, opset, [types.get(name, TypeProto()) for name in node.input])
        if body is None:
            nodes.append(node)
            return
        from forge_mlir.importer.passes.functions.upcast_bodies import upcast

        wide = upcast(node, opset, types, self.names)
        if wide is not None:
            types.update(wide.types)
            _declare(graph, wide.types)
            for part in wide.nodes:
                self._stamp(part, opsets)
                self.node(part, opsets, types, constants, nodes, graph, depth)
            return
        self.left -= len(body.node)
        if self.left < 0:
            raise import_error(
                Code.ExpansionTooLarge,
                f"function bodies expand to more than {self.budget} nodes",
                where=node_where(node),
                hint="allow more with --max-expansion",
            )
        inner_opsets = declared_opsets(body)
        inlined = self._renamed(node, body, call_attributes(node, opset))
        known = _typed(inlined, node, inner_opsets, types, constants)
        types.update(known)
        _declare(graph, known)
        for inner in inlined:
            self._stamp(inner, inner_opsets)
            self.node(inner, inner_opsets, types, constants, nodes, graph, depth + 1)

    def _stamp(self, node: NodeProto, opsets: Opsets) -> None:
        """Annotates `node` and the nodes in its subgraphs with their opset if it differs from that of the model."""
        version = opsets.get(node.domain, 0)
        if version != self.opsets.setdefault(node.domain, version):
            set_node_opset(node, version)
        for graph in subgraphs(node):
            for inner in graph.node:
                self._stamp(inner, opsets)

    def _renamed(self, node: NodeProto, body: FunctionProto, given: Mapping[str, AttributeProto]) -> list[NodeProto]:
        """The nodes of `body` for the call `node`, with unique names and substituted attributes."""
        prefix = fresh_name(node.name or next(filter(None, node.output), node.op_type), self.prefixes)
        scope = dict.fromkeys((*body.input, *body.output), "")
        scope.update(zip(body.input, node.input, strict=False))
        scope.update((inner, outer) for inner, outer in zip(body.output, node.output, strict=False) if outer)
        inlined = []
        outputs = set(body.output)
        for at, original in enumerate(body.node):
            for name in original.output:
                if name and (name not in scope or (name in outputs and not scope[name])):
                    scope[name] = fresh_name(f"{prefix}/{name}", self.names)
            inlined.append(self._copy(original, scope, given, prefix, at))
        # An output that is also an input needs a node of its own.
        for inner, outer in zip(body.output, node.output, strict=False):
            if outer and inner in body.input:
                source = node.input[list(body.input).index(inner)]
                inlined.append(onnx.helper.make_node("Identity", [source], [outer], f"{prefix}/Identity"))
        return inlined

    def _copy(
        self, original: NodeProto, scope: dict[str, str], given: Mapping[str, AttributeProto], prefix: str, at: int
    ) -> NodeProto:
        node = NodeProto()
        node.CopyFrom(original)
        node.name = f"{prefix}/{original.name or f'{original.op_type}_{at}'}"
        node.input[:] = [scope.get(name, name) for name in original.input]
        node.output[:] = [scope.get(name, name) for name in original.output]
        del node.attribute[:]
        for attribute in original.attribute:
            if not attribute.ref_attr_name:
                node.attribute.add().CopyFrom(attribute)
            elif attribute.ref_attr_name in given:
                filled = node.attribute.add()
                filled.CopyFrom(given[attribute.ref_attr_name])
                filled.name = attribute.name
        for graph in subgraphs(node):
            self._rename_graph(graph, scope, given, prefix)
        return node

    def _rename_graph(
        self, graph: GraphProto, scope: dict[str, str], given: Mapping[str, AttributeProto], prefix: str
    ) -> None:
        scope = dict(scope)
        for name in (*(v.name for v in graph.input), *(t.name for t in graph.initializer)):
            scope[name] = fresh_name(f"{prefix}/{name}", self.names)
        nodes = []
        for at, original in enumerate(graph.node):
            for name in original.output:
                if name:
                    scope[name] = fresh_name(f"{prefix}/{name}", self.names)
            nodes.append(self._copy(original, scope, given, prefix, at))
        for value in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
            value.name = scope.get(value.name, value.name)
        del graph.node[:]
        graph.node.extend(nodes)


def _opset(node: NodeProto, opsets: Opsets) -> int:
    return node_opset(node) or opsets.get(node.domain, 0)


def _typed(
    nodes: list[NodeProto], call: NodeProto, opsets: Opsets, types: Types, constants: Constants
) -> dict[str, TypeProto]:
    """The types of the inner values of a body that inference can determine."""
    reads = dict.fromkeys(name for name in call.input if name)
    model = ModelProto(ir_version=onnx.IR_VERSION)
    model.opset_import.extend(onnx.helper.make_opsetid(domain, version) for domain, version in opsets.items())
    graph = model.graph
    graph.name = "body"
    for name in reads:
        if name in constants:
            graph.initializer.add().CopyFrom(constants[name])
            graph.initializer[-1].name = name
        else:
            graph.input.append(ValueInfoProto(name=name, type=types.get(name)))
    for name in filter(None, call.output):
        graph.output.append(ValueInfoProto(name=name, type=types.get(name)))
    graph.node.extend(nodes)
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=False, data_prop=True)
    except Exception:  # Not essential: the compiler infers types itself.
        return {}
    known = _types(inferred.graph)
    inner = {name for node in nodes for name in node.output if name not in types}
    found = {name: known[name] for name in known if name in inner}
    for node, typed in zip(nodes, inferred.graph.node, strict=True):
        for mine, other in zip(subgraphs(node), subgraphs(typed), strict=True):
            mine.CopyFrom(other)
    return found


def _types(graph: GraphProto) -> Types:
    types = {t.name: onnx.helper.make_tensor_type_proto(t.data_type, tuple(t.dims)) for t in graph.initializer}
    types.update((v.name, v.type) for v in (*graph.output, *graph.value_info, *graph.input))
    return types


def _declare(graph: GraphProto, types: Types) -> None:
    graph.value_info.extend(ValueInfoProto(name=name, type=proto) for name, proto in types.items())


def _constant(node: NodeProto) -> TensorProto | None:
    value = constant_value(node)
    return value if value is not None and placeholder_of(value) is None else None
