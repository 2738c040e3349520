"""The graph of a model at its stages, for viewers: Model Explorer's JSON, and an ONNX file that Netron opens."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from onnx import AttributeProto, FunctionProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper
from torch_mlir import ir

from forge_mlir.compiler.options import Options
from forge_mlir.onnx_model.dtypes import element_by_name, name_of_ir_type
from forge_mlir.report.graph.ir_stages import named_in, stages_of

Json = dict[str, Any]

FORGE_DOMAIN, PARTITION_DOMAIN = "forge", "forge.partition"
"""The domains of forge ops, and of partitions as functions, in ONNX files of lowered graphs."""

_LONGEST_ATTRIBUTE = 200
_IR_VERSION, _OPSET = 10, 18
_SHAPED = re.compile(r"tensor<((?:[0-9?]+x)*)(\w+)>|!torch\.vtensor<\[([0-9?,]*)\],(\w+)>")


@dataclass(frozen=True)
class _Node:
    """An op, or the arguments of a function; its id is its position in the function."""

    kind: str
    names: tuple[str, ...]
    attributes: dict[str, ir.Attribute]
    operands: tuple[tuple[int, int], ...]
    """For each operand, the node that produces it and the index among its results."""
    types: tuple[str, ...]
    """The types of the results."""


@dataclass(frozen=True)
class _Function:
    name: str
    is_driver: bool
    nodes: tuple[_Node, ...]
    """The arguments come first, the returned values last."""


def to_model_explorer(source: str | os.PathLike[str] | ModelProto, **options: Unpack[Options]) -> str:
    """A graph for each function after the import and after each pass that changed it, as read by Model Explorer. If a
    pass fails, the graphs end before it. Raises ForgeError for a model that cannot be imported."""
    graphs: list[Json] = []
    last: dict[str, list[Json]] = {}
    for at, (stage, module) in enumerate(stages_of(source, options, [])):
        for function in _functions(module):
            nodes = [_explorer_node(number, node) for number, node in enumerate(function.nodes)]
            if last.get(function.name) != nodes:
                graphs.append({"id": f"{at:02} {stage}: {function.name}", "nodes": nodes})
                last[function.name] = nodes
    return json.dumps(graphs)


def to_onnx(source: str | os.PathLike[str] | ModelProto, **options: Unpack[Options]) -> ModelProto:
    """The lowered graph as an ONNX model whose ops are forge ops, each of which is a Forge call, and whose functions
    are partitions. It is for viewers: it cannot be executed and contains no weights.

    Raises ForgeError for a model that cannot be compiled.
    """
    *_, (_, module) = stages_of(source, options, [], strict=True)
    functions = _functions(module)
    main = next((function for function in functions if function.is_driver), functions[0])
    graph = helper.make_graph(*_onnx_body(main))
    opsets = [helper.make_opsetid(domain, version) for domain, version in _domains(functions)]
    others = [_onnx_function(function, opsets) for function in functions if function is not main]
    return helper.make_model(
        graph, functions=others, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="forge-mlir"
    )


def _functions(module: ir.Module) -> list[_Function]:
    found = []
    for op in module.body.operations:
        if op.operation.name != "func.func":
            continue
        attributes = op.operation.attributes
        name = ir.StringAttr(attributes["sym_name"]).value
        kind = str(attributes["forge.partition"]) if "forge.partition" in attributes else ""
        found.append(_Function(name, kind == '"driver"', tuple(_nodes(op.operation))))
    return found


def _nodes(function: ir.Operation) -> Iterator[_Node]:
    """The ops of a function, including nested regions, in order."""
    made: dict[ir.Value, tuple[int, int]] = {}
    count = 0

    def visit(block: ir.Block) -> Iterator[_Node]:
        nonlocal count
        arguments = list(block.arguments)
        made.update({value: (count, at) for at, value in enumerate(arguments)})
        yield _Node("arguments", (), {}, (), tuple(str(value.type) for value in arguments))
        count += 1
        for view in block.operations:
            op = view.operation
            operands = tuple(made[value] for value in op.operands)
            attributes = {name: op.attributes[name] for name in op.attributes}
            made.update({value: (count, at) for at, value in enumerate(op.results)})
            types = tuple(str(value.type) for value in op.results)
            yield _Node(op.name, named_in(str(op.location)), attributes, operands, types)
            count += 1
            for region in op.regions:
                for inner in region.blocks:
                    yield from visit(inner)

    for region in function.regions:
        for block in region.blocks:
            yield from visit(block)


def _explorer_node(number: int, node: _Node) -> Json:
    name = node.names[0] if node.names else ""
    attributes = {key: _text(value) for key, value in node.attributes.items()}
    if node.names:
        attributes["ONNX nodes"] = ", ".join(node.names)
    return {
        "id": str(number),
        "label": attributes.pop("name", node.kind) if node.kind == "torch.operator" else node.kind,
        # The last component is the node's own name.
        "namespace": "/".join([part for part in name.split("/") if part][:-1]),
        "attrs": [{"key": key, "value": value} for key, value in attributes.items()],
        "incomingEdges": [
            {"sourceNodeId": str(source), "sourceNodeOutputId": str(output), "targetNodeInputId": str(at)}
            for at, (source, output) in enumerate(node.operands)
        ],
        "outputsMetadata": [
            {"id": str(at), "attrs": [{"key": "type", "value": kind}]} for at, kind in enumerate(node.types)
        ],
    }


def _onnx_body(
    function: _Function,
) -> tuple[list[NodeProto], str, list[ValueInfoProto], list[ValueInfoProto]]:
    arguments, *inner, returned = function.nodes
    nodes = [_onnx_node(number, node) for number, node in enumerate(inner, 1)]
    inputs = [_value(_name(0, at), kind) for at, kind in enumerate(arguments.types)]
    known = [node.types for node in function.nodes]
    outputs = [_value(_name(*result), known[result[0]][result[1]]) for result in returned.operands]
    return nodes, function.name, inputs, outputs


def _onnx_function(function: _Function, opsets: Any) -> FunctionProto:
    nodes, name, inputs, outputs = _onnx_body(function)
    names = ([value.name for value in values] for values in (inputs, outputs))
    return helper.make_function(PARTITION_DOMAIN, name, *names, nodes, opsets)


def _onnx_node(number: int, node: _Node) -> NodeProto:
    attributes = dict(node.attributes)
    domain, _, kind = node.kind.rpartition(".")
    if node.kind == "forge.run":
        domain, kind = PARTITION_DOMAIN, _text(attributes.pop("callee")).lstrip("@")
    elif node.kind == "torch.operator":  # a CPU node
        domain, _, kind = _text(attributes.pop("name")).rpartition(".")
    proto = NodeProto(
        op_type=kind,
        domain=domain,
        name=f"{node.names[0] if node.names else kind}#{number}",
        input=[_name(*result) for result in node.operands],
        output=[_name(number, at) for at in range(len(node.types))],
    )
    proto.attribute.extend(_attribute(name, value) for name, value in attributes.items())
    return proto


def _attribute(name: str, value: ir.Attribute) -> AttributeProto:
    """Numbers and lists of numbers are stored as such, other attributes as text."""
    name = re.sub(r"\W", "_", name)
    if isinstance(value, ir.IntegerAttr):
        return helper.make_attribute(name, int(ir.IntegerAttr(value).value))
    if isinstance(value, ir.FloatAttr):
        return helper.make_attribute(name, float(ir.FloatAttr(value).value))
    if isinstance(value, ir.DenseI64ArrayAttr):
        return helper.make_attribute(name, list(ir.DenseI64ArrayAttr(value)), attr_type=AttributeProto.INTS)
    return helper.make_attribute(name, _text(value))


def _domains(functions: list[_Function]) -> list[tuple[str, int]]:
    domains = {_onnx_node(0, node).domain for function in functions for node in function.nodes[1:-1]}
    return [("", _OPSET), *((domain, 1) for domain in sorted(domains | {FORGE_DOMAIN}))]


def _value(name: str, kind: str) -> ValueInfoProto:
    shaped = _SHAPED.fullmatch(kind)
    if shaped is None:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, None, doc_string=kind)
    sizes = shaped[1].split("x")[:-1] if shaped[2] else [size for size in shaped[3].split(",") if size]
    element = name_of_ir_type(shaped[2] or shaped[4])
    dtype = element_by_name(element).code if element else TensorProto.FLOAT
    return helper.make_tensor_value_info(name, dtype, [None if size == "?" else int(size) for size in sizes])


def _name(node: int, result: int) -> str:
    return f"v{node}_{result}" if result else f"v{node}"


def _text(value: ir.Attribute) -> str:
    text = value.value if isinstance(value, ir.StringAttr) else str(value)
    return text if len(text) <= _LONGEST_ATTRIBUTE else f"{text[:_LONGEST_ATTRIBUTE]} ..."
