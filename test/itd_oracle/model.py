"""A second implementation of forge-itd's rules, which maps positions backward to elements, and whose rules can be
replaced.

It computes predicates by the simple walk over intervals. The number of these for the correct rules is the largest
number that forge-itd may print.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from itd_oracle.enumeration import Array, Buffer, Refusal, answer, backward_swizzle, replay
from itd_oracle.programs import Command

Guard = tuple[int, bool]
"""ID, and whether it is the lower bound."""


def _closed(kind: str, x: int, y: int) -> bool:
    return kind != "xor" or x <= 1 or y % (1 << (x - 1).bit_length()) == 0


@dataclass(frozen=True)
class Rules:
    """The rules that determine the answers; see sections A.2 and A.4 of the theory."""

    quotient: Callable[[int, int], int] = lambda extent, factor: -(-extent // factor)
    outer_split: Callable[[int, int], list[int]] = lambda factor, quotient: [factor, quotient]
    split_index: Callable[[Array, Array, int, int], Array] = lambda outer, inner, width, _: outer * width + inner
    merge_bound: Callable[[int, int], int] = lambda bound, width: bound // width
    resize_index: Callable[[Array, int], Array] = lambda out, left: out - left
    swizzle_index: Callable[[str, Array, Array, int], Array] = backward_swizzle
    closed: Callable[[str, int, int], bool] = _closed
    divisible: Callable[[int, int, int], bool] = lambda extent, outer, inner: outer * inner == extent
    resize_makes_holes: Callable[[int, int], bool] = lambda left, right: left > 0 or right > 0
    equal_modulo_holes: bool = True
    # Guards that are not needed.
    inner_deferred: Callable[[int, int, int], bool] = lambda least, width, extent: (least + 1) * width >= extent
    resize_deferred: Callable[[int], bool] = lambda growth: growth >= 0
    swizzle_deferred: Callable[[str], bool] = lambda kind: kind != "xor"


@dataclass
class Model(Buffer):
    rules: Rules = field(default_factory=Rules)

    def apply(self, command: Command) -> None:
        match command:
            case ("split", int(leaf), int(factor)) if factor > 0:
                self._step("split", [leaf], [self.rules.quotient(self._extent(leaf), factor), factor])
            case ("split", int(leaf), int(factor), "outer") if factor > 0:
                quotient = self.rules.quotient(self._extent(leaf), factor)
                self._step("split", [leaf], self.rules.outer_split(factor, quotient))
            case ("swizzle", int(x), int(y), str(kind)) if x != y:
                sizes = [self._extent(x), self._extent(y)]
                if not self.rules.closed(kind, *sizes):
                    raise Refusal
                self._step(kind, [x, y], sizes)
            case _:
                super().apply(command)

    def backward(
        self, kind: str, at: list[Array], inputs: list[int], outputs: list[int], *parameters: int
    ) -> list[Array]:
        size = self.extents[inputs[-1]]
        match kind:
            case "split":
                factor = self.extents[outputs[0]]
                return [self.rules.split_index(at[0], at[1], self.extents[outputs[1]], factor)]
            case "resize":
                return [self.rules.resize_index(at[0], parameters[0])]
            case "xor" | "zshape" | "cyclic":
                return [at[0], self.rules.swizzle_index(kind, at[0], at[1], size)]
        return super().backward(kind, at, inputs, outputs, *parameters)

    def contents(self) -> Array:
        index = self.indices()
        size = int(np.prod(self.shape, dtype=np.int64))
        element, valid = np.zeros(size, dtype=np.int64), np.ones(size, dtype=bool)
        for id, at in index.items():
            valid &= (at >= 0) & (at < self.extents[id])
        for root in range(len(self.roots) if size else 0):
            element = element * self.roots[root] + index[root]
        return np.where(valid, element, -1)

    def divisible(self, step: tuple[str, list[int], list[int], tuple[int, ...]]) -> bool:
        _, inputs, (outer, inner), _ = step
        return self.rules.divisible(self.extents[inputs[0]], self.extents[outer], self.extents[inner])

    def hole_creating(self) -> list[int]:
        inputs = []
        for step in self.steps:
            kind, ins, outs, parameters = step
            if kind == "resize":
                right = self.extents[outs[0]] - self.extents[ins[0]] - parameters[0]
                makes = self.rules.resize_makes_holes(parameters[0], right)
            else:
                makes = kind == "split" and not self.divisible(step)
            inputs += ins if makes else []
        return sorted(inputs)

    def equal(self, other: Buffer) -> str:
        result = super().equal(other)
        return result if self.rules.equal_modulo_holes else result.replace("modulo-holes", "yes")

    def predicates(self) -> list[Guard]:
        """The walk from the leaves to the roots that keeps an interval per ID."""
        if 0 in self.shape:
            return []
        interval = {leaf: (0, self.extents[leaf] - 1) for leaf in self.leaves}
        guards: list[Guard] = []

        def settle(id: int, lower_deferred: bool, upper_deferred: bool) -> tuple[int, int]:
            low, high = interval[id]
            if low < 0 and not lower_deferred:
                guards.append((id, True))
                low = 0
            if high >= self.extents[id] and not upper_deferred:
                guards.append((id, False))
                high = self.extents[id] - 1
            return low, high

        for kind, inputs, outputs, parameters in reversed(self.steps):
            size = self.extents[inputs[-1]]
            match kind:
                case "split":
                    outer, width = interval[outputs[0]], self.extents[outputs[1]]
                    deferred = outer[1] <= 0, self.rules.inner_deferred(outer[0], width, size)
                    low, high = settle(outputs[1], *deferred)
                    interval[inputs[0]] = outer[0] * width + low, outer[1] * width + high
                case "merge":
                    low, high = settle(outputs[0], size > 0, size > 0)
                    interval[inputs[0]] = (
                        (self.rules.merge_bound(low, size), self.rules.merge_bound(high, size)) if size else (0, -1)
                    )
                    interval[inputs[1]] = 0, size - 1
                case "resize":
                    left = parameters[0]
                    right = self.extents[outputs[0]] - size - left
                    low, high = settle(outputs[0], self.rules.resize_deferred(left), self.rules.resize_deferred(right))
                    interval[inputs[0]] = low - left, high - left
                case _:
                    settle(outputs[1], False, False)
                    deferred = (self.rules.swizzle_deferred(kind),) * 2
                    interval[inputs[0]] = settle(outputs[0], *deferred)
                    interval[inputs[1]] = 0, size - 1
        for root in range(len(self.roots)):
            settle(root, False, False)
        return guards


def answers(commands: Sequence[Command], rules: Rules) -> list[str]:
    """The output of a forge-itd with these rules."""
    lines = []
    for command, models in replay(commands, lambda roots: Model(roots, rules=rules)):
        if not models:
            lines.append("error: refused")
        elif command == ("query", "predicates"):
            guards = sorted((id, not lower) for id, lower in models[0].predicates())
            texts = [f"I{id} < {models[0].extents[id]}" if upper else f"I{id} >= 0" for id, upper in guards]
            lines.append(f"predicates: {', '.join(texts) or 'none'}")
        else:
            lines.append(answer(command, models))
    return lines
