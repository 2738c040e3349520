"""`forge-mlir check` reports what would be refused, before anything is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import onnx
from onnx import helper

from sample_models.small import with_shape_input
from sample_models.tools import run_command

HOSTILE = "a\x1b[31m' (b\\é): [c]"


def command(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run_command("check", path, *options, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))


def test_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.onnx", tmp_path / "bad.onnx"
    onnx.save(with_shape_input(helper.make_node("Abs", ["x"], ["y"], "a")), good)
    onnx.save(with_shape_input(helper.make_node("Reshape", ["x", "shape"], ["y"], HOSTILE)), bad)
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
    done = command(good, "--range", "x=0:3")
    assert done.stderr == f"error: [FM0212] {good}: tensor 'x': a range is of integers, but its type is float32\n"
    done = command(tmp_path / "missing.onnx", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["errors"][0]["code"] == "FM0101"


def test_a_cycle_is_one_error(tmp_path: Path) -> None:
    model = with_shape_input(helper.make_node("Add", ["x", "b"], ["y"], "p"))
    model.graph.node.append(helper.make_node("Relu", ["y"], ["b"], "q"))
    onnx.save(model, tmp_path / "cycle.onnx")
    told = json.loads(command(tmp_path / "cycle.onnx", "--json").stdout)
    (error,) = told["errors"]
    assert error["code"] == "FM0205"
    assert error["message"].endswith("the last what the first does; node 'p' (Add); node 'q' (Relu)")
