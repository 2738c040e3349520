"""Ranges that users state for integer inputs, and integer arithmetic that no pass can prove to fit Int32."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import Diagnostic
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.dtypes import element_by_name
from forge_mlir.onnx_model.errors import import_error, quote, tensor_label

if TYPE_CHECKING:
    from torch_mlir import ir

Range = tuple[int, int]
"""The lowest and the highest integer."""

_INT32 = np.iinfo(np.int32)


def ranges_of(imported: ImportedModel, options: Options) -> dict[str, Range]:
    """The stated ranges of inputs, clamped to their types and to Int32, and those of the tokens and lengths of a
    language model. Raises OnnxImportError for a range of an unknown or non-integer input, and for an empty one."""
    infos = {info.name: info for info in imported.inputs}
    inherent = (imported.generation or {}).get("ranges", {})
    found: dict[str, Range] = {name: (low, high) for name, (low, high) in inherent.items()}
    for name, (lowest, end) in (options.get("ranges") or {}).items():
        if name not in infos:
            known = ", ".join(map(quote, sorted(infos)[:16]))
            raise import_error(Code.InputUnknown, f"there is no input {quote(name)}", hint=f"its inputs are {known}")
        if "int" not in infos[name].dtype or "(" in infos[name].dtype:
            reason = f"a range is of integers, but its type is {infos[name].dtype}"
            raise import_error(Code.InputConflict, reason, where=tensor_label(name))
        kind = ml_dtypes.iinfo(element_by_name(infos[name].dtype).numpy)  # type: ignore[no-untyped-call]
        least, most = found.get(name, (max(_INT32.min, int(kind.min)), min(_INT32.max, int(kind.max))))
        low = max(least if lowest is None else lowest, least)
        high = min(most if end is None else end - 1, most)
        if low > high:
            reason = f"no integer of {infos[name].dtype} that Int32 can hold is in its range"
            raise import_error(Code.InputConflict, reason, where=tensor_label(name))
        found[name] = (low, high)
    return found


def state_ranges(module: ir.Module, ranges: Mapping[str, Range]) -> None:
    """Sets `forge.range` on the arguments of the function of `module`."""
    if not ranges:
        return
    from torch_mlir import ir

    function = next(op for op in module.body.operations if "arg_attrs" in op.attributes)
    with module.context:
        arguments = []
        for argument in ir.ArrayAttr(function.attributes["arg_attrs"]):
            attributes = {entry.name: entry.attr for entry in ir.DictAttr(argument)}
            stated = ranges.get(ir.StringAttr(attributes["forge.onnx_name"]).value)
            if stated is not None:
                attributes["forge.range"] = ir.DenseI64ArrayAttr.get(list(stated))
            arguments.append(ir.DictAttr.get(attributes))
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(arguments)


def with_onnx_ops(diagnostics: Iterable[Diagnostic], imported: ImportedModel) -> list[Diagnostic]:
    """`diagnostics` in which those about integers name the ONNX op of their node instead of the forge op."""
    found = list(diagnostics)
    wanted = {diagnostic.onnx_node for diagnostic in unproven(found)}
    if not wanted:
        return found
    from torch_mlir import ir

    ops: dict[str, tuple[str, str]] = {}

    def visit(operation: ir.Operation) -> ir.WalkResult:
        name = name_of(operation)
        if operation.name == "torch.operator" and name in wanted:
            domain = operation.attributes.get("torch.onnx_meta.domain", None)
            op = ir.StringAttr(operation.attributes["name"]).value.removeprefix("onnx.")
            ops[name] = (op, ir.StringAttr(domain).value if domain is not None else "")
        return ir.WalkResult.ADVANCE

    imported.module.operation.walk(visit)
    for index, diagnostic in enumerate(found):
        if diagnostic.code == Code.IntegerUnproven and diagnostic.onnx_node in ops:
            op, domain = ops[diagnostic.onnx_node]
            opset = imported.opset.get(domain, 0)
            found[index] = replace(diagnostic, op=op, domain=domain, opset=opset)
    return found


def name_of(operation: ir.Operation) -> str:
    """The name in the location of an op."""
    quoted = re.fullmatch(r'loc\("(.*)"\)', str(operation.location), re.DOTALL)
    if quoted is None:
        return ""
    escape = re.compile(rb"\\([0-9A-F]{2}|.)")
    text = escape.sub(
        lambda m: bytes.fromhex(m[1].decode()) if len(m[1]) == 2 else m[1], quoted[1].encode("utf-8", "surrogateescape")
    )
    return text.decode("utf-8", "surrogateescape")


def facts_of_unproven(diagnostics: Iterable[Diagnostic]) -> dict[str, object]:
    """The facts about unproven arithmetic for the manifest."""
    rows = [
        {"node": found.onnx_node, "op": found.op, "reason": found.reason, "inputs": list(found.bind)}
        for found in unproven(diagnostics)
    ]
    return {"unproven_integers": rows} if rows else {}


def unproven(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics about integer arithmetic that may overflow Int32. `bind` names the inputs that would have to be
    bounded."""
    return [found for found in diagnostics if found.code == Code.IntegerUnproven]
