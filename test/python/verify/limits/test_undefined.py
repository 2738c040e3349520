"""Elements that ONNX does not define: floats that a Cast cannot represent as integers."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from onnx import helper

from forge_mlir.verify.limits.undefined import undefined_elements, with_undefined

CAST = helper.make_node("Cast", ["x"], ["y"], to=6)
X = {"x": np.array([1.5, np.nan, np.inf, 2147483648.0, -2147483648.9], np.float32)}
GOLDEN = np.array([1, 7, 7, 7, -2147483648], np.int32)


def test_floats_beyond_the_integers_are_undefined() -> None:
    found = undefined_elements(CAST, X, GOLDEN)
    assert found is not None
    assert found.tolist() == [False, True, True, True, False]
    ours = np.array([1, 0, 0, 0, 5], np.int32)
    assert with_undefined(CAST, X, ours, GOLDEN).tolist() == [1, 7, 7, 7, 5]


def test_other_nodes_define_every_element() -> None:
    assert undefined_elements(helper.make_node("Floor", ["x"], ["y"]), X, GOLDEN) is None
    assert undefined_elements(CAST, {"x": np.float32([1, 2])}, GOLDEN[:2]) is None
    assert undefined_elements(CAST, {"x": GOLDEN}, GOLDEN) is None


def test_floats_beyond_four_bits_are_undefined() -> None:
    to_int4 = helper.make_node("CastLike", ["x", "like"], ["y"])
    found = undefined_elements(to_int4, {"x": np.float32([-9, -8.5, 7.5, 8])}, np.zeros(4, ml_dtypes.int4))
    assert found is not None
    assert found.tolist() == [True, False, False, True]
