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


def test_a_file_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    model = build([node("Relu", ["x"], ["y"], "relu")], {"x": (FLOAT, [2, 3])}, {"y": FLOAT})
    onnx.save(model, tmp_path / "a\udcff.onnx")
    for words in (("import",), ("check",), ("compile", "--to=forge", "--dump-dir=dumped"), ("compile", "-o", "out")):
        done = run_command(words[0], "a\udcff.onnx", *words[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "a.py").is_file()
    named = run_command("import", "a\udcff.onnx", "-o", "b\udcff.mlir", cwd=tmp_path)
    assert (named.returncode, "expected a name in UTF-8" in named.stderr) == (2, True)
