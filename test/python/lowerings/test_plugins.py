"""Lowerings from files: the option --plugin of the command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner, Result

import forge_mlir
from forge_mlir import ForgeError, load_plugin
from forge_mlir.cli.app import app
from forge_mlir.compiler.option_types.values import command_line
from sample_models.custom_ops import DOMAIN, own, own_model, swish_and_halves, value
from sample_models.goldens import assert_same
from sample_models.tools import run_command

PLUGIN = f'''
from __future__ import annotations
from dataclasses import dataclass
import forge_mlir
from forge_mlir.lowerings import Builder, Node, Value

@dataclass
class Scale:
    number: float

@forge_mlir.lowering("{DOMAIN}", "Swish")
def swish(node: Node, b: Builder) -> Value:
    x = node.input(0)
    beta = Scale(node.float_attr("beta", 1.0))
    return b.multiply(x, b.sigmoid(b.multiply(x, b.scalar_like(x, beta.number))))

@forge_mlir.lowering("{DOMAIN}", "SplitHalf")
def split_half(node: Node, b: Builder) -> list[Value]:
    x = node.input(0)
    return b.split(x, node.int_attr("axis"), [x.shape[-1] // 2] * 2)
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "my_ops.py"
    path.write_text(PLUGIN)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    onnx.save(swish_and_halves(), tmp_path / "m.onnx")
    return tmp_path / "m.onnx"


def forge(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def test_compile_and_check(plugin: Path, model: Path, tmp_path: Path) -> None:
    assert forge("check", model).exit_code == 3
    done = forge("check", model, "--plugin", plugin)
    assert done.exit_code == 0, done.output
    done = forge("compile", model, "--plugin", plugin, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    x = np.linspace(-1, 1, 16, dtype=np.float32).reshape(2, 8)
    y, _ = forge_mlir.run(forge_mlir.Artifact.open(tmp_path / "out"), {"x": x}).values()
    s = x / (1 + np.exp(-1.5 * x))
    assert_same(y, s[:, :4] * s[:, 4:])


def test_options_are_printed_as_arguments(plugin: Path) -> None:
    lowerings = load_plugin(plugin)
    assert [(each.domain, each.op, each.since) for each in lowerings] == [
        (DOMAIN, "Swish", 1),
        (DOMAIN, "SplitHalf", 1),
    ]
    assert command_line({"lowerings": lowerings}) == ["--plugin", str(plugin)]


@pytest.mark.parametrize(
    "words", [["verify"], ["compile", "--verify", "-o", "out"], ["sweep", "-o", "out"], ["report"]], ids=" ".join
)
def test_a_node_that_no_onnx_engine_can_run_is_not_right(
    words: list[str], plugin: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No engine can compute the result of the node; a report is written, and says so."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    model = model.rename(tmp_path / "models" / model.name)
    report = ["-o", "page.json"] if words == ["report"] else []
    done = forge(words[0], model.parent if words[0] == "sweep" else model, *words[1:], *report, "--plugin", plugin)
    assert (done.exit_code == 0) == (words == ["report"]), done.output
    if report:
        accuracy = json.loads((tmp_path / "page.json").read_text())["accuracy"]
        assert accuracy["word"] == "not known"
        assert "Swish" in accuracy["text"]
    else:
        assert "right" not in done.stdout.split()


def test_verify_and_bisect_with_outputs(plugin: Path, model: Path, tmp_path: Path) -> None:
    """onnxruntime does not know the ops: the user provides their results."""
    x = np.linspace(-1, 1, 16, dtype=np.float32).reshape(2, 8)
    s = x / (1 + np.exp(-1.5 * x))
    np.savez(tmp_path / "in.npz", x=x)
    np.savez(tmp_path / "right.npz", y=s[:, :4] * s[:, 4:], b=s[:, 4:])
    np.savez(tmp_path / "wrong.npz", y=s[:, :4] * s[:, 4:], b=s[:, :4])
    words = (model, "--plugin", plugin, "--inputs", tmp_path / "in.npz", "--expected")
    done = forge("verify", *words, tmp_path / "right.npz")
    # No engine can run the nodes, but the outputs agree.
    assert "not compared: node" in done.output
    assert "right: compared with the given outputs" in done.output
    assert done.exit_code == 0
    assert "FM6001" in forge("verify", *words, tmp_path / "wrong.npz").output


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "defines no lowering; decorate one with forge_mlir.lowering"),
        ("from my_other import swish\n", "bad.py:1: ModuleNotFoundError: No module named 'my_other'"),
        ("x = 1\nx = 1 / 0\n", "bad.py:2: ZeroDivisionError: division by zero"),
        ("x = (\n", "bad.py:1: SyntaxError: '(' was never closed"),
        ("import sys\nsys.exit(3)\n", "bad.py:2: SystemExit: 3"),
    ],
)
def test_files_that_are_not_plugins(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(ForgeError, match="FM1023") as found:
        load_plugin(path)
    assert reason in found.value.message


def test_paths_that_are_not_plugins(tmp_path: Path) -> None:
    (tmp_path / "ops.txt").write_text(PLUGIN)
    for path, reason in (
        (tmp_path, "is no file"),
        (tmp_path / "no.py", "is no file"),
        (tmp_path / "ops.txt", "in .py"),
    ):
        with pytest.raises(ForgeError, match=reason):
            load_plugin(path)


def command(*words: object) -> subprocess.CompletedProcess[str]:
    return run_command(*words)


def test_an_exception_of_a_plugin_is_one_line(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "bug.py"
    path.write_text(PLUGIN.replace('node.int_attr("axis")', "node.shape"))
    words = ("compile", model, "--plugin", path, "-o", tmp_path / "out")
    done = command(*words)
    assert done.returncode == 3
    line = PLUGIN.splitlines().index('    return b.split(x, node.int_attr("axis"), [x.shape[-1] // 2] * 2)') + 1
    assert f"node 'the SplitHalf' (my.domain.SplitHalf, opset 3): {path}:{line}: AttributeError: 'Node'" in done.stderr
    assert "error: [FM1022]" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in command(*words, "--debug").stderr
    as_json = json.loads(command("check", model, "--plugin", path, "--json").stdout)
    assert [entry["code"] for entry in as_json["refused"]] == ["FM1022"]


def test_one_domain_from_two_files(plugin: Path, tmp_path: Path) -> None:
    other = tmp_path / "more" / "my_ops.py"
    other.parent.mkdir()
    other.write_text(PLUGIN.replace("Swish", "Swash").replace("SplitHalf", "Halve"))
    onnx.save(
        own_model([own("Swash", ["x"], ["s"]), own("Swish", ["s"], ["y"])], [value("y", [2, 8])]), tmp_path / "m.onnx"
    )
    done = forge("check", tmp_path / "m.onnx", "--plugin", plugin, "--plugin", other)
    assert done.exit_code == 0, done.output
    assert (
        "two lowerings of 'Swish'"
        in command("check", tmp_path / "m.onnx", "--plugin", plugin, "--plugin", plugin).stderr
    )


def test_a_signal_while_a_plugin_is_loaded_ends_the_command(model: Path, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n")
    done = run_command("compile", model, "-o", tmp_path / "out", "--plugin", tmp_path / "p.py")
    assert (done.returncode, done.stderr) == (143, "")
