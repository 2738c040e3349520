"""A folder that is given as MODEL: each of its ONNX files, with the sizes that apply to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from click.testing import CliRunner

import forge_mlir.verify
from forge_mlir.cli.app import app
from forge_mlir.cli.exit_codes import Exit
from forge_mlir.cli.folders import models_of
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.support.sandbox import ChildFailed
from sample_models.small import one_node
from sample_models.tiny_language_model import tiny_language_model


def test_each_model_has_its_sizes(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", ["batch", 3]), tmp_path / "a.onnx")
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "b.onnx")
    (tmp_path / "c.txt").write_text("no model")
    found = {file.name: options.get("dims") for file, options in models_of(tmp_path, {"dims": {"batch": 4}})}
    assert found == {"a.onnx": {"batch": 4}, "b.onnx": {}}
    with pytest.raises(ForgeError, match="no model of the folder has a dimension 'bach'"):
        models_of(tmp_path, {"dims": {"batch": 4, "bach": 4}})
    with pytest.raises(ForgeError, match="no model of the folder has an input 'z'"):
        models_of(tmp_path, {"input_shapes": {"z": [2, 3]}})
    assert models_of(tmp_path / "a.onnx", {}) == [(tmp_path / "a.onnx", {})]


def test_a_model_that_ends_the_parser_has_no_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its import reports the reason, and the models after it are compiled."""
    for name in ("a", "b"):
        onnx.save(one_node("Relu", ["batch", 3]), tmp_path / f"{name}.onnx")

    def parsed(_kind: str, read: Any, _limits: Any, label: str) -> Any:
        if label.endswith("a.onnx"):
            raise ChildFailed(Code.ChildCrashed, "the child process crashed")
        return read()

    monkeypatch.setattr("forge_mlir.integration.folder.isolated", parsed)
    found = {file.name: options.get("dims") for file, options in models_of(tmp_path, {"dims": {"batch": 4}})}
    assert found == {"a.onnx": {"batch": 4}, "b.onnx": {"batch": 4}}


def test_a_folder_without_models(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=r"there is no \.onnx file in this folder"):
        models_of(tmp_path, {})


@pytest.mark.parametrize("command", [["verify"], ["report", "--no-accuracy", "-o", "pages"]])
def test_a_refused_model_does_not_end_the_command(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The models after it are verified or reported, and the exit code is that of the worst."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.onnx").write_bytes(b"no model")
    onnx.save(one_node("NonZero", [2, 3]), tmp_path / "models" / "b.onnx")
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "models" / "c.onnx")
    done = CliRunner().invoke(app, [*command, "models", "--json"])
    found = json.loads(done.stdout)
    assert done.exit_code == Exit.REFUSED
    assert len(found["models"]) == 1
    errors = json.dumps(found["errors"])
    assert [name in errors for name in ("a.onnx", "b.onnx", "c.onnx")] == [True, True, False]


def test_a_model_that_generates_nothing_does_not_end_a_check(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "a.onnx")
    onnx.save(tiny_language_model(), tmp_path / "b.onnx")
    done = CliRunner().invoke(app, ["check", str(tmp_path), "--generate", "--max-length=8", "--json"])
    found = {Path(each["model"]).name: each for each in json.loads(done.stdout)["models"]}
    assert done.exit_code == Exit.REFUSED
    assert [*found] == ["a.onnx", "b.onnx (prefill)", "b.onnx (decode)"]
    assert [each["verdict"] for each in found.values()] == ["refused", "supported", "supported"]
    assert [problem["code"] for problem in found["a.onnx"]["errors"]] == ["FM1507"]


def test_an_internal_error_does_not_end_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.onnx", "b.onnx"):
        onnx.save(one_node("Relu", [2, 3]), tmp_path / name)
    verify_model = forge_mlir.verify.verify_model

    def failing(file: Path, *arguments: Any, **options: Any) -> Any:
        if file.name == "a.onnx":
            raise KeyError("lost")
        return verify_model(file, *arguments, **options)

    monkeypatch.setattr(forge_mlir.verify, "verify_model", failing)
    words = ["verify", str(tmp_path), "--json", "--whole", "--debug"]
    monkeypatch.setattr("sys.argv", ["forge-mlir", *words])
    done = CliRunner().invoke(app, words)
    assert "Traceback" in done.stderr
    found = json.loads(done.stdout)
    assert done.exit_code == Exit.INTERNAL
    assert [each["verdict"] for each in found["models"]] == ["right"]
    (error,) = found["errors"]
    assert (error["code"], error["exception"]) == ("FM9001", "KeyError")
    assert "a.onnx: KeyError: 'lost' (a bug" in error["message"].replace("\\", "")
    with pytest.raises(KeyError, match="lost"):
        CliRunner().invoke(app, ["verify", str(tmp_path / "a.onnx")], catch_exceptions=False)


def test_a_folder_of_reports_may_have_a_dot(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "a.onnx")
    done = CliRunner().invoke(app, ["report", str(tmp_path), "--no-accuracy", "-o", str(tmp_path / "v1.2")])
    assert done.exit_code == 0
    assert [file.name for file in (tmp_path / "v1.2").iterdir()] == ["a_report.html"]
