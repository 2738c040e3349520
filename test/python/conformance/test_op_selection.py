"""`make op OP=...` runs every test that mentions the op, and none of an op whose name only contains it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from conformance import expected
from conformance.cases import all_cases
from op_selection import TESTS, lit_filter, main, speaks_of

LIT = sorted(str(path.relative_to(TESTS)) for path in TESTS.rglob("*.mlir"))


def lit_files(op: str) -> set[str]:
    pattern = re.compile(lit_filter(op))
    return {name.rpartition("/")[2] for name in LIT if pattern.search(name)}


def test_lit_files_of_an_op() -> None:
    assert {"Split.mlir", "Split-invalid.mlir"} <= lit_files("Split")
    assert "Add.mlir" in lit_files("Add")
    assert {"ScatterElements.mlir", "lower-split.mlir", "LayerNormalization.mlir"}.isdisjoint(lit_files("Add"))
    assert lit_files("com.microsoft.Attention") == lit_files("Attention")
    assert lit_files("NoOp") == set()


def reads_split() -> None:
    """Makes a node of Split."""


@pytest.mark.parametrize(
    ("op", "nodeid", "function", "found"),
    [
        ("Add", "a/test_x.py::test_layers[Add]", None, True),
        ("Add", "a/test_x.py::test_layers[AddRelu]", None, False),
        ("Add", "a/test_x.py::test_padded_sums", None, False),
        ("GroupNormalization", "a/test_x.py::test_group_normalization_of_one", None, True),
        ("Split", "a/test_x.py::test_splits_of_nothing", None, True),
        ("Split", "a/test_x.py::test_a_model", reads_split, True),
        ("Splitting", "a/test_x.py::test_a_model", reads_split, False),
        ("Not", "a/test_x.py::test_text_that_does_not_fit", None, False),
        ("Not", "a/test_x.py::test_text[Not-3]", None, True),
        ("MatMul", "a/test_x.py::test_mat_mul", None, True),
        ("LSTM", "a/test_lstm.py::test_weights", None, True),
        ("com.microsoft.Attention", "a/test_x.py::test_heads[Attention]", None, True),
    ],
)
def test_tests_of_an_op(op: str, nodeid: str, function: Any, found: bool) -> None:
    assert speaks_of(SimpleNamespace(nodeid=nodeid, function=function), op) == found  # type: ignore[arg-type]


def test_conformance_loads_the_cases_of_the_op_alone() -> None:
    """The cases are those of the op in the table, and others with a node of the op."""
    loaded = set(all_cases("Split"))
    about = {row.case for row in expected.read().values() if row.op == "Split"}
    assert about
    assert about <= loaded
    assert len(loaded) < 3 * len(about)


def test_a_name_of_no_op_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["op_selection", "Spilt"])
    assert main() == 2
    assert capsys.readouterr().err == "'Spilt' is no op of ONNX or onnxruntime; is it Split?\n"
