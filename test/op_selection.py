"""Selects the lit files and tests of one ONNX op.

    python -m op_selection Split

prints a regular expression for lit's --filter. A lit file belongs to an op if it is named after it or uses it; a test
does if the op is a whole word of its name, its parameters or its source text: Add is not a word of AddRelu or padded.
"""

from __future__ import annotations

import argparse
import difflib
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from onnx import defs

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent
_ENGLISH = {"and", "if", "not", "or", "where"}
"""Ops whose names in lower case are English words that appear in the names of many tests."""


def plain(op: str) -> str:
    """The name without the domain."""
    return op.rpartition(".")[2]


def lit_filter(op: str) -> str:
    """A regular expression that matches exactly the lit files of the op."""
    name = plain(op)
    used = re.compile(rf'"onnx\.(?:[\w.]+\.)?{re.escape(name)}"')
    files = [
        path
        for path in TESTS.rglob("*.mlir")
        if path.stem.partition("-")[0] == name or used.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    return "|".join(re.escape(str(path.relative_to(TESTS))) + "$" for path in sorted(files)) or "(?!)"


def speaks_of(item: pytest.Item, op: str) -> bool:
    """Whether a test is about the op, or makes a node of it."""
    name = plain(op)
    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
    function = getattr(item, "function", None)
    return bool(word.search(item.nodeid) or _in_words(item.nodeid, name) or (function and word.search(_text(function))))


@cache
def _text(function: object) -> str:
    return inspect.getsource(function)  # type: ignore[arg-type]


def _in_words(nodeid: str, name: str) -> bool:
    """Whether the words of the names of file and test contain those of the op, as in test_group_normalization and
    test_splits."""
    if name.lower() in _ENGLISH:
        return False
    words = "_".join(re.findall(r"[a-z0-9]+", nodeid.partition("[")[0].lower()))
    spelled = "_?".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)).lower()
    return re.search(rf"(?<![a-z0-9]){spelled}s?(?![a-z0-9])", words) is not None


def require_op(op: str) -> None:
    """Raises ValueError for a name that is no op of a converter and of no version of ONNX."""
    from forge_mlir import _native

    known = {name for _, name, _ in _native.registered_ops()}
    known |= {schema.name for schema in defs.get_all_schemas_with_history()}
    if plain(op) not in known:
        near = difflib.get_close_matches(plain(op), known, 1)
        raise ValueError(f"{op!a} is no op of ONNX or onnxruntime" + (f"; is it {near[0]}?" if near else ""))


def main() -> int:
    parser = argparse.ArgumentParser(prog="op_selection", description=__doc__)
    parser.add_argument("op")
    op = parser.parse_args().op
    try:
        require_op(op)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(lit_filter(op))
    return 0


if __name__ == "__main__":
    sys.exit(main())
