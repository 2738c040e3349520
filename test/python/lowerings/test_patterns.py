"""PDL patterns from files, used by the Python functions and the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper

import forge_mlir
from forge_mlir.cli.app import app
from forge_mlir.compiler.cache import CompileCache
from forge_mlir.report.check import check
from sample_models.goldens import assert_same
from sample_models.repository import REPOSITORY

INPUTS = REPOSITORY / "test/Dialect/Torch/Transforms/Inputs"
PATTERNS = INPUTS / "patterns.mlir"
X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(2, 6)


def model(**swish: float) -> onnx.ModelProto:
    nodes = [
        helper.make_node("Swish", ["x"], ["s"], name="activation", domain="my.domain", **swish),
        helper.make_node("SwappedHalves", ["s"], ["a", "b"], name="halves", domain="my.domain"),
        helper.make_node("Sub", ["a", "b"], ["y"], name="difference"),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("my.domain", 1)]
    return helper.make_model(helper.make_graph(nodes, "net", [x], [y]), opset_imports=imports, ir_version=10)


def expected() -> np.ndarray:
    s = X / (1 + np.exp(-X))
    return s[:, 3:] - s[:, :3]


@pytest.mark.parametrize("options", [{}, {"fallback": "cpu"}])
def test_compiled_with_patterns(tmp_path: Path, options: forge_mlir.Options) -> None:
    artifact = forge_mlir.compile(model(beta=1.0), tmp_path, patterns=[PATTERNS], **options)
    assert_same(forge_mlir.run(artifact, {"x": X})["y"], expected())
    text = (tmp_path / "net.py").read_text()
    assert text.count('set_src_layer("activation")') == 2
    assert [partition["target"] for partition in artifact.manifest().get("partitions", [])] in ([], ["device"])


def with_tail(*nodes: onnx.NodeProto) -> onnx.ModelProto:
    """The model without its last node, and `nodes` after `a` and `b`, which give `y`."""
    proto = model(beta=1.0)
    del proto.graph.node[-1]
    proto.graph.node.extend(nodes)
    proto.graph.output[0].type.tensor_type.shape.Clear()
    return proto


def test_a_node_on_the_cpu_reads_what_a_pattern_made(tmp_path: Path) -> None:
    on_cpu = helper.make_node("CumSum", ["a", "axis"], ["c"], name="sum")
    axis = helper.make_node("Constant", [], ["axis"], value_int=1)
    proto = with_tail(axis, on_cpu, helper.make_node("Sub", ["c", "b"], ["y"], name="difference"))
    artifact = forge_mlir.compile(proto, tmp_path, patterns=[PATTERNS], fallback="cpu", cpu_ops=["sum"])
    s = X / (1 + np.exp(-X))
    assert_same(forge_mlir.run(artifact, {"x": X})["y"], s[:, 3:].cumsum(1) - s[:, :3])
    assert [partition["kind"] for partition in artifact.manifest()["partitions"]] == ["device", "cpu"]


def test_a_node_on_the_cpu_reads_what_a_pattern_replaces_by_an_operand(tmp_path: Path) -> None:
    patterns = tmp_path / "patterns.mlir"
    dropped = PATTERNS.read_text().replace(
        "pdl.replace %node with %mul_node", "pdl.replace %node with (%x : !pdl.value)"
    )
    patterns.write_text(dropped)
    nodes = [
        helper.make_node("Swish", ["x"], ["s"], name="activation", domain="my.domain", beta=1.0),
        helper.make_node("CumSum", ["s", "axis"], ["y"], name="sum"),
    ]
    proto = model(beta=1.0)
    del proto.graph.node[:]
    proto.graph.node.extend([helper.make_node("Constant", [], ["axis"], value_int=1), *nodes])
    proto.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 6
    artifact = forge_mlir.compile(proto, tmp_path / "out", patterns=[patterns], fallback="cpu", cpu_ops=["sum"])
    assert_same(forge_mlir.run(artifact, {"x": X})["y"], X.cumsum(1))


def test_what_a_pattern_made_does_not_run_on_the_cpu(tmp_path: Path) -> None:
    patterns = tmp_path / "patterns.mlir"
    patterns.write_text(PATTERNS.read_text().replace('"onnx.Split"', '"onnx.Unknown"'))
    with pytest.raises(forge_mlir.ForgeError, match="must run on the device") as raised:
        forge_mlir.compile(model(beta=1.0), tmp_path / "out", patterns=[patterns], fallback="cpu")
    assert "FM3001" in {report.code for report in raised.value.diagnostics}


def test_checked_with_patterns() -> None:
    assert not check(model(beta=1.0)).supported
    assert check(model(beta=1.0), patterns=[PATTERNS]).supported


def test_a_node_that_no_pattern_matches_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(forge_mlir.ForgeError) as raised:
        forge_mlir.compile(model(beta=1.5), tmp_path, patterns=[PATTERNS])
    errors = [(d.onnx_node, d.op) for d in raised.value.diagnostics if d.severity == "error"]
    assert errors == [("activation", "Swish")]


def test_an_attribute_that_no_pattern_names_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(forge_mlir.ForgeError, match="attribute 'gamma' is not matched by the pattern") as raised:
        forge_mlir.compile(model(beta=1.0, gamma=2.0), tmp_path, patterns=[PATTERNS])
    assert raised.value.diagnostics[0].onnx_node == "activation"


def test_patterns_that_undo_each_other_are_an_error(tmp_path: Path) -> None:
    proto = model(beta=1.0)
    proto.graph.node.insert(2, helper.make_node("Relu", ["a"], ["r"], name="relu"))
    proto.graph.node[-1].input[0] = "r"
    with pytest.raises(forge_mlir.ForgeError) as raised:
        forge_mlir.compile(proto, tmp_path, patterns=[PATTERNS, INPUTS / "patterns-endless.mlir"])
    (found,) = raised.value.diagnostics
    assert (found.code, found.onnx_node) == ("FM2011", "relu")
    assert "do not come to an end" in found.message
    assert not any(tmp_path.iterdir())


def test_compilations_with_patterns_are_not_cached(tmp_path: Path) -> None:
    patterns = tmp_path / "patterns.mlir"
    patterns.write_text(PATTERNS.read_text())
    cache = CompileCache(tmp_path / "cache")
    forge_mlir.compile(model(beta=1.0), tmp_path / "first", patterns=[patterns], cache=cache)
    patterns.write_text(PATTERNS.read_text().replace("%1, %0 :", "%0, %1 :"))
    artifact = forge_mlir.compile(model(beta=1.0), tmp_path / "second", patterns=[patterns], cache=cache)
    assert_same(forge_mlir.run(artifact, {"x": X})["y"], -expected())


def test_a_file_name_that_a_pipeline_cannot_contain(tmp_path: Path) -> None:
    onnx.save(model(beta=1.0), tmp_path / "net.onnx")
    patterns = tmp_path / "a, {b} 100%.mlir"
    patterns.write_text(PATTERNS.read_text())
    arguments = [str(tmp_path / "net.onnx"), "--patterns", str(patterns), "-o"]
    assert CliRunner().invoke(app, ["compile", *arguments, str(tmp_path / "out")]).exit_code == 0
    assert "forge.op.Sigmoid" in (tmp_path / "out/net.py").read_text()
    report = tmp_path / "report.json"
    assert CliRunner().invoke(app, ["report", *arguments, str(report), "--format", "json"]).exit_code == 0
    assert "stages end" not in report.read_text()


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(forge_mlir.ForgeError, match=r"absent\.mlir") as raised:
        forge_mlir.compile(model(beta=1.0), tmp_path, patterns=[tmp_path / "absent.mlir"])
    assert "FM1023" in {report.code for report in raised.value.diagnostics}
