//===- Integer.cpp - ONNX products and convolutions of 8-bit integers -----===//
//
// The device multiplies matrices of floats. Products of 8-bit integers are exact in f32 as long as their sums stay
// below 2^24, so longer sums are cut into pieces whose results are added as Int32.
//
//===----------------------------------------------------------------------===//

#include "Quant.h"

#include "../NN/NN.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

static constexpr int64_t kExactInF32 = 1 << 24;
// More pieces than any sensible reduction needs.
static constexpr int64_t kMostPieces = 256;

namespace {
// An integer operand less its zero point, in f32, and the largest magnitude it can have.
struct Centred {
  Value value;
  int64_t bound = 0;
};
} // namespace

static Centred centred(OnnxNode &n, ForgeBuilder &b, Value x, Value zeroPoint, ArrayRef<int64_t> zeroPointShape) {
  auto range = quantRange(tensorType(x).getElementType());
  if (!range || cast<IntegerType>(tensorType(x).getElementType()).getWidth() != 8) {
    n.refuse("expected 8-bit integers");
    return {};
  }
  Centred result{b.cast(x, b.getBuilder().getF32Type()), std::max(-range->first, range->second)};
  if (!zeroPoint)
    return result;
  int64_t low = range->first, high = range->second;
  DenseElementsAttr known;
  if (matchPattern(zeroPoint, m_Constant(&known)) && known.getNumElements() != 0) {
    SmallVector<int64_t> values = intValues(known);
    low = *llvm::min_element(values);
    high = *llvm::max_element(values);
  }
  result.bound = std::max(range->second - low, high - range->first);
  zeroPoint = b.reshape(b.cast(zeroPoint, b.getBuilder().getF32Type()), zeroPointShape);
  result.value = b.create<SubtractOp>(result.value, zeroPoint);
  if (result.value && shapeOf(result.value) != shapeOf(x)) {
    n.refuse("a zero point does not fit its operand");
    return {};
  }
  return result;
}

// How many terms of a sum stay exact; 0 when the whole sum of `terms` could leave 32 bits or takes too many pieces.
static int64_t exactTerms(const Centred &x, const Centred &y, int64_t terms) {
  int64_t product = std::max<int64_t>(1, x.bound * y.bound), exact = kExactInF32 / product;
  return terms > INT32_MAX / product || terms > exact * kMostPieces ? 0 : exact;
}

static Value sumOfPieces(OnnxNode &n, ForgeBuilder &b, int64_t terms, int64_t perPiece,
                         llvm::function_ref<Value(int64_t, int64_t)> piece) {
  if (perPiece < 1) {
    n.refuse("a sum of integer products is too long to stay exact in f32 on the device");
    return {};
  }
  Value sum;
  for (int64_t begin = 0; begin < terms && !n.failed(); begin += perPiece) {
    Value part = b.cast(piece(begin, std::min(begin + perPiece, terms)), b.getBuilder().getI32Type());
    sum = sum ? b.create<AddOp>(sum, part) : part;
  }
  return n.failed() ? Value() : sum;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

// The shape at which a scale or zero point of a matrix broadcasts: one value per row where `rows`, else per column.
static SmallVector<int64_t> matrixParameterShape(Value value, bool rows) {
  if (!value)
    return {};
  SmallVector<int64_t> shape(shapeOf(value));
  if (tensorType(value).getNumElements() == 1 && shape.size() <= 1)
    return {};
  if (shape.size() == 1 && rows)
    shape.push_back(1);
  return shape;
}

Value forge::integerMatmul(OnnxNode &n, ForgeBuilder &b, Value x, Value y, Value zeroX, Value zeroY) {
  int64_t rankX = tensorType(x).getRank(), rankY = tensorType(y).getRank();
  if (rankX == 0 || rankY == 0) {
    n.refuse("the operands of a matrix product must have rank 1 or more");
    return {};
  }
  if (rankX == 1)
    x = b.reshape(x, {1, shapeOf(x)[0]});
  if (rankY == 1)
    y = b.reshape(y, {shapeOf(y)[0], 1});
  Centred a = centred(n, b, x, zeroX, matrixParameterShape(zeroX, /*rows=*/true));
  Centred c = centred(n, b, y, zeroY, matrixParameterShape(zeroY, /*rows=*/false));
  if (!a.value || !c.value)
    return {};
  int64_t terms = shapeOf(x).back(), lastX = tensorType(x).getRank() - 1, lastY = tensorType(y).getRank() - 2;
  if (terms < 1 || shapeOf(y)[lastY] != terms) {
    n.refuse("the contracted sizes differ or are 0");
    return {};
  }
  Value product = sumOfPieces(n, b, terms, exactTerms(a, c, terms), [&](int64_t begin, int64_t end) {
    return b.create<MatmulOp>(b.slice(a.value, lastX, begin, end), b.slice(c.value, lastY, begin, end),
                              OptionalOperand());
  });
  if (!product || (rankX != 1 && rankY != 1))
    return product;
  SmallVector<int64_t> shape(shapeOf(product));
  if (rankY == 1)
    shape.pop_back();
  if (rankX == 1)
    shape.erase(shape.end() - (rankY == 1 ? 1 : 2));
  return b.reshape(product, shape);
}

// MatMulInteger (since 10).
static Values convertMatMulInteger(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1), zeroX = n.optionalInput(2), zeroY = n.optionalInput(3);
  return {n.failed() ? Value() : integerMatmul(n, b, x, y, zeroX, zeroY)};
}

