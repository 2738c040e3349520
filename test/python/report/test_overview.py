"""The summary at the top of a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from onnx import ModelProto

from forge_mlir.report.accuracy import Accuracy
from forge_mlir.report.model_report import ModelReport, model_report
from forge_mlir.report.overview import Overview, amount, heaviest
from forge_mlir.report.rendering import to_html
from sample_models.partition import products
from sample_models.small import one_node

VERIFIED: dict[str, Any] = {
    "passed": True,
    "nodes": [{"node": "the Relu"}],
    "outputs": [{"name": "y", "passed": True, "relative": 0.0, "reason": ""}],
    "first_divergence": None,
}


def overview(source: ModelProto | Path, word: str = "", **changes: Any) -> tuple[list[str], list[str]]:
    """The words of the summary, and the suggested commands."""
    report = model_report(source)
    if word:
        found = Accuracy.of({**VERIFIED, "passed": word == "right", "verdict": word, **changes})
        report = replace(report, accuracy=found)
    found_overview = Overview.of(report)
    return [answer.word for answer in found_overview.answers], [step.command for step in found_overview.steps]


def test_a_right_model() -> None:
    words, commands = overview(one_node("Relu", [2, 3]), "right")
    assert words[:2] == ["yes", "yes"]
    assert commands == ["forge-mlir compile model -o out", "forge-mlir run out --benchmark"]


@pytest.mark.parametrize(
    ("word", "changes", "answer", "first"),
    [
        ("wrong", {"first_divergence": {"node": "n", "op": "Relu", "reason": "off"}}, "no", "bisect"),
        ("undecided", {"reasons": ["nobody knows"]}, "undecided", "bisect"),
        ("", {}, "not known", "verify"),
    ],
)
def test_other_verdicts(word: str, changes: dict[str, Any], answer: str, first: str) -> None:
    words, commands = overview(one_node("Relu", [2, 3]), word, **changes)
    assert words[1] == answer
    assert commands[0].startswith(f"forge-mlir {first} ")


def test_a_refused_model() -> None:
    words, commands = overview(products())
    assert words == ["no", "not run", "not known"]
    assert commands == [
        "forge-mlir compile model --fallback=cpu",
        "forge-mlir check model --suggest-cuts",
        "forge-mlir explain FM1501",
    ]


def test_nodes_with_the_largest_share_of_the_time(gpt2_block: Path) -> None:
    report = model_report(gpt2_block / "model.onnx")
    every = heaviest(report.costs, most=1000)
    assert sum(row.share for row in every) == pytest.approx(1)
    assert [row.share for row in every] == sorted((row.share for row in every), reverse=True)
    longest = max(report.costs, key=lambda call: call.cost.picoseconds)
    assert (every[0].node, every[0].callee) == (longest.node, longest.callee)
    totals = [sum(getattr(call.cost, name) for call in report.costs) for name in ("kernels", "bytes", "multiply_adds")]
    cost = report.verdict.cost
    assert cost is not None
    assert totals == [cost.after.kernels, cost.after.bytes, cost.after.multiply_adds]
    assert report.passes[-1].cost == cost.after
    assert report.passes[0].cost == cost.before


def test_commands_are_quoted() -> None:
    report: ModelReport = replace(model_report(one_node("Relu", [2, 3])), model="a b; rm -rf $(x).onnx")
    assert Overview.of(report).steps[0].command == "forge-mlir verify 'a b; rm -rf $(x).onnx'"
    assert "a b; rm -rf $(x).onnx" in to_html(report)


def test_amounts() -> None:
    assert [amount(n, "B") for n in (0, 999, 1234, 5.6e6, 7e12)] == ["0 B", "999 B", "1.23 kB", "5.6 MB", "7 TB"]
