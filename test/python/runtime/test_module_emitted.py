"""A module as the emitter writes it runs on the runtime, directly and compiled."""

import sys
import types
from typing import Any

import pytest
import torch

from forge_mlir import runtime as forge
from forge_mlir.runtime import ForgeModule

# As the emitter writes it, with quotes, dots and early releases.
EMITTED = """
try:
    import forge
    import forge.op
    from forge import ForgeModule
except ModuleNotFoundError as missing:
    if missing.name not in ("forge", "forge.op"):
        raise
    from forge_mlir import runtime as forge
    from forge_mlir.runtime import ForgeModule
import torch


class Block(ForgeModule):
    def __init__(self, name="block"):
        super().__init__(name)
        self.add_parameter(
            "h.0.weight",
            forge.Parameter(64, 192, requires_grad=False, dev_data_format=forge.DataFormat.Float32),
        )
        self.add_constant("ids", shape=(4,), dtype=torch.int32)

    def forward(self, x):
        h_0_matmul = forge.op.Matmul("", x, self.get_parameter("h.0.weight")).set_src_layer("h.0/MatMul")
        half = forge.op.Constant("", constant=0.5)
        h_0_mul = forge.op.Multiply("", h_0_matmul, half).set_src_layer("h.0/Mul")
        h_0_matmul._value = None
        picked = forge.op.AdvIndex("", h_0_mul, self.get_constant("ids"), dim=-1)
        return h_0_mul, picked

    def process_framework_parameters(self, model=None):
        self.set_parameter("h.0.weight", model["h.0.weight"])
        self.set_constant("ids", model["ids"])
"""


@pytest.fixture
def block(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, "forge", None)  # Imports fail even if Tenstorrent's package is installed.
    emitted = types.ModuleType("emitted")
    exec(compile(EMITTED, "emitted.py", "exec"), emitted.__dict__)
    return emitted.Block()


class TestEmittedModule:
    weights = torch.randn(64, 192)
    ids = torch.tensor([3, 1, 1, 191], dtype=torch.int32)

    def test_it_computes(self, block: Any) -> None:
        block.process_framework_parameters({"h.0.weight": self.weights, "ids": self.ids})
        x = torch.randn(2, 64)
        result, picked = block(x)
        torch.testing.assert_close(result.value(), x @ self.weights * 0.5)
        assert torch.equal(picked.value(), result.value()[:, self.ids.long()])
        assert result.src_layer == "h.0/Mul"
        assert not result.value().requires_grad

    def test_it_compiles(self, block: Any) -> None:
        block.process_framework_parameters({"h.0.weight": self.weights, "ids": self.ids})
        compiled = forge.compile(block, [torch.randn(2, 64)], module_name="named")
        x = torch.randn(2, 64)
        result, picked = compiled(x)
        assert compiled.name == "named"
        torch.testing.assert_close(result, x @ self.weights * 0.5)
        assert picked.shape == (2, 4)

    def test_weights_never_set_are_named(self, block: Any) -> None:
        with pytest.raises(RuntimeError, match=r"never set: h\.0\.weight, ids"):
            block(torch.randn(2, 64))

    def test_forge_itself_is_not_registered(self, block: Any) -> None:
        assert block is not None
        assert sys.modules["forge"] is None


class Returns(ForgeModule):
    """A module whose forward is given by the test."""

    def __init__(self, forward: Any) -> None:
        super().__init__("returns")
        self.add_parameter("w", forge.Parameter(torch.ones(2)))
        self.add_constant("c", shape=(2,))
        self.set_constant("c", torch.ones(2))
        self._forward = forward

    def forward(self, x: forge.Tensor) -> Any:
        return self._forward(self, x)


class TestCompile:
    @pytest.mark.parametrize(
        "forward",
        [lambda m, _x: m.get_parameter("w"), lambda m, _x: m.get_constant("c"), lambda _m, x: (abs_x := x + x, abs_x)],
        ids=["parameter", "constant", "twice"],
    )
    def test_outputs_that_forge_cannot_build(self, forward: Any) -> None:
        with pytest.raises(RuntimeError, match="Identity"):
            forge.compile(Returns(forward), [torch.ones(2)])

    def test_an_input_may_be_returned(self) -> None:
        compiled = forge.compile(Returns(lambda m, x: (x, forge.op.Identity("", m.get_constant("c")))), [torch.ones(2)])
        assert [y.tolist() for y in compiled(torch.zeros(2))] == [[0, 0], [1, 1]]

    def test_integers_narrow_to_int32(self) -> None:
        compiled = forge.compile(Returns(lambda _m, x: forge.op.LogicalNot("", x)), [torch.tensor([0, 2])])
        (result,) = compiled(torch.tensor([0, 2]))
        assert result.dtype is torch.int32
        assert result.tolist() == [1, 0]

    def test_shapes_are_fixed(self) -> None:
        compiled = forge.compile(Returns(lambda _m, x: x + x), [torch.ones(2)])
        with pytest.raises(RuntimeError, match="compiled for"):
            compiled(torch.ones(3))
        with pytest.raises(RuntimeError, match="compiled for"):
            compiled(torch.ones(2), torch.ones(2))

    def test_a_parameter_called_like_an_input(self) -> None:
        module = Returns(lambda _m, x: x + x)
        module.add_parameter("x", forge.Parameter(torch.ones(1)))
        with pytest.raises(RuntimeError, match="called like an input"):
            forge.compile(module, [torch.ones(2)])

    def test_only_forge_modules(self) -> None:
        with pytest.raises(TypeError):
            forge.compile(torch.nn.Linear(1, 1), [torch.ones(1)])  # type: ignore[arg-type]
