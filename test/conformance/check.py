"""Runs one case: compile, run on the CPU reference, compare."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, numpy_helper

from conformance.cases import Arrays, Case
from conformance.random_ops import random_op, range_difference
from emitted_ast import assert_safe
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import compare, format_rounding
from forge_mlir.verify.limits.row_bounds import transform_bound

PASS, BOUND, MISMATCH, REFUSED = "pass", "pass-bound", "mismatch", "refused"
RUN_ERROR, CRASH, TIMEOUT = "run-error", "crash", "timeout"
STATUSES = (PASS, BOUND, MISMATCH, REFUSED, RUN_ERROR, CRASH, TIMEOUT)

_REASON_LIMIT = 200


class _RunError(Exception):
    """A compiled model fails when it runs, which is no refusal: a refusal is raised before anything is written."""


@dataclass(frozen=True)
class Outcome:
    """The result of a case. `reason` says why it did not pass; `bound` are the inputs that had to be given values."""

    status: str
    reason: str = ""
    bound: tuple[str, ...] = ()


def run_case(case: Case, fallback: bool = False) -> Outcome:
    """Compiles the case with all inputs as run-time inputs, and then binds the inputs that the compiler asks for, until
    it asks for no more. With `fallback`, ops that the device does not support run on the CPU.

    The compiler names the graph inputs that determine a value which it needs at compile time; no other input is ever
    bound.
    """
    from forge_mlir.errors import ForgeError

    model = case.model()
    sets = list(case.data(model))
    bound: tuple[str, ...] = ()
    while True:
        try:
            for given, expected in sets:
                wrong = _run_once(case, model, given, expected, bound, fallback)
                if wrong:
                    return Outcome(MISMATCH, wrong, bound)
            return Outcome(BOUND if bound else PASS, "", bound)
        except ForgeError as error:
            asked = [name for diagnostic in error.diagnostics for name in diagnostic.bind]
            more = tuple(dict.fromkeys(name for name in asked if name in sets[0][0] and name not in bound))
            if not more:
                return Outcome(REFUSED, reason_of(error), bound)
            bound += more
        except _RunError as error:
            return Outcome(RUN_ERROR, str(error), bound)
        except Exception as error:
            return Outcome(CRASH, _short(f"{type(error).__name__}: {error}"), bound)


def _run_once(
    case: Case, model: ModelProto, given: Arrays, expected: Arrays, bound: tuple[str, ...], fallback: bool
) -> str:
    """Why the results are wrong, or "". Raises ForgeError for a refused model and for inputs that the device's types
    cannot represent, and _RunError for a model that compiles and fails when it runs."""
    from forge_mlir.codes import Code
    from forge_mlir.compiler.driver import compile
    from forge_mlir.errors import ForgeError
    from forge_mlir.execute.run import run

    with tempfile.TemporaryDirectory() as folder:
        artifact = compile(
            model, folder, bind={name: given[name] for name in bound}, fallback="cpu" if fallback else "error"
        )
        for path in Path(folder).glob("*.py"):
            assert_safe(path.read_text(encoding="ascii"))
        try:
            got = run(artifact, {name: value for name, value in given.items() if name not in bound})
        except ForgeError as error:
            if error.code is Code.InputRange:  # The data of the case are out of range; nothing has run.
                raise
            raise _RunError(reason_of(error)) from error
    random = random_op(model, given)
    if random is not None:
        found = (range_difference(random, given, name, got.get(name), value) for name, value in expected.items())
    else:
        noise = golden_noise(model, given)
        found = (difference(case, name, got.get(name), value, noise) for name, value in expected.items())
    return next(filter(None, found), "")


def golden_noise(model: ModelProto, given: Arrays) -> Any:
    """How much more than the suite's tolerances results may differ. The suite computed inverse transforms by numpy in
    complex64, so that an element that is exactly zero has the rounding error of its sum."""
    if [(node.op_type, node.domain) for node in model.graph.node] != [("DFT", "")]:
        return 0.0
    (node,) = model.graph.node
    attributes = {attribute.name: attribute.i for attribute in node.attribute}
    if not attributes.get("inverse") or attributes.get("onesided"):
        return 0.0
    x = given[node.input[0]].astype(np.float64)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    named = {**constants, **given}.get(node.input[2]) if len(node.input) > 2 else None
    axis = attributes.get("axis", 1 if len(node.input) < 3 else -2) if named is None else int(named)
    return transform_bound(x, np.zeros_like(x), axis, None, inverse=True)


def difference(case: Case, name: str, got: Any, expected: Any, noise: Any = 0.0) -> str:
    """How `got` differs from `expected` by the suite's tolerances, `noise`, and the rounding of 16-bit types; "" when
    it does not. Integers, bools and strings must be equal, and so must dtypes and shapes."""
    if isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            return f"output {name} is no list of {len(expected)}"
        pairs = zip(got, expected, strict=True)
        return next(filter(None, (difference(case, name, mine, theirs) for mine, theirs in pairs)), "")
    if got is None or expected is None:
        return "" if got is expected else f"output {name} is missing"
    if expected.dtype.kind in "OUST":
        same = got.shape == expected.shape and got.astype(str).tolist() == expected.astype(str).tolist()
        return "" if same else f"output {name} has other strings"
    if expected.dtype.kind == "c" and got.dtype == expected.dtype:
        parts = ((got.real, expected.real), (got.imag, expected.imag))
        return next(filter(None, (difference(case, name, mine, theirs) for mine, theirs in parts)), "")
    allowed = None
    if is_floating(expected.dtype):
        wide = np.abs(expected.astype(np.float64))
        allowed = case.atol + case.rtol * np.where(np.isfinite(wide), wide, 0.0) + noise
        allowed = np.maximum(allowed, format_rounding(expected))
    row = compare(name, got, expected, allowed=allowed)
    return "" if row.passed else _short(f"output {name}: {row.explain()}")


def reason_of(error: Exception) -> str:
    """The first reason of a refusal as "Op: reason"."""
    from forge_mlir.errors import ForgeError

    lines = error.diagnostics if isinstance(error, ForgeError) else ()
    first = next((line for line in lines if line.severity == "error"), None)
    if first is None:
        return _short(getattr(error, "reason", "") or getattr(error, "message", str(error)))
    if not first.op:
        return _short(first.message)
    op = f"{first.domain}.{first.op}" if first.domain else first.op
    return _short(f"{op}: {first.reason}")


def _short(text: str) -> str:
    line = ascii(" ".join(text.split()))[1:-1]
    return line if len(line) <= _REASON_LIMIT else line[: _REASON_LIMIT - 3] + "..."
