"""Behaviour that all commands share, and the small commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from forge_mlir import ForgeError
from forge_mlir.bisect import bisect_model
from forge_mlir.compiler.options import option_table
from forge_mlir.verify import verify_model
from sample_models.probe import chain
from sample_models.small import one_node
from sample_models.tools import command_program, run_command

HEAVY = ("onnx", "torch", "torch_mlir", "numpy", "onnxruntime")


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


@pytest.mark.parametrize("arguments", [["--help"], ["compile", "--help"], ["--version"], ["explain", "FM1001"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        f"sys.argv = ['forge-mlir', *{arguments!r}]\n"
        "from forge_mlir.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(*sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr.strip() == ""


@pytest.mark.parametrize(("argument", "code"), [("--version", 0), ("frobnicate", 2)])
def test_all_output_is_written_at_exit(argument: str, code: int) -> None:
    script = (
        "import atexit, sys\n"
        "from forge_mlir.cli.main import run\n"
        f"sys.argv = ['forge-mlir', {argument!r}]\n"
        "atexit.register(print, 'handler ran')\n"
        "print('buffered')\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0], lines[-1]) == (code, "buffered", "handler ran"), done.stderr


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_a_start_collects_no_garbage_and_starts_no_threads(given: dict[str, str], threads: str) -> None:
    script = (
        "import gc, os, sys\n"
        "from forge_mlir.cli.main import main\n"
        "collections = []\n"
        "gc.callbacks.append(lambda phase, _: collections.append(phase))\n"
        "sys.argv = ['forge-mlir', 'compile', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(len(collections), os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)\n"
    )
    own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**own, **given})
    assert done.stderr.split() == ["0", threads]


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


def test_compile_loads_what_it_needs_when_it_needs_it(relu: Path) -> None:
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


def test_every_command_takes_the_common_flags() -> None:
    overview = command("-h").stdout
    names = ["compile", "check", "import", "run", "reseal", "verify", "bisect", "reduce", "report", "explain", "ops"]
    for name in (*names, "bug-report"):
        assert f" {name} " in overview
        shown = command(name, "--help-all").stdout
        assert all(flag in shown for flag in ("--json", "--quiet", "--verbose", "--debug", "Exit codes: 0")), name


def test_output_of_compile_and_run(relu: Path) -> None:
    compiled = command("compile", relu.name, cwd=relu.parent)
    assert compiled.stdout == "net_forge/net.py\n"
    summary, following = compiled.stderr.splitlines()
    assert summary.startswith("1 nodes became 1 calls; 0 weights, ")
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


def test_sample_inputs_are_the_values(relu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forge_mlir.verify import compiled as verify

    seen = []
    right = verify.verify_artifact
    monkeypatch.setattr(verify, "verify_artifact", lambda *a, **k: seen.append(a[3]) or right(*a, **k))
    x = np.full((2, 3), -7, np.float32)
    verify_model(relu, sample_inputs={"x": x})
    np.testing.assert_array_equal(seen[0]["x"], x)


def test_bisect_proves_the_goldens(relu: Path) -> None:
    x = {"x": np.ones((2, 3), np.float32)}
    with pytest.raises(ForgeError, match=r"the expected output 'y' is not what ONNX computes"):
        bisect_model(relu, x, {"y": np.zeros((2, 3), np.float32)})
    with pytest.raises(ForgeError, match="no golden"):
        bisect_model(relu, x, {"z": np.zeros((2, 3), np.float32)})


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


def test_the_ops() -> None:
    rows = {row["op"]: row for row in json.loads(command("ops", "--opset", "17", "--json").stdout)["ops"]}
    assert (rows["Relu"]["device"], rows["Relu"]["since"]) == ("yes", 14)
    assert rows["RandomUniformLike"]["device"] == "no"
    assert "Mish" not in rows, "of opset 18"
    assert command("ops", "--opset", "99").returncode == 2
    assert "yes     14     Relu" in command("ops", "--opset", "17").stdout


def test_a_refusal_ends_with_what_to_do(tmp_path: Path) -> None:
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


def test_nodes_fit_eighty_columns(gpt2_block: Path) -> None:
    model = gpt2_block / "model.onnx"
    *tables, _, _, _, _ = command("verify", model, "--nodes").stdout.splitlines()
    titles = (
        ["result", "alone", "relative", "op", "node"],
        ["result", "relative", "ULP", "PCC", "dtype", "shape", "output"],
    )
    assert [line.split() for line in tables if line.startswith("result")] == list(titles)
    assert len(tables) > 20
    assert max(map(len, tables)) <= 80


def on_a_terminal(*arguments: object) -> tuple[str, str]:
    """The stdout of a command, and what it prints to stderr if that is a terminal."""
    terminal, side = os.openpty()
    line = [command_program(), *map(str, arguments)]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=side, text=True)
    os.close(side)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # The other end is closed.
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    out, _ = process.communicate()
    assert process.returncode == 0, shown.decode()
    return out, shown.decode().replace("\r\n", "\n")


def phases(shown: str) -> list[str]:
    """The lines that remain of a terminal's output, without times."""
    lines = [re.sub(r".*(\x1b\[[0-9;?]*[A-Za-z]|\r)", "", line) for line in shown.split("\n")]
    return [line.removesuffix(found[0]) for line in lines if (found := re.search(r"\d+\.\d s$", line))]


