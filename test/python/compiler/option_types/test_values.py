"""Option values that an option cannot have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.compiler.option_types.values import check_options
from forge_mlir.compiler.pipeline_text import pipeline
from sample_models.importing import linear


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"cpu_ops": "MatMul", "fallback": "cpu"}, "--cpu-ops: expected a list, but got 'MatMul'"),
        ({"fast_math": "no-nans"}, "--fast-math: expected a list of .*no-nans.*, but got 'no-nans'"),
        ({"patterns": "a.mlir"}, "--patterns: expected a list"),
        ({"fold_limit": -1}, "--fold-limit: expected a number of at least 0, but got '-1'"),
        ({"max_expansion": "many"}, "--max-expansion: expected a number of at least 0, but got 'many'"),
        ({"layout": "tiles", "max_weight_growth": 0.5}, "--max-weight-growth: expected a number of at least 1"),
        ({"fold_limit": 1 << 63}, "--fold-limit: expected a number of at most 9223372036854775807, but got"),
        (
            {"optimize": "exact", "fast_math": ["reciprocal"]},
            "--fast-math: its rewrites may change results",
        ),
        ({"optimize": "none", "fast_math": ["all"]}, "--fast-math: .* and --optimize=none applies none that does"),
        ({"optimize": "exact", "layout": "tiles"}, "--tiles: its rewrites may change results"),
        ({"patterns": ["absent.mlir"]}, r"absent\.mlir: is no file"),
        ({"optimize": "all"}, "--optimize: expected none, exact, default, but got 'all'"),
        ({"flat": "no"}, "--flat: expected False or True, but got 'no'"),
        ({"layout": True}, "--tiles: expected none or tiles, but got 'True'"),
        ({"fold_limit": 1.5}, "--fold-limit: expected an integer, but got '1.5'"),
        ({"fold_limit": True}, "--fold-limit: expected an integer, but got 'True'"),
        ({"dims": {"batch": True}}, "--dim: expected a size by name"),
        ({"memory_limit": float("inf")}, "--memory-limit: expected an integer, but got 'inf'"),
        ({"lowerings": ["plugin.py"]}, "--plugin: expected a list of lowerings"),
        ({"patterns": [None]}, "--patterns: expected a list of paths"),
        ({"cpu_ops": [5], "fallback": "cpu"}, "--cpu-ops: expected a list of names"),
        ({"input_shapes": {"x": "23"}}, "--input-shape: expected sizes by name"),
        ({"dims": {"batch": "1"}}, "--dim: expected a size by name"),
        ({"ranges": {"x": (0,)}}, "--range: expected two ends by name"),
        ({"ranges": {"x": 5}}, "--range: expected two ends by name"),
        ({"bind": [np.zeros(1)]}, "--bind: expected arrays by name"),
        ({"sample_inputs": 5}, "--sample-inputs: expected arrays by name"),
        ({"cpu_ops": ["MatMul"]}, "--cpu-ops needs --fallback=cpu"),
        ({"cpu_exact": True, "fallback": "error"}, "--cpu-exact needs --fallback=cpu"),
        ({"max_weight_growth": 2}, "--max-weight-growth needs --tiles"),
    ],
)
def test_impossible_values_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ForgeError, match=reason):
        forge_mlir.compile(linear(), "unused", **options)


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"weights": "refrence"}, ValueError, "weights: expected copy or reference, but got 'refrence'"),
        ({"name": 5}, TypeError, "name: expected a text, but got 5"),
        ({"generate": True}, TypeError, "generate: expected a forge_mlir.Generation, but got True"),
        ({"shapes": "a: x=1x2"}, TypeError, "shapes: expected sizes of inputs by the name of each set"),
        ({"shapes": {5: {"x": [1]}}}, TypeError, "shapes: expected sizes of inputs by the name of each set"),
        ({"dump_dir": ""}, ValueError, "dump_dir: expected a path, but got ''"),
        ({"cache": ""}, ValueError, "cache: expected a path, but got ''"),
        ({"output": ""}, ValueError, "expected a path for the output, but got ''"),
        ({"source": ""}, ValueError, "expected a path for the model, but got ''"),
        ({"source": "x" * 5000}, ForgeError, "cannot be opened: File name too long"),
        ({"output": "a\0b"}, ForgeError, r"cannot write to 'a\\x00b': embedded null byte"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: dict[str, Any], error: type[Exception], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is ignored, and an empty path is not the current directory."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=reason):
        forge_mlir.compile(**{"source": linear(), **arguments})
    assert not list(tmp_path.iterdir())


def test_numbers_of_numpy_are_numbers() -> None:
    given: Any = {"fold_limit": np.int64(8), "dims": {"n": np.int64(1)}, "ranges": {"x": np.array([0, 1]).tolist()}}
    given |= {"input_shapes": {"x": np.array([2, 3])}, "flat": np.bool_(True)}
    check_options(given)
    assert pipeline({"fold_limit": np.int64(8)}) == pipeline({"fold_limit": 8})
