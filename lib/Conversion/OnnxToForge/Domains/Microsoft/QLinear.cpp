//===- QLinear.cpp - ops on quantised operands ----------------------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

namespace {
// A scale, and a zero point (null: 0) that has the type of the quantised values.
struct Scaling {
  Value scale, zeroPoint;
};
} // namespace

// Inputs `i` and `i` + 1 as the scaling of values of `type`.
static Scaling readScaling(OnnxNode &n, ForgeBuilder &b, unsigned i, Type type) {
  Value scale = n.input(i), zeroPoint = n.optionalInput(i + 1);
  if (n.failed())
    return {};
  if (!type.isInteger(8))
    n.refuse(Code::OperandType, "expected 8-bit integers");
  else if (!elementOf(scale).isF32() || numElements(scale) != 1)
    n.refuse(Code::ElementCount,
             "expected one scale (input " + Twine(i) + ") in float32, but got shape " + shapeText(shapeOf(scale)));
  else if (zeroPoint && (elementOf(zeroPoint) != type || numElements(zeroPoint) != 1))
    n.refuse(Code::ElementCount, "expected one zero point (input " + Twine(i + 1) +
                                     ") of the quantised type, but got shape " + shapeText(shapeOf(zeroPoint)));
  if (n.failed())
    return {};
  return {b.reshape(scale, {}), zeroPoint ? b.reshape(zeroPoint, {}) : Value()};
}

// x - zero point in f32, which is exact.
static Value lessZeroPoint(ForgeBuilder &b, Value x, Value zeroPoint) {
  Type wide = b.getF32Type();
  return zeroPoint ? b.create<SubtractOp>(b.cast(x, wide), b.cast(zeroPoint, wide)) : b.cast(x, wide);
}

static Value dequantised(ForgeBuilder &b, Value x, Scaling scaling) {
  return b.create<MultiplyOp>(lessZeroPoint(b, x, scaling.zeroPoint), scaling.scale);
}

static Value quantised(ForgeBuilder &b, Value x, Scaling scaling, Type type) {
  return saturate(b, b.create<DivideOp>(x, scaling.scale), scaling.zeroPoint, type);
}

// Input `i` in f32. Its scale and zero point follow it; its type is that of all quantised inputs.
static Value dequantisedInput(OnnxNode &n, ForgeBuilder &b, unsigned i, Type type) {
  Value x = n.input(i);
  if (x && type && elementOf(x) != type)
    n.refuse(Code::OperandType, "expected operands of one type");
  Scaling scaling = readScaling(n, b, i + 1, type);
  return n.failed() ? Value() : dequantised(b, x, scaling);
}

// The type of input `i`, which the other quantised inputs and the result have too; null if the node has failed.
static Type quantisedType(OnnxNode &n, unsigned i) {
  Value x = n.input(i);
  return n.failed() ? Type() : elementOf(x);
}

// QLinearAdd, QLinearMul.
template <typename OpTy>
static Values binaryOf(OnnxNode &n, ForgeBuilder &b) {
  Type type = quantisedType(n, 0);
  Value y = dequantisedInput(n, b, 3, type), x = dequantisedInput(n, b, 0, type);
  Scaling ofZ = readScaling(n, b, 6, type);
  return {quantised(b, b.create<OpTy>(x, y), ofZ, type)};
}

static Value applySigmoid(OnnxNode &, ForgeBuilder &b, Value x) { return b.create<SigmoidOp>(x); }
static Value applyLeakyRelu(OnnxNode &n, ForgeBuilder &b, Value x) {
  return b.create<LeakyReluOp>(x, f32(n.floatAttr("alpha", 0.01)));
}

// QLinearSigmoid, QLinearLeakyRelu.
template <Value compute(OnnxNode &, ForgeBuilder &, Value)>
static Values unaryOf(OnnxNode &n, ForgeBuilder &b) {
  Type type = quantisedType(n, 0);
  Value x = dequantisedInput(n, b, 0, type);
  Scaling ofY = readScaling(n, b, 3, type);
  return {quantised(b, compute(n, b, x), ofY, type)};
}

// QLinearSoftmax: `opset` is that of the Softmax. Before 13 the axes from `axis` on are normalised together.
static Values convertQLinearSoftmax(OnnxNode &n, ForgeBuilder &b) {
  bool flattens = n.intAttr("opset") < 13;
  int64_t axis = n.intAttr("axis", -1);
  Type type = quantisedType(n, 0);
  Value x = dequantisedInput(n, b, 0, type);
  Scaling ofY = readScaling(n, b, 3, type);
  float inverse = 1 / static_cast<float>(n.constantScalar(3, "the scale of the result"));
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t rank = shape.size();
  axis = n.axis(axis, rank);
  if (!(inverse >= 1) || std::isinf(inverse) || inverse != std::floor(inverse))
    return n.refuse(Code::VariantUnsupported,
                    "expected a scale of the result whose reciprocal is an integer; onnxruntime rounds others down");
  if (n.failed())
    return {};
  Value y = flattens ? softmax(n, b, b.reshape(x, flattenedAt(shape, axis)), -1) : softmax(n, b, x, axis - rank);
  return {quantised(b, b.reshape(y, shape), ofY, type)};
}

