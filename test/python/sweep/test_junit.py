"""The results of a sweep as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from forge_mlir.sweep.junit import to_junit
from forge_mlir.sweep.rows import Row
from sample_models.sweeping import HOSTILE, row


def test_junit_has_a_case_for_each_model() -> None:
    rows = [
        row("a/one.onnx", "verified", compile_seconds=1.0, run_seconds=0.5),
        row("b.onnx", "wrong"),
        row("c", "failed"),
        row("d", "undecided"),
    ]
    hostile = Row(**{**vars(row(f"{HOSTILE}.onnx", "refused")), "code": "FM1001", "reason": "]]></failure>\x01&"})
    (suite,) = ElementTree.fromstring(to_junit([*rows, hostile]))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "time")} == {
        "tests": "5",
        "failures": "3",
        "errors": "1",
        "time": "1.500",
    }
    cases = list(suite)
    assert (cases[0].get("classname"), cases[0].get("name"), len(cases[0])) == ("a", "one.onnx", 0)
    assert [[kind.tag for kind in case] for case in cases] == [[], ["failure"], ["error"], ["failure"], ["failure"]]
    assert cases[4][0].get("message") == "FM1001 ]]></failure>\\x01&"
    assert (cases[4][0].get("type"), cases[4].get("name")) == ("refused", "<img src=x onerror=alert(1)>\\n=1+1.onnx")
