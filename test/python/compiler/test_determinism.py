"""One model gives one program, whatever lay in memory before."""

from __future__ import annotations

from pathlib import Path

import onnx

import forge_mlir

CASES = Path(__file__).parents[2] / "fuzz" / "cases"


def test_a_compilation_repeated_gives_the_same_bytes(tmp_path: Path) -> None:
    """Facts about values that were erased are not believed of new values at the same place."""
    model = onnx.load(CASES / "graphs-ranges-of-erased-values.onnx")
    found = set()
    for _ in range(60):
        artifact = forge_mlir.compile(model, tmp_path, name="m")
        found.add((artifact.module_path.read_bytes(), artifact.weights_path.read_bytes()))
    assert len(found) == 1
