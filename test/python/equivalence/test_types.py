"""Differences and equal results of programs with other types than float matrices: integers, their overflow, narrow
types and empty tensors."""

from __future__ import annotations

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.equivalence import Verdict, compare

TYPE = "tensor<4x6xf32>"


def compared_as(of: str, to: str, before: str, after: str, layer: str = "exact") -> Verdict:
    """The verdict on functions from %x, of the type `of`, to %z, of the type `to`."""
    context = ir.Context()
    forge_mlir.register(context)
    text = f"func.func @f(%x: {of}) -> {to} {{\nBODY\nreturn %z : {to}\n}}"
    modules = (forge.parse(text.replace("BODY", body), context) for body in (before, after))
    return compare(*modules, layer=layer)  # type: ignore[arg-type]


@pytest.mark.parametrize("narrow", ["i8", "ui8", "i16"])
def test_a_cast_that_wraps(narrow: str) -> None:
    wide, small = "tensor<4x6xi32>", f"tensor<4x6x{narrow}>"
    cast = (
        f"%n = forge.cast %x dtype {narrow} : ({wide}) -> {small}\n%z = forge.cast %n dtype i32 : ({small}) -> {wide}"
    )
    assert compared_as(wide, wide, cast, f"%z = forge.identity %x : {wide}").differences


INTEGERS = "tensor<4x6xi32>"


def calculated(*steps: str) -> str:
    """Steps such as "multiply 6" from %x on."""
    lines, last = [], "x"
    for at, step in enumerate(steps):
        op, number = step.split()
        made = "z" if at == len(steps) - 1 else f"s{at}"
        lines += [
            f"%c{at} = forge.scalar_constant constant {number}.0 dtype i32 : tensor<1xi32>",
            f"%{made} = forge.{op} %{last}, %c{at} : ({INTEGERS}, tensor<1xi32>) -> {INTEGERS}",
        ]
        last = made
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("before", "after", "is_equal"),
    [
        (["multiply 2"], ["multiply 6", "quotient 3"], False),
        (["multiply 1"], ["multiply 2", "quotient 2"], False),
        (["add 1"], ["add 1", "remainder 65536"], False),
        (["multiply 6"], ["multiply 2", "multiply 3"], True),
        (["add 5", "subtract 2"], ["add 3"], True),
    ],
)
def test_integers_that_exceed_int32_in_the_later_function_only(
    before: list[str], after: list[str], is_equal: bool
) -> None:
    assert compared_as(INTEGERS, INTEGERS, calculated(*before), calculated(*after)).equal == is_equal


@pytest.mark.parametrize("op", ["quotient", "remainder"])
def test_a_divisor_that_is_larger_than_masks_and_indices(op: str) -> None:
    of = "tensor<4x6xi32>"
    divided = (
        "%c = forge.scalar_constant constant 64.0 dtype i32 : tensor<1xi32>\n"
        f"%z = forge.{op} %x, %c : ({of}, tensor<1xi32>) -> {of}"
    )
    assert compared_as(of, of, divided, divided.replace("64.0", "65.0")).differences


def test_an_argument_has_values_of_its_type() -> None:
    number = f"forge.cast %x dtype f32 : (tensor<4x6xui8>) -> {TYPE}"
    clipped = f"%n = {number}\n%z = forge.clip %n min 0.0 max 255.0 : {TYPE}"
    verdict = compared_as("tensor<4x6xui8>", TYPE, clipped, f"%z = {number}")
    assert verdict.equal, verdict.explain()


def test_a_power_of_no_elements() -> None:
    none = "tensor<2x0xf32>"
    assert compared_as(none, none, f"%z = forge.power %x, %x : {none}", f"%z = forge.multiply %x, %x : {none}").equal


def test_a_maximum_of_integers_that_pads_with_an_infinity() -> None:
    of, to = "tensor<1x3x8xi32>", "tensor<1x3x4xi32>"
    pooled = f"%z = forge.max_pool1d %x kernel_size 2 stride 2 padding 0 : ({of}) -> {to}"
    verdict = compared_as(of, to, pooled, f"%z = forge.index %x dim -1 [0:8:2] : ({of}) -> {to}")
    assert "an infinity" in verdict.explain()
    assert not verdict.differences
