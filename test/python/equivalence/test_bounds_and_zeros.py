"""Differences that random arguments do not show: bounds, zeros, infinities."""

from __future__ import annotations

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.equivalence import compare
from sample_models.comparing import PRODUCT, SCALED, TYPE, compared

COLUMN, TO_COLUMN, BY_COLUMN = "tensor<4x1xf32>", f"({TYPE}) -> tensor<4x1xf32>", f"({TYPE}, tensor<4x1xf32>) -> {TYPE}"
SQUARES = f"%a = forge.multiply %x, %x : {TYPE}\n%b = forge.reduce_sum %a dim -1 keep_dim : {TO_COLUMN}\n"
NORM = f"{SQUARES}%n = forge.sqrt %b : {COLUMN}\n"
PROBABILITIES = f"%a = forge.softmax %x dim -1 stable : {TYPE}\n"
TRUTH = (
    "%t = forge.cast %x dtype i1 : (TYPE) -> tensor<4x6xi1>\n%z = forge.cast %t dtype f32 : (tensor<4x6xi1>) -> TYPE"
)
NEGATED = (
    "%t = forge.logical_not %x : (TYPE) -> tensor<4x6xi32>\n%z = forge.cast %t dtype f32 : (tensor<4x6xi32>) -> TYPE"
)


def clipped(name: str, low: str, high: str = "3.0e+38") -> str:
    """%x divided by a norm, or its square, that is clipped."""
    clip = f"%c = forge.clip %{name} min {low} max {high} : {COLUMN}\n" if low else ""
    return f"{NORM}{clip}%z = forge.divide %x, %{'c' if clip else name} : {BY_COLUMN}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (clipped("b", "1.0e-12"), clipped("b", "")),
        (clipped("n", "1.0e-12"), clipped("n", "")),
        (clipped("n", "1.0e-12"), clipped("n", "1.0e-10")),
        (clipped("n", ""), clipped("n", "1.0e-12")),
        (
            f"{PROBABILITIES}%z = forge.clip %a min 1.0e-07 max 1.0 : {TYPE}",
            f"{PROBABILITIES}%z = forge.relu %a : {TYPE}",
        ),
        (
            f"%z = forge.relu %x : {TYPE}",
            f"%a = forge.relu %x : {TYPE}\n%z = forge.clip %a min 0.0 max 5.0e+05 : {TYPE}",
        ),
    ],
)
def test_a_bound_that_random_numbers_do_not_reach(before: str, after: str) -> None:
    assert compared(before, after, "exact").differences


@pytest.mark.parametrize(("high", "is_equal"), [("3.0e+38", False), ("1.0e+30", True)])
def test_a_bound_that_no_run_reaches(high: str, is_equal: bool) -> None:
    other = (
        clipped("n", "1.0e-12", high)
        .replace("%x, %c", "%w, %c")
        .replace("%z =", f"%w = forge.identity %x : {TYPE}\n%z =")
    )
    verdict = compared(clipped("n", "1.0e-12", "1.0e+30"), other, "exact")
    assert (verdict.equal, verdict.differences) == (is_equal, ())
    assert is_equal or "has one outcome in every run, and is gone" in verdict.explain()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TRUTH, "%o = forge.subtract %x, %x : TYPE\n%z = forge.add %o, %one : SCALED"),
        (NEGATED, "%z = forge.subtract %x, %x : TYPE"),
        ("%z = forge.heaviside %x, %half : SCALED", "%z = forge.heaviside %x, %one : SCALED"),
    ],
)
def test_an_element_of_0_decides(before: str, after: str) -> None:
    """No drawn number is 0."""
    texts = [text.replace("SCALED", SCALED).replace("TYPE", TYPE) for text in (before, after)]
    assert compared(*texts, "exact").differences


def test_the_sizes_of_1_of_an_output() -> None:
    context = ir.Context()
    forge_mlir.register(context)
    text = f"func.func @f(%x: {TYPE}) -> TO {{\n%z = forge.reshape %x shape SHAPE : ({TYPE}) -> TO\nreturn %z : TO\n}}"
    row, column = (
        forge.parse(text.replace("SHAPE", shape).replace("TO", type_), context)
        for shape, type_ in (("[1, 24]", "tensor<1x24xf32>"), ("[24, 1]", "tensor<24x1xf32>"))
    )
    assert "other shapes" in compare(row, column, layer="exact").explain()


@pytest.mark.parametrize("exponent", ["0x7F800000", "0x7FC00000"])
def test_a_power_with_an_infinity_or_nan(exponent: str) -> None:
    power = f"%z = forge.pow %x exponent {exponent} : {TYPE}"
    assert compared(power, power.replace("%z", "%a") + f"\n%z = forge.identity %a : {TYPE}", "exact").equal
    assert compared(power, f"%z = forge.pow %x exponent 2.0 : {TYPE}", "exact").differences


@pytest.mark.parametrize(
    ("before", "after", "equal"),
    [
        # 0 * y is NaN where y is infinite.
        (
            "%z = forge.add %x, %x : TYPE",
            "%o = forge.subtract %one, %one : tensor<1xf32>\n"
            "%p = forge.multiply %y, %o : SCALED\n%q = forge.add %x, %p : TYPE\n%z = forge.add %q, %x : TYPE",
            False,
        ),
        # -infinity is not 0.
        (
            "%z = forge.relu %x : TYPE",
            "%a = forge.abs %x : TYPE\n%b = forge.add %a, %x : TYPE\n%z = forge.multiply %b, %half : SCALED",
            False,
        ),
        # Comparisons with NaN are false.
        (
            "%c = forge.less %x, %y : TYPE\n%d = forge.logical_not %c : (TYPE) -> tensor<4x6xi32>\n"
            "%z = forge.cast %d dtype f32 : (tensor<4x6xi32>) -> TYPE",
            "%z = forge.greater_equal %x, %y : TYPE",
            False,
        ),
        # Both are not finite where an operand is: an infinity or NaN, depending on the order.
        (
            "%s = forge.add %x, %y : TYPE\n%z = forge.matmul %s, %m : PRODUCT",
            "%a = forge.matmul %x, %m : PRODUCT\n%b = forge.matmul %y, %m : PRODUCT\n%z = forge.add %a, %b : TYPE",
            True,
        ),
        # The addends are infinities of both signs: their sum is NaN, that of the merged weights an infinity.
        (
            "%a = forge.matmul %x, %m : PRODUCT\n%n = forge.multiply %m, %minus : (tensor<6x6xf32>, tensor<1xf32>) -> "
            "tensor<6x6xf32>\n%h = forge.multiply %n, %half : (tensor<6x6xf32>, tensor<1xf32>) -> tensor<6x6xf32>\n"
            "%b = forge.matmul %x, %h : PRODUCT\n%s = forge.add %a, %b : TYPE\n%z = forge.sigmoid %s : TYPE",
            "%h = forge.multiply %m, %half : (tensor<6x6xf32>, tensor<1xf32>) -> tensor<6x6xf32>\n"
            "%s = forge.matmul %x, %h : PRODUCT\n%z = forge.sigmoid %s : TYPE",
            True,
        ),
    ],
)
def test_which_results_are_finite(before: str, after: str, equal: bool) -> None:
    texts = [
        text.replace("SCALED", SCALED).replace("PRODUCT", PRODUCT).replace("TYPE", TYPE) for text in (before, after)
    ]
    assert compared(*texts, layer="float64").equal
    assert compared(*texts, layer="infinities").equal == equal
