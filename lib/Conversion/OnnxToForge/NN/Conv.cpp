//===- Conv.cpp - ONNX Conv -----------------------------------------------===//

#include "NN.h"

using namespace mlir;
using namespace forge;

// A zero pad in front of a convolution belongs into its padding: Forge asserts on the pair.
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

// A 3-D convolution is a sum of 2-D ones, one per depth of the kernel: the slices of the operand that this depth meets
// take the batch axis.
static Value conv3d(OnnxNode &n, ForgeBuilder &b, Value x, Value weights, Value bias, const Window &w, int64_t groups) {
  constexpr int64_t kMostDepths = 64;
  int64_t depths = w.kernel[0];
  if (depths > kMostDepths) {
    n.refuse(Code::TooMuchToUnroll, "a kernel of depth " + Twine(depths) + " is too much to unroll");
    return {};
  }
  x = b.pad(x, {0, 0, w.padBegin[0], 0, 0}, {0, 0, w.padEnd[0], 0, 0}, 0);
  x = b.transpose(x, {0, 2, 1, 3, 4});
  if (!x)
    return {};
  SmallVector<int64_t> s(shapeOf(x)), k(shapeOf(weights));
  int64_t room = s[1] - (depths - 1) * w.dilations[0] - 1;
  if (room < 0) {
    n.refuse(Code::WindowOutside, "the window does not fit into the padded input");
    return {};
  }
  int64_t count = room / w.strides[0] + 1;
  SmallVector<int64_t> padding{w.padBegin[1], w.padBegin[2], w.padEnd[1], w.padEnd[2]};
  Value sum;
  for (int64_t depth = 0; depth < depths; ++depth) {
    Value part = b.stridedSlice(x, 1, depth * w.dilations[0], count, w.strides[0]);
    part = b.reshape(part, {s[0] * count, s[2], s[3], s[4]});
    Value kernel = b.reshape(b.slice(weights, 2, depth, depth + 1), {k[0], k[1], k[3], k[4]});
    part =
        b.create<Conv2dOp>(part, kernel, OptionalOperand{depth == 0 ? bias : Value()}, ArrayRef(w.strides).drop_front(),
                           ArrayRef(padding), ArrayRef(w.dilations).drop_front(), groups, /*channel_last=*/false);
    sum = sum ? b.create<AddOp>(sum, part) : part;
    if (!sum)
      return {};
  }
  ArrayRef<int64_t> r = shapeOf(sum);
  return b.transpose(b.reshape(sum, {s[0], count, r[1], r[2], r[3]}), {0, 2, 1, 3, 4});
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
