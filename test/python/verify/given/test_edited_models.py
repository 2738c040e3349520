"""Modules that were compiled from an edited model."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import safetensors.numpy

import forge_mlir
from forge_mlir.artifact.reseal import reseal
from forge_mlir.verify import Verification, verify_model
from sample_models.probe import BOOL, FLOAT, INT64, build, node, weights


def edited_model(
    model: onnx.ModelProto, folder: Path, change: Callable[[str], str], tensors: Callable[[Any], Any] | None = None
) -> Verification:
    """The verification of the artifact of `model` after a `change` of its module, or of its `tensors`."""
    onnx.save(model, folder / "m.onnx")
    made = forge_mlir.compile(folder / "m.onnx", folder / "out")
    made.module_path.write_text(change(made.module_path.read_text()))
    if tensors is not None:
        stored = made.directory / "m.safetensors"
        safetensors.numpy.save_file(tensors(safetensors.numpy.load_file(stored)), stored)
    reseal(made.directory)
    return verify_model(folder / "m.onnx", artifact=made.directory)


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_program_that_holds_no_onnx_value(is_edited: bool, tmp_path: Path) -> None:
    """The indices are floats or Int32 on the device: no value has a trace."""
    model = build([node("ArgMax", ["x"], ["y"], "y", axis=1)], {"x": (FLOAT, [4, 9])}, {"y": INT64})
    found = edited_model(model, tmp_path, lambda text: text.replace("dim=-1", "dim=0") if is_edited else text)
    assert found.verdict == ("wrong" if is_edited else "right")


def test_an_integer_of_a_table_that_no_run_reads(tmp_path: Path) -> None:
    """Indices are below the size of a profile; 5,000,001 is within two units of float32 of 5,000,000."""
    table = np.arange(4000).reshape(1000, 4) + 5_000_000
    model = build([node("Gather", ["t", "x"], ["y"], "y")], {"x": (INT64, [5])}, {"y": INT64}, t=table)
    found = edited_model(model, tmp_path, str, lambda stored: {"t": stored["t"] + (stored["t"] == 5_003_000)})
    assert found.verdict == "wrong"
    assert found.reasons[0].endswith("weight 't' has 1 elements that are not the model's")


def test_an_order_that_differs_for_equal_numbers(tmp_path: Path) -> None:
    """No two random sums are equal."""
    nodes = [
        node("Gemm", ["x", "w", "b"], ["p"], "p"),
        node("Gemm", ["x", "v", "c"], ["q"], "q"),
        node("Greater", ["p", "q"], ["y"], "y"),
    ]
    made = {"w": weights(9, 5), "b": weights(5), "v": weights(9, 5), "c": weights(5)}
    model = build(nodes, {"x": (FLOAT, [4, 9])}, {"y": BOOL}, **made)
    found = edited_model(model, tmp_path, lambda text: text.replace("op.Greater(", "op.GreaterEqual("))
    assert (found.verdict, found.exact and found.exact.state) == ("undecided", "not covered")
    assert "has no equal operands in any run" in found.reasons[0]


def test_integers_that_become_floats(tmp_path: Path) -> None:
    """Floats have 24 bits; only profile `integers` has larger numbers, and the exact check draws none."""
    model = build([node("Mul", ["x", "six"], ["y"], "y")], {"x": (INT64, [4, 9])}, {"y": INT64}, six=np.int64(6))
    wide = 'forge.op.Cast("", x, dtype=forge.DataFormat.Float32)'
    six = 'forge.op.Constant("", constant=6.0, dtype=forge.DataFormat.Float32)'
    rounded = f'forge.op.Cast("", forge.op.Multiply("", {wide}, {six}), dtype=forge.DataFormat.Int32)'
    found = edited_model(
        model, tmp_path, lambda text: re.sub(r'forge\.op\.Multiply\("", \w+, \w+\)', rounded, text, count=1)
    )
    assert found.verdict == "wrong"
    assert dict(found.runs) == {"normal": "right", "mixed": "right", "ties": "right", "integers": "wrong"}
    assert found.exact is not None
    assert "more casts of integers to floats" in found.exact.reason


@pytest.mark.parametrize("results", ["y", "y, z, z"])
def test_another_number_of_results(results: str, tmp_path: Path) -> None:
    nodes = [node("Relu", ["x"], ["y"], "y"), node("Neg", ["x"], ["z"], "z")]
    model = build(nodes, {"x": (FLOAT, [2, 8])}, {"y": FLOAT, "z": FLOAT})
    found = edited_model(model, tmp_path, lambda text: text.replace("return y, z", f"return {results}"))
    assert found.verdict == "wrong"
    assert found.reasons[0] == f"m.py: expected 2 outputs, but the module returns {len(results.split())}"


def test_a_quotient_that_is_wrong_for_large_integers(tmp_path: Path) -> None:
    """The second step of an integer division corrects the quotients of integers that floats do not hold. The exact
    check draws such integers."""
    model = build([node("Div", ["x", "c"], ["y"], "y")], {"x": (INT64, [5, 5])}, {"y": INT64}, c=np.int64(7))
    found = edited_model(
        model,
        tmp_path,
        lambda text: re.sub(r'(y_divide_1 = forge\.op\.Divide\("", )\w+', r"\1constant_0_99999905", text),
    )
    assert (found.verdict, found.exact and found.exact.state) == ("wrong", "different")
