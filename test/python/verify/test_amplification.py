"""Outputs that a model makes much of the last bit of: no error of the module, unless one hides there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import Verification, compare, verify_artifact, verify_model
from forge_mlir.verify.amplification import amplified_outputs
from forge_mlir.verify.lockstep import Lockstep, NodeReport
from resealing import replace_module
from sample_models.probe import FLOAT, INT64, build, node, weights

STEPS = np.arange(64, dtype=np.float32).reshape(8, 8) / 8
"""Whole numbers of eighths, of which the model keeps what is whole."""


def steps(kind: int = FLOAT) -> onnx.ModelProto:
    """8 x / 8 rounded down: any rounding in between may cost a whole one."""
    nodes = [
        node("Mul", ["x", "factor"], ["scaled"], "scale"),
        node("Floor", ["scaled"], ["whole"], "floor"),
        node("Cast", ["whole"], ["y"], "cast", to=kind),
    ]
    return build(nodes, {"x": (FLOAT, [8, 8])}, {"y": kind}, factor=np.float32(8))


def verified(model: onnx.ModelProto, folder: Path, change: tuple[str, str], **how: Any) -> Verification:
    """What verify says when the emitted module is changed."""
    path = folder / "m.onnx"
    onnx.save(model, path)
    artifact, imported = compile_traced(path, folder / "out")
    source = artifact.module_path.read_text()
    assert change[0] in source
    replace_module(artifact, source.replace(*change))
    return verify_artifact(path, artifact, imported, {"x": STEPS}, **how)


LAST_BIT = ("constant=8.0,", "constant=7.999999,")


@pytest.mark.parametrize("kind", [FLOAT, INT64])
def test_a_last_bit_that_costs_a_whole_one_is_no_error(kind: int, tmp_path: Path) -> None:
    result = verified(steps(kind), tmp_path, LAST_BIT)
    (row,) = result.outputs
    assert (row.passed, result.amplified, result.passed) == (False, {"y"}, True)
    assert result.verdict(row) == "by node"
    assert result.json()["outputs"][0]["by_node"] is True


def test_a_planted_error_is_still_found(tmp_path: Path) -> None:
    result = verified(steps(), tmp_path, ("constant=8.0,", "constant=7.99,"))
    assert result.divergence is not None
    assert not result.passed
    assert not result.amplified


def test_goldens_of_something_else_prove_nothing(tmp_path: Path) -> None:
    """The nodes agree one by one, with a model that gives something else: so they may be read wrongly."""
    result = verified(steps(), tmp_path, LAST_BIT, goldens={"y": np.floor(STEPS * 9)})
    assert result.divergence is None
    assert not result.passed


class Skipping(Lockstep):
    """One that could not compare a node."""

    def reports(self) -> Iterator[NodeReport]:
        yield from super().reports()
        self.skipped.append((steps().graph.node[0], "why"))


def test_a_node_that_was_not_compared_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forge_mlir.verify.model.Lockstep", Skipping)
    assert not verified(steps(), tmp_path, LAST_BIT).passed


def reports(folder: Path) -> tuple[NodeReport, ...]:
    result = verified(steps(), folder, LAST_BIT)
    return result.nodes


@pytest.mark.parametrize(("jump", "right"), [(0.0, False), (0.01, False), (1.0, True), (np.nan, True)])
def test_the_model_itself_has_to_move_as_far(jump: float, right: bool, tmp_path: Path) -> None:
    """Where the nodes one by one give something else than the file, which roundings may do, too."""
    golden = np.floor(STEPS * 8)
    other = {"y": golden + np.float32(2)}
    row = compare("y", golden + np.float32(1), golden)
    moved: list[np.ndarray[Any, Any]] = []

    def rerun(inputs: Any) -> dict[str, Any]:
        moved.append(inputs["x"])
        return {"y": golden + np.float32(jump)}

    found = amplified_outputs([row], reports(tmp_path), other, {"y": golden}, {"x": STEPS}, rerun)
    assert found == ({"y"} if right else set())
    assert all(0 < compare("x", value, STEPS).relative <= 4e-6 for value in moved)
    assert not amplified_outputs([row], reports(tmp_path), other, {"y": golden}, {"x": STEPS}, None)


def test_inputs_that_were_fixed_are_the_file_s(tmp_path: Path) -> None:
    nodes = [node("Reshape", ["x", "shape"], ["flat"], "flatten"), node("Mul", ["flat", "w"], ["y"], "scale")]
    model = build(nodes, {"x": (FLOAT, [2, 6]), "shape": (INT64, [2])}, {"y": FLOAT}, w=weights(4))
    onnx.save(model, tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", bind={"shape": np.array([3, 4])}).passed


def test_reshapes_that_were_joined_are_compared(tmp_path: Path) -> None:
    """What is left of a chain of reshapes holds every value of the chain."""
    nodes = [
        node("Relu", ["x"], ["r"], "relu"),
        node("Reshape", ["r", "a"], ["first"], "first"),
        node("Reshape", ["first", "b"], ["second"], "second"),
        node("Exp", ["second"], ["e"], "exp"),
        node("Reshape", ["e", "c"], ["y"], "third"),
    ]
    shapes = {"a": np.array([4, 3, 2]), "b": np.array([2, 12]), "c": np.array([6, 4])}
    onnx.save(build(nodes, {"x": (FLOAT, [6, 4])}, {"y": FLOAT}, **shapes), tmp_path / "m.onnx")
    result = verify_model(tmp_path / "m.onnx")
    assert result.passed
    assert [report.local.name for report in result.nodes] == ["r", "first", "second", "e", "y"]


def test_the_command_says_so(tmp_path: Path) -> None:
    """What is behind the point of large sums, which engines add up in other orders."""
    nodes = [
        node("MatMul", ["x", "w"], ["sum"], "sum"),
        node("Mul", ["sum", "large"], ["scaled"], "scale"),
        node("Floor", ["scaled"], ["whole"], "floor"),
        node("Sub", ["scaled", "whole"], ["y"], "fraction"),
    ]
    model = build(nodes, {"x": (FLOAT, [32, 256])}, {"y": FLOAT}, w=weights(256, 64), large=np.float32(1e4))
    onnx.save(model, tmp_path / "m.onnx")
    line = [sys.executable, "-m", "forge_mlir.cli.main", "verify", tmp_path / "m.onnx"]
    shown = subprocess.run(line, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "by node" in shown.stdout.splitlines()[1]
    assert "by node: farther from onnxruntime than the limit, and no error" in shown.stdout
