"""The API of Tensor and Parameter."""

from typing import Any

import pytest
import torch

from forge_mlir import runtime as forge


class TestTensor:
    def test_release(self) -> None:
        x = forge.Tensor.create_from_torch(torch.ones(2, 3))
        x._value = None
        assert x.shape == (2, 3)
        assert x.data_format is forge.DataFormat.Float32
        assert not x.has_value()
        with pytest.raises(RuntimeError, match="released"):
            x.value()

    def test_set_src_layer_returns_the_tensor(self) -> None:
        x = forge.Tensor.create_from_torch(torch.ones(1))
        assert x.set_src_layer("a/b") is x
        assert x.src_layer == "a/b"

    def test_set_value_keeps_the_shape(self) -> None:
        x = forge.Tensor.create_from_torch(torch.ones(2))
        x.set_value(torch.zeros(2))
        assert x.value().tolist() == [0, 0]
        with pytest.raises(RuntimeError):
            x.set_value(torch.zeros(1, 2))

    def test_text_shows_the_value(self) -> None:
        tensor = forge.Tensor.create_from_torch(torch.tensor([1.5, 2.0]))
        assert repr(tensor) == "Tensor(input, shape=(2,), Float32):\ntensor([1.5000, 2.0000])"
        tensor._value = None
        assert repr(tensor) == "Tensor(input, shape=(2,), Float32)"

    @pytest.mark.parametrize("dtype", [torch.float64, torch.int16, torch.complex64, torch.uint16, torch.uint32])
    def test_dtypes_that_forge_does_not_know(self, dtype: torch.dtype) -> None:
        with pytest.raises(RuntimeError, match="no Forge data format"):
            forge.Tensor.create_from_torch(torch.ones(2).to(dtype))

    def test_only_torch_tensors(self) -> None:
        with pytest.raises(TypeError):
            forge.Tensor.create_from_torch([1.0])  # type: ignore[arg-type]


class TestParameter:
    def test_declared_then_set(self) -> None:
        p = forge.Parameter(2, 3)
        assert p.shape == (2, 3)
        assert p.data_format is forge.DataFormat.Float32
        with pytest.raises(RuntimeError, match="no value"):
            p.value()
        given = torch.ones(2, 3)
        p.set_value(given)
        assert p.value().requires_grad
        assert not given.requires_grad

    def test_from_a_torch_tensor(self) -> None:
        p = forge.Parameter(torch.ones(2, dtype=torch.bfloat16), requires_grad=False)
        assert p.data_format is forge.DataFormat.Float16_b
        assert p.pt_data_format is torch.bfloat16
        assert not p.value().requires_grad

    @pytest.mark.parametrize("arguments", [(1.0,), (True,), ("2",), (-1,), (torch.ones(1), 2)])
    def test_dimensions_must_be_ints(self, arguments: tuple[Any, ...]) -> None:
        with pytest.raises(TypeError):
            forge.Parameter(*arguments)

    def test_no_dimensions(self) -> None:
        with pytest.raises(RuntimeError):
            forge.Parameter()

    @pytest.mark.parametrize("shape", [(1,), (1, 1)])
    def test_a_scalar_takes_the_declared_rank(self, shape: tuple[int, ...]) -> None:
        p = forge.Parameter(*shape)
        p.set_value(torch.tensor(2.0))
        assert p.value().shape == shape

    def test_only_rank_0_is_a_scalar(self) -> None:
        with pytest.raises(RuntimeError, match="cannot hold a value of shape"):
            forge.Parameter(1).set_value(torch.ones(1, 1))

    @pytest.mark.parametrize(
        ("value", "error"),
        [
            (torch.ones(3, 2), RuntimeError),
            (torch.ones(6), RuntimeError),
            (torch.ones(1, 2, 3), RuntimeError),
            (torch.tensor(1.0), RuntimeError),
            (torch.ones(1), RuntimeError),
            (torch.ones(2, 3, dtype=torch.float64), RuntimeError),
            (torch.ones(2, 3, dtype=torch.int32), RuntimeError),
            ([[1.0] * 3] * 2, TypeError),
        ],
    )
    def test_wrong_values(self, value: Any, error: type[Exception]) -> None:
        p = forge.Parameter(2, 3)
        with pytest.raises(error):
            p.set_value(value)
        assert not p.has_value()

    def test_integers_cannot_require_gradients(self) -> None:
        with pytest.raises(RuntimeError, match="gradients"):
            forge.Parameter(2, dev_data_format=forge.DataFormat.Int32).set_value(torch.tensor([1, 2]))
        p = forge.Parameter(2, dev_data_format=forge.DataFormat.Int32, requires_grad=False)
        p.set_value(torch.tensor([1, 2]))
        assert p.value().tolist() == [1, 2]

    def test_gradients_flow_only_where_asked_for(self) -> None:
        p = forge.Parameter(torch.tensor([2.0, 3.0]))
        x = forge.Tensor.create_from_torch(torch.tensor([5.0, 7.0]))
        forge.op.Multiply("", p, x).value().sum().backward()
        assert p.value().grad is not None
        assert p.value().grad.tolist() == [5.0, 7.0]
        assert not forge.op.Abs("", x).requires_grad
        with torch.no_grad():
            assert not forge.op.Abs("", p).requires_grad


def test_operators_build_ops() -> None:
    x, y = torch.randn(3), torch.randn(3)
    a = forge.Tensor.create_from_torch(x)
    b = forge.Parameter(y, requires_grad=False)
    assert torch.equal((a + b).value(), x + y)
    assert torch.equal((b - a).value(), y - x)
    assert torch.equal((a * 2.0).value(), x * 2)
    assert torch.equal((1.0 - a).value(), 1 - x)
