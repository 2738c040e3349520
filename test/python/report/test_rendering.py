"""Text of a model is escaped in HTML and Markdown."""

from __future__ import annotations

import re
from dataclasses import replace

import onnx

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


def test_names_that_reorder_the_page_are_escaped() -> None:
    """A right-to-left override would also reverse the verdict that follows in the same line."""
    name = "a\u202eb\u2066"
    x, y = (onnx.helper.make_tensor_value_info(each, onnx.TensorProto.FLOAT, [2]) for each in (f"{name}x", f"{name}y"))
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", [x.name], [y.name], name)], "g", [x], [y])
    page = to_html(model_report(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)])))
    seen = re.sub(r'<script.*?</script>|data-node="[^"]*"', "", page, flags=re.DOTALL)
    assert not set("\u202e\u2066") & set(seen)
    assert r"<code>a\u202eb\u2066x</code>" in seen
    assert f'data-node="{name}"' in page, "by which the scripts find the node"
