"""Compares two modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol
from zlib import crc32

import numpy as np
from torch_mlir import ir

from forge_mlir.equivalence.algebra import Reals
from forge_mlir.equivalence.exact import Exact, ExactNumbers
from forge_mlir.equivalence.field import hashed
from forge_mlir.equivalence.interpreter import Evaluation
from forge_mlir.equivalence.leaves import Leaves, Steer, compared_by
from forge_mlir.equivalence.movement import MOVES
from forge_mlir.equivalence.outcomes import COMPARISONS, Hidden, Outcomes
from forge_mlir.equivalence.program import Array, Function, NotCovered, Type, functions_of
from forge_mlir.equivalence.readings import Readings
from forge_mlir.onnx_model.storage.weights import WeightRef

Layer = Literal["float64", "exact"]
_ROUNDING, _DRAWS, _TIMES_MOVED = 2.0**-52, 2, 4.0
"""A rounding of float64; how many times results are moved by it; by how many times what this changes two results may
differ."""
_CANCELLED = 1e-13
"""The rounding error in float64 of a sum of random numbers of about 1 that is 0."""


@dataclass(frozen=True)
class Difference:
    """An element of an output that differs between two modules; the worst, or the first, of `count` such elements."""

    layer: Layer
    function: str
    output: str
    index: tuple[int, ...]
    before: float
    after: float
    count: int

    def explain(self) -> str:
        where = f"output {self.output!a}{list(self.index) if self.index else ''}"
        return f"{where} was {self.before:.9g} and is {self.after:.9g} ({self.count} elements differ, {self.layer})"


@dataclass(frozen=True)
class Verdict:
    """The result of one comparison. `not_covered` lists what could not be compared, which counts neither as equal nor
    as different."""

    layer: Layer
    differences: tuple[Difference, ...]
    not_covered: tuple[str, ...] = ()
    outputs: int = 0

    @property
    def equal(self) -> bool:
        return not self.differences and not self.not_covered

    def explain(self) -> str:
        return "; ".join([*(each.explain() for each in self.differences), *self.not_covered])

    def json(self) -> dict[str, Any]:
        """`equal` is false if something is not covered."""
        differences = [asdict(each) for each in self.differences]
        not_covered = list(self.not_covered)
        return {"layer": self.layer, "equal": self.equal, "differences": differences, "not_covered": not_covered}


Outputs = dict[str, list[Any] | str]
"""The values of outputs by function, or the reason why there are none."""


class Engine(Protocol):
    """Evaluates modules with equal arguments and weights."""

    layer: Layer

    def outputs(self, functions: Mapping[str, Function]) -> Outputs: ...

    def differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]: ...


@dataclass
class Float64:
    """Evaluates every op in float64, on normally distributed numbers.

    Two elements are equal if they differ by at most 1e-5 of the element and of the root mean square of its row (the
    trailing axis). The tolerance is larger for functions with half-precision elements, because passes round constants
    to those. A difference that the rounding of float64 explains is none: the mean of numbers of 1e20 that cancel is a
    rounding error, in which an addend of 1 is lost or not, depending on where it is added.
    """

    leaves: Leaves
    layer: Layer = field(default="float64", init=False)

    def outputs(self, functions: Mapping[str, Function]) -> Outputs:
        evaluation = Evaluation(Reals(), self.leaves.weight)
        found: Outputs = {}
        for name, function in functions.items():
            try:
                with np.errstate(all="ignore"):
                    found[name] = _outputs(function, evaluation, self.leaves)
            except NotCovered as error:
                found[name] = str(error)
        return found

    def differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]:
        limit = _limit(function)
        for name, a, b in zip(function.outputs, before, after, strict=True):
            if (wrong := unequal(np.reshape(a, np.shape(b)), np.asarray(b), limit)).any():
                wrong &= ~self._is_rounding(function, function.outputs.index(name), np.reshape(a, np.shape(b)), b)
            if wrong.any():
                yield difference(self.layer, function.name, name, wrong, a, b)

    def _is_rounding(self, function: Function, at: int, before: Array, after: Array) -> Array:
        """Which elements of output `at` differ by no more than they move if the result of each arithmetic op is moved
        by a rounding of float64."""
        moved = np.zeros(np.shape(after))
        for seed in range(_DRAWS):
            random = np.random.default_rng(seed)

            def move(at: int, _: list[Any], results: list[Any], random: np.random.Generator = random) -> None:
                op = function.ops[at]
                if op.operands and op.name not in MOVES and op.type.is_float:
                    signs = random.choice([-1.0, 1.0], np.shape(results[0]))
                    results[0] = results[0] * (1 + _ROUNDING * signs)

            evaluation = Evaluation(Reals(), self.leaves.weight, move)
            with np.errstate(all="ignore"):
                other = np.abs(np.reshape(_outputs(function, evaluation, self.leaves)[at], np.shape(after)) - after)
            moved = np.maximum(moved, np.where(np.isfinite(other), other, 0))
        row = np.sqrt((moved**2).mean(-1, keepdims=True)) if moved.ndim and moved.size else moved
        return np.asarray(np.abs(before - after) <= _TIMES_MOVED * (moved + row))


def _outputs(function: Function, evaluation: Evaluation, leaves: Leaves) -> list[Any]:
    if function.kind in ("cpu", "driver"):
        return [function.text]
    return evaluation.outputs(function, leaves.arguments(function))


def _limit(function: Function) -> float:
    elements = {type_.element for op in function.ops for type_ in op.types}
    return 1e-1 if "bf16" in elements else 1e-2 if "f16" in elements else 1e-5


def unequal(before: Array, after: Array, limit: float) -> Array:
    """The elements that differ by more than `limit` of the element and of the root mean square of its row, and by more
    than the rounding error of a sum that is 0."""
    if before.dtype.kind == "i":
        return np.asarray(before != after)
    finite = np.where(np.isfinite(before), before, 0)
    with np.errstate(invalid="ignore", over="ignore"):
        row = np.sqrt((finite**2).mean(-1, keepdims=True)) if before.ndim and before.size else np.abs(finite)
        near = np.isfinite(before) & (np.abs(before - after) <= limit * (np.abs(before) + row) + _CANCELLED)
    return np.asarray(~(near | (before == after) | (np.isnan(before) & np.isnan(after))))


def difference(layer: Layer, function: str, output: str, wrong: Array, before: Array, after: Array) -> Difference:
    """The worst of the wrong elements."""
    a, b = (np.asarray(value, dtype=np.float64).reshape(wrong.shape) for value in (before, after))
    with np.errstate(all="ignore"):
        size = np.where(wrong, np.nan_to_num(np.abs(a - b), nan=np.inf, posinf=np.inf), -1)
    index = tuple(int(at) for at in np.unravel_index(int(size.argmax()), size.shape))
    return Difference(layer, function, output, index, float(a[index]), float(b[index]), int(wrong.sum()))


_POSITIONS = frozenset(["forge.argmax"])
_CHOICES = COMPARISONS | {"forge.remainder"}
"""Ops whose result depends on ties, or on midpoints between integers."""
_AT_BOUNDS: tuple[Steer, ...] = ("bounds", "beside")
_STEERS: tuple[Steer, ...] = (*_AT_BOUNDS, "rows", "small", "large")


class InField:
    """Evaluates every op in a finite field, on random elements; elements are either equal or not.

    Operands that a comparison or maximum does not select are not observed, so that there are several `runs`: one with
    numbers of the magnitudes in models, the others with various magnitudes. Two random elements are never equal, so
    that functions that choose among equal elements have an additional run in which adjacent elements are equal.

    Conditions on numbers that are never drawn, such as a padding token, have one outcome in all of these. Functions
    with such conditions have more runs; those in which float64 cannot order two numbers are left out. `undecided` says,
    by function, which ops of the last evaluation still have one outcome, and so hide what they do not select.
    """

    layer: Layer = "exact"

    def __init__(self, seed: int, weights: Mapping[str, WeightRef], runs: int = 2, *, all_steers: bool = False) -> None:
        self._leaves = [Leaves(seed + at, weights, wide=at > 0) for at in range(runs)]
        self._tied = Leaves(seed, weights, tied=True)
        self._chooses = _POSITIONS | _CHOICES if runs > 1 else _POSITIONS
        self._has_ties: dict[str, bool] = {}
        steers = (_STEERS if all_steers else _AT_BOUNDS) if runs > 1 else ()
        self._steered = [Leaves(seed, weights, steer=steer) for steer in steers]
        self._steers: dict[str, list[Leaves]] = {}
        self._compared: dict[str, Array] = {}
        self._readings = Readings(seed)
        self.undecided: dict[str, list[Hidden]] = {}

    def outputs(self, functions: Mapping[str, Function]) -> Outputs:
        found: Outputs = {}
        self.undecided = {}
        for name, function in functions.items():
            self._readings.know_sizes(size for op in function.ops for type_ in op.operand_types for size in type_.shape)
            try:
                with np.errstate(all="ignore"):
                    found[name] = self._all_runs(function)
            except NotCovered as error:
                found[name] = str(error)
        self._readings.derives = True
        return found

    def _runs(self, function: Function) -> list[Leaves]:
        """The runs of a function are the same in every module, even if a pass removes such a choice."""
        chooses = any(op.name in self._chooses for op in function.ops)
        has_ties = self._has_ties.setdefault(function.name, chooses)
        return [*self._leaves, self._tied] if has_ties else self._leaves

    def _all_runs(self, function: Function) -> list[Any]:
        """The outputs of every run, one after the other; those of a run that is left out are None."""
        outcomes = Outcomes(function)
        values = [value for leaves in self._runs(function) for value in self._run(function, leaves, outcomes)]
        unknown, known = list[Hidden](), self._steers.get(function.name)
        chosen: list[Leaves] = []
        for leaves in self._steered if known is None else known:
            compares = leaves.steer in _AT_BOUNDS and outcomes.compares
            if known is None and not compares and not outcomes.undecided():
                continue
            taken = Outcomes(function)
            try:
                more = self._run(function, leaves, taken)
            except NotCovered as error:
                if known is not None:
                    values += [None] * len(function.outputs)
                    unknown.append(Hidden(f"run {leaves.steer!a}: {error}", frozenset(function.outputs)))
                continue
            if outcomes.add(taken.taken) or compares or known is not None:
                chosen.append(leaves)
                values += more
        self._steers.setdefault(function.name, chosen)
        self.undecided[function.name] = [*outcomes.hidden(), *unknown]
        return values

    def _run(self, function: Function, leaves: Leaves, outcomes: Outcomes) -> list[Any]:
        if function.kind in ("cpu", "driver"):
            return [function.text]
        if function.name not in self._compared:
            # Arguments are drawn for the first module, which compares with these; a pass may remove comparisons.
            self._compared[function.name] = compared_by(function)
        compared = self._compared[function.name]
        arguments = [
            self._leaf(f"{function.name} {at}", type_, value, leaves, compared)
            for at, (type_, value) in enumerate(zip(function.arguments, leaves.arguments(function), strict=True))
        ]
        taken = dict[int, set[str]]()

        def watch(at: int, operands: list[Any], results: list[Any]) -> None:
            taken[at] = outcomes.record(at, operands, results)

        evaluation = Evaluation(
            ExactNumbers(self._readings, lands=leaves.tied, ordered=leaves.steer is not None),
            lambda key, type_: self._leaf(key, type_, leaves.weight(key, type_), leaves),
            watch,
        )
        values = evaluation.outputs(function, arguments)
        outcomes.add(taken)
        return values

    def _leaf(self, name: str, type_: Type, drawn: Array, leaves: Leaves, compared: Array | None = None) -> Any:
        if not type_.is_float:
            return drawn
        indices = leaves.indices(drawn.shape)
        elements = hashed((leaves.seed << 32) + crc32(name.encode()), indices)
        if leaves.steer == "bounds" and compared is not None:
            # What was moved to a constant is that one; nothing else that was drawn is equal to one.
            at = np.isin(np.abs(drawn), np.abs(compared))
            elements = np.where(at, self._readings.of(np.where(at, drawn, 0.0)), elements)
        return Exact(elements, drawn)

    def differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]:
        runs = len(before) // max(len(function.outputs), 1)
        for name, a, b in zip(function.outputs * runs, before, after, strict=True):
            if a is None or b is None:
                continue
            if isinstance(a, Exact):
                wrong, a, b = a.field.reshape(b.field.shape) != b.field, a.real, b.real
            else:
                wrong = np.asarray(np.reshape(a, np.shape(b)) != b)
            if wrong.any():
                yield difference(self.layer, function.name, name, wrong, a, b)


def engine_of(layer: Layer, weights: Mapping[str, WeightRef] | None = None, seed: int = 0) -> Engine:
    """The engine of a layer. Weights are those of the importer."""
    return InField(seed, weights or {}) if layer == "exact" else Float64(Leaves(seed, weights or {}))


@dataclass
class Chain:
    """Compares each module of a sequence with the previous one; each is evaluated once."""

    engine: Engine
    _before: Outputs | None = None
    _text: str = ""

    def add(self, module: ir.Module) -> Verdict:
        """The differences to the previous module; none for the first."""
        text = str(module)
        if text == self._text:
            return Verdict(self.engine.layer, ())
        self._text = text
        return self.add_functions(functions_of(module))

    def zeros(self, functions: Mapping[str, Function]) -> list[str]:
        """The outputs of the last module all of whose elements are 0 in all runs: they prove nothing about their
        producers."""
        found = []
        for name, function in functions.items():
            values = (self._before or {}).get(name)
            if isinstance(values, list) and function.kind not in ("cpu", "driver"):
                count = len(function.outputs)
                found += [
                    output
                    for at, output in enumerate(function.outputs)
                    if all(_is_zero(value) for value in values[at::count] if value is not None)
                ]
        return found

    def add_functions(self, functions: Mapping[str, Function]) -> Verdict:
        """`add` for functions by name."""
        after = self.engine.outputs(functions)
        before, self._before = self._before, after
        if before is None:
            return Verdict(self.engine.layer, ())
        return verdict_of(self.engine, functions, before, after)


def verdict_of(engine: Engine, functions: Mapping[str, Function], before: Outputs, after: Outputs) -> Verdict:
    """The differences between the outputs of `functions`, the later version, and those before."""
    differences: list[Difference] = []
    gaps: list[str] = []
    for name in {**before, **after}:
        old, new = before.get(name, "no such function before"), after.get(name, "no such function after")
        if isinstance(old, str) or isinstance(new, str):
            gaps.append(f"function {name!a}: {old if isinstance(old, str) else new}")
        elif functions[name].kind in ("cpu", "driver"):
            gaps += [f"function {name!a} is not of the forge dialect, and changed"] if old != new else []
        elif len(old) != len(new) or any(map(_differ_in_extents, old, new)):
            gaps.append(f"function {name!a} has outputs of other shapes")
        elif any(map(_differ_in_kind, old, new)):
            gaps.append(f"function {name!a} has integers as outputs that were floats, or floats that were integers")
        else:
            differences += engine.differences(functions[name], old, new)
    return Verdict(engine.layer, tuple(differences), tuple(gaps), sum(len(f.outputs) for f in functions.values()))


def _is_zero(value: Any) -> bool:
    return isinstance(value, Exact) and value.field.size > 0 and not value.field.any()


def _differ_in_extents(old: Any, new: Any) -> bool:
    return old is not None and new is not None and _extents(old) != _extents(new)


def _differ_in_kind(old: Any, new: Any) -> bool:
    return old is not None and new is not None and isinstance(old, Exact) != isinstance(new, Exact)


def _extents(value: Any) -> list[int]:
    """The sizes of an output without those of 1: rank 0 is [1] on the device."""
    array = value.real if isinstance(value, Exact) else np.asarray(value)
    return [size for size in array.shape if size != 1]


def compare(
    before: ir.Module,
    after: ir.Module,
    weights: Mapping[str, WeightRef] | None = None,
    *,
    layer: Layer = "float64",
    seed: int = 0,
) -> Verdict:
    """Compares functions of equal names in both modules, with the same random arguments and weights."""
    chain = Chain(engine_of(layer, weights, seed))
    chain.add(before)
    return chain.add(after)
