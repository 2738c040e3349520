//===- MatMulInteger.cpp - ONNX MatMulInteger -----------------------------===//
//
// The device has matrix products of floats only. Those of 8-bit integers are exact in f32 as long as sums are below
// 2^24, so that longer sums are split into chunks whose results are added as Int32.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"

using namespace mlir;
using namespace forge;

static constexpr int64_t kExactInF32 = 1 << 24;

// A limit that no sensible reduction reaches.
static constexpr int64_t kMostChunks = 256;

Centred forge::centred(OnnxNode &n, ForgeBuilder &b, Value x, Value zeroPoint, ArrayRef<int64_t> zeroPointShape) {
  auto range = quantRange(elementOf(x));
  if (!range || cast<IntegerType>(elementOf(x)).getWidth() != 8) {
    n.refuse(Code::OperandType, "expected 8-bit integers");
    return {};
  }
  Centred result{b.cast(x, b.getF32Type()), std::max(-range->first, range->second)};
  if (!zeroPoint)
    return result;
  int64_t low = range->first, high = range->second;
  if (DenseElementsAttr known = knownValue(zeroPoint); known && !known.empty()) {
    SmallVector<int64_t> values = intValues(known);
    low = *llvm::min_element(values);
    high = *llvm::max_element(values);
  }
  result.bound = std::max(range->second - low, high - range->first);
  zeroPoint = b.reshape(b.cast(zeroPoint, b.getF32Type()), zeroPointShape);
  result.value = b.create<SubtractOp>(result.value, zeroPoint);
  if (result.value && shapeOf(result.value) != shapeOf(x)) {
    n.refuse(Code::ShapeMismatch, "a zero point does not fit its operand");
    return {};
  }
  return result;
}

int64_t forge::exactTerms(const Centred &x, const Centred &y, int64_t terms) {
  int64_t product = std::max<int64_t>(1, x.bound * y.bound), exact = kExactInF32 / product;
  return terms > INT32_MAX / product || terms > exact * kMostChunks ? 0 : exact;
}

Value forge::sumOfChunks(OnnxNode &n, ForgeBuilder &b, int64_t terms, int64_t perChunk,
                         llvm::function_ref<Value(int64_t, int64_t)> chunk) {
  if (perChunk < 1)
    return n.refuse(Code::RoundingUndefined,
                    "a sum of integer products is too long to stay exact in f32 on the device");
  Value sum;
  for (int64_t begin = 0; begin < terms && !n.failed(); begin += perChunk) {
    Value part = b.cast(chunk(begin, std::min(begin + perChunk, terms)), b.getI32Type());
    sum = sum ? b.create<AddOp>(sum, part) : part;
  }
  return n.failed() ? Value() : sum;
}

SmallVector<int64_t> forge::matrixParameterShape(Value value, bool rows) {
  if (!value)
    return {};
  SmallVector<int64_t> shape(shapeOf(value));
  if (numElements(value) == 1 && shape.size() <= 1)
    return {};
  if (shape.size() == 1 && rows)
    shape.push_back(1);
  return shape;
}

Value forge::integerMatmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y, Value zeroX, Value zeroY) {
  if (rankOf(x) == 0 || rankOf(y) == 0)
    return n.refuse(Code::RankWrong, "the operands of a matrix product must have rank 1 or more");
  return multiplyAsMatrices(b, x, y, [&](Value x, Value y) -> Value {
    Centred a = centred(n, b, x, zeroX, matrixParameterShape(zeroX, /*rows=*/true));
    Centred c = centred(n, b, y, zeroY, matrixParameterShape(zeroY, /*rows=*/false));
    if (!a.value || !c.value)
      return {};
    int64_t terms = shapeOf(x).back(), lastX = rankOf(x) - 1, lastY = rankOf(y) - 2;
    if (terms < 1 || shapeOf(y)[lastY] != terms)
      return n.refuse(Code::ShapeMismatch, "the contracted sizes differ or are 0");
    return sumOfChunks(n, b, terms, exactTerms(a, c, terms), [&](int64_t begin, int64_t end) {
      return b.matmul(b.slice(a.value, lastX, begin, end), b.slice(c.value, lastY, begin, end));
    });
  });
}

Values forge::convertMatMulInteger(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1), zeroX = n.optionalInput(2), zeroY = n.optionalInput(3);
  return {n.failed() ? Value() : integerMatmul(n, b, x, y, zeroX, zeroY)};
}
