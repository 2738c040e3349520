"""The comparison node by node: which values are compared, when they are released, and the report of a wrong node."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest
from onnx import numpy_helper, parser

import forge_mlir
from forge_mlir import Artifact, compile
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.errors import ForgeError
from forge_mlir.importer import ImportedModel, import_onnx
from forge_mlir.verify import random_inputs, verify_model
from forge_mlir.verify.lockstep import Lockstep
from forge_mlir.verify.module_steps import SteppedModel
from resealing import replace_module
from sample_models.probe import FLOAT, INT64, build, chain, mixed, node, partitioned


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
        "product", "odd", "less", "normal", "gelu", "left", "right", "difference", "positive", "count", "counts",
        "rows", "y",
    }  # fmt: skip
    assert [row.name for row in result.outputs] == ["y", "count", "positive"]
    dtypes = {report.local.name: report.local.dtype for report in result.nodes}
    assert (dtypes["count"], dtypes["positive"]) == ("int64", "bool")


def test_inner_values_of_a_cpu_partition_are_not_compared(tmp_path: Path) -> None:
    """The module does not have them, so that an Identity would get the rounding of the node before it."""
    nodes = [node("Exp", ["x"], ["e"], "exp"), node("Identity", ["e"], ["i"], "same"), node("Neg", ["i"], ["y"], "neg")]
    path = saved(build(nodes, {"x": (FLOAT, [2, 3])}, {"y": FLOAT}), tmp_path)
    artifact, imported = compile_traced(path, tmp_path / "out", fallback="cpu", cpu_ops=["Exp", "Identity"])
    assert imported is not None
    program = SteppedModel.open(artifact)
    assert program.hosted() == {"e", "i"}
    lockstep = Lockstep(imported, program, {"x": np.ones((2, 3), np.float32)})
    assert lockstep.held == {"i", "y"}
    assert [report.local.name for report in lockstep.reports()] == ["i", "y"]


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


def seconds_of(count: int) -> float:
    """The processor time of finding the origins of each node, in a module that has every value."""
    imported = import_onnx(chain(count), keep_graph=True)
    program: Any = SimpleNamespace(
        traced=lambda: {f"v{at}": None for at in range(count + 1)}, returned=set, run=lambda _: iter(())
    )
    compared = Lockstep(imported, program, {})
    begin = time.process_time()
    assert not any(map(compared._origins, compared.nodes.nodes))
    return time.process_time() - begin


def test_the_time_grows_with_the_model() -> None:
    short, long = seconds_of(1_000), seconds_of(8_000)
    assert long < 24 * max(short, 0.02), "eight times as many nodes"


# Each model has a node of which a rewrite makes two ops, of which a later rewrite replaces the last one. The first op
# does not compute the ONNX value.
_TWO_OPS = {
    "slices of two axes": (
        "(float[1,128,64] x) => (float[1,3,64,64] y)"
        "<float[64,192] w, int64[2] ax = {1, 2}, int64[4] s = {1, 64, 3, 32},"
        " int64[2] bq = {32, 0}, int64[2] eq = {96, 96}, int64[2] bk = {32, 96}, int64[2] ek = {96, 192}>"
        "{ p = MatMul(x, w) e = Tanh(p) q = Slice(e, bq, eq, ax) k = Slice(e, bk, ek, ax)"
        " qr = Reshape(q, s) kr = Reshape(k, s) qt = Transpose<perm = [0, 2, 1, 3]>(qr)"
        " kt = Transpose<perm = [0, 2, 3, 1]>(kr) y = MatMul(qt, kt) }"
    ),
    "reversed slices of two axes": (
        "(float[1,128,64] x) => (float[1,3,64,64] y)"
        "<float[64,192] w, int64[2] ax = {1, 2}, int64[2] st = {-1, 1}, int64[4] s = {1, 64, 3, 32},"
        " int64[2] bq = {95, 0}, int64[2] eq = {31, 96}, int64[2] bk = {95, 96}, int64[2] ek = {31, 192}>"
        "{ p = MatMul(x, w) e = Tanh(p) q = Slice(e, bq, eq, ax, st) k = Slice(e, bk, ek, ax, st)"
        " qr = Reshape(q, s) kr = Reshape(k, s) qt = Transpose<perm = [0, 2, 1, 3]>(qr)"
        " kt = Transpose<perm = [0, 2, 3, 1]>(kr) y = MatMul(qt, kt) }"
    ),
    "an RMS norm by a power": (
        "(float[1,32,64] x) => (float[1,32,64] y) <float[64,64] w, float[64] g, float e = {1e-5}, float h = {-0.5}>"
        "{ xx = Mul(x, x) m = ReduceMean<axes = [-1]>(xx) me = Add(m, e) pw = Pow(me, h) n = Mul(x, pw)"
        " ng = Mul(n, g) y = MatMul(ng, w) }"
    ),
    "a scaled sigmoid": (
        "(float[1,32,64] x) => (float[1,32,64] y) <float[64,64] w, float[64] g, float one = {1.0}>"
        "{ n = Neg(x) e = Exp(n) a = Add(e, one) d = Div(g, a) y = MatMul(d, w) }"
    ),
}


@pytest.mark.parametrize("name", _TWO_OPS)
def test_an_op_that_does_not_compute_the_onnx_value_is_not_compared(name: str, tmp_path: Path) -> None:
    proto = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 13]> agraph {_TWO_OPS[name]}')
    random = np.random.default_rng(0)
    for weight in proto.graph.value_info:
        shape = [dim.dim_value for dim in weight.type.tensor_type.shape.dim]
        values = (random.standard_normal(shape) / 8).astype(np.float32)
        proto.graph.initializer.append(numpy_helper.from_array(values, weight.name))
    onnx.save(proto, tmp_path / "model.onnx")
    assert forge_mlir.verify(tmp_path / "model.onnx").verdict == "right"


@pytest.mark.parametrize("op", ["Div", "Mod"])
def test_a_division_of_integers_by_zero(op: str, tmp_path: Path) -> None:
    """ONNX defines no result, so that a module that stops is not wrong. Random divisors are not 0."""
    nodes = [node("Identity", ["y"], ["d"], "d"), node(op, ["x", "d"], ["z"], "quotient")]
    onnx.save(build(nodes, {"x": (INT64, [4, 9]), "y": (INT64, [4, 9])}, {"z": INT64}), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", alone=False).verdict == "right"
    zeros = {"x": np.ones((4, 9), np.int64), "y": np.zeros((4, 9), np.int64)}
    with pytest.raises(
        ForgeError, match=f"FM5012.*node 'quotient' \\({op}.*: for these inputs it divides integers by 0"
    ):
        verify_model(tmp_path / "m.onnx", zeros, alone=False)
