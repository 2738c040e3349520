"""Computes quantised values in float: `--quantization=float`.

A QuantizeLinear and a DequantizeLinear with equal scale and zero point round to multiples of the scale and clip to the
range of the quantised type. Here the pair only clips: quantisers remove a Relu or Clip that the range of the type
subsumes. A QuantizeLinear with other users is kept for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from forge_mlir.onnx_model.graph import all_names, constant_value, fresh_name, names_read, subgraphs
from forge_mlir.onnx_model.storage.weightless import placeholder_of
from forge_mlir.support.opsets import default_opset

_DOMAINS = ("", "com.microsoft")
_FIRST_CLIP_OF_INPUTS = 11
_BOUNDS = {
    TensorProto.UINT8: (0, 255),
    TensorProto.INT8: (-128, 127),
    TensorProto.UINT16: (0, 65535),
    TensorProto.INT16: (-32768, 32767),
    TensorProto.UINT4: (0, 15),
    TensorProto.INT4: (-8, 7),
}


@dataclass(frozen=True)
class _Scope:
    """Facts about a graph: its constants, and element types with ranks (None: unknown)."""

    opset: int
    taken: set[str]
    constants: dict[str, TensorProto] = field(default_factory=dict)
    types: dict[str, tuple[int, int | None]] = field(default_factory=dict)

    def inside(self, graph: GraphProto) -> _Scope:
        """The scope of a subgraph, whose names hide those of outer graphs."""
        constants = {tensor.name: tensor for tensor in graph.initializer}
        constants.update((node.output[0], value) for node in graph.node if (value := constant_value(node)) is not None)
        types = {value.name: _type(value) for value in (*graph.input, *graph.value_info, *graph.output)}
        known = {name: tensor for name, tensor in constants.items() if placeholder_of(tensor) is None}
        outer = {name: tensor for name, tensor in self.constants.items() if name not in types}
        return _Scope(self.opset, self.taken, {**outer, **known}, {**self.types, **types})


def compute_pairs_in_float(model: ModelProto) -> int:
    """Rewrites the pairs of the typed `model`, including subgraphs, in place. Returns their number."""
    opset = default_opset(model)
    return _rewrite(model.graph, _Scope(opset, all_names(model.graph)))


def _rewrite(graph: GraphProto, around: _Scope) -> int:
    scope = around.inside(graph)
    quantisers = {node.output[0]: node for node in graph.node if _is(node, "QuantizeLinear")}
    count = 0
    nodes: list[NodeProto] = []
    for node in graph.node:
        count += sum(_rewrite(inner, scope) for inner in subgraphs(node))
        quantiser = quantisers.get(node.input[0]) if _is(node, "DequantizeLinear") else None
        made = None if quantiser is None else _in_float(graph, quantiser, node, scope)
        count += made is not None
        nodes += [node] if made is None else made
    if count:
        read = {value.name for value in graph.output}.union(*map(names_read, nodes))
        alive = [node for node in nodes if not _is(node, "QuantizeLinear") or node.output[0] in read]
        del graph.node[:]
        graph.node.extend(alive)
    return count


def _in_float(graph: GraphProto, quantiser: NodeProto, node: NodeProto, scope: _Scope) -> list[NodeProto] | None:
    """The replacement of a pair; None if the two do not match, or their scale and zero point are not constant."""
    source, result = quantiser.input[0], node.output[0]
    kind, rank = scope.types.get(source, (0, None))
    scale, zero = (_same(quantiser, node, at, scope) for at in (1, 2))
    if scale is None or (zero is None and any(_operand(each, 2) for each in (quantiser, node))):
        return None
    default = _integer(quantiser, "output_dtype", 0) or TensorProto.UINT8
    quantised = default if zero is None else zero.data_type
    blocks = [_integer(each, "block_size", 0) for each in (quantiser, node)]
    same_type = scope.types.get(result, (0, None))[0] == kind == scale.data_type
    if quantised not in _BOUNDS or not same_type or kind not in (TensorProto.FLOAT, TensorProto.FLOAT16) or any(blocks):
        return None
    scales = numpy_helper.to_array(scale)
    zeros = np.zeros(scales.shape) if zero is None else numpy_helper.to_array(zero).astype(np.float64)
    if zeros.shape != scales.shape or scales.size == 0 or not (np.isfinite(scales).all() and (scales > 0).all()):
        return None
    shape = []
    if scales.size > 1:
        axis = _integer(node, "axis", 1)
        if rank is None or not -rank <= axis < rank or axis != _integer(quantiser, "axis", 1) or scales.ndim != 1:
            return None
        shape = [scales.size if at == axis % rank else 1 for at in range(rank)]
    bounds = [
        ((bound - zeros) * scales.astype(np.float64)).astype(scales.dtype).reshape(shape)
        for bound in _BOUNDS[quantised]
    ]
    return _between(graph, node.name, source, result, bounds, scope)


def _between(
    graph: GraphProto, name: str, source: str, result: str, bounds: list[npt.NDArray[np.generic]], scope: _Scope
) -> list[NodeProto]:
    """Computes `result` by clipping `source` to the bounds."""
    if not bounds[0].shape and scope.opset < _FIRST_CLIP_OF_INPUTS:
        return [helper.make_node("Clip", [source], [result], name, min=float(bounds[0]), max=float(bounds[1]))]
    low, high = (fresh_name(f"{result}_{which}", scope.taken) for which in ("low", "high"))
    graph.initializer.extend(numpy_helper.from_array(value, at) for value, at in zip(bounds, (low, high), strict=True))
    if not bounds[0].shape:
        return [helper.make_node("Clip", [source, low, high], [result], name)]
    above = fresh_name(f"{result}_above", scope.taken)
    return [
        helper.make_node("Max", [source, low], [above], f"{name}_low" if name else ""),
        helper.make_node("Min", [above, high], [result], name),
    ]


def _same(a: NodeProto, b: NodeProto, at: int, scope: _Scope) -> TensorProto | None:
    """The constant that is operand `at` of both nodes; None if they differ or are not constant."""
    first, second = (scope.constants.get(_operand(node, at)) for node in (a, b))
    if first is None or second is None or first.data_type != second.data_type:
        return None
    values = (numpy_helper.to_array(first), numpy_helper.to_array(second))
    return first if values[0].shape == values[1].shape and values[0].tobytes() == values[1].tobytes() else None


def _operand(node: NodeProto, at: int) -> str:
    return node.input[at] if at < len(node.input) else ""


def _is(node: NodeProto, op: str) -> bool:
    return node.op_type == op and node.domain in _DOMAINS


def _integer(node: NodeProto, name: str, default: int) -> int:
    return next((int(each.i) for each in node.attribute if each.name == name), default)


def _type(value: ValueInfoProto) -> tuple[int, int | None]:
    tensor = value.type.tensor_type
    return tensor.elem_type, len(tensor.shape.dim) if tensor.HasField("shape") else None
