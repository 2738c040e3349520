"""The verdict of a verification: right, wrong or undecided, and the conditions under which an output beyond its bound
is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import Runs, Verification, compare, verify_artifact, verify_compiled, verify_model
from forge_mlir.verify.lockstep import Lockstep
from forge_mlir.verify.node_reports import NodeReport
from forge_mlir.verify.verdict import decide
from resealing import replace_module
from sample_models.probe import FLOAT, INT64, build, node, weights

STEPS = np.arange(64, dtype=np.float32).reshape(8, 8) / 8
"""Multiples of an eighth, of which the model keeps the integral part."""


def steps(kind: int = FLOAT) -> onnx.ModelProto:
    """floor(8 x / 8): an intermediate rounding may change the result by one."""
    nodes = [
        node("Mul", ["x", "factor"], ["scaled"], "scale"),
        node("Floor", ["scaled"], ["whole"], "floor"),
        node("Cast", ["whole"], ["y"], "cast", to=kind),
    ]
    return build(nodes, {"x": (FLOAT, [8, 8])}, {"y": kind}, factor=np.float32(8))


def verified(model: onnx.ModelProto, folder: Path, change: tuple[str, str], **how: Any) -> Verification:
    """The verification after a change of the emitted module."""
    path = folder / "m.onnx"
    onnx.save(model, path)
    artifact, imported = compile_traced(path, folder / "out")
    source = artifact.module_path.read_text()
    assert change[0] in source
    replace_module(artifact, source.replace(*change))
    return verify_artifact(path, artifact, imported, {"x": STEPS}, **how)


LAST_BIT = ("constant=8.0,", "constant=7.999999,")


@pytest.mark.parametrize("kind", [FLOAT, INT64])
def test_a_rounding_that_changes_a_floor_is_no_error(kind: int, tmp_path: Path) -> None:
    """ONNX's own output changes by as much if the operand of the floor changes by one unit in the last place."""
    result = verified(steps(kind), tmp_path, LAST_BIT)
    (row,) = result.outputs
    assert (row.passed, result.by_node, result.verdict) == (False, {"y"}, "right")
    assert result.of_output(row) == "by node"
    assert result.json()["outputs"][0]["movement"] > 1


def test_an_undefined_integer_is_taken_from_the_module(tmp_path: Path) -> None:
    """The cast of NaN is undefined. Another wrong value after it is still an error."""
    nodes = [
        node("Cast", ["x"], ["whole"], "cast", to=INT64),
        node("Cast", ["whole"], ["float"], "float", to=FLOAT),
        node("Mul", ["float", "factor"], ["y"], "scale"),
    ]
    path = tmp_path / "m.onnx"
    onnx.save(build(nodes, {"x": (FLOAT, [4])}, {"y": FLOAT}, factor=np.float32(3)), path)
    artifact, imported = compile_traced(path, tmp_path / "out")
    inputs = {"x": np.array([1.5, np.nan, -2.5, 7], np.float32)}
    assert verify_artifact(path, artifact, imported, inputs).verdict == "right"
    replace_module(artifact, artifact.module_path.read_text().replace("constant=3.0", "constant=3.0001"))
    assert verify_artifact(path, artifact, imported, inputs).verdict == "wrong"


def test_a_planted_error_is_still_found(tmp_path: Path) -> None:
    result = verified(steps(), tmp_path, ("constant=8.0,", "constant=7.9999,"))
    assert result.divergence is not None
    assert result.verdict == "wrong"


def test_outputs_that_were_given_always_count(tmp_path: Path) -> None:
    result = verified(steps(), tmp_path, ("constant=8.0,", "constant=8.0,"), goldens={"y": np.floor(STEPS * 9)})
    assert result.divergence is None
    assert (result.verdict, result.against) == ("wrong", "outputs")


