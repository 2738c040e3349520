"""The differences that the two layers find, and what they accept as equal, on pairs of small programs."""

from __future__ import annotations

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.equivalence import compare
from sample_models.comparing import PRODUCT, SCALED, TYPE, compared

# 0.5, rounded to an integer by a large addend: 0.
ROUNDED_HALF = (
    "%l = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>\n"
    "%s = forge.add %half, %l : tensor<1xf32>\n%i = forge.subtract %s, %l : tensor<1xf32>\n"
)
# 0.7 / 0.1, rounded to an integer: 7, although neither value is exact in float32.
ROUNDED_SEVEN = (
    "%l = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>\n"
    "%p = forge.scalar_constant constant 0.7 dtype f32 : tensor<1xf32>\n"
    "%q = forge.divide %p, %k : tensor<1xf32>\n"
    "%s = forge.add %q, %l : tensor<1xf32>\n%i = forge.subtract %s, %l : tensor<1xf32>\n"
)
# Numbers of 1e20 whose mean is 0.
CENTRED = (
    "%l = forge.scalar_constant constant 1.0e20 dtype f32 : tensor<1xf32>\n"
    f"%h = forge.multiply %x, %l : {SCALED}\n"
    f"%n = forge.reduce_avg %h dim -1 keep_dim : ({TYPE}) -> tensor<4x1xf32>\n"
    f"%c = forge.subtract %h, %n : ({TYPE}, tensor<4x1xf32>) -> {TYPE}\n"
)
EQUAL = {
    "a comparison that a pass removes": (
        "%t = forge.scalar_constant constant 3.0 dtype f32 : tensor<1xf32>\n"
        f"%c = forge.greater_equal %x, %t : {SCALED}\n"
        f"%w = forge.where %c, %y, %y : ({TYPE}, {TYPE}, {TYPE}) -> {TYPE}\n%z = forge.add %x, %w : {TYPE}",
        f"%z = forge.add %x, %y : {TYPE}",
    ),
    "the mean of large numbers that cancel is a rounding error": (
        f"{CENTRED}%s = forge.add %c, %r : ({TYPE}, tensor<6xf32>) -> {TYPE}\n"
        f"%a = forge.reduce_avg %s dim -1 keep_dim : ({TYPE}) -> tensor<4x1xf32>\n"
        f"%z = forge.add %y, %a : ({TYPE}, tensor<4x1xf32>) -> {TYPE}",
        f"{CENTRED}%a = forge.reduce_avg %c dim -1 keep_dim : ({TYPE}) -> tensor<4x1xf32>\n"
        "%q = forge.reduce_avg %r dim -1 keep_dim : (tensor<6xf32>) -> tensor<1xf32>\n"
        "%b = forge.add %a, %q : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>\n"
        f"%z = forge.add %y, %b : ({TYPE}, tensor<4x1xf32>) -> {TYPE}",
    ),
    "what is whole in the field is cast to that": (
        f"{ROUNDED_SEVEN}%j = forge.cast %i dtype i8 : (tensor<1xf32>) -> tensor<1xi8>\n"
        f"%w = forge.cast %j dtype f32 : (tensor<1xi8>) -> tensor<1xf32>\n%z = forge.add %x, %w : {SCALED}",
        f"{ROUNDED_SEVEN}%z = forge.add %x, %i : {SCALED}",
    ),
    "a constant that was rounded is whole": (
        f"{ROUNDED_HALF}%j = forge.cast %i dtype i8 : (tensor<1xf32>) -> tensor<1xi8>\n"
        f"%w = forge.cast %j dtype f32 : (tensor<1xi8>) -> tensor<1xf32>\n%z = forge.add %x, %w : {SCALED}",
        f"{ROUNDED_HALF}%z = forge.add %x, %i : {SCALED}",
    ),
    "a factor moves through a product": (
        f"%a = forge.matmul %x, %m : {PRODUCT}\n%z = forge.multiply %a, %k : {SCALED}",
        f"%a = forge.multiply %x, %k : {SCALED}\n%z = forge.matmul %a, %m : {PRODUCT}",
    ),
    "a positive factor moves through relu": (
        f"%a = forge.multiply %x, %k : {SCALED}\n%z = forge.relu %a : {TYPE}",
        f"%a = forge.relu %x : {TYPE}\n%z = forge.multiply %a, %k : {SCALED}",
    ),
    "a divisor is a factor, rounded": (
        f"%a = forge.scalar_constant constant 3.000000e-01 dtype f32 : tensor<1xf32>\n"
        f"%z = forge.divide %x, %a : {SCALED}",
        f"%a = forge.scalar_constant constant 3.33333325 dtype f32 : tensor<1xf32>\n"
        f"%z = forge.multiply %x, %a : {SCALED}",
    ),
    "the square of a root": (
        f"%a = forge.multiply %x, %x : {TYPE}\n%b = forge.sqrt %a : {TYPE}\n%z = forge.multiply %b, %b : {TYPE}",
        f"%z = forge.multiply %x, %x : {TYPE}",
    ),
    "a sigmoid by its formula": (
        f"%a = forge.multiply %x, %minus : {SCALED}\n%b = forge.exp %a : {TYPE}\n%c = forge.add %b, %one : {SCALED}\n"
        f"%z = forge.divide %y, %c : {TYPE}",
        f"%a = forge.sigmoid %x : {TYPE}\n%z = forge.multiply %y, %a : {TYPE}",
    ),
    "a gelu by its formula": (
        f"%q = forge.scalar_constant constant 1.41421354 dtype f32 : tensor<1xf32>\n"
        f"%a = forge.divide %x, %q : {SCALED}\n"
        f"%b = forge.erf %a : {TYPE}\n%c = forge.add %b, %one : {SCALED}\n%d = forge.multiply %x, %c : {TYPE}\n"
        f"%z = forge.multiply %d, %half : {SCALED}",
        f"%z = forge.gelu %x approximate none : {TYPE}",
    ),
    "a norm by its formula": (
        f"%a = forge.layernorm %x, %r, %r dim -1 epsilon 0.1 : ({TYPE}, tensor<6xf32>, tensor<6xf32>) -> {TYPE}\n"
        f"%z = forge.add %a, %y : {TYPE}",
        f"%a = forge.reduce_avg %x dim -1 keep_dim : ({TYPE}) -> tensor<4x1xf32>\n"
        f"%b = forge.subtract %x, %a : ({TYPE}, tensor<4x1xf32>) -> {TYPE}\n%c = forge.multiply %b, %b : {TYPE}\n"
        f"%d = forge.reduce_avg %c dim -1 keep_dim : ({TYPE}) -> tensor<4x1xf32>\n"
        f"%e = forge.add %d, %k : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>\n"
        f"%f = forge.sqrt %e : tensor<4x1xf32>\n"
        f"%g = forge.divide %r, %f : (tensor<6xf32>, tensor<4x1xf32>) -> {TYPE}\n%h = forge.multiply %g, %b : {TYPE}\n"
        f"%i = forge.add %r, %y : (tensor<6xf32>, {TYPE}) -> {TYPE}\n%z = forge.add %i, %h : {TYPE}",
    ),
    "a bound of both operands of a maximum": (
        f"%a = forge.subtract %x, %y : {TYPE}\n%b = forge.relu %a : {TYPE}\n%z = forge.add %b, %y : {TYPE}",
        f"%z = forge.max %x, %y : {TYPE}",
    ),
}
EQUAL["a term that is large and no constant rounds nothing"] = (
    f"%w = forge.scalar_constant constant 1.0e+06 dtype f32 : tensor<1xf32>\n%a = forge.multiply %y, %w : {SCALED}\n"
    f"%b = forge.matmul %x, %m : {PRODUCT}\n%z = forge.add %a, %b : {TYPE}",
    f"%w = forge.scalar_constant constant 1.0e+06 dtype f32 : tensor<1xf32>\n%a = forge.multiply %y, %w : {SCALED}\n"
    f"%z = forge.matmul %x, %m, %a : ({TYPE}, tensor<6x6xf32>, {TYPE}) -> {TYPE}",
)
# A sum that is positive, and no square in the field for some elements.
POSITIVE = f"%u = forge.abs %x : {TYPE}\n%v = forge.abs %y : {TYPE}\n%p = forge.add %u, %v : {TYPE}\n"
ROOT = f"%q = forge.sqrt %p : {TYPE}\n"
for square, root in ((9, 3), (144, 12), (0.49, 0.7), (83**2, 83)):
    EQUAL[f"the root of {square} is {root}"] = (
        f"{POSITIVE}%s = forge.scalar_constant constant {square:e} dtype f32 : tensor<1xf32>\n"
        f"%t = forge.multiply %p, %s : {SCALED}\n%z = forge.sqrt %t : {TYPE}",
        f"{POSITIVE}{ROOT}%s = forge.scalar_constant constant {root:e} dtype f32 : tensor<1xf32>\n"
        f"%z = forge.multiply %q, %s : {SCALED}",
    )
