"""The rows of a sweep as JUnit XML, which CI systems display: one test case per model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree

from forge_mlir.sweep.rows import Row, cells

_KINDS = {"wrong": "failure", "undecided": "failure", "refused": "failure", "failed": "error"}
"""The JUnit element for a verdict; a verified model passes."""


def to_junit(rows: Sequence[Row]) -> bytes:
    """Times are the sums of compilation, comparison and execution."""
    kinds = Counter(_KINDS.get(row.verdict, "") for row in rows)
    seconds = sum(map(_seconds, rows))
    counts = {"tests": len(rows), "failures": kinds["failure"], "errors": kinds["error"], "time": f"{seconds:.3f}"}
    suite = ElementTree.Element("testsuite", {"name": "forge-mlir sweep", **{k: str(v) for k, v in counts.items()}})
    for row in rows:
        shown = cells(row)
        folder, _, name = shown["model"].rpartition("/")
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": folder or ".", "name": name, "time": f"{_seconds(row):.3f}"}
        )
        if kind := _KINDS.get(row.verdict):
            message = " ".join(filter(None, (shown["code"], shown["reason"]))) or row.verdict
            ElementTree.SubElement(case, kind, {"type": row.verdict, "message": message}).text = message
    root = ElementTree.Element("testsuites")
    root.append(suite)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _seconds(row: Row) -> float:
    return sum(filter(None, (row.compile_seconds, row.verify_seconds, row.run_seconds)))
