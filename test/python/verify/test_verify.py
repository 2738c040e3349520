"""Comparison of every node: what is compared, how, and at which cost."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest

import forge_mlir
from forge_mlir import Artifact, ForgeError, compile
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.execute.onnx.engines import OPENERS, OnnxRuntime, Runner
from forge_mlir.importer import ImportedModel, import_onnx
from forge_mlir.verify import compare, random_inputs, verify_model
from forge_mlir.verify.comparison import Limits
from forge_mlir.verify.lockstep import Lockstep
from forge_mlir.verify.module_steps import SteppedModel
from forge_mlir.verify.samples.inputs import inputs_of_import
from resealing import replace_module
from sample_models.probe import FLOAT, INT64, build, chain, mixed, node, partitioned, weights
from sample_models.repository import STORED, data_of
from sample_models.small import one_node
from sample_models.tools import run_command

LIGHT = Path(onnx.backend.test.__file__).parent / "data" / "light"


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def traced(model: onnx.ModelProto, folder: Path) -> tuple[Artifact, ImportedModel]:
    artifact, imported = compile_traced(saved(model, folder), folder / "out")
    assert imported is not None
    return artifact, imported


def test_all_values_agree_and_fused_ones_are_left_out(tmp_path: Path) -> None:
    result = verify_model(saved(mixed(), tmp_path))
    assert result.passed
    compared = {report.local.name for report in result.nodes}
    assert compared == {
        "product", "odd", "less", "normal", "gelu", "left", "right", "difference", "positive", "count", "rows", "y",
    }  # fmt: skip
    assert [row.name for row in result.outputs] == ["y", "count", "positive"]
    dtypes = {report.local.name: report.local.dtype for report in result.nodes}
    assert (dtypes["count"], dtypes["positive"]) == ("int64", "bool")


def test_a_trace_changes_nothing_else(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    plain, (with_trace, _) = compile(path, tmp_path / "a"), compile_traced(path, tmp_path / "b")
    assert plain.module_path.read_bytes() == with_trace.module_path.read_bytes()
    manifest = with_trace.manifest()
    assert manifest.pop("trace")
    assert all(weight.pop("source") for weight in manifest["weights"])
    # The field generator has the hash of the text.
    assert {**manifest, "generator": ""} == {**plain.manifest(), "generator": ""}


def test_a_partitioned_model(tmp_path: Path) -> None:
    path = saved(partitioned(), tmp_path)
    result = verify_model(path, fallback="cpu")
    assert result.passed
    assert [report.local.name for report in result.nodes] == ["a", "b", "d", "c", "e", "y"]
    artifact = compile(path, tmp_path / "out", fallback="cpu")
    regions = [region["module"] for region in artifact.manifest()["partitions"] if region["kind"] == "device"]
    assert all("trace" not in Artifact(artifact.directory, name).manifest() for name in regions)


def test_a_model_on_the_cpu_alone(tmp_path: Path) -> None:
    model = build([node("Det", ["x"], ["y"], "det")], {"x": (FLOAT, [4, 4])}, {"y": FLOAT})
    assert verify_model(saved(model, tmp_path), fallback="cpu").passed


def test_values_are_released_after_their_last_use(tmp_path: Path) -> None:
    artifact, imported = traced(chain(60), tmp_path)
    lockstep = Lockstep(imported, SteppedModel.open(artifact), random_inputs(artifact.manifest(), 0, imported))
    most = 0
    for _ in lockstep.reports():
        most = max(most, len(lockstep._onnx) + len(lockstep._module) + len(lockstep._pending))
    assert lockstep.divergence is None
    assert most <= 6


def test_the_report(tmp_path: Path) -> None:
    artifact, imported = traced(mixed(), tmp_path)
    source = artifact.module_path.read_text()
    replace_module(artifact, source.replace("forge.op.Gelu(", "forge.op.Relu(").replace(', approximate="none"', ""))
    lockstep = Lockstep(imported, SteppedModel.open(artifact), random_inputs(artifact.manifest(), 0, imported))
    reports = list(lockstep.reports())
    found = lockstep.divergence
    assert found is not None
    assert found.node.name == "gelu/half"
    assert {n.name for n in found.fused} == {"gelu/div", "gelu/erf", "gelu/add", "gelu/mul"}
    assert "Relu" in found.steps[-1].text
    shown = json.loads(json.dumps({"nodes": [r.json() for r in reports], "found": found.json()}, allow_nan=False))
    assert shown["found"]["op"] == "Mul"
    assert shown["found"]["inputs"][0] == {"name": "gelu.3", "type": "float32[4, 16]"}
    assert shown["nodes"][-1]["local"]["passed"] is False


def test_drawn_indices_are_in_range(tmp_path: Path) -> None:
    nodes = [
        node("Unsqueeze", ["ids", "axis"], ["column"], "column"),
        node("Cast", ["column"], ["narrow"], "narrow", to=onnx.TensorProto.INT32),
        node("Gather", ["table", "narrow"], ["y"], "rows"),
        node("Cast", ["mask"], ["z"], "mask", to=FLOAT),
    ]
    inputs = {"ids": (INT64, [400]), "mask": (INT64, [400])}
    model = build(nodes, inputs, {"y": FLOAT, "z": FLOAT}, table=weights(7, 2), axis=np.array([1]))
    given = inputs_of_import(import_onnx(saved(model, tmp_path), keep_graph=True), seed=5)
    assert set(given["ids"]) == set(range(7))
    assert set(given["mask"]) == {0, 1}


def test_comparison() -> None:
    golden = np.array([1.0, -2.0, np.nan, np.inf], np.float32)
    assert compare("v", golden.copy(), golden).passed
    assert compare("v", np.array([1.0, -2.0, np.nan, -np.inf], np.float32), golden).reason
    assert compare("v", np.array([1.0, np.nan, np.nan, np.inf], np.float32), golden).reason
    near = golden.copy()
    near[0] = np.nextafter(np.float32(1), np.float32(2))
    row = compare("v", near, golden)
    assert (row.ulp, row.passed) == (1, True)
    assert row.max_abs == pytest.approx(1.19e-7, rel=1e-2)
    assert compare("v", np.array([-0.0], np.float32), np.array([0.0], np.float32)).ulp == 0
    halves = np.array([1, 2], ml_dtypes.bfloat16)
    assert compare("v", halves, halves).passed
    assert not compare("v", (halves * 2).astype(ml_dtypes.bfloat16), halves).passed
    assert compare("v", np.array([1, 2]), np.array([1, 3])).reason == "1 of 2 values differ"
    assert "shape" in compare("v", np.zeros((2, 1)), np.zeros(2)).reason
    assert "dtype" in compare("v", np.zeros(2, np.int32), np.zeros(2, np.int64)).reason


def test_correlation_counts_where_values_vary_by_more_than_rounding() -> None:
    spread = np.linspace(-1, 1, 100, dtype=np.float32)
    for variation, counts in ((1e-2, True), (1e-6, False)):
        golden = 1 + variation * spread
        mirrored = 1 - variation * spread
        assert compare("v", mirrored, golden, Limits(1, 0.9999)).passed != counts


@pytest.mark.slow
def test_norms_that_divide_sums_that_cancel() -> None:
    """The remainder of sums that cancel is divided by a small number: the float32 results of both are far from
    float64."""
    assert verify_model(LIGHT / "light_inception_v2.onnx").passed


def test_onnxruntime_alone_does_not_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If onnxruntime and onnx.reference disagree, the result is undecided, whichever agrees with us."""

    def wrong(*source: Any) -> Runner:
        right = OnnxRuntime(*source)
        return lambda feeds: [value + np.float32(0.5) for value in right(feeds)]

    monkeypatch.setitem(OPENERS, "onnxruntime", wrong)
    result = verify_model(saved(chain(2), tmp_path))
    assert result.divergence is None
    assert result.verdict == "undecided"
    assert {report.off for report in result.nodes} == {"judges"}


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_no_false_alarm_on_stored_models(folder: Path) -> None:
    result = verify_model(folder / "model.onnx", data_of(folder)[0])
    assert result.passed, result.divergence
    assert result.skipped == ()
    assert max(report.local.relative for report in result.nodes) < 1e-5


