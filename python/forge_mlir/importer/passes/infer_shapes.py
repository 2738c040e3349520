"""Runs onnx's checker and shape inference on a model without weights; declared shapes are not trusted."""

from __future__ import annotations

from collections.abc import Callable

import onnx
from google.protobuf.message import EncodeError  # type: ignore[import-untyped]
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

from forge_mlir.codes import Code
from forge_mlir.errors import escaped
from forge_mlir.importer.passes.functions.own_opsets import call_own_opsets, check_own_opsets
from forge_mlir.onnx_model.declared_types import check_kind, check_tensor_type, check_types, shapes_agree
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, tensor_label
from forge_mlir.onnx_model.graph import (
    all_graphs,
    all_names,
    all_nodes,
    constant_value,
    fresh_name,
    node_opset,
    node_where,
    subgraphs,
)
from forge_mlir.onnx_model.hints import is_hint, mark_hint, unmark_hint
from forge_mlir.onnx_model.storage.weightless import placeholder_of
from forge_mlir.support.known_deviations import deviations_of
from forge_mlir.support.opsets import declared_opsets, default_opset

_REASON_LIMIT = 600
# What onnx raises if memory is exhausted while it writes the (small) model.
_OUT_OF_MEMORY = (MemoryError, EncodeError)
# Ops that onnxruntime has in the default domain, and the opset since which onnx has them too.
_ONNXRUNTIME_OPS = {
    "LayerNormalization": 17,
    "SimplifiedLayerNormalization": int(onnx.defs.onnx_opset_version()) + 1,
}
# Ops that ONNX has withdrawn in favour of a newer form, and that exporters of their time wrote.
_WITHDRAWN = ("GroupNormalization",)
_ONNXRUNTIME_DOMAIN = "com.microsoft"


def check_model(model: ModelProto) -> None:
    """`onnx.checker.check_model` on a copy. Raises OnnxImportError with the checker's reason."""
    copy = _copy(model)
    graphs = [*all_graphs(copy.graph)]
    for graph in graphs:
        for tensor in _tensors(graph):
            if placeholder_of(tensor) is not None:
                # The checker requires data even for tensors without elements; it ignores shapes.
                tensor.dims[:] = [0]
                del tensor.external_data[:]
                tensor.ClearField("data_location")
        for value in graph.output:
            if value.type.HasField("tensor_type"):
                value.type.tensor_type.shape.SetInParent()  # the checker requires a shape; inference finds it
    if not copy.graph.name:
        copy.graph.name = "main_graph"
    check_own_opsets(copy)
    _hide(copy, graphs, lambda node, opset: _is_unknown(node, opset) or node_opset(node) is not None)
    try:
        onnx.checker.check_model(copy)
    except _OUT_OF_MEMORY as error:
        raise MemoryError from error
    except Exception as error:
        raise import_error(
            Code.ModelInvalid, f"the model is invalid: {_reason(error)}", where=_culprit(copy)
        ) from error


def _culprit(model: ModelProto) -> str:
    """The first node of the main graph that the checker rejects individually, "" if there is none: its messages rarely
    name the node."""
    context = onnx.checker.C.CheckerContext()
    context.ir_version = model.ir_version
    context.opset_imports = declared_opsets(model)
    for node in model.graph.node:
        try:
            onnx.checker.check_node(node, context)
        except Exception:
            return node_where(node)
    return ""


def infer_shapes(model: ModelProto, warnings: list[str]) -> None:
    """Adds inferred types to `model` (value_info of every graph, shapes of outputs).

    Shapes of inputs are binding; all other declared shapes are hints. If an inferred shape contradicts a hint, it takes
    precedence, with a warning; shapes that are only declared are marked (`onnx_model.hints`). Raises OnnxImportError if
    a declared element type contradicts an inferred one, or a node cannot be typed.
    """
    for graph in all_graphs(model.graph):
        _drop_repeated(graph)
    copy = _copy(model)
    _constants_to_inputs(copy.graph)
    call_own_opsets(copy)
    graphs = [*all_graphs(copy.graph)]
    _stand_in(copy, graphs)
    _open_ranges(copy, graphs)
    _hide(copy, graphs, lambda node, opset: _is_unknown(node, opset) or _is_inferred_wrongly(node, opset))
    _take_types(model.graph, _infer_with_hints(copy, graphs, warnings).graph)


