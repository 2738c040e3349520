"""Conventions of the test files themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from onnx import defs

from sample_models.repository import REPOSITORY

TESTS = REPOSITORY / "test"
# A test states a property that any reader can check; trackers move, and their numbers say nothing.
_TRACKER = re.compile(r"(?i)\bissues?\b|\bticket\b|\bpull request\b|\bbug ?#?\d|(?<![\w&])#\d+\b|\bgh[ -]?\d+")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def tracker_words(path: Path) -> list[str]:
    """References to a tracker in the name of a test file, in the names of its tests, and in its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [re.sub("[_-]", " ", path.stem)]
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED):
            texts += [ast.get_docstring(node) or "", re.sub("_", " ", getattr(node, "name", ""))]
    return [found[0] for text in texts for found in _TRACKER.finditer(text)]


def test_no_test_refers_to_a_tracker() -> None:
    files = sorted(TESTS.rglob("*.py"))
    assert Path(__file__) in files
    assert {str(path): words for path in files if (words := tracker_words(path))} == {}


def test_no_lit_test_is_named_after_a_tracker() -> None:
    names = [path.stem for path in TESTS.rglob("*") if path.suffix in (".mlir", ".itd")]
    assert len(names) > 100
    assert [name for name in names if _TRACKER.search(re.sub("[_-]", " ", name))] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("test_issue_7.py", ""),
        ("test_split.py", '"""As in #123."""'),
        ("test_split.py", 'def test_a() -> None:\n    """Regression of the issue with splits."""'),
        ("test_split.py", "def test_gh_12() -> None: ..."),
    ],
)
def test_a_reference_is_found(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert tracker_words(path)


def unasserting(path: Path) -> Iterator[str]:
    """Tests of a file that can only fail by an exception: without an assert, pytest.raises, or a call of a helper that
    asserts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    def checks(function: ast.FunctionDef, seen: frozenset[str]) -> bool:
        for node in ast.walk(function):
            if isinstance(node, ast.Assert):
                return True
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in _CHECKING or called.startswith(("assert_", "check")):
                return True
            if called in functions and called not in seen and checks(functions[called], seen | {called}):
                return True
        return False

    for name, function in functions.items():
        if name.startswith("test_") and not checks(function, frozenset({name})):
            yield name


# Helpers in other files that assert.
_CHECKING = {"raises", "agrees", "refused", "compiled", "text", "clean", "fail", "refusal"}


def test_every_test_can_fail() -> None:
    found = {str(path): list(unasserting(path)) for path in sorted((TESTS / "python").rglob("test_*.py"))}
    assert {name: tests for name, tests in found.items() if tests} == {}


_TOLERANCE = re.compile(r"\b(?:assert_)?(?:allclose|assert_close|isclose)\(")
"""A test's own tolerance. Results of programs are compared by the comparator of verify (sample_models.goldens)."""
OWN_TOLERANCE = {
    "artifact/test_recipe.py": "weights, computed in float64 and rounded once",
    "test_token_loop.py": "frequencies of draws",
    "compiler/forms/test_random_neighbours.py": "graphs whose sums cancel to zero beside summands of 1",
    "compiler/layout/test_tile_padding.py": "whether padding holds a constant",
    "compiler/integers/test_integers_in_floats.py": "bfloat16 values beside integers that must be exact",
    "execute/onnx/test_corrected_ops.py": "what onnx.reference computes, and does not",
    "verify/limits/test_packed_weights.py": "what onnxruntime computes for packed weights, beside float64",
    "equivalence/test_definitions.py": "definitions of ops in float64, against what the reference computes",
    "fuzz/test_outside.py": "two oracles, neither of which is ours",
    "integration/test_torch_backend.py": "what torch runs itself, and state that is written back",
    "iterdomain/test_padding_states.py": "formulas of padding, in numpy",
    "support/test_known_deviations.py": "that an oracle is wrong",
    "verify/limits/test_bounds.py": "the limits of the comparator",
    "verify/limits/test_partial_sums.py": "the limits of the comparator",
    "verify/limits/test_row_bounds.py": "the limits of the comparator",
}


def test_results_are_compared_by_the_comparator() -> None:
    root = TESTS / "python"
    files = (path for path in sorted(root.rglob("*.py")) if "runtime" not in path.relative_to(root).parts)
    own = {path.relative_to(root).as_posix() for path in files if _TOLERANCE.search(path.read_text(encoding="utf-8"))}
    assert own - {Path(__file__).name} == set(OWN_TOLERANCE)
    others = (path for folder in ("python", "tools", "benchmarks") for path in (REPOSITORY / folder).rglob("*.py"))
    assert [str(path) for path in others if _TOLERANCE.search(path.read_text(encoding="utf-8"))] == []


_ENGINES = {"onnxruntime", "onnx.reference"}
_OPS = {schema.name for schema in defs.get_all_schemas_with_history()}
_SUPPORT = REPOSITORY / "python" / "forge_mlir" / "support"
_DEVIATIONS = [_SUPPORT / "known_deviations.py", _SUPPORT / "operand_deviations.py"]


def judged_ops(text: str) -> list[int]:
    """Lines on which a table or a condition names an engine and an op together, as for known deviations of the
    engine."""
    found = []
    for node in ast.walk(ast.parse(text)):
        told = node.test if isinstance(node, (ast.If, ast.IfExp)) else node
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return, ast.BoolOp, ast.If, ast.IfExp)):
            parts = [part.value for part in ast.walk(told) if isinstance(part, ast.Constant)]
            words = {part for part in parts if isinstance(part, str)}
            if words & _ENGINES and words & _OPS:
                found.append(node.lineno)
    return found


