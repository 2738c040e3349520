"""The command import: the model as IR, with or without the weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx

from sample_models.probe import FLOAT, build, node
from sample_models.tools import run_command


def test_weights_are_beside_the_ir_or_in_it(tmp_path: Path) -> None:
    weight = np.arange(10_000, dtype=np.float32)
    model = build([node("Add", ["x", "w"], ["y"], "sum")], {"x": (FLOAT, [10_000])}, {"y": FLOAT}, w=weight)
    onnx.save(model, tmp_path / "net.onnx")
    sizes = []
    for words in ((), ("--inline-weights", "--force")):
        done = run_command("import", "net.onnx", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "net.mlir\n"), done.stderr
        assert '"onnx.Add"' in (tmp_path / "net.mlir").read_text()
        sizes.append((tmp_path / "net.mlir").stat().st_size)
    assert sizes[1] > sizes[0] + weight.nbytes
    other = run_command("import", "net.onnx", "-o", "net.txt", cwd=tmp_path)
    assert other.returncode == 2
    assert "ends in .mlir or .mlirbc" in other.stderr
