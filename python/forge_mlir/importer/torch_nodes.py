"""Subclasses of torch-mlir's node importer that add weights by reference, names and domains.

The IR is that of `torch_mlir.extras.onnx_importer`, with these differences:

* a large tensor becomes `dense_resource<key>` without a blob, a small one a `dense<...>`, for any element type;
* `torch.onnx_meta.domain` on every operator of a model that imports more than the default domain;
* `forge.onnx_name` (and `forge.dims`, `forge.loopback`) on arguments and results of the function;
* `torch.onnx_meta.subgraphs` on every operator that has some: the names of their attributes;
* an inner graph's own names hide those around it, not the other way round;
* no operator is expanded to a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto
from torch_mlir import ir
from torch_mlir.dialects import func as func_dialect
from torch_mlir.extras.onnx_importer import Config, ContextCache, GraphInfo, ModelInfo, ModuleCache, NodeImporter

from forge_mlir.codes import Code
from forge_mlir.errors import shortened
from forge_mlir.importer.weights import KEY_LIMIT, NOT_KEY, Weights
from forge_mlir.onnx_model.dtypes import element_type, raw_bytes
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, tensor_label
from forge_mlir.onnx_model.graph import constant_value, node_opset, node_where
from forge_mlir.onnx_model.hints import is_hint
from forge_mlir.onnx_model.storage.weightless import placeholder_of

_STUBS = "forge_mlir.importer.stub_dialects"
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_$.-]*", re.ASCII)


class TensorCache(ContextCache):  # type: ignore[misc]
    """Creates the attributes of tensors. `name` is the ONNX name of the current tensor, if it has one."""

    def __init__(self, context: ir.Context, weights: Weights) -> None:
        super().__init__(context)
        self.weights = weights
        self.name = ""

    def type_proto_to_type(self, tp: TypeProto | str) -> ir.Type:
        return self.get_none_type() if isinstance(tp, str) else super().type_proto_to_type(tp)

    def tensor_proto_to_attr(self, tp: TensorProto) -> ir.Attribute:
        name = self.name or tp.name
        where = tensor_label(name)
        placeholder = placeholder_of(tp)
        if placeholder is not None:
            return self.weights.attribute(placeholder, tp, name, self.tensor_proto_to_builtin_type(tp))
        element = element_type(tp.data_type, where)
        raw = np.frombuffer(raw_bytes(tp, where), np.uint8)
        if element.bits < 8:  # MLIR stores one element per byte
            raw = np.stack([raw & 0x0F, raw >> 4], axis=-1).reshape(-1)[: int(np.prod(tuple(tp.dims), dtype=int))]
        elif element.name == "bool":
            raw = (raw != 0).astype(np.uint8)
        with self._c, ir.Location.unknown():
            return ir.DenseElementsAttr.get(
                np.ascontiguousarray(raw), type=self.tensor_element_type(tp.data_type), shape=list(tp.dims)
            )


class GraphImporter(NodeImporter):  # type: ignore[misc]
    """Imports the nodes of one graph into a block."""

    domains = False
    """Whether operators have a domain attribute."""
    domain = ""
    opset: int | None = None
    """The domain of the current node, and its opset if it differs from that of the model."""
    named = False
    """Whether operators have the names of their results, and which of them are scalars."""
    results: Sequence[str] = ()

    def import_node(self, node: NodeProto) -> None:
        self.domain = node.domain
        self.opset = node_opset(node)
        self.results = node.output
        self._cc.name = ""
        try:
            super().import_node(node)
        except OnnxImportError:
            raise
        except Exception as error:
            raise import_error(
                Code.ImportFailed, f"torch-mlir cannot import it: {shortened(error)}", where=node_where(node)
            ) from error

    def import_attributes(self, onnx_attrs: Sequence[AttributeProto]) -> dict[str, ir.Attribute]:
        attributes: dict[str, ir.Attribute] = super().import_attributes(onnx_attrs)
        if graphs := sorted(a.name for a in onnx_attrs if a.type == AttributeProto.GRAPH):
            attributes["torch.onnx_meta.subgraphs"] = ir.ArrayAttr.get([ir.StringAttr.get(name) for name in graphs])
        return self._with_meta(attributes)

    def import_initializer(
        self, initializer: TensorProto, extern_name: str | None = None, node_name: str = ""
    ) -> ir.Value:
        """`node_name` is that of a Constant node, for messages."""
        name = extern_name or initializer.name
        self._cc.name = name
        self.results = (name,)
        with ir.InsertionPoint(self._b), ir.Location.name(node_name or name):
            if initializer.data_type == TensorProto.STRING:
                # The text stays in the graph: no op of the IR computes with it.
                value = {"torch.onnx.value_strings": ir.ArrayAttr.get([])}
            else:
                value = {"torch.onnx.value": self._cc.tensor_proto_to_attr(initializer)}
            operation = ir.Operation.create(
                name="torch.operator",
                results=[self._cc.tensor_proto_to_type(initializer)],
                attributes=self._with_meta({"name": ir.StringAttr.get("onnx.Constant"), **value}),
            )
        self._cc.name = ""
        self._nv_map[name] = operation.result
        return operation.result

    def import_regions(self, onnx_attrs: Sequence[AttributeProto], op: ir.Operation) -> None:
        graphs = {a.name: a.g for a in onnx_attrs if a.type == AttributeProto.GRAPH}
        for name, region in zip(sorted(graphs), op.regions, strict=True):
            graph = graphs[name]
            types = [self._cc.type_proto_to_type(value.type) for value in graph.input]
            region.blocks.append(*types, arg_locs=[op.location] * len(types))
            block = region.blocks[0]
            info = GraphInfo(self._gi.model_info, graph, is_subgraph=True)
            inner = GraphImporter(
                info, parent_op=op, block=block, context_cache=self._cc, module_op=self._m, module_cache=self._mc
            )
            inner.domains = self.domains
            inner._nv_map.update(self._nv_map)
            inner._nv_map.update(zip((value.name for value in graph.input), block.arguments, strict=True))
            inner.import_all(False)

    def _handle_node_Constant(self, node: NodeProto) -> bool:
        if node.domain or not any(a.name == "value" and a.type == AttributeProto.TENSOR for a in node.attribute):
            return False
        value = constant_value(node)
        if value is not None and value.data_type == TensorProto.STRING:
            self.import_initializer(value, node.output[0], node.name)
            return True
        return bool(super()._handle_node_Constant(node))

    def _info(self, name: str) -> ValueInfoProto | None:
        return self._gi.value_info_map.get(name) or self._gi.output_map.get(name)

    def _is_hint(self, name: str) -> bool:
        info = self._info(name)
        return info is not None and is_hint(info)

    def _is_scalar(self, name: str) -> bool:
        info = self._info(name)
        if info is None:
            return False
        tensor = info.type.tensor_type
        return bool(tensor.HasField("shape") and not tensor.shape.dim)

    def _with_meta(self, attributes: dict[str, ir.Attribute]) -> dict[str, ir.Attribute]:
        if self.domains:
            attributes["torch.onnx_meta.domain"] = ir.StringAttr.get(self.domain)
        if self.opset is not None:
            attributes["torch.onnx_meta.opset"] = ir.IntegerAttr.get(ir.IntegerType.get_signed(64), self.opset)
        if hinted := [at for at, name in enumerate(self.results) if name and self._is_hint(name)]:
            attributes["torch.onnx_meta.hinted_results"] = _numbers(hinted)
        if self.named:
            names = [ir.StringAttr.get(name) for name in self.results]
            attributes["torch.onnx_meta.results"] = ir.ArrayAttr.get(names)
            if scalars := [at for at, name in enumerate(self.results) if name and self._is_scalar(name)]:
                attributes["torch.onnx_meta.scalar_results"] = _numbers(scalars)
        return attributes


def _numbers(numbers: Sequence[int]) -> ir.ArrayAttr:
    signed = ir.IntegerType.get_signed(64)
    return ir.ArrayAttr.get([ir.IntegerAttr.get(signed, number) for number in numbers])


def torch_context(given: ir.Context | None = None, dialects: Sequence[str] | None = None) -> ir.Context:
    """`given`, or a new context with `dialects` (default: all of torch_mlir); torch-mlir's own dialects are added."""
    context = ir.Context(load_on_create_dialects=dialects) if given is None else given
    _registration()(context)
    return context