def test_the_commands(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    shown = run_command("verify", path, "--json")
    assert shown.returncode == 0, shown.stderr
    report = json.loads(shown.stdout)
    assert report["passed"]
    assert report["first_divergence"] is None
    assert len(report["nodes"]) == 12
    made = run_command("compile", path, "-o", tmp_path / "out", "--verify")
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "out" / "model.py").is_file()


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


def test_sample_inputs_are_the_values(relu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forge_mlir.verify import compiled as verify

    seen = []
    right = verify.verify_artifact
    monkeypatch.setattr(verify, "verify_artifact", lambda *a, **k: seen.append(a[3]) or right(*a, **k))
    x = np.full((2, 3), -7, np.float32)
    verify_model(relu, sample_inputs={"x": x})
    np.testing.assert_array_equal(seen[0]["x"], x)


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments)


def test_wrong_results_fail(split_file: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", data=np.ones((10, 4, 4), np.float32))
    np.savez(
        tmp_path / "bad.npz",
        **{name: np.zeros((size, 4, 4), np.float32) for name, size in zip("abc", (2, 3, 5), strict=True)},
    )
    verified = command("verify", split_file, "--inputs", tmp_path / "in.npz", "--expected", tmp_path / "bad.npz")
    assert verified.returncode == 4
    assert "FAILED" in verified.stdout
    assert "differ" in verified.stderr


def test_verify_is_a_function_too(tmp_path: Path) -> None:
    model = one_node("Relu", [2, 3])
    result = forge_mlir.verify(model)
    assert result.passed
    assert len(result.nodes) == 1
    artifact = forge_mlir.compile(model, tmp_path, name="relu")
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    for source in (artifact, tmp_path):
        assert forge_mlir.verify(source, model=model).passed
        assert forge_mlir.verify(source, {"x": x}, {"y": np.maximum(x, 0)}).passed
        assert not forge_mlir.verify(source, {"x": x}, {"y": x}).passed
    with pytest.raises(ValueError, match="compared with goldens, or with the model"):
        forge_mlir.verify(artifact)
    for inputs in ({"x": x.tolist()}, [x], [x.tolist()]):
        np.testing.assert_array_equal(forge_mlir.run(artifact, inputs)["y"], np.maximum(x, 0))
    with pytest.raises(ForgeError, match="expected 1 inputs, but got 2"):
        forge_mlir.run(artifact, [x, x])
