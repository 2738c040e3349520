"""The models with which the growth of compile time is measured."""

from __future__ import annotations

import importlib.util

import pytest

import forge_mlir
from forge_mlir import _native
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from sample_models.repository import REPOSITORY

_SPEC = importlib.util.spec_from_file_location("growth_bench", REPOSITORY / "benchmarks" / "growth_bench.py")
assert _SPEC is not None
assert _SPEC.loader is not None
growth_bench = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(growth_bench)


@pytest.mark.parametrize(
    ("family", "name", "rewrite"),
    [
        ("padded", "forge-convolution-pads", "pads-in-convolutions"),
        ("images", "forge-pixel-rows", "images-as-rows"),
        ("attention", "forge-head-rows", "heads-as-rows"),
    ],
)
def test_a_pass_has_something_to_rewrite(family: str, name: str, rewrite: str) -> None:
    make, _ = growth_bench.FAMILIES[family]
    module = import_model(make(4)).module
    applied = 0

    def note(run: _native.PassRun) -> None:
        nonlocal applied
        if run.name == name:
            applied += dict(run.statistics).get(rewrite, 0)

    forge_mlir.run_pipeline(module, pipeline(Options()), on_pass=note)
    assert applied


def test_the_page_has_every_pass_and_family() -> None:
    """Its times are measured by `python benchmarks/growth_bench.py --write`."""
    names = []
    forge_mlir.run_pipeline(
        import_model(growth_bench.pads(1)).module, pipeline(Options()), on_pass=lambda run: names.append(run.name)
    )
    page = growth_bench.PAGE.read_text(encoding="ascii")
    assert {name for name in names if f"\n| `--{name}` |" not in page} == set()
    assert f"| pass | {' | '.join(growth_bench.FAMILIES)} |" in page
