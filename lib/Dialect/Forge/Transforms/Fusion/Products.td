//===- Products.td - local rewrites of products -------------------*- tablegen -*-===//
//
// Local rewrites of --forge-fold-weights and --forge-kernel-forms, which name and count them.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_PRODUCTS_TD
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_PRODUCTS_TD

include "forge/Dialect/Forge/IR/ForgeOps.td"
include "Constraints.td"

def IsWeight : Holds<"isWeight($0)", "is a weight">;
def IsNoWeight : Holds<"!isWeight($0)", "is no weight">;
def HasOneUse : Holds<"$0.hasOneUse()", "has one use">;
def IsAbsent : Holds<"!$0", "is absent">;
def IsOne : Holds<"scalarValue($0) == 1.0", "is the number 1">;

// Commutative ops have a pattern for each order of operands; the second one is ...Commuted.

// x * (1 / y) is x / y, the end of an RMS norm.
class ProductToQuotient<dag product> : Pat<product, (Forge_DivideOp $x, $y, (location $root)),
  [(IsOne $one), (HasOneUse $inverse), (SameType $inverse, $y), (SameType $x, $root), (IsFloat32 $root)]>;
def MultiplyByReciprocal : ProductToQuotient<(Forge_MultiplyOp:$root $x, (Forge_DivideOp:$inverse $one, $y))>;
def MultiplyByReciprocalCommuted : ProductToQuotient<(Forge_MultiplyOp:$root (Forge_DivideOp:$inverse $one, $y), $x)>;

// An addition to a product becomes the bias operand of the product.
def CanBeBias : Holds<"canBeBiasOf($0, $1)", "can be the bias of a product">;
class AddIntoMatmulBias<dag sum> : Pat<
  sum, (Forge_MatmulOp $a, $b, $addend, (location $root)),
  [(IsAbsent $none), (HasOneUse $product), (SameType $product, $root), (CanBeBias $addend, $root),
   (IsNoWeight $product)]>;
def AddToMatmul : AddIntoMatmulBias<(Forge_AddOp:$root (Forge_MatmulOp:$product $a, $b, $none), $addend)>;
def AddToMatmulCommuted : AddIntoMatmulBias<(Forge_AddOp:$root $addend, (Forge_MatmulOp:$product $a, $b, $none))>;

// A scalar bias of a product with several columns becomes a bias with one element per column.
def IsScalarBias : Holds<"isScalarBiasOfSeveralColumns($0, tensorType($1))", "is a scalar bias of several columns">;
def ScalarOfEachColumn : NativeCodeCall<"splatConstant($_builder, $_loc, {shapeOf($1).back()}, *scalarValue($0))">;
def ScalarBiasPerColumn : Pat<
  (Forge_MatmulOp:$root $a, $b, $number), (Forge_MatmulOp $a, $b, (ScalarOfEachColumn $number, $root), (location $root)),
  [(IsScalarBias $number, $root), (IsFloat32 $root)]>;

// The mean of the trailing axis plus a scalar, as in norms, becomes a product with a column of 1 / size and a bias.
def AreMeanAndScalar : Holds<"areMeanAndScalar($0, $1)", "are a mean of rows and a number">;
def ColumnOfParts : NativeCodeCall<"splatConstant($_builder, $_loc, {shapeOf($0).back(), 1}, 1.0 / shapeOf($0).back())">;
class MeanPlusScalar<dag sum> : Pat<
  sum, (Forge_MatmulOp $x, (ColumnOfParts $x), $number, (location $root)),
  [(AreMeanAndScalar $mean, $number), (HasOneUse $mean), (SameType $mean, $root), (IsFloat32 $root),
   (IsNoWeight $mean)]>;
def AddToMean : MeanPlusScalar<(Forge_AddOp:$root (Forge_ReduceAvgOp:$mean $x, $dim, $keepDim), $number)>;
def AddToMeanCommuted : MeanPlusScalar<(Forge_AddOp:$root $number, (Forge_ReduceAvgOp:$mean $x, $dim, $keepDim))>;

// A column times a row, both weights, as the angles of rotary embeddings: a product per element, which is computed when
// the weights are written.
def AreColumnAndRow : Holds<"areColumnAndRow($0, $1)", "are a column and a row">;
def OuterProductOfWeights : Pat<
  (Forge_MatmulOp:$root $column, $row, $none), (Forge_MultiplyOp $column, $row, (location $root)),
  [(IsAbsent $none), (AreColumnAndRow $column, $row), (IsWeight $column), (IsWeight $row)]>;

#endif