def test_there_is_one_list_of_known_deviations_of_engines() -> None:
    """The list is python/forge_mlir/support/known_deviations.py, with operand_deviations.py, which the product and the
    fuzzer read. Conformance runs no engine: its expected results are those of the suite."""
    assert judged_ops(_DEVIATIONS[0].read_text(encoding="utf-8"))
    files = [path for folder in ("python", "test", "tools", "models") for path in (REPOSITORY / folder).rglob("*.py")]
    assert Path(__file__) in files
    others = {str(path): judged_ops(path.read_text(encoding="utf-8")) for path in files if path not in _DEVIATIONS}
    assert {path: lines for path, lines in others.items() if lines} == {}


@pytest.mark.parametrize(
    "text",
    [
        "WRONG = {('onnxruntime', 'DFT'): 'sums in float32'}",
        "SKIPPED: dict[str, set[str]] = {'onnx.reference': {'MaxPool', 'LpPool'}}",
        "if engine == 'onnxruntime' and node.op_type == 'Resize': pass",
        "def known(engine, op):\n    return (engine, op) in [('onnxruntime', 'STFT')]",
    ],
)
def test_a_second_list_is_found(text: str) -> None:
    assert judged_ops(text)


def test_opsets_are_read_by_one_helper() -> None:
    """The helpers are in support/opsets.py."""
    own = re.compile(r"\.domain\b[^\n]*: *\w+\.version\b")
    assert own.search("{entry.domain: entry.version for entry in model.opset_import}")
    files = [path for folder in ("python", "test", "tools") for path in (REPOSITORY / folder).rglob("*.py")]
    found = {path.name for path in files if own.search(path.read_text(encoding="utf-8"))}
    assert found == {"opsets.py", Path(__file__).name}


def test_an_assertion_is_no_list() -> None:
    assert not judged_ops("assert engines_of('Abs') == ['onnxruntime']")


_PRIVATE_WORDS = {"told", "making", "foreign", "plain", "modest", "lane", "lanes", "piece", "pieces"}
"""Words that former names used in senses of their own, where ONNX, MLIR or Python have a term."""


def private_names(text: str) -> set[str]:
    """Names in Python that consist of such words, as `_told_errors`."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        for field in ("id", "name", "attr", "arg"):
            name = getattr(node, field, None)
            if isinstance(name, str) and _PRIVATE_WORDS.intersection(re.findall("[A-Z]?[a-z]+", name.lower())):
                found.add(name)
    return found


def test_names_are_made_of_common_terms() -> None:
    files = sorted((REPOSITORY / "python").rglob("*.py"))
    assert len(files) > 100
    names = {str(path): private_names(path.read_text(encoding="utf-8")) for path in files}
    assert {path: found for path, found in names.items() if found} == {}
    assert [path.name for path in files if _PRIVATE_WORDS.intersection(path.stem.split("_"))] == []


def test_a_private_word_in_a_name_is_found() -> None:
    assert private_names("def _told_errors(plain): foreign = plain") == {"_told_errors", "plain", "foreign"}