// round(sums * (scaleX * scaleY / scaleOut)) + zero point, saturated, as onnxruntime orders it.
static Value requantize(ForgeBuilder &b, Value sums, Value scaleX, Value scaleY, Value scaleOut, Value zeroPoint) {
  Type f32 = b.getBuilder().getF32Type();
  Value factor = b.cast(b.create<DivideOp>(b.create<MultiplyOp>(scaleX, scaleY), scaleOut), f32);
  return zeroPoint ? saturate(b, b.create<MultiplyOp>(b.cast(sums, f32), factor), zeroPoint,
                              tensorType(zeroPoint).getElementType())
                   : Value();
}

// QLinearMatMul (since 10, 21).
static Values convertQLinearMatMul(OnnxNode &n, ForgeBuilder &b) {
  Values in = n.inputs();
  if (!n.failed() && in.size() != 8)
    n.refuse("expected 8 inputs");
  if (n.failed())
    return {};
  auto shaped = [&](Value value, bool rows) { return b.reshape(value, matrixParameterShape(value, rows)); };
  Value sums = integerMatmul(n, b, in[0], in[3], in[2], in[5]);
  Value result =
      sums ? requantize(b, sums, shaped(in[1], true), shaped(in[4], false), shaped(in[6], true), shaped(in[7], true))
           : Value();
  if (result && shapeOf(result) != shapeOf(sums)) {
    n.refuse("a scale or zero point does not fit the product");
    return {};
  }
  return {result};
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// The i32 convolution of two integer operands; one spatial axis is a 2-D convolution of height 1.
static Value integerConv(OnnxNode &n, ForgeBuilder &b, Value x, Value weights, Value zeroX, Value zeroW) {
  int64_t groups = n.intAttr("group", 1), rank = tensorType(x).getRank();
  if ((rank != 3 && rank != 4) || rank != tensorType(weights).getRank()) {
    n.refuse("integer convolutions over other than 1 or 2 spatial axes are not supported on the device");
    return {};
  }
  Window window = readWindow(n, shapeOf(x).drop_front(2), shapeOf(weights).drop_front(2));
  if (n.failed())
    return {};
  if (groups < 1 || shapeOf(x)[1] % groups != 0 || shapeOf(weights)[1] != shapeOf(x)[1] / groups) {
    n.refuse("the weights do not fit the operand and attribute 'group'");
    return {};
  }
  auto raised = [&](Value value) {
    ArrayRef<int64_t> s = shapeOf(value);
    return rank == 4 ? value : b.reshape(value, {s[0], s[1], 1, s[2]});
  };
  x = raised(x);
  weights = raised(weights);
  if (rank == 3) {
    for (auto *list : {&window.kernel, &window.strides, &window.dilations})
      list->insert(list->begin(), 1);
    for (auto *list : {&window.padBegin, &window.padEnd})
      list->insert(list->begin(), 0);
  }
  SmallVector<int64_t> zeroShape;
  if (zeroW && tensorType(zeroW).getNumElements() != 1)
    zeroShape = {tensorType(zeroW).getNumElements(), 1, 1, 1};
  Centred a = centred(n, b, x, zeroX, {}), c = centred(n, b, weights, zeroW, zeroShape);
  if (!a.value || !c.value)
    return {};
  // Padding stands for the zero point, so it is 0 here.
  SmallVector<int64_t> padding{window.padBegin[0], window.padBegin[1], window.padEnd[0], window.padEnd[1]};
  int64_t channels = shapeOf(weights)[1], area = window.kernel[0] * window.kernel[1];
  int64_t perPiece = exactTerms(a, c, channels * area) / area;
  if (groups != 1 && perPiece < channels)
    perPiece = 0;
  Value sums = sumOfPieces(n, b, channels, perPiece, [&](int64_t begin, int64_t end) {
    bool whole = begin == 0 && end == channels;
    Value part = whole ? a.value : b.slice(a.value, 1, begin, end);
    return b.create<Conv2dOp>(part, b.slice(c.value, 1, begin, end), OptionalOperand(), ArrayRef(window.strides),
                              ArrayRef(padding), ArrayRef(window.dilations), groups, /*channel_last=*/false);
  });
  return sums;
}

// Gives a result back its one spatial axis.
static Value lowered(ForgeBuilder &b, Value result, int64_t rank) {
  if (!result || rank == 4)
    return result;
  ArrayRef<int64_t> shape = shapeOf(result);
  return b.reshape(result, {shape[0], shape[1], shape[3]});
}

// ConvInteger (since 10).
static Values convertConvInteger(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), zeroX = n.optionalInput(2), zeroW = n.optionalInput(3);
  if (n.failed())
    return {};
  return {lowered(b, integerConv(n, b, x, weights, zeroX, zeroW), tensorType(x).getRank())};
}

