"""The errors of a model's results in a report, from the JSON of a verification."""

from __future__ import annotations

from typing import Any

from forge_mlir.report.accuracy import Accuracy

RIGHT: dict[str, Any] = {
    "passed": True,
    "verdict": "right",
    "nodes": [{"node": "a"}],
    "outputs": [{"name": "y", "passed": True, "relative": 0.0, "reason": ""}],
    "first_divergence": None,
}
OFF = {"name": "y", "passed": False, "relative": 0.1, "reason": "off"}


def test_a_right_model() -> None:
    found = Accuracy.of(RIGHT)
    assert (found.word, found.text) == ("right", "1 value of nodes and 1 output agree with ONNX")
    assert [row.verdict for row in found.outputs] == ["ok"]


def test_the_first_wrong_node_is_named() -> None:
    wrong = {"node": "n", "op": "Relu", "reason": "off by 1"}
    found = Accuracy.of({**RIGHT, "verdict": "wrong", "outputs": [OFF], "first_divergence": wrong})
    assert (found.word, found.node, found.text) == ("wrong", "n", "node n (Relu) is wrong: off by 1")
    assert [row.verdict for row in found.outputs] == ["FAILED"]


def test_undecided_outputs() -> None:
    given = {**RIGHT, "verdict": "undecided", "outputs": [OFF, {**OFF, "name": "z", "by_node": True}]}
    found = Accuracy.of(given)
    assert found.text == "outputs differ from ONNX: y, z"
    assert [row.verdict for row in found.outputs] == ["undecided", "by node"]
    assert Accuracy.of({**given, "reasons": ["the references differ"]}).text == "the references differ"
