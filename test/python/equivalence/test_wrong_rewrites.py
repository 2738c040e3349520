"""Wrong rewrites are found: IR before a pass, and what a pass with a mistake made of it.

Four are what our own passes made before they were repaired (the commit is named); of the others each has one mistake in
what a pass makes, a family of rewrites each. The pass as it is, on the same IR, is not to be blamed.
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
    """The IR before and after, and what the head says."""
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
def test_the_pass_as_it_is(path: Path, context: ir.Context) -> None:
    before, _, head = parts(path)
    given, made = forge.parse(before, context), forge.parse(before, context)
    run_pipeline(made, f"builtin.module(func.func({head['PASS']}))")
    for layer in ("float64", "exact"):
        verdict = compare(given, made, layer=layer)  # type: ignore[arg-type]
        assert verdict.equal, verdict.explain()