// QLinearConv (since 10): the bias counts in units of scaleX * scaleW, so it joins the integer sums.
static Values convertQLinearConv(OnnxNode &n, ForgeBuilder &b) {
  Values in;
  for (unsigned i = 0; i < 8; ++i)
    in.push_back(n.input(i));
  Value bias = n.optionalInput(8);
  if (n.failed())
    return {};
  int64_t rank = tensorType(in[0]).getRank();
  Value sums = integerConv(n, b, in[0], in[3], in[2], in[5]);
  if (!sums)
    return {};
  int64_t outputs = shapeOf(sums)[1];
  auto perChannel = [&](Value value) -> Value {
    int64_t count = tensorType(value).getNumElements();
    if (count == 1)
      return b.reshape(value, {});
    if (count == outputs)
      return b.reshape(value, {1, outputs, 1, 1});
    n.refuse("a scale or the bias has neither one value nor one per output channel");
    return {};
  };
  if (bias)
    sums = b.create<AddOp>(sums, perChannel(bias));
  auto one = [&](unsigned i) { return b.reshape(in[i], {}); };
  Value scaleW = perChannel(in[4]);
  for (unsigned i : {1, 6, 7})
    if (tensorType(in[i]).getNumElements() != 1)
      n.refuse("input " + Twine(i) + " must have one value");
  if (n.failed())
    return {};
  return {lowered(b, requantize(b, sums, one(1), scaleW, one(6), one(7)), rank)};
}

void forge::registerIntegerMatmulOps(OnnxRegistry &r) {
  r.add("MatMulInteger", {10}, convertMatMulInteger);
  r.add("QLinearMatMul", {10, 21}, convertQLinearMatMul);
  r.add("ConvInteger", {10}, convertConvInteger);
  r.add("QLinearConv", {10}, convertQLinearConv);
}
