"""The table of diagnostic codes, and what is generated from it."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import diagnostics
import lit_runs
from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.errors import Report
from forge_mlir.explanations import explanations
from sample_models.tools import run_command

ROOT = diagnostics.ROOT
_CALLS = ("ForgeError", "import_error")


LOWERINGS = {Code.LoweringRefused, Code.RoundingDiffers}
"""Errors of lowerings of the user, which are tested in test/python/lowerings."""
# What passes require of IR that is valid for MLIR, and report by name.
_REQUIRED = re.compile(
    r"expected a function of one block for --[a-z-]+"
    r"|expected a function with one block"
    r"|'forge\.(fill|update)_cache' writes into a (weight|cache that something else reads, too)"
)


def python() -> list[tuple[Path, str]]:
    paths = sorted((ROOT / "python/forge_mlir").rglob("*.py"))
    return [(path, path.read_text(encoding="utf-8")) for path in paths if path != diagnostics.CODES]


@pytest.fixture(scope="module")
def reported() -> list[Report]:
    """The errors and warnings that passes report for the lit inputs."""
    found = []
    for run in lit_runs.runs():
        if not _native.run_pipeline(run.module, "builtin.module()")[1]:
            found += _native.run_pipeline(run.module, run.pipeline)[1]
    return [report for report in found if report["severity"] in ("error", "warning")]


def test_generated_files_are_up_to_date() -> None:
    assert diagnostics.PAGE.read_text(encoding="ascii") == diagnostics.page(), "run python tools/diagnostics.py"
    assert diagnostics.CODES.read_text(encoding="ascii") == diagnostics.codes(), "run python tools/diagnostics.py"
    assert set(explanations()) == set(Code)


def test_every_code_is_used(reported: list[Report]) -> None:
    """By a pass on a lit input, or by name in Python."""
    in_python = {
        Code[node.attr]
        for _, text in python()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code"
    }
    said = {Code(report["code"]) for report in reported}
    assert len(said) > 50
    assert not LOWERINGS & (said | in_python)
    assert said | in_python | LOWERINGS == set(Code)


def test_messages_of_passes_have_codes(reported: list[Report]) -> None:
    """A message without a code gets that of invalid IR, which no pass may create from valid IR."""
    without = [report["message"] for report in reported if report["code"] == Code.InvalidIr]
    assert [message for message in without if not _REQUIRED.fullmatch(message)] == []


def test_no_python_error_without_a_code() -> None:
    """mypy requires a code for errors that are raised; this test requires it for all errors."""
    found = []
    for path, text in python():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
                first = ast.unparse(node.args[0])
                if not re.fullmatch(r"Code\.\w+|code|error\.code", first):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {first}")
    assert found == []


def test_errors_as_json(tmp_path: Path) -> None:
    done = run_command("verify", tmp_path / "missing.onnx", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["errors"][0]["code"] == Code.FileUnreadable
    assert done.stderr.startswith("error: [FM0101] ")
