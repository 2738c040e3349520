"""Compilations for the comparison, which have a trace."""

from __future__ import annotations

from pathlib import Path

import onnx
import onnx.backend.test
import onnx.backend.test.loader

from forge_mlir import compile
from forge_mlir.compiler.driver import compile_traced
from sample_models.probe import mixed


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def test_a_trace_changes_nothing_else(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    plain, (with_trace, _) = compile(path, tmp_path / "a"), compile_traced(path, tmp_path / "b")
    assert plain.module_path.read_bytes() == with_trace.module_path.read_bytes()
    manifest = with_trace.manifest()
    assert manifest.pop("trace")
    assert all(weight.pop("source") for weight in manifest["weights"])
    # The field generator has the hash of the text.
    assert {**manifest, "generator": ""} == {**plain.manifest(), "generator": ""}
