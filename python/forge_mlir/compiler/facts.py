"""What the manifest says about the ONNX model and the tools, and the IR as bytes."""

from __future__ import annotations

import io
from importlib import metadata
from typing import Any

from forge_mlir.importer import ImportedModel, TensorInfo


def bytecode_of(imported: ImportedModel) -> bytes:
    """The module as MLIR bytecode, without weights."""
    buffer = io.BytesIO()
    imported.module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def facts_of(imported: ImportedModel) -> dict[str, Any]:
    """What the manifest says about the ONNX model and the tools."""

    def tensors(infos: list[TensorInfo]) -> list[dict[str, Any]]:
        return [{"name": info.name, "dtype": info.dtype, "shape": info.shape} for info in infos]

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
        **versions(),
    }


def versions() -> dict[str, Any]:
    """Of the tools that read the model."""
    return {"versions": {tool: metadata.version(tool) for tool in ("onnx", "torch-mlir")}}
