//===- Conv.cpp - ONNX Conv -----------------------------------------------===//

#include "NN.h"

using namespace mlir;
using namespace forge;

Window forge::readWindow(OnnxNode &n, ArrayRef<int64_t> spatial, ArrayRef<int64_t> kernel, bool ceilMode) {
  size_t rank = spatial.size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  Window window;
  window.kernel = kernel.empty() ? n.intsAttr("kernel_shape") : n.intsAttr("kernel_shape", kernel);
  window.strides = n.intsAttr("strides", ArrayRef(ones));
  window.dilations = n.intsAttr("dilations", ArrayRef(ones));
  SmallVector<int64_t> pads = n.intsAttr("pads", ArrayRef(zeros));
  StringRef autoPad = n.stringAttr("auto_pad", "NOTSET");
  auto check = [&](ArrayRef<int64_t> values, StringRef name, size_t count, int64_t minimum) {
    if (values.size() != count)
      n.refuse("attribute '" + name + "' has " + Twine(values.size()) + " values for " + Twine(rank) + " spatial axes");
    else if (llvm::any_of(values, [&](int64_t value) { return value < minimum || value > INT32_MAX; }))
      n.refuse("attribute '" + name + "' has a value below " + Twine(minimum) + " or beyond 32 bits");
  };
  check(window.kernel, "kernel_shape", rank, 1);
  check(window.strides, "strides", rank, 1);
  check(window.dilations, "dilations", rank, 1);
  check(pads, "pads", 2 * rank, 0);
  if (!kernel.empty() && !n.failed() && ArrayRef(window.kernel) != kernel)
    n.refuse("attribute 'kernel_shape' differs from the weights");
  if (n.failed())
    return window;
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
    for (size_t i = 0; i < rank; ++i) {
      int64_t outputs = (spatial[i] + window.strides[i] - 1) / window.strides[i];
      int64_t span = (window.kernel[i] - 1) * window.dilations[i] + 1;
      int64_t total = std::max<int64_t>(0, (outputs - 1) * window.strides[i] + span - spatial[i]);
      int64_t smaller = total / 2;
      window.padBegin.push_back(autoPad == "SAME_UPPER" ? smaller : total - smaller);
      window.padEnd.push_back(total - window.padBegin.back());
    }
    return window;
  }
  if (autoPad != "NOTSET" && autoPad != "VALID")
    n.refuse("attribute 'auto_pad' must be NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  ArrayRef<int64_t> given = autoPad == "VALID" ? ArrayRef(zeros) : ArrayRef(pads);
  window.padBegin.assign(given.begin(), given.begin() + rank);
  window.padEnd.assign(given.begin() + rank, given.end());
  return window;
}

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

Value forge::raisedTo2d(ForgeBuilder &b, Value value) {
  if (!value)
    return {};
  ArrayRef<int64_t> s = shapeOf(value);
  return b.reshape(value, {s[0], s[1], 1, s[2]});
}

void forge::raiseTo2d(Window &window) {
  for (auto *list : {&window.kernel, &window.strides, &window.dilations})
    list->insert(list->begin(), 1);
  for (auto *list : {&window.padBegin, &window.padEnd})
    list->insert(list->begin(), 0);
}

// A 3-D convolution is a sum of 2-D ones, one per depth of the kernel: the slices of the operand that this depth meets
// take the batch axis.
static Value conv3d(OnnxNode &n, ForgeBuilder &b, Value x, Value weights, Value bias, const Window &w, int64_t groups) {
  constexpr int64_t kMostDepths = 64;
  int64_t depths = w.kernel[0];
  if (depths > kMostDepths) {
    n.refuse("a kernel of depth " + Twine(depths) + " is too much to unroll");
    return {};
  }
  x = b.pad(x, {0, 0, w.padBegin[0], 0, 0}, {0, 0, w.padEnd[0], 0, 0}, 0);
  x = b.transpose(x, {0, 2, 1, 3, 4});
  if (!x)
    return {};
  SmallVector<int64_t> s(shapeOf(x)), k(shapeOf(weights));
  int64_t room = s[1] - (depths - 1) * w.dilations[0] - 1;
  if (room < 0) {
    n.refuse("the window does not fit into the padded input");
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
    n.refuse("the operand and the weights must have one rank of 3 or more");
    return {};
  }
  Window window = readWindow(n, shapeOf(x).drop_front(2), shapeOf(weights).drop_front(2));
  if (n.failed())
    return {};
  if (rank > 5) {
    n.refuse("convolutions over " + Twine(rank - 2) + " spatial axes are not supported on the device");
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

void forge::registerConvOps(OnnxRegistry &r) { r.add("Conv", {1, 11, 22}, convertConv); }

void forge::registerNNOps(OnnxRegistry &r) {
  registerConvOps(r);
  registerConvTransposeOps(r);
  registerLpPoolOps(r);
  registerMatmulOps(r);
  registerPoolOps(r);
}
