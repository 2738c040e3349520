"""The bound of the error of one op, for its tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, helper
from onnx.reference import ReferenceEvaluator
from onnxruntime import InferenceSession

from forge_mlir.verify.limits.bounds import Case, bounds_of

EPS = float(np.finfo(np.float32).eps)


def bound(
    op: str,
    *operands: np.ndarray,
    errors: dict[int, float] | None = None,
    orders: bool = False,
    opset: int = 18,
    names: Sequence[str] = (),
    **attributes: Any,
) -> np.ndarray:
    """The bound of the error of the result of `op`, for operands with errors of `errors`. `names` of the operands may
    be equal."""
    names = names or [f"x{at}" for at in range(len(operands))]
    made = helper.make_node(op, names, ["y"], **attributes)

    def run(node: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
        graph = helper.make_graph(
            [node],
            "g",
            [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(values[name].dtype), None)
                for name in dict.fromkeys(node.input)
            ],
            [onnx.ValueInfoProto(name="y")],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
        # onnx.reference has no grouped transposed convolution, and no GlobalLpPool.
        session: Any = (
            InferenceSession(model.SerializeToString())
            if op in ("ConvTranspose", "GlobalLpPool")
            else ReferenceEvaluator(model)
        )
        (found,) = session.run(None, {name: values[name] for name in node.input})
        return {"y": np.asarray(found)}

    def wide(node: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
        floats = {name: np.asarray(value, np.float64) for name, value in values.items() if value.dtype.kind == "f"}
        return run(node, {**values, **floats})

    values = dict(zip(names, operands, strict=True))
    given = {names[at]: np.asarray(error) for at, error in (errors or {}).items()}
    found = bounds_of(Case(made, opset, values, given, run(made, values), run, wide, orders))["y"]
    return np.broadcast_to(found, run(made, values)["y"].shape)
