"""Compares two bodies of a function of forge ops."""

from __future__ import annotations

from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.equivalence import Verdict, compare

TYPE = "tensor<4x6xf32>"
HEAD = f"func.func @f(%x: {TYPE}, %y: {TYPE}, %m: tensor<6x6xf32>, %r: tensor<6xf32>) -> {TYPE} {{"
# %k is 0.1, and %one to %four have the values of their names.
NUMBERS = "".join(
    f"%{name} = forge.scalar_constant constant {value} dtype f32 : tensor<1xf32>\n"
    for name, value in {"k": 0.1, "one": 1.0, "two": 2.0, "minus": -1.0, "half": 0.5, "wrong": 0.10005}.items()
)
SCALED = f"({TYPE}, tensor<1xf32>) -> {TYPE}"
PRODUCT = f"({TYPE}, tensor<6x6xf32>) -> {TYPE}"


def module(body: str, context: ir.Context) -> ir.Module:
    return forge.parse(f"{HEAD}\n{NUMBERS}{body}\nreturn %z : {TYPE}\n}}", context)


def compared(before: str, after: str, layer: str) -> Verdict:
    context = ir.Context()
    forge_mlir.register(context)
    return compare(module(before, context), module(after, context), layer=layer)  # type: ignore[arg-type]
