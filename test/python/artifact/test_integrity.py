"""An artifact with other files than its manifest describes does not run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run


def weighted(values: np.ndarray, op: str = "Add") -> object:
    weight = numpy_helper.from_array(values, "w")
    infos = [helper.make_tensor_value_info(n, weight.data_type, list(values.shape)) for n in ("x", "y")]
    graph = helper.make_graph([helper.make_node(op, ["x", "w"], ["y"], name="n")], "g", infos[:1], infos[1:], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def test_other_weights_are_refused(tmp_path: Path) -> None:
    artifact = compile(weighted(np.arange(4096, dtype=np.float32)), tmp_path / "a", name="m")
    other = compile(weighted(-np.arange(4096, dtype=np.float32)), tmp_path / "b", name="m")
    artifact.weights_path.write_bytes(other.weights_path.read_bytes())
    with pytest.raises(ForgeError, match="not the file that the manifest describes"):
        run(artifact, {"x": np.ones(4096, np.float32)})
    artifact.weights_path.unlink()
    with pytest.raises(ForgeError, match="cannot load the weights"):
        run(artifact, {"x": np.ones(4096, np.float32)})