// QLinearGlobalAveragePool: the mean over the spatial axes.
static Values convertQLinearGlobalAveragePool(OnnxNode &n, ForgeBuilder &b) {
  bool last = n.flagAttr("channels_last", false);
  Value x = n.input(0);
  Type type = n.failed() ? Type() : elementOf(x);
  Scaling ofX = readScaling(n, b, 1, type), ofY = readScaling(n, b, 3, type);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), pooled(shape);
  int64_t rank = shape.size(), count = 1;
  for (int64_t axis = last ? 1 : 2; axis < (last ? rank - 1 : rank); ++axis)
    count *= std::exchange(pooled[axis], 1);
  // Sums of this many 9-bit values are exact.
  constexpr int64_t kMostValues = 1 << 15;
  if (rank < 3 || llvm::is_contained(shape, 0) || count > kMostValues)
    return n.refuse(Code::RankWrong,
                    "expected an operand of rank 3 or more and at most 32768 values per channel, but got shape " +
                        shapeText(shape));
  int64_t batch = shape[0], channels = last ? shape.back() : shape[1];
  SmallVector<int64_t> flat =
      last ? SmallVector<int64_t>{batch, count, channels} : SmallVector<int64_t>{batch, channels, count};
  Value sum =
      b.reduce<ReduceSumOp>(lessZeroPoint(b, b.reshape(x, flat), ofX.zeroPoint), {last ? 1 : 2}, /*keepDims=*/true);
  Value factor = b.create<DivideOp>(ofX.scale, b.create<MultiplyOp>(ofY.scale, b.scalarLike(sum, count)));
  return {saturate(b, b.create<MultiplyOp>(b.reshape(sum, pooled), factor), ofY.zeroPoint, type)};
}

// QLinearConcat: concatenates operands with different scales along one axis.
static Values convertConcat(OnnxNode &n, ForgeBuilder &b) {
  int64_t axis = n.intAttr("axis");
  if (n.numInputs() < 5 || n.numInputs() % 3 != 2)
    n.refuse(Code::Arity, "expected 2 inputs and 3 per operand, but got " + Twine(n.numInputs()));
  Type type = n.failed() ? Type() : quantisedType(n, 2);
  if (n.failed())
    return {};
  axis = n.axis(axis, rankOf(n.input(2)));
  Scaling ofY = readScaling(n, b, 0, type);
  Values parts;
  for (unsigned i = 2; i < n.numInputs() && !n.failed(); i += 3) {
    parts.push_back(quantised(b, dequantisedInput(n, b, i, type), ofY, type));
    if (!n.failed() && rankOf(parts.back()) != rankOf(parts.front()))
      n.refuse(Code::OperandType, "expected operands of one type and rank");
  }
  return {n.failed() ? Value() : b.concatenate(parts, axis)};
}

static bool isPerTensor(Value value) { return !value || numElements(value) == 1; }
static bool isPerColumn(Value value, int64_t columns) {
  return isPerTensor(value) || shapeOf(value) == ArrayRef<int64_t>{columns};
}
// A value with one element as a scalar, so that it broadcasts; others are unchanged.
static Value flattened(ForgeBuilder &b, Value value) {
  return value && isPerTensor(value) ? b.reshape(value, {}) : value;
}

// The i32 product of X and Y, scaled to f32 by scaleX * scaleY, plus a bias. Y has one scale, or one per column.
static Value scaledProduct(OnnxNode &n, ForgeBuilder &b, Value x, Value y, Value zeroX, Value zeroY, Value scaleX,
                           Value scaleY, Value bias) {
  int64_t columns = rankOf(y) < 2 ? 1 : shapeOf(y).back();
  if (!isPerTensor(scaleX) || !isPerTensor(zeroX))
    n.refuse(Code::ElementCount, "expected one scale and one zero point for A");
  else if (rankOf(y) < 2 || !isPerColumn(scaleY, columns) || !isPerColumn(zeroY, columns) ||
           (bias && shapeOf(bias) != ArrayRef<int64_t>{columns}))
    n.refuse(Code::ShapeMismatch,
             "expected a matrix B and one scale and zero point, or one per column, and a bias per column");
  if (n.failed() || !requireFloats(n, {scaleX, scaleY, bias}))
    return {};
  Value sums = integerMatmul(n, b, x, y, flattened(b, zeroX), flattened(b, zeroY));
  Value scale = b.create<MultiplyOp>(flattened(b, scaleX), flattened(b, scaleY));
  Value product = b.create<MultiplyOp>(b.cast(sums, b.getF32Type()), scale);
  return bias ? b.create<AddOp>(product, bias) : product;
}

