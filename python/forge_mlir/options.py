"""What a user may say about a compilation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from forge_mlir.errors import ForgeError
from forge_mlir.isolation import MEMORY_LIMIT, TIME_LIMIT, Limits

FOLD_LIMIT = 1 << 20
MAX_WEIGHT_GROWTH = 1.25
HOLE_TARGETS = ("ttnn-conservative", "ttnn-self-masking", "none")


class Options(TypedDict, total=False):
    """Keyword arguments of `compile` and `check`.

    `input_shapes` ({"image": (1, 3, 224, 224)}), `dims` ({"batch": 1}) and the shapes of `sample_inputs` give open
    dims of the inputs their sizes; for an input in both, `input_shapes` counts;
    `bind` turns inputs into constants; of a model that is cut only the part between the tensors `cut_inputs` and
    `cut_outputs` is compiled (where there are none, from its inputs, to its outputs); ops without a converter are
    expanded to their ONNX function bodies, to at most `max_expansion` nodes; `fold_limit` is the size in bytes of the
    largest constant that folding may make; `allow_rounding` accepts ops whose results agree with ONNX only up to
    rounding; `plan_holes` fills tile holes for that target of `--forge-plan-holes` (none if empty).

    With `fallback="cpu"` nodes that the device cannot run go to the CPU, instead of being an error; `cpu_ops` sends
    more there, `device_ops` insists on the device (ONNX op types or node names), and a model that would need more
    than `max_regions` regions is refused (0: any number).

    onnx's own code, and onnxruntime where results are compared with it, runs in a child process that may take
    `time_limit` seconds and `memory_limit` bytes (0: any number).

    With `layout="tiles"` the program is rewritten so that a device that holds tensors in tiles of 32 x 32 moves fewer
    of them. Items count as finite, and some weights are stored in parts, or with zeros between: padding heads makes one
    larger by at most the factor `max_weight_growth`, sharing a slice by no more tiles than it saves.
    `device_format` ("bf16", "bfp8", ...) is how that device holds floats, by default as the model.
    """

    input_shapes: Mapping[str, Sequence[int]] | None
    dims: Mapping[str, int] | None
    sample_inputs: Mapping[str, npt.NDArray[np.generic]] | None
    bind: Mapping[str, npt.NDArray[np.generic]] | None
    cut_inputs: Sequence[str]
    cut_outputs: Sequence[str]
    max_expansion: int
    fold_limit: int
    allow_rounding: bool
    plan_holes: str
    fallback: Literal["error", "cpu"]
    cpu_ops: Sequence[str]
    device_ops: Sequence[str]
    max_regions: int
    time_limit: float
    memory_limit: int
    layout: Literal["none", "tiles"]
    max_weight_growth: float
    device_format: str


def limits_of(options: Options) -> Limits:
    """What foreign code may take."""
    return Limits(options.get("time_limit", TIME_LIMIT), options.get("memory_limit", MEMORY_LIMIT))


def pipeline(options: Options, explain_layout: bool = False) -> str:
    """The pass pipeline with these options; `explain_layout` asks for a remark per rewrite of `layout="tiles"`. Raises
    ForgeError for a target of holes that there is not."""
    holes = options.get("plan_holes")
    if holes and holes not in HOLE_TARGETS:
        raise ForgeError(f"plan_holes: expected a target of {', '.join(HOLE_TARGETS)}, but got {holes!a}")
    passes = f"{_common(options)}{_layout(options, explain_layout)}{f' plan-holes={holes}' if holes else ''}"
    lowering = f"onnx-to-forge-pipeline{{{passes}}}"
    if options.get("fallback", "error") == "error":
        return f"builtin.module({lowering})"
    partition = f"forge-partition{{max-regions={options.get('max_regions', 0)}}}"
    return f"builtin.module({_assignment(options)},{partition},{lowering})"


def _layout(options: Options, explain: bool) -> str:
    layout = options.get("layout", "none")
    if layout == "none":
        return ""
    growth = options.get("max_weight_growth", MAX_WEIGHT_GROWTH)
    device_format = options.get("device_format", "")
    chosen = f" device-format={quote(device_format)}" if device_format else ""
    return f" layout={quote(layout)} layout-remarks={str(explain).lower()} max-weight-growth={growth}{chosen}"


def assignment(options: Options) -> str:
    """The part of the pipeline that says of every node whether the device can run it."""
    return f"builtin.module({_assignment(options)})"


def _common(options: Options) -> str:
    rounding = str(options.get("allow_rounding", False)).lower()
    return f"fold-limit={options.get('fold_limit', FOLD_LIMIT)} allow-rounding={rounding}"


def _assignment(options: Options) -> str:
    choices = "".join(
        f" {option}={','.join(quote(name, safe='/:.') for name in names)}"
        for option, names in (("cpu-ops", options.get("cpu_ops")), ("device-ops", options.get("device_ops")))
        if names
    )
    return f"func.func(forge-assign-devices{{{_common(options)}{choices}}})"
