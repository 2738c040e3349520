"""`compile --verify` compiles once, prints the verdict, and writes what `compile` writes, or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest
import torch
from click.testing import CliRunner, Result

from forge_mlir.cli.app import app
from forge_mlir.compiler import driver
from sample_models.small import one_node


def compile(*words: object) -> Result:
    return CliRunner().invoke(app, ["compile", *map(str, words)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    return tmp_path / "net.onnx"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The compilations of the model; single nodes that are verified are compiled as well."""
    found: list[object] = []
    lower = driver.lower

    def watched(source: object, *given: object, **options: object) -> object:
        if Path(str(source)).name != "node.onnx":
            found.append(source)
        return lower(source, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(driver, "lower", watched)
    return found


@pytest.mark.parametrize("more", [(), ("--weights=reference",), ("--shapes", "a: x=2x3", "--shapes", "b: x=2x3")])
def test_it_compiles_once(more: tuple[str, ...], model: Path, tmp_path: Path, compilations: list[object]) -> None:
    assert compile(model, "-o", tmp_path / "plain", *more).exit_code == 0
    count = len(compilations)
    done = compile(model, "-o", tmp_path / "verified", "--verify", *more)
    assert done.exit_code == 0, done.output
    assert len(compilations) == 2 * count
    assert done.stdout.count("right: compared with the model's file") == count
    assert contents(tmp_path / "plain") == contents(tmp_path / "verified")


def test_the_verdict_is_in_json(model: Path, tmp_path: Path) -> None:
    done = compile(model, "-o", tmp_path / "out", "--verify", "--json")
    assert json.loads(done.stdout)["verdicts"] == {"net": "right"}


def test_nothing_is_written_for_a_wrong_module(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[object]
) -> None:
    monkeypatch.setattr(torch, "relu", torch.neg)
    done = compile(model, "-o", tmp_path / "out", "--verify", "--cache", tmp_path / "cache")
    assert "FAILED" in done.stdout or "first divergence" in done.stdout
    assert getattr(done.exception, "code", None) == "FM6001"
    assert len(compilations) == 1
    assert not (tmp_path / "out").exists()


def test_a_verified_artifact_is_stored_in_the_cache(model: Path, tmp_path: Path, compilations: list[object]) -> None:
    words = (model, "-o", tmp_path / "out", "--cache", tmp_path / "cache")
    assert "right:" in compile(*words, "--verify").stdout
    assert compile(*words).exit_code == 0
    assert len(compilations) == 1
