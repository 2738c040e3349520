//===- QLinearConv.cpp - ONNX QLinearConv ---------------------------------===//

#include "Quantization.h"

using namespace mlir;
using namespace forge;

// QLinearConv (since 10): the bias has the scale scaleX * scaleW, so that it is added to the integer sums.
Values forge::convertQLinearConv(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), scaleX = n.input(1), zeroX = n.input(2), weights = n.input(3), scaleW = n.input(4),
        zeroW = n.input(5), scaleOut = n.input(6), zeroOut = n.input(7), bias = n.optionalInput(8);
  if (n.failed())
    return {};
  Value sums = integerConv(n, b, x, weights, zeroX, zeroW);
  if (!sums)
    return {};
  int64_t outputs = shapeOf(sums)[1];
  auto perChannel = [&](Value value) -> Value {
    int64_t count = numElements(value);
    if (count == 1)
      return b.reshape(value, {});
    if (count == outputs) {
      SmallVector<int64_t> channels(rankOf(sums), 1);
      channels[1] = outputs;
      return b.reshape(value, channels);
    }
    return n.refuse(Code::ElementCount, "a scale or the bias has neither one value nor one per output channel");
  };
  if (bias)
    sums = b.create<AddOp>(sums, perChannel(bias));
  scaleW = perChannel(scaleW);
  for (auto [i, value] : {std::pair(1, scaleX), {6, scaleOut}, {7, zeroOut}})
    if (numElements(value) != 1)
      n.refuse(Code::ElementCount, "input " + Twine(i) + " must have one value");
  if (n.failed())
    return {};
  auto scalar = [&](Value value) { return b.reshape(value, {}); };
  Value result = requantize(b, sums, scalar(scaleX), scaleW, scalar(scaleOut), scalar(zeroOut));
  return {rankOf(x) == 3 ? loweredTo1d(b, result) : result};
}
