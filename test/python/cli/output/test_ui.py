"""What is shown on a terminal only: phases and progress bars; and the width of tables."""

from __future__ import annotations

import os
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from sample_models.probe import chain
from sample_models.tools import command_program, run_command


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


def test_nodes_fit_eighty_columns(gpt2_block: Path) -> None:
    model = gpt2_block / "model.onnx"
    *tables, _, _, _, _ = command("verify", model, "--nodes").stdout.splitlines()
    titles = (
        ["result", "local", "relative", "op", "node"],
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


def test_reduction_shows_the_number_of_attempts(tmp_path: Path) -> None:
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
        "simplify 1 node: ",
    ]
    piped = command("reduce", tmp_path / "net.onnx", "-o", tmp_path, "--kind", "refused")
    assert len(piped.stderr.splitlines()) == 1
    assert piped.stderr.strip() in shown
