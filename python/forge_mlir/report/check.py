"""What the device would refuse of a model, found without writing anything."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from typing import Any, Unpack

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.compiler.compilation import Lowered
from forge_mlir.compiler.integers import unproven
from forge_mlir.compiler.lower import lower
from forge_mlir.compiler.open_dims import open_inputs, trial_shapes
from forge_mlir.compiler.option_types.values import value_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import run_pipeline
from forge_mlir.compiler.pipeline_text import assignment
from forge_mlir.errors import Diagnostic, escaped, quote
from forge_mlir.importer import ImportedModel, OnnxImportError
from forge_mlir.importer.request import ProgramRequest
from forge_mlir.report.cost import CostObserver, CostSummary
from forge_mlir.report.cut_points import CutPoint
from forge_mlir.report.cut_points import suggest_cuts as suggest
from forge_mlir.report.graph.folding import scope_of
from forge_mlir.report.layout import LayoutSummary, layout_report
from forge_mlir.report.partition import PartitionSummary, summarise
from forge_mlir.report.step_cost import StepCost, step_cost


@dataclass(frozen=True)
class Refusal:
    """A node that the device cannot run, and why. `operands` are types; `bind` names graph inputs whose values, given
    at compile time, would decide what the node needs."""

    code: str
    name: str
    op: str
    domain: str
    opset: int
    operands: tuple[str, ...]
    reason: str
    bind: tuple[str, ...]


@dataclass(frozen=True)
class UnprovenIntegers:
    """A node whose integers may leave Int32 on the device. `inputs` are those that --range would have to bound."""

    name: str
    op: str
    domain: str
    opset: int
    reason: str
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """Something about the model that is no node of it."""

    code: str
    message: str


@dataclass(frozen=True)
class Verdict:
    """`refused` are nodes, `errors` what is wrong with the model itself."""

    model: str
    refused: tuple[Refusal, ...]
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    partitions: tuple[PartitionSummary, ...] = ()
    """What runs where; empty for a model that is one device module."""
    cut_points: tuple[CutPoint, ...] | None = None
    """Where to cut the model, the best place first; None unless that was asked for."""
    integers: tuple[UnprovenIntegers, ...] = ()
    """Integer arithmetic that nothing keeps in Int32, in a model that is supported."""
    cost: CostSummary | None = None
    """What the program takes on the device; None unless that was asked for, and for a model that is refused."""
    layout: LayoutSummary | None = None
    """What the device part takes in tiles; None unless that was asked for, and for a model that is refused."""

    step: StepCost | None = None
    """What a program of a language model moves beside what it has to; None unless its cost was asked for."""

    @property
    def supported(self) -> bool:
        return not self.refused and not self.errors

    def json(self) -> dict[str, Any]:
        step = self.step.json() if self.step is not None else None
        return {"verdict": "supported" if self.supported else "refused", **asdict(self), "step": step}


def check(
    source: str | os.PathLike[str] | ModelProto,
    *,
    suggest_cuts: bool = False,
    layout_summary: bool = False,
    cost_summary: bool = False,
    program: ProgramRequest | None = None,
    device: str = "",
    **options: Unpack[Options],
) -> Verdict:
    """Every node of an ONNX model that `compile` would refuse, given the same options, and what would run where.

    With `suggest_cuts` also where to cut the model so that the device runs most of one part, with `layout_summary` what
    it takes in tiles, with `cost_summary` what it takes on the device and what each pass saved; `device` is one of
    docs/cost.md. `program`: of a language model, one of `Generation.programs_for`. Raises ValueError for another
    device.
    """
    label = "model" if isinstance(source, ModelProto) else escaped(source)
    costs = CostObserver(value_of(options, "device_format") or "", device) if cost_summary else None
    try:
        lowered = lower(source, on_pass=costs, traced=cost_summary, program=program, **options)
    except OnnxImportError as error:
        first = Problem(error.code, error.message.removeprefix(f"{label}: "))
        return Verdict(label, (), (first, *(Problem(found.code, str(found)) for found in error.details)), ())
    if lowered.imported is not None and (tried := _with_sizes(source, lowered.imported, options)):
        shapes, other = tried
        sizes = ", ".join(f"{quote(name)} as {shape}" for name, shape in shapes.items())
        note = f"checked with {sizes}, because these inputs are open"
        told = Diagnostic("warning", note, code=Code.DynamicShape)
        lowered = replace(other, diagnostics=(*lowered.diagnostics, told, *other.diagnostics), emitted=None)
    verdict = verdict_of(lowered)
    cut_points = _cut_points(source, options) if suggest_cuts else None
    layout = None
    if layout_summary and lowered.emitted is not None and lowered.imported is not None:
        layout = layout_report(lowered.imported, options)
    cost = costs.summary(scopes_of(lowered)) if costs and lowered.emitted is not None else None
    step = None
    if cost is not None and lowered.emitted is not None and lowered.imported is not None:
        roles = lowered.imported.generation
        step = step_cost(cost, lowered.emitted.main.manifest, roles) if roles is not None else None
    return replace(verdict, cut_points=cut_points, cost=cost, layout=layout, step=step)


def scopes_of(lowered: Lowered) -> dict[str, tuple[str, ...]]:
    """Where exporters say that nodes are, by the names that calls have for nodes; of a model that was kept."""
    graph = lowered.imported.graph if lowered.imported else None
    return {
        node.name or next(filter(None, node.output), ""): scope_of(
            node.name, {entry.key: entry.value for entry in node.metadata_props}
        )
        for node in (graph.graph.node if graph else ())
    }


def verdict_of(lowered: Lowered) -> Verdict:
    """What the diagnostics of a model come to."""
    refused, errors, warnings = [], [], []
    for diagnostic in lowered.diagnostics:
        problem = Problem(diagnostic.code, "; ".join((diagnostic.message, *diagnostic.notes)))
        if diagnostic.severity == "warning":
            warnings.append(problem)
        elif diagnostic.severity == "error" and diagnostic.op:
            refused.append(_refusal(diagnostic))
        elif diagnostic.severity == "error":
            errors.append(problem)
    if lowered.emitted is None and not refused and not errors:
        errors.append(Problem(Code.ModelRefused, "it cannot be compiled"))
    partitions = summarise(lowered.emitted.main.manifest) if lowered.emitted else ()
    integers = tuple(
        UnprovenIntegers(found.onnx_node, found.op, found.domain, found.opset, found.reason, found.bind)
        for found in unproven(lowered.diagnostics)
        if found.severity == "remark"
    )
    return Verdict(lowered.label, tuple(refused), tuple(errors), tuple(warnings), partitions, integers=integers)


def _with_sizes(
    source: str | os.PathLike[str] | ModelProto, imported: ImportedModel, options: Options
) -> tuple[dict[str, list[int]], Lowered] | None:
    """A model with open inputs, lowered with shapes that suit it: what else there is to say about it. None for a model
    that has none, or fits no shape that is tried."""
    found = open_inputs(imported)
    if not found or value_of(options, "fallback") != "error":
        return None
    best = None
    for shapes in trial_shapes(found):
        trial: Options = {**options, "input_shapes": {**(options.get("input_shapes") or {}), **shapes}}
        try:
            lowered = lower(source, **trial)
        except OnnxImportError:
            continue
        if best is None or lowered.emitted is not None:
            best = (shapes, lowered)
        if lowered.emitted is not None:
            break
    return best


def _cut_points(source: str | os.PathLike[str] | ModelProto, options: Options) -> tuple[CutPoint, ...]:
    options = {**options, "fallback": "cpu"}
    lowered = lower(source, **options)
    if lowered.imported is None or lowered.imported.graph is None or lowered.emitted is None:
        return ()
    module = lowered.imported.module
    run_pipeline(module, assignment(options), lowerings=options.get("lowerings", ()))
    return suggest(lowered.imported.graph, module, lowered.emitted.main.manifest)


def _refusal(found: Diagnostic) -> Refusal:
    return Refusal(
        found.code, found.onnx_node, found.op, found.domain, found.opset, found.operands, found.reason, found.bind
    )
