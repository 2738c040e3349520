"""`forge-mlir check` reports what would be refused, before anything is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper

from forge_mlir.codes import Code
from forge_mlir.report.check import check
from sample_models.tools import run_command


def model(*nodes: NodeProto, opset: int = 13) -> ModelProto:
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])]
    infos.append(helper.make_tensor_value_info("shape", TensorProto.INT64, [2]))
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(list(nodes), "g", infos, [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


HOSTILE = "a\x1b[31m' (b\\é): [c]"


def command(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run_command("check", path, *options, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))


def test_every_refused_node_is_reported() -> None:
    custom = helper.make_node("Odd", ["x"], ["y"], "d", domain="my.own")
    proto = model(helper.make_node("Reshape", ["x", "shape"], ["r"], HOSTILE), custom)
    proto.opset_import.add(domain="my.own", version=3)
    verdict = check(proto)
    assert not verdict.supported
    first, second = verdict.refused
    assert (first.name, first.op, first.domain, first.opset) == (HOSTILE, "Reshape", "", 13)
    assert first.operands == ("tensor<2x3xf32>", "tensor<2xi64>")
    assert first.code == Code.OperandUnknown
    assert second.code == Code.NoConverter
    assert first.reason == "shape (input 1) must be known at compile time"
    assert first.bind == ("shape",)
    assert (second.name, second.op, second.domain, second.opset, second.bind) == ("d", "Odd", "my.own", 3, ())


def test_the_same_arguments_as_compile() -> None:
    proto = model(helper.make_node("Reshape", ["x", "shape"], ["y"], "r"))
    assert not check(proto).supported
    assert check(proto, bind={"shape": np.array([3, 2])}).supported


def test_refusals_within_a_function_body() -> None:
    # Bernoulli is defined by random numbers, which the device does not have.
    verdict = check(model(helper.make_node("Bernoulli", ["x"], ["y"], "b", dtype=1), opset=15))
    assert verdict.refused
    assert all(row.name.startswith("b/") for row in verdict.refused)
    (line,) = check(model(helper.make_node("Bernoulli", ["x"], ["y"], "b", dtype=1), opset=15), max_expansion=1).errors
    assert line.code == Code.ExpansionTooLarge
    assert "--max-expansion" in line.message


def test_files_that_are_not_models() -> None:
    verdict = check(model(helper.make_node("Abs", ["nothing"], ["y"], "a")))
    assert not verdict.supported
    assert verdict.errors[0].code == Code.ValueUndefined
    assert "'nothing' is produced by nothing" in verdict.errors[0].message


def test_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.onnx", tmp_path / "bad.onnx"
    onnx.save(model(helper.make_node("Abs", ["x"], ["y"], "a")), good)
    onnx.save(model(helper.make_node("Reshape", ["x", "shape"], ["y"], HOSTILE)), bad)
    done = command(good)
    assert (done.returncode, done.stdout) == (0, f"{good}: supported\n")
    done = command(bad)
    assert done.returncode == 3
    assert "Reshape" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith(f"{bad}: refused\n")
    assert command(good, "--json").returncode == 0
    done = command(bad, "--json")
    assert done.returncode == 3
    told = json.loads(done.stdout)
    assert told["verdict"] == "refused"
    assert told["refused"][0]["name"] == HOSTILE
    assert told["refused"][0]["code"] == "FM1201"
    assert told["refused"][0]["bind"] == ["shape"]
    done = command(tmp_path / "missing.onnx", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["errors"][0]["code"] == "FM0101"
