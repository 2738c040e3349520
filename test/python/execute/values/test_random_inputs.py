"""Random inputs: types, bounds, words, and what has no random value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.execute.values.random_inputs import MOST, WORDS, random_inputs


def manifest(**inputs: dict[str, Any]) -> dict[str, Any]:
    """A manifest with these inputs."""
    infos = [{"name": name, **info} for name, info in inputs.items()]
    return {
        "onnx": {"inputs": infos},
        "inputs": [{"onnx_name": info["name"], "shape": info["shape"]} for info in infos],
    }


def test_the_seed_determines_all_values() -> None:
    made = manifest(x={"dtype": "float32", "shape": [50]}, b={"dtype": "bool", "shape": [50]})
    one, same, other = (random_inputs(made, seed) for seed in (0, 0, 1))
    assert one["x"].dtype == np.float32
    assert one["b"].dtype == np.bool_
    for name in "xb":
        assert np.array_equal(one[name], same[name])
        assert not np.array_equal(one[name], other[name])


def test_integers_are_below_their_bound() -> None:
    made = manifest(
        mask={"dtype": "int64", "shape": [99]},
        ids={"dtype": "int64", "shape": [99]},
        stated={"dtype": "int32", "shape": [99], "range": [5, 7]},
    )
    found = random_inputs(made, most=lambda name: 9 if name == "ids" else MOST)
    assert {name: (value.min(), value.max()) for name, value in found.items()} == {
        "mask": (0, 1),
        "ids": (0, 8),
        "stated": (5, 5),
    }


def test_text_is_of_words() -> None:
    found = random_inputs(manifest(t={"dtype": "string", "shape": [20]}))["t"]
    assert set(found.tolist()) <= set(WORDS)
    found = random_inputs(manifest(t={"dtype": "string", "shape": [20], "words": [["yes", "no"]]}))["t"]
    assert set(found.tolist()) == {"yes", "no"}


def test_open_sizes_have_no_values() -> None:
    with pytest.raises(ForgeError, match="no random values for 'x', whose type or sizes the model leaves open"):
        random_inputs(manifest(x={"dtype": "float32", "shape": ["rows", 2]}))