EQUAL |= {
    "the product of roots": (
        f"{POSITIVE}%t = forge.multiply %p, %u : {TYPE}\n%z = forge.sqrt %t : {TYPE}",
        f"{POSITIVE}{ROOT}%t = forge.sqrt %u : {TYPE}\n%z = forge.multiply %q, %t : {TYPE}",
    ),
    "the square of the reciprocal of a root": (
        f"{POSITIVE}{ROOT}%t = forge.divide %one, %q : (tensor<1xf32>, {TYPE}) -> {TYPE}\n"
        f"%z = forge.multiply %t, %t : {TYPE}",
        f"{POSITIVE}%z = forge.divide %one, %p : (tensor<1xf32>, {TYPE}) -> {TYPE}",
    ),
    "the square of a root as a power": (
        f"{POSITIVE}{ROOT}%z = forge.pow %q exponent 2.0 : {TYPE}",
        f"{POSITIVE}%z = forge.identity %p : {TYPE}",
    ),
    "a power with a fraction": (
        f"{POSITIVE}%t = forge.pow %p exponent 1.5 : {TYPE}\n%z = forge.divide %t, %p : {TYPE}",
        f"{POSITIVE}%z = forge.pow %p exponent 0.5 : {TYPE}",
    ),
}
ROUNDED = "%c = forge.scalar_constant constant 1.2582912e+07 dtype f32 : tensor<1xf32>\n"
DIFFERENT = {
    "a factor of 1.0005": (f"%z = forge.multiply %x, %k : {SCALED}", f"%z = forge.multiply %x, %wrong : {SCALED}"),
    "a negative factor through relu": (
        f"%a = forge.multiply %x, %minus : {SCALED}\n%z = forge.relu %a : {TYPE}",
        f"%a = forge.relu %x : {TYPE}\n%z = forge.multiply %a, %minus : {SCALED}",
    ),
    "a missing summand": (
        f"%a = forge.matmul %x, %m, %r : ({TYPE}, tensor<6x6xf32>, tensor<6xf32>) -> {TYPE}\n"
        f"%z = forge.relu %a : {TYPE}",
        f"%a = forge.matmul %x, %m : {PRODUCT}\n%z = forge.relu %a : {TYPE}",
    ),
    "two columns in each other's place": (
        f"%z = forge.softmax %x dim -1 : {TYPE}",
        f"%a = forge.index %x dim -1 [0:1] : ({TYPE}) -> tensor<4x1xf32>\n"
        f"%b = forge.index %x dim -1 [1:2] : ({TYPE}) -> tensor<4x1xf32>\n"
        f"%c = forge.index %x dim -1 [2:6] : ({TYPE}) -> tensor<4x4xf32>\n"
        f"%d = forge.concatenate %b, %a, %c axis -1 : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x4xf32>) -> {TYPE}\n"
        f"%z = forge.softmax %d dim -1 : {TYPE}",
    ),
    "the rounding is gone": (
        f"{ROUNDED}%a = forge.add %x, %c : {SCALED}\n%z = forge.subtract %a, %c : {SCALED}",
        f"%z = forge.identity %x : {TYPE}",
    ),
    "another order of what is transposed": (
        f"%z = forge.reshape %x shape [4, 6] : {TYPE}",
        f"%a = forge.transpose %x dims 0, 1 : ({TYPE}) -> tensor<6x4xf32>\n"
        f"%z = forge.reshape %a shape [4, 6] : (tensor<6x4xf32>) -> {TYPE}",
    ),
    "the root of the negative": (
        f"%z = forge.sqrt %x : {TYPE}",
        f"%a = forge.multiply %x, %minus : {SCALED}\n%z = forge.sqrt %a : {TYPE}",
    ),
    "a power of the negative": (
        f"%z = forge.pow %x exponent 1.5 : {TYPE}",
        f"%a = forge.multiply %x, %minus : {SCALED}\n%b = forge.pow %a exponent 1.5 : {TYPE}\n"
        f"%z = forge.multiply %b, %minus : {SCALED}",
    ),
    "a product of roots of numbers that may be negative": (
        f"%a = forge.multiply %x, %y : {TYPE}\n%z = forge.sqrt %a : {TYPE}",
        f"%a = forge.sqrt %x : {TYPE}\n%b = forge.sqrt %y : {TYPE}\n%z = forge.multiply %a, %b : {TYPE}",
    ),
    "the square of a root of numbers that may be negative": (
        f"%a = forge.sqrt %x : {TYPE}\n%z = forge.multiply %a, %a : {TYPE}",
        f"%z = forge.identity %x : {TYPE}",
    ),
    "a bound that is a little off": (
        f"%z = forge.clip %x min -1.0 max 6.0 : {TYPE}",
        f"%z = forge.clip %x min -1.0 max 6.003 : {TYPE}",
    ),
}


