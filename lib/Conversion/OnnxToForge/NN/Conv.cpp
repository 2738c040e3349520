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

// Conv (since 1, 11, 22). One spatial axis is a 2-D convolution of height 1.
Values forge::convertConv(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), weights = n.input(1), bias = n.optionalInput(2);
  int64_t groups = n.intAttr("group", 1);
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  if (rank < 3 || rank != tensorType(weights).getRank()) {
    n.refuse(Code::RankWrong, "the operand and the weights must have one rank of 3 or more");
    return {};
  }
  Window window = readWindow(n, shapeOf(x).drop_front(2), shapeOf(weights).drop_front(2));
  if (n.failed())
    return {};
  if (rank > 5) {
    n.refuse(Code::VariantUnsupported,
             "convolutions over " + Twine(rank - 2) + " spatial axes are not supported on the device");
    return {};
  }
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
  SmallVector<int64_t> padding{window.padBegin[0], window.padBegin[1], window.padEnd[0], window.padEnd[1]};
  Value result = b.create<Conv2dOp>(x, weights, OptionalOperand{bias}, ArrayRef(window.strides), ArrayRef(padding),
                                    ArrayRef(window.dilations), groups, /*channel_last=*/false);
  if (!result || rank == 4)
    return {result};
  ArrayRef<int64_t> shape = shapeOf(result);
  return {b.reshape(result, {shape[0], shape[1], shape[3]})};
}
