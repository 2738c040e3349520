"""What the options of float formats ask for, checked, and as the pass `--forge-float-format` takes it."""

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
"""Elements of the largest weight that is looked through for integers."""
_LARGEST_INTEGER = 1 << 24
"""Up to here Float32 has every integer."""


def check_float_format(options: Options) -> None:
    """Raises ForgeError for options of float formats that contradict one another."""
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
    """`options` as the passes need them: `keep_float32` names each node, instead of op types and patterns, and weights
    that hold integers; a float format that is not the model's accepts other roundings. Raises ForgeError for an entry
    that is no op type of the model and matches no node."""
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
    """`options` with the nodes that a budget of error kept in Float32, as the manifest of the artifact lists them,
    instead of the budget: with it the passes give the program that was compiled."""
    if options.get("error_budget") is None:
        return options
    nodes = (manifest.get("float_format") or {}).get("float32_nodes", ())
    kept = (*(options.get("keep_float32") or ()), *nodes)
    others: Options = {**options, "error_budget": None}  # type: ignore[typeddict-item]
    return {**others, "float_format": "bfloat16", "keep_float32": kept}


def _weights_of_integers(imported: ImportedModel) -> Iterator[str]:
    """The names of weights in Float32 that hold integers, such as positions, of which bfloat16 has not all."""
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
    """The pattern that matches `name` alone."""
    return re.sub(r"[][*?\\]", r"\\\g<0>", name)


def _nodes_of(imported: ImportedModel) -> Sequence[tuple[str, str]]:
    """The name and the op type of every ONNX node, subgraphs included.

    A node without a name has the one that `--forge-normalize-import` gives it, by which messages and manifests name
    it; but "" in a model with functions, whose bodies are counted where they are called.
    """
    from torch_mlir import ir

    found: list[tuple[str, str]] = []
    functions = [each for each in imported.module.body.operations if each.operation.name == "func.func"]
    number = 0

    def visit(operation: ir.Operation) -> ir.WalkResult:
        nonlocal number
        if operation.name == "torch.operator":
            op = ir.StringAttr(operation.attributes["name"]).value.removeprefix("onnx.")
            name = name_of(operation)
            if op == "Constant" and not len(operation.operands):
                found.append((name, op))
                return ir.WalkResult.ADVANCE
            found.append((name or (f"{op}_{number}" if len(functions) == 1 else ""), op))
            number += 1
        return ir.WalkResult.ADVANCE

    for function in functions:
        function.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found
