//===- Movement.cpp - ONNX ops that move elements -------------------------===//

#include "../Indexing/Indexing.h"
#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

static Values convertConcat(OnnxNode &n, ForgeBuilder &b) {
  Values operands = n.inputs();
  int64_t axis = n.since() < 4 ? n.intAttr("axis", 1) : n.intAttr("axis");
  if (operands.empty())
    n.refuse(Code::OperandMissing, "there are no inputs");
  if (n.failed())
    return {};
  axis = n.axis(axis, rankOf(operands.front()));
  for (Value operand : operands)
    if (rankOf(operand) != rankOf(operands.front()))
      n.refuse(Code::RankWrong, "the inputs differ in rank");
  return {n.failed() ? Value() : b.concatenate(operands, axis)};
}

// The sizes: an attribute, an input since 13, either in version 1. nullopt if absent.
static std::optional<SmallVector<int64_t>> givenSizes(OnnxNode &n) {
  if (n.since() < 13 && n.hasAttr("split"))
    return n.intsAttr("split");
  if ((n.since() >= 13 || n.since() == 1) && n.hasInput(1))
    return n.constantInts(1, "split");
  return std::nullopt;
}

// Equal sizes. With `num_outputs` (since 18) the last one may be smaller; before, the size must be divisible.
static SmallVector<int64_t> equalSizes(OnnxNode &n, int64_t size) {
  int64_t count = n.numOutputs();
  if (n.since() >= 18 && n.intAttr("num_outputs") != count)
    n.refuse(Code::AttributeMismatch, "attribute 'num_outputs' is " + Twine(n.intAttr("num_outputs")) +
                                          ", but the node has " + Twine(count) + " outputs");
  if (count == 0)
    n.refuse(Code::Arity, "the node has no outputs");
  if (n.failed())
    return {};
  if (n.since() < 18 && size % count != 0)
    n.refuse(Code::DoesNotDivide,
             "axis of size " + Twine(size) + " does not divide into " + Twine(count) + " equal pieces");
  int64_t chunk = (size + count - 1) / count;
  SmallVector<int64_t> sizes(count, chunk);
  sizes.back() = size - chunk * (count - 1);
  if (sizes.back() < 0)
    n.refuse(Code::DoesNotDivide, "axis of size " + Twine(size) + " cannot be split into " + Twine(count) +
                                      " pieces of size " + Twine(chunk));
  return sizes;
}

// Split (since 1, 2, 11, 13, 18): splits one axis by given sizes, or equally.
static Values convertSplit(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = n.intAttr("axis", 0);
  std::optional<SmallVector<int64_t>> sizes = givenSizes(n);
  if (n.failed())
    return {};
  axis = n.axis(axis, rankOf(x));
  if (n.failed())
    return {};
  if (sizes && n.since() >= 18 && n.hasAttr("num_outputs"))
    n.refuse(Code::AttributeMismatch, "both 'split' and 'num_outputs' are given");
  if (!sizes)
    sizes = equalSizes(n, shapeOf(x)[axis]);
  else if (sizes->size() != n.numOutputs())
    n.refuse(Code::SizeInvalid,
             "there are " + Twine(sizes->size()) + " sizes for " + Twine(n.numOutputs()) + " outputs");
  if (n.failed())
    return {};
  return b.split(x, axis - rankOf(x), *sizes);
}

// Slice (since 1, 10, 11, 13): bounds are attributes in version 1, then inputs, which must be constant here. Negative
// bounds count from the end; bounds are clamped to the axis; steps may be negative.
static Values convertSlice(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> starts, ends, axes, steps;
  bool hasAxes, hasSteps = false;
  if (n.since() < 10) {
    starts = n.intsAttr("starts");
    ends = n.intsAttr("ends");
    if ((hasAxes = n.hasAttr("axes")))
      axes = n.intsAttr("axes");
  } else {
    starts = n.constantInts(1, "starts");
    ends = n.constantInts(2, "ends");
    if ((hasAxes = n.hasInput(3)))
      axes = n.constantInts(3, "axes");
    if ((hasSteps = n.hasInput(4)))
      steps = n.constantInts(4, "steps");
  }
  if (!hasAxes)
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts.size()));
  if (!hasSteps)
    steps.assign(starts.size(), 1);
  if (n.failed())
    return {};
  axes = n.axes(axes, rank);
  if (n.failed() || starts.empty())
    return {n.failed() ? Value() : x};
  return {b.create<StridedSliceOp>(x, ArrayRef(axes), ArrayRef(starts), ArrayRef(ends), ArrayRef(steps))};
}