@pytest.mark.parametrize("layer", ["float64", "exact"])
@pytest.mark.parametrize("case", EQUAL)
def test_equal(case: str, layer: str) -> None:
    for before, after in (EQUAL[case], EQUAL[case][::-1]):
        verdict = compared(before, after, layer)
        assert verdict.equal, verdict.explain()
        assert verdict.outputs == 1


# The scale of a batch norm whose statistics are splats, as the emitted module stores it: 1 / sqrt(1 + 0.001).
STEPS = (
    "%e = forge.scalar_constant constant 1.000000e-03 dtype f32 : tensor<1xf32>\n"
    "%s = forge.add %one, %e : tensor<1xf32>\n%t = forge.sqrt %s : tensor<1xf32>\n"
    f"%u = forge.reciprocal %t : tensor<1xf32>\n%z = forge.multiply %x, %u : {SCALED}"
)


@pytest.mark.parametrize(("constant", "equal"), [("0.99950039", True), ("0.99950075", False)])
def test_a_constant_that_the_module_before_computes_in_several_steps(constant: str, equal: bool) -> None:
    stored = (
        f"%a = forge.scalar_constant constant {constant} dtype f32 : tensor<1xf32>\n"
        f"%z = forge.multiply %x, %a : {SCALED}"
    )
    assert compared(STEPS, stored, "exact").equal is equal


