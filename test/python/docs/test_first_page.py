"""README is read before the glossary."""

from __future__ import annotations

import re

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
