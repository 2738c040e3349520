"""The data of a report about one model: `forge-mlir report`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Unpack

from onnx import ModelProto, NodeProto, printer

from forge_mlir.artifact.device_types import DEVICE_TYPES
from forge_mlir.artifact.source.calls import calls_of
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.artifact.writer import PlannedProgram
from forge_mlir.compiler.compilation import Lowered
from forge_mlir.compiler.lower import lower
from forge_mlir.compiler.option_types.values import command_line, limits_of, value_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.importer import ImportedModel
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.onnx_model.dtypes import element_text
from forge_mlir.onnx_model.graph import constant_value
from forge_mlir.report.accuracy import Accuracy
from forge_mlir.report.check import Refusal, Verdict, scopes_of, verdict_of
from forge_mlir.report.cost import CallCost, Cost, CostObserver, PassPoint, layer_of
from forge_mlir.report.graph.families import OTHER, family_of
from forge_mlir.report.graph.folding import Group
from forge_mlir.report.graph.ir_stages import Stages, stages_of
from forge_mlir.report.graph.view import ValueRow, bytes_of, holders_of, partition_of, roles_of, tree_of, values_of
from forge_mlir.report.layout import layout_report
from forge_mlir.support.opsets import default_opset
from forge_mlir.support.progress import phase
from forge_mlir.support.sandbox import isolated

Json = dict[str, Any]

# Constants are cut: a line of IR in the report identifies a node.
_LONGEST_TEXT = 2000


@dataclass(frozen=True)
class NodeRow:
    """An ONNX node, its IR at each stage (by the name of the pass), and the emitted lines.

    `side` is device, cpu or refused; `partition` is the module it runs in, "" if there is only one; `family` as in
    `families`; `cost` is that of the calls that came from it; `roles` are the ONNX names of its inputs; `within` is the
    node whose calls compute it, if it has none of its own. `relative` is its own error, `total` that of its result in
    the module; None if it was not compared, 1e300 if it is not finite.
    """

    name: str
    op: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    source: str
    side: str
    reason: str = ""
    code: str = ""
    family: str = OTHER
    partition: str = ""
    roles: tuple[str, ...] = ()
    within: str = ""
    cost: Cost | None = None
    stages: dict[str, list[str]] = field(default_factory=dict)
    emitted: tuple[str, ...] = ()
    relative: float | None = None
    total: float | None = None


@dataclass(frozen=True)
class CallRow:
    """A call of the emitted modules, in execution order: its line in `module`."""

    module: str
    line: int
    callee: str
    node: str
    text: str


@dataclass(frozen=True)
class WeightRow:
    name: str
    dtype: str
    shape: tuple[int, ...]
    bytes: int


@dataclass(frozen=True)
class ModelReport:
    """`verdict` is that of `check`; `layers` are tiles per layer; `phases` are in seconds. `program` are the calls,
    `costs` those of calls on the device, `passes` the program after each pass; `boxes` fold `nodes`."""

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
    program: tuple[CallRow, ...] = ()
    costs: tuple[CallCost, ...] = ()
    passes: tuple[PassPoint, ...] = ()
    values: Mapping[str, ValueRow] = field(default_factory=dict)
    boxes: tuple[Group | int, ...] = ()
    accuracy: Accuracy | None = None
    """None if the model was not run."""
    phases: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What could not be determined, and why."""
    weight_bytes: int = 0
    """The size of the weights file."""

    def json(self) -> Json:
        boxes = [box if isinstance(box, int) else box.json() for box in self.boxes]
        return {**asdict(replace(self, boxes=())), "verdict": self.verdict.json(), "boxes": boxes}


def model_report(source: str | os.PathLike[str] | ModelProto, **options: Unpack[Options]) -> ModelReport:
    """The report about a model, also for a refused one. Raises ForgeError for a model that cannot be read."""
    costs = CostObserver(value_of(options, "device_format") or "")
    lowered = lower(source, on_pass=costs, traced=True, **options)
    label = lowered.label
    scopes = scopes_of(lowered)
    verdict = replace(verdict_of(lowered), cost=costs.summary(scopes) if lowered.emitted is not None else None)
    notes: list[str] = []
    imported = lowered.imported
    if imported is None:
        return _of_whole_model(source, lowered, verdict, options)
    graph = imported.graph
    assert graph is not None
    with phase("stages"):
        stages = Stages()
        for name, module in stages_of(source, options, notes):
            stages.add(name, module)
    program = _program(lowered)
    nodes = [node for node in graph.graph.node if constant_value(node) is None]
    names = [node.name for node in nodes]
    values = values_of(graph)
    modules = partition_of(nodes, names, ((call.module, call.node) for call in program), verdict.partitions)
    rows = _Rows.of(
        verdict, stages, program, costs.calls if lowered.emitted is not None else (), imported.opset.get("", 1)
    )
    weights, weight_bytes = _weights_of(lowered)
    within = holders_of(nodes, names, rows.emitted)
    return ModelReport(
        label,
        verdict,
        tuple(info._asdict() for info in imported.inputs),
        tuple(info._asdict() for info in imported.outputs),
        tuple(command_line(options)),
        lowered.facts["versions"],
        tuple(rows.row(*each) for each in zip(nodes, names, modules, within, strict=True)),
        dict(Counter(node.op_type for node in nodes).most_common()),
        dict(Counter(call.callee for call in program).most_common()),
        tuple(sorted(weights, key=lambda row: -row.bytes)),
        _layers(imported, verdict, scopes, options, notes),
        program,
        costs.calls if lowered.emitted is not None else (),
        costs.points,
        values,
        tree_of(nodes, names, values, modules, verdict.partitions),
        notes=tuple(notes),
        weight_bytes=weight_bytes,
    )


