"""Seeded random inputs for a compiled module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.device_module import Arrays

# Integers are 0 or 1 unless they are known to be indices: masks, lengths and token types take both.
MOST = 2


def random_inputs(manifest: dict[str, Any], seed: int = 0, most: Callable[[str], int] = lambda _: MOST) -> Arrays:
    """Inputs by ONNX name: normal floats, booleans, and integers below `most` of their name; defaults where there
    are any."""
    generator = np.random.default_rng(seed)
    inputs = defaults_of(manifest)
    sizes = {entry["onnx_name"]: entry["shape"] for entry in manifest.get("values", manifest["inputs"])}
    for info in manifest["onnx"]["inputs"]:
        name = info["name"]
        if name not in sizes or info["dtype"] is None or name in inputs:
            continue
        dtype = np.dtype(getattr(ml_dtypes, info["dtype"], info["dtype"]))
        shape = [] if info["shape"] == [] else sizes[name]
        if dtype.kind in "biu":
            limit = 2 if dtype.kind == "b" else most(name)
            drawn = generator.integers(0, limit, size=shape)
            inputs[name] = np.asarray(np.clip(drawn, *info["range"]) if "range" in info else drawn).astype(dtype)
        else:
            inputs[name] = np.asarray(generator.standard_normal(size=shape)).astype(dtype)
    return inputs
