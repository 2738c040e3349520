"""Compares two modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from torch_mlir import ir

from forge_mlir.equivalence.differences import Difference, Layer, Outputs
from forge_mlir.equivalence.in_field import InField
from forge_mlir.equivalence.in_float64 import Float64, Infinities
from forge_mlir.equivalence.leaves import Leaves, SpecialLeaves
from forge_mlir.equivalence.numbers.exact import Exact
from forge_mlir.equivalence.program import Function, functions_of
from forge_mlir.onnx_model.storage.weights import WeightRef


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


class Engine(Protocol):
    """Evaluates modules with equal arguments and weights."""

    layer: Layer

    def outputs(self, functions: Mapping[str, Function]) -> Outputs: ...

    def differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]: ...

    def gaps(self, function: Function, before: list[Any], after: list[Any]) -> list[str]:
        """What may differ although the outputs do not."""
        ...


def engine_of(layer: Layer, weights: Mapping[str, WeightRef] | None = None, seed: int = 0) -> Engine:
    """The engine of a layer. Weights are those of the importer."""
    match layer:
        case "float64":
            return Float64(Leaves(seed, weights or {}))
        case "infinities":
            return Infinities(SpecialLeaves(seed, weights or {}))
        case "exact":
            return InField(seed, weights or {})


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
            found = list(engine.differences(functions[name], old, new))
            differences += found
            gaps += [] if found else engine.gaps(functions[name], old, new)
    return Verdict(engine.layer, tuple(differences), tuple(gaps), sum(len(f.outputs) for f in functions.values()))


def _is_zero(value: Any) -> bool:
    return isinstance(value, Exact) and value.field.size > 0 and not value.field.any()


def _differ_in_extents(old: Any, new: Any) -> bool:
    return old is not None and new is not None and _extents(old) != _extents(new)


def _differ_in_kind(old: Any, new: Any) -> bool:
    return old is not None and new is not None and isinstance(old, Exact) != isinstance(new, Exact)


def _extents(value: Any) -> tuple[int, ...]:
    """The sizes of an output; rank 0 is [1] on the device."""
    array = value.real if isinstance(value, Exact) else np.asarray(value)
    return array.shape or (1,)


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
