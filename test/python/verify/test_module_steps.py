"""Values that the module computes with a scale, because it is folded into weights, are compared without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper, parser, save

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.runtime import op
from forge_mlir.verify import verify_model
from forge_mlir.verify.module_steps import _in_order

RNG = np.random.default_rng(11)


def gated(channels: int) -> ModelProto:
    """Convolutions with hard swish between them, one of them used by a squeeze-and-excite block."""
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w0", "b0"], ["c0"], pads=[1, 1, 1, 1]),
        node("HardSwish", ["c0"], ["h0"]),
        node("Conv", ["h0", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1], group=channels),
        node("HardSwish", ["c1"], ["h1"]),
        node("GlobalAveragePool", ["h1"], ["p"]),
        node("Conv", ["p", "w2", "b1"], ["q"]),
        node("Sigmoid", ["q"], ["g"]),
        node("Mul", ["h1", "g"], ["e"]),
        node("Conv", ["e", "w2", "b1"], ["y"]),
    ]
    shapes = {
        "w0": (channels, 3, 3, 3),
        "b0": (channels,),
        "w1": (channels, 1, 3, 3),
        "b1": (channels,),
        "w2": (channels, channels, 1, 1),
    }
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("y", 1, [1, channels, 8, 8])],
        [numpy_helper.from_array(RNG.standard_normal(s).astype(np.float32), name) for name, s in shapes.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_every_value_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    save(gated(8), path)
    verified = verify_model(path)
    assert verified.passed, verified
    compared = {name for report in verified.nodes for name in report.node.output}
    assert {"c0", "h0", "c1", "h1", "e", "q", "y"} <= compared


def test_the_scale_is_divided_out() -> None:
    held = np.array([[1.5, -3.0]], np.float32)
    assert _in_order(held, {"scale": 1.5, "axes": [1, 0]}).tolist() == [[1.0], [-2.0]]
    assert _in_order(held, {"scale": 1.5}).dtype == np.float32


def test_a_module_without_memory_is_not_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(parser.parse_model('<ir_version: 9, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }'),
         tmp_path / "model.onnx")  # fmt: skip

    def without_memory(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(op, "Relu", without_memory)
    with pytest.raises(ForgeError, match="out of memory: the module's value") as raised:
        verify_model(tmp_path / "model.onnx")
    assert raised.value.code is Code.MemoryLimit


@pytest.mark.parametrize("factor", [1.001, -1.0])
def test_a_wrong_factor_is_found(factor: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison uses the recorded scale: with another one it finds a divergence."""
    path = tmp_path / "model.onnx"
    save(gated(8), path)

    def planted(array: np.ndarray, entry: dict[str, object]) -> np.ndarray:
        wrong = {**entry, "scale": float(str(entry["scale"])) * factor} if "scale" in entry else entry
        return _in_order(array, wrong)

    monkeypatch.setattr("forge_mlir.verify.module_steps._in_order", planted)
    assert not verify_model(path).passed
