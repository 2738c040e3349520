"""What onnx.reference computes as an engine, where it would deviate from ONNX by itself."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import parser

from forge_mlir.execute.onnx_engines import OPENERS

SCAN = """
<ir_version: 9, opset_import: ["" : 21]>
scan (int64 n, bool go, float[{shape}] s) => (float[m] y) {{
    last, y = Loop(n, go, s) <body = step (int64 i, bool c, float[{shape}] p)
        => (bool d, float[{shape}] q, float[{shape}] r) {{
        d = Identity(c) q = Add(p, p) r = Identity(p) }}> }}
"""


@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
def test_scan_outputs_are_stacked(shape: tuple[int, ...]) -> None:
    text = SCAN.format(shape=",".join(map(str, shape))).replace("float[]", "float")
    model = parser.parse_model(text).SerializeToString()
    start = np.ones(shape, np.float32)
    (found,) = OPENERS["onnx.reference"](model, True, 1)({"n": np.array(3), "go": np.array(True), "s": start})
    np.testing.assert_array_equal(found, np.stack([start, 2 * start, 4 * start]))
