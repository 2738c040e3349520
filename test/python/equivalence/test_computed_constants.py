"""Constants that a pass computed from others: a difference that their rounding explains is none."""

from __future__ import annotations

import numpy as np
import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.equivalence import Verdict, compare

TYPE = "tensor<4x6xf32>"


def compared(before: str, after: str, layer: str) -> Verdict:
    """Compares two bodies of a function of %x that compute %z."""
    context = ir.Context()
    forge_mlir.register(context)
    modules = [
        forge.parse(f"func.func @f(%x: {TYPE}) -> {TYPE} {{\n{body}\nreturn %z : {TYPE}\n}}", context)
        for body in (before, after)
    ]
    return compare(*modules, layer=layer)  # type: ignore[arg-type]


def scaled_by(constants: list[float], others: int, kind: str = "f32") -> str:
    """%x times constants, after other constants that are no factors of these."""
    random, lines, value = np.random.default_rng(1), [], "x"
    shifts = [("add", number) for number in random.uniform(-1, 1, others)]
    narrow, number = f"tensor<4x6x{kind}>", f"tensor<1x{kind}>"
    lines.append(f"%n = forge.cast %x dtype {kind} : ({TYPE}) -> {narrow}")
    value = "n"
    for at, (op, constant) in enumerate([*shifts, *(("multiply", each) for each in constants)]):
        lines.append(f"%c{at} = forge.scalar_constant constant {constant:.9e} dtype {kind} : {number}")
        lines.append(f"%v{at} = forge.{op} %{value}, %c{at} : ({narrow}, {number}) -> {narrow}")
        value = f"v{at}"
    return "\n".join([*lines, f"%z = forge.cast %{value} dtype f32 : ({narrow}) -> {TYPE}"])


@pytest.mark.parametrize(("factors", "others"), [(2, 0), (3, 0), (3, 40), (3, 150), (5, 0), (2, 150)])
def test_a_product_of_several_constants(factors: int, others: int) -> None:
    """With many factors, or among many constants, nobody knows which product a constant is. A difference that its
    rounding explains is none."""
    constants = np.random.default_rng(2).uniform(0.5, 1.5, factors).tolist()
    product = float(np.float32(np.prod(np.float32(constants), dtype=np.float64)))
    verdict = compared(scaled_by(constants, others), scaled_by([product], others), "exact")
    assert not verdict.differences
    assert verdict.equal or (others or factors > 3)
    wrong = compared(scaled_by(constants, others), scaled_by([product * 1.00001], others), "exact")
    assert wrong.differences


@pytest.mark.parametrize("layer", ["float64", "exact"])
@pytest.mark.parametrize("kind", ["bf16", "f16"])
def test_a_product_of_constants_in_16_bits(kind: str, layer: str) -> None:
    """The product is nearly cancelled, so that its rounding is large beside the result."""

    def rest(constants: list[float]) -> str:
        return (
            scaled_by(constants, 0, kind).replace("%z", "%s")
            + "\n%d = forge.scalar_constant constant 0.994 dtype f32 : tensor<1xf32>\n"
            + f"%t = forge.multiply %x, %d : ({TYPE}, tensor<1xf32>) -> {TYPE}\n%z = forge.subtract %s, %t : {TYPE}"
        )

    product = {"bf16": 0.9921875, "f16": 0.994140625}[kind]
    factors = rest([0.7109375, 1.3984375])
    assert not compared(factors, rest([product]), layer).differences
    assert compared(factors, rest([1.5 * product]), layer).differences


@pytest.mark.parametrize("addend", [4.3574488e-08, -2e-8, 1e-30])
def test_a_sum_of_constants_that_rounds_to_an_exact_number(addend: float) -> None:
    """The fold of log(1 + x), whose steps correct a rounding, as in TimesFM."""

    def plus(constants: list[float]) -> str:
        lines = [
            f"%c{at} = forge.scalar_constant constant {constant:.9e} dtype f32 : tensor<1xf32>"
            for at, constant in enumerate(constants)
        ]
        if len(constants) > 1:
            lines.append("%s = forge.add %c0, %c1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>")
        total = "%s" if len(constants) > 1 else "%c0"
        return "\n".join([*lines, f"%z = forge.multiply %x, {total} : ({TYPE}, tensor<1xf32>) -> {TYPE}"])

    assert not compared(plus([1.0, addend]), plus([1.0]), "exact").differences
    assert compared(plus([1.0, addend]), plus([1.000002]), "exact").differences
