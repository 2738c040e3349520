"""Errors planted in emitted modules are found, and the named ONNX node is the one of the wrong line."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import pytest
from planting import KINDS, Planted, eligible, plant

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.options import Options
from forge_mlir.verify import Verification, random_inputs, verify_artifact
from resealing import replace_module
from sample_models.layers import norms, numbered, stack
from sample_models.probe import mixed, partitioned
from sample_models.repository import stored

LIGHT = Path(onnx.backend.test.__file__).parent / "data" / "light"
BUILT = {"mixed": mixed, "partitioned": partitioned, "layers": lambda: stack(numbered(3)), "blocks": norms}


@dataclass(frozen=True)
class Try:
    model: str
    kind: str
    seed: int = 0

    def path(self, scratch: Path) -> Path:
        if self.model in BUILT:
            path = scratch / "model.onnx"
            onnx.save(BUILT[self.model](), path)
            return path
        if self.model.startswith("light_"):
            return LIGHT / f"{self.model}.onnx"
        return stored(self.model)[0] / "model.onnx"


FEW = [
    Try("gpt2_block", "stride"),
    Try("gpt2_block", "epsilon"),
    Try("mixed", "stride"),
    Try("mixed", "epsilon"),
    Try("mixed", "subtract", 1),
    Try("partitioned", "subtract"),
    Try("partitioned", "subtract", 1),
    Try("layers", "subtract"),
    Try("layers", "epsilon"),
    Try("blocks", "subtract"),
    Try("blocks", "epsilon"),
]
MANY = [
    *(Try(model, "stride", seed) for model in ("gpt2_block", "llama", "swin", "yolov8", "lstm") for seed in (1, 2)),
    *(Try(model, "epsilon", seed) for model in ("bert", "gpt2_block", "swin", "llama") for seed in (1, 2)),
    *(Try("vit", "epsilon", seed) for seed in (1, 2)),
    *(Try("resnet18", "padding", seed) for seed in (1, 2)),
    *(Try("yolov8", "subtract", seed) for seed in (1, 2)),
    *(Try("resnet18_qdq", "subtract", seed) for seed in (1, 2, 3)),
    *(Try(model, "padding") for model in ("light_shufflenet", "light_inception_v2", "light_densenet121")),
]


def label(a_try: Try) -> str:
    return f"{a_try.model}-{a_try.kind}-{a_try.seed}"


def attempt(a_try: Try, scratch: Path) -> tuple[Verification, Planted]:
    path = a_try.path(scratch)
    samples = path.with_name("inputs.npz")
    options: Options = {"fallback": "cpu"} if a_try.model == "partitioned" else {}
    if samples.is_file():
        options["sample_inputs"] = dict(np.load(samples))
    artifact, imported = compile_traced(path, scratch / "out", **options)
    given = options.get("sample_inputs") or random_inputs(artifact.manifest(), 0, imported)
    planted = plant(artifact, a_try.kind, random.Random(a_try.seed))
    return verify_artifact(path, artifact, imported, given), planted


def assert_found(result: Verification, planted: Planted) -> None:
    assert not result.passed
    found = result.divergence
    assert found is not None, planted
    assert not found.names.isdisjoint(planted.nodes), (planted, found)
    assert (planted.file, planted.line) in {(step.file, step.line) for step in found.steps}, (planted, found)
    # No node before it is reported.
    assert all(report.local.passed for report in result.nodes if report.node.name not in found.names)


@pytest.mark.parametrize("a_try", FEW, ids=label)
def test_planted_error(a_try: Try, tmp_path: Path) -> None:
    assert_found(*attempt(a_try, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("a_try", MANY, ids=label)
def test_planted_error_in_a_large_model(a_try: Try, tmp_path: Path) -> None:
    assert_found(*attempt(a_try, tmp_path))


def test_every_eligible_line_is_spoilt_and_found(tmp_path: Path) -> None:
    path = Try("mixed", "").path(tmp_path)
    artifact, imported = compile_traced(path, tmp_path / "out")
    inputs = random_inputs(artifact.manifest(), 0, imported)
    source = artifact.module_path.read_text()
    found = {}
    for kind in KINDS:
        for line in eligible(artifact, kind):
            planted = plant(artifact, kind, Chosen(line))
            result = verify_artifact(path, artifact, imported, inputs)
            assert_found(result, planted)
            found[kind, planted.node] = True
            replace_module(artifact, source)
    assert set(found) == {
        ("stride", "every second"), ("stride", "halves"), ("epsilon", "norm"), ("subtract", "less bias"),
        ("subtract", "difference"), ("subtract", "norm"),
    }  # fmt: skip


class Chosen(random.Random):
    """A random generator whose choice is given."""

    def __init__(self, line: tuple[Artifact, int]) -> None:
        super().__init__(0)
        self.line = line

    def choice(self, seq: object) -> tuple[Artifact, int]:  # type: ignore[override]  # noqa: ARG002
        return self.line