// Transpose (since 1, 13, 21, 23, 24, 25): without `perm` the axes are reversed.
static Values convertTranspose(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  SmallVector<int64_t> perm = n.intsAttr("perm", ArrayRef(reversed));
  if (static_cast<int64_t>(perm.size()) != rank)
    n.refuse(Code::AttributeMismatch,
             "attribute 'perm' has " + Twine(perm.size()) + " axes for an operand of rank " + Twine(rank));
  perm = n.axes(perm, rank, "perm");
  return {n.failed() ? Value() : b.transpose(x, perm)};
}

// Expand (since 8, 13): multidirectional broadcast, so that the result may be larger than `shape`.
static Values convertExpand(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.constantInts(1, "shape");
  if (n.failed())
    return {};
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return n.refuse(Code::SizeInvalid, "shape has a negative size");
  auto target = Inference{std::nullopt, "expand"}.broadcastShapes(shapeOf(x), shape);
  if (failed(target))
    return n.refuse(Code::ShapeMismatch, "the operand does not broadcast to the shape");
  return {b.expand(x, *target)};
}

// Tile (since 1, 6, 13): version 1 repeats one axis.
static Values convertTile(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  SmallVector<int64_t> repeats;
  if (n.since() < 6) {
    int64_t tiles = n.constantInt(1, "tiles"), axis = n.constantInt(2, "axis");
    repeats.assign(rankOf(x), 1);
    int64_t normal = n.axis(axis, rankOf(x));
    if (!n.failed())
      repeats[normal] = tiles;
  } else {
    repeats = n.constantInts(1, "repeats");
  }
  if (n.failed())
    return {};
  if (static_cast<int64_t>(repeats.size()) != rankOf(x) ||
      llvm::any_of(repeats, [](int64_t count) { return count < 0; }))
    return n.refuse(Code::SizeInvalid, "repeats must have one count per axis, none negative");
  if (llvm::is_contained(repeats, 0)) {
    SmallVector<int64_t> empty(shapeOf(x));
    for (auto [size, count] : llvm::zip_equal(empty, repeats))
      if (llvm::MulOverflow(size, count, size))
        return n.refuse(Code::TooManyElements, "a result size does not fit 63 bits");
    return {b.splat(tensorType(x).clone(empty), 0)};
  }
  return {llvm::all_of(repeats, [](int64_t count) { return count == 1; }) ? x
                                                                          : b.create<RepeatOp>(x, ArrayRef(repeats))};
}

// The element of an axis that is at `position` of the padded axis; `position` may be out of bounds.
static int64_t sourceOf(int64_t position, int64_t size, StringRef mode) {
  if (mode == "edge" || size == 1)
    return std::clamp<int64_t>(position, 0, size - 1);
  auto modulo = [](int64_t value, int64_t by) { return (value % by + by) % by; };
  if (mode == "wrap")
    return modulo(position, size);
  // A triangle wave, which does not repeat the ends.
  int64_t folded = modulo(position, 2 * (size - 1));
  return std::min(folded, 2 * (size - 1) - folded);
}

// The source elements of an axis that is padded or cropped at both ends. If one end is padded and the other cropped,
// ONNX does not define the order: nullopt if that matters.
static std::optional<SmallVector<int64_t>> padded(int64_t before, int64_t after, int64_t size, StringRef mode) {
  int64_t first = std::max<int64_t>(-before, 0), kept = size + std::min<int64_t>(after, 0) - first;
  SmallVector<int64_t> indices;
  for (int64_t i = -before; i < size + after; ++i) {
    indices.push_back(sourceOf(i, size, mode));
    bool isMixed = (before < 0) != (after < 0) && before != 0 && after != 0;
    if (isMixed && (kept < 1 || first + sourceOf(i - first, kept, mode) != indices.back()))
      return std::nullopt;
  }
  return indices;
}

// Pad modes that repeat elements of the operand, one axis at a time.
static Value padFromOperand(OnnxNode &n, ForgeBuilder &b, Value x, ArrayRef<int64_t> pads, StringRef mode) {
  int64_t rank = rankOf(x);
  for (int64_t axis = 0; axis < rank && x; ++axis) {
    int64_t before = pads[axis], after = pads[rank + axis], size = shapeOf(x)[axis];
    if (before == 0 && after == 0)
      continue;
    if (size + before + after < 0 || size + before + after > (1 << 24) || size == 0)
      return n.refuse(Code::SizeInvalid, "the pads do not fit axis " + Twine(axis) + " of size " + Twine(size));
    std::optional<SmallVector<int64_t>> indices = padded(before, after, size, mode);
    if (!indices)
      return n.refuse(Code::ResultUndefined,
                      "mode '" + mode + "' with a pad and a crop on one axis has no defined order");
    x = b.take(x, axis, *indices);
  }
  return x;
}

