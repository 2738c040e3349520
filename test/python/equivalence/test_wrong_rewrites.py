"""Wrong rewrites are found: pairs of IR before a pass and IR after a pass with a mistake.

Four mistakes are those of our own passes before they were fixed (the commit is named); each of the others is in another
family of rewrites. The correct pass on the same IR must not be reported.
"""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.compiler.pass_pipeline import run_pipeline
from forge_mlir.dialects import forge
from forge_mlir.equivalence import compare

PLANTS = sorted((Path(__file__).parent / "plants").glob("*.mlir"))
SECONDS = 60


def parts(path: Path) -> tuple[str, str, dict[str, str]]:
    """The IR before and after, and the fields of the header."""
    text = path.read_text()
    before, after = text.split("// -----\n")
    return before, after, dict(re.findall(r"^// (PASS|FLOAT64): (.*)$", text, re.M))


@pytest.fixture
def context() -> ir.Context:
    context = ir.Context()
    forge_mlir.register(context)
    return context


def test_there_are_enough() -> None:
    passes = {parts(path)[2]["PASS"] for path in PLANTS}
    assert len(PLANTS) >= 14
    assert len(passes) >= 10


@pytest.mark.parametrize("path", PLANTS, ids=lambda path: path.stem)
def test_the_exact_layer_finds_it(path: Path, context: ir.Context) -> None:
    before, after, head = parts(path)
    started = process_time()
    verdict = compare(forge.parse(before, context), forge.parse(after, context), layer="exact")
    assert verdict.differences
    assert not verdict.not_covered
    assert process_time() - started < SECONDS
    in_float64 = compare(forge.parse(before, context), forge.parse(after, context), layer="float64")
    assert bool(in_float64.differences) == (head["FLOAT64"] == "found")


@pytest.mark.parametrize("path", PLANTS, ids=lambda path: path.stem)
def test_the_correct_pass_is_not_reported(path: Path, context: ir.Context) -> None:
    before, _, head = parts(path)
    given, made = forge.parse(before, context), forge.parse(before, context)
    run_pipeline(made, f"builtin.module(func.func({head['PASS']}))")
    for layer in ("float64", "exact"):
        verdict = compare(given, made, layer=layer)  # type: ignore[arg-type]
        assert verdict.equal, verdict.explain()