def _of_whole_model(
    source: str | os.PathLike[str] | ModelProto, lowered: Lowered, verdict: Verdict, options: Options
) -> ModelReport:
    """The report about a model without IR, whose nodes all run on the CPU."""
    weightless, _ = scan_source(source)
    model = ModelProto.FromString(
        isolated("onnx", lambda: weightless.parsed().SerializeToString(), limits_of(options), lowered.label)
    )
    nodes = [node for node in model.graph.node if constant_value(node) is None]
    reason = lowered.warnings[0].message if lowered.warnings else ""
    names = [node.name or next(filter(None, node.output), "") for node in nodes]
    opset = default_opset(model) or 1
    rows = _Rows(Stages(), {}, {}, dict.fromkeys(names, reason), {}, opset)
    values = values_of(model)
    weights = [
        WeightRow(tensor.name, element_text(tensor.data_type), tuple(tensor.dims), bytes_of(tensor))
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
        tuple(rows.row(node, name, "", "") for node, name in zip(nodes, names, strict=True)),
        dict(Counter(node.op_type for node in nodes).most_common()),
        {},
        tuple(sorted(weights, key=lambda row: -row.bytes)),
        (),
        values=values,
        boxes=tree_of(nodes, names, values, [""] * len(nodes), ()),
        notes=(reason,),
        weight_bytes=sum(row.bytes for row in weights),
    )


def _weights_of(lowered: Lowered) -> tuple[list[WeightRow], int]:
    """The tensors of the weights file, and its size; for a refused model, those of the model."""
    if lowered.emitted is None:
        refs = lowered.weights.values()
        return [WeightRow(ref.name, ref.dtype, ref.shape, ref.nbytes) for ref in refs], sum(r.nbytes for r in refs)
    file = WeightsFile()
    PlannedProgram.of(lowered.emitted, lowered.weights, file)
    names = {code: dtype for dtype, (code, _) in DEVICE_TYPES.items()}
    rows = [WeightRow(entry.name, names.get(entry.code, "uint8"), entry.shape, entry.nbytes) for entry in file.entries]
    return rows, file.nbytes


@dataclass(frozen=True)
class _Rows:
    """The facts about nodes, by name."""

    stages: Stages
    emitted: Mapping[str, list[str]]
    costs: Mapping[str, Cost]
    cpu: Mapping[str, str]
    refused: Mapping[str, Refusal]
    opset: int
    """The opset of ONNX's own domain."""

    @staticmethod
    def of(
        verdict: Verdict, stages: Stages, program: Iterable[CallRow], costs: Iterable[CallCost], opset: int
    ) -> _Rows:
        emitted: dict[str, list[str]] = {}
        for call in program:
            if call.node:
                emitted.setdefault(call.node, []).append(call.text)
        sums: dict[str, Cost] = {}
        for call_cost in costs:
            sums[call_cost.node] = sums.get(call_cost.node, Cost()) + call_cost.cost
        cpu = {node.name: node.reason for partition in verdict.partitions for node in partition.cpu_nodes}
        return _Rows(stages, emitted, sums, cpu, {row.name: row for row in verdict.refused}, opset)

    def row(self, node: NodeProto, name: str, partition: str, within: str) -> NodeRow:
        refusal = self.refused.get(name)
        text = printer.to_text(node).strip()
        return NodeRow(
            name,
            node.op_type,
            node.domain,
            tuple(filter(None, node.input)),
            tuple(filter(None, node.output)),
            text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ...",
            "refused" if refusal else "cpu" if name in self.cpu else "device",
            refusal.reason if refusal else self.cpu.get(name, ""),
            refusal.code if refusal else "",
            family_of(node.op_type),
            partition,
            roles_of(node, self.opset),
            within,
            self.costs.get(name),
            self.stages.of(name),
            tuple(self.emitted.get(name, ())),
        )


def _program(lowered: Lowered) -> tuple[CallRow, ...]:
    """The calls of the emitted modules."""
    if lowered.emitted is None:
        return ()
    parts = lowered.emitted.parts or (lowered.emitted.main,)
    return tuple(
        CallRow(part.name, call.line, call.callee, call.node, call.text)
        for part in parts
        for call in calls_of(part.python, part.manifest)
    )


def _layers(
    imported: ImportedModel,
    verdict: Verdict,
    scopes: Mapping[str, tuple[str, ...]],
    options: Options,
    notes: list[str],
) -> tuple[Json, ...]:
    """The number of tiles per layer, as `layer_of` names it."""
    if not verdict.supported or verdict.partitions:
        notes.append("the tile layout is only computed for models that are one device module")
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
        row = found.setdefault(layer_of(value["node"], scopes), Counter())
        row.update(
            calls=1,
            bytes=value["bytes"],
            bytes_logical=value["bytes_logical"],
            traffic=value.get("traffic_ttnn", 0),
        )
    return tuple({"layer": layer, **row} for layer, row in found.items())
