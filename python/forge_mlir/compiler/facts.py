"""The facts about the ONNX model and the tools in manifests, and the IR as bytecode."""

from __future__ import annotations

import base64
import hashlib
import io
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from onnx import ModelProto

from forge_mlir import _native
from forge_mlir.compiler.integers import Range
from forge_mlir.compiler.option_types.values import command_line
from forge_mlir.compiler.options import Options
from forge_mlir.importer import ImportedModel, TensorInfo
from forge_mlir.onnx_model.words import words_of
from forge_mlir.support.progress import phase

_ENGINES = ("onnxruntime", "numpy", "ml-dtypes", "protobuf", "safetensors")


def bytecode_of(imported: ImportedModel) -> bytes:
    """The module as MLIR bytecode, without weights."""
    buffer = io.BytesIO()
    imported.module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def facts_of(imported: ImportedModel, ranges: Mapping[str, Range] | None = None) -> dict[str, Any]:
    """The facts about the ONNX model and the tools for the manifest, and the ranges that users stated for inputs."""
    stated = ranges or {}
    defaults = {name: base64.b64encode(value.tobytes()).decode() for name, value in imported.defaults.items()}

    def tensors(infos: list[TensorInfo]) -> list[dict[str, Any]]:
        return [
            {"name": info.name, "dtype": info.dtype, "shape": info.shape}
            | ({"words": words} if (words := _words(imported, info)) else {})
            | ({"element_shape": info.element_shape} if info.element_shape is not None else {})
            | ({"range": stated[info.name]} if info.name in stated else {})
            | ({"default": defaults[info.name]} if info.name in defaults else {})
            for info in infos
        ]

    return {
        "onnx": {
            "graph": imported.name,
            "nodes": imported.nodes,
            "opset": imported.opset,
            "ir_version": imported.ir_version,
            "producer": imported.producer,
            "inputs": tensors(imported.inputs),
            "outputs": tensors(imported.outputs),
        },
        "versions": dict(tool_versions()),
        **({"generation": imported.generation} if imported.generation is not None else {}),
    }


def _words(imported: ImportedModel, info: TensorInfo) -> list[list[str]]:
    """The word lists of text inputs. A model that has some keeps its graph, because it runs on the CPU."""
    if "string" not in info.dtype or imported.graph is None:
        return []
    return words_of(imported.graph.graph, info.name)


@cache
def tool_versions() -> Mapping[str, str]:
    """The versions of the packages that take part in a compilation. Cached, because reading package metadata takes
    time."""
    return {tool: metadata.version(tool) for tool in ("forge-mlir", "onnx", "torch-mlir")}


@cache
def all_versions() -> Mapping[str, str]:
    """The versions of everything that results depend on. Development versions are distinguished by a hash of their C++
    and Python code."""
    digest = hashlib.sha256(Path(_native.__file__).read_bytes())
    for path in sorted(Path(_native.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    engines = {}
    for engine in _ENGINES:
        with suppress(metadata.PackageNotFoundError):
            engines[engine] = metadata.version(engine)
    return {**tool_versions(), **engines, "code": digest.hexdigest()}


def provenance(source: str | os.PathLike[str] | ModelProto, options: Options) -> dict[str, Any]:
    """The facts about the compilation in a manifest: the flags (without arrays), and the SHA-256 of the model's
    file."""
    made: dict[str, Any] = {"flags": command_line(options)}
    if not isinstance(source, ModelProto):
        with phase("hash of the model"), open(source, "rb") as file:
            made["model_sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
    return {"compiled": made}