@cache
def _registration() -> Callable[[ir.Context], None]:
    """torch-mlir's function that registers its dialects in a context.

    The first operation of a dialect loads the module with its op classes; that of torch takes as long as loading onnx,
    so that an empty module is registered first. This uses private names of torch-mlir. If a version has other names,
    the op classes are loaded, which only costs time.
    """
    try:
        from torch_mlir._mlir_libs._mlir import globals as known
        from torch_mlir._mlir_libs._torchMlir import register_dialect

        known.dialect_search_modules = [_STUBS, *known.dialect_search_modules]
    except (ImportError, AttributeError, TypeError):
        from torch_mlir.dialects.torch import register_dialect
    register: Callable[[ir.Context], None] = register_dialect
    return register


def build_module(
    model: ModelProto,
    context: ir.Context,
    weights: Weights,
    dims: Sequence[Sequence[str]],
    named: bool,
    loopback: Mapping[str, str],
) -> ir.Module:
    """The module for a checked, sorted and typed model without weights. `dims` are the symbols of each function
    argument ("" for a dim without one). With `named`, every node of the main graph has the names of its results.
    Weights are added to `weights`. `loopback` maps outputs to the inputs that they become in the next step."""
    config = Config(function_expansion_allowlists_by_domain={})
    info = ModelInfo(model, config=config)
    module = info.create_module(context)
    cache = TensorCache(context, weights)
    graph = model.graph
    with context, ir.Location.name(f"graph:{graph.name}"):
        inputs = list(info.main_graph.input_map.values())
        signature = ir.FunctionType.get(
            [cache.type_proto_to_type(value.type) for value in inputs],
            [cache.type_proto_to_type(value.type) for value in graph.output],
        )
        function = func_dialect.FuncOp(symbol_for(graph), signature, ip=ir.InsertionPoint(module.body))
        block = function.add_entry_block([ir.Location.name(value.name) for value in inputs])
        function.arg_attrs = [_argument(value.name, names) for value, names in zip(inputs, dims, strict=True)]
        function.attributes["res_attrs"] = ir.ArrayAttr.get(
            [_argument(value.name, (), loopback.get(value.name)) for value in graph.output]
        )
    importer = GraphImporter(
        info.main_graph,
        parent_op=function,
        block=block,
        context_cache=cache,
        module_op=module.operation,
        module_cache=ModuleCache(module.operation, cache),
    )
    importer.domains = any(entry.domain for entry in model.opset_import)
    importer.named = named
    importer._nv_map.update(zip((value.name for value in inputs), block.arguments, strict=True))
    importer._populate_graph_attrs(function)
    importer.import_all()
    return module


def symbol_for(graph: GraphProto) -> str:
    """A function symbol that all MLIR readers accept: the name of the graph if it is valid, otherwise a similar one."""
    if len(graph.name) <= KEY_LIMIT and _SYMBOL.fullmatch(graph.name):
        return str(graph.name)
    stem = NOT_KEY.sub("_", graph.name[:KEY_LIMIT])
    if not stem:
        return "main_graph"
    return stem if _SYMBOL.fullmatch(stem) else f"_{stem}"


def _argument(name: str, dims: Sequence[str], loopback: str | None = None) -> ir.DictAttr:
    attributes: dict[str, ir.Attribute] = {"forge.onnx_name": ir.StringAttr.get(name)}
    if any(dims):
        attributes["forge.dims"] = ir.ArrayAttr.get([ir.StringAttr.get(dim) for dim in dims])
    if loopback is not None:
        attributes["forge.loopback"] = ir.StringAttr.get(loopback)
    return ir.DictAttr.get(attributes)
