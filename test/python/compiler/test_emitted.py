"""The text of emitted modules (test/emitted_ast.py checks what it may contain); the same model gives the same bytes."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from sample_models.small import one_node, split_model


def test_split_gives_three_index_calls(tmp_path: Path) -> None:
    source = compile(split_model(), tmp_path).module_path.read_text()
    calls = [
        line.split("forge.op.")[1].split(").")[0] for line in source.splitlines() if "forge.op." in line and "=" in line
    ]
    assert calls == [
        'Index("", data, dim=-3, start=0, stop=2, stride=1',
        'Index("", data, dim=-3, start=2, stop=5, stride=1',
        'Index("", data, dim=-3, start=5, stop=10, stride=1',
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(float("inf"), 'float("inf")'), (1e-5, "1e-05"), (-0.0, "-0.0"), (3.0, "3.0")]
)
def test_float_attributes(value: float, text: str, tmp_path: Path) -> None:
    source = compile(one_node("LeakyRelu", [2, 3], alpha=value), tmp_path).module_path.read_text()
    assert f"alpha={text})" in source


def contents(artifact: Artifact) -> list[bytes]:
    return [path.read_bytes() for path in (artifact.module_path, artifact.weights_path, artifact.manifest_path)]


def test_same_bytes_from_eight_threads(gpt2_block: Path, tmp_path: Path) -> None:
    expected = contents(compile(gpt2_block / "model.onnx", tmp_path / "alone"))
    with ThreadPoolExecutor(8) as pool:
        folders = [tmp_path / str(i) for i in range(8)]
        artifacts = list(pool.map(lambda folder: compile(gpt2_block / "model.onnx", folder), folders))
    assert all(contents(artifact) == expected for artifact in artifacts)


def test_same_bytes_under_another_hash_seed(gpt2_block: Path, tmp_path: Path) -> None:
    expected = contents(compile(gpt2_block / "model.onnx", tmp_path / "here"))
    script = "import sys; from forge_mlir.compiler.driver import compile; compile(sys.argv[1], sys.argv[2])"
    command = [sys.executable, "-c", script, str(gpt2_block / "model.onnx"), str(tmp_path / "there")]
    path = ":".join(filter(None, sys.path))
    subprocess.run(command, check=True, env={"PYTHONHASHSEED": "7", "LC_ALL": "C", "PYTHONPATH": path})
    assert contents(Artifact(tmp_path / "there", "model")) == expected


def test_splat_weights_are_stored_as_splats(tmp_path: Path) -> None:
    nodes = [
        helper.make_node(
            "ConstantOfShape", ["shape"], ["w"], value=helper.make_tensor("v", TensorProto.FLOAT, [1], [0.5])
        ),
        helper.make_node("MatMul", ["x", "w"], ["y"], name="product"),
    ]
    shape = helper.make_tensor("shape", TensorProto.INT64, [2], [2048, 4096])
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, s]) for n, s in (("x", 2048), ("y", 4096))]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], [shape])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    artifact = compile(model, tmp_path)
    assert artifact.manifest()["weights"][0]["splat"] == "0.5"
    assert artifact.weights_path.stat().st_size < 100
    onnx.checker.check_model(model)
