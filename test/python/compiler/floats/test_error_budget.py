"""`--error-budget`: the nodes that stay in Float32."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import forge_mlir
from sample_models.small import mlp


def _error(found: Any, expected: Any) -> float:
    found, expected = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    return float(np.sqrt(np.mean((found - expected) ** 2)) / np.sqrt(np.mean(expected**2)))


def test_a_budget_is_kept_with_few_nodes(tmp_path: Path) -> None:
    x = np.random.default_rng(1).standard_normal((8, 32)).astype(np.float32)
    exact = forge_mlir.compile(mlp(), tmp_path / "exact")
    narrow = forge_mlir.compile(mlp(), tmp_path / "narrow", float_format="bfloat16")
    (expected,), (rough,) = (forge_mlir.run(each, {"x": x}).values() for each in (exact, narrow))
    budget = _error(rough, expected) * 0.7
    mixed = forge_mlir.compile(
        mlp(), tmp_path / "mixed", float_format="mixed", error_budget=budget, sample_inputs={"x": x}
    )
    (found,) = forge_mlir.run(mixed, {"x": x}).values()
    facts = mixed.manifest()["float_format"]
    assert _error(found, expected) <= budget
    assert facts["error"] <= budget < facts["error_in_bfloat16"]
    assert 0 < len(facts["float32_nodes"]) < 6
    assert json.dumps(facts)


def test_a_budget_gives_the_same_program_twice_and_is_fed_back_in(tmp_path: Path) -> None:
    x = np.random.default_rng(1).standard_normal((8, 32)).astype(np.float32)
    options: dict[str, Any] = {"float_format": "mixed", "error_budget": 2e-3, "sample_inputs": {"x": x}}
    first, second = (forge_mlir.compile(mlp(), tmp_path / name, name="mlp", **options) for name in "ab")
    for suffix in (".py", ".safetensors"):
        texts = {each.module_path.with_suffix(suffix).read_bytes() for each in (first, second)}
        assert len(texts) == 1
    kept = first.manifest()["float_format"]["float32_nodes"]
    assert kept
    again = forge_mlir.compile(mlp(), tmp_path / "c", name="mlp", float_format="bfloat16", keep_float32=tuple(kept))
    assert again.module_path.read_bytes() == first.module_path.read_bytes()
