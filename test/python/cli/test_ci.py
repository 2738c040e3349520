"""Commands and options for CI jobs and editors: inspect, --summary, --watch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from forge_mlir.importer import OnnxImportError
from forge_mlir.report.inspection import inspect_model
from sample_models.partition import products
from sample_models.small import one_node
from sample_models.tools import run_command

HOSTILE = "<script>|`[x](y)\n# "


def command(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


def test_inspection(tmp_path: Path) -> None:
    weight = numpy_helper.from_array(np.ones((3, 5), np.float32), "w")
    values = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 5]),
    ]
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Gelu", ["a"], ["b"]),
        helper.make_node("Relu", ["b"], ["c"]),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10, producer_name="me")
    onnx.save(model, tmp_path / "net.onnx")
    found = inspect_model(tmp_path / "net.onnx", refusals=False)
    assert (found.nodes, found.opsets, found.producer, found.ir_version) == (4, {"": 20}, "me", 10)
    assert found.inputs["x"].shape == ("batch", 3)
    assert [(row.op, row.count, row.converter) for row in found.ops[:1]] == [("Relu", 2, "yes")]
    assert [(row.dtype, row.tensors, row.elements, row.bytes) for row in found.weights] == [("float32", 1, 15, 60)]
    assert found.largest[0] == ("w", "float32", (3, 5), 60)
    assert found.verdict is None
    assert found.bytes == (tmp_path / "net.onnx").stat().st_size


def test_inspection_counts_nodes_and_weights_outside_the_graph(tmp_path: Path) -> None:
    """A model with external weights, model functions, subgraphs, and ops without a converter."""
    body = helper.make_function("own", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
                                [helper.make_opsetid("", 20)])  # fmt: skip
    value = helper.make_tensor_value_info("t", TensorProto.FLOAT, [2])
    branch = helper.make_graph([helper.make_node("Relu", ["x"], ["t"])], "branch", [], [value])
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xy")
    flag = helper.make_tensor_value_info("flag", TensorProto.BOOL, [])
    nodes = [
        helper.make_node("If", ["flag"], ["c"], then_branch=branch, else_branch=branch),
        helper.make_node("Twice", ["c"], ["d"], domain="own"),
        helper.make_node("NoSuchOp", ["d", "w"], ["y"], domain="other"),
    ]
    weight = numpy_helper.from_array(np.ones(400, np.float64), "w")
    opsets = [helper.make_opsetid(name, version) for name, version in (("", 20), ("own", 1), ("other", 3))]
    graph = helper.make_graph(nodes, "g", [x, flag], [y], [weight])
    model = helper.make_model(graph, opset_imports=opsets, functions=[body], ir_version=10)
    onnx.save(model, tmp_path / "net.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    found = inspect_model(tmp_path / "net.onnx")
    assert {row.op: (row.count, row.converter) for row in found.ops} == {
        "If": (1, "yes"), "Relu": (2, "yes"), "Twice": (1, "model"), "NoSuchOp": (1, "no"),
    }  # fmt: skip
    assert (found.functions, found.weights[0].bytes) == (1, 3200)
    assert found.verdict is not None
    assert not found.verdict.supported


def test_the_command_inspects(tmp_path: Path) -> None:
    onnx.save(products(), tmp_path / "net.onnx")
    done = command("inspect", "net.onnx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for told in ("opsets ai.onnx", "MatMul", "Det", "FM1501", "this model would be refused"):
        assert told in done.stdout, told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.onnx"]
    facts = json.loads(command("inspect", "net.onnx", "--json", "--no-refusals", cwd=tmp_path).stdout)
    assert facts["verdict"] is None
    assert {row["op"] for row in facts["ops"]} >= {"MatMul", "Det"}
    (tmp_path / "none.onnx").write_bytes(b"\x00\x01no model")
    with pytest.raises(OnnxImportError):
        inspect_model(tmp_path / "none.onnx")
    assert command("inspect", "none.onnx", cwd=tmp_path).returncode == 3


def test_summaries_are_added_to_a_file(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "good.onnx")
    refused = products()
    refused.graph.node[1].name = HOSTILE
    onnx.save(refused, tmp_path / "bad.onnx")
    page = tmp_path / "summary.md"
    page.write_text("what was there\n")
    assert command("compile", "good.onnx", "-q", "--summary", page, cwd=tmp_path).returncode == 0
    assert command("compile", "bad.onnx", "--summary", page, cwd=tmp_path).returncode == 3
    assert command("check", "bad.onnx", "--summary", page, cwd=tmp_path).returncode == 3
    assert command("verify", "good.onnx", "--summary", page, cwd=tmp_path).returncode == 0
    assert command("run", "good_forge", "--summary", page, cwd=tmp_path).returncode == 0
    text = page.read_text()
    assert text.startswith("what was there\n")
    heads = [line for line in text.splitlines() if line.startswith("# ")]
    done, failed = "\N{WHITE HEAVY CHECK MARK}", "\N{CROSS MARK}"
    assert heads == [
        f"# {done} forge\\-mlir compile good\\.onnx".replace("\\.", "."),
        f"# {failed} forge\\-mlir compile bad.onnx",
        f"# {failed} forge\\-mlir check bad.onnx",
        f"# {done} forge\\-mlir verify good.onnx",
        f"# {done} forge\\-mlir run good\\_forge",
    ]
    assert "1 nodes became 1 calls" in text
    assert text.count("FM1501") == 2
    assert "<script>" not in text, "text of a model is escaped"
    assert "| y | ok |" in text
    assert command("compile", "good.onnx", "-q", "--summary", tmp_path / "no" / "x", cwd=tmp_path).returncode == 3


def test_watching(tmp_path: Path) -> None:
    """--watch compiles at the start, after a change, and after an error; an interrupt ends it with exit code 0."""
    model, module = tmp_path / "net.onnx", tmp_path / "out" / "net.py"
    onnx.save(one_node("Relu", [2, 3]), model)
    line = [sys.executable, "-m", "forge_mlir.cli.main", "compile", "net.onnx", "-o", "out", "--watch"]
    log = tmp_path / "log"
    with log.open("wb") as file:
        # If the tests run in the background, they ignore interrupts, and the child process would inherit that.
        child = subprocess.Popen(
            line,
            cwd=tmp_path,
            stdout=file,
            stderr=file,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def until(count: int, text: str) -> None:
        for _ in range(1200):
            if log.read_text().count(text) >= count:
                return
            time.sleep(0.1)
        raise AssertionError(log.read_text())

    try:
        until(1, "watching 1 files")
        assert "forge.op.Relu" in module.read_text()
        onnx.save(one_node("Sigmoid", [2, 3]), model)
        until(2, "watching 1 files")
        assert "forge.op.Sigmoid" in module.read_text()
        model.write_bytes(b"no model")
        until(3, "watching 1 files")
        assert "error:" in log.read_text()
        onnx.save(one_node("Tanh", [2, 3]), model)
        until(4, "watching 1 files")
        assert "forge.op.Tanh" in module.read_text()
    finally:
        os.killpg(child.pid, signal.SIGINT)
    assert child.wait(60) == 0, log.read_text()
