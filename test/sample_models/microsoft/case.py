"""Models of one node of onnxruntime's own ops, and onnxruntime's results for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnx import ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper

Array = npt.NDArray[Any]
Reference = Callable[..., list[Array]]
MICROSOFT = "com.microsoft"

_draw = np.random.default_rng(0)


def f(*shape: int) -> Array:
    return _draw.standard_normal(shape).astype(np.float32)


def i32(*values: Any) -> Array:
    return np.array(values[0] if len(values) == 1 else values, np.int32)


def u8(*shape: int) -> Array:
    return _draw.integers(0, 256, shape).astype(np.uint8)


@dataclass(frozen=True)
class Case:
    """A model of one node. `fixed` are the operands that are initializers; `outputs` are names, "" for an omitted one.

    `reference` computes results for which onnxruntime has no kernel. `refused` is a part of the message of a refusal.
    """

    op: str
    about: str
    inputs: tuple[Array | None, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    outputs: tuple[str, ...] = ("y",)
    fixed: tuple[int, ...] = ()
    domain: str = MICROSOFT
    opset: int = 17
    reference: Reference | None = None
    refused: str = ""

    def name(self) -> str:
        return f"{self.op}-{self.about}".replace(" ", "_")


def model_of(case: Case, outputs: list[ValueInfoProto], tail: list[NodeProto] | None = None) -> ModelProto:
    names = ["" if value is None else f"x{i}" for i, value in enumerate(case.inputs)]
    node = helper.make_node(case.op, names, case.outputs, domain=case.domain, **case.attributes)
    inputs = [
        helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for i, value in enumerate(case.inputs)
        if value is not None and i not in case.fixed
    ]
    fixed = [numpy_helper.from_array(value, f"x{i}") for i in case.fixed if (value := case.inputs[i]) is not None]
    graph = helper.make_graph([node, *(tail or [])], "g", inputs, outputs, fixed)
    opsets = [helper.make_opsetid("", case.opset)]
    if case.domain:
        opsets.append(helper.make_opsetid(case.domain, 1))
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def feed_of(case: Case) -> dict[str, Array]:
    return {f"x{i}": x for i, x in enumerate(case.inputs) if x is not None and i not in case.fixed}


def run_onnxruntime(model: ModelProto, feed: dict[str, Array]) -> list[Array]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, feed))


def typed(names: list[str], values: list[Array]) -> list[ValueInfoProto]:
    return [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in zip(names, values, strict=True)
    ]
