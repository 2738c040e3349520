"""How a model fails: a command of the user decides, or nothing fails."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from forge_mlir import ForgeError
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.lowerings.lowering import Lowering
from forge_mlir.lowerings.plugins import load_plugin
from forge_mlir.reduce import capture, predicates, reduce_model
from forge_mlir.reduce.predicates import Kind
from sample_models.probe import FLOAT, INT64, build, chain, node


def test_a_command_decides_whether_a_model_is_interesting(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    model = chain(24)
    model.graph.node[7].op_type = model.graph.node[9].op_type = "Abs"
    onnx.save(model, path)
    script = tmp_path / "interesting.py"
    script.write_text(
        "import sys\ndata = open(sys.argv[1], 'rb').read()\nsys.exit(not (b'node 7' in data and b'node 9' in data))\n"
    )
    command = shlex.join([sys.executable, str(script)]) + " {model}"
    found = reduce_model(path, command=command, options={})
    assert sorted(n.name for n in found.case.nodes) == ["node 7", "node 9"]
    with pytest.raises(ForgeError, match="exits with 1 on the model; it must exit with 0"):
        reduce_model(path, command="false", options={})


def test_a_model_that_does_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(chain(3), path)
    with pytest.raises(ForgeError, match="nothing to reduce"):
        reduce_model(path, options={})


@pytest.mark.parametrize("kind", [None, "wrong"])
def test_an_undecided_verdict_is_no_failure(kind: Kind | None, tmp_path: Path) -> None:
    """The result consists of rounding errors, of which a ReLU makes others than onnxruntime's."""
    term = np.float32(0.777) + np.random.default_rng(0).normal(0, 1e-3, (3, 2048)).astype(np.float32)
    w = np.tile(1 + np.abs(np.random.default_rng(0).normal(0, 1, (2048, 4))), (2, 1)).astype(np.float32)
    nodes = [node("MatMul", ["x", "w"], ["z"], "product"), node("Relu", ["z"], ["y"], "relu")]
    path = tmp_path / "model.onnx"
    onnx.save(build(nodes, {"x": (FLOAT, [3, 4096])}, {"y": FLOAT}, w=w), path)
    with pytest.raises(ForgeError, match="nothing is wrong"):
        reduce_model(path, {"x": np.hstack([term, -term])}, kind=kind, options={})


def test_an_internal_error_without_an_exception_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    said = json.dumps({"errors": [{"code": "FM9001", "message": "m.py reads names that nothing binds: x"}]})
    monkeypatch.setattr(predicates, "_process", lambda _: subprocess.CompletedProcess([], 1, said, ""))
    found = predicates.failure_of(capture(chain(3), {}), {})
    assert str(found) == "crash: internal error"


@pytest.mark.parametrize("command", ["", " ", "true '"])
def test_text_that_is_no_command(command: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(chain(3), path)
    with pytest.raises(ForgeError, match=r"a command|No closing quotation") as error:
        reduce_model(path, command=command, options={})
    assert error.value.code == Code.CommandFailed


def _plugin(folder: Path) -> list[Lowering]:
    """A lowering of Abs that is wrong for negative numbers, in a file, which another process can load."""
    lines = ["import forge_mlir", '@forge_mlir.lowering("", "Abs", since=13)', "def abs_(node, b):"]
    lines.append("    return b.multiply(node.input(0), b.scalar_like(node.input(0), 1.0))")
    (folder / "plugin.py").write_text("\n".join(lines))
    return load_plugin(folder / "plugin.py")


def test_a_node_that_is_wrong_for_other_inputs_only(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    nodes = [node("Relu", ["x"], ["a"], "relu"), node("Abs", ["a"], ["b"], "abs"), node("Sqrt", ["b"], ["y"], "sqrt")]
    onnx.save(build(nodes, {"x": (FLOAT, [2, 3])}, {"y": FLOAT}), path)
    found = reduce_model(path, options={"lowerings": _plugin(tmp_path)})
    assert str(found.failure) == "wrong: Abs"
    assert "Abs" in [n.op_type for n in found.case.nodes]


def test_the_range_of_an_input_is_kept(tmp_path: Path) -> None:
    """Without the range, the products are refused, which is another failure."""
    path = tmp_path / "model.onnx"
    nodes = [node("Mul", ["i", "i"], ["j"], "mul"), node("Abs", ["x"], ["y"], "abs")]
    onnx.save(build(nodes, {"x": (FLOAT, [2, 3]), "i": (INT64, [2])}, {"y": FLOAT, "j": INT64}), path)
    options: Options = {"ranges": {"i": (0, 10)}, "integers": "proven", "lowerings": _plugin(tmp_path)}
    found = reduce_model(path, options=options)
    assert found.failure.kind == "wrong"
    assert [n.op_type for n in found.case.nodes] == ["Abs"]
    assert "--range" not in found.arguments
    kept = reduce_model(path, command="grep -q Mul {model}", options=options)
    assert [n.op_type for n in kept.case.nodes] == ["Mul"]
    assert "i=0:10" in kept.arguments


def test_a_compilation_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predicates, "_TIMEOUT", 0.01)
    failure = predicates.failure_of(capture(chain(2), {}), {})
    assert (failure.kind, failure.signature) == ("crash", "takes more than 0.01 s")
