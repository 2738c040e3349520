"""The opsets that a model declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import FunctionProto, ModelProto


def default_opset(owner: ModelProto | FunctionProto) -> int:
    """The version of the domain "" ("ai.onnx") that a model or function declares; 0 if none."""
    return next((entry.version for entry in owner.opset_import if entry.domain in ("", "ai.onnx")), 0)


def declared_opsets(owner: ModelProto | FunctionProto) -> dict[str, int]:
    """The version of each domain that a model or function declares."""
    return {entry.domain: entry.version for entry in owner.opset_import}
