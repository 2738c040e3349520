"""Arguments of a compiled module."""

from __future__ import annotations

import pytest
import torch

from forge_mlir import runtime as forge
from forge_mlir.runtime import op


def test_a_compiled_module_accepts_only_int32() -> None:
    class Same(forge.ForgeModule):
        def forward(self, x: forge.Tensor) -> forge.Tensor:
            return op.Identity("", x)

    compiled = forge.compile(Same("same"), [torch.tensor([1])])
    assert compiled(torch.tensor([2**31 - 1]))[0].dtype == torch.int32
    with pytest.raises(OverflowError, match="does not fit Int32"):
        compiled(torch.tensor([2**31]))