def _infer_with_hints(model: ModelProto, graphs: list[GraphProto], warnings: list[str]) -> ModelProto:
    """`_infer` for `model`, whose graphs are `graphs`; marks shapes that depend on declared shapes."""
    bare = _copy(model)
    for graph in all_graphs(bare.graph):
        for value in (*graph.output, *graph.value_info):
            unmark_hint(value)
            if value.type.HasField("tensor_type"):
                value.type.tensor_type.ClearField("shape")
    computed = _infer_but_for_branches(bare, warnings)
    hints = False
    for hinted, typed in zip(graphs, all_graphs(computed.graph), strict=True):
        typed_values = _with_types(hinted, typed)
        warnings.extend(_drop_contradicted(typed_values))
        for value, found in typed_values:
            _open_zeros(value.type, found)
        hints |= any(_says_more(value.type, found) for value, found in typed_values)
    if not hints:
        return computed
    try:
        inferred = _infer_but_for_branches(model, [])
    except OnnxImportError:
        warnings.append("the shapes that the model declares for inner values do not fit together; they are not used")
        return computed
    for hinted, typed in zip(all_graphs(inferred.graph), all_graphs(computed.graph), strict=True):
        for value, found in _with_types(hinted, typed):
            unmark_hint(value)
            if _says_more(value.type, found):
                mark_hint(value)
    return inferred


def _infer_but_for_branches(model: ModelProto, warnings: list[str]) -> ModelProto:
    """`_infer`; if it fails, without the branches of If that do not fit, because they may never be taken."""
    try:
        return _infer(model, warnings)
    except OnnxImportError as failure:
        if not any(_is_if(node, 0) for node in all_nodes(model.graph.node)):
            raise
        without = _copy(model)
        _hide(without, [*all_graphs(without.graph)], _is_if)
        try:
            inferred = _infer(without, [])
        except OnnxImportError:
            raise failure from None
        warnings.append(f"a branch of an If does not fit the inputs: {failure.reason}")
        return inferred


def _is_if(node: NodeProto, _opset: int) -> bool:
    return node.op_type == "If" and not node.domain


def _with_types(hinted: GraphProto, typed: GraphProto) -> list[tuple[ValueInfoProto, TypeProto]]:
    """The outputs and inner values of `hinted`, each with its type in `typed`."""
    found = {value.name: value.type for value in (*typed.output, *typed.value_info)}
    return [(value, found.get(value.name, TypeProto())) for value in (*hinted.output, *hinted.value_info)]


def _says_more(declared: TypeProto, computed: TypeProto) -> bool:
    """Whether `declared` has a rank or size that `computed` lacks."""
    ours, theirs = declared.tensor_type, computed.tensor_type
    if not ours.HasField("shape"):
        return False
    return not theirs.HasField("shape") or any(
        m.HasField("dim_value") and not n.HasField("dim_value")
        for m, n in zip(ours.shape.dim, theirs.shape.dim, strict=True)
    )


def _open_zeros(declared: TypeProto, computed: TypeProto) -> None:
    """Opens sizes of 0 that are only in `declared`: exporters use them for unknown sizes. Otherwise the producer of the
    value would be removed as having no elements."""
    known = computed.tensor_type.shape.dim if computed.tensor_type.HasField("shape") else ()
    for at, dim in enumerate(declared.tensor_type.shape.dim):
        if dim.HasField("dim_value") and dim.dim_value == 0 and not (known and known[at].HasField("dim_value")):
            dim.ClearField("value")


