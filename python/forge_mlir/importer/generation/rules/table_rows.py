"""Indices of the rows of a table, such as one of learnt positions: all rows that a text reads have to exist."""

from __future__ import annotations

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.importer.generation.fold import known_value
from forge_mlir.importer.generation.program import ALL_ZERO, Program, Value
from forge_mlir.importer.generation.sizes import Size
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.onnx_model.storage.weightless import placeholder_of

_MOST_NODES = 200


def indices_of_rows(program: Program, node: NodeProto, rows: Size, indices: Value, at: str) -> str:
    """The indices `at` of `rows` of a table; those in the padding are arbitrary and become 0. Raises OnnxImportError if
    a row that a text reads does not exist, as far as this does not depend on its tokens."""
    if indices.known is not None:
        reads = [program.span.bounds(each)[1] for each in known_value(indices) or []]
    elif indices.counts not in (None, ALL_ZERO):
        reads = [program.held(indices.shape[indices.counts]) - 1]
    elif indices.name == program.ids:
        return at
    else:
        reads = _of_longest_text(program, at)
    if any(not -rows.const <= each < rows.const for each in reads):
        raise lacks_rows(program, node, rows, max(reads, key=abs))
    if indices.known is not None or indices.counts is not None or not indices.padded:
        return at
    at = program.emit("Cast", [at], to=TensorProto.INT64)
    if all(indices.shape[axis].times == 1 for axis in indices.padded):
        for axis in indices.padded:
            at = program.without_padding(at, indices, axis, program.constant(np.array(0, np.int64)))
        return at
    first, last = (program.constant(np.array(each, np.int64)) for each in (-rows.const, rows.const - 1))
    return program.emit("Max", [program.emit("Min", [at, last]), first])


def lacks_rows(program: Program, node: NodeProto, rows: Size, read: int) -> OnnxImportError:
    """The error of a table without the row `read`, which a text of the largest length reads."""
    reason = f"its table has {rows} rows, but a text of {program.capacity} tokens reads row {read}"
    return program.refused(node, reason, hint="give a smaller --max-length")


def _of_longest_text(program: Program, name: str) -> list[int]:
    """The smallest and the largest element of a value for the largest length, with which nothing is padding; empty if
    the value depends on anything else."""
    producers = {output: node for node in program.nodes for output in node.output}
    found, tensors, todo = {}, {}, [name]
    while todo:
        each = todo.pop()
        node = producers.get(each)
        if each in ("", program.length) or each in tensors or (node is not None and id(node) in found):
            continue
        if node is None:
            tensor = program.tensors.get(each)
            if tensor is None or placeholder_of(tensor) is not None:
                return []
            tensors[each] = tensor
            continue
        found[id(node)] = node
        todo += node.input
        if len(found) > _MOST_NODES:
            return []
    return _evaluated(program, name, [node for node in program.nodes if id(node) in found], [*tensors.values()])


def _evaluated(program: Program, name: str, nodes: list[NodeProto], tensors: list[TensorProto]) -> list[int]:
    from onnx.reference import ReferenceEvaluator

    length = numpy_helper.from_array(np.array([program.span.highest], np.int32), program.length)
    graph = helper.make_graph(
        nodes, "rows", [], [helper.make_empty_tensor_value_info(name)], [*tensors, length]
    )  # The rows of a batch have the same length.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", program.opset)])
    try:
        with np.errstate(all="ignore"):
            (made,) = ReferenceEvaluator(model).run(None, {})
    except Exception:  # It raises any exception, such as for an op of onnxruntime.
        return []
    made = np.asarray(made)
    return [int(made.min()), int(made.max())] if made.size and made.dtype.kind in "iu" else []
