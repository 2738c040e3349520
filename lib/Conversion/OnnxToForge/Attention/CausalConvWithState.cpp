//===- CausalConvWithState.cpp - ONNX CausalConvWithState -----------------===//

#include "Attention.h"

#include "../Conv/Conv.h"

using namespace mlir;
using namespace forge;

// CausalConvWithState (since 27): a depthwise convolution of the concatenation of state and operand.
Values forge::convertCausalConvWithState(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), bias = n.optionalInput(2), past = n.optionalInput(3);
  bool swish = n.choiceAttr("activation", {"none", "silu", "swish"}) != "none";
  if (n.failed())
    return {};
  if (rankOf(x) != 3 || rankOf(weights) != 3)
    return n.refuse(Code::RankWrong, "the operand and the weights must have rank 3");
  int64_t batch = shapeOf(x)[0], channels = shapeOf(x)[1], length = shapeOf(x)[2], kernel = shapeOf(weights)[2];
  SmallVector<int64_t> stateShape{batch, channels, kernel - 1};
  if (kernel < 1 || shapeOf(weights) != ArrayRef<int64_t>{channels, 1, kernel} || numElements(x) == 0 ||
      (past && shapeOf(past) != ArrayRef(stateShape)))
    return n.refuse(Code::ShapeMismatch, "the weights or the state do not fit the operand");
  Value padded = x;
  if (kernel > 1)
    padded = b.concatenate({past ? past : b.splat(tensorType(x).clone(stateShape), 0), x}, 2);
  Window window{{1, kernel}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
  Value result = conv2d(b, b.reshape(padded, {batch, channels, 1, length + kernel - 1}),
                        b.reshape(weights, {channels, 1, 1, kernel}), bias, window, channels, /*channelsLast=*/false);
  result = b.reshape(result, {batch, channels, length});
  if (swish) {
    Value wide = b.cast(result, b.getF32Type());
    result = b.cast(b.create<MultiplyOp>(wide, b.create<SigmoidOp>(wide)), elementOf(x));
  }
  return {result, b.slice(padded, 2, length, length + kernel - 1)};
}
