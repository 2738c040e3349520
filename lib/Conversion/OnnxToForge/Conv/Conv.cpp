//===- Conv.cpp - ONNX Conv and ConvTranspose -----------------------------===//
//
// Window.cpp reads kernel_shape, strides, dilations, pads and auto_pad.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

// Folds a zero pad of the operand into the padding of the convolution.
static Value absorbPad(Value x, Window &window) {
  auto pad = x.getDefiningOp<PadOp>();
  if (!pad || pad.getMode() != PadMode::Constant || !pad.getValue().isZero() || pad.getChannelLast() ||
      window.rank() != 2)
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

// Conv (since 1, 11, 22). With one spatial axis it is a 2-D convolution of height 1.
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
  if (rank == 3)
    raiseTo2d(b, x, weights, window);
  if (!x || !weights)
    return {};
  x = absorbPad(x, window);
  Value result = conv2d(b, x, weights, bias, window, groups, /*channelsLast=*/false);
  return {rank == 3 ? loweredTo1d(b, result) : result};
}

// The pads: given, or derived from output_shape or auto_pad.
static void readPads(OnnxNode &n, ArrayRef<int64_t> spatial, ArrayRef<int64_t> extra, Window &w) {
  StringRef autoPad = n.stringAttr("auto_pad", "NOTSET");
  bool same = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
  size_t rank = spatial.size();
  SmallVector<int64_t> target;
  if (n.hasAttr("output_shape"))
    target = n.intsAttr("output_shape");
  else if (same)
    for (size_t i = 0; i < rank; ++i)
      target.push_back(spatial[i] * w.strides[i]);
  if (target.empty())
    return;
  if (target.size() == rank + 2)
    target.erase(target.begin(), target.begin() + 2);
  if (target.size() != rank) {
    n.refuse(Code::AttributeMismatch,
             "attribute 'output_shape' has " + Twine(target.size()) + " values for " + Twine(rank) + " spatial axes");
    return;
  }
  for (size_t i = 0; i < rank; ++i) {
    int64_t total = w.strides[i] * (spatial[i] - 1) + extra[i] + w.span(i) - target[i];
    // One missing element is added at the end; ONNX does not define where several are added.
    bool oneMore = total == -1 && autoPad != "SAME_UPPER";
    if ((total < 0 && !oneMore) || target[i] < 1) {
      n.refuse(Code::ResultUndefined,
               "the result would be larger than what the operand and the kernel give, which has no defined place");
      return;
    }
    w.padBegin[i] = oneMore ? 0 : autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
    w.padEnd[i] = total - w.padBegin[i];
  }
}

namespace {
// The checked operands and attributes.
struct ConvTranspose {
  Value x, weights, bias;
  int64_t groups = 1;
  Window window;
  SmallVector<int64_t> extra; // output_padding per axis
};
} // namespace

static FailureOr<ConvTranspose> readConvTranspose(OnnxNode &n) {
  ConvTranspose c{n.input(0), n.input(1), n.optionalInput(2), n.intAttr("group", 1), {}, {}};
  if (n.failed())
    return failure();
  ArrayRef<int64_t> x = shapeOf(c.x), weights = shapeOf(c.weights);
  if (x.size() < 3 || x.size() > 5 || x.size() != weights.size())
    return n.refuse(Code::RankWrong, "the operand and the weights must have one rank of 3 to 5");
  c.window = readWindow(n, x.drop_front(2), weights.drop_front(2));
  SmallVector<int64_t> zeros(x.size() - 2, 0);
  c.extra = n.intsAttr("output_padding", ArrayRef(zeros));
  if (c.extra.size() != x.size() - 2 ||
      llvm::any_of(c.extra, [](int64_t size) { return size < 0 || size > INT32_MAX; }))
    n.refuse(Code::AttributeMismatch, "attribute 'output_padding' must have one size per spatial axis, none negative");
  if (c.groups < 1 || weights[0] % std::max<int64_t>(c.groups, 1) != 0 || x[1] != weights[0])
    n.refuse(Code::ShapeMismatch, "the channels of the operand, the weights and the groups do not fit");
  else if (c.bias && numElements(c.bias) != weights[1] * c.groups)
    n.refuse(Code::ShapeMismatch, "there must be one bias per output channel");
  if (!n.failed())
    readPads(n, x.drop_front(2), c.extra, c.window);
  return n.unlessFailed(c);
}

