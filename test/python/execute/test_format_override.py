"""`run --float-format` runs a module as a device does that is configured for a float format."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.execute.benchmark import benchmark
from forge_mlir.runtime import DataFormat

_X = np.random.default_rng(3).standard_normal((4, 64)).astype(np.float32)
_W = np.random.default_rng(4).standard_normal((64, 8)).astype(np.float32)


def _model(nodes: Sequence[onnx.NodeProto], kind: int = TensorProto.FLOAT, **weights: Any) -> onnx.ModelProto:
    """A model from x with 4 rows to y."""
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", kind, [4, 64])],
        [helper.make_tensor_value_info("y", kind, None)],
        [onnx.numpy_helper.from_array(np.asarray(value, dtype), name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)])


def _product(kind: int = TensorProto.FLOAT) -> onnx.ModelProto:
    return _model([helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Tanh", ["p"], ["y"])], kind, w=_W)


def _rounded(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return value.astype(ml_dtypes.bfloat16).astype(np.float32)


def test_each_operand_and_result_is_rounded_and_sums_are_not(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(_product(), tmp_path, name="net")
    product = _rounded(_rounded(_X) @ _rounded(_W))  # A sum of 64 products is rounded once.
    found = forge_mlir.run(artifact, {"x": _X}, float_format="bfloat16")["y"]
    assert found.dtype == np.float32
    # Partial sums of 64 elements are in another order, so that a result may be the adjacent number.
    assert np.abs(found - _rounded(np.tanh(product))).max() <= 2.0**-8
    assert (found == _rounded(found)).all()
    exact = forge_mlir.run(artifact, {"x": _X})["y"]
    assert 1e-4 < np.abs(found - exact).max() < 3e-2
    assert np.array_equal(forge_mlir.run(artifact, {"x": _X}, float_format="float32")["y"], exact)
    assert np.array_equal(benchmark(artifact, {"x": _X}, 0, 1, "bfloat16")[0]["y"], found)


def test_inputs_that_are_outputs_are_rounded_and_integers_are_not(tmp_path: Path) -> None:
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"]), helper.make_node("Add", ["i", "i"], ["j"])],
        "net",
        [helper.make_tensor_value_info("x", 1, [4, 64]), helper.make_tensor_value_info("i", 7, [3])],
        [helper.make_tensor_value_info("y", 1, [4, 64]), helper.make_tensor_value_info("j", 7, [3])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)])
    artifact = forge_mlir.compile(model, tmp_path, name="net")
    i = np.array([1, 1001, 65537])
    found = forge_mlir.run(artifact, {"x": _X, "i": i}, float_format="bfloat16")
    assert np.array_equal(found["y"], _rounded(_X))
    assert not np.array_equal(found["y"], _X)
    assert np.array_equal(found["j"], 2 * i)
    assert found["j"].dtype == np.int64


def test_a_number_beyond_the_format_is_an_infinity(tmp_path: Path) -> None:
    lowest = np.finfo(np.float32).min
    model = _model([helper.make_node("Add", ["x", "mask"], ["y"])], mask=np.full(64, lowest))
    narrow = forge_mlir.compile(model, tmp_path / "narrow", name="net", float_format="bfloat16")
    wide = forge_mlir.compile(model, tmp_path / "wide", name="net")
    assert np.isneginf(forge_mlir.run(wide, {"x": _X}, float_format="bfloat16")["y"]).all()
    assert np.isfinite(forge_mlir.run(narrow, {"x": _X})["y"]).all()  # The compiler clamped it.


def test_a_module_that_has_the_format_already_runs_unchanged(tmp_path: Path) -> None:
    for name, model, chosen in (
        ("asked", _product(), {"float_format": "bfloat16"}),
        ("own", _product(TensorProto.BFLOAT16), {}),
    ):
        artifact = forge_mlir.compile(model, tmp_path / name, name="net", **chosen)  # type: ignore[arg-type]
        x = {"x": _X.astype(ml_dtypes.bfloat16) if name == "own" else _X}
        plain, told = (forge_mlir.run(artifact, x, float_format=each)["y"] for each in (None, "bfloat16"))
        assert np.array_equal(plain, told)
        with pytest.raises(ForgeError, match="computes in bfloat16; compile the model again with --float-format=float"):
            forge_mlir.run(artifact, x, float_format="float32")


def test_mixed_is_chosen_when_a_model_is_compiled(tmp_path: Path) -> None:
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Tanh", ["p"], ["y"], name="last")]
    model = _model(nodes, w=_W)
    wide = forge_mlir.compile(model, tmp_path / "wide", name="net")
    mixed = forge_mlir.compile(model, tmp_path / "mixed", name="net", float_format="mixed", keep_float32=("last",))
    for artifact, asked, reason in (
        (wide, "mixed", "chosen when a model is compiled; compile the model again with --float-format=mixed"),
        (mixed, "bfloat16", "computes in mixed; compile the model again with --float-format=bfloat16"),
        (mixed, "float32", "computes in mixed; compile the model again with --float-format=float32"),
        (wide, "bfp8", "expected float32 or bfloat16, but got 'bfp8'"),
    ):
        with pytest.raises(ForgeError, match=reason):
            forge_mlir.run(artifact, {"x": _X}, float_format=asked)
    plain, told = (forge_mlir.run(mixed, {"x": _X}, float_format=each)["y"] for each in (None, "mixed"))
    assert np.array_equal(plain, told)


def test_the_format_is_for_device_partitions_only(tmp_path: Path) -> None:
    # NonZero has no static shape and runs on the CPU.
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"]), helper.make_node("NonZero", ["y"], ["where"])]
    model = _model(nodes, w=_W)
    model.graph.output.append(helper.make_tensor_value_info("where", 7, None))
    artifact = forge_mlir.compile(model, tmp_path / "two", name="net", fallback="cpu")
    assert "partitions" in artifact.manifest()
    told = forge_mlir.run(artifact, {"x": _X}, float_format="bfloat16")["y"]
    assert np.array_equal(told, _rounded(told))
    assert not np.array_equal(told, forge_mlir.run(artifact, {"x": _X})["y"])


def test_a_call_that_fails_names_its_node(tmp_path: Path) -> None:
    graph = helper.make_graph(
        [helper.make_node("Add", ["i", "i"], ["y"], name="twice")],
        "net",
        [helper.make_tensor_value_info("i", 7, [3])],
        [helper.make_tensor_value_info("y", 7, [3])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)])
    artifact = forge_mlir.compile(model, tmp_path, name="net")
    with pytest.raises(ForgeError, match=r"node 'twice': .*does not fit Int32"):
        forge_mlir.run(artifact, {"i": np.full(3, 2**30)}, float_format="bfloat16")


def test_the_command(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(_product(), tmp_path / "m", name="net")
    np.savez(tmp_path / "x.npz", x=_X)
    words = [sys.executable, "-m", "forge_mlir.cli.main", "run", str(artifact.module_path), "-i", f"{tmp_path}/x.npz"]
    done = subprocess.run(
        [*words, "--float-format=bfloat16", "-o", f"{tmp_path}/y.npz", "--json"], capture_output=True, check=True
    )
    assert json.loads(done.stdout)["outputs"]["y"]["dtype"] == "float32"
    told = forge_mlir.run(artifact, {"x": _X}, float_format="bfloat16")["y"]
    assert np.array_equal(np.load(tmp_path / "y.npz")["y"], told)
    for wrong in ("mixed", "bfp8"):
        done = subprocess.run([*words, f"--float-format={wrong}"], capture_output=True, check=False)
        assert done.returncode == 2


def test_the_real_package_gets_the_format(tmp_path: Path) -> None:
    """A stand-in for Tenstorrent's package, which records its compiler configuration."""
    package = tmp_path / "packages" / "forge"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "import sys, types\n"
        "from forge_mlir import runtime\n"
        "from forge_mlir.runtime import *\n"
        "from forge_mlir.runtime import op\n"
        "sys.modules['forge.op'] = op\n"
        "config = types.SimpleNamespace(CompilerConfig=dict)\n"
        "def compile(module, sample_inputs, module_name=None, compiler_cfg=None):\n"
        "    print('compiled', compiler_cfg)\n"
        "    return runtime.compile(module, sample_inputs, module_name)\n"
    )
    artifact = forge_mlir.compile(_product(), tmp_path / "out", name="net")
    code = (
        "from forge_mlir.execute.run import run\nimport numpy as np\n"
        "for told in (None, 'bfloat16'):\n"
        f"    run({str(artifact.module_path)!r}, {{'x': np.ones((4, 64), np.float32)}}, float_format=told)"
    )
    path = os.pathsep.join((str(package.parent), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    told = f"compiled { {'default_df_override': DataFormat.Float16_b} }"
    assert done.stdout.splitlines() == ["compiled None", told], done.stderr