static Values convertMatMulIntegerToFloat(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1), scaleX = n.input(2), scaleY = n.input(3), zeroX = n.optionalInput(4),
        zeroY = n.optionalInput(5), bias = n.optionalInput(6);
  if (n.failed())
    return {};
  return {scaledProduct(n, b, x, y, zeroX, zeroY, scaleX, scaleY, bias)};
}

// DynamicQuantizeMatMul: the same, with A quantised at run time.
static Values convertDynamicQuantizeMatMul(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1), scaleY = n.input(2), zeroY = n.optionalInput(3), bias = n.optionalInput(4);
  if (n.failed())
    return {};
  Quantised q = quantiseDynamically(n, b, x);
  if (n.failed() || !q.bytes || !q.scale || !q.zeroPoint)
    return {};
  return {scaledProduct(n, b, q.bytes, y, q.zeroPoint, zeroY, q.scale, scaleY, bias)};
}

// QGemm: alpha * A' * B' + C, where C has the scale of the product. The result is quantised if a scale for it is given.
static Values convertQGemm(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 1);
  bool transA = n.flagAttr("transA", false), transB = n.flagAttr("transB", false);
  Value x = n.input(0), scaleX = n.input(1), zeroX = n.input(2), y = n.input(3), scaleY = n.input(4),
        zeroY = n.input(5);
  Value c = n.optionalInput(6), scaleOut = n.optionalInput(7), zeroOut = n.optionalInput(8);
  if (n.failed())
    return {};
  if (rankOf(x) != 2 || rankOf(y) != 2 || (zeroOut && !scaleOut))
    return n.refuse(Code::RankWrong, "expected matrices A and B, and a scale beside the zero point of Y");
  x = transA ? b.transpose(x, {1, 0}) : x;
  y = transB ? b.transpose(y, {1, 0}) : y;
  int64_t columns = shapeOf(y)[1];
  if (!isPerTensor(scaleX) || !isPerTensor(zeroX) || !isPerColumn(scaleY, columns) || !isPerColumn(zeroY, columns) ||
      !isPerTensor(scaleOut) || !isPerTensor(zeroOut))
    n.refuse(Code::ShapeMismatch, "expected one scale and zero point, or for B one per column");
  if (!requireFloats(n, {scaleX, scaleY, scaleOut}))
    return {};
  Value sums = integerMatmul(n, b, x, y, flattened(b, zeroX), flattened(b, zeroY));
  if (sums && c)
    sums = b.create<AddOp>(sums, c);
  if (!sums)
    return {};
  Value scale = b.create<MultiplyOp>(flattened(b, scaleX), b.scalarLike(scaleX, alpha));
  scale = b.create<MultiplyOp>(scale, flattened(b, scaleY));
  Type f32 = b.getF32Type();
  if (!scaleOut)
    return {b.create<MultiplyOp>(b.cast(sums, f32), scale)};
  Type type = zeroOut ? elementOf(zeroOut) : elementOf(x);
  Value scaled = b.create<MultiplyOp>(b.cast(sums, f32), b.create<DivideOp>(scale, flattened(b, scaleOut)));
  return {saturate(b, scaled, flattened(b, zeroOut), type)};
}

// QLinearWhere: selects from two operands with different scales.
static Values convertQLinearWhere(OnnxNode &n, ForgeBuilder &b) {
  Value condition = n.input(0);
  Type type = quantisedType(n, 1);
  Scaling ofZ = readScaling(n, b, 7, type);
  auto requantised = [&](unsigned i) { return quantised(b, dequantisedInput(n, b, i, type), ofZ, type); };
  Value y = requantised(4), x = requantised(1);
  return {b.create<WhereOp>(condition, x, y)};
}

void forge::microsoft::registerQLinearOps(OnnxRegistry &registry) {
  registry.add(
      {
          {"QLinearAdd", {1}, binaryOf<AddOp>},
          {"QLinearMul", {1}, binaryOf<MultiplyOp>},
          {"QLinearSigmoid", {1}, unaryOf<applySigmoid>},
          {"QLinearLeakyRelu", {1}, unaryOf<applyLeakyRelu>},
          {"QLinearSoftmax", {1}, convertQLinearSoftmax},
          {"QLinearGlobalAveragePool", {1}, convertQLinearGlobalAveragePool},
          {"QLinearConcat", {1}, convertConcat},
          {"QLinearWhere", {1}, convertQLinearWhere},
          {"QGemm", {1}, convertQGemm},
          {"MatMulIntegerToFloat", {1}, convertMatMulIntegerToFloat},
          {"DynamicQuantizeMatMul", {1}, convertDynamicQuantizeMatMul},
      },
      kMicrosoft);
}