@pytest.mark.parametrize("case", DIFFERENT)
def test_different(case: str) -> None:
    verdict = compared(*DIFFERENT[case], "exact")
    assert not verdict.not_covered
    assert verdict.differences


@pytest.mark.parametrize("case", [case for case in DIFFERENT if "bound" not in case])
def test_different_in_float64(case: str) -> None:
    assert compared(*DIFFERENT[case], "float64").differences


def test_an_op_that_no_layer_defines_is_reported() -> None:
    dropout = f"%z = forge.dropout %x p 5.000000e-01 training seed 0 : {TYPE}"
    verdict = compared(dropout, dropout.replace("seed 0", "seed 1"), "exact")
    assert not verdict.equal
    assert "dropout" in verdict.explain()


def test_an_argument_of_booleans_is_0_or_1() -> None:
    """A pass may store a boolean in a wider type; any other value than 0 and 1 would then be another boolean."""
    text = """
      func.func @f(%x: tensor<4x64xf32>, %mask: tensor<4x64xKIND>) -> tensor<4x64xf32> {
        %m = forge.reshape %mask shape [4, 64] : (tensor<4x64xKIND>) -> tensor<4x64xKIND>
        %y = forge.clip %x min 0.0 max 1.0 : tensor<4x64xf32>
        %z = forge.where %m, %x, %y : (tensor<4x64xKIND>, tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
        return %z : tensor<4x64xf32>
      }"""
    context = ir.Context()
    forge_mlir.register(context)
    before, after = (forge.parse(text.replace("KIND", kind), context) for kind in ("i1", "i32"))
    verdict = compare(before, after, layer="exact")
    assert verdict.equal, verdict.explain()
