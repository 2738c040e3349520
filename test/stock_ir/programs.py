"""What a module computes, independent of the names of its values and weights."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes  # noqa: F401  (numpy knows bfloat16 by it)
import numpy as np

from forge_mlir import _native
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.onnx_model.dtypes import name_of_ir_type
from forge_mlir.onnx_model.storage.weights import WeightRef

_LOWERING = pipeline(Options(flat=True))


@dataclass(frozen=True)
class Lowered:
    """The calls of a lowered module, with hashes for their weights; or the errors of one that is refused."""

    calls: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


def lowered(source: bytes, weights: Mapping[str, WeightRef] | None = None) -> Lowered:
    """The program that MLIR text or bytecode is lowered to; `weights` are those that it refers to without containing
    them."""
    result, reports = _native.run_pipeline(source, _LOWERING)
    if result is None:
        return Lowered(errors=tuple(str(report["message"]) for report in reports if report["severity"] == "error"))
    emitted, reports = _native.emit_python(result, "m")
    if emitted is None:
        return Lowered(errors=tuple(str(report["message"]) for report in reports))
    _, python, manifest, _ = emitted
    carried, _ = _native.weights(result)
    known = dict(weights or {})
    for key, name, element, shape, data in carried or ():
        known[key] = WeightRef(name, name_of_ir_type(element) or element, tuple(shape), len(data), data=data)
    return Lowered(_calls(python, json.loads(manifest), known))


def _calls(python: str, manifest: dict[str, Any], weights: Mapping[str, WeightRef]) -> tuple[str, ...]:
    digests = {entry["name"]: _digest(entry, weights) for entry in manifest["weights"]}
    tree = ast.parse(python)
    forward = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "forward")
    names = {argument.arg: f"input {at}" for at, argument in enumerate(forward.args.args)}

    def operand(node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return names[node.id]
        assert isinstance(node, ast.Call), ast.unparse(node)
        return digests[ast.literal_eval(node.args[0])]

    calls = [f"{entry['dtype']} {entry['shape']}" for role in ("inputs", "outputs") for entry in manifest[role]]
    for statement in forward.body:
        if isinstance(statement, ast.Return):
            values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
            calls.append(f"return {', '.join(operand(value) for value in values if value is not None)}")
            continue
        if isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("release("):
            continue
        assert isinstance(statement, ast.Assign), ast.unparse(statement)
        target, call = statement.targets[0], statement.value
        if not isinstance(target, ast.Name):
            continue  # Released values are not part of the program.
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "set_src_layer":
            call = call.func.value
        assert isinstance(call, ast.Call), ast.unparse(statement)
        keywords = [ast.unparse(keyword) for keyword in call.keywords]
        calls.append(f"{ast.unparse(call.func)}({', '.join([*map(operand, call.args[1:]), *keywords])})")
        names[target.id] = f"%{len(calls)}"
    return tuple(calls)


def _digest(entry: dict[str, Any], weights: Mapping[str, WeightRef]) -> str:
    if "splat" in entry["source"]:
        number = float(entry["source"]["splat"]) if "int" not in entry["dtype"] else int(entry["source"]["splat"])
        data = np.full(entry["shape"], number, dtype=entry["dtype"]).tobytes()
    else:
        file = WeightsFile()
        file.add(entry, weights)
        data = b"".join(file.entries[0].chunks())
    return f"{entry['dtype']}{entry['shape']} {hashlib.sha256(data).hexdigest()[:16]}"