SIMILAR = 0.777 + np.random.default_rng(0).normal(0, 1e-3, (3, 2048)).astype(np.float32)
"""Rows of similar terms."""


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("nodes", "x"),
    [
        (["MatMul"], np.hstack([SIMILAR, -SIMILAR])),
        (["MatMul", "Relu"], np.hstack([SIMILAR, -SIMILAR])),
        (["Conv"], np.stack([SIMILAR, -SIMILAR], -1).reshape(3, -1, 1, 1)),
        (["ReduceMean"], np.hstack([SIMILAR, -SIMILAR])),
    ],
)
def test_sums_that_cancel_are_not_wrong(nodes: list[str], x: np.ndarray, seed: int, tmp_path: Path) -> None:
    """Their results consist of rounding errors, which exceed the limit of an output. If they are operands of another
    node, only the exact check decides about its result."""
    w = np.repeat(1 + np.abs(np.random.default_rng(seed).normal(0, 1, (2048, 4))), 2, axis=0).astype(np.float32)
    if nodes[0] == "MatMul":
        w = np.vstack([w[::2], w[::2]])
    given = {"Conv": {"w": w.T.reshape(4, -1, 1, 1)}, "MatMul": {"w": w}}.get(nodes[0], {"axes": np.array([1])})
    if nodes[0] == "ReduceMean":
        x = np.float32(x * np.hstack([w[::2, 0], w[::2, 0]]))
    values = ["x", *(f"v{at}" for at in range(1, len(nodes))), "y"]
    made = [
        node(op, [values[at], *([] if at else given)], [values[at + 1]], f"node {at}") for at, op in enumerate(nodes)
    ]
    path = tmp_path / "m.onnx"
    onnx.save(build(made, {"x": (FLOAT, list(x.shape))}, {"y": FLOAT}, **given), path)
    result = verify_model(path, {"x": x}, alone=False)
    assert (result.verdict, result.divergence) == ("right", None)
    assert all(row.passed or row.name in result.by_node for row in result.outputs)
    assert result.exact is not None
    artifact, imported = compile_traced(path, tmp_path / "traced")
    without = verify_compiled(path, artifact, imported, Runs({"x": x}))
    assert without.verdict == ("undecided" if len(nodes) > 1 else "right")


class Skipping(Lockstep):
    """A comparison that could not compare a node."""

    def reports(self) -> Iterator[NodeReport]:
        yield from super().reports()
        self.skipped.append((steps().graph.node[0], "why"))


def test_a_node_that_was_not_compared_leaves_it_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forge_mlir.verify.one_run.Lockstep", Skipping)
    result = verified(steps(), tmp_path, ("constant=8.0,", "constant=8.0,"))
    assert (result.verdict, result.passed) == ("undecided", False)
    assert "why" in result.reasons[0]


@pytest.mark.parametrize(("apart", "verdict"), [(0.05, "undecided"), (0.5, "wrong")])
@pytest.mark.parametrize("narrow", [False, True])
def test_an_output_of_a_model_with_a_node_that_was_not_compared(apart: float, verdict: str, narrow: bool) -> None:
    """Nobody knows how far rounding moves such an output. Given goldens still decide."""
    golden = np.random.default_rng(0).uniform(0.5, 1, (4, 16)).astype(np.float32)
    rows = [compare("y", golden * np.float32(1 + apart), golden)]
    found = decide(rows, "file", skipped=[("n", "why")], narrow=narrow, untested=True)
    assert found["verdict"] == verdict
    assert decide(rows, "outputs", skipped=[("n", "why")])["verdict"] == "wrong"


class Corrected(Lockstep):
    """A comparison that found onnxruntime wrong at a node, where onnx.reference and the module agree."""

    def reports(self) -> Iterator[NodeReport]:
        yield from super().reports()
        self.corrected = True


