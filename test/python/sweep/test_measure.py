"""The limits of time and memory of one model of a sweep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx

from forge_mlir import load_plugin
from forge_mlir.codes import Code
from forge_mlir.support.sandbox import Limits
from forge_mlir.sweep.run import sweep
from sample_models.sweeping import PLUGIN, save


def test_time(tmp_path: Path) -> None:
    save(tmp_path / "models", "hang", "Hang", "trouble")
    (tmp_path / "plugin.py").write_text(PLUGIN)
    own = load_plugin(tmp_path / "plugin.py")
    (row,) = sweep(tmp_path / "models", tmp_path / "results", limits=Limits(5.0, 0), lowerings=own).rows
    assert (row.verdict, row.code) == ("failed", Code.TimeLimit)


def test_memory(tmp_path: Path) -> None:
    save(tmp_path / "models", "one")
    (row,) = sweep(tmp_path / "models", tmp_path / "results", limits=Limits(100.0, 1 << 20)).rows
    assert row.verdict == "failed"
    assert row.code in (Code.MemoryLimit, Code.ChildCrashed)
    assert "--model-memory" in row.reason or "--memory-limit" in row.reason


def test_a_missing_file_of_weights(tmp_path: Path) -> None:
    file = save(tmp_path / "models", "one", "Add", inputs=2)
    model = onnx.load(file)
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.ones((2, 3), np.float32), "x1"))
    del model.graph.input[1]
    onnx.save(model, file, save_as_external_data=True, location="one.bin", size_threshold=0)
    (tmp_path / "models/one.bin").unlink()
    (row,) = sweep(tmp_path / "models", tmp_path / "results", limits=Limits(100.0, 0)).rows
    assert (row.verdict, row.code) == ("refused", Code.ExternalDataMissing)
