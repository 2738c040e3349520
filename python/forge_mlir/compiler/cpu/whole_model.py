"""A model without IR as a single CPU partition, for element types and attributes that MLIR or the importer lack."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
from onnx import ModelProto, ValueInfoProto

from forge_mlir import _native
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.names import module_stem
from forge_mlir.artifact.writer import ArtifactContents, OnnxPart, Part, Spans
from forge_mlir.codes import Code
from forge_mlir.compiler.compilation import Lowered
from forge_mlir.compiler.cpu.engines import metadata_of, prove_all
from forge_mlir.compiler.facts import tool_versions
from forge_mlir.compiler.option_types.values import limits_of, value_of
from forge_mlir.compiler.options import Options, option_table
from forge_mlir.errors import Diagnostic, ForgeError, escaped
from forge_mlir.execute.onnx.engines import Engine
from forge_mlir.importer import OnnxImportError
from forge_mlir.importer.onnx_import import whole_model
from forge_mlir.importer.passes.bind_inputs import Bindings
from forge_mlir.onnx_model.dtypes import type_text
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.words import words_of
from forge_mlir.support.opsets import declared_opsets
from forge_mlir.support.sandbox import ChildFailed, isolated

# Options that refer to something in the graph. `Bindings` are handled separately, and shapes of sample inputs may name
# inputs that do not exist.
_OF_GRAPH = [
    name
    for name, option in option_table().items()
    if option.group in ("inputs", "extraction", "fallback")
    and name not in ("input_shapes", "dims", "bind", "sample_inputs", "fallback", "max_partitions", "cpu_exact")
]


def lowered_on_cpu(
    source: str | os.PathLike[str] | ModelProto, name: str | None, options: Options, refusal: OnnxImportError
) -> Lowered:
    """The model as one CPU partition, with a warning that says why. Raises as `on_cpu` does."""
    stem = name or (None if isinstance(source, ModelProto) else Path(source).stem)
    program, facts = on_cpu(source, stem, options, refusal)
    warning = Diagnostic("warning", f"the whole model runs on the CPU: {refusal.message}", code=Code.WholeModelOnCpu)
    label = "model" if isinstance(source, ModelProto) else escaped(source)
    return Lowered(label, program, (warning,), None, {**facts, "versions": dict(tool_versions())})


def on_cpu(
    source: str | os.PathLike[str] | ModelProto, stem: str | None, options: Options, refusal: OnnxImportError
) -> tuple[ArtifactContents, dict[str, object]]:
    """The program, and the facts for its manifest. Raises `refusal` if options need the graph or onnx rejects the
    model, OnnxImportError for sizes and values that do not fit its inputs, and ChildFailed."""
    if any(options.get(name) for name in _OF_GRAPH):
        raise refusal
    model = _checked_model(source, options, refusal)
    exact = value_of(options, "cpu_exact")
    (proof,) = prove_all([bytes(model.SerializeToString(deterministic=True))], exact, limits_of(options))
    if proof.engine is None:
        raise import_error(
            Code.PartitionFailed, f"{refusal.reason}, and nothing runs it on the CPU either: {proof.explain()}"
        )
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in constants]
    known = [
        _facts_of(value) | ({"words": words} if (words := words_of(model.graph, value.name)) else {})
        for value in inputs
    ]
    program = _program(model, stem or model.graph.name, known, proof.engine, proof.exact, refusal)
    facts = {
        "graph": model.graph.name,
        "nodes": len(model.graph.node),
        "opset": declared_opsets(model),
        "ir_version": model.ir_version,
        "producer": model.producer_name,
        "inputs": known,
        "outputs": [{**_facts_of(value), "shape": None} for value in model.graph.output],
    }
    return program, {"onnx": facts}


def _checked_model(
    source: str | os.PathLike[str] | ModelProto, options: Options, refusal: OnnxImportError
) -> ModelProto:
    """A copy of a model that onnx accepts, with the sizes and values in `options`."""

    def checked() -> bytes:
        whole = ModelProto.FromString(whole_model(source))
        whole.graph.name = whole.graph.name or "main_graph"
        for output in whole.graph.output:  # The checker requires a shape, which onnxruntime does not.
            if output.type.HasField("tensor_type"):
                output.type.tensor_type.shape.SetInParent()
        onnx.checker.check_model(whole)
        return bytes(whole.SerializeToString(deterministic=True))

    try:
        model = ModelProto.FromString(isolated("onnx", checked, limits_of(options)))
    except ChildFailed:
        raise
    except Exception as error:  # onnx and protobuf raise many exception types
        raise refusal from error
    bindings = Bindings(options.get("input_shapes") or {}, options.get("dims") or {}, options.get("bind") or {})
    try:
        bindings.apply(model)
    except OnnxImportError as error:
        raise error.in_model("" if isinstance(source, ModelProto) else escaped(source)) from error
    for output in model.graph.output:  # Shapes declared by exporters may be wrong; onnxruntime ignores them.
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return model


def _program(
    model: ModelProto, name: str, inputs: Sequence[Json], engine: Engine, exact: bool, refusal: OnnxImportError
) -> ArtifactContents:
    """A partitioned model whose only partition runs `model`. `inputs` are the facts about its inputs."""
    driver = _driver([info["name"] for info in inputs], [value.name for value in model.graph.output], refusal.reason)
    emitted, reports = _native.emit_python(driver.encode(), module_stem(name))
    if emitted is None:
        raise ForgeError(Code.NotEmittable, "the model cannot be written as Python", Diagnostic.all_of(reports))
    stem, python, text, ((part_name, part_python, _),) = emitted
    manifest = json.loads(text)
    (partition,) = manifest["partitions"]
    partition.update(engine=engine, exact=exact)
    for value in manifest["values"]:
        value["bytes"] = None
    for at, info in zip(manifest["inputs"], inputs, strict=True):
        if "(" not in info["dtype"] and info["shape"] is not None and all(isinstance(n, int) for n in info["shape"]):
            manifest["values"][at].update(dtype=info["dtype"], shape=info["shape"])
    onnx.helper.set_model_props(model, metadata_of(partition))
    stored = bytes(model.SerializeToString(deterministic=True))

    def serialise(_file: str, _spans: Spans) -> bytes:
        return stored

    part = Part(part_name, part_python, {}, OnnxPart({}, serialise))
    return ArtifactContents(Part(stem, python, manifest), [part])


def _facts_of(value: ValueInfoProto) -> dict[str, Any]:
    """Name, type and shape of an input or output, in the format of `facts_of`."""
    tensor = value.type.tensor_type
    shape = None
    if tensor.HasField("shape"):
        shape = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in tensor.shape.dim]
    return {"name": value.name, "dtype": type_text(value.type), "shape": shape}


def _driver(inputs: Sequence[str], outputs: Sequence[str], reason: str) -> str:
    """IR of a driver for one CPU partition, whose values have unknown types."""
    arguments = ", ".join(f"%a{at}: !torch.none {{forge.onnx_name = {_text(name)}}}" for at, name in enumerate(inputs))
    results = ", ".join(f"!torch.none {{forge.onnx_name = {_text(name)}}}" for name in outputs)
    operands = ", ".join(f"%a{at}" for at in range(len(inputs)))
    given = ", ".join(["!torch.none"] * len(inputs))
    made = ", ".join(["!torch.none"] * len(outputs))
    returned = ", ".join(f"%r#{at}" for at in range(len(outputs)))
    names = ", ".join(map(_text, outputs))
    return f"""
func.func @model({arguments}) -> ({results}) attributes {{forge.partition = "driver"}} {{
  %r:{len(outputs)} = forge.run @model_cpu0({operands}) : ({given}) -> ({made})
  return {returned} : {made}
}}
func.func @model_cpu0({arguments}) -> ({results}) attributes {{forge.partition = "cpu"}} {{
  %r:{len(outputs)} = torch.operator "onnx.Model"({operands}) {{
    forge.cpu = {_text(reason)}, torch.onnx_meta.results = [{names}]}} : ({given}) -> ({made})
  return {returned} : {made}
}}
"""


def _text(text: str) -> str:
    """Text as an MLIR string literal."""
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data) + '"'