def _drop_contradicted(typed_values: list[tuple[ValueInfoProto, TypeProto]]) -> list[str]:
    """Clears the shapes of values that contradict the inferred ones. Returns a warning for each."""
    warnings = []
    for value, other in typed_values:
        if not shapes_agree(value.type, other):
            warnings.append(
                f"{tensor_label(value.name)} is declared with the shape {_shown(value.type)}, and has the shape "
                f"{_shown(other)}, which is taken"
            )
            value.type.tensor_type.ClearField("shape")
    return warnings


def _shown(proto: TypeProto) -> str:
    dims = proto.tensor_type.shape.dim
    return f"[{', '.join(str(dim.dim_value) if dim.HasField('dim_value') else '?' for dim in dims)}]"


def _infer(model: ModelProto, warnings: list[str]) -> ModelProto:
    try:
        return onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    except _OUT_OF_MEMORY as error:
        raise MemoryError from error
    except Exception as first:
        # Data propagation through shape computations fails on some valid models (an Add on a 1-D input within an If).
        # Whether the model is valid is decided by types and shapes alone.
        try:
            onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=False)
        except _OUT_OF_MEMORY as error:
            raise MemoryError from error
        except Exception as error:
            raise import_error(
                Code.ShapesContradict, f"its types and shapes do not fit together: {_reason(error)}"
            ) from error
        warnings.append(f"shape inference could not follow every shape computation: {_reason(first)}")
        return onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=False, data_prop=True)


def _copy(model: ModelProto) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(model)
    return copy


def _hide(model: ModelProto, graphs: list[GraphProto], is_hidden: Callable[[NodeProto, int], bool]) -> None:
    """Moves the nodes of `graphs` for which `is_hidden(node, opset)` holds to an unknown domain, for which onnx infers
    nothing and accepts any op."""
    opsets = declared_opsets(model)
    for graph in graphs:
        for node in graph.node:
            if (not node.domain or node_opset(node) is not None) and is_hidden(node, opsets.get("", 0)):
                node.domain = _ONNXRUNTIME_DOMAIN
                if node.domain not in opsets:
                    opsets[node.domain] = 1
                    model.opset_import.append(onnx.helper.make_opsetid(node.domain, 1))


def _is_unknown(node: NodeProto, opset: int) -> bool:
    """Whether onnxruntime has this op and onnx does not have it yet, or has withdrawn it."""
    if opset < _ONNXRUNTIME_OPS.get(node.op_type, 0):
        return True
    if node.op_type not in _WITHDRAWN:
        return False
    try:
        return bool(onnx.defs.get_schema(node.op_type, opset, "").deprecated)
    except onnx.defs.SchemaError:
        return False


def _stand_in(model: ModelProto, graphs: list[GraphProto]) -> None:
    """Replaces ops that onnx is known to infer wrongly by others that it infers correctly."""
    opset = default_opset(model)
    for graph in graphs:
        for node in graph.node:
            for row in deviations_of("onnx shape inference", node, opset):
                if row.stand_in:
                    node.op_type = row.stand_in
                    del node.attribute[:]


def _open_ranges(model: ModelProto, graphs: list[GraphProto]) -> None:
    """Hides the first number of ranges of floats from onnx, which rounds the difference to the last one before it
    counts the elements. Its count may differ from that of onnxruntime, onnx.reference and the compiler."""
    kinds = {tensor.name: tensor.data_type for graph in graphs for tensor in graph.initializer}
    for node in (node for graph in graphs for node in graph.node):
        if (value := constant_value(node)) is not None:
            kinds[node.output[0]] = value.data_type
    for node in (node for graph in graphs for node in graph.node if node.op_type == "Range" and not node.domain):
        if (kind := kinds.get(node.input[0])) in (TensorProto.FLOAT, TensorProto.DOUBLE):
            node.input[0] = fresh_name(node.input[0], all_names(model.graph))
            model.graph.input.append(onnx.helper.make_tensor_value_info(node.input[0], kind, []))


