"""`forge_mlir.verify` is a function, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forge_mlir
from sample_models.small import one_node


def test_verify_is_a_function_too(tmp_path: Path) -> None:
    model = one_node("Relu", [2, 3])
    result = forge_mlir.verify(model)
    assert result.passed
    assert len(result.nodes) == 1
    artifact = forge_mlir.compile(model, tmp_path, name="relu")
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    for source in (artifact, tmp_path):
        assert forge_mlir.verify(source, model=model).passed
        assert forge_mlir.verify(source, {"x": x}, {"y": np.maximum(x, 0)}).passed
        assert not forge_mlir.verify(source, {"x": x}, {"y": x}).passed
    with pytest.raises(ValueError, match="compared with goldens, or with the model"):
        forge_mlir.verify(artifact)
