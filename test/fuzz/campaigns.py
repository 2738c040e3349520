"""What one seed of each campaign does. A campaign returns the result of the case, and raises when something happened
that must not happen."""

from __future__ import annotations

import io
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper, shape_inference

import forge_mlir
from emitted_ast import assert_safe
from forge_mlir import _native
from forge_mlir.errors import ForgeError
from fuzz.coverage import Cell, cells_of_node
from fuzz.graphs import Sample, random_sample
from fuzz.mutate import metamorphic, onnx_files
from fuzz.mutate import mlir as mutate_mlir
from fuzz.operands import Array
from fuzz.oracles.after_each_pass import hold
from fuzz.oracles.compare import AGREES, REFUSED, compare
from fuzz.oracles.formats import DRAWS, UNITS, errors, is_confirmed
from fuzz.oracles.judge import judge
from fuzz.oracles.ulps import allowance, differs
from fuzz.outside.shared_values import shared_values
from fuzz.passes import (
    Program,
    WrongPass,
    corpus,
    grafted,
    is_valid,
    neighbour,
    neighbourhood,
    random_program,
    recurrent_program,
)
from fuzz.passes import check as check_passes
from fuzz.variants import random_variant
from fuzz.variants.variant import Variant
from fuzz.variants.versions import all_cells

CASES = Path(__file__).parent / "cases"
MODEL = "model.onnx"
"""The file of an archive that is the model; the others are its inputs."""
_FORGE_OPT = Path(__file__).resolve().parents[2] / "build" / "tools" / "forge-opt" / "forge-opt"
_EXAMPLES = 20
"""Graphs of one seed: hypothesis draws them together, and shrinks a failing one."""


class Found(Exception):
    """A case that failed: the reason, and the bytes that reproduce it."""

    def __init__(self, reason: str, data: bytes, suffix: str, cells: Sequence[Cell] = ()) -> None:
        super().__init__(reason)
        self.reason, self.data, self.suffix, self.cells = reason, data, suffix, cells


class End(NamedTuple):
    """The result of a case, and the versions and types of its ops."""

    status: str
    cells: Sequence[Cell] = ()


def graphs(number: int) -> list[End]:
    """Valid models of random ops, compared with onnxruntime and onnx.reference; and the IR before and after each pass,
    in float64."""
    ends: list[End] = []
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
        ends.append(End(compare(sample, fallback=fallback).status, sample.cells))
        hold(sample.model)

    try:
        check()
    except Exception as error:
        raise Found(f"{type(error).__name__}: {error}", failing[0].model.SerializeToString(), ".onnx") from error
    return ends


def changes(number: int) -> list[End]:
    """Models before and after a change that must not change the results."""
    r = Random(number)
    sample = random_sample(r)
    if sample is None:
        return []
    before = _outputs(sample, sample.model)
    if before is None:
        return [End(REFUSED)]
    for name, change in metamorphic.CHANGES.items():
        model = change(r, sample.model)
        try:
            after = _outputs(sample, model)
        except ForgeError as error:
            raise Found(f"{name}: {error}", model.SerializeToString(), ".onnx") from error
        if after is None:
            raise Found(f"{name}: is refused, the plain model is not", model.SerializeToString(), ".onnx")
        for output, value in before.items():
            if reason := differs(after[output], value, allowance(model.graph.node)):
                raise Found(f"{name}: output {output}: {reason}", model.SerializeToString(), ".onnx")
    return [End(AGREES)]


def _outputs(sample: Sample, model: ModelProto) -> dict[str, Array] | None:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(model, scratch)
        except ForgeError:
            return None
        try:
            return forge_mlir.run(artifact, sample.inputs)
        except ForgeError as error:
            # Integers that exceed Int32 stop the module, which reports it.
            if str(error.code) != "FM5012":
                raise Found(f"does not run: {error}", model.SerializeToString(), ".onnx") from error
            return None


def mutants(number: int) -> list[End]:
    """Broken ONNX files: they are compiled or refused with an error, and nothing else happens."""
    r = Random(number)
    data = _broken(r, number)
    if not data:
        return []
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
            return [End("refused at once" if str(error.code)[:4] in _FIRST_CHECKS else REFUSED)]
        except Exception as error:
            raise Found(f"{type(error).__name__}: {error}", data, ".onnx") from error
        for source in artifact.directory.glob("*.py"):
            _check_source(source, data)
    return [End("compiled")]


_FIRST_CHECKS = ("FM01", "FM02", "FM03")
"""Groups of codes for errors of a file, a graph or a version: converters and passes were not reached."""
_BYTES = 0.15
"""The share of mutants whose bytes or structure are broken without regard to their meaning."""


def _broken(r: Random, number: int) -> bytes:
    """A variant with wrong types, shapes and attributes, or a valid model whose structure or bytes are broken."""
    variant = random_variant(number, steps=5)
    if variant is None:
        return b""
    # Without the types of the outputs, no model passes the first check.
    model = variant.model()
    with suppress(shape_inference.InferenceError):  # Raised if an op has too few operands.
        model = shape_inference.infer_shapes(model)
    for value in model.graph.output:
        if not value.type.tensor_type.elem_type:
            value.type.tensor_type.elem_type = TensorProto.FLOAT
    if r.random() < _BYTES:
        return onnx_files.mutate(r, model.SerializeToString())
    return onnx_files.mutate_gently(r, model)


def _check_source(source: Path, data: bytes) -> None:
    try:
        assert_safe(source.read_text(encoding="ascii"))
    except (AssertionError, ValueError, SyntaxError) as error:
        raise Found(f"unsafe output: {error}", data, ".onnx") from error


