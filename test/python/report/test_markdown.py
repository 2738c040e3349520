"""Markdown: text of a model is escaped, and tables have a limit."""

from __future__ import annotations

from forge_mlir.report.markdown import table, text


def test_text_is_displayed_literally() -> None:
    assert text("a|b*<i>") == r"a\|b\*\<i\>"
    assert text("&lt;") == r"\&lt;"
    assert text("two\nlines") == r"two\\nlines"
    assert text(1234567) == "1,234,567"


def test_a_table_has_its_first_rows() -> None:
    assert table("Ops", ["op"], []) == []
    lines = table("Ops", ["op", "count"], [(f"op{at}", at) for at in range(1, 33)])
    assert lines[1:6] == ["## Ops", "", "| op | count |", "|---|---|", "| op1 | 1 |"]
    assert "| op30 | 30 |" in lines
    assert "and 2 more" in lines
