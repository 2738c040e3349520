"""What a user may say about a compilation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

import numpy as np
import numpy.typing as npt

from forge_mlir.errors import ForgeError
from forge_mlir.isolation import MEMORY_LIMIT, TIME_LIMIT, Limits

FOLD_LIMIT = 1 << 20


class Options(TypedDict, total=False):
    """Keyword arguments of `compile` and `check`.

    `input_shapes` ({"image": (1, 3, 224, 224)}), `dims` ({"batch": 1}) and the shapes of `sample_inputs` give open
    dims of the inputs their sizes; for an input in both, `input_shapes` counts;
    `bind` turns inputs into constants; ops without a converter are expanded to their ONNX function bodies, to at most
    `max_expansion` nodes; `fold_limit` is the size in bytes of the largest constant that folding may make;
    `allow_rounding` accepts ops whose results agree with ONNX only up to rounding.

    With `fallback="cpu"` nodes that the device cannot run go to the CPU, instead of being an error; `cpu_ops` sends
    more there, `device_ops` insists on the device (ONNX op types or node names), and a model that would need more
    than `max_regions` regions is refused (0: any number).

    onnx's own code, and onnxruntime where results are compared with it, runs in a child process that may take
    `time_limit` seconds and `memory_limit` bytes (0: any number).
    """

    input_shapes: Mapping[str, Sequence[int]] | None
    dims: Mapping[str, int] | None
    sample_inputs: Mapping[str, npt.NDArray[np.generic]] | None
    bind: Mapping[str, npt.NDArray[np.generic]] | None
    max_expansion: int
    fold_limit: int
    allow_rounding: bool
    fallback: Literal["error", "cpu"]
    cpu_ops: Sequence[str]
    device_ops: Sequence[str]
    max_regions: int
    time_limit: float
    memory_limit: int


def limits_of(options: Options) -> Limits:
    """What foreign code may take."""
    return Limits(options.get("time_limit", TIME_LIMIT), options.get("memory_limit", MEMORY_LIMIT))


def pipeline(options: Options) -> str:
    """The pass pipeline with these options. Raises ForgeError for names that pass options cannot spell."""
    fold = options.get("fold_limit", FOLD_LIMIT)
    rounding = str(options.get("allow_rounding", False)).lower()
    common = f"fold-limit={fold} allow-rounding={rounding}"
    lowering = f"onnx-to-forge-pipeline{{{common}}}"
    if options.get("fallback", "error") == "error":
        return f"builtin.module({lowering})"
    choices = "".join(
        f" {option}={','.join(map(_plain, names))}"
        for option, names in (("cpu-ops", options.get("cpu_ops")), ("device-ops", options.get("device_ops")))
        if names
    )
    assign = f"func.func(forge-assign-devices{{{common}{choices}}})"
    return f"builtin.module({assign},forge-partition{{max-regions={options.get('max_regions', 0)}}},{lowering})"


def _plain(name: str) -> str:
    if not name or re.search(r"[\s,{}()'\"=]", name):
        raise ForgeError(f"{name!a} has characters that an option cannot hold; name the op type instead")
    return name