def modules(number: int) -> list[End]:
    """Broken MLIR through passes and emitter: text in this process, bytecode in forge-opt, which reads it in a child
    process."""
    r = Random(number)
    passes = f"builtin.module({r.choice(mutate_mlir.PASSES)})"
    if r.random() < 0.05 and _FORGE_OPT.exists():
        return _bytecode(r, passes)
    data = mutate_mlir.mutate(r).encode("utf-8", "replace")
    result, reports = _native.run_pipeline(data, passes)
    if result is None and not reports:
        raise Found("fails without a diagnostic", data, ".mlir")
    if result is None:
        return [End(REFUSED)]
    _native.emit_python(result, "fuzz")
    return [End("ran")]


def _bytecode(r: Random, passes: str) -> list[End]:
    whole, _ = _native.run_pipeline(r.choice(mutate_mlir.corpus()).encode(), "builtin.module()")
    data = mutate_mlir.mutate_bytes(r, whole or b"ML")
    command = [_FORGE_OPT, "-", f"--pass-pipeline={passes}", "-o", "/dev/null"]
    done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=170)
    if done.returncode not in (0, 1) or (done.returncode and b"error:" not in done.stderr):
        raise Found(f"forge-opt: exit code {done.returncode}", data, ".mlirbc")
    return [End("ran" if done.returncode == 0 else REFUSED)]


def variants(number: int) -> list[End]:
    """Changed models of one op, compared with two oracles within a few units in the last place."""
    r = Random(number)
    try:
        variant = random_variant(number)
    except Exception as error:
        raise Found(f"no variant: {type(error).__name__}: {error}", b"", ".txt") from error
    if variant is None:
        return []
    node, dtypes = variant.main(), {name: array.dtype for name, array in variant.arrays.items()}
    cells = cells_of_node(node, variant.domains.get(node.domain, variant.opset), dtypes) if node else []
    try:
        return [End(judge(r, variant), cells)]
    except Exception as error:
        reason = f"{'.'.join(filter(None, variant.op))}: {type(error).__name__}: {error}"
        raise Found(reason, _with_inputs(variant), ".npz", cells) from error


def _with_inputs(variant: Variant) -> bytes:
    """The model and its inputs, as a numpy archive; arrays of types that numpy does not have are stored as bytes."""
    model = variant.judged or variant.model()
    arrays = {
        name: array if array.dtype.isbuiltin == 1 else array.view(np.uint8) for name, array in variant.inputs().items()
    }
    content = io.BytesIO()
    np.savez(content, **{MODEL: np.frombuffer(model.SerializeToString(), np.uint8), **arrays})
    return content.getvalue()


def read_with_inputs(path: Path) -> tuple[ModelProto, dict[str, Array]]:
    """Reads the archive that `_with_inputs` wrote."""
    with np.load(path) as content:
        model = ModelProto.FromString(content[MODEL].tobytes())
        kinds = {value.name: value.type.tensor_type.elem_type for value in model.graph.input}
        feeds = {name: content[name].view(helper.tensor_dtype_to_np_dtype(kind)) for name, kind in kinds.items()}
    return model, feeds


def formats(number: int) -> list[End]:
    """Models of ordinary nodes in Float32 and in bfloat16: rewrites must not lose more digits than the model itself
    does."""
    sample = shared_values(Random(number))
    found = errors(sample)
    if found is None:
        return [End(REFUSED)]
    for name, each in found.items():
        if each.status(UNITS[name]) != "loses digits":
            continue
        drawn = (errors(shared_values(Random(number), draw)) for draw in range(1, DRAWS + 1))
        if is_confirmed(name, (others and others[name] for others in drawn)):
            reason = f"{name}: error {each.emitted:.3g}, without rewrites {each.written:.3g}"
            raise Found(reason, sample.model.SerializeToString(), ".onnx")
    return [End(f"{name}: {each.status(UNITS[name])}") for name, each in found.items()]


_PROGRAMS = 12
"""Programs of one seed, which are functions of one module, so that a pass runs once for all of them."""
_RECURRENT = 2
"""How many more of them are recurrent layers."""


def passes(number: int) -> list[End]:
    """Runs each pass alone. Four of five seeds use lit inputs in turn and neighbours of these; the fifth uses programs
    of random ops, of lit inputs, and of neighbours of these, which read each other's values, and recurrent layers."""
    try:
        if number % 5:
            programs, names = neighbourhood(number // 5 * 4 + number % 5 - 1)
            return [End(status) for status in check_passes(programs, names)]
        r = Random(number)
        programs = [grafted(r, [_part(r) for _ in range(r.randint(2, 5))]) for _ in range(_PROGRAMS)]
        programs += [_varied(r, recurrent_program(r), 0.3) for _ in range(_RECURRENT)]
        return [End(status) for status in check_passes(programs)]
    except WrongPass as error:
        raise Found(f"{error.program.origin}: {error}", error.program.text().encode(), ".mlir") from error


def _part(r: Random) -> Program:
    """A random program, a lit input or a neighbour of one. Lit inputs are drawn by their file first, since some passes
    have many and others few."""
    if r.random() < 0.3:
        return random_program(r)
    files = corpus()
    return _varied(r, r.choice(files[r.choice([*files])]), 0.7)


def _varied(r: Random, program: Program, share: float) -> Program:
    """The program or, with this probability, a neighbour of it."""
    changed = neighbour(r, program) if r.random() < share else program
    return changed if is_valid(changed) else program


CAMPAIGNS: dict[str, Callable[[int], list[End]]] = {
    "graphs": graphs,
    "changes": changes,
    "variants": variants,
    "mutants": mutants,
    "modules": modules,
    "passes": passes,
    "formats": formats,
}

PREPARE: dict[str, Callable[[], object]] = {"variants": all_cells, "mutants": all_cells}
"""Preparations that take long before the first case."""
