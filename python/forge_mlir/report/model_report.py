"""Everything about one model, as data: `forge-mlir report`."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Unpack

import onnx
from onnx import ModelProto, NodeProto, printer

from forge_mlir.artifact.calls import calls_of
from forge_mlir.compiler.compilation import Lowered
from forge_mlir.compiler.lower import import_model, lower
from forge_mlir.compiler.option_values import command_line, value_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.dtypes import element_text
from forge_mlir.onnx_model.graph import constant_value
from forge_mlir.report.check import Verdict, verdict_of
from forge_mlir.report.cost import CostObserver, layer_of
from forge_mlir.report.ir_stages import Stages, stages_of
from forge_mlir.report.layout import layout_report
from forge_mlir.support.progress import phase

Json = dict[str, Any]

# A line of a report shows a node, not a table of numbers.
_LONGEST_TEXT = 2000


@dataclass(frozen=True)
class NodeRow:
    """An ONNX node: what it is, what became of it at each stage (IR by the name of the pass), and the emitted lines.

    `side` is device, cpu or refused; `relative` its error alone, None where it was not compared.
    """

    name: str
    op: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    source: str
    side: str
    reason: str = ""
    stages: dict[str, list[str]] = field(default_factory=dict)
    emitted: tuple[str, ...] = ()
    relative: float | None = None


@dataclass(frozen=True)
class WeightRow:
    name: str
    dtype: str
    shape: tuple[int, ...]
    bytes: int


@dataclass(frozen=True)
class ModelReport:
    """`verdict` as `check` gives it; `layers` are tiles per layer; `phases` seconds."""

    model: str
    verdict: Verdict
    inputs: tuple[Json, ...]
    outputs: tuple[Json, ...]
    command: tuple[str, ...]
    versions: Json
    nodes: tuple[NodeRow, ...]
    onnx_ops: dict[str, int]
    calls: dict[str, int]
    weights: tuple[WeightRow, ...]
    layers: tuple[Json, ...]
    phases: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What could not be told, and why."""

    def json(self) -> Json:
        return {**asdict(self), "verdict": self.verdict.json()}


def model_report(source: str | os.PathLike[str] | ModelProto, **options: Unpack[Options]) -> ModelReport:
    """What `forge-mlir report` tells about a model. Raises ForgeError for one that cannot be read at all; one that is
    refused has a report too."""
    costs = CostObserver(value_of(options, "device_format") or "")
    lowered = lower(source, on_pass=costs, **options)
    label = lowered.label
    verdict = replace(verdict_of(lowered), cost=costs.summary() if lowered.emitted is not None else None)
    notes: list[str] = []
    imported = lowered.imported
    if imported is None:
        return _of_whole_model(source, lowered, verdict, options)
    graph = imported.graph or import_model(source, traced=True, **options).graph
    assert graph is not None
    sources = _emitted_sources(lowered)
    with phase("stages"):
        stages = Stages()
        for name, module in stages_of(source, options, notes):
            stages.add(name, module)
    calls = [call for text in sources for call in calls_of(text)]
    emitted: dict[str, list[str]] = {}
    for call in calls:
        if call.node:
            emitted.setdefault(call.node, []).append(call.text)
    cpu = {node.name: node.reason for partition in verdict.partitions for node in partition.cpu_nodes}
    refused = {row.name: row.reason for row in verdict.refused}
    nodes = [node for node in graph.graph.node if constant_value(node) is None]
    rows = tuple(_row(node, stages, emitted, cpu, refused) for node in nodes)
    return ModelReport(
        label,
        verdict,
        tuple(info._asdict() for info in imported.inputs),
        tuple(info._asdict() for info in imported.outputs),
        tuple(command_line(options)),
        lowered.facts["versions"],
        rows,
        dict(Counter(node.op_type for node in nodes).most_common()),
        dict(Counter(call.callee for call in calls).most_common()),
        tuple(
            sorted(
                (WeightRow(ref.name, ref.dtype, ref.shape, ref.nbytes) for ref in imported.weights.values()),
                key=lambda row: -row.bytes,
            )
        ),
        _layers(imported, verdict, options, notes),
        notes=tuple(notes),
    )


def _of_whole_model(
    source: str | os.PathLike[str] | ModelProto, lowered: Lowered, verdict: Verdict, options: Options
) -> ModelReport:
    """The report on a model that has no IR: its nodes, all of which run on the CPU."""
    model = source if isinstance(source, ModelProto) else onnx.load(os.fspath(source), load_external_data=False)
    nodes = [node for node in model.graph.node if constant_value(node) is None]
    reason = lowered.warnings[0].message if lowered.warnings else ""
    cpu = {node.name or next(filter(None, node.output), ""): reason for node in nodes}
    weights = [
        WeightRow(tensor.name, element_text(tensor.data_type), tuple(tensor.dims), tensor.ByteSize())
        for tensor in model.graph.initializer
    ]
    facts = lowered.facts
    return ModelReport(
        lowered.label,
        verdict,
        tuple(facts["onnx"]["inputs"]),
        tuple(facts["onnx"]["outputs"]),
        tuple(command_line(options)),
        facts["versions"],
        tuple(_row(node, Stages(), {}, cpu, {}) for node in nodes),
        dict(Counter(node.op_type for node in nodes).most_common()),
        {},
        tuple(sorted(weights, key=lambda row: -row.bytes)),
        (),
        notes=(reason,),
    )


def _row(
    node: NodeProto, stages: Stages, emitted: dict[str, list[str]], cpu: dict[str, str], refused: dict[str, str]
) -> NodeRow:
    name = node.name or next(filter(None, node.output), "")
    side = "refused" if name in refused else "cpu" if name in cpu else "device"
    text = printer.to_text(node).strip()
    return NodeRow(
        name,
        node.op_type,
        node.domain,
        tuple(filter(None, node.input)),
        tuple(filter(None, node.output)),
        text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ...",
        side,
        refused.get(name) or cpu.get(name, ""),
        stages.of(name),
        tuple(emitted.get(name, ())),
    )


def _emitted_sources(lowered: Lowered) -> list[str]:
    if lowered.emitted is None:
        return []
    return [part.python for part in lowered.emitted.parts or (lowered.emitted.main,)]


def _layers(imported: ImportedModel, verdict: Verdict, options: Options, notes: list[str]) -> tuple[Json, ...]:
    """Tiles per layer: the first two parts of the names of nodes."""
    if not verdict.supported or verdict.partitions:
        notes.append("tiles are told for models that are one device module")
        return ()
    try:
        values = layout_report(imported, options).values
    except ForgeError as error:
        notes.append(f"tiles: {error.message}")
        return ()
    found: dict[str, Counter[str]] = {}
    for value in values:
        if value["op"] == "argument" or "bytes" not in value:
            continue
        row = found.setdefault(layer_of(value["node"]), Counter())
        row.update(
            calls=1,
            bytes=value["bytes"],
            bytes_logical=value["bytes_logical"],
            traffic=value.get("traffic_ttnn", 0),
        )
    return tuple({"layer": layer, **row} for layer, row in found.items())
