"""`proto_of_ir` converts a module of torch-mlir's ONNX importer back to the ONNX model.

The importer's passes, which work on protobuf, can thus be applied to a model of which only the IR exists. The expected
IR is that of `torch_mlir.extras.onnx_importer`: `torch.operator "onnx.<Op>"`, attributes `torch.onnx.<name>`, opsets on
the function, expanded functions as private ones. IR that ONNX cannot represent is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from onnx import (
    IR_VERSION,
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    ValueInfoProto,
    defs,
    helper,
)
from torch_mlir import ir

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.dialects import crossing
from forge_mlir.errors import ForgeError, shortened
from forge_mlir.importer.ir_values import Blobs, name_of, type_proto
from forge_mlir.importer.torch_nodes import torch_context
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, quote

_FUNCTIONS = "ir.functions"
"""The domain of the private functions of a module."""
_FIRST_WITH_FUNCTIONS = 8
_META = "torch.onnx_meta."
_SUBGRAPHS = {"If": ("else_branch", "then_branch"), "Loop": ("body",), "Scan": ("body",), "SequenceMap": ("body",)}
"""The attributes of the regions of an op, in order."""
_IGNORED = {"name", *(_META + name for name in ("domain", "subgraphs", "results", "scalar_results", "hinted_results"))}
_HINT = "import the ONNX file itself, if there is one"


def proto_of_ir(path: str) -> bytes:
    """The serialised ModelProto for the module in the file `path`, text or bytecode, including weights.

    Raises OnnxImportError for other modules, and for IR that ONNX cannot represent.
    """
    with open(path, "rb") as file:
        source = file.read()
    module = _parsed(source)
    if "forge.weights" in module.operation.attributes:
        raise _refused("its weights are in the table of `forge-mlir import`", "compile the ONNX file that it is from")
    try:
        model = _Reader(Blobs.of(module)).model(module)
    except OnnxImportError:
        raise
    except Exception as error:  # the bindings raise many exception types for attributes of other types
        raise _refused(f"it is no IR of an ONNX model: {shortened(error)}") from error
    try:
        return bytes(model.SerializeToString())
    except ValueError as error:
        raise import_error(Code.ModelTooLarge, "the model has 2 GiB or more, which no ModelProto holds") from error


def _parsed(source: bytes) -> ir.Module:
    """The module in text or bytecode. Text that torch_mlir cannot read may have been written by our tools, which have
    another version of MLIR: for example, they print constants of i1 as packed bits."""
    context = torch_context(dialects=("func",))
    context.allow_unregistered_dialects = True
    try:
        return ir.Module.parse(source, context)
    except ir.MLIRError as error:
        try:
            return crossing.parse(source, context)
        except ForgeError:
            first = next((line for line in str(error).splitlines() if "error:" in line), str(error))
            hint = "text of another MLIR may differ: write bytecode, by --emit-bytecode-version=6 if the MLIR is newer"
            raise import_error(Code.FileDamaged, f"cannot be read as MLIR: {quote(first)}", hint=hint) from error


def _refused(reason: str, hint: str = _HINT, where: str = "") -> OnnxImportError:
    return import_error(Code.ImportFailed, reason, hint=hint, where=where)


@dataclass
class _Scope:
    """The names of the values of one function, and the opsets of its ops."""

    opsets: dict[str, int]
    names: dict[ir.Value, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    nodes: int = 0

    def unique(self, wanted: str) -> str:
        """`wanted`, with a number appended if it is taken."""
        name, number = wanted, 0
        while name in self.used:
            number += 1
            name = f"{wanted}_{number}"
        self.used.add(name)
        return name

    def domain_of(self, op: str, where: str) -> str:
        """The domain of an op without a domain attribute, if it is unambiguous among the declared domains."""
        others = [domain for domain in self.opsets if domain]
        domain, reason = _native.implied_domain(op, self.opsets.get("", 0), others)
        if reason:
            raise _refused(reason, where=where)
        return domain


@dataclass
class _Reader:
    blobs: Blobs

    def model(self, module: ir.Module) -> ModelProto:
        functions = [*module.body.operations]
        for function in functions:
            if function.operation.name != "func.func":
                raise _refused(f"{quote(function.operation.name)} in the module is no function")
        public = [function for function in functions if not _is_private(function)]
        if len(public) != 1:
            raise _refused(f"the module has {len(public)} public functions, not one")
        main = public[0]
        opsets = _opsets(main)
        graph = self._main_graph(main, _Scope(opsets))
        private = [self._function(function) for function in functions if function != main]
        version = _int(main, "ir_version") or IR_VERSION
        model = helper.make_model(
            graph,
            functions=private,
            opset_imports=[helper.make_opsetid(*entry) for entry in opsets.items()],
            ir_version=max(version, _FIRST_WITH_FUNCTIONS) if private else version,
            producer_name=_text(main, "producer_name"),
            producer_version=_text(main, "producer_version"),
        )
        if private:
            model.opset_import.append(helper.make_opsetid(_FUNCTIONS, 1))
        return model

    def _main_graph(self, function: ir.OpView, scope: _Scope) -> GraphProto:
        block = _block(function)
        given = _dictionaries(function, "arg_attrs", len(block.arguments))
        inputs = []
        for at, (value, attributes) in enumerate(zip(block.arguments, given, strict=True)):
            wanted = _string(attributes, "forge.onnx_name") or name_of(value.location) or f"input_{at}"
            inputs.append(self._declared(value, scope, wanted))
            _name_dims(inputs[-1], attributes)
        graph = GraphProto(name=_string(function.attributes, "sym_name"), input=inputs)
        results = _dictionaries(function, "res_attrs", len(_returned(block)))
        wanted_names = [_string(each, "forge.onnx_name") or f"output_{at}" for at, each in enumerate(results)]
        self._fill(graph, block, scope, [scope.unique(name) for name in wanted_names])
        return graph

    def _function(self, function: ir.OpView) -> FunctionProto:
        block, scope = _block(function), _Scope(_opsets(function))
        for at, value in enumerate(block.arguments):
            scope.names[value] = scope.unique(f"input_{at}")
        results = [scope.unique(f"output_{at}") for at in range(len(_returned(block)))]
        graph = GraphProto()
        self._fill(graph, block, scope, results)
        opsets = {**scope.opsets, _FUNCTIONS: 1}
        return helper.make_function(
            _FUNCTIONS,
            _string(function.attributes, "sym_name"),
            [scope.names[value] for value in block.arguments],
            results,
            [*graph.node],
            [helper.make_opsetid(*entry) for entry in opsets.items()],
        )

    def _fill(self, graph: GraphProto, block: ir.Block, scope: _Scope, outputs: list[str]) -> None:
        """Adds the nodes of a block; its results become `outputs`."""
        for operation in [*block.operations][:-1]:
            if operation.operation.name == "torch.constant.none":
                scope.names[operation.operation.results[0]] = ""
                continue
            node = self._node(operation.operation, scope)
            graph.node.append(node)
            for value, name in zip(operation.operation.results, node.output, strict=True):
                if name and (proto := type_proto(str(value.type))) is not None:
                    graph.value_info.append(ValueInfoProto(name=name, type=proto))
        for value, name in zip(_returned(block), outputs, strict=True):
            # An output that is an input, a value of an outer graph or another output needs a node of its own.
            graph.node.append(NodeProto(op_type="Identity", input=[scope.names[value]], output=[name]))
            graph.output.append(ValueInfoProto(name=name, type=type_proto(str(value.type))))

    def _node(self, operation: ir.Operation, scope: _Scope) -> NodeProto:
        name = name_of(operation.location)
        scope.nodes += 1
        if operation.name == "func.call":
            callee = ir.FlatSymbolRefAttr(operation.attributes["callee"]).value
            node = NodeProto(op_type=callee, domain=_FUNCTIONS, name=name)
        else:
            node = self._onnx_node(operation, scope, name)
        node.name = name or f"{node.op_type}_{scope.nodes}"
        node.input.extend(scope.names[value] for value in operation.operands)
        for at, value in enumerate(operation.results):
            is_left_out = str(value.type) == "!torch.none" and not any(True for _ in value.uses)
            own = name if node.op_type == "Constant" and name else f"{node.name}_result_{at}"
            scope.names[value] = "" if is_left_out else scope.unique(own)
            node.output.append(scope.names[value])
        return node

    def _onnx_node(self, operation: ir.Operation, scope: _Scope, name: str) -> NodeProto:
        title = _string(operation.attributes, "name")
        if operation.name != "torch.operator" or not title.startswith("onnx."):
            raise _refused(f"{quote(title or operation.name)} is no ONNX op")
        op = title.removeprefix("onnx.")
        where = f"node {quote(name or op)} ({shortened(op)})"
        domain = _string(operation.attributes, _META + "domain") if _META + "domain" in operation.attributes else None
        if domain is None:
            domain = scope.domain_of(op, where)
        node = NodeProto(op_type=op, domain=domain, name=name)
        for named in operation.attributes:
            key, value = (named, operation.attributes[named]) if isinstance(named, str) else (named.name, named.attr)
            if key.startswith("torch.onnx."):
                own = key.removeprefix("torch.onnx.")
                node.attribute.append(self._attribute(own, value, _declared_kind(node, own, scope), where))
            elif key not in _IGNORED:
                raise _refused(f"its attribute {quote(key)} is none of ONNX", where=where)
        for attribute, region in zip(_subgraphs(operation, op, where), operation.regions, strict=True):
            node.attribute.append(helper.make_attribute(attribute, self._subgraph(region, scope, attribute)))
        return node

    def _subgraph(self, region: ir.Region, scope: _Scope, name: str) -> GraphProto:
        block = _only_block(region)
        graph = GraphProto(name=name)
        graph.input.extend(self._declared(value, scope, f"{name}_input") for value in block.arguments)
        self._fill(graph, block, scope, [scope.unique(f"{name}_output") for _ in _returned(block)])
        return graph

    def _declared(self, value: ir.Value, scope: _Scope, wanted: str) -> ValueInfoProto:
        scope.names[value] = scope.unique(wanted)
        return ValueInfoProto(name=scope.names[value], type=type_proto(str(value.type)))

    def _attribute(self, name: str, value: ir.Attribute, declared: int, where: str) -> AttributeProto:
        """An attribute of a node; `declared` is the type of an empty list."""
        if isinstance(value, ir.ArrayAttr):
            if not len(value):
                return AttributeProto(name=name, type=declared or AttributeProto.INTS)
            return helper.make_attribute(name, [self._value(each, where) for each in value])
        return helper.make_attribute(name, self._value(value, where))

    def _value(self, value: ir.Attribute, where: str) -> object:
        if isinstance(value, ir.IntegerAttr):
            return int(value.value)
        if isinstance(value, ir.FloatAttr):
            return float(value.value)
        if isinstance(value, ir.StringAttr):
            return bytes(value.value_bytes)
        return self.blobs.tensor(value, where)


def _declared_kind(node: NodeProto, name: str, scope: _Scope) -> int:
    """The type of an attribute in the schema of the node; 0 if there is none."""
    try:
        schema = defs.get_schema(node.op_type, scope.opsets.get(node.domain, 1), node.domain)
    except defs.SchemaError:
        return 0
    return int(schema.attributes[name].type.value) if name in schema.attributes else 0


def _subgraphs(operation: ir.Operation, op: str, where: str) -> tuple[str, ...]:
    stated = _META + "subgraphs"
    if stated in operation.attributes:
        names = tuple(ir.StringAttr(each).value for each in ir.ArrayAttr(operation.attributes[stated]))
    else:
        names = _SUBGRAPHS.get(op, ()) if len(operation.regions) else ()
    if len(names) != len(operation.regions):
        raise _refused(
            f"it has {len(operation.regions)} regions whose attributes are not known",
            f"name them in the attribute {stated}",
            where,
        )
    return names


def _opsets(function: ir.OpView) -> dict[str, int]:
    opsets = {}
    if version := _int(function, "opset_version"):
        opsets[""] = version
    if _META + "opset_versions" in function.attributes:
        for named in ir.DictAttr(function.attributes[_META + "opset_versions"]):
            opsets[named.name] = int(ir.IntegerAttr(named.attr).value)
    if not opsets:
        raise import_error(
            Code.OpsetMissing,
            f"the function @{shortened(_string(function.attributes, 'sym_name'))} declares no opset",
            hint=f"write it as the attribute {_META}opset_version",
        )
    return opsets


def _block(function: ir.OpView) -> ir.Block:
    return _only_block(function.operation.regions[0])


def _only_block(region: ir.Region) -> ir.Block:
    blocks = [*region.blocks]
    if len(blocks) != 1:
        raise _refused(f"a function or region has {len(blocks)} blocks, not one")
    return blocks[0]


def _returned(block: ir.Block) -> list[ir.Value]:
    operations = [*block.operations]
    if not operations or operations[-1].operation.name not in ("func.return", "torch.operator_terminator"):
        raise _refused("a function or region does not end by returning its results")
    return [*operations[-1].operation.operands]


def _is_private(function: ir.OpView) -> bool:
    return _string(function.attributes, "sym_visibility") == "private"


def _string(attributes: ir.OpAttributeMap | ir.DictAttr, name: str) -> str:
    if name not in attributes:
        return ""
    value = attributes[name]
    return str(value.value) if isinstance(value, ir.StringAttr) else ""


def _text(function: ir.OpView, name: str) -> str:
    return _string(function.attributes, _META + name)


def _int(function: ir.OpView, name: str) -> int:
    name = _META + name
    return int(ir.IntegerAttr(function.attributes[name]).value) if name in function.attributes else 0


def _dictionaries(function: ir.OpView, name: str, count: int) -> list[ir.DictAttr]:
    """The attributes of the arguments or results of a function."""
    if name in function.attributes:
        return [ir.DictAttr(each) for each in ir.ArrayAttr(function.attributes[name])]
    return [ir.DictAttr.get({}, context=function.operation.context)] * count


def _name_dims(value: ValueInfoProto, attributes: ir.DictAttr) -> None:
    if "forge.dims" in attributes:
        for dim, name in zip(value.type.tensor_type.shape.dim, ir.ArrayAttr(attributes["forge.dims"]), strict=False):
            if not dim.HasField("dim_value") and ir.StringAttr(name).value:
                dim.dim_param = ir.StringAttr(name).value
