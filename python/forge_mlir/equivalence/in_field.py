"""Compares functions by their results in a finite field, in which nothing is rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from zlib import crc32

import numpy as np

from forge_mlir.equivalence.differences import Difference, Layer, Outputs, difference, moved_by, within_rounding
from forge_mlir.equivalence.in_float64 import limit_of, unequal, unit_of_16_bits
from forge_mlir.equivalence.interpreter import Evaluation
from forge_mlir.equivalence.leaves import Leaves, Steer, compared_by, has_large_integers
from forge_mlir.equivalence.numbers.exact import Exact, ExactNumbers
from forge_mlir.equivalence.numbers.field import hashed
from forge_mlir.equivalence.numbers.readings import Readings
from forge_mlir.equivalence.outcomes import COMPARISONS, Hidden, Outcomes
from forge_mlir.equivalence.program import Array, Function, NotCovered, Type
from forge_mlir.onnx_model.storage.weights import WeightRef

_POSITIONS = frozenset(["forge.argmax"])
_CHOICES = COMPARISONS | {"forge.remainder"}
"""Ops whose result depends on ties, or on midpoints between integers."""
_AT_BOUNDS: tuple[Steer, ...] = ("bounds", "beside")
_STEERS: tuple[Steer, ...] = (*_AT_BOUNDS, "rows", "tiny", "small", "spread", "large")

_DRAWS, _ROUNDING = 2, 2.0**-23
"""How many times constants are moved by a rounding, and that of one that a pass computed in two steps in float32."""
_ROUNDED = "the difference may be the rounding of a constant, of which it is not known how a pass computed it"

_BITS = (31, 30, 28, 25, 22, 18, 15, 10)
"""Of the integers to try: the largest ones with which the first version of a function stays within Int32."""


class _Values(list[Any]):
    """The outputs of every run of a function, the leaves of these runs, and the outcomes of its conditions."""

    def __init__(self, values: list[Any], function: Function, outcomes: Outcomes, leaves: list[Leaves]) -> None:
        super().__init__(values)
        self.function, self.outcomes, self.leaves = function, outcomes, leaves

    def hidden_besides(self, other: _Values) -> list[str]:
        """The conditions that have one outcome in all runs and that `other` does not have."""
        return [*(self.outcomes.keys() - other.outcomes.keys())]


class InField:
    """Evaluates every op in a finite field, on random elements; elements are either equal or not.

    Operands that a comparison or maximum does not select are not observed, so that there are several `runs`: one with
    numbers of the magnitudes in models, the others with various magnitudes. Two random elements are never equal, so
    that functions that choose among equal elements have an additional run in which adjacent elements are equal.

    Conditions on numbers that are never drawn, such as a padding token, have one outcome in all of these. Functions
    with such conditions have more runs; those in which float64 cannot order two numbers are left out. `undecided` says,
    by function, which ops of the last evaluation still have one outcome, and so hide what they do not select. If they
    are other ones than before, both functions have more runs, with arguments for the conditions of the other one.
    `untied` says which comparisons had no equal operands, and `rounded` which functions differ only by what the
    rounding of a constant explains. Modules `of_passes` may differ by constants that were rounded to a 16-bit format.
    """

    layer: Layer = "exact"

    def __init__(self, seed: int, weights: Mapping[str, WeightRef], runs: int = 2) -> None:
        self._leaves = [Leaves(seed + at, weights, wide=at > 0) for at in range(runs)]
        self._tied = Leaves(seed, weights, tied=True)
        self._chooses = _POSITIONS | _CHOICES if runs > 1 else _POSITIONS
        self._has_ties: dict[str, bool] = {}
        self._seed, self._weights, self._steering = seed, weights, _STEERS if runs > 1 else ()
        self._steered = self._of_steers()
        self._steers: dict[str, list[Leaves]] = {}
        self._compared: dict[str, Array] = {}
        self._readings = Readings(seed)
        self.undecided: dict[str, list[Hidden]] = {}
        self.untied: dict[str, list[Hidden]] = {}
        self.rounded: dict[str, str] = {}
        self.of_passes = True

    def outputs(self, functions: Mapping[str, Function]) -> Outputs:
        found: Outputs = {}
        self.undecided, self.untied, self.rounded = {}, {}, {}
        self._readings.begin()
        for name, function in functions.items():
            self._readings.know_sizes(size for op in function.ops for type_ in op.operand_types for size in type_.shape)
            try:
                with np.errstate(all="ignore"):
                    found[name] = self._all_runs(function)
            except NotCovered as error:
                found[name] = str(error)
        self._readings.derives = True
        return found

    def _of_steers(self) -> list[Leaves]:
        large = [
            Leaves(self._seed, self._weights, steer="integers", most=1 << bits) for bits in _BITS if self._steering
        ]
        return [*(Leaves(self._seed, self._weights, steer=steer) for steer in self._steering), *large]

    def _runs(self, function: Function) -> list[Leaves]:
        """The runs of a function are the same in every module, even if a pass removes such a choice."""
        chooses = any(op.name in self._chooses for op in function.ops)
        has_ties = self._has_ties.setdefault(function.name, chooses)
        return [*self._leaves, self._tied] if has_ties else self._leaves

    def _all_runs(self, function: Function) -> list[Any]:
        """The outputs of every run, one after the other; those of a run that is left out are None."""
        outcomes = Outcomes(function)
        runs = [*self._runs(function)]
        values = [value for leaves in runs for value in self._run(function, leaves, outcomes)]
        unknown, known = list[Hidden](), self._steers.get(function.name)
        chosen: list[Leaves] = []
        for leaves in self._steered if known is None else known:
            compares = leaves.steer in _AT_BOUNDS and outcomes.compares
            if leaves.steer == "integers":
                compares = has_large_integers(function) and not any(each.most for each in chosen)
            if known is None and not compares and (leaves.most or not outcomes.undecided()):
                continue
            taken = Outcomes(function)
            try:
                more = self._run(function, leaves, taken)
            except NotCovered as error:
                if known is not None:
                    values += [None] * len(function.outputs)
                    runs.append(leaves)
                    unknown.append(Hidden(f"run {leaves.steer!a}: {error}", frozenset(function.outputs)))
                continue
            if outcomes.add(taken.taken) or compares or known is not None:
                chosen.append(leaves)
                runs.append(leaves)
                values += more
        self._steers.setdefault(function.name, chosen)
        self.undecided[function.name] = [*outcomes.hidden(), *unknown]
        self.untied[function.name] = outcomes.untied()
        return _Values(values, function, outcomes, runs)

    def _run(
        self,
        function: Function,
        leaves: Leaves,
        outcomes: Outcomes,
        compared: Array | None = None,
        moved: Callable[[Array], Array] | None = None,
    ) -> list[Any]:
        if function.kind in ("cpu", "driver"):
            return [function.text]
        if function.name not in self._compared:
            # Arguments are drawn for the first module, which compares with these; a pass may remove comparisons.
            self._compared[function.name] = compared_by(function)
        compared = self._compared[function.name] if compared is None else compared
        arguments = [
            self._leaf(f"{function.name} {at}", type_, value, leaves, compared)
            for at, (type_, value) in enumerate(zip(function.arguments, leaves.arguments(function), strict=True))
        ]
        taken = dict[int, set[str]]()

        def watch(at: int, operands: list[Any], results: list[Any]) -> None:
            taken[at] = outcomes.record(at, operands, results)

        evaluation = Evaluation(
            ExactNumbers(self._readings, lands=leaves.tied, ordered=leaves.steer is not None, moved=moved),
            lambda key, type_: self._leaf(key, type_, leaves.weight(key, type_), leaves),
            watch,
            # A later module has to give the same integers without overflowing.
            stops_at_overflow=leaves.steer == "integers" and function.name not in self._steers,
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
        self.rounded.pop(function.name, None)
        if isinstance(before, _Values) and isinstance(after, _Values):
            for a, b in self._more_runs(before, after):
                yield from self._differences(function, a, b)
        yield from self._differences(function, before, after)

    def _more_runs(self, before: _Values, after: _Values) -> Iterable[tuple[list[Any], list[Any]]]:
        """The outputs of both functions in runs for conditions that only one of them has and that have one outcome."""
        for one, other in ((before, after), (after, before)):
            for leaves in self._of_steers() if one.hidden_besides(other) else []:
                leaves.arguments(one.function)
                compared, outcomes = compared_by(one.function), [Outcomes(each.function) for each in (before, after)]
                try:
                    with np.errstate(all="ignore"):
                        runs = [
                            self._run(each.function, leaves, taken, compared)
                            for each, taken in zip((before, after), outcomes, strict=True)
                        ]
                except NotCovered:
                    continue
                for each, taken in zip((before, after), outcomes, strict=True):
                    each.outcomes.add(taken.taken)
                yield runs[0], _Values(runs[1], after.function, outcomes[1], [leaves])

    def gaps(self, function: Function, before: list[Any], after: list[Any]) -> list[str]:
        if not isinstance(before, _Values) or not isinstance(after, _Values):
            return []
        if rounded := self.rounded.get(function.name):
            return [rounded]
        # Others of the later function are mostly forms of conditions that the earlier one decides.
        gone = before.hidden_besides(after)
        return [f"{key} of function {function.name!a} has one outcome in every run, and is gone" for key in gone[:1]]

    def _differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]:
        for at, (a, b) in enumerate(zip(before, after, strict=True)):
            if a is None or b is None:
                continue
            name = function.outputs[at % len(function.outputs)]
            if isinstance(a, Exact):
                wrong, a, b = a.field.reshape(b.field.shape) != b.field, a.real.reshape(b.real.shape), b.real
            else:
                a = np.reshape(a, np.shape(b))
                wrong = np.asarray(a != b)
            if wrong.any() and isinstance(after, _Values):
                real = wrong & ~self._is_rounding(after, at, a, b)
                if not real.any():
                    self.rounded[function.name] = f"output {name!a}: {_ROUNDED}"
                wrong = real
            if wrong.any():
                yield difference(self.layer, function.name, name, wrong, a, b)

    def _is_rounding(self, values: _Values, at: int, before: Array, after: Array) -> Array:
        """Which elements of the value at a position differ by no more than it moves if each constant that a pass may
        have computed is moved by a rounding."""
        function = values.function
        unit, none = unit_of_16_bits(function) if self.of_passes else 0.0, np.zeros(np.shape(after), bool)
        if function.kind in ("cpu", "driver"):
            return none
        run, output = divmod(at, len(function.outputs))
        moved = np.zeros(np.shape(after))
        for seed in range(_DRAWS):
            random = np.random.default_rng(seed)

            def move(elements: Array, random: np.random.Generator = random) -> Array:
                signs = random.choice([-1.0, 1.0], elements.shape)
                where = self._readings.uncertain(elements, in_16_bits=unit > 0)
                return np.where(where, elements * (1 + max(unit, _ROUNDING) * signs), elements)

            try:
                with np.errstate(all="ignore"):
                    found = self._run(function, values.leaves[run], Outcomes(function), moved=move)[output]
            except NotCovered:
                return none
            real = found.real if isinstance(found, Exact) else np.asarray(found)
            moved = moved_by(moved, np.reshape(real, np.shape(after)), after)
        found = within_rounding(before, after, moved)
        # In 16 bits, a quantiser may give the next number.
        return found | ~unequal(before, after, limit_of(function)) if unit and moved.any() else found