static Value transposedConv2d(ForgeBuilder &b, const ConvTranspose &c) {
  const Window &w = c.window;
  return b.create<Conv2dTransposeOp>(c.x, c.weights, OptionalOperand{c.bias}, ArrayRef(w.strides), ArrayRef(w.padBegin),
                                     ArrayRef(w.dilations), c.groups, /*channel_last=*/false, ArrayRef(c.extra));
}

// A 3-D transposed convolution without padding is a sum of 2-D ones, one per kernel depth. Results of consecutive
// operand slices are `stride` apart; each kernel depth shifts them by `dilation`.
static Value transposedConv3d(OnnxNode &n, ForgeBuilder &b, const ConvTranspose &c) {
  constexpr int64_t kMostDepths = 64;
  int64_t depths = c.window.kernel[0], stride = c.window.strides[0], dilation = c.window.dilations[0];
  if (depths > kMostDepths)
    return n.refuse(Code::TooMuchToUnroll, "a kernel of depth " + Twine(depths) + " is too much to unroll");
  SmallVector<int64_t> s(shapeOf(c.x)), k(shapeOf(c.weights));
  ConvTranspose plane = c;
  plane.x = b.reshape(b.transpose(c.x, {0, 2, 1, 3, 4}), {s[0] * s[2], s[1], s[3], s[4]});
  plane.window = planeOf(c.window);
  plane.extra.pop_back();
  Value sum;
  for (int64_t depth = 0; depth < depths; ++depth) {
    plane.weights = b.reshape(b.slice(c.weights, 2, depth, depth + 1), {k[0], k[1], k[3], k[4]});
    Value part = transposedConv2d(b, plane);
    if (!part)
      return {};
    SmallVector<int64_t> r(shapeOf(part));
    // Inserts zeros between the slices: each becomes a block of `stride` slices.
    part = b.reshape(part, {s[0], s[2], 1, r[1], r[2], r[3]});
    part = b.pad(part, {0, 0, 0, 0, 0, 0}, {0, 0, stride - 1, 0, 0, 0}, 0);
    part = b.slice(b.reshape(part, {s[0], s[2] * stride, r[1], r[2], r[3]}), 1, 0, (s[2] - 1) * stride + 1);
    part = b.pad(part, {0, depth * dilation, 0, 0, 0}, {0, (depths - 1 - depth) * dilation, 0, 0, 0}, 0);
    sum = sum ? b.create<AddOp>(sum, part) : part;
  }
  return b.transpose(sum, {0, 2, 1, 3, 4});
}

// Whether Forge's transposed convolution supports the pads.
static bool isDirect(const ConvTranspose &c) {
  const Window &w = c.window;
  bool direct = w.rank() == 2 && w.padBegin == w.padEnd;
  for (size_t i = 0; i < w.rank(); ++i)
    direct &= c.extra[i] == 0 || c.extra[i] < std::max(w.strides[i], w.dilations[i]);
  return direct;
}

// Computes the result without pads, of size (in - 1) * stride + span; the pads crop it, and output_padding crops less
// at the end or appends zeros.
static Value croppedConv(OnnxNode &n, ForgeBuilder &b, const ConvTranspose &c) {
  const Window &w = c.window;
  ConvTranspose whole = c;
  whole.bias = {};
  whole.window.padBegin.assign(w.rank(), 0);
  whole.extra.assign(w.rank(), 0);
  Value result = w.rank() == 2 ? transposedConv2d(b, whole) : transposedConv3d(n, b, whole);
  if (!result)
    return {};
  SmallVector<int64_t> before(2, 0), after(2, 0);
  for (size_t i = 0; i < w.rank(); ++i) {
    before.push_back(-w.padBegin[i]);
    after.push_back(c.extra[i] - w.padEnd[i]);
  }
  result = b.window(result, before, after, b.scalarLike(result, 0));
  if (!c.bias || !result)
    return result;
  return b.create<AddOp>(result, b.reshape(c.bias, sizesAlong(rankOf(result), 1, numElements(c.bias))));
}

static Values convertConvTranspose(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<ConvTranspose> c = readConvTranspose(n);
  if (failed(c))
    return {};
  bool raised = c->window.rank() == 1;
  if (raised) {
    raiseTo2d(b, c->x, c->weights, c->window);
    c->extra.insert(c->extra.begin(), 0);
  }
  if (!c->x || !c->weights)
    return {};
  Value result = isDirect(*c) ? transposedConv2d(b, *c) : croppedConv(n, b, *c);
  return {raised ? loweredTo1d(b, result) : result};
}

void forge::registerConvOps(OnnxRegistry &registry) {
  registry.add({
      {"Conv", {1, 11, 22}, convertConv},
      {"ConvTranspose", {1, 11, 22}, convertConvTranspose},
  });
}
