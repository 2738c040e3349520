//===- SkipLayerNormalization.cpp - norms of a sum with a residual --------===//

#include "Microsoft.h"

#include "../../Norm/Norm.h"

using namespace mlir;
using namespace forge;

bool microsoft::checkGammaAndBeta(OnnxNode &n, Value x, Value gamma, Value beta) {
  ArrayRef<int64_t> shape = shapeOf(x);
  if (!shape.empty() && !llvm::is_contained(shape, 0) && shapeOf(gamma) == shape.take_back(1) &&
      (!beta || shapeOf(beta) == shape.take_back(1)))
    return true;
  return n.refuse(Code::ShapeMismatch, "gamma or beta does not fit an operand of shape " + shapeText(shape));
}

microsoft::NormOutputs microsoft::layerNorm(ForgeBuilder &b, Value x, Value gamma, Value beta, double epsilon,
                                            bool simplified) {
  if (!x)
    return {};
  Type wide = b.getF32Type();
  int64_t last = rankOf(x) - 1;
  NormOutputs out;
  Value root;
  x = b.cast(x, wide);
  if (simplified) {
    root = deviation(b, b.reduce<ReduceAvgOp>(b.create<MultiplyOp>(x, x), {last}, /*keepDims=*/true), epsilon);
    out.result = b.create<DivideOp>(x, root);
  } else {
    Moments m = moments(b, x, {last});
    root = deviation(b, m.variance, epsilon);
    out.result = b.create<DivideOp>(m.centred, root);
    out.mean = m.mean;
  }
  out.result = b.create<MultiplyOp>(out.result, b.cast(gamma, wide));
  if (beta)
    out.result = b.create<AddOp>(out.result, b.cast(beta, wide));
  out.inverseRoot = b.create<DivideOp>(b.scalarLike(root, 1), root);
  return out;
}

// SkipLayerNormalization, SkipSimplifiedLayerNormalization: a norm of input + skip (+ bias).
template <bool Simplified>
static Values skipNorm(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), skip = n.input(1), gamma = n.input(2);
  Value beta = Simplified ? Value() : n.optionalInput(3), bias = n.optionalInput(Simplified ? 3 : 4);
  double epsilon = n.floatAttr("epsilon", 1e-12);
  if (n.failed() || !requireFloats(n, {x, skip, gamma, beta, bias}) || !microsoft::checkGammaAndBeta(n, x, gamma, beta))
    return {};
  Type element = elementOf(x);
  // Skip may have one batch row that is broadcast.
  bool fits = rankOf(skip) >= 2 && shapeOf(skip).take_back(2) == shapeOf(x).take_back(2);
  Value sum = fits ? b.create<AddOp>(x, skip) : Value();
  if (sum && bias)
    sum = b.create<AddOp>(sum, bias);
  if (!sum || shapeOf(sum) != shapeOf(x))
    return n.refuse(Code::ShapeMismatch, "skip or bias does not fit an operand of shape " + shapeText(shapeOf(x)));
  microsoft::NormOutputs out = microsoft::layerNorm(b, sum, gamma, beta, epsilon, Simplified);
  return {b.cast(out.result, element), out.mean, out.inverseRoot, sum};
}

Values forge::microsoft::convertSkipLayerNormalization(OnnxNode &n, ForgeBuilder &b) { return skipNorm<false>(n, b); }
Values forge::microsoft::convertSkipSimplifiedLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  return skipNorm<true>(n, b);
}
