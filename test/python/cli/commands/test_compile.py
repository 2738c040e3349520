"""The command compile: output, refusals, sizes and values that are bound, limits, and what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from forge_mlir import ForgeError
from forge_mlir.compiler.options import option_table
from forge_mlir.verify import verify_model
from sample_models.small import one_node, split_model
from sample_models.tools import run_command


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


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
    result = command("compile", tmp_path / "missing.onnx", "-o", tmp_path / "out", "--debug", "--json")
    assert result.returncode == 2
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("error: [FM0101]")
    assert [each["code"] for each in json.loads(result.stdout)["errors"]] == ["FM0101"]


def test_a_node_with_an_odd_name_is_named_once(tmp_path: Path) -> None:
    model = one_node("Bernoulli", [2], opset=15)
    model.graph.node[0].name = "é\n\\ \U0001f600"
    onnx.save(model, tmp_path / "m.onnx")
    line = command("compile", tmp_path / "m.onnx", "-o", tmp_path / "out").stderr.splitlines()[0]
    name = r"\xe9\n\\ \U0001f600"
    assert line.startswith(f"error: [FM1001] {tmp_path / 'm.onnx'}: node '{name}/RandomUniformLike_0' (")


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
        assert f"error: [FM1001] {tmp_path}/{where}: there is no converter for this op" in result.stderr
    assert result.stderr.count("note: [FM1001] run the node on the CPU") == 1
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


# Modules that compiling an ordinary model does not need.
UNUSED = (
    *("torch", "onnxruntime", "rich", "tomllib", "concurrent.futures"),
    *("forge_mlir.cli.commands.verify", "forge_mlir.explanations", "forge_mlir.integration.folder"),
    *(f"forge_mlir.compiler.{name}" for name in ("cache", "cpu.engines", "cpu.subgraphs", "pass_pipeline")),
    *(f"forge_mlir.compiler.{name}" for name in ("stages.files", "cpu.whole_model")),
    *("forge_mlir.dialects", "forge_mlir.execute.onnx.engines", "forge_mlir.verify", "forge_mlir.runtime"),
    *("forge_mlir.importer.normalise", "forge_mlir.importer.passes", "forge_mlir.support.known_deviations"),
)


# Modules that are loaded while the child process checks the model, not before.
LATE = ("torch_mlir", "forge_mlir.importer.torch_nodes")


def test_compile_imports_packages_when_it_needs_them(relu: Path) -> None:
    script = (
        "import os, sys\n"
        f"sys.argv = ['forge-mlir', 'compile', {str(relu)!r}, '-o', {str(relu.parent / 'out')!r}, '-q']\n"
        "from forge_mlir.cli.main import main\n"
        "early, fork = set(), os.fork\n"
        "os.fork = lambda: early.update(sys.modules) or fork()\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print('unused:', *sorted(set(sys.modules) & set({UNUSED!r})))\n"
        f"print('late:', *sorted(set(sys.modules) & set({LATE!r})))\n"
        f"print('early:', len(early) > 0, *sorted(early & set({LATE!r})))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[1:] == ["unused:", f"late: {' '.join(sorted(LATE))}", "early: True"], done.stderr


def test_output_of_compile_and_run(relu: Path) -> None:
    compiled = command("compile", relu.name, cwd=relu.parent)
    assert compiled.stdout == "net_forge/net.py\n"
    summary, following = compiled.stderr.splitlines()
    assert summary.startswith("1 node became 1 call; 0 weights, ")
    assert following == "next: forge-mlir run net_forge/net.py"
    told = json.loads(command("compile", relu.name, "--json", cwd=relu.parent).stdout)
    assert (told["nodes"], told["calls"], told["errors"]) == (1, 1, [])
    assert {"import", "compile", "weights"} <= told["phases"].keys()
    ran = command("run", "net_forge", cwd=relu.parent)
    assert ran.stdout == "y: float32 [2, 3]\n"
    assert "random, of seed 0" in ran.stderr
    quiet = command("run", "net_forge", "-q", cwd=relu.parent)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    assert "import: " in command("compile", relu.name, "-v", cwd=relu.parent).stderr


def test_every_format_is_checked(relu: Path) -> None:
    wrong = command("compile", relu, "--device-format", "fp8")
    assert wrong.returncode == 2
    assert "f32, f16, bf16" in wrong.stderr
    with pytest.raises(ForgeError, match="--device-format: expected f32"):
        verify_model(relu, device_format="fp8")
    choices = option_table()["device_format"].choices
    assert choices is not None
    for name in choices():  # The pass accepts all of them.
        verify_model(relu, device_format=name, layout="tiles")


def test_a_refusal_ends_with_suggestions(tmp_path: Path) -> None:
    onnx.save(one_node("Det", [4, 4]), tmp_path / "net.onnx")
    lines = command("compile", tmp_path / "net.onnx").stderr.splitlines()
    assert lines[-1].startswith("error: [FM2001]")
    assert "check MODEL --suggest-cuts" in lines[-3]
    assert lines[-2] == "note: more: forge-mlir explain FM1501; docs/diagnostics.md has FM1501"
    checked = command("check", tmp_path / "net.onnx")
    assert checked.stderr.splitlines()[-2:] == lines[-3:-1]
    assert command("check", tmp_path / "net.onnx", "-q").stderr == ""


def test_a_low_memory_limit_names_the_flag(tmp_path: Path) -> None:
    names = [f"{'v' * 5000}{at}" for at in range(1001)]  # More than the heap can have free from before.
    nodes = [helper.make_node("Relu", [x], [y]) for x, y in pairwise(names)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in (names[0], names[-1])]
    onnx.save(helper.make_model(helper.make_graph(nodes, "long", ends[:1], ends[1:])), tmp_path / "net.onnx")
    for name in ("check", "compile"):
        done = command(name, "net.onnx", "--memory-limit=1", cwd=tmp_path)
        assert done.returncode == 5
        assert "--memory-limit" in done.stderr
        assert "supported" not in done.stdout


def test_a_memory_limit_is_for_the_model_alone(tmp_path: Path) -> None:
    onnx.save(one_node("Det", [4, 4]), tmp_path / "net.onnx")
    done = command("compile", "net.onnx", "--fallback=cpu", "--memory-limit=16", cwd=tmp_path)
    assert done.returncode == 0, done.stderr  # Loading onnxruntime alone needs more memory.
