"""Every registered ONNX op has a lit file with its name, which uses the op and has checks."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from forge_mlir import _native

LIT = Path(__file__).parents[3] / "test/Conversion/OnnxToForge"
MICROSOFT = LIT / "Domains/Microsoft"
OPS = sorted({(domain, op) for domain, op, _ in _native.registered_ops()})


def _files() -> dict[str, list[Path]]:
    """Lit files by the op after which they are named; a suffix after a hyphen is the topic of the file."""
    files = defaultdict(list)
    for path in sorted(LIT.rglob("*.mlir")):
        files[path.stem.partition("-")[0]].append(path)
    return files


FILES = _files()


@pytest.mark.parametrize(("domain", "op"), OPS, ids=[f"{domain}/{op}" for domain, op in OPS])
def test_every_op_has_a_lit_file(domain: str, op: str) -> None:
    """An op that exists in two domains has two files; the one of onnxruntime's domain is in the folder of that
    domain."""
    own = len([name for _, name in OPS if name == op]) > 1
    found = [
        path
        for path in FILES[op]
        if path.stem == op and (not own or (domain == "com.microsoft") == (MICROSOFT in path.parents))
    ]
    assert len(found) == 1, f"expected one file {op}.mlir"
    text = found[0].read_text()
    assert f'"onnx.{op}"' in text, "the file does not use the op"
    assert "// CHECK" in text, "the file checks nothing"


def test_every_lit_file_is_of_an_op() -> None:
    known = {op for _, op in OPS}
    strangers = {path for op, paths in FILES.items() for path in paths if op not in known}
    assert {path.parent for path in strangers} <= {LIT, LIT / "Import"}, "files of a family that test no op"
