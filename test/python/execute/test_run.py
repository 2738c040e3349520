"""`forge_mlir.run`: inputs by name or in order, as arrays or lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forge_mlir
from forge_mlir import ForgeError
from sample_models.small import one_node

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def test_inputs_by_name_or_in_order(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(one_node("Relu", [2, 3]), tmp_path, name="relu")
    (name,) = [info["name"] for info in artifact.manifest()["onnx"]["inputs"]]
    for source in (artifact, tmp_path, artifact.module_path):
        for inputs in ({name: X}, {name: X.tolist()}, [X], [X.tolist()]):
            (found,) = forge_mlir.run(source, inputs).values()
            np.testing.assert_array_equal(found, np.maximum(X, 0))
    with pytest.raises(ForgeError, match="expected 1 inputs, but got 2"):
        forge_mlir.run(artifact, [X, X])