// Pad (since 1, 2, 11, 13, 18, 19, 21, 23, 24, 25): attributes before 11, inputs since; `axes` since 18, wrap since 19.
// Negative pads crop.
static Values convertPad(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), fill;
  StringRef mode = n.stringAttr("mode", "constant");
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> given, axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (n.since() < 11) {
    given = n.intsAttr(n.since() < 2 ? "paddings" : "pads");
    fill = b.scalarLike(x, n.floatAttr("value", 0));
  } else {
    given = n.constantInts(1, "pads");
    fill = n.hasInput(2) ? n.input(2) : b.scalarLike(x, 0);
    if (n.since() >= 18 && n.hasInput(3))
      axes = n.axes(n.constantInts(3, "axes"), rank);
  }
  if (n.failed())
    return {};
  size_t count = axes.size();
  if (given.size() != 2 * count || llvm::any_of(given, [](int64_t pad) { return std::abs(pad) > INT32_MAX; }))
    return n.refuse(Code::SizeInvalid, "there are " + Twine(given.size()) + " pads for " + Twine(count) +
                                           " axes, or one is beyond 32 bits");
  SmallVector<int64_t> pads(2 * rank, 0);
  for (size_t i = 0; i < count; ++i) {
    pads[axes[i]] = given[i];
    pads[rank + axes[i]] = given[count + i];
  }
  if (mode == "constant") {
    if (numElements(fill) != 1)
      n.refuse(Code::ElementCount, "the constant value must have one element");
    return {n.failed() ? Value() : b.window(x, ArrayRef(pads).take_front(rank), ArrayRef(pads).drop_front(rank), fill)};
  }
  if (mode != "edge" && mode != "reflect" && (mode != "wrap" || n.since() < 19))
    return n.refuse(Code::AttributeValue, "attribute 'mode' must be constant, edge, reflect or (since opset 19) wrap");
  return {padFromOperand(n, b, x, pads, mode)};
}

// CenterCropPad (since 18): the odd element of a crop or pad is at the end.
static Values convertCenterCropPad(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.constantInts(1, "shape");
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> axes = n.axes(n.intsAttr("axes", ArrayRef(all)), rank);
  if (!n.failed() &&
      (axes.size() != shape.size() || llvm::any_of(shape, [](int64_t size) { return size < 0 || size > INT32_MAX; })))
    n.refuse(Code::SizeInvalid, "shape must have one size per axis, none negative");
  if (n.failed())
    return {};
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  for (auto [axis, size] : llvm::zip_equal(axes, shape)) {
    int64_t missing = size - shapeOf(x)[axis];
    before[axis] = missing / 2; // rounds towards zero, so that the rest is at the end
    after[axis] = missing - before[axis];
  }
  return {b.window(x, before, after, b.scalarLike(x, 0))};
}

// Trilu (since 14): keeps the elements on one side of diagonal k; the others become zero, even if they are NaN.
static Values convertTrilu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool upper = n.flagAttr("upper", true);
  double k = n.hasInput(1) ? n.constantScalar(1, "k") : 0;
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank < 2)
    return n.refuse(Code::RankWrong, "the operand must have rank 2 or more");
  int64_t rows = shapeOf(x)[rank - 2], columns = shapeOf(x)[rank - 1];
  if (rows != 0 && columns > (1 << 24) / rows)
    return n.refuse(Code::TooManyElements, "the matrices have too many elements");
  auto keeps = [&](int64_t offset) {
    double distance = static_cast<double>(offset);
    return upper ? distance >= k : distance <= k;
  };
  return {b.create<WhereOp>(b.diagonals(rows, columns, keeps), x, b.scalarLike(x, 0))};
}

// The block size, and whether the mode is CRD: the block is inside of the channel, in contrast to DCR.
static std::pair<int64_t, bool> readBlock(OnnxNode &n, Value x, bool hasMode) {
  int64_t block = n.intAttr("blocksize");
  StringRef mode = hasMode ? n.stringAttr("mode", "DCR") : "DCR";
  if (n.failed())
    return {1, false};
  if (mode != "DCR" && mode != "CRD")
    n.refuse(Code::AttributeValue, "attribute 'mode' must be DCR or CRD");
  if (block < 1 || block > INT16_MAX || rankOf(x) != 4)
    n.refuse(Code::RankWrong, "the operand must have rank 4 and 'blocksize' must be positive");
  return {block, mode == "CRD"};
}

