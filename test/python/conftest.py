"""Every Python file that any test emits is held against the allow-list; files that many tests read."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from emitted_ast import assert_safe
from forge_mlir.artifact import writer as artifact
from sample_models.repository import MODELS
from sample_models.small import split_model

WHOLE = ("bisect", "compiler", "docs", "fuzz", "hostile", "integration", "reduce", "report", "sweep", "tools", "verify")
"""Folders whose tests compile and run whole models, or start other programs: most of the time of all tests."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    root = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(root) and item.path.relative_to(root).parts[0] in WHOLE:
            item.add_marker("whole")


@pytest.fixture(autouse=True)
def emitted_python_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    write = artifact._write_python

    def checked(directory: Path, name: str, text: str) -> str:
        assert_safe(text)
        return write(directory, name, text)

    monkeypatch.setattr(artifact, "_write_python", checked)


@pytest.fixture
def split_file(tmp_path: Path) -> Path:
    path = tmp_path / "split_235.onnx"
    onnx.save(split_model(), path)
    return path


@pytest.fixture(scope="session")
def gpt2_block() -> Path:
    return MODELS / "gpt2_block"
