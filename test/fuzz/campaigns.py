"""What one seed of each kind does. A campaign returns how the case ended, and raises for what must not happen."""

from __future__ import annotations

import io
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from onnx import ModelProto
from onnx.backend.test.case.node import collect_testcases

import forge_mlir
from emitted_ast import assert_safe
from forge_mlir import _native
from forge_mlir.errors import ForgeError
from fuzz import metamorphic, mutate_mlir, mutate_onnx
from fuzz.compare import AGREES, REFUSED, compare, differs
from fuzz.graphs import Sample, random_sample
from fuzz.judge import judge
from fuzz.operands import Array
from fuzz.variants import Variant, random_variant

CASES = Path(__file__).parent / "cases"
_FORGE_OPT = Path(__file__).resolve().parents[2] / "build" / "tools" / "forge-opt" / "forge-opt"
_EXAMPLES = 20
"""Graphs of one seed: hypothesis makes them together, and the smallest one that fails."""


class Found(Exception):
    """A case that went wrong: why, and the bytes that show it."""

    def __init__(self, reason: str, data: bytes, suffix: str) -> None:
        super().__init__(reason)
        self.reason, self.data, self.suffix = reason, data, suffix


def graphs(number: int) -> list[str]:
    """Valid models of random ops, against onnxruntime and onnx.reference."""
    ends: list[str] = []
    failing: list[Sample] = []

    @seed(number)
    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(st.randoms(use_true_random=False), st.booleans())
    def check(r: Random, fallback: bool) -> None:
        sample = random_sample(r)
        if sample is None:
            return
        failing[:] = [sample]
        ends.append(compare(sample, fallback=fallback).status)

    try:
        check()
    except Exception as error:
        raise Found(f"{type(error).__name__}: {error}", failing[0].model.SerializeToString(), ".onnx") from error
    return ends


def changes(number: int) -> list[str]:
    """Models before and after a change that means nothing."""
    r = Random(number)
    sample = random_sample(r)
    if sample is None:
        return []
    before = _outputs(sample, sample.model)
    if before is None:
        return [REFUSED]
    for name, change in metamorphic.CHANGES.items():
        model = change(r, sample.model)
        try:
            after = _outputs(sample, model)
        except ForgeError as error:
            raise Found(f"{name}: {error}", model.SerializeToString(), ".onnx") from error
        if after is None:
            raise Found(f"{name}: is refused, the plain model is not", model.SerializeToString(), ".onnx")
        for output, value in before.items():
            if reason := differs(after[output], value):
                raise Found(f"{name}: output {output}: {reason}", model.SerializeToString(), ".onnx")
    return [AGREES]


def _outputs(sample: Sample, model: ModelProto) -> dict[str, Array] | None:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(model, scratch)
        except ForgeError:
            return None
        return forge_mlir.run(artifact, sample.inputs)


@cache
def valid_models() -> list[bytes]:
    """Small valid models: the node cases of onnx."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = [case.model for case in collect_testcases(None) if case.model is not None]
    data = [model.SerializeToString() for model in models]
    return sorted(model for model in data if len(model) < 4096)


def mutants(number: int) -> list[str]:
    """Broken ONNX files: an artifact or an error, and nothing else."""
    r = Random(number)
    data = mutate_onnx.mutate(r, r.choice(valid_models()))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.onnx"
        path.write_bytes(data)
        try:
            artifact = forge_mlir.compile(path, Path(scratch) / "out", fallback=r.choice(["error", "cpu"]))
        except ForgeError as error:
            if not str(error).isascii():
                raise Found("the message is not escaped", data, ".onnx") from error
            if (Path(scratch) / "out").exists() and any((Path(scratch) / "out").iterdir()):
                raise Found("files are left behind", data, ".onnx") from error
            return [REFUSED]
        except Exception as error:
            raise Found(f"{type(error).__name__}: {error}", data, ".onnx") from error
        for source in artifact.directory.glob("*.py"):
            _check_source(source, data)
    return ["compiled"]


def _check_source(source: Path, data: bytes) -> None:
    try:
        assert_safe(source.read_text(encoding="ascii"))
    except (AssertionError, ValueError, SyntaxError) as error:
        raise Found(f"unsafe output: {error}", data, ".onnx") from error


def modules(number: int) -> list[str]:
    """Broken MLIR through passes and emitter: text in this process, bytecode by forge-opt with its guard."""
    r = Random(number)
    passes = f"builtin.module({r.choice(mutate_mlir.PASSES)})"
    if r.random() < 0.05 and _FORGE_OPT.exists():
        return _bytecode(r, passes)
    data = mutate_mlir.mutate(r).encode("utf-8", "replace")
    result, reports = _native.run_pipeline(data, passes)
    if result is None and not reports:
        raise Found("fails without a diagnostic", data, ".mlir")
    if result is None:
        return [REFUSED]
    _native.emit_python(result, "fuzz")
    return ["ran"]


def _bytecode(r: Random, passes: str) -> list[str]:
    whole, _ = _native.run_pipeline(r.choice(mutate_mlir.corpus()).encode(), "builtin.module()")
    data = mutate_mlir.mutate_bytes(r, whole or b"ML")
    command = [_FORGE_OPT, "-", f"--pass-pipeline={passes}", "-o", "/dev/null"]
    done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=170)
    if done.returncode not in (0, 1) or (done.returncode and b"error:" not in done.stderr):
        raise Found(f"forge-opt: exit code {done.returncode}", data, ".mlirbc")
    return ["ran" if done.returncode == 0 else REFUSED]


def variants(number: int) -> list[str]:
    """Changed node cases of onnx, against two oracles, to the last bits."""
    r = Random(number)
    variant = random_variant(r)
    if variant is None:
        return []
    try:
        return [judge(r, variant)]
    except Exception as error:
        raise Found(f"{variant.op}: {type(error).__name__}: {error}", _with_inputs(variant), ".npz") from error


def _with_inputs(variant: Variant) -> bytes:
    """The model and its inputs, as an archive of numpy's; types that numpy does not have are their bytes."""
    arrays = {
        name: array if array.dtype.isbuiltin == 1 else array.view(np.uint8) for name, array in variant.arrays.items()
    }
    content = io.BytesIO()
    np.savez(content, **{"model.onnx": np.frombuffer(variant.model().SerializeToString(), np.uint8), **arrays})
    return content.getvalue()


CAMPAIGNS: dict[str, Callable[[int], list[str]]] = {
    "graphs": graphs,
    "changes": changes,
    "variants": variants,
    "mutants": mutants,
    "modules": modules,
}