// DepthToSpace (since 1, 11, 13, 28): only DCR before 11.
static Values convertDepthToSpace(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  auto [block, channelFirst] = readBlock(n, x, n.since() >= 11);
  if (n.failed())
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  if (s[1] % (block * block) != 0)
    return n.refuse(Code::DoesNotDivide, "the block does not divide " + Twine(s[1]) + " channels");
  int64_t channels = s[1] / (block * block);
  Value blocks;
  if (channelFirst)
    blocks = b.transpose(b.reshape(x, {s[0], channels, block, block, s[2], s[3]}), {0, 1, 4, 2, 5, 3});
  else
    blocks = b.transpose(b.reshape(x, {s[0], block, block, channels, s[2], s[3]}), {0, 3, 4, 1, 5, 2});
  return {b.reshape(blocks, {s[0], channels, s[2] * block, s[3] * block})};
}

// SpaceToDepth (since 1, 13, 28): only DCR before 28.
static Values convertSpaceToDepth(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  auto [block, channelFirst] = readBlock(n, x, n.since() >= 28);
  if (n.failed())
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  if (s[2] % block != 0 || s[3] % block != 0)
    return n.refuse(Code::DoesNotDivide, "the block does not divide the height and the width");
  Value blocks = b.reshape(x, {s[0], s[1], s[2] / block, block, s[3] / block, block});
  if (channelFirst)
    blocks = b.transpose(blocks, {0, 1, 3, 5, 2, 4});
  else
    blocks = b.transpose(blocks, {0, 3, 5, 1, 2, 4});
  return {b.reshape(blocks, {s[0], s[1] * block * block, s[2] / block, s[3] / block})};
}

// ReverseSequence (since 10, 28): reverses the first `length` steps of each batch row.
static Values convertReverseSequence(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), lengths = n.input(1);
  int64_t batchAxis = n.intAttr("batch_axis", 1), timeAxis = n.intAttr("time_axis", 0);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  bool batchFirst = batchAxis == 0 && timeAxis == 1, timeFirst = batchAxis == 1 && timeAxis == 0;
  if (rank < 2 || (!batchFirst && !timeFirst) || shapeOf(lengths) != ArrayRef{shapeOf(x)[batchAxis]})
    return n.refuse(Code::ShapeMismatch, "the first two axes must be batch and time, with one length per batch row");
  Value rows = timeFirst ? b.swapAxes(x, 0, 1) : x;
  if (!rows)
    return {};
  SmallVector<int64_t> shape(shapeOf(rows)), flat = concatShapes(shape[0] * shape[1], ArrayRef(shape).drop_front(2));
  // Step t of a row is its step length - 1 - t for t < length; the others are unchanged.
  Value length = b.reshape(lengths, {shape[0], 1});
  Value time = b.iota(shape[1], 1, 2, elementOf(lengths));
  Value last = b.create<SubtractOp>(length, b.scalarLike(length, 1));
  Value step = b.create<WhereOp>(b.compare<LessOp>(time, length), b.create<SubtractOp>(last, time), time);
  Value first = b.iota(shape[0], 0, 2, elementOf(lengths));
  Value row = b.create<AddOp>(b.create<MultiplyOp>(first, b.scalarLike(first, static_cast<double>(shape[1]))), step);
  Value result = b.reshape(takeRows(b, b.reshape(rows, flat), row), shape);
  return {timeFirst ? b.swapAxes(result, 0, 1) : result};
}

void forge::registerMovementOps(OnnxRegistry &registry) {
  registry.add({
      {"Concat", {1, 4, 11, 13}, convertConcat},
      {"Split", {1, 2, 11, 13, 18}, convertSplit},
      {"Slice", {1, 10, 11, 13}, convertSlice},
      {"Transpose", {1, 13, 21, 23, 24, 25}, convertTranspose},
      {"Expand", {8, 13}, convertExpand},
      {"Tile", {1, 6, 13}, convertTile},
      {"Pad", {1, 2, 11, 13, 18, 19, 21, 23, 24, 25}, convertPad},
      {"CenterCropPad", {18}, convertCenterCropPad},
      {"Trilu", {14}, convertTrilu},
      {"DepthToSpace", {1, 11, 13, 28}, convertDepthToSpace},
      {"SpaceToDepth", {1, 13, 28}, convertSpaceToDepth},
      {"ReverseSequence", {10, 28}, convertReverseSequence},
  });
}
