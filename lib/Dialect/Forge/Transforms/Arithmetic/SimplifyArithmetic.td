//===- SimplifyArithmetic.td - removes arithmetic without effect --*- tablegen -*-===//
//
// Local rewrites of --forge-simplify-arithmetic, which names and counts them. Results are equal to the last bit, except
// for patterns whose names end in Assumed or Taken, which need a kind of --fast-math. Constraints use the facts of the
// rewriter that applies the patterns (`factsOf`). The sign of a zero may change where no later result depends on it
// (HidesZeroSign).
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_SIMPLIFYARITHMETIC_TD
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_ARITHMETIC_SIMPLIFYARITHMETIC_TD

include "forge/Dialect/Forge/IR/ForgeOps.td"
include "Constraints.td"

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

class Fact<string test, string summary> : Holds<"factsOf($_builder).of($0)." # test, summary>;

def HidesZeroSign : Holds<"!showsZeroSign($0, $_builder)", "is no divisor, nor leads to one">;
def IsInteger : Holds<"isa<IntegerType>(elementOf($0))", "is of integers">;
class IsSplat<string element> : Holds<"splatOf($0) == " # element, "is a splat of " # element>;

def IsNumber : Fact<"isNumber", "is never NaN">;
def IsNotNegative : Fact<"liesIn({0, Interval().high})", "is not negative">;
def IsWithin : Fact<"liesInOrIsNaN({$1.getValueAsDouble(), $2.getValueAsDouble()})", "lies within two bounds, or is NaN">;

//===----------------------------------------------------------------------===//
// Replacements
//===----------------------------------------------------------------------===//

class Splat<int element> : NativeCodeCall<"splatLike($_builder, $_loc, $0, " # element # ")">;

//===----------------------------------------------------------------------===//
// Tests and selections
//===----------------------------------------------------------------------===//

// x == x is true if x is not NaN; a finite value is not equal to an infinity.
def AreInfinityAndFinite : Holds<"areInfinityAndFinite($0, $1, &factsOf($_builder))",
                                   "are an infinity and a value that has none">;
def AreInfinityAndOther : Holds<"areInfinityAndFinite($0, $1, /*facts=*/nullptr)", "are an infinity and another value">;

multiclass Test<Op test, int whereEqual> {
  def OfItself : Pat<(test:$root $x, $x), (Splat<whereEqual> $root), [(IsNumber $x)]>;
  def OfInfinity : Pat<(test:$root $a, $b), (Splat<!sub(1, whereEqual)> $root), [(AreInfinityAndFinite $a, $b)]>;
  def OfInfinityAssumed : Pat<(test:$root $a, $b), (Splat<!sub(1, whereEqual)> $root), [(AreInfinityAndOther $a, $b)]>;
}
defm Equal : Test<Forge_EqualOp, 1>;
defm NotEqual : Test<Forge_NotEqualOp, 0>;

// |x| < c is false if no element of |x| is below c.
def IsAtLeast : Holds<"isAtLeast($0, $1, factsOf($_builder))", "has no element below a bound">;
def NoneIsLess : Pat<(Forge_LessOp:$root (Forge_AbsOp:$size $x), $bound), (Splat<0> $root), [(IsAtLeast $size, $bound)]>;

// where(c, x, y) with a constant c, and guards against NaN: where(x == x, x, y), where(x != x, y, x).
def IsTrue : Holds<"splatOf($0).value_or(0) != 0", "is true">;
def TestsNumber : Holds<"isNaNTest($0, $1, /*isNaN=*/false)", "tests that a value is not NaN">;
def TestsNaN : Holds<"isNaNTest($0, $1, /*isNaN=*/true)", "tests that a value is NaN">;
def ChosenFirst : Pat<(Forge_WhereOp:$root $c, $x, $y), (replaceWithValue $x), [(IsTrue $c), (SameType $x, $root)]>;
def ChosenSecond : Pat<(Forge_WhereOp:$root $c, $x, $y), (replaceWithValue $y), [(IsSplat<"0.0"> $c), (SameType $y, $root)]>;
def GuardOfNumber : Pat<(Forge_WhereOp:$root $c, $x, $y), (replaceWithValue $x),
                        [(TestsNumber $c, $x), (SameType $x, $root), (IsNumber $x)]>;
def GuardOfNaN : Pat<(Forge_WhereOp:$root $c, $x, $y), (replaceWithValue $y),
                     [(TestsNaN $c, $y), (SameType $y, $root), (IsNumber $y)]>;

//===----------------------------------------------------------------------===//
// Products and quotients
//===----------------------------------------------------------------------===//

// x * 1. Per-channel ones remain, because they may be the scale by which a norm is recognised; fold-weights drops those
// that are left, and x + 0 (Fusion/NeutralWeights.cpp).
def One : NativeCodeCall<"success(isSingleOne($_self))">;
def TimesOne : Pat<(Forge_MultiplyOp:$root (either $x, (One))), (replaceWithValue $x), [(SameType $x, $root)]>;

// x / c becomes x * (1 / c), which is exact if c is a power of two.
def IsDividend : Holds<"isa<FloatType>(elementOf($0)) && !isWeight($0) && $0.getType() == $1.getType()",
                       "is divided, and no weight">;
