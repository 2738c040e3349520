//===- Conv.cpp - ONNX Conv -----------------------------------------------===//

#include "NN.h"

using namespace mlir;
using namespace forge;

// A convolution has the zeros of a pad that it reads as its own padding, where passes see them.
static Value absorbPad(Value x, Window &window) {
  auto pad = x.getDefiningOp<PadOp>();
  if (!pad || pad.getMode() != "constant" || !pad.getValue().isZero() || pad.getChannelLast() || window.rank() != 2)
    return x;
  ArrayRef<int64_t> amounts = pad.getPad();
  window.padBegin[1] += amounts[0];
  window.padEnd[1] += amounts[1];
  if (amounts.size() == 4) {
    window.padBegin[0] += amounts[2];
    window.padEnd[0] += amounts[3];
  }
  return absorbPad(pad.getOperandA(), window);
}

Value forge::conv2d(ForgeBuilder &b, Value x, Value weights, Value bias, const Window &w, int64_t groups,
                    bool channelsLast) {
  SmallVector<int64_t> padding{w.padBegin[0], w.padBegin[1], w.padEnd[0], w.padEnd[1]};
  return b.create<Conv2dOp>(x, weights, OptionalOperand{bias}, ArrayRef(w.strides), ArrayRef(padding),
                            ArrayRef(w.dilations), groups, channelsLast);
}

// Conv (since 1, 11, 22). One spatial axis is a 2-D convolution of height 1.
Values forge::convertConv(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), bias = n.optionalInput(2);
  int64_t groups = n.intAttr("group", 1);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank < 3 || rank != rankOf(weights))
    return n.refuse(Code::RankWrong, "the operand and the weights must have one rank of 3 or more");
  Window window = readWindow(n, shapeOf(x).drop_front(2), shapeOf(weights).drop_front(2));
  if (n.failed())
    return {};
  if (rank > 5)
    return n.refuse(Code::VariantUnsupported,
                    "convolutions over " + Twine(rank - 2) + " spatial axes are not supported on the device");
  if (rank == 5)
    return {conv3d(n, b, x, weights, bias, window, groups)};
  if (rank == 3) {
    x = raisedTo2d(b, x);
    weights = raisedTo2d(b, weights);
    raiseTo2d(window);
  }
  if (!x || !weights)
    return {};
  x = absorbPad(x, window);
  Value result = conv2d(b, x, weights, bias, window, groups, /*channelsLast=*/false);
  return {rank == 3 ? loweredTo1d(b, result) : result};
}
