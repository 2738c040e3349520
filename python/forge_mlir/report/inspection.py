"""The contents of an ONNX file, without compiling it."""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal, Unpack

import onnx.defs
from onnx import ModelProto, TensorProto

from forge_mlir.compiler.lower import is_known
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import escaped
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.onnx_model.dtypes import element_text
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.onnx_model.graph import all_graphs
from forge_mlir.onnx_model.names import check_names
from forge_mlir.onnx_model.storage.weightless import WeightlessModel
from forge_mlir.report.check import Verdict, check
from forge_mlir.report.graph.view import ValueRow, bytes_of, value_of_info
from forge_mlir.support.opsets import declared_opsets
from forge_mlir.support.sandbox import isolated

_MOST_WEIGHTS = 10


@dataclass(frozen=True)
class OpCount:
    """The number of uses of an op, including bodies of If, Loop and Scan. `converter`: "yes", "body" if ONNX defines it
    by other ops, "model" for a model-local function, "no"."""

    domain: str
    op: str
    opset: int
    count: int
    converter: Literal["yes", "body", "model", "no"]


@dataclass(frozen=True)
class WeightSizes:
    """The initializers of one dtype: their number, elements and bytes."""

    dtype: str
    tensors: int
    elements: int
    bytes: int


@dataclass(frozen=True)
class Inspection:
    """`bytes` is the size of the file, without external data; `verdict` is None unless requested."""

    model: str
    bytes: int
    ir_version: int
    producer: str
    opsets: dict[str, int]
    inputs: dict[str, ValueRow]
    outputs: dict[str, ValueRow]
    nodes: int
    functions: int
    ops: tuple[OpCount, ...]
    weights: tuple[WeightSizes, ...]
    largest: tuple[tuple[str, str, tuple[int, ...], int], ...]
    """Name, dtype, shape and bytes of the largest initializers."""
    verdict: Verdict | None = None

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict and self.verdict.json()}


def inspect_model(path: str | os.PathLike[str], *, refusals: bool = True, **options: Unpack[Options]) -> Inspection:
    """Reads a model without its weights, in a child process; `refusals` adds the verdict of `check`. Nothing is
    written. Raises ForgeError for a file that is not a readable model."""
    label = escaped(path)
    try:
        weightless, _ = scan_source(path)
        size = os.stat(path).st_size
        found = isolated("onnx", partial(_inspected, label, size, weightless), limits_of(options), label)
    except OnnxImportError as error:
        raise error.in_model(label) from error.__cause__
    return replace(found, verdict=check(path, **options)) if refusals else found


def _inspected(label: str, size: int, weightless: WeightlessModel) -> Inspection:
    """The part that runs in the child process."""
    model = weightless.parsed()
    check_names(model)
    graphs = list(all_graphs(model.graph))
    opsets = {domain if domain != "ai.onnx" else "": version for domain, version in declared_opsets(model).items()}
    tensors = [tensor for graph in graphs for tensor in graph.initializer]
    known = {tensor.name for tensor in model.graph.initializer}
    return Inspection(
        label,
        size,
        model.ir_version,
        " ".join(filter(None, (model.producer_name, model.producer_version))),
        opsets,
        {info.name: value_of_info(info) for info in model.graph.input if info.name not in known},
        {info.name: value_of_info(info) for info in model.graph.output},
        sum(len(graph.node) for graph in graphs),
        len(model.functions),
        _ops(model, opsets, Counter((node.domain, node.op_type) for graph in graphs for node in graph.node)),
        _sizes(tensors),
        tuple(
            (tensor.name, element_text(tensor.data_type), tuple(tensor.dims), bytes_of(tensor))
            for tensor in sorted(tensors, key=bytes_of, reverse=True)[:_MOST_WEIGHTS]
        ),
    )


def _ops(model: ModelProto, opsets: dict[str, int], counts: Counter[tuple[str, str]]) -> tuple[OpCount, ...]:
    own = {(function.domain, function.name) for function in model.functions}
    found = []
    for (domain, op), count in counts.most_common():
        domain = "" if domain == "ai.onnx" else domain
        opset = opsets.get(domain, 1)
        converter: Literal["yes", "body", "model", "no"] = "no"
        if is_known(domain, op, opset):
            converter = "yes"
        elif (domain, op) in own:
            converter = "model"
        elif onnx.defs.has(op, opset, domain) and _has_body(op, opset, domain):
            converter = "body"
        found.append(OpCount(domain, op, opset, count, converter))
    return tuple(found)


def _has_body(op: str, opset: int, domain: str) -> bool:
    schema = onnx.defs.get_schema(op, opset, domain)
    return bool(schema.has_function or schema.has_context_dependent_function)


def _sizes(tensors: list[TensorProto]) -> tuple[WeightSizes, ...]:
    found: dict[str, WeightSizes] = {}
    for tensor in tensors:
        dtype = element_text(tensor.data_type)
        known = found.get(dtype, WeightSizes(dtype, 0, 0, 0))
        found[dtype] = WeightSizes(
            dtype, known.tensors + 1, known.elements + math.prod(tensor.dims), known.bytes + bytes_of(tensor)
        )
    return tuple(sorted(found.values(), key=lambda row: -row.bytes))
