"""`forge-mlir bug-report`: enough to see the failure again, and no weights."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError
from forge_mlir.report.bug_report import bug_report

SECRET = "secret"


def model() -> ModelProto:
    """Everything with a name has the word in it; Det is refused."""
    x = helper.make_tensor_value_info(f"{SECRET}_x", TensorProto.FLOAT, [32, 32])
    y = helper.make_tensor_value_info(f"{SECRET}_y", TensorProto.FLOAT, None)
    weight = numpy_helper.from_array(np.full((32, 32), 7.625, np.float32), f"{SECRET}_w")
    body = helper.make_function(
        f"{SECRET}.domain", f"{SECRET}_function", [f"{SECRET}_in"], [f"{SECRET}_out"],
        [helper.make_node("Relu", [f"{SECRET}_in"], [f"{SECRET}_out"], f"{SECRET}_relu")], [helper.make_opsetid("", 18)]
    )  # fmt: skip
    nodes = [
        helper.make_node("MatMul", [x.name, weight.name], [f"{SECRET}_a"], f"{SECRET}_product"),
        helper.make_node(body.name, [f"{SECRET}_a"], [f"{SECRET}_b"], f"{SECRET}_call", domain=body.domain),
        helper.make_node("Det", [f"{SECRET}_b"], [y.name], f"{SECRET}_det", doc_string=SECRET),
    ]
    graph = helper.make_graph(nodes, f"{SECRET}_graph", [x], [y], [weight], doc_string=SECRET)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(body.domain, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, functions=[body], producer_name=SECRET)


def unpacked(archive: Path, to: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        tar.extractall(to, filter="data")
    return {path.name: path.read_bytes() for path in to.iterdir()}


@pytest.mark.parametrize("anonymous", [False, True])
def test_the_failure_is_seen_again(anonymous: bool, tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / f"{SECRET}.onnx")
    names = bug_report(tmp_path / f"{SECRET}.onnx", tmp_path / "r.tar.gz", anonymous=anonymous)
    assert names == ["README", "before.mlir", "model.onnx", "report.json"]
    files = unpacked(tmp_path / "r.tar.gz", tmp_path / "r")
    assert not any(np.float32(7.625).tobytes() * 8 in data for data in files.values())
    assert any(SECRET.encode() in data for data in files.values()) != anonymous
    facts = json.loads(files["report.json"])
    assert facts["stage"] == "before convert-onnx-to-forge, which fails"
    assert "Det" in facts["said"][0]
    assert b"onnx.Det" in files["before.mlir"]
    command = next(line.strip() for line in files["README"].decode().splitlines() if line.startswith("    truncate"))
    subprocess.run(command.split(), cwd=tmp_path / "r", check=True)
    line = [sys.executable, "-m", "forge_mlir.cli.main", *facts["command"][1:]]
    again = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path / "r")
    assert again.returncode == 1
    assert "Det" in again.stderr


def test_a_model_that_compiles_and_a_file_that_is_none(tmp_path: Path) -> None:
    proto = model()
    del proto.graph.node[-1]
    proto.graph.output[0].name = f"{SECRET}_b"
    onnx.save(proto, tmp_path / "net.onnx")
    bug_report(tmp_path / "net.onnx", tmp_path / "r.tar.gz", anonymous=True)
    assert json.loads(unpacked(tmp_path / "r.tar.gz", tmp_path / "r")["report.json"])["stage"] == "after all passes"
    (tmp_path / "none.onnx").write_bytes(b"\xff\xff")
    with pytest.raises(ForgeError, match="not a readable ONNX file"):
        bug_report(tmp_path / "none.onnx", tmp_path / "r.tar.gz")