def test_a_graph_that_the_importer_changed_is_compared_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every node of the changed graph agrees, also if onnxruntime was wrong at one."""
    monkeypatch.setattr("forge_mlir.verify.one_run.Lockstep", Corrected)
    changed = steps()
    changed.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(np.float32(9), "factor"))
    for name, model in (("file", steps()), ("changed", changed)):
        onnx.save(model, tmp_path / f"{name}.onnx")
    artifact, imported = compile_traced(tmp_path / "changed.onnx", tmp_path / "out")
    result = verify_artifact(tmp_path / "file.onnx", artifact, imported, {"x": STEPS})
    assert (result.divergence, result.verdict, result.against) == (None, "wrong", "file")
    result = verify_artifact(tmp_path / "changed.onnx", artifact, imported, {"x": STEPS})
    assert (result.verdict, result.against) == ("right", "file")


class Whole(Corrected):
    """A comparison whose goldens are corrected, too: onnxruntime's outputs for the file are then wrong."""

    def reports(self) -> Iterator[NodeReport]:
        yield from super().reports()
        self.goldens = dict(self.outputs or {})


def test_corrected_nodes_override_outputs_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forge_mlir.verify.one_run.Lockstep", Whole)
    monkeypatch.setattr("forge_mlir.verify.one_run.golden_outputs", lambda *_: {"y": STEPS * 0})
    monkeypatch.setattr("forge_mlir.verify.one_run.unmoved_outputs", lambda *_: {"y": STEPS * 0})
    result = verified(steps(), tmp_path, ("constant=8.0,", "constant=8.0,"))
    assert (result.verdict, result.against) == ("right", "nodes")


# The rule: an output beyond its bound, and the movement of ONNX's own output

GOLDEN = np.linspace(1, 2, 64, dtype=np.float32).reshape(8, 8)


@pytest.mark.parametrize(("moves", "verdicts"), [(1e6, ("undecided", "right")), (0.0, ("wrong", "wrong"))])
def test_an_output_without_a_correct_digit(moves: float, verdicts: tuple[str, str]) -> None:
    """As of a network of random weights that doubles each difference in every layer."""
    golden = np.linspace(1, 2, 64, dtype=np.float32)
    row = compare("y", np.flip(golden), golden)
    for is_equal, verdict in zip((False, True), verdicts, strict=True):
        found = decide([row], "file", movement={"y": moves}, is_equal=is_equal)
        assert (found["verdict"], "y" in found["by_node"]) == (verdict, verdict == "right")


def test_masked_elements_do_not_determine_the_magnitude_of_a_row() -> None:
    golden = np.concatenate([GOLDEN, np.full((8, 8), -3.4e38, np.float32)], axis=1)
    actual = golden.copy()
    actual[2, 1] *= np.float32(1.01)
    assert not compare("y", actual, golden).passed


def test_a_large_row_does_not_widen_the_bound_of_others() -> None:
    golden = np.ones((4, 32), np.float32)
    golden[0] = 1e4
    actual = golden.copy()
    actual[1, 7] = 1.01
    row = compare("y", actual, golden)
    assert not row.passed
    assert "1.00999999 in place of 1 at [1, 7]" in row.explain()


def test_sixteen_bits_are_compared_element_by_element() -> None:
    golden = np.array([1000.0, 1.0] * 16, np.float16)
    actual = golden.copy()
    actual[1] = 1.25
    assert not compare("y", actual, golden, allowed=4 * 2.0**-10 * np.abs(golden.astype(np.float64))).passed


def test_fixed_inputs_are_compared_with_the_file(tmp_path: Path) -> None:
    nodes = [node("Reshape", ["x", "shape"], ["flat"], "flatten"), node("Mul", ["flat", "w"], ["y"], "scale")]
    model = build(nodes, {"x": (FLOAT, [2, 6]), "shape": (INT64, [2])}, {"y": FLOAT}, w=weights(4))
    onnx.save(model, tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", bind={"shape": np.array([3, 4])}).passed


def test_reshapes_that_were_joined_are_compared(tmp_path: Path) -> None:
    """The variable that remains of several reshapes has every value of them."""
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
