"""Text of a model is escaped in HTML and Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import _SCRIPTS, to_html, to_markdown
from sample_models.chain import HOSTILE, chain


def test_hostile_names_stay_text() -> None:
    report = model_report(chain(2, 3))
    html = to_html(report)
    assert html.count("</script>") == html.count("<script") == 2 + len(_SCRIPTS), "those of the page"
    assert HOSTILE not in html
    assert "<img" not in html
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", html)
    assert "<script>" not in to_markdown(report)


def test_times_in_markdown() -> None:
    report = replace(model_report(chain(1, 1)), phases={"import": 0.25, "compile": 1.0})
    assert "\nTimes: import 0.25 s, compile 1.00 s\n" in to_markdown(report)
