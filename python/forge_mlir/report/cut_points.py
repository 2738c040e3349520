"""Finds tensors at which to cut a model so that a single transfer leaves most of its work on the device."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from onnx import ModelProto, NodeProto, ValueInfoProto
from torch_mlir import ir

from forge_mlir.artifact.manifest import Json
from forge_mlir.onnx_model.dtypes import element_type
from forge_mlir.onnx_model.errors import tensor_label
from forge_mlir.onnx_model.graph import names_read
from forge_mlir.report.partition import Traffic


@dataclass(frozen=True)
class CutPoint:
    """Tensors at which to cut: `inputs` at the beginning of the device part, `outputs` at its end (including outputs of
    the model). None on one side means the model's own. `share` is the fraction of all multiply-adds on the device;
    `transfer` are the tensors that cross the cuts."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    transfer: Traffic
    multiply_adds: int
    share: float


@dataclass(frozen=True)
class _Node:
    reads: frozenset[str]
    makes: tuple[str, ...]
    on_cpu: bool
    multiply_adds: int


def suggest_cuts(graph: ModelProto, assigned: ir.Module, manifest: Json) -> tuple[CutPoint, ...]:
    """The best cuts, best first: before the first CPU nodes, after the last ones, and around the largest device
    partition.

    `graph` is the imported model, `assigned` its IR after forge-assign-devices, `manifest` that of the partitioned
    program. Empty for a model that the device can run, or that has no work for it.
    """
    nodes = list(_nodes(graph.graph.node, assigned))
    total = sum(node.multiply_adds for node in nodes)
    own_outputs = [value.name for value in graph.graph.output]
    values = {value.name: value for value in (*graph.graph.input, *graph.graph.value_info, *graph.graph.output)}

    def cut(inputs: Iterable[str], outputs: Iterable[str], multiply_adds: int) -> CutPoint:
        inputs, outputs = tuple(inputs), tuple(outputs)
        transfer = Traffic.of({"bytes": _bytes(values.get(name))} for name in (*inputs, *outputs))
        return CutPoint(inputs, outputs, transfer, multiply_adds, multiply_adds / total)

    if not total or not any(node.on_cpu for node in nodes):
        return ()
    kept, tail = _divided(nodes)
    found = [cut((), _between(kept, tail, own_outputs), _work(kept))]
    kept, head = _divided(nodes[::-1], backwards=True)
    # The model's own outputs would keep what the head computes of them.
    lost = not _made(head).isdisjoint(own_outputs)
    found.append(
        cut(_between(head[::-1], kept, ()), _between(kept[::-1], (), own_outputs) if lost else (), _work(kept))
    )
    largest = max((r for r in manifest["partitions"] if r["kind"] == "device"), key=_partition_work, default=None)
    if largest is not None:
        own_inputs = set(manifest["inputs"])
        names = [value["onnx_name"] for value in manifest["values"]]
        inputs = [names[index] for index in largest["inputs"] if index not in own_inputs]
        found.append(cut(inputs, (names[index] for index in largest["outputs"]), largest["multiply_adds"]))
    best: dict[tuple[tuple[str, ...], tuple[str, ...]], CutPoint] = {}
    for candidate in found:
        if candidate.multiply_adds:
            best.setdefault((candidate.inputs, candidate.outputs), candidate)
    return tuple(sorted(best.values(), key=lambda c: (-c.multiply_adds, len(c.inputs) + len(c.outputs))))


def _partition_work(partition: Json) -> int:
    work: int = partition["multiply_adds"]
    return work


def _made(nodes: Iterable[_Node]) -> set[str]:
    return {name for node in nodes for name in node.makes}


def _work(nodes: Iterable[_Node]) -> int:
    return sum(node.multiply_adds for node in nodes)


def _nodes(nodes: Sequence[NodeProto], assigned: ir.Module) -> Iterator[_Node]:
    """The nodes with their verdicts. Folded constants are left out, because every part can have a copy."""
    verdicts: dict[str, tuple[bool, int]] = {}
    constants: set[str] = set()
    for function in assigned.body.operations:
        for operation in function.regions[0].blocks[0].operations:
            attributes = operation.attributes
            if "torch.onnx_meta.results" not in attributes:
                continue
            names = [name.value for name in attributes["torch.onnx_meta.results"]]
            adds = attributes["forge.multiply_adds"].value if "forge.multiply_adds" in attributes else 0
            is_constant = attributes["name"].value == "onnx.Constant" and not operation.operands
            for name in names:
                verdicts[name] = "forge.cpu" in attributes, adds
                if is_constant:
                    constants.add(name)
    for node in nodes:
        makes = tuple(name for name in node.output if name and name not in constants)
        known = next((verdicts[name] for name in makes if name in verdicts), None)
        if known is not None:
            yield _Node(frozenset(names_read(node)), makes, *known)


def _divided(nodes: Sequence[_Node], *, backwards: bool = False) -> tuple[list[_Node], list[_Node]]:
    """Splits `nodes` into those that do not depend on CPU nodes (on which no CPU node depends), and the others."""
    kept, others = [], []
    touched: set[str] = set()
    for node in nodes:
        near, far = (node.makes, node.reads) if backwards else (node.reads, node.makes)
        if node.on_cpu or not touched.isdisjoint(near):
            touched.update(far)
            others.append(node)
        else:
            kept.append(node)
    return kept, others


def _between(makers: Sequence[_Node], readers: Sequence[_Node], wanted: Sequence[str]) -> list[str]:
    """The values that `makers` produce and that `readers` or `wanted` use, in order of production."""
    read = {name for node in readers for name in node.reads}.union(wanted)
    return [name for node in makers for name in node.makes if name in read]


def _bytes(value: ValueInfoProto | None) -> int | None:
    if value is None or not value.type.tensor_type.HasField("shape"):
        return None
    dims = value.type.tensor_type.shape.dim
    if not all(dim.HasField("dim_value") for dim in dims):
        return None
    element = element_type(value.type.tensor_type.elem_type, tensor_label(value.name))
    return element.nbytes(math.prod(dim.dim_value for dim in dims))
