//===- Moments.cpp - what the norms share ---------------------------------===//

#include "Norm.h"

using namespace mlir;
using namespace forge;

Value forge::mean(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes) {
  return b.reduce<ReduceAvgOp>(x, axes, /*keepDims=*/true);
}

Moments forge::moments(ForgeBuilder &b, Value x, ArrayRef<int64_t> axes) {
  Moments result;
  result.mean = mean(b, x, axes);
  result.centred = b.create<SubtractOp>(x, result.mean);
  result.variance = mean(b, b.create<MultiplyOp>(result.centred, result.centred), axes);
  return result;
}

Value forge::deviation(ForgeBuilder &b, Value variance, double epsilon) {
  return b.create<SqrtOp>(b.create<AddOp>(variance, b.scalarLike(variance, epsilon)));
}

Value forge::perChannel(ForgeBuilder &b, Value value, int64_t rank) {
  if (!value)
    return {};
  SmallVector<int64_t> shape(rank, 1);
  shape[1] = tensorType(value).getNumElements();
  return b.reshape(value, shape);
}

bool forge::checkChannels(OnnxNode &n, Value value, int64_t count, StringRef what) {
  if (tensorType(value).getRank() == 1 && shapeOf(value)[0] == count)
    return true;
  n.refuse(Code::ShapeMismatch, what + " must have " + Twine(count) + " elements");
  return false;
}

bool forge::checkFilled(OnnxNode &n, Value x, int64_t minimumRank) {
  if (tensorType(x).getRank() >= minimumRank && tensorType(x).getNumElements() != 0)
    return true;
  n.refuse(Code::RankWrong, "the operand must have rank " + Twine(minimumRank) + " or more and no empty axis");
  return false;
}

Type forge::stashType(OnnxNode &n, ForgeBuilder &b, Value x) {
  int64_t code = n.intAttr("stash_type", 1);
  Type type = elementTypeOfCode(code, b.getBuilder().getContext());
  if (!isa_and_nonnull<FloatType>(type))
    n.refuse(Code::AttributeValue, "attribute 'stash_type' is no floating-point type");
  if (!isa<FloatType>(tensorType(x).getElementType()))
    n.refuse(Code::IntegersUnsupported, "integers have no norm");
  if (n.failed())
    return {};
  // Only an upcast: f64 operands are not narrowed to f32 by a default.
  Type own = tensorType(x).getElementType();
  return own.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth() ? own : type;
}

Type forge::statisticsType(ForgeBuilder &b, Value x) {
  Type own = tensorType(x).getElementType();
  return own.isF16() || own.isBF16() ? b.getBuilder().getF32Type() : own;
}

Value forge::broadcastable(OnnxNode &n, Value value, Value x) {
  auto target = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(x), shapeOf(value));
  if (succeeded(target) && ArrayRef(*target) == shapeOf(x))
    return value;
  n.refuse(Code::ShapeMismatch, "scale or bias does not broadcast to the operand");
  return {};
}

SmallVector<int64_t> forge::axesFrom(OnnxNode &n, Value x) {
  int64_t rank = tensorType(x).getRank(), axis = n.axis(n.intAttr("axis", -1), rank);
  return llvm::to_vector(llvm::seq<int64_t>(axis, rank));
}
