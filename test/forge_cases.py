"""Shared by the op tests: one case is one call of an op and its expected result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

from forge_mlir import runtime as forge

FORMATS = {
    torch.float32: "Float32",
    torch.float16: "Float16",
    torch.bfloat16: "Float16_b",
    torch.int32: "Int32",
    torch.int64: "Int32",
    torch.int8: "Int32",
    torch.uint8: "Int32",
    torch.bool: "Int32",
}


@dataclass(frozen=True)
class Case:
    """``forge.op.<op>("", *operands, **attributes)`` must equal ``expected``, dtype and shape included.

    ``expected`` is the value, or a function of the operands.
    """

    op: str
    operands: Sequence[torch.Tensor]
    expected: Callable[..., torch.Tensor] | torch.Tensor
    attributes: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        shapes = " ".join(f"{x.dtype}{list(x.shape)}".removeprefix("torch.") for x in self.operands)
        return f"{self.op} {shapes} {self.attributes}"

    def check(self) -> None:
        before = [x.clone() for x in self.operands]
        operands = [forge.Tensor.create_from_torch(x) for x in self.operands]
        result = getattr(forge.op, self.op)("", *operands, **self.attributes)
        want = self.expected if isinstance(self.expected, torch.Tensor) else self.expected(*self.operands)
        if want.dtype == torch.int64 and all(x.dtype != torch.int64 for x in self.operands):
            want = want.to(torch.int32)  # torch promotes the type; the device has Int32 only.
        torch.testing.assert_close(result.value(), want, rtol=1e-6, atol=1e-6, equal_nan=True)
        assert result.shape == tuple(want.shape)
        assert result.data_format is forge.DataFormat[FORMATS[want.dtype]]
        for x, untouched in zip(self.operands, before, strict=True):
            torch.testing.assert_close(x, untouched, rtol=0, atol=0, equal_nan=True)


def parametrize(cases: Sequence[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=str)


class Random:
    """Reproducible test data."""

    def __init__(self, seed: int) -> None:
        self._generator = torch.Generator().manual_seed(seed)

    def floats(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return torch.randn(shape, generator=self._generator).to(dtype)

    def positive(self, *shape: int) -> torch.Tensor:
        return torch.rand(shape, generator=self._generator) + 0.1

    def ints(self, *shape: int, low: int = -9, high: int = 10, dtype: torch.dtype = torch.int32) -> torch.Tensor:
        return torch.randint(low, high, shape, generator=self._generator).to(dtype)
