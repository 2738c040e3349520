"""Runs passes and the emitter on a `torch_mlir.ir.Module`.

Our MLIR and that of torch_mlir are different versions in one process: modules are exchanged as bytecode in memory, and
native calls release the GIL. IR/Rewriting/PassTable.inc (C++) defines which passes run for each --optimize.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch_mlir import ir

from forge_mlir import _native
from forge_mlir._native import PassRun
from forge_mlir.artifact.names import check_names
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.stages.emit_ir import Emitted, carried_weights, write_emitted
from forge_mlir.dialects import forge
from forge_mlir.dialects.crossing import bytecode, failure
from forge_mlir.errors import Diagnostic, Report
from forge_mlir.lowerings.lowering import Lowering
from forge_mlir.lowerings.running import LoweringRun
from forge_mlir.onnx_model.storage.weights import WeightRef

# The text of a resource attribute: its key, bare or quoted, and its type.
_RESOURCE = re.compile(r"dense_resource<(\"?)(.*?)(_\d+)?\1> : (.*)", re.DOTALL)


@dataclass(frozen=True)
class EmittedModule:
    """A Forge Python module: its file stem, its source, and its manifest (inputs, outputs, recipes of weights).

    A partitioned model has one module per partition in `parts`. `weights` are those that the IR contains, by their key
    in the manifest.
    """

    name: str
    python: str
    manifest: dict[str, Any]
    parts: tuple[EmittedModule, ...] = ()
    weights: Mapping[str, WeightRef] = field(default_factory=dict)


@dataclass(frozen=True)
class Rewrite:
    """A rewrite that was applied: the pass, the name of its statistic, the op, and its ONNX node."""

    pass_name: str
    name: str
    op: str
    node: str


OnPass = Callable[[PassRun], None]
"""Called after each pass. An exception that it raises ends the compilation and is passed on to the caller;
`CompilationCancelled` is intended for that."""


def run_pipeline(
    module: ir.Module, pipeline: str, *, on_pass: OnPass | None = None, lowerings: Sequence[Lowering] = ()
) -> list[Diagnostic]:
    """Runs a textual pass pipeline, such as "builtin.module(convert-onnx-to-forge,cse)", on `module` in place.

    `module` stays valid and gets the result of the passes. Handles to ops, blocks and values in it become invalid (as
    with torch_mlir's PassManager). Locations and the keys of `dense_resource` attributes stay the same. `on_pass` is
    called after each pass; the conversion also uses `lowerings`. Returns the warnings and remarks of the passes. Raises
    ForgeError, with `module` unchanged, if the IR, the pipeline or a pass fails, and whatever `on_pass` raises.
    """
    own, source = LoweringRun(lowerings), _source(module, pipeline)
    result, reports = _native.run_pipeline(source, pipeline, on_pass, own.native())
    _take(module, result, reports, own)
    return list(Diagnostic.all_of(reports))


def run_first_rewrites(
    module: ir.Module, pipeline: str, limit: int, *, on_pass: OnPass | None = None, lowerings: Sequence[Lowering] = ()
) -> list[Rewrite]:
    """As `run_pipeline`, but applies only the first `limit` rewrites (all if negative); returns them in order.

    The optional rewrites of all passes are counted. Their order is the same in each run.
    """
    own, source = LoweringRun(lowerings), _source(module, pipeline)
    result, reports, rewrites = _native.run_first_rewrites(source, pipeline, limit, on_pass, own.native())
    _take(module, result, reports, own)
    return [Rewrite(*rewrite) for rewrite in rewrites]


def _source(module: ir.Module, pipeline: str) -> bytes:
    """The module for the native side; its context gets the forge ops. Raises TypeError for other types."""
    if not isinstance(pipeline, str):
        raise TypeError(f"expected the text of a pipeline, but got {type(pipeline)}")
    source = bytecode(module)
    forge.register(module.context)
    return source


def _take(module: ir.Module, result: bytes | None, reports: list[Report], own: LoweringRun) -> None:
    """Replaces the content of `module` by the result of the passes. Raises ForgeError if they failed."""
    if result is None:
        raise failure(Code.ModelRefused, "the pipeline failed", reports) from next(iter(own.failures), None)
    with module.context, ir.Location.unknown():
        _become(module, ir.Module.parse(result))


def single_passes(text: str) -> list[tuple[str, str]]:
    """(name, pipeline) of each pass in a textual pipeline: "m(a,f(b,c))" holds "m(a)", "m(f(b))" and "m(f(c))"."""
    found = []
    for item in _split(text):
        anchor, nested, rest = item.partition("(")
        if nested and "{" not in anchor:
            found += [(name, f"{anchor}({single})") for name, single in single_passes(rest.removesuffix(")"))]
        elif item:
            found.append((item.partition("{")[0], item))
    return found


def _split(text: str) -> list[str]:
    """Splits text at commas that are not in brackets."""
    items, depth = [""], 0
    for character in text:
        depth += (character in "({") - (character in ")}")
        if character == "," and not depth:
            items.append("")
        else:
            items[-1] += character
    return items


def emit_python(module: ir.Module, name: str | None = None) -> EmittedModule:
    """Emits the function of a module at call level as a Forge Python module.

    `name`, or else that of the function, becomes the file stem and the class name. Raises ForgeError for a module that
    `forge-verify-emittable` rejects.
    """
    source = bytecode(module)
    result, reports = _native.emit_python(source, _stem(module, name))
    if result is None:
        raise failure(Code.NotEmittable, "the module cannot be written as Python", reports)
    stem, python, manifest, parts = result
    for written, text in ((stem, python), *((name, text) for name, text, _ in parts)):
        check_names(written, text)
    partitions = tuple(EmittedModule(name, source, json.loads(facts)) for name, source, facts in parts)
    return EmittedModule(stem, python, json.loads(manifest), partitions, carried_weights(source))


def write_python(
    module: ir.Module, directory: str | os.PathLike[str], name: str | None = None, *, force: bool = False
) -> Artifact:
    """Writes the function of a module at call level, which contains its weights, as `compile` writes a model.

    The IR of `torch_mlir.extras.onnx_importer` carries its weights, that of `import_onnx` does not. All files are
    written or none. Raises ForgeError as `emit_python` does, for weights that are not in the IR or that do not fit
    their dtype, and, unless `force` is given, for files in `directory` that `compile` would not replace.
    """
    source = bytecode(module)
    return write_emitted(Emitted.of(source, _stem(module, name)), directory, {}, force=force)


def verify_module(module: ir.Module) -> list[Diagnostic]:
    """Checks the constraints of every op in C++: `module.operation.verify()` treats forge ops as unregistered.

    Returns warnings; raises ForgeError for an invalid module.
    """
    return forge.verify(module)


def _stem(module: ir.Module, name: str | None) -> str:
    """`name`, or else that of the function."""
    if not isinstance(name, str | None):
        raise TypeError(f"expected a text for the name, but got {type(name)}")
    return _function_name(module) if name is None else name


def _function_name(module: ir.Module) -> str:
    if "sym_name" in module.operation.attributes:
        return str(module.operation.attributes["sym_name"].value)
    for operation in module.body.operations:
        if "sym_name" in operation.attributes:
            return str(operation.attributes["sym_name"].value)
    return "model"


def _become(module: ir.Module, other: ir.Module) -> None:
    """Replaces the ops and attributes of `module` by those of `other`."""
    _restore_resources(module, other)
    for operation in list(module.body.operations):
        operation.operation.erase()
    for operation in list(other.body.operations):
        detached = operation.operation.detach_from_parent()
        module.body.append(detached)
    attributes, others = module.operation.attributes, other.operation.attributes
    for name in list(attributes):
        del attributes[name]
    for name, attribute in others.items():
        attributes[name] = attribute


def _restore_resources(module: ir.Module, other: ir.Module) -> None:
    """Gives resources in `other` the keys that they have in `module`.

    A context makes the key of every resource that it reads unique, so that `w` becomes `w_1`. Weights are found by
    their key, and an attribute with the original key can only be taken from the original IR.
    """
    known = {str(attribute): attribute for _, _, attribute in _resources(module)}
    for operation, name, attribute in _resources(other):
        match = _RESOURCE.fullmatch(str(attribute))
        assert match is not None
        quoted, key, _, type_ = match.groups()
        old = known.get(f"dense_resource<{quoted}{key}{quoted}> : {type_}")
        if old is not None:
            operation.attributes[name] = old


def _resources(module: ir.Module) -> list[tuple[ir.Operation, str, ir.Attribute]]:
    found: list[tuple[ir.Operation, str, ir.Attribute]] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        for name, attribute in operation.attributes.items():
            if _is_resource(attribute):
                found.append((operation, name, attribute))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _is_resource(attribute: ir.Attribute) -> bool:
    # torch_mlir returns resources as generic attributes until they are cast.
    if type(attribute) is not ir.Attribute:
        return False
    try:
        ir.DenseResourceElementsAttr(attribute)
    except ValueError:
        return False
    return True
