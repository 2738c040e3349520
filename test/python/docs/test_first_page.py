"""README is read before the glossary, and shows what is emitted."""

from __future__ import annotations

import re
from pathlib import Path

import forge_mlir
from sample_models.repository import REPOSITORY

# Terms of one word that are also common words, and terms that README explains where they occur.
_COMMON = {
    "device",
    "node",
    "call",
    "range",
    "layer",
    "block",
    "tile",
    "fill",
    "trace",
    "manifest",
    "reference",
    "conformance",
}
_EXPLAINED = {"CPU reference", "CPU partition", "tile padding", "refusal", "opset"}


def glossary() -> set[str]:
    rows = re.findall(r"^\| ([^|]+) \|", (REPOSITORY / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    return {re.sub(r" \(.*\)", "", term) for row in rows for term in row.split(", ")} - {"term"}


def test_the_first_page_has_no_term_of_the_glossary() -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    prose = re.sub(r"(?ms)^```(?:console|text|sh|python)$.*?^```$|\]\([^)]*\)|`[^`\n]+`", "", text)
    terms = glossary()
    assert {"artifact", "call level", "high level", "device", "judge", "numeric class"} <= terms
    found = {term for term in terms if re.search(rf"(?i)\b{re.escape(term)}s?\b", prose)}
    assert found <= _COMMON | _EXPLAINED, found - _COMMON - _EXPLAINED


def test_the_excerpt_is_of_an_emitted_module(tmp_path: Path) -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    found = re.search(r"(?ms)^```\n(attn_.*?)^```$", text)
    assert found
    forge_mlir.compile(REPOSITORY / "models" / "gpt2_block" / "model.onnx", output=tmp_path / "out")
    module = [line.strip() for line in (tmp_path / "out" / "model.py").read_text("utf-8").splitlines()]
    assert found[1].strip() in "\n".join(module)
