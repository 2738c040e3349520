"""The table of diagnostic codes, and what is made of it."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import diagnostics
from forge_mlir.codes import Code
from forge_mlir.explanations import explanations

ROOT = diagnostics.ROOT
_CALLS = ("ForgeError", "import_error")


def sources(pattern: str, *folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob(pattern)):
            yield path, path.read_text(encoding="utf-8")


def cpp() -> list[tuple[Path, str]]:
    files = (sources(pattern, "include", "lib", "python/native") for pattern in ("*.h", "*.cpp"))
    return [pair for group in files for pair in group]


def python() -> list[tuple[Path, str]]:
    return [pair for pair in sources("*.py", "python/forge_mlir") if pair[0] != diagnostics.CODES]


def test_what_is_made_of_the_table_is_fresh() -> None:
    assert diagnostics.PAGE.read_text(encoding="ascii") == diagnostics.page(), "run python tools/diagnostics.py"
    assert diagnostics.CODES.read_text(encoding="ascii") == diagnostics.codes(), "run python tools/diagnostics.py"
    assert set(explanations()) == set(Code)


def test_every_code_is_used_and_every_used_code_exists() -> None:
    in_cpp = {name for _, text in cpp() for name in re.findall(r"\bCode::(\w+)", text)}
    in_python = {name for _, text in python() for name in re.findall(r"\bCode\.(\w+)", text)}
    names = {row.name for row in explanations().values()}
    assert in_cpp | in_python == names


def test_no_cpp_error_without_a_code() -> None:
    """Parsers, readers and verifiers of ops speak about IR: the native module gives their errors the code InvalidIr."""
    bare = re.compile(r"\bemit(?:Error|Warning)\((?:[^();\"]|\([^()]*\))*(?:\)|\")")
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in cpp()
        if path.stem != "Diagnostics"
        for match in bare.finditer(text)
        if not re.search(r"\bcode\b|Code::", match[0]) and not text[: match.start()].endswith(("parser.", "reader."))
    ]
    assert found == []


def test_no_python_error_without_a_code() -> None:
    """mypy says so too; here it is said of all errors, raised or not."""
    found = []
    for path, text in python():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
                first = ast.unparse(node.args[0])
                if not re.fullmatch(r"Code\.\w+|code|error\.code", first):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {first}")
    assert found == []


@pytest.mark.parametrize("code", ["FM1001", "fm0101"])
def test_explain(code: str) -> None:
    line = [sys.executable, "-m", "forge_mlir.cli.main", "explain", code]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120)
    row = explanations()[code.upper()]
    assert (done.returncode, done.stderr) == (0, "")
    assert all(text in done.stdout for text in (row.name, row.meaning, row.cause, row.cure))


def test_errors_as_json(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "forge_mlir.cli.main", "verify", str(tmp_path / "missing.onnx"), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert json.loads(done.stdout)["errors"][0]["code"] == Code.FileUnreadable
    assert done.stderr.startswith("error: [FM0101] ")


def test_explain_an_unknown_code() -> None:
    line = [sys.executable, "-m", "forge_mlir.cli.main", "explain", "FM\x1b[31m"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
