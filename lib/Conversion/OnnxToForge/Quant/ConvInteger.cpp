//===- ConvInteger.cpp - ONNX ConvInteger and QLinearConv -----------------===//

#include "Quant.h"

#include "../NN/NN.h"

using namespace mlir;
using namespace forge;

// The i32 convolution of two integer operands; one spatial axis is a 2-D convolution of height 1.
static Value integerConv(OnnxNode &n, ForgeBuilder &b, Value x, Value weights, Value zeroX, Value zeroW) {
  int64_t groups = n.intAttr("group", 1), rank = tensorType(x).getRank();
  if ((rank != 3 && rank != 4) || rank != tensorType(weights).getRank()) {
    n.refuse(Code::VariantUnsupported,
             "integer convolutions over other than 1 or 2 spatial axes are not supported on the device");
    return {};
  }
  Window window = readWindow(n, shapeOf(x).drop_front(2), shapeOf(weights).drop_front(2));
  if (n.failed())
    return {};
  if (groups < 1 || shapeOf(x)[1] % groups != 0 || shapeOf(weights)[1] != shapeOf(x)[1] / groups) {
    n.refuse(Code::ShapeMismatch, "the weights do not fit the operand and attribute 'group'");
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
  // Padding has the value of the zero point, so it is 0 here.
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
Values forge::convertConvInteger(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), zeroX = n.optionalInput(2), zeroW = n.optionalInput(3);
  if (n.failed())
    return {};
  return {lowered(b, integerConv(n, b, x, weights, zeroX, zeroW), tensorType(x).getRank())};
}

// QLinearConv (since 10): the bias counts in units of scaleX * scaleW, so it joins the integer sums.
Values forge::convertQLinearConv(OnnxNode &n, ForgeBuilder &b) {
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
    n.refuse(Code::ElementCount, "a scale or the bias has neither one value nor one per output channel");
    return {};
  };
  if (bias)
    sums = b.create<AddOp>(sums, perChannel(bias));
  auto one = [&](unsigned i) { return b.reshape(in[i], {}); };
  Value scaleW = perChannel(in[4]);
  for (unsigned i : {1, 6, 7})
    if (tensorType(in[i]).getNumElements() != 1)
      n.refuse(Code::ElementCount, "input " + Twine(i) + " must have one value");
  if (n.failed())
    return {};
  return {lowered(b, requantize(b, sums, one(1), scaleW, one(6), one(7)), rank)};
}
