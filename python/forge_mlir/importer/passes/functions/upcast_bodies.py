"""Computes function bodies of 16-bit floats in float32, as implementations of the whole op do.

Otherwise every intermediate value would be rounded, and the result could be off by an ulp or more.
"""

from __future__ import annotations

from dataclasses import dataclass

from onnx import NodeProto, TensorProto, TypeProto, helper

from forge_mlir.onnx_model.graph import fresh_name

_HALVES = (TensorProto.FLOAT16, TensorProto.BFLOAT16)
_NOT_ARITHMETIC = ("CastLike",)


@dataclass(frozen=True)
class UpcastNode:
    """`nodes`: casts, the node in float32, and casts back; `types` are those of the new values."""

    nodes: list[NodeProto]
    types: dict[str, TypeProto]


def upcast(node: NodeProto, opset: int, types: dict[str, TypeProto], names: set[str]) -> UpcastNode | None:
    """`node` in float32 if it computes in 16-bit floats, otherwise None. Adds the names of new values to `names`."""
    half = [name for name in dict.fromkeys(node.input) if name and _element(types.get(name)) in _HALVES]
    # Before opset 6 Cast has another form. Without types of the results, they cannot be cast back.
    if not half or opset < 6 or node.domain or node.op_type in _NOT_ARITHMETIC:
        return None
    if any(name and not _element(types.get(name)) for name in node.output):
        return None
    prefix = node.name or node.output[0]
    call = NodeProto()
    call.CopyFrom(node)
    call.name = prefix
    before, after, made = [], [], {}
    wide_of = {}
    for name in half:
        wide_of[name] = fresh_name(f"{name}/float32", names)
        made[wide_of[name]] = _as_float(types[name])
        before.append(_cast(name, wide_of[name], TensorProto.FLOAT, prefix))
    call.input[:] = [wide_of.get(name, name) for name in node.input]
    for at, name in enumerate(node.output):
        if name and _element(types[name]) in _HALVES:
            call.output[at] = fresh_name(f"{name}/float32", names)
            made[call.output[at]] = _as_float(types[name])
            after.append(_cast(call.output[at], name, _element(types[name]), prefix))
    return UpcastNode([*before, call, *after], made)


def _element(proto: TypeProto | None) -> int:
    return int(proto.tensor_type.elem_type) if proto is not None else 0


def _as_float(proto: TypeProto) -> TypeProto:
    wide = TypeProto()
    wide.CopyFrom(proto)
    wide.tensor_type.elem_type = TensorProto.FLOAT
    return wide


def _cast(source: str, result: str, to: int, prefix: str) -> NodeProto:
    return helper.make_node("Cast", [source], [result], f"{prefix}/Cast_{result.rpartition('/')[2]}", to=to)
