"""Failing models are reduced to the nodes that fail."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import onnx
import pytest

from forge_mlir import ForgeError
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.reduce import Case, capture, reduce_case, reduce_model
from forge_mlir.verify import verify_artifact
from resealing import replace_module
from sample_models.probe import FLOAT, build, chain, node
from sample_models.tools import run_command


def refused_in_the_middle() -> onnx.ModelProto:
    """A chain of 60 nodes; the device does not support a Det of such a size."""
    model = chain(60)
    model.graph.node[37].CopyFrom(node("Det", ["v37"], ["det"], "the det"))
    model.graph.node.insert(38, node("Add", ["v37", "det"], ["v38"], "joined"))
    return model


def test_a_refused_node(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(refused_in_the_middle(), path)
    found = reduce_model(path, options={})
    assert found.failure.kind == "refused"
    assert "is too much to unroll" in found.failure.signature
    assert [n.op_type for n in found.case.nodes] == ["Det"]
    files = found.save(tmp_path / "out", "small")
    assert [file.suffix for file in files] == [".onnx", ".npz", ".mlir"]
    onnx.checker.check_model(onnx.load(files[0]))
    assert '"onnx.Det"' in files[2].read_text()
    again = reduce_model(path, kind="refused", options={}).save(tmp_path / "again", "small")
    assert files[0].read_bytes() == again[0].read_bytes()


def test_a_planted_mismatch(tmp_path: Path) -> None:
    """A compiler that lowers Sin to a cosine."""

    def fails(case: Case) -> bool:
        path = tmp_path / "case.onnx"
        onnx.save(case.model, path)
        artifact, imported = compile_traced(path, tmp_path / "out")
        source = artifact.module_path.read_text()
        replace_module(artifact, source.replace("forge.op.Sine(", "forge.op.Cosine("))
        return not verify_artifact(path, artifact, imported, case.inputs).passed

    model = chain(40)
    model.graph.node[23].op_type = "Sin"
    case = capture(model, {"v0": np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)})
    reduced = reduce_case(case, fails)
    assert [(n.op_type, n.name) for n in reduced.nodes] == [("Sin", "node 23")]
    assert [value.name for value in reduced.model.graph.input] == ["v23"]
    assert reduced.inputs["v23"].shape == (1, 1), "sizes shrink too"
    np.testing.assert_array_equal(reduced.inputs["v23"], case.values["v23"][:1, :1])


def test_the_command(tmp_path: Path) -> None:
    nodes = [node("Relu", ["x"], ["a"], "relu"), node("Det", ["a"], ["y"], "det")]
    path = tmp_path / "model.onnx"
    onnx.save(build(nodes, {"x": (FLOAT, [4, 4])}, {"y": FLOAT}), path)
    shown = run_command("reduce", path, "-o", tmp_path, "--kind", "refused")
    assert shown.returncode == 0, shown.stderr
    count, rerun = shown.stdout.splitlines()
    assert count.startswith("2 nodes became 1: ")
    again = run_command(*shlex.split(rerun)[1:])
    assert again.returncode == 3
    assert "Det" in again.stderr
    with pytest.raises(ForgeError, match="expected the model to fail as wrong"):
        reduce_model(path, kind="wrong", options={})
