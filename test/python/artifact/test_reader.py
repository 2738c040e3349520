"""Compiled models on disk: which one a path names, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from sample_models.probe import FLOAT, build, node, weights


@pytest.fixture
def made(tmp_path: Path) -> Artifact:
    nodes = [node("MatMul", ["x", "w"], ["y"], "product")]
    return compile(build(nodes, {"x": (FLOAT, [4, 8])}, {"y": FLOAT}, w=weights(8, 8)), tmp_path / "out", name="net")


def test_a_folder_or_one_of_its_files(made: Artifact) -> None:
    for path in (made.directory, made.module_path, made.manifest_path):
        assert Artifact.open(path) == made
    assert made.calls() == 1
    assert made.stored_weights() == ["w"]
    assert made.shape_set_for({"x": [4, 8]}) is made


def test_there_is_one_module_in_a_folder(made: Artifact, tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="there is no such file or directory"):
        Artifact.open(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ForgeError, match="expected one compiled module, found 0"):
        Artifact.open(tmp_path / "empty")
    (made.directory / "other.json").write_text("{}")
    with pytest.raises(ForgeError, match="expected one compiled module, found 2"):
        Artifact.open(made.directory)


def test_damaged_files(made: Artifact) -> None:
    headers = (b"5", b"null", b'"abc"', b"[" * 100_000)
    for damaged in (b"\xff" * 9, *(len(header).to_bytes(8, "little") + header for header in headers)):
        made.weights_path.write_bytes(damaged)
        with pytest.raises(ForgeError, match="no weights file"):
            made.stored_weights()
    made.module_path.write_bytes(b"\xff")
    with pytest.raises(ForgeError, match="cannot be read"):
        made.source()
