"""Every Python file that any test emits is compared with the allow-list; and fixtures that many tests use."""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest

from emitted_ast import assert_safe, parsed
from forge_mlir.artifact import writer as artifact
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.source.calls import calls_of, count_calls
from forge_mlir.artifact.source.parsed_calls import calls_of_tree
from in_process import without_children
from op_selection import speaks_of
from sample_models import probe
from sample_models.repository import MODELS
from sample_models.small import split_model
from tiers import mark_alike

WHOLE = ("bisect", "compiler", "docs", "fuzz", "hostile", "integration", "reduce", "report", "sweep", "tools", "verify")
"""Folders whose tests compile and run whole models, or start other programs, which takes most of the time."""

WITH_CHILDREN = ("cli", "support", "hostile/test_hostile_files.py")
"""Folders and files whose tests are also about child processes and their limits. In the others, hostile models are
compiled, and their goldens computed, in the process of the test, which a crash would end."""


def folder_of(item: pytest.Item) -> str:
    root = Path(__file__).parent
    return item.path.relative_to(root).parts[0] if item.path.is_relative_to(root) else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--op", metavar="OP", default="", help="only tests that speak of this ONNX op")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if folder_of(item) in WHOLE:
            item.add_marker("whole")
    if op := config.getoption("--op"):
        of_the_op, others = [], []
        for item in items:
            (of_the_op if speaks_of(item, op) else others).append(item)
        config.hook.pytest_deselected(items=others)
        items[:] = of_the_op
    else:
        mark_alike(items)


def pytest_collection_finish() -> None:
    """Excludes the packages and the tests, which live as long as the process, from garbage collection."""
    gc.collect()
    gc.freeze()


def pytest_collectstart() -> None:
    """Restores the random state before a module is imported, because it may create models."""
    probe.draw_anew()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Restores the random state before the first fixture of a test, also one of its module."""
    probe.draw_anew()


_held = set[object]()
"""What has been checked in this process: many tests compile the same models, and a check takes as long as some
tests."""


def once(check: Callable[..., None], *texts: str) -> None:
    """Checks texts that have not been checked before."""
    digest = (check, *(hashlib.sha256(text.encode()).digest() for text in texts))
    if digest not in _held:
        check(*texts)
        _held.add(digest)


def assert_table_is_of_text(python: str, table: str) -> None:
    manifest = json.loads(table)
    assert manifest["calls_of_sha256"] == hashlib.sha256(python.encode()).hexdigest()
    calls = calls_of(python, manifest)
    assert calls == calls_of_tree(parsed(python), python.splitlines())
    assert count_calls(python, manifest) == len(calls)


@pytest.fixture(autouse=True)
def nothing_is_given_to_children(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(request.node)
    if folder not in WITH_CHILDREN and f"{folder}/{request.path.name}" not in WITH_CHILDREN:
        without_children(monkeypatch.setattr, others=True)


@pytest.fixture(autouse=True)
def emitted_python_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    write = artifact._write_python

    def checked(directory: Path, name: str, text: str) -> str:
        once(assert_safe, text)
        return write(directory, name, text)

    monkeypatch.setattr(artifact, "_write_python", checked)


@pytest.fixture(autouse=True)
def tables_of_calls_are_those_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    write = artifact.PlannedProgram.write

    def checked(self: artifact.PlannedProgram, staging: Path, stored: artifact.StoredWeights, facts: Json) -> Json:
        for part in self.program.parts or (self.program.main,):
            if part.onnx is None:
                told = {key: part.manifest.get(key) for key in ("calls", "calls_of_sha256")}
                once(assert_table_is_of_text, part.python, json.dumps(told))
        return write(self, staging, stored, facts)

    monkeypatch.setattr(artifact.PlannedProgram, "write", checked)


@pytest.fixture
def split_file(tmp_path: Path) -> Path:
    path = tmp_path / "split_235.onnx"
    onnx.save(split_model(), path)
    return path


@pytest.fixture(scope="session")
def gpt2_block() -> Path:
    return MODELS / "gpt2_block"
