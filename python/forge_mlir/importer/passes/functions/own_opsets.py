"""Handles nodes of another opset than the model's, from functions for an opset in which their op differs.

Such a node keeps its opset (`node_opset`), and the compiler converts it accordingly. onnx's checker and inference
support only one opset per model: these nodes are checked individually, and become function calls during type inference.
"""

from __future__ import annotations

from collections.abc import Iterator

import onnx
from onnx import FunctionProto, ModelProto, NodeProto, helper

from forge_mlir.codes import Code
from forge_mlir.errors import escaped
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.graph import all_nodes, drop_node_opset, node_opset, node_where, set_node_opset, subgraphs
from forge_mlir.onnx_model.opsets import since_version
from forge_mlir.support.opsets import declared_opsets

_DOMAIN = "forge.own_opset"


def forget_opsets(model: ModelProto) -> None:
    """Removes such annotations from a file."""
    for owner in (model.graph, *model.functions):
        for node in all_nodes(owner.node):
            drop_node_opset(node)


def keep_opsets(model: ModelProto, function: FunctionProto) -> None:
    """Declares `function` for the opsets of `model`. Nodes whose op differs there are annotated with their own opset.

    Raises OnnxImportError for such a node with subgraphs, which would be checked and typed in the wrong opset.
    """
    versions = declared_opsets(model)
    for entry in function.opset_import:
        wanted = versions.get(entry.domain, entry.version)
        for node in all_nodes(function.node):
            op = node.op_type
            # All versions of Constant are equivalent; newer ones have more attributes.
            if node.domain != entry.domain or (op == "Constant" and not node.domain):
                continue
            if since_version(op, entry.version, entry.domain) == since_version(op, wanted, entry.domain):
                continue
            if next(subgraphs(node), None) is not None:
                raise import_error(
                    Code.FunctionNotInlined,
                    f"function {quote(function.name)} cannot be inlined: it is written for opset {entry.version} "
                    f"and the model for opset {wanted}, between which {quote(op)} changed, and its node has graphs",
                    hint="convert model and functions to one opset, or export it without functions",
                )
            set_node_opset(node, entry.version)
        entry.version = wanted


def check_own_opsets(model: ModelProto) -> None:
    """Checks such nodes individually. Raises OnnxImportError with the checker's reason."""
    for node, opset in _found(model):
        context = onnx.checker.C.CheckerContext()
        context.ir_version = model.ir_version
        context.opset_imports = {node.domain: opset}
        try:
            onnx.checker.check_node(node, context)
        except Exception as error:
            reason = escaped(str(error).strip().split("\n")[0])
            raise import_error(Code.ModelInvalid, f"the model is invalid: {reason}", where=node_where(node)) from error


def call_own_opsets(model: ModelProto) -> None:
    """Replaces each such node by a call of a function in its opset, with the same operands and results."""
    for node, opset in _found(model):
        reads = list(dict.fromkeys(filter(None, node.input)))
        outputs = list(filter(None, node.output))
        inner = NodeProto()
        inner.CopyFrom(node)
        name = f"{node.op_type}_{len(model.functions)}"
        imports = [helper.make_opsetid(node.domain, opset)]
        model.functions.append(helper.make_function(_DOMAIN, name, reads, outputs, [inner], imports))
        node.CopyFrom(helper.make_node(name, reads, outputs, name=node.name, domain=_DOMAIN))
    if model.functions:
        model.opset_import.append(helper.make_opsetid(_DOMAIN, 1))
        model.ir_version = max(model.ir_version, 8)  # the first version with functions


def has_own_opsets(model: ModelProto) -> bool:
    """Whether there is such a node."""
    return next(_found(model), None) is not None


def _found(model: ModelProto) -> Iterator[tuple[NodeProto, int]]:
    """Such nodes of the main graph and its subgraphs, with their opsets."""
    for node in all_nodes(model.graph.node):
        if (opset := node_opset(node)) is not None:
            yield node, opset
