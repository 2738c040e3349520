"""Extracts a part of a graph: the nodes between chosen tensors."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from onnx import GraphProto, NodeProto, ValueInfoProto

from forge_mlir.codes import Code
from forge_mlir.importer.request import Extraction
from forge_mlir.onnx_model.errors import import_error, quote, tensor_label
from forge_mlir.onnx_model.graph import all_names, fresh_name, names_read


def extract_graph(graph: GraphProto, extraction: Extraction) -> None:
    """Removes all nodes except those that the outputs of `extraction` depend on and that follow its inputs.

    The graph has to be sorted and typed. Its inputs become those of `extraction`, followed by those of its own inputs
    that are still used. Raises OnnxImportError for a tensor that does not exist, has no known type, or does not affect
    the outputs.
    """
    types = {value.name: value for value in (*graph.input, *graph.value_info, *graph.output)}
    constants = {tensor.name for tensor in graph.initializer}
    own = [value.name for value in graph.input if value.name not in constants]
    made = {name for node in graph.node for name in node.output if name}
    outputs = _distinct(extraction.outputs) or [value.name for value in graph.output]
    for name in (*extraction.inputs, *outputs):
        if name not in made and name not in own and (name in extraction.inputs or name not in constants):
            raise _unknown(name, (*made, *own))
    begins = _distinct(extraction.inputs)
    nodes, read = _between(graph.node, set(begins), outputs)
    if unused := [name for name in begins if name not in read]:
        raise import_error(
            Code.ExtractInvalid,
            "the outputs do not need it, so the extracted part cannot begin there",
            where=tensor_label(unused[0]),
        )
    inputs = begins + [name for name in own if name in read and name not in begins]
    taken = all_names(graph)
    for node in nodes:  # A begin may be one of several results of a node whose other results are needed.
        node.output[:] = [fresh_name(name, taken) if name in begins else name for name in node.output]
    kept = {name for node in nodes for name in node.output}
    part = GraphProto(name=graph.name)
    part.node.extend(nodes)
    part.input.extend(_typed(types, name) for name in inputs)
    part.output.extend(_typed(types, name) for name in outputs)
    part.value_info.extend(value for value in graph.value_info if value.name in kept and value.name not in outputs)
    part.initializer.extend(tensor for tensor in graph.initializer if tensor.name in read)
    graph.CopyFrom(part)


def _between(nodes: Sequence[NodeProto], begins: set[str], outputs: Iterable[str]) -> tuple[list[NodeProto], set[str]]:
    """The nodes that compute `outputs` from `begins`, and all values that they read."""
    read = set(outputs)
    needed = []
    for node in reversed(nodes):
        if any(name in read and name not in begins for name in node.output):
            needed.append(node)
            read |= names_read(node)
    return needed[::-1], read


def _typed(types: dict[str, ValueInfoProto], name: str) -> ValueInfoProto:
    found = types.get(name)
    if found is None or not found.type.WhichOneof("value"):
        raise import_error(
            Code.ExtractInvalid,
            "its type is not known, so the extracted part cannot begin or end there",
            where=tensor_label(name),
        )
    return found


def _unknown(name: str, known: Iterable[str]) -> Exception:
    close = difflib.get_close_matches(name, known, n=3)
    hint = f"close to it: {', '.join(map(quote, close))}" if close else ""
    return import_error(Code.ExtractInvalid, f"there is no tensor {quote(name)} to extract at", hint=hint)


def _distinct(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
