"""Every Python file that any test emits is held against the allow-list; files that many tests read."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from emitted_ast import assert_safe
from forge_mlir.artifact import writer as artifact
from in_process import without_children
from sample_models.repository import MODELS
from sample_models.small import split_model

WHOLE = ("bisect", "compiler", "docs", "fuzz", "hostile", "integration", "reduce", "report", "sweep", "tools", "verify")
"""Folders whose tests compile and run whole models, or start other programs: most of the time of all tests."""

WITH_CHILDREN = ("cli", "hostile", "support")
"""Folders whose tests are also about the child processes of a compilation."""


def folder_of(item: pytest.Item) -> str:
    root = Path(__file__).parent
    return item.path.relative_to(root).parts[0] if item.path.is_relative_to(root) else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if folder_of(item) in WHOLE:
            item.add_marker("whole")


@pytest.fixture(autouse=True)
def compilations_start_no_child(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if folder_of(request.node) not in WITH_CHILDREN:
        without_children(monkeypatch.setattr)


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
