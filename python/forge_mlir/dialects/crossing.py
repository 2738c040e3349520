"""Exchanges modules of torch_mlir with the MLIR that has the forge dialect.

The two share nothing: modules are exchanged as bytecode in memory, and native calls release the GIL.
"""

from __future__ import annotations

import io

from torch_mlir import ir

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError, Report

# The newest bytecode version that LLVM 22 reads.
_BYTECODE_VERSION = 6


def bytecode(module: ir.Module | ir.Operation) -> bytes:
    """A module in the format that the native side reads. Raises TypeError for anything else."""
    buffer = io.BytesIO()
    _operation(module).write_bytecode(buffer, desired_version=_BYTECODE_VERSION)
    return buffer.getvalue()


def failure(code: Code, what: str, reports: list[Report]) -> ForgeError:
    """The error for a native call that returned no result."""
    errors = sum(report["severity"] == "error" for report in reports)
    count = f" with {errors} errors" if errors > 1 else ""
    return ForgeError(code, what + count, Diagnostic.all_of(reports))


def verify(operation: ir.Module | ir.OpView | ir.Operation) -> list[Diagnostic]:
    """Checks the constraints of every op of the module that holds `operation`, in C++.

    `operation.verify()` of torch_mlir treats forge ops as unregistered. Returns warnings. Raises ForgeError, with
    locations in its diagnostics, for an invalid module and for an op that is not in a module.
    """
    result, reports = _native.verify(bytecode(_module_and_path(operation)[0]))
    if result is None:
        raise failure(Code.InvalidIr, "the module is not valid", reports)
    return list(Diagnostic.all_of(reports))


def text(operation: ir.Module | ir.OpView | ir.Operation, *, locations: bool = False) -> str:
    """A module, or an op of one, in the custom form of the forge dialect, as `forge-opt` prints it.

    Values have the names that they have in the text of the whole module, so that this takes as long as printing all of
    it. Raises ForgeError for an invalid module and for an op that is not in a module.
    """
    module, path = _module_and_path(operation)
    result, reports = _native.text(bytecode(module), path, locations)
    if result is None:
        raise failure(Code.InvalidIr, "the module is not valid", reports)
    return result


def parse(source: str | bytes, context: ir.Context) -> ir.Module:
    """Parses text in any form, or bytecode. `context` must have forge ops (`register`).

    `ir.Module.parse` reads only generic forms. Raises ForgeError, with locations in its diagnostics.
    """
    data = source.encode() if isinstance(source, str) else source
    result, reports = _native.run_pipeline(data, "builtin.module()")
    if result is None:
        raise failure(Code.InvalidIr, "the text is no valid module", reports)
    with context:
        return ir.Module.parse(result)


def _module_and_path(operation: ir.Module | ir.OpView | ir.Operation) -> tuple[ir.Operation, list[int]]:
    """The module that contains an op, and the path of op indices to it, outermost first."""
    op, path = _operation(operation), []
    while (parent := _parent(op)) is not None:
        siblings = (child for region in parent.operation.regions for block in region for child in block)
        path.append(next(index for index, child in enumerate(siblings) if child.operation == op))
        op = parent.operation
    if op.name != "builtin.module":
        raise ForgeError(Code.InvalidIr, f"'{operation.operation.name}' op is in no module")
    return op, path[::-1]


def _operation(value: object) -> ir.Operation:
    if not isinstance(value, (ir.Module, ir.OpView, ir.Operation)):
        raise TypeError(f"expected a module or an op of torch_mlir.ir, but got {type(value)}")
    found: ir.Operation = value.operation
    return found


def _parent(op: ir.Operation) -> ir.OpView | ir.Operation | None:
    try:
        return op.parent
    except ValueError:  # The op is not in a block.
        return None
