"""What a user may say about a compilation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np
import numpy.typing as npt

FOLD_LIMIT = 1 << 20


class Options(TypedDict, total=False):
    """Keyword arguments of `compile` and `check`.

    `input_shapes` ({"image": (1, 3, 224, 224)}), `dims` ({"batch": 1}) and the shapes of `sample_inputs` give open
    dims of the inputs their sizes; for an input in both, `input_shapes` counts;
    `bind` turns inputs into constants; ops without a converter are expanded to their ONNX function bodies, to at most
    `max_expansion` nodes; `fold_limit` is the size in bytes of the largest constant that folding may make;
    `allow_rounding` accepts ops whose results agree with ONNX only up to rounding.
    """

    input_shapes: Mapping[str, Sequence[int]] | None
    dims: Mapping[str, int] | None
    sample_inputs: Mapping[str, npt.NDArray[np.generic]] | None
    bind: Mapping[str, npt.NDArray[np.generic]] | None
    max_expansion: int
    fold_limit: int
    allow_rounding: bool


def pipeline(options: Options) -> str:
    """The pass pipeline with these options."""
    fold = options.get("fold_limit", FOLD_LIMIT)
    rounding = str(options.get("allow_rounding", False)).lower()
    return f"builtin.module(onnx-to-forge-pipeline{{fold-limit={fold} allow-rounding={rounding}}})"
