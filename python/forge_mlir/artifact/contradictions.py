"""Contradictions within a manifest, whose fields have the right types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import ml_dtypes
import numpy as np

from forge_mlir.artifact.device_types import DEVICE_TYPES
from forge_mlir.errors import quote

_OTHER_TYPES = ("string", "sequence", "map", "optional", "unknown", "undefined")
"""The words in the types of values that are not tensors of numbers."""


def contradictions(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about fields that do not fit each other, or that no model has; none for a manifest as compiled."""
    yield from _described(manifest)
    declared = {output["name"] for output in manifest["onnx"]["outputs"]}
    for output in manifest["outputs"]:
        if output["onnx_name"] not in declared:
            yield f"the model has no output {quote(output['onnx_name'])}"
    if "partitions" in manifest:
        yield from _partition_files(manifest)
        yield from _value_flow(manifest)


def _described(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Whether tensors have types and shapes that exist. In the lists of a partitioned model, inputs are indices."""
    device = [entry for entry in (*manifest["inputs"], *manifest["outputs"]) if isinstance(entry, dict)]
    for entry in device:
        if "shape" in entry and str(entry.get("dtype")) not in DEVICE_TYPES:
            yield f"{quote(entry['onnx_name'])} has the element type {quote(entry.get('dtype'))}, which no device has"
    onnx = [*manifest["onnx"]["inputs"], *manifest["onnx"]["outputs"], *manifest.get("values", ())]
    for entry in (*device, *onnx, *manifest.get("weights", ())):
        name = quote(entry.get("onnx_name", entry.get("name")))
        if any(isinstance(size, int) and size < 0 for size in entry.get("shape") or ()):
            yield f"{name} has the shape {entry['shape']}, with a negative size"
        dtype = entry.get("dtype")
        words = re.findall(r"\w+", dtype) if isinstance(dtype, str) else [] if dtype is None else [""]
        if not all(map(_is_type, words)):
            yield f"{name} has the element type {quote(dtype)}, which does not exist"


def _is_type(word: str) -> bool:
    return word in _OTHER_TYPES or word in np.sctypeDict or hasattr(ml_dtypes, word)


def _partition_files(manifest: Mapping[str, Any]) -> Iterator[str]:
    suffixes = {"device": (".py", ".json"), "cpu": (".py", ".onnx")}
    for partition in manifest["partitions"]:
        if partition["kind"] not in suffixes:
            yield f"expected a partition of kind 'cpu' or 'device', but got {quote(partition['kind'])}"
            continue
        for name in (partition["module"] + suffix for suffix in suffixes[partition["kind"]]):
            if name not in manifest.get("files", ()):
                yield f"the file {quote(name)} of a partition is not listed in 'files'"


def _value_flow(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Whether each value that partitions and outputs read is an input of the model or computed by an earlier
    partition."""
    known = range(len(manifest.get("values", ())))
    computed: set[int] = set()

    def compute(indices: list[Any], by: str) -> Iterator[str]:
        for index in indices:
            if not isinstance(index, int) or index not in known:
                yield f"{by} names the value {_shown(index)}, but there are {len(known)} values"
            else:
                computed.add(index)

    def read(indices: list[Any], by: str) -> Iterator[str]:
        for index in indices:
            if not isinstance(index, int) or index not in computed:
                yield f"{by} reads the value {_shown(index)}, which is not computed before"

    yield from compute(manifest["inputs"], "an input of the model")
    for partition in manifest["partitions"]:
        by = f"partition {quote(partition['module'])}"
        yield from read(partition["inputs"], by)
        yield from compute(partition["outputs"], by)
    yield from read([output.get("value") for output in manifest["outputs"]], "an output of the model")


def _shown(index: object) -> str:
    return str(index) if isinstance(index, int) else quote(index)
