"""What an emitted module may contain, and that the same model gives the same bytes."""

from __future__ import annotations

import ast
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
import pytest
from conftest import one_node, split_model
from onnx import ModelProto, TensorProto, helper

from emitted_ast import assert_safe
from forge_mlir.artifact import Artifact
from forge_mlir.compiler import compile


def hostile(text: str) -> ModelProto:
    """Every name that a model can choose is `text`, made different only where ONNX demands it."""
    node = helper.make_node("Mul", [f"{text}x", f"{text}w"], [f"{text}y"], name=text)
    infos = [helper.make_tensor_value_info(f"{text}{end}", TensorProto.FLOAT, [2, 2]) for end in "xy"]
    weight = helper.make_tensor(f"{text}w", TensorProto.FLOAT, [2, 2], [1.0, 2.0, 3.0, 4.0])
    graph = helper.make_graph([node], f"{text}g", infos[:1], infos[1:], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10, producer_name=text)


NAMES = [
    'x"), __import__("os").system("touch pwned"), str("', "back\\slash", "new\nline", "return\r#", '"""', "# comment",
    "b, a=exec('1')", "*args", "x: int=1", "nul\0", "\u2028", "\x85", "\u202e", "\ufb01", "__class__", "../../etc/x",
    "self", "forge", "torch", "None", "lambda", "match", "_", "1st", "a.b/c:d", "%s{}", "\x1b[31m", "<script>", "",
    "x" * 3000, "conv2d_0", "Relu_3", "caf\u00e9", "\U0001d431",
]  # fmt: skip


@pytest.mark.parametrize("text", NAMES, ids=lambda text: ascii(text)[1:20])
def test_hostile_names(text: str, tmp_path: Path) -> None:
    artifact = compile(hostile(text), tmp_path, name=f"{text}g")
    assert artifact.module_path.parent == tmp_path
    assert_safe(artifact.module_path.read_text(encoding="ascii"))
    manifest = artifact.manifest()
    assert [entry["onnx_name"] for entry in manifest["inputs"]] == [f"{text}x"]
    assert [entry["onnx_name"] for entry in manifest["outputs"]] == [f"{text}y"]
    assert [entry["onnx_name"] for entry in manifest["weights"]] == [f"{text}w"]
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, '.'); import {artifact.name} as m; m.load()"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert {path.suffix for path in tmp_path.iterdir()} <= {".py", ".json", ".safetensors", ""}
    assert not (tmp_path / "pwned").exists()


def test_names_that_collapse_stay_apart(tmp_path: Path) -> None:
    names = ["a.b", "a/b", "a:b", "a_b"]
    nodes = [helper.make_node("Relu", [name], [f"{name}.out"], name=name) for name in names]
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1])  # noqa: E731
    graph = helper.make_graph(nodes, "g", list(map(value, names)), [value(f"{name}.out") for name in names])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    source = compile(model, tmp_path).module_path.read_text()
    forward = next(n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef) and n.name == "forward")
    assert len({argument.arg for argument in forward.args.args}) == 5
    targets = [
        s.targets[0].id for s in forward.body if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
    ]
    assert len(targets) == len(set(targets)) == 4


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
    script = "import sys; from forge_mlir.compiler import compile; compile(sys.argv[1], sys.argv[2])"
    command = [sys.executable, "-c", script, str(gpt2_block / "model.onnx"), str(tmp_path / "there")]
    path = ":".join(filter(None, sys.path))
    subprocess.run(command, check=True, env={"PYTHONHASHSEED": "7", "LC_ALL": "C", "PYTHONPATH": path})
    assert contents(Artifact(tmp_path / "there", "model")) == expected


def test_splat_weights_stay_splats(tmp_path: Path) -> None:
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
