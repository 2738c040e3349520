"""A run whose inputs and outputs are kept in a file, and compared with a later run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from forge_mlir import ForgeError
from forge_mlir.execute.saved_run import SavedRun
from sample_models.small import compiled_log
from sample_models.tools import run_command


def command(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return compiled_log(tmp_path)


def test_a_run_is_kept_and_compared_later(folder: Path) -> None:
    assert command("run", "net_forge", "-i", "good.npz", "--save", "run.npz", cwd=folder).returncode == 0
    done = command("verify", "net.onnx", "--against", "run.npz", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "with those of module 'net' in run.npz" in done.stderr
    kept = SavedRun.load(folder / "run.npz")
    SavedRun("net", kept.inputs, {"y": kept.outputs["y"] * np.float32(1.01)}).save(folder / "other.npz")
    done = command("verify", "net.onnx", "--against", "other.npz", cwd=folder)
    assert done.returncode == 4
    assert "FM6001" in done.stderr
    assert command("verify", "net.onnx", "--against", "run.npz", "-i", "good.npz", cwd=folder).returncode == 2
    done = command("verify", "net.onnx", "--against", "good.npz", cwd=folder)
    assert (done.returncode, "no run that forge-mlir run --save wrote" in done.stderr) == (2, True)


def test_any_name_and_dtype_is_kept(tmp_path: Path) -> None:
    inputs: dict[str, Any] = {
        "../a/b\n": np.array([1.5, -2], ml_dtypes.bfloat16),
        "inputs_0": np.array(True),
        "": np.zeros((0, 3), np.int64),
        "text": np.array(["x", "longer"], object),
        "zeros": np.array([["a\0", "\0"], ["", "\0b\0\0"]], object),
        "no text": np.zeros((0, 2), object),
        "one text": np.array("\udcff\0", object),
    }
    SavedRun("m", inputs, {"y": np.float16([1])}).save(tmp_path / "run.npz")
    found = SavedRun.load(tmp_path / "run.npz")
    assert list(found.inputs) == list(inputs)
    for name, value in inputs.items():
        assert found.inputs[name].dtype == value.dtype
        assert np.array_equal(found.inputs[name], value)
    (tmp_path / "none.npz").write_bytes(b"no archive")
    with pytest.raises(ForgeError, match="not a readable"):
        SavedRun.load(tmp_path / "none.npz")


@pytest.mark.parametrize("facts", ["[" * 100_000, "[]", "{}"])
def test_facts_of_another_form(facts: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", **{"forge-mlir-run": np.array(facts)})  # type: ignore[arg-type]
    with pytest.raises(ForgeError, match="no run that forge-mlir run --save wrote"):
        SavedRun.load(tmp_path / "run.npz")


def test_text_of_earlier_versions_is_read(tmp_path: Path) -> None:
    facts = {"module": "m", "inputs": [], "outputs": [{"name": "y", "dtype": "object"}]}
    arrays: dict[str, Any] = {"outputs_0": np.array(["a", "bc"]), "forge-mlir-run": np.array(json.dumps(facts))}
    np.savez(tmp_path / "run.npz", **arrays)
    found = SavedRun.load(tmp_path / "run.npz").outputs["y"]
    assert (found.dtype, found.tolist()) == (np.dtype(object), ["a", "bc"])


def test_a_kept_run_replaces_no_input(folder: Path) -> None:
    before = (folder / "good.npz").read_bytes()
    done = command("run", "net_forge", "-i", "good.npz", "--save", "good.npz", cwd=folder)
    assert done.returncode == 3
    assert (folder / "good.npz").read_bytes() == before


def test_all_of_a_model_of_several_outputs(tmp_path: Path) -> None:
    x, y, z = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xyz")
    nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Log", ["y"], ["z"])]
    graph = helper.make_graph(nodes, "g", [x], [y, z])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), tmp_path / "n.onnx")
    np.savez(tmp_path / "x.npz", x=np.array([-1, 1], np.float32))
    command("compile", "n.onnx", "-q", cwd=tmp_path)
    lines = command("run", "n_forge", "-i", "x.npz", cwd=tmp_path).stdout.splitlines()
    assert lines == ["y: float32 [2]", "z: float32 [2], 0 NaN and 1 infinities"]
