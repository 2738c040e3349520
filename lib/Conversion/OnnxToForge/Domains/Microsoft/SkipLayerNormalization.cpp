//===- SkipLayerNormalization.cpp - norms of a sum with a residual --------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

Normalised microsoft::layerNorm(OnnxNode &n, ForgeBuilder &b, Value x, Value gamma, Value beta, double epsilon,
                                bool simplified) {
  ArrayRef<int64_t> shape = shapeOf(x);
  auto fits = [&](Value value) { return !value || shapeOf(value) == shape.take_back(1); };
  if (shape.empty() || llvm::is_contained(shape, 0) || !fits(gamma) || !fits(beta)) {
    n.refuse(Code::ShapeMismatch, "gamma or beta does not fit an operand of shape " + shapeText(shape));
    return {};
  }
  Type f32 = b.getF32Type();
  int64_t last = rankOf(x) - 1;
  x = b.cast(x, f32);
  Normalised norm = simplified ? rmsNormalised(b, x, {last}, epsilon) : normalised(b, x, {last}, epsilon);
  norm.result = scaledAndShifted(b, norm.result, b.cast(gamma, f32), b.cast(beta, f32));
  return norm;
}

// SkipLayerNormalization, SkipSimplifiedLayerNormalization: a norm of input + skip (+ bias).
Values forge::microsoft::convertSkipLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  bool simplified = n.opType() == "SkipSimplifiedLayerNormalization";
  Value x = n.input(0), skip = n.input(1), gamma = n.input(2);
  Value beta = simplified ? Value() : n.optionalInput(3), bias = n.optionalInput(simplified ? 3 : 4);
  double epsilon = n.floatAttr("epsilon", 1e-12);
  if (n.failed() || !requireFloats(n, {x, skip, gamma, beta, bias}))
    return {};
  // As in onnxruntime, the sum is normalised before it is rounded to a 16-bit type.
  Type element = elementOf(x), f32 = b.getF32Type();
  // Skip may have one batch row that is broadcast.
  bool fits = rankOf(skip) >= 2 && shapeOf(skip).take_back(2) == shapeOf(x).take_back(2);
  Value sum = fits ? b.create<AddOp>(b.cast(x, f32), b.cast(skip, f32)) : Value();
  if (sum && bias)
    sum = b.create<AddOp>(sum, b.cast(bias, f32));
  if (!sum || shapeOf(sum) != shapeOf(x))
    return n.refuse(Code::ShapeMismatch, "skip or bias does not fit an operand of shape " + shapeText(shapeOf(x)));
  Normalised norm = layerNorm(n, b, sum, gamma, beta, epsilon, simplified);
  return {b.cast(norm.result, element), norm.mean, reciprocal(b, norm.root), b.cast(sum, element)};
}
