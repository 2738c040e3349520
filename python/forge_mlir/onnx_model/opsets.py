"""The operator sets that a model declares, and whether its nodes conform to them."""

from __future__ import annotations

from collections.abc import Sequence

import onnx
from onnx import FunctionProto, ModelProto, NodeProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.graph import all_nodes, node_where

_ALIAS = "ai.onnx"


def since_version(op: str, version: int, domain: str) -> int:
    """The since-version of an op in an opset; the opset itself for ops that onnx does not know."""
    try:
        schema: onnx.defs.OpSchema = onnx.defs.get_schema(op, version, domain)
    except onnx.defs.SchemaError:
        return version
    since: int = schema.since_version
    return since


def normalise_opsets(model: ModelProto) -> dict[str, int]:
    """Replaces the default domain by "" everywhere in `model`, and returns its domain -> version table.

    Raises OnnxImportError for a missing, duplicate or impossible version and for nodes of undeclared domains.
    """
    if not 0 < model.ir_version <= onnx.IR_VERSION:
        raise import_error(
            Code.IrVersionUnknown,
            f"IR version {model.ir_version} is not one of the known 1 to {onnx.IR_VERSION}",
            hint="it is damaged, or newer than the installed onnx",
        )
    versions = _normalise_imports(model)
    _normalise_nodes(model.graph.node, versions)
    for function in model.functions:
        _normalise_nodes(function.node, _normalise_imports(function))
    return versions


def _normalise_imports(owner: ModelProto | FunctionProto) -> dict[str, int]:
    versions = _versions(owner.opset_import)
    del owner.opset_import[:]
    owner.opset_import.extend(onnx.helper.make_opsetid(*entry) for entry in sorted(versions.items()))
    return versions


def _versions(imports: list[onnx.OperatorSetIdProto]) -> dict[str, int]:
    versions: dict[str, int] = {}
    newest = onnx.defs.onnx_opset_version()
    for entry in imports:
        domain = "" if entry.domain == _ALIAS else entry.domain
        shown = quote(entry.domain) if domain else "the default domain"
        if versions.get(domain, entry.version) != entry.version:
            raise import_error(
                Code.OpsetInvalid, f"opset of {shown} is declared twice: {versions[domain]} and {entry.version}"
            )
        if entry.version < 1 or (not domain and entry.version > newest):
            raise import_error(
                Code.OpsetInvalid,
                f"opset {entry.version} of {shown} does not exist",
                hint=f"this importer knows opsets 1 to {newest}",
            )
        versions[domain] = entry.version
    return versions


def _normalise_nodes(nodes: Sequence[NodeProto], versions: dict[str, int]) -> None:
    for node in all_nodes(nodes):
        if node.domain == _ALIAS:
            node.domain = ""
        if node.domain not in versions:
            shown = f"domain {quote(node.domain)}" if node.domain else "the default domain"
            declared = ", ".join(quote(domain) for domain in versions) or "none"
            raise import_error(
                Code.OpsetMissing,
                f"no opset is declared for {shown}",
                where=node_where(node),
                hint=f"declared domains: {declared}",
            )
