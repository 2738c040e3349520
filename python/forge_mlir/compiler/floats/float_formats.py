"""Checks the options about float formats, and converts them to options of the pass `--forge-float-format`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from forge_mlir.codes import Code
from forge_mlir.compiler.integers import name_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote
from forge_mlir.importer import ImportedModel

_MOST_INTEGERS = 1 << 20
"""The largest weight that is searched for integers, in elements."""
_LARGEST_INTEGER = 1 << 24
"""Float32 represents all integers up to this one."""


def check_float_format(options: Options) -> None:
    """Raises ForgeError for options of float formats that contradict each other."""
    chosen = options.get("float_format")
    keeps, budget = options.get("keep_float32"), options.get("error_budget")
    if budget is not None and not math.isfinite(budget):
        raise ForgeError(Code.PassOption, f"--error-budget: expected a number, but got {budget}")
    if chosen is None and (keeps or budget is not None or options.get("float_format_outputs") == "native"):
        raise ForgeError(
            Code.PassOption,
            "--keep-float32, --error-budget and --float-format-outputs need --float-format=bfloat16 or mixed",
        )
    if chosen == "mixed" and not keeps and budget is None:
        raise ForgeError(Code.PassOption, "--float-format=mixed needs --error-budget or --keep-float32")
    if chosen != "mixed" and budget is not None:
        raise ForgeError(Code.PassOption, f"--error-budget needs --float-format=mixed, but got {chosen}")
    if chosen == "float32" and keeps:
        raise ForgeError(Code.PassOption, "--keep-float32 has no effect with --float-format=float32")


def in_float_format(imported: ImportedModel, options: Options) -> Options:
    """`options` in the form that the passes need: `keep_float32` lists single nodes instead of op types and patterns,
    and weights that hold integers; a float format other than that of the model implies that rounding is allowed. Raises
    ForgeError for an entry that is neither an op type of the model nor matches a node."""
    chosen, wanted = options.get("float_format"), options.get("keep_float32") or ()
    if chosen is None:
        return options
    options = {**options, "allow_rounding": True}
    if chosen == "float32":
        return options
    nodes = _nodes_of(imported)
    names = list(dict.fromkeys(name for name, _ in nodes if name))
    kept: list[str] = []
    for text in wanted:
        found = [name for name, op in nodes if name and (op == text or name == text)]
        found = found or [name for name in names if fnmatchcase(name, text)]
        if not found:
            raise ForgeError(
                Code.PassOption,
                f"--keep-float32: {quote(text)} is no op type of the model and matches no node; "
                "forge-mlir check lists the nodes",
            )
        kept += found
    kept += _weights_of_integers(imported)
    return {**options, "keep_float32": tuple(map(_literally, dict.fromkeys(kept)))}


def as_chosen(options: Options, manifest: Mapping[str, Any]) -> Options:
    """`options` with the list of nodes that an error budget kept in Float32, from the manifest of the artifact, in
    place of the budget, so that the passes generate the same program."""
    if options.get("error_budget") is None:
        return options
    nodes = (manifest.get("float_format") or {}).get("float32_nodes", ())
    kept = (*(options.get("keep_float32") or ()), *nodes)
    others: Options = {**options, "error_budget": None}  # type: ignore[typeddict-item]
    return {**others, "float_format": "bfloat16", "keep_float32": kept}


def _weights_of_integers(imported: ImportedModel) -> Iterator[str]:
    """The names of Float32 weights that hold integers, such as positions, which bfloat16 may not represent."""
    import ml_dtypes
    import numpy as np

    for weight in imported.weights.values():
        if weight.dtype != "float32" or math.prod(weight.shape) > _MOST_INTEGERS:
            continue
        numbers = weight.array().astype(np.float32)
        whole = np.isfinite(numbers) & (np.trunc(numbers) == numbers) & (abs(numbers) <= _LARGEST_INTEGER)
        if whole.all() and (numbers.astype(ml_dtypes.bfloat16).astype(np.float32) != numbers).any():
            yield weight.name


def _literally(name: str) -> str:
    """A pattern that matches only `name`."""
    return re.sub(r"[][*?\\]", r"\\\g<0>", name)


def _nodes_of(imported: ImportedModel) -> Sequence[tuple[str, str]]:
    """The name and the op type of every ONNX node, subgraphs included."""
    from torch_mlir import ir

    found: list[tuple[str, str]] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        if operation.name == "torch.operator":
            op = ir.StringAttr(operation.attributes["name"]).value.removeprefix("onnx.")
            found.append((name_of(operation), op))
        return ir.WalkResult.ADVANCE

    imported.module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found
