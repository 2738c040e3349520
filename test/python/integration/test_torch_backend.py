"""torch.compile: writes, views, training, several shapes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch

from forge_mlir import ForgeError
from forge_mlir.codes import Code
from forge_mlir.integration.torch_backend import backend
from sample_models.goldens import assert_same

# Importing it takes seconds in each worker of the tests.
pytestmark = pytest.mark.skipif(find_spec("onnxscript") is None, reason="what torch exports with is not there")


@pytest.fixture(autouse=True)
def _in_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    torch._dynamo.reset()
    torch.manual_seed(0)
    with torch.no_grad():
        yield


class Sums(torch.nn.Module):
    """Keeps a running sum in one buffer and a counter in another, which it assigns, and doubles its input."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(4))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total.add_(x)
        self.count = self.count + 1
        x.mul_(2)
        return self.total * self.count + x


def test_a_function_around_a_module() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.Linear(16, 4)).eval()

    def around(x: torch.Tensor) -> torch.Tensor:
        y = module(x)
        return y / y.abs().sum()

    compiled = torch.compile(around, backend="forge_mlir")
    x = torch.linspace(-1, 1, 16).reshape(2, 8)
    for given in (x, 2 * x):
        assert_same(compiled(given).numpy(), around(given).numpy())


def test_torch_compile_writes_back() -> None:
    module, eager = Sums().eval(), Sums().eval()
    compiled = torch.compile(module, backend="forge_mlir")
    for _ in range(3):
        x, y = torch.ones(4), torch.ones(4)
        torch.testing.assert_close(compiled(x), eager(y))
        torch.testing.assert_close(x, y)
    torch.testing.assert_close(module.total, eager.total)
    torch.testing.assert_close(module.count, eager.count)


def test_outputs_of_torch_compile_may_be_views_of_inputs() -> None:
    compiled = torch.compile(lambda x: (x.add_(1), x[0]), backend="forge_mlir")
    x = torch.zeros(2, 3)
    same, row = compiled(x)
    same.add_(5)
    torch.testing.assert_close(x, torch.full((2, 3), 6.0))
    torch.testing.assert_close(row, torch.full((3,), 6.0))


class Norm(torch.nn.Module):
    def __init__(self, drop: float) -> None:
        super().__init__()
        self.norm, self.drop = torch.nn.BatchNorm1d(4), torch.nn.Dropout(drop)

    def forward(self, x: torch.Tensor) -> Any:
        return self.drop(self.norm(x)), 2 * x.shape[0]


def test_torch_compile_trains_batch_norms_and_takes_other_shapes() -> None:
    module, eager = Norm(0), Norm(0)
    compiled = torch.compile(module, backend="forge_mlir", options={"max_shapes": 2})
    for size in (2, 3, 4, 3):
        x = torch.randn(size, 4)
        (found, count), (expected, _) = compiled(x), eager(x)
        assert_same(found.detach().numpy(), expected.detach().numpy())
        assert count == 2 * size
    torch.testing.assert_close(module.norm.running_var, eager.norm.running_var)
    assert module.norm.num_batches_tracked == 4
    with pytest.raises(ForgeError, match=r"compiled for 2 others, which is the limit.*max_shapes") as refused:
        compiled(torch.randn(7, 4))
    assert refused.value.code is Code.TooManyShapes


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"max_shapes": 0}, ValueError, "max_shapes: expected an integer of at least 1, but got 0"),
        ({"max_shapes": "4"}, ValueError, "max_shapes: expected an integer of at least 1, but got '4'"),
        ({"shapes": {}, "generate": None}, TypeError, "takes no generate and no shapes"),
    ],
)
def test_options_that_a_graph_cannot_have(options: dict[str, Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        backend(torch.fx.symbolic_trace(torch.nn.ReLU()), [torch.ones(1)], options)
