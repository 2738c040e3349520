"""Prepares a model for import with onnx's own code, in a child process."""

from __future__ import annotations

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.importer.passes.bind_inputs import Bindings
from forge_mlir.importer.passes.check_graph import check_inferred, normalise_graph
from forge_mlir.importer.passes.check_sizes import check_limits
from forge_mlir.importer.passes.functions.bfloat16_opsets import take_bfloat16
from forge_mlir.importer.passes.functions.expand_functions import Expansion
from forge_mlir.importer.passes.functions.inline_functions import inline_functions
from forge_mlir.importer.passes.functions.own_opsets import has_own_opsets
from forge_mlir.importer.passes.hoist_weights import hoist_weights
from forge_mlir.importer.passes.infer_shapes import check_model, infer_shapes
from forge_mlir.importer.passes.overridable import keep_inputs
from forge_mlir.importer.request import NormalisedModel, Request
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.graph import all_nodes, fresh_name
from forge_mlir.onnx_model.names import check_names
from forge_mlir.onnx_model.opsets import normalise_opsets
from forge_mlir.onnx_model.storage.sparse import make_dense
from forge_mlir.onnx_model.storage.weightless import WeightlessModel


def normalise(weightless: WeightlessModel, asked: Request) -> NormalisedModel:
    """Applies all steps that use onnx's own code. Raises OnnxImportError."""
    warnings = list(weightless.warnings)
    model, opset = opened(weightless)
    defaults = keep_inputs(model, asked.overridable)
    # Inputs that extraction creates are bound after it.
    bindings = Bindings(asked.input_shapes, asked.dims, asked.bind)
    extraction = asked.extraction
    early, late = bindings.split({value.name for value in model.graph.input}) if extraction.inputs else (bindings, None)
    early.apply(model)
    check(model, warnings)
    if extraction:
        from forge_mlir.importer.passes.extract import extract_graph

        infer_shapes(model, warnings)
        extract_graph(model.graph, extraction)
    if late is not None:
        late.apply(model)
    generation = None
    if asked.program is not None:
        from forge_mlir.importer.generation.rewrite import make_program

        generation = make_program(model, asked.program, opset.get("", 1))
    infer_shapes(model, warnings)
    if asked.is_known is not None and _rewrite(model):
        infer_shapes(model, warnings)
    if asked.float_quantization:
        from forge_mlir.importer.passes.float_quantization import compute_pairs_in_float

        if pairs := compute_pairs_in_float(model):
            warnings.append(
                f"{pairs} pairs of QuantizeLinear and DequantizeLinear are computed in float: results differ from the "
                "model's by their rounding, and forge-mlir verify tells by how much"
            )
    check_inferred(model.graph)
    Expansion(asked.is_known, asked.max_expansion).run(model)
    _distinguish(model)
    return NormalisedModel(
        model.SerializeToString(),
        opset,
        warnings,
        {name: t.SerializeToString() for name, t in defaults.items()},
        generation,
    )


def opened(weightless: WeightlessModel) -> tuple[ModelProto, dict[str, int]]:
    """The model without functions, and its opsets. Raises OnnxImportError."""
    model = weightless.parsed()
    if not model.HasField("graph"):
        raise import_error(Code.FileDamaged, "it has no graph", hint="it is damaged, cut short or no ONNX model")
    check_names(model)
    normalise_opsets(model)
    model = inline_functions(model)
    make_dense(model.graph)
    opset = normalise_opsets(model)
    take_bfloat16(model)
    return model, opset


def check(model: ModelProto, warnings: list[str]) -> None:
    """Checks the model, and sorts its nodes. Raises OnnxImportError."""
    normalise_graph(model.graph, warnings)
    hoist_weights(model.graph)
    check_limits(model.graph)
    check_model(model)


def _distinguish(model: ModelProto) -> None:
    """Gives every node a name of its own, because calls, costs and errors are found by the name of a node. Nodes
    without a name are named after their op and position, as forge-normalize-import does."""
    nodes = [node for node in all_nodes(model.graph.node) if node.op_type != "Constant"]
    taken: set[str] = set()
    for node in nodes:
        if node.name in taken:
            node.name = f"{node.name}/{next(filter(None, node.output), node.op_type)}"
        if node.name:
            node.name = fresh_name(node.name, taken)
    for number, node in enumerate(nodes):
        node.name = node.name or fresh_name(f"{node.op_type}_{number}", taken)


def _rewrite(model: ModelProto) -> bool:
    """Rewrites nodes that the device needs in another form. The passes are loaded only if the model has such ops, which
    is rare. Returns whether anything has changed."""
    ops = {node.op_type for node in all_nodes(model.graph.node)}
    sequences, positions = any("Sequence" in op or op == "Optional" for op in ops), "NonZero" in ops
    # All passes run before shapes are inferred again.
    changed = False
    if sequences:
        from forge_mlir.importer.passes.resolve_sequences import resolve_sequences

        changed |= resolve_sequences(model)
    if positions and not has_own_opsets(model):  # The passes interpret ops in the opset of the model.
        from forge_mlir.importer.passes.dense_experts import compute_experts_densely
        from forge_mlir.importer.passes.masked_updates import select_by_masks

        changed |= select_by_masks(model)
        changed |= compute_experts_densely(model)
    return changed
