"""`bisect --exact` names the pass that changes what the IR computes, without running a model."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from torch_mlir import ir

from forge_mlir.bisect import PassVerdicts, bisect_exact, passes_of
from forge_mlir.bisect.equivalent import compare_stages
from forge_mlir.bisect.search import staged
from forge_mlir.compiler.lower import import_model
from forge_mlir.equivalence import engine_of
from sample_models.mistakes import with_mistake
from sample_models.probe import mixed, partitioned


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    onnx.save(mixed(), path)
    return path


def scaled(module: ir.Module) -> None:
    """Multiplies the first returned value by 1.0005."""
    (function,) = module.body.operations
    *_, last = function.operation.regions[0].blocks[0].operations
    value = last.operation.operands[0]
    with ir.InsertionPoint(last):
        type_ = ir.RankedTensorType.get([1], ir.F32Type.get())
        factor = ir.Operation.create(
            "forge.scalar_constant",
            results=[type_],
            attributes={"constant": ir.FloatAttr.get_f32(1.0005), "dtype": ir.TypeAttr.get(ir.F32Type.get())},
        )
        product = ir.Operation.create("forge.multiply", results=[value.type], operands=[value, factor.result])
    last.operation.operands[0] = product.result


def test_no_pass_of_a_correct_compilation_is_blamed(path: Path, tmp_path: Path) -> None:
    for verdicts in (bisect_exact(path), _of_partitions(tmp_path / "parts.onnx")):
        assert [each.name for each in verdicts.passes] == [name for name, _ in passes_of({})][-len(verdicts.passes) :]
        assert verdicts.culprit is None
        assert all(each.covered for each in verdicts.passes)


def _of_partitions(path: Path) -> PassVerdicts:
    onnx.save(partitioned(), path)
    return bisect_exact(path, fallback="cpu")


@pytest.mark.parametrize("name", ["forge-fuse-patterns", "forge-fold-weights", "forge-isolate-outputs"])
def test_the_wrong_pass_is_found(path: Path, name: str) -> None:
    imported = import_model(path, traced=True)
    engines = [engine_of("float64", imported.weights), engine_of("exact", imported.weights)]
    found = compare_stages(staged(imported.module, with_mistake(name, scaled)), engines)
    assert found.culprit is not None
    assert found.culprit.name == name
    assert [bool(verdict.differences) for verdict in found.culprit.verdicts] == [True, True]
