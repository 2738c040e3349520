"""Finds the nodes of a model that the device cannot run, without writing files."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from typing import Any, Unpack

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.compiler.compilation import Lowered
from forge_mlir.compiler.integers import unproven
from forge_mlir.compiler.lower import import_model, lower
from forge_mlir.compiler.open_dims import open_inputs, trial_shapes
from forge_mlir.compiler.option_types.values import value_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import run_pipeline
from forge_mlir.compiler.pipeline_text import assignment
from forge_mlir.errors import Diagnostic, ForgeError, escaped, quote
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
    """A node that the device cannot run, with the reason. `operands` are types; `bind` names graph inputs that would
    have to be constant."""

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
    """A node with integer arithmetic that may overflow Int32. `inputs` are those that --range would have to bound."""

    name: str
    op: str
    domain: str
    opset: int
    reason: str
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """A problem of the model that does not concern a node."""

    code: str
    message: str


@dataclass(frozen=True)
class Verdict:
    """`refused` are nodes; `errors` are problems of the model itself."""

    model: str
    refused: tuple[Refusal, ...]
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    partitions: tuple[PartitionSummary, ...] = ()
    """The partitions; empty for a single device module."""
    cut_points: tuple[CutPoint, ...] | None = None
    """The tensors at which to cut the model, best first; None unless requested."""
    integers: tuple[UnprovenIntegers, ...] = ()
    """Integer arithmetic in a supported model that is not proven to fit Int32."""
    cost: CostSummary | None = None
    """The cost of the program on the device; None unless requested, and for a refused model."""
    layout: LayoutSummary | None = None
    """The size of the device part in tiles; None unless requested, and for a refused model."""

    step: StepCost | None = None
    """The bytes that a program of a language model moves in addition to the necessary ones; None unless costs were
    requested, and for a program in partitions."""

    @staticmethod
    def of_error(label: str, error: ForgeError) -> Verdict:
        """The verdict on a model that cannot be read or checked."""
        notes = (text for found in error.details if found.severity == "note" for text in (found.message, *found.notes))
        first = Problem(error.code, "; ".join((error.message.removeprefix(f"{label}: "), *notes)))
        others = (Problem(found.code, str(found)) for found in error.details if found.severity != "note")
        return Verdict(label, (), (first, *others), ())

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
    """All nodes of an ONNX model that `compile` would refuse with the same options, and the assignment of nodes to
    device and CPU.

    `suggest_cuts` also finds tensors at which to cut the model so that the device runs most of one part;
    `layout_summary` computes sizes in tiles; `cost_summary` the cost on the device and the savings of each pass, for a
    `device` of docs/cost.md. `program` selects one of `Generation.programs_for` of a language model. Raises ValueError
    for an unknown device.
    """
    label = "model" if isinstance(source, ModelProto) else escaped(source)
    costs = CostObserver(value_of(options, "device_format") or "", device) if cost_summary else None
    try:
        lowered = lower(source, on_pass=costs, traced=cost_summary, program=program, **options)
    except OnnxImportError as error:
        return Verdict.of_error(label, error)
    if lowered.imported is not None and (tried := _with_sizes(source, lowered.imported, options)):
        shapes, other = tried
        sizes = ", ".join(f"{quote(name)} as {shape}" for name, shape in shapes.items())
        note = f"checked with {sizes}, because these inputs are open"
        open_sizes = Diagnostic("warning", note, code=Code.DynamicShape)
        lowered = replace(other, diagnostics=(*lowered.diagnostics, open_sizes, *other.diagnostics), emitted=None)
    verdict = verdict_of(lowered)
    cut_points = _cut_points(source, options) if suggest_cuts else None
    layout = None
    if layout_summary and lowered.emitted is not None and lowered.imported is not None:
        layout = layout_report(lowered.imported, options)
    cost = costs.summary(scopes_of(lowered)) if costs and lowered.emitted is not None else None
    step = None
    if cost is not None and lowered.emitted is not None and lowered.imported is not None:
        roles = lowered.imported.generation
        if roles is not None and not lowered.emitted.parts:
            step = step_cost(cost, lowered.emitted.main.manifest, roles)
    return replace(verdict, cut_points=cut_points, cost=cost, layout=layout, step=step)


def scopes_of(lowered: Lowered) -> dict[str, tuple[str, ...]]:
    """The scopes of nodes in metadata of exporters, by the node names in calls, for a model that was imported with its
    graph."""
    graph = lowered.imported.graph if lowered.imported else None
    return {
        node.name: scope_of(node.name, {entry.key: entry.value for entry in node.metadata_props})
        for node in (graph.graph.node if graph else ())
    }


def verdict_of(lowered: Lowered) -> Verdict:
    """The verdict that follows from the diagnostics of a model."""
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
    """Lowers a model with open dims for shapes that fit, to find further problems. None for a model without open dims,
    or if none of the shapes that are tried fit."""
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
    found = suggest(lowered.imported.graph, module, lowered.emitted.main.manifest)
    return tuple(cut for cut in found if _can_be_taken(cut, source, options))


def _can_be_taken(cut: CutPoint, source: str | os.PathLike[str] | ModelProto, options: Options) -> bool:
    """Whether the model can be cut there: some tensors of the imported model are not in the file, such as those within
    an op that was replaced by its function body."""
    part: Options = {**options}
    if cut.inputs:
        part["extract_inputs"] = cut.inputs
    if cut.outputs:
        part["extract_outputs"] = cut.outputs
    try:
        import_model(source, **part)
    except OnnxImportError as error:
        return error.code != Code.ExtractInvalid
    return True


def _refusal(found: Diagnostic) -> Refusal:
    return Refusal(
        found.code, found.onnx_node, found.op, found.domain, found.opset, found.operands, found.reason, found.bind
    )
