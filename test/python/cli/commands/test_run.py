"""The command run: how inputs are given. benchmark and saved runs are tested in `execute`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from sample_models.small import one_node
from sample_models.tools import run_command


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


def test_inputs_are_given_in_several_ways(relu: Path) -> None:
    out = relu.parent
    command("compile", relu.name, "-o", "out", cwd=out)
    x = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)
    np.save(out / "any.npy", x)
    np.savez(out / "in.npz", x=x)
    for given in (["-i", "any.npy"], ["-i", "x=any.npy"], ["--inputs", "in.npz"]):
        ran = command("run", "out", *given, "-o", "y.npz", cwd=out)
        assert ran.returncode == 0, ran.stderr
        np.testing.assert_array_equal(np.load(out / "y.npz")["y"], np.maximum(x, 0))
    assert "given twice" in command("run", "out", "-i", "in.npz", "-i", "any.npy", cwd=out).stderr


def test_inputs_of_unknown_sizes_are_asked_for(tmp_path: Path) -> None:
    """Models with a map have no IR, so that only the declared inputs are known."""
    maps = helper.make_map_type_proto(TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
    graph = helper.make_graph(
        [helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", classlabels_int64s=[4, 5])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 2])],
        [helper.make_value_info("y", helper.make_sequence_type_proto(maps))],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), tmp_path / "m.onnx")
    assert command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out", "--fallback=cpu").returncode == 0
    done = command("run", tmp_path / "out" / "m.py")
    assert done.returncode == 2
    assert "no random values for 'x', whose type or sizes the model leaves open: give --inputs" in done.stderr
