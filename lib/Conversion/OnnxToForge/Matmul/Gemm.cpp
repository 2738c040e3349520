//===- Gemm.cpp - ONNX Gemm -----------------------------------------------===//

#include "../Norm/Norm.h"
#include "Matmul.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static Value scaled(ForgeBuilder &b, Value x, double factor) {
  return factor == 1 ? x : b.create<MultiplyOp>(x, b.scalarLike(x, factor));
}

Value forge::gemm(OnnxNode &n, ForgeBuilder &b, Value c, bool broadcast) {
  Value x = n.input(0), y = n.input(1);
  double alpha = n.floatAttr("alpha", 1), beta = n.floatAttr("beta", 1);
  bool transA = n.flagAttr("transA", false), transB = n.flagAttr("transB", false);
  if (n.failed())
    return {};
  if (rankOf(x) != 2 || rankOf(y) != 2)
    n.refuse(Code::RankWrong, "A and B must have rank 2");
  if (isa<IntegerType>(elementOf(x)) && (alpha != std::trunc(alpha) || beta != std::trunc(beta)))
    n.refuse(Code::RoundingUndefined, "integers times a fraction round, which ONNX leaves open");
  if (n.failed())
    return {};
  Type element = elementOf(x);
  // In a 16-bit type, what the factors make smaller could overflow before.
  Type wide = alpha == 1 && (!c || beta == 1) ? element : statisticsType(b, x);
  x = b.cast(x, wide);
  y = b.cast(y, wide);
  if (transA)
    x = b.transpose(x, {1, 0});
  if (transB)
    y = b.transpose(y, {1, 0});
  Value result = scaled(b, matmul(n, b, x, y), alpha);
  if (!c || !result)
    return b.cast(result, element);
  if (!broadcast && shapeOf(c) != shapeOf(result))
    n.refuse(Code::ShapeMismatch, "C must have the shape of the product when attribute 'broadcast' is 0");
  Value sum = b.create<AddOp>(result, scaled(b, b.cast(c, wide), beta));
  if (sum && sum.getType() != result.getType())
    n.refuse(Code::ShapeMismatch, "C does not broadcast to the shape of the product");
  return b.cast(sum, element);
}

Values forge::convertGemm(OnnxNode &n, ForgeBuilder &b) {
  Value c = n.since() >= 11 ? n.optionalInput(2) : n.input(2);
  // Before opset 7 C was broadcast only with this flag; a C of the full shape needs no broadcast.
  return {gemm(n, b, c, n.since() >= 7 || n.flagAttr("broadcast", false))};
}