def _is_inferred_wrongly(node: NodeProto, opset: int) -> bool:
    """Whether the shape that onnx infers for the node may be wrong."""
    return any(not row.stand_in for row in deviations_of("onnx shape inference", node, opset))


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and "==> Context" not in line]
    return escaped(" ".join(lines)[:_REASON_LIMIT])


def _tensors(graph: GraphProto) -> list[TensorProto]:
    """Every tensor of `graph` itself: initializers and attributes of nodes."""
    found = list(graph.initializer)
    for node in graph.node:
        for attribute in node.attribute:
            found.extend(attribute.tensors)
            if attribute.HasField("t"):
                found.append(attribute.t)
    return found


def _constants_to_inputs(graph: GraphProto) -> None:
    """Replaces large constants of the main graph by inputs: shape inference would try to read their data as shapes."""
    names = {value.name for value in graph.input}

    def declare(name: str, tensor: TensorProto) -> None:
        if name not in names:
            graph.input.append(onnx.helper.make_tensor_value_info(name, tensor.data_type, tensor.dims))

    for index in reversed(range(len(graph.initializer))):
        tensor = graph.initializer[index]
        if placeholder_of(tensor) is not None:
            declare(tensor.name, tensor)
            del graph.initializer[index]
    for index in reversed(range(len(graph.node))):
        node = graph.node[index]
        value = constant_value(node)
        if value is not None and placeholder_of(value) is not None:
            declare(node.output[0], value)
            del graph.node[index]


def _drop_repeated(graph: GraphProto) -> None:
    """Keeps one declared type per value: torch-mlir would use the type of an intermediate value for a graph output,
    whose type would then differ from that of the function. Raises OnnxImportError for contradictory declarations."""
    declared: dict[str, TypeProto] = {}
    constants = {tensor.name: tensor for tensor in graph.initializer}
    for value in (*graph.input, *graph.output):
        if value.name in declared:
            check_types(value.name, declared[value.name], value.type)
        declared[value.name] = value.type
    for name, tensor in constants.items():
        if name in declared:
            check_tensor_type(tensor, declared[name])
    inputs = {value.name for value in graph.input}
    kept = []
    for value in graph.value_info:
        if value.name in constants:
            check_tensor_type(constants[value.name], value.type)
        elif value.name not in declared:
            declared[value.name] = value.type
            kept.append(value)
        elif value.name in inputs:
            check_types(value.name, declared[value.name], value.type)
        else:
            check_kind(value.name, declared[value.name], value.type)
    if len(kept) < len(graph.value_info):
        copies = [onnx.ValueInfoProto.FromString(value.SerializeToString()) for value in kept]
        del graph.value_info[:]
        graph.value_info.extend(copies)


def _take_types(into: GraphProto, inferred: GraphProto) -> None:
    """Copies inferred types. Nodes correspond in order, except for constants that became inputs."""
    outputs = {value.name: value for value in inferred.output}
    # onnx infers no types of outputs that are inputs or initializers.
    known = {value.name: value.type for value in into.input}
    known |= {t.name: onnx.helper.make_tensor_type_proto(t.data_type, t.dims) for t in into.initializer}
    for value in into.output:
        value.CopyFrom(outputs[value.name])
        if is_hint(value) and not value.type.tensor_type.shape.dim:
            value.type.tensor_type.ClearField("shape")  # some exporters write rank 0 for an unknown rank
        if (given := known.get(value.name)) is not None:
            value.type.CopyFrom(given)
            unmark_hint(value)
    del into.value_info[:]
    into.value_info.extend(inferred.value_info)
    nodes = iter(inferred.node)
    for node in into.node:
        inner = list(subgraphs(node))
        if not inner:
            continue
        other = next(n for n in nodes if n.op_type == node.op_type and list(n.output) == list(node.output))
        for graph, typed in zip(inner, subgraphs(other), strict=True):
            for value, found in zip(graph.input, typed.input, strict=True):
                value.type.CopyFrom(found.type)  # inputs of a body may have no declared types
            _take_types(graph, typed)
