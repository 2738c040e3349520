"""How CPU partitions are run: what can open them is decided when they are compiled."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from onnx import numpy_helper, parser

import forge_mlir
from forge_mlir.artifact.reader import Artifact

# onnxruntime finds the rank of %u while it optimises, and then refuses the branch.
MODEL = """
<ir_version: 9, opset_import: ["" : 18]>
g (bool c, float[1,4] x) => (float[2] y) {
  y = If(c) <
    then_branch = a () => (float[n] p) {
      one = Constant<value_ints = [1]>()
      two = Constant<value_ints = [2]>()
      axes = Concat<axis = 0>(one, two)
      u = Unsqueeze(x, axes)
      q, h, s = LSTM<hidden_size = 1>(u, W, R)
      k = Constant<value_ints = [-1]>()
      p = Reshape(h, k)
    },
    else_branch = b () => (float[m] r) {
      begin = Constant<value_ints = [0]>()
      end = Constant<value_ints = [2]>()
      axis = Constant<value_ints = [1]>()
      v = Slice(x, begin, end, axis)
      k = Constant<value_ints = [-1]>()
      r = Reshape(v, k)
    }>
}
"""


def test_a_branch_that_does_not_fit_the_shapes(tmp_path: Path) -> None:
    """The manifest named onnxruntime, which could not open the file; onnx.reference ran it, with a warning."""
    model = parser.parse_model(MODEL)
    for name, shape in (("W", (1, 4, 4)), ("R", (1, 4, 1))):
        model.graph.initializer.append(numpy_helper.from_array(np.ones(shape, np.float32), name))
    artifact = forge_mlir.compile(model, tmp_path, fallback="cpu")
    (partition,) = Artifact.open(tmp_path).manifest()["partitions"]
    assert (partition["engine"], partition["exact"]) == ("onnxruntime", True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = forge_mlir.run(artifact, {"c": np.array(False), "x": np.float32([[0, 1, 2, 3]])})
    np.testing.assert_array_equal(found["y"], [0, 1])
