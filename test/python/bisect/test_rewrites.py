"""`bisect` finds the rewrite that breaks a model, with the ops before and after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import onnx
import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir._native import PassRun
from forge_mlir.bisect import bisect_rewrites
from forge_mlir.bisect.rewrites import Compiler, search
from forge_mlir.bisect.search import reference_of
from forge_mlir.codes import Code
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import Rewrite
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.dialects.crossing import text
from forge_mlir.errors import ForgeError
from sample_models.probe import mixed, partitioned
from sample_models.repository import stored

GPT2 = stored("gpt2_block")[0] / "model.onnx"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    onnx.save(mixed(), path)
    return path


def lowered(path: Path, limit: int) -> tuple[str, list[Rewrite]]:
    module = import_model(path).module
    rewrites = forge_mlir.run_first_rewrites(module, pipeline(Options()), limit)
    return text(module), rewrites


def test_rewrites_are_the_same_in_each_run() -> None:
    whole, rewrites = lowered(GPT2, -1)
    assert len(rewrites) > 10
    assert (whole, rewrites) == lowered(GPT2, len(rewrites))
    for limit in (0, 1, len(rewrites) // 2, len(rewrites) - 1):
        part, first = lowered(GPT2, limit)
        assert first == rewrites[:limit]
        assert part != whole
    module = import_model(GPT2).module
    forge_mlir.run_pipeline(module, pipeline(Options()))
    assert text(module) == whole


@dataclass(frozen=True)
class Wrong(Compiler):
    """A compiler whose rewrite number `culprit` swaps the operands of a subtraction."""

    culprit: int = 0

    def run(self, limit: int, on_pass: Callable[[PassRun], None] | None = None) -> tuple[ir.Module, list[Rewrite]]:
        module, rewrites = super().run(limit, on_pass)
        if len(rewrites) >= self.culprit:
            subtract = next(
                op.operation for op in module.body.operations[0].regions[0].blocks[0] if op.name == "forge.subtract"
            )
            a, b = subtract.operands
            subtract.operands[0], subtract.operands[1] = b, a
        return module, rewrites


@pytest.mark.parametrize("culprit", [0, 1, 2, 3])
def test_the_wrong_rewrite_is_found(path: Path, culprit: int) -> None:
    options = Options()
    reference = reference_of(path, None, None, 0, options)
    good = Compiler.of(reference, options)
    _, rewrites = good.run(-1)
    assert len(rewrites) > 3
    found = search(Wrong(good.source, options, culprit), reference)
    assert found.number == culprit
    assert found.wrong is not None
    assert not found.wrong.passed
    if culprit == 0:
        assert found.rewrite is None
        return
    assert found.rewrite == rewrites[culprit - 1]
    assert found.before or found.after
    assert any(found.rewrite.op in op for op in found.before), (found.rewrite, found.before, found.after)
    assert found.json()["rewrite"]["pass"] == found.rewrite.pass_name


@pytest.mark.parametrize("make", [mixed, partitioned])
def test_no_rewrite_of_a_correct_compilation_is_blamed(tmp_path: Path, make: Callable[[], onnx.ModelProto]) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(make(), path)
    options = Options(fallback="cpu") if make is partitioned else Options()
    found = bisect_rewrites(path, **options)
    assert found.rewrite is None
    assert found.wrong is None
    assert found.total > 0 or make is partitioned


def test_goldens_of_another_model(path: Path) -> None:
    with pytest.raises(ForgeError, match="is not what ONNX computes"):
        bisect_rewrites(path, None, {name: value + 1 for name, value in expected(path).items()})


def expected(path: Path) -> dict[str, object]:
    return dict(reference_of(path, None, None, 0, Options()).expected)


@dataclass(frozen=True)
class Failing(Compiler):
    """A compiler that fails with the rewrite number `culprit`; with all rewrites, its results are wrong."""

    culprit: int = 0

    def run(self, limit: int, on_pass: Callable[[PassRun], None] | None = None) -> tuple[ir.Module, list[Rewrite]]:
        if limit >= self.culprit:
            raise ForgeError(Code.ModelRefused, "the pass fails")
        return (super() if limit >= 0 else Wrong(self.source, self.options)).run(limit, on_pass)


def test_a_rewrite_with_which_the_compilation_fails(path: Path) -> None:
    options = Options()
    reference = reference_of(path, None, None, 0, options)
    found = search(Failing(Compiler.of(reference, options).source, options, 2), reference)
    assert found.number == 2
    assert found.wrong is not None
    assert found.wrong.failure == "the pass fails"
