"""The command as a process: exit codes, one-line errors, and no traceback without --debug."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

from sample_models.small import one_node, split_model
from sample_models.tools import run_command


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments)


def test_compile_run_verify(split_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    compiled = command("compile", split_file, "-o", out)
    assert compiled.returncode == 0, compiled.stderr
    assert compiled.stdout.strip() == str(out / "split_235.py")
    data = np.arange(160, dtype=np.float32).reshape(10, 4, 4)
    np.savez(tmp_path / "in.npz", data=data)
    ran = command("run", out / "split_235.py", "--inputs", tmp_path / "in.npz", "--output", tmp_path / "out.npz")
    assert ran.returncode == 0, ran.stderr
    results = np.load(tmp_path / "out.npz")
    np.testing.assert_array_equal(np.concatenate([results[name] for name in "abc"]), data)
    verified = command("verify", split_file)
    assert verified.returncode == 0, verified.stderr
    assert sum(line.startswith("ok ") for line in verified.stdout.splitlines()) == 3


def test_wrong_results_fail(split_file: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", data=np.ones((10, 4, 4), np.float32))
    np.savez(
        tmp_path / "bad.npz",
        **{name: np.zeros((size, 4, 4), np.float32) for name, size in zip("abc", (2, 3, 5), strict=True)},
    )
    verified = command("verify", split_file, "--inputs", tmp_path / "in.npz", "--expected", tmp_path / "bad.npz")
    assert verified.returncode == 4
    assert "FAILED" in verified.stdout
    assert "differ" in verified.stderr


def test_open_dims_are_bound(tmp_path: Path) -> None:
    model = one_node("Relu", [1, 3])
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    onnx.save(model, tmp_path / "m.onnx")
    refused = command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out")
    assert refused.returncode == 3
    assert "--input-shape" in refused.stderr
    for option in (["--input-shape", "x:4,3"], ["--dim", "batch=4"]):
        assert command("verify", tmp_path / "m.onnx", *option).returncode == 0
    for option in (["--input-shape", "x:4,4"], ["--input-shape", "z:4,3"], ["--dim", "seq=1"]):
        assert command("verify", tmp_path / "m.onnx", *option).returncode == 2
    for option in (["--input-shape", "x"], ["--dim", "batch=a"], ["--dim", "batch=1,2"]):
        assert command("verify", tmp_path / "m.onnx", *option).returncode == 2


def test_values_are_bound(tmp_path: Path) -> None:
    model = split_model()
    sizes = model.graph.initializer.pop()
    model.graph.input.append(onnx.helper.make_tensor_value_info("sizes", sizes.data_type, [3]))
    onnx.save(model, tmp_path / "m.onnx")
    np.save(tmp_path / "sizes.npy", np.array([2, 3, 5]))
    refused = command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out")
    assert "must be known at compile time" in refused.stderr
    compiled = command(
        "compile", tmp_path / "m.onnx", "-o", tmp_path / "out", "--bind", f"sizes={tmp_path / 'sizes.npy'}"
    )
    assert compiled.returncode == 0, compiled.stderr


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"version https://git-lfs.github.com/spec/v1\n", b"PK\x03\x04zip"]
)
def test_files_that_are_not_models(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    result = command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out")
    assert result.returncode == 3
    assert result.stderr.startswith(("error: [FM0102] ", "error: [FM0103] "))
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out").exists()


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    result = command("compile", tmp_path / "missing.onnx", "-o", tmp_path / "out", "--debug")
    assert result.returncode != 0
    assert "Traceback" in result.stderr


def test_all_refused_nodes_in_one_run(tmp_path: Path) -> None:
    nodes = [onnx.helper.make_node("Bernoulli", ["x"], [f"y{i}"], name=f"n{i}") for i in range(3)]
    infos = [onnx.helper.make_tensor_value_info(n, 1, [2]) for n in ("x", "y0", "y1", "y2")]
    graph = onnx.helper.make_graph(nodes, "g", infos[:1], infos[1:])
    onnx.save(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 15)], ir_version=8),
        tmp_path / "m.onnx",
    )
    result = command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out")
    for name in ("n0", "n1", "n2"):
        # Bernoulli is replaced by its function body, which contains RandomUniformLike.
        where = f"m.onnx: node '{name}/RandomUniformLike_0' (RandomUniformLike, opset 15)"
        assert f"error: [FM1001] {tmp_path}/{where}: the device path has no converter for this op" in result.stderr
    assert result.stderr.count("note: [FM1001] leave the node to the CPU") == 1
    assert result.stderr.splitlines()[-1].startswith("error: [FM2001] ")


def test_padding_targets(tmp_path: Path) -> None:
    onnx.save(one_node("Softmax", [4, 10]), tmp_path / "m.onnx")
    planned = command(
        "compile", tmp_path / "m.onnx", "-o", tmp_path / "out", "--fill-tile-padding", "ttnn-conservative"
    )
    assert planned.returncode == 0, planned.stderr
    assert 'value=float("-inf")' in (tmp_path / "out" / "m.py").read_text()
    unknown = command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out", "--fill-tile-padding", "gpu")
    assert unknown.returncode == 2
    assert "ttnn-conservative" in unknown.stderr
