"""Messages about failures are correct and in the requested format, and the exit code agrees with them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx
import pytest

import forge_mlir
from forge_mlir.cli.output.reporting import forge_error_of
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.verify import verify_model
from sample_models.repository import REPOSITORY
from sample_models.tools import run_command

TEXT = '<ir_version: 9, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Neg(x) }'
OWN = '<ir_version: 9, opset_import: ["": 17, "d": 1]> g (float[2] x) => (float[2] y) { y = d.O <k = 1> (x) }'
LOWERING = "import forge_mlir\n@forge_mlir.lowering('d', 'O')\ndef lower(node, b):\n    {}\n"


def command(*arguments: str, cwd: Path, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Runs the command; in a separate interpreter if stdout is redirected."""
    if stdout == subprocess.PIPE:
        return run_command(*arguments, cwd=cwd)
    program = [sys.executable, "-m", "forge_mlir.cli.main", *arguments]
    return subprocess.run(program, cwd=cwd, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    onnx.save(onnx.parser.parse_model(TEXT), tmp_path / "m.onnx")
    onnx.save(onnx.parser.parse_model(OWN), tmp_path / "own.onnx")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile"],
        ["compile", "m.onnx", "--nothing"],
        ["nothing"],
        ["compile", "m.onnx", "--dim", "x"],
        ["sweep", "--jobs", "0"],
        ["verify", "m.onnx", "--seed", "-1"],
    ],
)
def test_wrong_usage_is_json_under_json(arguments: list[str], folder: Path) -> None:
    done = command(*arguments, "--json", cwd=folder)
    (found,) = json.loads(done.stdout)["errors"]
    assert (done.returncode, found["code"]) == (2, Code.WrongUsage)
    assert found["message"]
    assert found["message"] in done.stderr
    assert command(*arguments, cwd=folder).stdout == ""


@pytest.mark.parametrize(
    "arguments", [["ops"], ["ops", "--json"], ["check", "m.onnx"], ["--version"], ["explain", "FM1001"]]
)
def test_a_full_disk_is_not_an_internal_error(arguments: list[str], folder: Path) -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        done = command(*arguments, cwd=folder, stdout=full.fileno())
    assert done.returncode == 5
    assert "No space left on device" in done.stderr
    assert "bug" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_plugin_that_exits_is_reported(folder: Path) -> None:
    (folder / "exits.py").write_text("raise SystemExit(0)\n")
    done = command("compile", "m.onnx", "--plugin", "exits.py", cwd=folder)
    assert (done.returncode, (folder / "m_forge").exists()) == (2, False)
    assert "exits.py:1: SystemExit" in done.stderr
    (folder / "lowers.py").write_text(LOWERING.format("raise SystemExit(0)"))
    done = command("compile", "own.onnx", "--plugin", "lowers.py", cwd=folder)
    assert done.returncode == 3
    assert "FM1022" in done.stderr
    assert "SystemExit" in done.stderr


def test_an_attribute_of_a_custom_lowering(folder: Path) -> None:
    (folder / "lowers.py").write_text(LOWERING.format("return node.input(0)"))
    done = command("compile", "own.onnx", "--plugin", "lowers.py", cwd=folder)
    assert done.returncode == 3
    assert "attribute 'k' is not known to this lowering" in done.stderr
    assert "node.ignore_attr(" in done.stderr


def test_import_takes_a_plugin(folder: Path) -> None:
    """A node that a plugin lowers needs no function body."""
    (folder / "lowers.py").write_text(
        LOWERING.replace("'d', 'O'", "'', 'Mish', since=18").format("return node.input(0)")
    )
    text = TEXT.replace("17", "18").replace("Neg", "Mish")
    onnx.save(onnx.parser.parse_model(text), folder / "mish.onnx")
    assert command("import", "mish.onnx", "-o", "a.mlir", "--plugin", "lowers.py", cwd=folder).returncode == 0
    assert "onnx.Mish" in (folder / "a.mlir").read_text()


def test_patterns_that_match_nothing(folder: Path) -> None:
    patterns = REPOSITORY / "test/Dialect/Torch/Transforms/Inputs/patterns.mlir"
    artifact = forge_mlir.compile(folder / "m.onnx", folder / "out", patterns=[patterns])
    codes = {warning.code for warning in artifact.warnings}
    assert codes == {Code.PatternUnused}
    assert all("patterns.mlir matches nothing" in warning.message for warning in artifact.warnings)


@pytest.mark.parametrize("what", ["missing.onnx", "text.onnx"])
def test_every_error_has_diagnostics(what: str, folder: Path) -> None:
    (folder / "text.onnx").write_text("no model")
    with pytest.raises(ForgeError) as raised:
        forge_mlir.compile(folder / what, folder / "out")
    (found,) = raised.value.diagnostics
    assert (found.code, found.severity) == (raised.value.code, "error")
    assert found.message == raised.value.message
    assert str(raised.value).count(raised.value.message) == 1


def test_an_example_says_how_it_is_called() -> None:
    example = REPOSITORY / "examples/onnx/classify.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.startswith("usage: ")) == (1, True)


def test_no_directory_for_temporary_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose file system is read-only."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(folder / "absent")])
    with pytest.raises(FileNotFoundError) as raised:
        verify_model(folder / "m.onnx")
    failure = forge_error_of(raised.value)
    assert failure.code == Code.CannotWrite
    assert failure.message.startswith("cannot write temporary files: No usable temporary directory found in ")
    assert failure.message.endswith("; set TMPDIR")
