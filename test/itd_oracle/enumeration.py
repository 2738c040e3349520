"""Computes answers by enumeration: every element of the tensor is mapped forward through the schedule to its
position."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from itd_oracle.programs import QUERIES, Command

Array = NDArray[np.int64]


Step = tuple[str, list[int], list[int], tuple[int, ...]]
"""Kind, inputs, outputs and parameters of an expression."""


class Refusal(Exception):
    """The command of the program is invalid."""


@dataclass
class Buffer:
    """A schedule of small static extents."""

    roots: list[int]
    extents: list[int] = field(default_factory=list)  # of all IDs
    leaves: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        if any(not 0 <= root < 2**63 for root in self.roots):
            raise Refusal
        self.extents = list(self.roots)
        self.leaves = list(range(len(self.roots)))

    def _step(self, kind: str, positions: list[int], extents: list[int], *parameters: int) -> None:
        inputs = [self.leaves[position] for position in positions]
        outputs = list(range(len(self.extents), len(self.extents) + len(extents)))
        # New lists, so that a copy that was stored does not change.
        self.extents = self.extents + extents
        self.steps = [*self.steps, (kind, inputs, outputs, parameters)]
        place = self.leaves.index(inputs[0])
        leaves = [*self.leaves[:place], *outputs, *self.leaves[place + 1 :]]
        self.leaves = [leaf for leaf in leaves if leaf not in inputs]

    def _extent(self, position: int) -> int:
        if not 0 <= position < len(self.leaves):
            raise Refusal
        return self.extents[self.leaves[position]]

    def apply(self, command: Command) -> None:
        match command:
            case ("split", int(leaf), int(factor)) if factor > 0:
                self._step("split", [leaf], [-(-self._extent(leaf) // factor), factor])
            case ("split", int(leaf), int(factor), "outer") if factor > 0:
                self._step("split", [leaf], [factor, -(-self._extent(leaf) // factor)])
            case ("merge", int(leaf)):
                self._step("merge", [leaf, leaf + 1], [self._extent(leaf) * self._extent(leaf + 1)])
            case ("resize", int(leaf), int(left), int(right)) if self._extent(leaf) + left + right >= 0:
                self._step("resize", [leaf], [self._extent(leaf) + left + right], left)
            case ("swizzle", int(x), int(y), str(kind)) if x != y:
                sizes = [self._extent(x), self._extent(y)]
                ix, iy = np.indices(sizes)
                image = backward_swizzle(kind, ix, iy, sizes[1])
                if image.size and (image.min() < 0 or image.max() >= sizes[1]):
                    raise Refusal
                self._step(kind, [x, y], sizes)
            case ("reorder", *order) if sorted(order) == list(range(len(self.leaves))):
                self.leaves = [self.leaves[int(place)] for place in order]
            case _:
                raise Refusal

    @property
    def shape(self) -> list[int]:
        return [self.extents[leaf] for leaf in self.leaves]

    def contents(self) -> Array:
        """The element at each position; -1 for a hole."""
        elements = np.arange(np.prod(self.roots, dtype=np.int64))
        where = dict(enumerate(np.unravel_index(elements, self.roots))) if elements.size else {}
        if not elements.size:
            return np.full(int(np.prod(self.shape, dtype=np.int64)), -1)
        kept = np.ones(elements.size, dtype=bool)
        for kind, inputs, outputs, parameters in self.steps:
            images = _forward(
                kind, [where[i] for i in inputs], [self.extents[i] for i in [*inputs, *outputs]], parameters
            )
            for output, image in zip(outputs, images, strict=True):
                where[output] = image
                kept &= (image >= 0) & (image < self.extents[output])
        buffer = np.full(int(np.prod(self.shape, dtype=np.int64)), -1)
        if kept.any():
            places = np.ravel_multi_index([where[leaf][kept] for leaf in self.leaves], self.shape)
            buffer[places] = elements[kept]
            assert np.count_nonzero(buffer >= 0) == places.size, "two elements in one place"
        return buffer

    def indices(self) -> dict[int, Array]:
        """The index of every ID at every position, also where it is out of bounds."""
        positions = np.arange(np.prod(self.shape, dtype=np.int64))
        index = dict(zip(self.leaves, np.unravel_index(positions, self.shape), strict=True)) if positions.size else {}
        for kind, inputs, outputs, parameters in reversed(self.steps if positions.size else []):
            images = self.backward(kind, [index[output] for output in outputs], inputs, outputs, *parameters)
            index.update(zip(inputs, images, strict=True))
        return index

    def backward(
        self, kind: str, at: list[Array], inputs: list[int], outputs: list[int], *parameters: int
    ) -> list[Array]:
        """The indices of the inputs of an expression, computed from those of its outputs."""
        size = self.extents[inputs[-1]]
        match kind:
            case "split":
                return [at[0] * self.extents[outputs[1]] + at[1]]
            case "merge":
                return list(np.divmod(at[0], size)) if size else [at[0], at[0] * 0]
            case "resize":
                return [at[0] - parameters[0]]
            case _:
                return [at[0], backward_swizzle(kind, at[0], at[1], size)]

    def divisible(self, step: Step) -> bool:
        """Whether every pair of output indices that is in bounds maps to an element of the input."""
        _, inputs, (outer, inner), _ = step
        outers, inners = np.indices([self.extents[outer], self.extents[inner]])
        return bool((outers * self.extents[inner] + inners < self.extents[inputs[0]]).all())

    def hole_creating(self) -> list[int]:
        """The inputs of splits with a remainder and of resizes that add elements."""
        inputs = []
        for step in self.steps:
            kind, ins, outs, parameters = step
            if kind == "split" and not self.divisible(step):
                inputs += ins
            right = self.extents[outs[0]] - self.extents[ins[0]] - sum(parameters)
            if kind == "resize" and (parameters[0] > 0 or right > 0):
                inputs += ins
        return sorted(inputs)

    def equal(self, other: Buffer) -> str:
        if self.shape != other.shape:
            return f"no (extents {'x'.join(map(str, self.shape))} vs {'x'.join(map(str, other.shape))})"
        first, second = self.contents(), other.contents()
        differing = np.flatnonzero(first != second)
        if differing.size:
            position = differing[0]
            return f"no (position {position}: {first[position]} vs {second[position]})"
        holes = first < 0
        if not holes.any():
            return "yes"
        ours, theirs = self.indices(), other.indices()
        same = len(self.roots) == len(other.roots) and all(
            (ours[root][holes] == theirs[root][holes]).all() for root in range(len(self.roots))
        )
        return "yes" if same else "modulo-holes"


def backward_swizzle(kind: str, x: Array, y: Array, size: int) -> Array:
    match kind:
        case _ if size == 0:
            return y
        case "xor":
            return x ^ y
        case "zshape":
            return np.where(x % 2 == 0, y, size - 1 - y)
        case "cyclic":
            return (x + y) % size
    raise Refusal


def _forward(kind: str, inputs: list[Array], extents: list[int], parameters: tuple[int, ...]) -> list[Array]:
    """The output indices of elements; `extents` are those of the inputs, then of the outputs."""
    match kind:
        case "split":
            return list(np.divmod(inputs[0], max(extents[2], 1)))  # A tensor with an extent of 0 has no elements.
        case "merge":
            return [inputs[0] * extents[1] + inputs[1]]
        case "resize":
            return [inputs[0] + parameters[0]]
        case "zshape":
            return [inputs[0], np.where(inputs[0] % 2 == 0, inputs[1], extents[1] - 1 - inputs[1])]
        case "cyclic":
            return [inputs[0], (inputs[1] - inputs[0]) % max(extents[1], 1)]
        case _:
            return [inputs[0], inputs[0] ^ inputs[1]]


def map_text(contents: Array) -> str:
    """The text of a map, such as `0..4 _x3`."""
    if not contents.size:
        return ""
    holes = contents == -1
    breaks = np.flatnonzero(~((holes[1:] & holes[:-1]) | (~holes[1:] & ~holes[:-1] & (np.diff(contents) == 1)))) + 1
    words = []
    for run in np.split(contents, breaks):
        words.append(f"_x{run.size}" if run[0] < 0 else f"{run[0]}..{run[-1]}" if run.size > 1 else str(run[0]))
    return " ".join(words)


B = TypeVar("B", bound=Buffer)


def _tiled(command: Command, make: Callable[[list[int]], B]) -> B:
    """The 32 x 32 tile layout of a shape."""
    words = command[1:]
    collapse = words[-1] == "collapse"
    shape = [int(size) for size in (words[:-1] if collapse else words)]
    buffer = make([1, *shape] if len(shape) == 1 else shape)
    while collapse and len(buffer.leaves) > 2:
        buffer.apply(("merge", 0))
    rows = len(buffer.leaves) - 2
    buffer.apply(("split", rows, 32))
    buffer.apply(("split", rows + 2, 32))
    buffer.apply(("reorder", *range(rows), rows, rows + 2, rows + 1, rows + 3))
    return buffer


def replay(commands: Sequence[Command], make: Callable[[list[int]], B]) -> Iterator[tuple[Command, list[B]]]:
    """Each command that has an answer, with the schedules that it refers to; without any if it must be refused."""
    current: B | None = None
    kept: list[B] = []
    for command in commands:
        try:
            match command:
                case ("root", *extents):
                    current = make([int(extent) for extent in extents])
                case ("tile", *_):
                    current = _tiled(command, make)
                case ("keep",) if current:
                    kept.append(copy(current))
                case ("equal",):
                    yield command, kept[-2:]
                case ("query", query) if current and query in QUERIES:
                    yield command, [current]
                case _ if current:
                    current.apply(command)
        except Refusal:
            yield command, []


def answer(command: Command, buffers: Sequence[Buffer]) -> str:
    """The line that forge-itd must print, except for predicates."""
    if command == ("equal",):
        return f"equal: {buffers[0].equal(buffers[1])}"
    (buffer,) = buffers
    match command[1]:
        case "extents":
            return f"extents: {'x'.join(map(str, buffer.shape))}"
        case "alloc":
            size, logical = math.prod(buffer.shape), math.prod(buffer.roots)
            ratio = size / logical if logical else math.inf if size else math.nan
            return f"alloc: {size} logical: {logical} holes: {size - logical} ratio: {ratio:.4f}"
        case "divisible":
            answers = ["yes" if buffer.divisible(step) else "no" for step in buffer.steps if step[0] == "split"]
            return f"divisible: {' '.join(answers) or 'none'}"
        case "naive":
            guards = [f"I{id} >= 0, I{id} < {buffer.extents[id]}" for id in buffer.hole_creating()]
            return f"naive: {', '.join(guards) or 'none'}"
        case _:
            return f"map: {map_text(buffer.contents())}".rstrip()
