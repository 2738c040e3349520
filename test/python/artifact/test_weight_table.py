"""The table of weights that is in IR or beside it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import forge_mlir
from forge_mlir.compiler.stages.emit_ir import emit_file
from forge_mlir.errors import ForgeError
from sample_models.tools import run_tool


def through_tools(source: Path, directory: Path) -> None:
    """Lowers the IR in `source` with forge-opt and writes it as `forge-mlir emit` does."""
    call = source.with_suffix(".call.mlir")
    done = run_tool("forge-opt", source, "--onnx-to-forge-pipeline", "-o", call)
    assert done.returncode == 0, done.stderr
    emit_file(call.read_bytes(), directory, beside=call.parent)


@pytest.fixture
def call_level(tmp_path: Path, gpt2_block: Path) -> Path:
    """A model at call level with its table of weights; the weights are in model.onnx in the same directory."""
    (tmp_path / "model.onnx").write_bytes((gpt2_block / "model.onnx").read_bytes())
    return forge_mlir.compile_to(tmp_path / "model.onnx", tmp_path, "call", name="m")


def refusal(call: Path) -> str:
    """The error with which the IR is refused. Asserts that no file was written."""
    with pytest.raises(ForgeError) as raised:
        emit_file(call.read_bytes(), call.parent / "out", beside=call.parent)
    assert not (call.parent / "out").exists()
    return str(raised.value)


def test_files_can_be_moved_together(call_level: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in (call_level.name, "m.weights.json", "model.onnx"):
        (tmp_path / name).rename(moved / name)
    through_tools(moved / call_level.name, tmp_path / "piped")
    assert (tmp_path / "piped" / "m.safetensors").stat().st_size > 100_000


def test_a_table_elsewhere_is_named(call_level: Path, tmp_path: Path) -> None:
    (tmp_path / "m.weights.json").rename(tmp_path / "other.json")
    assert "[FM0106] weight table" in refusal(call_level)
    artifact = emit_file(call_level.read_bytes(), tmp_path / "out", table=tmp_path / "other.json")
    assert artifact.weights_path.stat().st_size > 100_000


def test_weights_that_changed_are_refused(call_level: Path, tmp_path: Path) -> None:
    os.utime(tmp_path / "model.onnx", (1, 1))
    assert "has changed since the import" in refusal(call_level)


def test_ir_names_no_file_elsewhere(call_level: Path) -> None:
    text = call_level.read_text()
    call_level.write_text(text.replace('"m.weights.json"', '"../m.weights.json"', 1))
    assert "[FM0107] expected forge.weights to name a file beside the IR" in refusal(call_level)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda table: table.update(weights=3), "expected a table that forge-mlir wrote"),
        (lambda table: first(table).update(dtype="float1"), "has no type"),
        (lambda table: first(table).update(shape=[-1]), "has no type"),
        (lambda table: first(table).update(offset=1 << 40), "lies outside of its file"),
        (lambda table: first(table).update(shape=[1 << 40]), "lies outside of its file"),
        (lambda table: first(table).update(file=7), "it has no file 7"),
        (lambda table: table["files"][0].update(path="gone.onnx"), "cannot be opened: No such file"),
        (lambda table: table["files"][0].update(path="/dev/zero"), "is no ordinary file"),
    ],
)
def test_damaged_tables_are_refused(change: object, reason: str, call_level: Path, tmp_path: Path) -> None:
    table = json.loads((tmp_path / "m.weights.json").read_text())
    change(table)  # type: ignore[operator]
    (tmp_path / "m.weights.json").write_text(json.dumps(table))
    assert reason in refusal(call_level)


def first(table: dict[str, dict[str, dict[str, object]]]) -> dict[str, object]:
    return next(iter(table["weights"].values()))


def test_text_that_is_not_json_is_refused(call_level: Path, tmp_path: Path) -> None:
    for text in ("", "[" * 100_000, '{"weights": {}, "files"'):
        (tmp_path / "m.weights.json").write_text(text)
        assert "expected a table that forge-mlir wrote" in refusal(call_level)
