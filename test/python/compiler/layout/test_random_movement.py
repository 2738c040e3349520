"""Random movement: passes that follow index maps change no element, and do not increase the number of calls."""

from __future__ import annotations

from math import prod
from random import Random

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.compiler.pass_pipeline import run_pipeline
from forge_mlir.dialects import forge
from forge_mlir.equivalence import compare

Shape = tuple[int, ...]
MOVES = ("reshape", "transpose", "slice", "repeat", "repeat_interleave", "relu", "add")
WEIGHTS = (6, 5, 4, 1, 1, 1, 1)
LONGER = "forge-divisibility-rewrite"
"""A pass that may use more calls if they move fewer tiles."""
PASSES = (
    "forge-join-movement",
    "forge-join-movement{chains=true}",
    "forge-slice-canonicalize",
    "forge-kernel-forms",
    LONGER,
)


class Movement:
    """A function that moves values, mostly the latest one, and may return any of them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines = list[str]()
        self.values: list[tuple[str, Shape]] = [("%x", self.factors(self.random.choice((24, 36, 64, 48))))]
        for _ in range(self.random.randint(2, 9)):
            self.step()

    def factors(self, count: int) -> Shape:
        """A shape with so many elements, of rank 2 to 5, sometimes with axes of size 1."""
        shape = [1] * self.random.randint(2, 5)
        left = count
        for prime in (2, 3):
            while left % prime == 0:
                shape[self.random.randrange(len(shape))] *= prime
                left //= prime
        shape[-1] *= left
        return tuple(shape)

    def step(self) -> None:
        name, shape = self.values[-1] if self.random.random() < 0.8 else self.random.choice(self.values)
        axis = self.random.randrange(len(shape))
        sizes = list(shape)
        operands, types, rest = name, [shape], ""
        op = self.random.choices(MOVES, WEIGHTS)[0]
        if op == "reshape":
            sizes = list(self.factors(prod(shape)))
            rest = f" shape {sizes}"
        elif op == "transpose":
            other = (axis + self.random.randrange(1, len(shape))) % len(shape)
            sizes[axis], sizes[other] = sizes[other], sizes[axis]
            rest = f" dims {axis}, {other}"
        elif op == "slice":
            op = "strided_slice"
            begin = self.random.randrange(shape[axis])
            end = self.random.randint(begin + 1, shape[axis])
            step = self.random.choice((1, 1, 1, 2, 3))
            sizes[axis] = len(range(begin, end, step))
            rest = f" dim {axis} [{begin}:{end}" + (f":{step}]" if step > 1 else "]")
        elif prod(shape) > 500 and op.startswith("repeat"):
            return
        elif op == "repeat":
            sizes[axis] *= 2
            rest = f" repeats {[2 if each == axis else 1 for each in range(len(shape))]}"
        elif op == "repeat_interleave":
            sizes[axis] *= 2
            rest = f" repeats 2 dim {axis}"
        elif op == "add":
            own = tuple(
                size if self.random.random() < 0.5 else 1 for size in shape[self.random.randrange(len(shape)) :]
            )
            weight = f"%w{len(self.lines)}"
            self.lines.append(f'{weight} = forge.parameter "{weight[1:]}" : {tensor(own)}')
            operands, types = f"{name}, {weight}", [shape, own]
        made = f"%v{len(self.lines)}"
        given = ", ".join(map(tensor, types))
        self.lines.append(f"{made} = forge.{op} {operands}{rest} : ({given}) -> {tensor(tuple(sizes))}")
        if op == "relu":
            self.lines[-1] = f"{made} = forge.relu {operands} : {tensor(shape)}"
        self.values.append((made, tuple(sizes)))

    def text(self) -> str:
        more = [value for value in self.values[:-1] if self.random.random() < 0.15]
        names, shapes = zip(*[self.values[-1], *more], strict=True)
        body = "\n".join(self.lines)
        result = ", ".join(map(tensor, shapes))
        source = tensor(self.values[0][1])
        return f"func.func @f(%x: {source}) -> ({result}) {{\n{body}\nreturn {', '.join(names)} : {result}\n}}"


def tensor(shape: Shape) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def calls(module: ir.Module) -> int:
    return sum("forge." in line and "forge.parameter" not in line for line in str(module).splitlines())


@pytest.mark.alike(keep=30)
@pytest.mark.parametrize("seed", range(60))
def test_random_movement(seed: int) -> None:
    text = Movement(seed).text()
    context = ir.Context()
    forge_mlir.register(context)
    for name in PASSES:
        given, made = forge.parse(text, context), forge.parse(text, context)
        before = calls(given)
        run_pipeline(made, f"builtin.module(func.func({name}))")
        verdict = compare(given, made, layer="exact")
        assert verdict.equal, f"{name}: {verdict.explain()}\n{text}"
        assert calls(made) <= before or name == LONGER, f"{name} takes more calls:\n{text}\n{made}"
