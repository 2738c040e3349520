"""A compiled model that is loaded once and run repeatedly."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.execute.loaded_model import LoadedModel
from sample_models.probe import FLOAT, build, node


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedModel:
    nodes = [node("Sub", ["a", "b"], ["y"], "difference")]
    model = build(nodes, {"a": (FLOAT, [2]), "b": (FLOAT, [2])}, {"y": FLOAT})
    return LoadedModel.open(forge_mlir.compile(model, tmp_path / "out", name="net"))


def test_it_needs_no_files(loaded: LoadedModel, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "out")
    assert loaded.input_names == ["a", "b"]
    for _ in range(2):
        found = loaded.run({"b": np.float32([1, 2]), "a": np.float32([5, 5])})
        assert {name: value.tolist() for name, value in found.items()} == {"y": [4, 3]}


@pytest.mark.parametrize("given", [{"a"}, {"a", "b", "c"}, set()])
def test_missing_and_unknown_inputs_are_named(given: set[str], loaded: LoadedModel) -> None:
    said = ", ".join(f"'{name}'" for name in sorted(given)) or "none"
    with pytest.raises(ForgeError, match=f"expected inputs 'a', 'b', but got {said}$"):
        loaded.run({name: np.float32([1, 2]) for name in sorted(given)})
