//===- QLinearConv.cpp - ONNX QLinearConv ---------------------------------===//

#include "Quant.h"

using namespace mlir;
using namespace forge;

// QLinearConv (since 10): the bias has the scale scaleX * scaleW, so that it is added to the integer sums.
Values forge::convertQLinearConv(OnnxNode &n, ForgeBuilder &b) {
  Values in = llvm::map_to_vector(llvm::seq(8u), [&](unsigned i) { return n.input(i); });
  Value bias = n.optionalInput(8);
  if (n.failed())
    return {};
  Value sums = integerConv(n, b, in[0], in[3], in[2], in[5]);
  if (!sums)
    return {};
  int64_t outputs = shapeOf(sums)[1];
  auto perChannel = [&](Value value) -> Value {
    int64_t count = numElements(value);
    if (count == 1)
      return b.reshape(value, {});
    if (count == outputs)
      return b.reshape(value, {1, outputs, 1, 1});
    return n.refuse(Code::ElementCount, "a scale or the bias has neither one value nor one per output channel");
  };
  if (bias)
    sums = b.create<AddOp>(sums, perChannel(bias));
  auto one = [&](unsigned i) { return b.reshape(in[i], {}); };
  Value scaleW = perChannel(in[4]);
  for (unsigned i : {1, 6, 7})
    if (numElements(in[i]) != 1)
      n.refuse(Code::ElementCount, "input " + Twine(i) + " must have one value");
  if (n.failed())
    return {};
  Value result = requantize(b, sums, one(1), scaleW, one(6), one(7));
  return {rankOf(in[0]) == 3 ? loweredTo1d(b, result) : result};
}
