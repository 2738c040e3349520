"""README is read before the glossary, shows what is emitted, and repeats figures of other pages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import onnx

import forge_mlir
from conformance import expected
from conformance.check import BOUND, PASS, REFUSED
from sample_models.probe import FLOAT, INT64, build, node
from sample_models.repository import REPOSITORY
from sample_models.tools import run_command

# The page has to say that nothing was run on a device.
_COMMON = {"device"}


def glossary() -> set[str]:
    rows = re.findall(r"^\| ([^|]+) \|", (REPOSITORY / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    return {re.sub(r" \(.*\)", "", term) for row in rows for term in row.split(", ")} - {"term"}


def test_the_first_page_has_no_term_of_the_glossary() -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    prose = re.sub(r"(?ms)^```(?:console|text|sh|python)$.*?^```$|\]\([^)]*\)|`[^`\n]+`", "", text)
    terms = glossary()
    assert {"artifact", "call level", "high level", "device", "judge", "numeric class"} <= terms
    found = {term for term in terms if re.search(rf"(?i)\b{re.escape(term)}s?\b", prose)}
    assert found <= _COMMON, found - _COMMON


def test_the_excerpt_is_of_an_emitted_module(tmp_path: Path) -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    found = re.search(r"(?ms)^```\n(attn_.*?)^```$", text)
    assert found
    forge_mlir.compile(REPOSITORY / "models" / "gpt2_block" / "model.onnx", output=tmp_path / "out")
    module = [line.strip() for line in (tmp_path / "out" / "model.py").read_text("utf-8").splitlines()]
    assert found[1].strip() in "\n".join(module)


def test_the_numbers_of_test_cases_are_those_of_the_suite() -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    found = Counter(row.status for row in expected.read().values())
    assert found.keys() == {PASS, BOUND, REFUSED}
    assert f"| {found.total():,} test cases of `onnx.backend.test` |" in text
    assert f"| {found[PASS]:,} pass, {found[BOUND]} pass if some inputs are constants (`--bind`)," in text
    assert f", {found[REFUSED]} are refused, none is wrong | `make conformance` |" in text
    found = Counter(row.status for row in expected.read(expected.FALLBACK_PATH).values())
    assert found.keys() == {PASS, REFUSED}
    assert f"| {found[PASS]:,} pass, {found[REFUSED]} are refused, none is wrong |" in text


def test_the_measurements_are_those_of_their_pages() -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    wild = (REPOSITORY / "docs" / "wild-models.md").read_text("utf-8")
    alone = r"Device alone: (\d+) right, 0 undecided, (\d+) refused, 0 wrong, 0 failed\."
    with_cpu = r"With CPU partitions: (\d+) right, (\d+) undecided, 0 refused, 0 wrong, 0 failed\."
    found = re.search(rf"(\d+) models from (\d+) packages\. {alone} {with_cpu}", wild)
    assert found
    assert f"| {found[1]} trained models from {found[2]} published Python packages" in text
    assert f"| {found[3]} right, {found[4]} refused |" in text
    assert f"| {found[5]} right, {found[6]} undecided |" in text
    judge = (REPOSITORY / "docs" / "judge.md").read_text("utf-8")
    wrong = re.search(r"Of (\d+) wrong programs, (\d+) were found wrong, (\d+) left undecided, and 0 let pass", judge)
    special = re.search(r"Of (\d+) such programs, (\d+) were found wrong, 0 left undecided, and (\d+) let pass", judge)
    right = re.search(r"Of (\d+) right programs, (\d+) \(.*\) were found wrong or left undecided", judge)
    assert wrong
    assert special
    assert right
    assert f"found {wrong[2]} of {wrong[1]} wrong programs, and left {wrong[3]} undecided" in text
    assert f"found {special[2]} of {special[1]} programs that are wrong only for NaN" in text
    assert f"and called {special[3]} right." in text
    assert f"accepted {int(right[1]) - int(right[2])} of {right[1]} right programs." in text


def test_the_refusal_is_what_the_command_prints(tmp_path: Path) -> None:
    text = (REPOSITORY / "README.md").read_text("utf-8")
    found = re.search(r"(?ms)^```text\n\$ forge-mlir compile detector.onnx -o out\n(.*?)^```$", text)
    assert found
    nodes = [node("NonMaxSuppression", ["boxes", "scores"], ["selected"], "/head/NonMaxSuppression")]
    inputs = {"boxes": (FLOAT, [1, 4, 4]), "scores": (FLOAT, [1, 1, 4])}
    onnx.save(build(nodes, inputs, {"selected": INT64}, opset=17), tmp_path / "detector.onnx")
    done = run_command("compile", "detector.onnx", "-o", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == found[1]
