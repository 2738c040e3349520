"""The probe reports the nodes at which a smaller format would lose precision, and changes no result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

import forge_mlir
from forge_mlir.execute.rounding_probe import RoundingProbe
from forge_mlir.execute.run import run

_NODES = (("Add", "whole", ["x", "one"]), ("Div", "third", ["whole", "three"]), ("MatMul", "product", ["third", "w"]))


def _model() -> onnx.ModelProto:
    arrays = {"one": np.float32(1), "three": np.float32(3), "w": np.eye(8, dtype=np.float32) * np.float32(1e-3)}
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node(op, reads, [name], name=f"/{name}") for op, name, reads in _NODES],
        "steps",
        [onnx.helper.make_tensor_value_info("x", 1, [4, 8])],
        [onnx.helper.make_tensor_value_info("product", 1, [4, 8])],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in arrays.items()],
    )
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])


@pytest.fixture
def compiled(tmp_path: Path) -> Any:
    return forge_mlir.compile(_model(), tmp_path / "out", optimize="none")


def test_only_the_error_of_the_node_itself_is_counted(compiled: Any) -> None:
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    probe = RoundingProbe()
    found = run(compiled, {"x": x}, probe)
    assert np.array_equal(found["product"], forge_mlir.run(compiled, {"x": x})["product"])
    assert probe.by_node["/whole"].error == 0  # Integers up to 32 are exact in bfloat16.
    half_unit = 2.0**-9
    assert half_unit / 10 < probe.by_node["/third"].error < half_unit
    # A product of rounded operands: the error of the quotients is not counted, that of rounding the operands is.
    assert half_unit / 10 < probe.by_node["/product"].error < 4 * half_unit
    assert list(probe.by_node)[-1] == "/product"
    assert probe.by_node["/product"].ops == {"Matmul"}
    assert probe.by_node["/product"].nbytes == 2 * (32 + 64 + 32)


def test_float16_is_more_precise_and_overflow_stays_finite(compiled: Any) -> None:
    x = np.full((4, 8), 1e6, np.float32)
    errors = []
    for dtype in (torch.bfloat16, torch.float16):
        probe = RoundingProbe(dtype)
        run(compiled, {"x": x / np.float32(1e6) * 1000}, probe)
        errors.append(probe.by_node["/third"].error)
    assert errors[1] < errors[0] / 3
    probe = RoundingProbe(torch.float16)
    run(compiled, {"x": x}, probe)
    assert np.isfinite(probe.by_node["/whole"].error)
    assert probe.by_node["/whole"].error > 0.9  # 65504 instead of a million.