def HasExactReciprocal : Holds<"reciprocalOf($0) && isPowerOfTwo(*splatOf($0))", "is a power of two, not near 0 or infinity">;
def HasReciprocal : Holds<"reciprocalOf($0).has_value()", "is a splat, not near 0 or infinity">;
def IsOwnWeight : Holds<"!splatOf($0) && mayBeStoredOtherwise($0)", "is a weight of which another may be stored">;
def ReciprocalOf : NativeCodeCall<"splatLike($_builder, $_loc, $0, *reciprocalOf($0))">;
def OneLike : NativeCodeCall<"scalarOf($_builder, $_loc, elementOf($0), 1)">;
def QuotientByPowerOfTwo : Pat<(Forge_DivideOp:$root $x, $c), (Forge_MultiplyOp $x, (ReciprocalOf $c)),
                               [(IsDividend $x, $root), (HasExactReciprocal $c)]>;
def ReciprocalTaken : Pat<(Forge_DivideOp:$root $x, $c), (Forge_MultiplyOp $x, (ReciprocalOf $c)),
                          [(IsDividend $x, $root), (IsFloat32 $x), (IsFloat32 $c), (HasReciprocal $c)]>;
def ReciprocalOfWeightTaken : Pat<(Forge_DivideOp:$root $x, $c), (Forge_MultiplyOp $x, (Forge_DivideOp (OneLike $x), $c)),
                                  [(IsDividend $x, $root), (IsFloat32 $x), (IsOwnWeight $c)]>;

//===----------------------------------------------------------------------===//
// Bounds, differences and reductions
//===----------------------------------------------------------------------===//

def ReluOfPositive : Pat<(Forge_ReluOp $x), (replaceWithValue $x), [(IsNotNegative $x)]>;
def ClipWithinBounds : Pat<(Forge_ClipOp $x, $min, $max), (replaceWithValue $x), [(IsWithin $x, $min, $max)]>;

// x - 0 is x, but x - -0 is not for x = -0.
def IsPositiveZero : Holds<"splatOf($0) == 0.0 && !std::signbit(*splatOf($0))", "is 0, not -0">;
def SubtractZero : Pat<(Forge_SubtractOp:$root $x, $zero), (replaceWithValue $x), [(IsPositiveZero $zero), (SameType $x, $root)]>;

// (x - a) - b becomes x - (a + b) for integers, if Float32 represents all of them. For x = -0 and a + b = 0, the first
// one is +0 and the second one -0.
def AreExactDifferences : Holds<"areExactDifferences($0, $1, $2, factsOf($_builder))", "are integers that Float32 represents">;
def KeepsZeroSign : Holds<"*splatOf($1) + *splatOf($2) != 0 || !showsZeroSign($0, $_builder)",
                          "is no divisor, or the subtrahends do not cancel">;
def SumOf : NativeCodeCall<"scalarOf($_builder, $_loc, elementOf($0), *splatOf($1) + *splatOf($2))">;
def SubtractBoth : Pat<(Forge_SubtractOp:$root (Forge_SubtractOp:$inner $x, $a), $b), (Forge_SubtractOp $x, (SumOf $root, $a, $b)),
                   [(IsFloat32 $inner), (SameType $x, $inner), (SameType $x, $root), (AreExactDifferences $inner, $a, $b),
                    (KeepsZeroSign $root, $a, $b)]>;

// A cast to Float32 of integers that were cast from integer-valued floats, maybe with a subtraction in between. Integers
// have no -0, so that the cast of a whole number -0 is +0.
def WasFloats : Holds<"exactFloatsOf($0, factsOf($_builder)) && elementOf($1).isF32()", "was cast from integers in Float32">;
def SubtractsExactly : Holds<"subtractsExactly($0, $1, $2, factsOf($_builder))", "differ by an integer that Float32 represents">;
def ExactFloats : NativeCodeCall<"exactFloatsOf($0, factsOf($_builder))">;
def RealOf : NativeCodeCall<"scalarOf($_builder, $_loc, elementOf($0), *splatOf($1))">;
def FloatOfWhole : Pat<(Forge_CastOp:$root $x, $type), (ExactFloats $x), [(IsInteger $x), (WasFloats $x, $root), (HidesZeroSign $root)]>;
def FloatOfDifference : Pat<(Forge_CastOp:$root (Forge_SubtractOp $x, $subtrahend), $type),
                            (Forge_SubtractOp (ExactFloats $x), (RealOf $root, $subtrahend)),
                            [(IsInteger $x), (WasFloats $x, $root), (SubtractsExactly $x, $subtrahend, $root)]>;

// The sum, mean or maximum along an axis of size 1, some of which the device's compiler refuses. The sign of a sum of -0
// alone is not guaranteed (docs/numerics.md).
def SameSize : Holds<"haveSameSize($0, $1)", "have the same number of elements">;
def Reshaped : NativeCodeCall<"reshaped($_builder, $_loc, $0, shapeOf($1))">;
class ReductionOfOne<Op reduction> : Pat<(reduction:$root $x, $dim, $keepDim), (Reshaped $x, $root), [(SameSize $x, $root)]>;
def SumOfOne : ReductionOfOne<Forge_ReduceSumOp>;
def MeanOfOne : ReductionOfOne<Forge_ReduceAvgOp>;
def MaximumOfOne : ReductionOfOne<Forge_ReduceMaxOp>;

#endif
