"""A value of the module about which `judges` decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.execute.onnx.nodes import Values

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Judged:
    """A value of the module: result `name` of the last of `nodes`, which were fused into one call and are in model
    order. `values` are those of the module, and onnxruntime's results for the nodes before the last one."""

    nodes: Sequence[NodeProto]
    name: str
    actual: Array
    expected: Array
    values: Values
    hosted: bool
    orders: bool = False
    """Whether limits use partial sums, as in `Case`."""
