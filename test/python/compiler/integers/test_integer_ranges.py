"""The value ranges that --forge-check-integers derives, compared with what random programs compute."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from torch_mlir import ir

from forge_mlir.bisect.interpreter import Interpreter
from forge_mlir.compiler.pass_pipeline import run_pipeline
from forge_mlir.dialects import forge

Array = npt.NDArray[Any]
Interval = tuple[float, float]

CHECK = "builtin.module(func.func(forge-check-integers{annotate=true}))"
SIZE = 6

# The generic form of integer ops: attributes, operands, and the type of the result.
UNARY = {
    "abs": "", "relu": "", "cum_sum": "dim = 0 : i64", "reduce_sum": "dim = 0 : i64, keep_dim = true",
    "reduce_max": "dim = 0 : i64, keep_dim = true", "argmax": "dim = 0 : i64, keep_dim = true",
    "logical_not": "",
}  # fmt: skip
BINARY = (
    "add", "subtract", "multiply", "max", "min", "remainder", "bitwise_and", "equal", "not_equal", "less", "greater",
    "less_equal", "greater_equal", "quotient",
)  # fmt: skip
REDUCED = ("reduce_sum", "reduce_max", "argmax")


class Program:
    """A random program of integer ops on vectors, with ranges of its inputs; every result is an output."""

    def __init__(self, rng: np.random.Generator, steps: int) -> None:
        self.rng = rng
        self.ranges = [self._range() for _ in range(3)]
        self.kinds: list[str] = []
        self.lines: list[str] = []
        self.types = [f"tensor<{SIZE}xi32>"] * 3
        self.names = [f"%x{at}" for at in range(3)]
        for _ in range(steps):
            self._add(str(rng.choice([*UNARY, *BINARY, "where", "concatenate"])))

    def _range(self) -> tuple[int, int]:
        widest = int(self.rng.choice([3, 10, 300]))
        ends = self.rng.integers(-widest, widest + 1, 2)
        return int(ends.min()), int(ends.max())

    def _operand(self) -> int:
        return int(self.rng.integers(len(self.names)))

    def _add(self, kind: str) -> None:
        count = 1 if kind in UNARY else 3 if kind == "where" else 2
        operands = [self._operand() for _ in range(count)]
        sizes = [self.types[at] for at in operands]
        whole = f"tensor<{SIZE}xi32>"
        result = "tensor<1xi32>" if kind in REDUCED else whole if whole in sizes else "tensor<1xi32>"
        attributes = UNARY.get(kind, "")
        if kind == "concatenate":
            total = sum(int(size[7:-5]) for size in sizes)
            if total > SIZE:
                return
            result, attributes = f"tensor<{total}xi32>", "axis = 0 : i64"
            if result != whole and total != 1:
                return
        name = f"%v{len(self.lines)}"
        arguments = ", ".join(self.names[at] for at in operands)
        self.lines.append(f'{name} = "forge.{kind}"({arguments}) {{{attributes}}} : ({", ".join(sizes)}) -> {result}')
        self.kinds.append(kind)
        self.names.append(name)
        self.types.append(result)

    def text(self) -> str:
        arguments = ", ".join(
            f'%x{at}: tensor<{SIZE}xi32> {{forge.onnx_name = "x{at}", forge.range = array<i64: {low}, {high}>}}'
            for at, (low, high) in enumerate(self.ranges)
        )
        results = ", ".join(f'{kind} {{forge.onnx_name = "y{at}"}}' for at, kind in enumerate(self.types[3:]))
        body = "\n  ".join(self.lines)
        given = f"{', '.join(self.names[3:])} : {', '.join(self.types[3:])}"
        return f"func.func @f({arguments}) -> ({results}) {{\n  {body}\n  return {given}\n}}"

    def inputs(self) -> Mapping[str, Array]:
        return {
            f"x{at}": self.rng.integers(low, high + 1, SIZE).astype(np.int32)
            for at, (low, high) in enumerate(self.ranges)
        }


def parsed(text: str) -> ir.Module:
    context = ir.Context()
    forge.register(context)
    with context:
        return ir.Module.parse(text)


def intervals(text: str) -> tuple[ir.Module, list[Interval]]:
    """The module, and the range that the pass derives for each of its ops."""
    module = parsed(text)
    run_pipeline(module, CHECK)
    found = []
    for operation in module.body.operations[0].regions[0].blocks[0].operations:
        if "forge.interval" in operation.attributes:
            low, high = ir.DenseF64ArrayAttr(operation.attributes["forge.interval"])
            found.append((low, high))
            del operation.attributes["forge.interval"]
    return module, found


# Ops whose derived range is tight, however wide the ranges of their operands are.
TIGHT = {"abs", "add", "equal", "less", "max", "min", "multiply", "not_equal", "subtract", "where"}


def test_a_wrong_rule_is_found() -> None:
    """If one end of a range is made narrower, some values of a random program are outside of it."""
    found: dict[str, set[int]] = {kind: set() for kind in TIGHT}
    for kind, (low, high), observed in (row for seed in range(60) for row in observations(seed)):
        for end, wrong in enumerate(((low + 1, high), (low, high - 1))):
            if kind in TIGHT and low < high and outside(observed, wrong):
                found[kind].add(end)
    assert found == {kind: {0, 1} for kind in TIGHT}


def outside(observed: Array, interval: Interval) -> bool:
    return bool(observed.size) and not (interval[0] <= observed.min() and observed.max() <= interval[1])


def observations(seed: int) -> Iterator[tuple[str, Interval, Array]]:
    """For each op of a random program: its kind, its derived range, and its values for random inputs."""
    rng = np.random.default_rng(seed)
    program = Program(rng, 8)
    module, said = intervals(program.text())
    interpreter = Interpreter({})
    for _ in range(4):
        try:
            values = interpreter.run(module, program.inputs())
        except Exception as error:
            if re.search("does not fit Int32|[zZ]ero", str(error)):
                continue  # An overflow is what the pass reports; a division by 0 has no result.
            raise
        for at, (kind, interval) in enumerate(zip(program.kinds, said, strict=True)):
            yield kind, interval, values[f"y{at}"]


@pytest.mark.parametrize("seed", range(60))
def test_values_of_random_programs_are_in_their_ranges(seed: int) -> None:
    for kind, interval, observed in observations(seed):
        assert not outside(observed, interval), (kind, interval, observed)
