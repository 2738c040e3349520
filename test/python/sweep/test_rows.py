"""The rows of a sweep, in its log and in tables."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.sweep import rows
from forge_mlir.sweep.rows import Row

ROW = Row("a.onnx", "0" * 64, "", "1", "verified")


def test_a_log_has_the_last_row_of_each_model(tmp_path: Path) -> None:
    rows.append(tmp_path, replace(ROW, model="b.onnx"))
    rows.append(tmp_path, ROW)
    rows.append(tmp_path, replace(ROW, verdict="wrong"))
    with (tmp_path / "rows.jsonl").open("a") as log:
        log.write('{"model": "c.on')  # A writer was killed.
    rows.mend(tmp_path)
    rows.append(tmp_path, replace(ROW, model="d.onnx"))
    assert [(row.model, row.verdict) for row in rows.read(tmp_path).values()] == [
        ("a.onnx", "wrong"),
        ("b.onnx", "verified"),
        ("d.onnx", "verified"),
    ]


def test_lines_that_are_no_rows_are_left_out(tmp_path: Path) -> None:
    rows.append(tmp_path, ROW)
    with (tmp_path / "rows.jsonl").open("a") as log:
        log.writelines(f"{line}\n" for line in ("[" * 100_000, "[]", "{}", "1"))
    rows.append(tmp_path, replace(ROW, model="b.onnx"))
    assert list(rows.read(tmp_path)) == ["a.onnx", "b.onnx"]


def test_a_file_of_the_user_is_no_log(tmp_path: Path) -> None:
    rows.check_log(tmp_path)
    (tmp_path / "rows.jsonl").write_text("mine")
    with pytest.raises(ForgeError, match="is not of a sweep"):
        rows.check_log(tmp_path)


def test_cells_are_no_formulas(tmp_path: Path) -> None:
    rows.write_csv(tmp_path / "t.csv", [replace(ROW, model="=1+1", reason="two\nlines", relative=-1.0)])
    with (tmp_path / "t.csv").open(newline="") as file:
        (read,) = csv.DictReader(file)
    assert (read["model"], read["reason"], read["relative"]) == ("'=1+1", "two\\nlines", "-1.0")
