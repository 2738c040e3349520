"""The call tables in manifests. conftest.py compares each table with the text of its module."""

from __future__ import annotations

from pathlib import Path

import pytest

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.source import calls as calls_module
from forge_mlir.artifact.source.calls import calls_of, count_calls
from forge_mlir.artifact.source.parsed_calls import parsed_calls
from resealing import replace_module


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, gpt2_block: Path) -> Artifact:
    return forge_mlir.compile(gpt2_block / "model.onnx", tmp_path_factory.mktemp("calls"), name="m")


def test_a_table_has_each_method_once(compiled: Artifact) -> None:
    table = compiled.manifest()["calls"]
    ((name, method),) = table["methods"].items()
    called = [row for row in table["forward"] if "method" in row]
    assert [row["method"] for row in called] == [name] * 2
    assert all(len(row["nodes"]) == len(method["calls"]) for row in called)
    assert [row["nodes"][0] for row in called] == ["/ln_1/LayerNormalization", "/ln_2/LayerNormalization"]


def test_the_table_is_read_without_the_text(compiled: Artifact, monkeypatch: pytest.MonkeyPatch) -> None:
    text, manifest = compiled.module_path.read_text(), compiled.manifest()
    monkeypatch.setattr(calls_module, "parsed_calls", None)
    monkeypatch.setattr(calls_module, "count_parsed_calls", None)
    calls = calls_of(text, manifest)
    assert count_calls(text, manifest) == len(calls)
    matmul = next(call for call in calls if call.node == "/attn/c_proj/Reshape_1")
    assert matmul.callee == "forge.op.Matmul"
    assert text.splitlines()[matmul.line - 1].strip() == matmul.text


def test_the_table_of_another_text_is_not_read(compiled: Artifact) -> None:
    text, manifest = compiled.module_path.read_text(), compiled.manifest()
    edited = text.replace('forge.op.Softmax("", ', 'forge.op.Relu("", ', 1).replace("dim=-1, stable=True", "", 1)
    assert edited != text
    replace_module(compiled, edited)
    assert compiled.manifest()["calls_of_sha256"] == manifest["calls_of_sha256"]
    found = calls_of(edited, compiled.manifest())
    assert found == parsed_calls(edited)
    assert [call.callee for call in found].count("forge.op.Relu") == 1
    assert compiled.calls() == len(found)
