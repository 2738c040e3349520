"""Callbacks after passes: their arguments, and how they end a compilation."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import ModelProto
from torch_mlir import ir

import forge_mlir
from forge_mlir import CompilationCancelled, ForgeError
from forge_mlir._native import PassRun
from sample_models.small import one_node, split_model

SPLIT: ModelProto = split_model()


def test_every_pass_is_seen(tmp_path: Path) -> None:
    runs: list[PassRun] = []
    forge_mlir.compile(SPLIT, tmp_path, name="m", on_pass=runs.append)
    names = [run.name for run in runs]
    assert names[:2] == ["forge-normalize-import", "convert-onnx-to-forge"]
    assert names[-1] == "forge-verify-emittable"
    assert {run.op for run in runs} == {"", "split_235"}
    assert all(run.seconds > 0 and run.ops_after > 0 for run in runs)
    lower = runs[names.index("forge-lower-split")]
    assert (lower.op, lower.ops_after - lower.ops_before) == ("split_235", 2)
    assert lower.statistics == {"splits-lowered": 1, "slices-made": 3}


def test_the_ir_after_each_pass(tmp_path: Path) -> None:
    texts: dict[str, str] = {}
    kept: list[PassRun] = []

    def see(run: PassRun) -> None:
        texts[run.name] = run.ir()
        kept.append(run)

    forge_mlir.compile(SPLIT, tmp_path, name="m", on_pass=see)
    assert "forge.split" in texts["convert-onnx-to-forge"]
    assert "forge.split" not in texts["forge-lower-split"]
    assert 'loc("pieces")' in texts["forge-lower-split"]
    with pytest.raises(ValueError, match="can be read while its callback runs, not later"):
        kept[0].ir()


def test_cancelling(tmp_path: Path) -> None:
    seen: list[str] = []

    def cancel(run: PassRun) -> None:
        seen.append(run.name)
        if run.name == "convert-onnx-to-forge":
            raise CompilationCancelled("long enough")

    with pytest.raises(CompilationCancelled, match=r"\[FM2021\] long enough"):
        forge_mlir.compile(SPLIT, tmp_path / "out", name="m", on_pass=cancel)
    assert seen == ["forge-normalize-import", "convert-onnx-to-forge"]
    assert not (tmp_path / "out").exists()
    assert issubclass(CompilationCancelled, ForgeError)


def test_other_exceptions_reach_the_caller(tmp_path: Path) -> None:
    def fail(_run: PassRun) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        forge_mlir.compile(SPLIT, tmp_path / "out", name="m", on_pass=fail)


def test_a_pass_that_fails_has_no_callback(tmp_path: Path) -> None:
    runs: list[PassRun] = []
    with pytest.raises(ForgeError, match="cannot be compiled"):
        forge_mlir.compile(one_node("Det", [4, 4]), tmp_path / "out", name="m", on_pass=runs.append)
    assert [run.name for run in runs] == ["forge-normalize-import"]


def test_a_pipeline_on_a_module() -> None:
    imported = forge_mlir.import_onnx(SPLIT)
    before = str(imported.module)

    def cancel(run: PassRun) -> None:
        raise CompilationCancelled(run.name)

    with pytest.raises(CompilationCancelled, match="convert-onnx-to-forge"):
        forge_mlir.run_pipeline(imported.module, "builtin.module(convert-onnx-to-forge,cse)", on_pass=cancel)
    assert str(imported.module) == before
    runs: list[PassRun] = []
    forge_mlir.run_pipeline(imported.module, "builtin.module(convert-onnx-to-forge,cse)", on_pass=runs.append)
    assert [run.name for run in runs] == ["convert-onnx-to-forge", "cse"]
    assert isinstance(imported.module, ir.Module)