def test_phases_are_shown_on_a_terminal_only(gpt2_block: Path, tmp_path: Path) -> None:
    model, out = gpt2_block / "model.onnx", tmp_path / "out"
    printed, shown = on_a_terminal("compile", model, "-o", out)
    assert printed.endswith("model.py\n")
    size = f"{(out / 'model.safetensors').stat().st_size:,}"
    assert phases(shown)[:4] == ["import: ", "compile: ", "hash of the model: ", f"weights: {size}/{size}, "]
    piped = command("compile", model, "-o", out)
    assert "import:" not in piped.stderr
    assert "\x1b" not in piped.stderr
    assert "\x1b" not in on_a_terminal("compile", model, "-o", out, "-q")[1]


def test_progress_bars_where_the_number_of_steps_is_known(tmp_path: Path) -> None:
    model = tmp_path / "net.onnx"
    onnx.save(chain(3), model)
    nodes = [line for line in phases(on_a_terminal("verify", model)[1]) if line.startswith("compare")]
    assert set(nodes) == {"compare nodes: 3/3, "}
    assert len(nodes) >= 3  # The kinds of inputs.
    printed, shown = on_a_terminal("bisect", model)
    passes = [line for line in phases(shown) if line.startswith("run")]
    assert len(passes) == 1
    done, total = map(int, re.findall(r"\d+", passes[0]))
    assert done == total >= len(printed.splitlines()) - 1
    assert re.search(r"run after each pass .*━.* \d+/\d+", shown)


def test_reduction_counts_what_it_tries(tmp_path: Path) -> None:
    names = [f"v{at}" for at in range(9)]
    nodes = [helper.make_node("Relu", [x], [y]) for x, y in pairwise(names)]
    nodes[5] = helper.make_node("RandomNormalLike", [names[5]], [names[6]])
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in (names[0], names[-1])]
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:])), tmp_path / "net.onnx")
    printed, shown = on_a_terminal("reduce", tmp_path / "net.onnx", "-o", tmp_path, "--kind", "refused")
    assert printed.startswith("8 nodes became 1: ")
    # Compilations that are a part of a phase have no line.
    assert [re.sub(r"\d+/", "", line) for line in phases(shown)] == [
        "the model as it is: ",
        "the model with fixed inputs: ",
        "parts of 8 nodes: 4, ",
        "parts of 4 nodes: ",
        "parts of 2 nodes: 4, ",
        "simplify 1 nodes: ",
    ]
    piped = command("reduce", tmp_path / "net.onnx", "-o", tmp_path, "--kind", "refused")
    assert len(piped.stderr.splitlines()) == 1
    assert piped.stderr.strip() in shown
