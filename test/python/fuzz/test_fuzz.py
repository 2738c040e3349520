"""Failures that the fuzzer found before, and a few seeds of each campaign."""

from __future__ import annotations

import resource
import subprocess
import warnings
from pathlib import Path
from typing import Literal

import numpy as np
import onnx
import pytest

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.codes import Code
from forge_mlir.execute.onnx.engines import OPENERS
from fuzz import campaigns, sanitized
from fuzz.graphs import random_sample
from fuzz.mutate import metamorphic
from fuzz.oracles.compare import Mismatch, compare
from fuzz.oracles.ulps import allowance, differs

# The cases that the device alone refuses, with the code; all others have to run there.
REFUSED = {
    "graphs-erf-of-integers": Code.ShapesContradict,
    "variants-axes-that-come-twice": Code.OperandUnknown,
}
TOOLS = Path(__file__).resolve().parents[3] / "build" / "tools"


def compiled(
    path: Path, model: onnx.ModelProto, fallback: Literal["error", "cpu"], folder: Path
) -> forge_mlir.Artifact | None:
    """The compiled model of a case; None if it is refused with the expected code."""
    code = REFUSED.get(path.stem) if fallback == "error" else None
    if code is None:
        return forge_mlir.compile(model, folder, fallback=fallback)
    with pytest.raises(ForgeError) as refused:
        forge_mlir.compile(model, folder, fallback=fallback)
    assert code in {refused.value.code, *(found.code for found in refused.value.diagnostics)}
    return None


@pytest.mark.parametrize("path", sorted(campaigns.CASES.glob("*.onnx")), ids=lambda path: path.stem)
def test_models_that_were_wrong(path: Path, tmp_path: Path) -> None:
    model = onnx.load(path)
    inputs = {}
    for value in model.graph.input:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        inputs[value.name] = np.arange(1, 1 + np.prod(shape), dtype=dtype).reshape(shape)
    golden = onnx.reference.ReferenceEvaluator(model).run(None, inputs)
    artifact = compiled(path, model, "error", tmp_path)
    if artifact is None:
        return
    for value, expected in zip(forge_mlir.run(artifact, inputs).values(), golden, strict=True):
        assert differs(value, np.asarray(expected), allowance(model.graph.node)) == ""


@pytest.mark.parametrize("path", sorted(campaigns.CASES.glob("*.npz")), ids=lambda path: path.stem)
@pytest.mark.parametrize("fallback", ["error", "cpu"])
def test_variants_that_were_wrong(path: Path, fallback: Literal["error", "cpu"], tmp_path: Path) -> None:
    model, feeds = campaigns.read_with_inputs(path)
    expected = OPENERS["onnxruntime"](model.SerializeToString(), True, 1)(feeds)
    artifact = compiled(path, model, fallback, tmp_path)
    if artifact is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = forge_mlir.run(artifact, feeds)
    for value, right in zip(found.values(), expected, strict=True):
        assert differs(value, right, allowance(model.graph.node)) == ""


def of_two_seconds() -> None:
    """Limits a child process: some bytecode is parsed without end, and the tools keep a limit that is lower than their
    own half minute."""
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))


@pytest.mark.parametrize("path", sorted(campaigns.CASES.glob("*.mlirbc")), ids=lambda path: path.stem)
def test_bytecode_that_crashed(path: Path) -> None:
    for tool, option in (("forge-opt", "--canonicalize"), ("forge-translate", "--forge-to-python")):
        command = [TOOLS / tool / tool, option, path]
        done = subprocess.run(command, capture_output=True, timeout=300, preexec_fn=of_two_seconds)
        said = done.stderr.decode(errors="replace")
        assert done.returncode == 1
        assert "error:" in said
        assert "Stack dump" not in said


@pytest.mark.alike(keep=1)
@pytest.mark.parametrize("name", ["graphs", "changes", "mutants", "modules"])
def test_some_seeds(name: str) -> None:
    ends = [end for seed in range(2) for end in campaigns.CAMPAIGNS[name](seed)]
    assert len(ends) >= 2


def test_a_wrong_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that adds 1 to every result."""
    from random import Random

    run = forge_mlir.run
    monkeypatch.setattr(forge_mlir, "run", lambda *given: {k: v + (v.dtype.type(1)) for k, v in run(*given).items()})
    found = 0
    for seed in range(12):
        sample = random_sample(Random(seed))
        assert sample is not None
        try:
            found += compare(sample).status == "undecided"
        except (Mismatch, TypeError):  # There is no sum of booleans.
            found += 1
    assert found >= 10


def test_changes_change_the_model_and_not_its_interface() -> None:
    from random import Random

    sample = random_sample(Random(3))
    assert sample is not None
    for name in ("renamed", "with identities", "with constant nodes"):
        changed = metamorphic.CHANGES[name](Random(1), sample.model)
        assert changed.SerializeToString() != sample.model.SerializeToString()
        assert [v.name for v in changed.graph.output] == [v.name for v in sample.model.graph.output]


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("echo 'ERROR: AddressSanitizer: heap-use-after-free' >&2; exit 1", True),
        ("echo 'x: error: cannot be read: it crashes the parser' >&2; exit 1", True),
        ("kill -SEGV $$", True),
        ("echo 'error: expected a type' >&2; exit 1", False),
    ],
)
def test_reports_of_sanitizers_are_found(script: str, found: bool, tmp_path: Path) -> None:
    tool = tmp_path / "forge-opt" / "forge-opt"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    assert sanitized.reports("planted", tmp_path, "forge-opt", tmp_path / "x.mlir") == found
