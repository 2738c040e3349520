"""The table of passes and rewrites agrees with the pages, the options, the sources, and the rewrites that compilations
apply."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import forge_mlir
import lit_runs
import pass_table
from forge_mlir import _native
from forge_mlir.artifact.source.parsed_calls import parsed_calls
from forge_mlir.bisect import passes_of
from forge_mlir.bisect.search import reference_of
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.options import Options, option_table
from forge_mlir.compiler.pass_pipeline import Rewrite
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import ForgeError
from sample_models.probe import mixed
from sample_models.repository import REPOSITORY, stored

KINDS = set(option_table()["fast_math"].choices()) - {"all"}  # type: ignore[misc]
ASSUMPTION = ("forge-simplify-arithmetic", "numbers-assumed")


def test_the_page_is_fresh() -> None:
    assert pass_table.PAGE.read_text(encoding="ascii") == pass_table.page(), "run python tools/pass_table.py"


def test_the_contract_names_every_class_and_kind() -> None:
    page = (REPOSITORY / "docs/numerics.md").read_text(encoding="ascii")
    classes = re.findall(
        r"^\| ([a-z ]+) \| .* \| .* \|$", page.partition("## What passes may do")[2].partition("\n## ")[0], re.MULTILINE
    )
    assert classes[1:] == [*pass_table.CLASSES.values()]
    fast_math = (REPOSITORY / "docs/fast-math.md").read_text(encoding="ascii")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", fast_math, re.MULTILINE)) == KINDS
    assert {row.kind for row in pass_table.rewrites()} - {"", "tiles"} == KINDS
    assert {row.pass_name for row in pass_table.rewrites() if row.kind == "tiles"} == {"forge-divisibility-rewrite"}
    for kind in KINDS:
        assert f"`{kind}`" in page or f"={kind}`" in page


def test_rewrites_that_do_more_than_round_need_a_kind() -> None:
    for row in pass_table.rewrites():
        assert bool(row.kind) == (row.numeric_class not in ("exact", "up to rounding")), row
    most = {row.name: row.numeric_class for row in pass_table.passes()}
    for row in pass_table.rewrites():
        if most[row.pass_name] == "exact":
            assert row.numeric_class == "exact" or row.kind, f"{row.pass_name} says that it is exact: {row}"


def test_requirements_of_a_pass_are_established_before_it() -> None:
    known = {row.name: row for row in pass_table.passes()}
    established = {"functions of one block", "tensors of known shape"}  # properties of imported modules
    for step in pass_table.steps():
        row = known[step.pass_name]
        assert set(row.requires) <= established, step
        if step.condition == "true":
            established |= set(row.establishes)


def test_the_rows_are_what_the_lit_tests_apply() -> None:
    """Each rewrite that is applied has a row of its pass, and each row is of a rewrite that some lit input has."""
    rows = {(row.pass_name, row.name) for row in pass_table.rewrites()}
    applied = set[tuple[str, str]]()
    for run in lit_runs.runs():
        applied |= {rewrite[:2] for rewrite in _native.run_first_rewrites(run.module, run.pipeline, -1)[2]}
    assert applied <= rows, "add a row to PassTable.inc"
    assert rows - applied == {ASSUMPTION}, "rows of what no pass applies, or no lit input has"


def test_an_assumption_changes_what_the_others_find() -> None:
    """An assumption is not a rewrite: it is used by later rewrites. Here, a value that is compared with itself is
    assumed not to be NaN."""
    name, what = ASSUMPTION
    kind = next(row.kind for row in pass_table.rewrites() if row[:2] == ASSUMPTION)
    path = lit_runs.LIT / "Dialect/Forge/Transforms/Arithmetic/fast-math.mlir"
    plain, assumed = (
        [_native.run_first_rewrites(part, lit_runs.alone(name, options), -1)[2] for part in lit_runs.parts(path)]
        for options in ("", f"fast-math={kind}")
    )
    assert sum(map(len, assumed)) > sum(map(len, plain)), what


def applied(model: Path, **options: Any) -> list[Rewrite]:
    module = import_model(model).module
    return forge_mlir.run_first_rewrites(module, pipeline(Options(**options)), -1)


@pytest.mark.parametrize("name", ["gpt2_block", "resnet18", "lstm"])
def test_optimize_applies_only_rewrites_of_its_class(name: str) -> None:
    found = stored(name)
    if not found:
        pytest.skip("no such model")
    model = found[0] / "model.onnx"
    classes = {(row.pass_name, row.name): row.numeric_class for row in pass_table.rewrites()}
    assert applied(model, optimize="none") == []
    exact = applied(model, optimize="exact")
    assert {classes[rewrite.pass_name, rewrite.name] for rewrite in exact} <= {"exact"}
    default = applied(model)
    assert {classes[rewrite.pass_name, rewrite.name] for rewrite in default} <= {"exact", "up to rounding"}
    assert any(classes[rewrite.pass_name, rewrite.name] != "exact" for rewrite in default)


def test_exact_keeps_every_bit(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(mixed(), path)
    for model in (path, stored("gpt2_block")[0] / "model.onnx"):
        results = []
        for optimize in ("none", "exact"):
            options = Options(optimize=optimize)  # type: ignore[typeddict-item]
            reference = reference_of(model, None, None, 0, options)
            forge_mlir.run_pipeline(reference.imported.module, pipeline(options))
            results.append(reference.run(reference.imported.module))
        for output, value in results[0].items():
            np.testing.assert_array_equal(value, results[1][output], strict=True)


def test_passes_of_each_level() -> None:
    by_level = [[name for name, _ in passes_of({"optimize": level})] for level in ("none", "exact", "default")]  # type: ignore[typeddict-item]
    conditions = ({"true"}, {"true", "o.rewrites()"})
    for level, condition in zip(by_level, conditions, strict=False):
        assert level == [step.pass_name for step in pass_table.steps() if step.condition in condition]
    assert set(by_level[0]) < set(by_level[1]) < set(by_level[2])


@pytest.mark.parametrize(
    "name", ["bert", "gpt2_block", "lstm", "resnet18", "resnet18_qdq", "swin", "unet", "vit", "yolov8"]
)
def test_optimize_none_has_a_call_for_every_node_that_reads_an_input(name: str, tmp_path: Path) -> None:
    path = stored(name)[0] / "model.onnx"
    artifact = forge_mlir.compile(path, tmp_path, optimize="none")
    said = {call.node for source in artifact.directory.glob("*.py") for call in parsed_calls(source.read_text())}
    graph = onnx.load(path).graph
    reached = {value.name for value in graph.input} - {weight.name for weight in graph.initializer}
    silent = []
    for node in graph.node:
        if node.op_type not in ("Shape", "Size", "ConstantOfShape") and reached.intersection(node.input):
            reached.update(node.output)
            silent += [node.op_type] if node.name not in said else []
    assert silent == (["Pad"] if name == "unet" else []), "a pad by nothing has no call"


@pytest.mark.parametrize("level", ["none", "exact"])
def test_rewrites_for_tiles_need_those_that_round(level: str, tmp_path: Path) -> None:
    options = Options(optimize=level, layout="tiles")  # type: ignore[typeddict-item]
    with pytest.raises(ForgeError, match=f"--tiles: .* --optimize={level} applies none"):
        forge_mlir.compile(stored("gpt2_block")[0] / "model.onnx", tmp_path, **options)
