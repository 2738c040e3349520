"""Replaces the values of a model's tensors, except for integers that determine shapes.

Floats become ones, because a scale of zero may be invalid, and integers become zeros, because an index of one may be
out of bounds. Large tensors become zeros in an external file that is not included.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from contextlib import suppress

from onnx import FunctionProto, ModelProto, NodeProto, SparseTensorProto, TensorProto

from forge_mlir.errors import ForgeError
from forge_mlir.onnx_model.dtypes import element_type
from forge_mlir.onnx_model.graph import all_graphs, messages_of_type, subgraphs

WEIGHTS = "weights.bin"
"""The external data file of large tensors."""

_SMALL = 64 << 10
_LARGEST = 1 << 44
"""The largest tensor that may be written inline, and the largest file of zeros, in bytes."""
_DECIDING = 64
"""The largest integer tensor that is assumed to determine a shape, in elements."""
_MOST_SCALES = 8
"""The largest tensor of floats that is assumed to do so."""

_ALL = range(8)
_OPERANDS: Mapping[str, range | tuple[int, ...]] = {
    "Reshape": (1,),
    "Expand": (1,),
    "Slice": (1, 2, 3, 4),
    "Squeeze": (1,),
    "Unsqueeze": (1,),
    "Pad": (1, 3),
    "Tile": (1,),
    "Resize": (2, 3),
    "Upsample": (1,),
    "Split": (1,),
    "SplitToSequence": (1,),
    "TopK": (1,),
    "ConstantOfShape": (0,),
    "Range": (0, 1, 2),
    "OneHot": (1,),
    "CumSum": (1,),
    "Loop": (0, 1),
    "If": (0,),
    "Trilu": (1,),
    "DFT": (1, 2),
    "STFT": (1, 3),
    "Col2Im": (1, 2),
    "CenterCropPad": (1,),
    "AffineGrid": (1,),
    "MaxUnpool": (2,),
    "SequenceAt": (1,),
    "SequenceInsert": (2,),
    **dict.fromkeys(("HannWindow", "HammingWindow", "BlackmanWindow", "MelWeightMatrix"), _ALL),
    **dict.fromkeys(
        (
            f"Reduce{kind}"
            for kind in ["Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp", "SumSquare"]
        ),
        (1,),
    ),
}
"""The operands of ONNX ops that determine the shape of a result or which part of the model is executed."""
_SCALES = ("Resize", "Upsample")
"""Ops in which such operands are floats."""

_INTEGERS = {
    TensorProto.INT8,
    TensorProto.INT16,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.UINT8,
    TensorProto.UINT16,
    TensorProto.UINT32,
    TensorProto.UINT64,
    TensorProto.BOOL,
}
_ONE = {
    TensorProto.FLOAT: b"\0\0\x80\x3f",
    TensorProto.DOUBLE: b"\0\0\0\0\0\0\xf0\x3f",
    TensorProto.FLOAT16: b"\0\x3c",
    TensorProto.BFLOAT16: b"\x80\x3f",
}


def without_values(model: ModelProto) -> int:
    """Replaces values in `model`. Returns the size of the file of zeros that large tensors refer to."""
    deciding = _Deciding(model)
    kept = [tensor for graph in all_graphs(model.graph) for tensor in graph.initializer if deciding.has(tensor)]
    for node in _nodes(model):
        if _is_constant(node) and node.output:
            kept += (a.t for a in node.attribute if a.HasField("t") and deciding.has(a.t, node.output[0]))
        _replace_lists(node, deciding)
    for sparse in list(messages_of_type(model, SparseTensorProto)):
        _replace_indices(sparse)
    size, known = 0, set(map(id, kept))  # ids are stable as long as the objects are referenced
    for tensor in list(messages_of_type(model, TensorProto)):
        if id(tensor) not in known:
            size += _replace(tensor, size)
    return size


def _nodes(model: ModelProto) -> list[NodeProto]:
    found: list[NodeProto] = list(messages_of_type(model, NodeProto))
    return found


def _is_of_onnx(node: NodeProto) -> bool:
    return node.domain in ("", "ai.onnx")


def _is_constant(node: NodeProto) -> bool:
    return node.op_type == "Constant" and _is_of_onnx(node)


class _Deciding:
    """The values of a model that determine shapes: certain operands and everything that they are computed from, except
    for values of which only the shape matters. Names are looked up in all graphs of the model."""

    def __init__(self, model: ModelProto) -> None:
        nodes = _nodes(model)
        self._makers: dict[str, list[NodeProto]] = {}
        for node in nodes:
            for name in node.output:
                self._makers.setdefault(name, []).append(node)
        self._functions: dict[str, FunctionProto] = {function.name: function for function in model.functions}
        self._arguments: dict[str, list[str]] = {}
        for node in nodes:
            if (function := self._functions.get(node.op_type)) is not None:
                for name, given in zip(function.input, node.input, strict=False):
                    self._arguments.setdefault(name, []).append(given)
        self.integers = self._sources(nodes, _OPERANDS)
        self.scales = self._sources(nodes, _SCALES)

    def has(self, tensor: TensorProto, name: str = "") -> bool:
        """Whether the tensor, named `name` or by its own name, determines a shape."""
        name, floats = name or tensor.name, tensor.data_type == TensorProto.FLOAT
        few = math.prod(tensor.dims) <= (_MOST_SCALES if floats else _DECIDING)
        known = (floats and name in self.scales) or (tensor.data_type in _INTEGERS and name in self.integers)
        return few and known and tensor.data_location != TensorProto.EXTERNAL

    def _sources(self, nodes: list[NodeProto], ops: Container[str]) -> set[str]:
        todo = [
            node.input[at]
            for node in nodes
            if _is_of_onnx(node) and node.op_type in _OPERANDS and node.op_type in ops
            for at in _OPERANDS[node.op_type]
            if at < len(node.input)
        ]
        found: set[str] = set()
        while todo:
            name = todo.pop()
            if not name or name in found:
                continue
            found.add(name)
            todo += self._arguments.get(name, ())
            for node in self._makers.get(name, ()):
                if node.op_type in ("Shape", "Size"):
                    continue
                todo += node.input
                todo += (value.name for graph in subgraphs(node) for value in graph.output)
                if (function := self._functions.get(node.op_type)) is not None:
                    todo += function.output
        return found


def _replace_lists(node: NodeProto, deciding: _Deciding) -> None:
    """Replaces lists in attributes (of trees and the like), and constants other than tensors."""
    constant = _is_constant(node)
    name = node.output[0] if constant and node.output else ""
    for attribute in node.attribute:
        if node.op_type != "Upsample" and (name not in deciding.scales or len(attribute.floats) > _MOST_SCALES):
            attribute.floats[:] = [1.0] * len(attribute.floats)
        if not constant:
            continue
        if attribute.HasField("f"):
            attribute.f = 1.0
        if attribute.HasField("s"):
            attribute.s = b""
        attribute.strings[:] = [b""] * len(attribute.strings)
        if name not in deciding.integers or len(attribute.ints) > _DECIDING:
            attribute.ints[:] = [0] * len(attribute.ints)
            if attribute.HasField("i"):
                attribute.i = 0


def _replace_indices(sparse: SparseTensorProto) -> None:
    """Replaces indices by those of the first elements, because they must be sorted and unique."""
    count = min(sparse.values.dims[0] if sparse.values.dims else 0, _SMALL // 8, max(math.prod(sparse.dims), 0))
    indices = TensorProto(name=sparse.indices.name, data_type=TensorProto.INT64, dims=[count])
    indices.raw_data = b"".join(at.to_bytes(8, "little") for at in range(count))
    sparse.indices.CopyFrom(indices)
    del sparse.values.dims[:]
    sparse.values.dims.append(count)


def _replace(tensor: TensorProto, begin: int) -> int:
    """Replaces a tensor. Returns the number of bytes that it takes in the file of zeros from `begin` on."""
    kept = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
    kept.doc_string = tensor.doc_string
    kept.metadata_props.extend(tensor.metadata_props)
    count = math.prod(tensor.dims)
    taken = 0
    if tensor.data_type == TensorProto.STRING:
        kept.string_data.extend([b""] * min(max(count, 0), _SMALL))
    elif (nbytes := _nbytes(tensor, count)) is not None:
        if nbytes <= _SMALL:
            kept.raw_data = _ONE[kept.data_type] * count if kept.data_type in _ONE else bytes(nbytes)
        else:
            kept.data_location = TensorProto.EXTERNAL
            for key, value in (("location", WEIGHTS), ("offset", str(begin)), ("length", str(nbytes))):
                kept.external_data.add(key=key, value=value)
            taken = -(-nbytes // 64) * 64
    tensor.CopyFrom(kept)
    return taken


def _nbytes(tensor: TensorProto, count: int) -> int | None:
    with suppress(ForgeError):
        nbytes = element_type(tensor.data_type, "a tensor").nbytes(count)
        return nbytes if min(tensor.dims, default=0) >= 0 and nbytes <= _LARGEST else None
    return None
