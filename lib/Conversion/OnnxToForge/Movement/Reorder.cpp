//===- Reorder.cpp - ONNX DepthToSpace, SpaceToDepth, ReverseSequence -----===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// The block size and mode of both ops: DCR has the block outside of the channel, CRD inside.
static std::pair<int64_t, bool> readBlock(OnnxNode &n, Value x, bool hasMode) {
  int64_t block = n.intAttr("blocksize");
  StringRef mode = hasMode ? n.stringAttr("mode", "DCR") : "DCR";
  if (n.failed())
    return {1, false};
  if (mode != "DCR" && mode != "CRD")
    n.refuse("attribute 'mode' must be DCR or CRD");
  if (block < 1 || block > INT16_MAX || tensorType(x).getRank() != 4)
    n.refuse("the operand must have rank 4 and 'blocksize' must be positive");
  return {block, mode == "CRD"};
}

// DepthToSpace (since 1, 11, 13, 28): only DCR before 11.
static Values convertDepthToSpace(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  auto [block, channelFirst] = readBlock(n, x, n.since() >= 11);
  if (n.failed())
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  if (s[1] % (block * block) != 0) {
    n.refuse("the block does not divide " + Twine(s[1]) + " channels");
    return {};
  }
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
  if (s[2] % block != 0 || s[3] % block != 0) {
    n.refuse("the block does not divide the height and the width");
    return {};
  }
  Value blocks = b.reshape(x, {s[0], s[1], s[2] / block, block, s[3] / block, block});
  if (channelFirst)
    blocks = b.transpose(blocks, {0, 1, 3, 5, 2, 4});
  else
    blocks = b.transpose(blocks, {0, 3, 5, 1, 2, 4});
  return {b.reshape(blocks, {s[0], s[1] * block * block, s[2] / block, s[3] / block})};
}

// ReverseSequence (since 10, 28): in each batch row, the first `length` steps in reverse order.
static Values convertReverseSequence(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), lengths = n.input(1);
  int64_t batchAxis = n.intAttr("batch_axis", 1), timeAxis = n.intAttr("time_axis", 0);
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  bool batchFirst = batchAxis == 0 && timeAxis == 1, timeFirst = batchAxis == 1 && timeAxis == 0;
  if (rank < 2 || (!batchFirst && !timeFirst) || shapeOf(lengths) != ArrayRef{shapeOf(x)[batchAxis]}) {
    n.refuse("the first two axes must be batch and time, with one length per batch row");
    return {};
  }
  SmallVector<int64_t> swap = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(swap[0], swap[1]);
  Value rows = timeFirst ? b.transpose(x, swap) : x;
  if (!rows)
    return {};
  SmallVector<int64_t> shape(shapeOf(rows)), flat{shape[0] * shape[1]};
  llvm::append_range(flat, ArrayRef(shape).drop_front(2));
  // Step t of a row is its step length - 1 - t while that is one; then it stays.
  Value length = b.reshape(lengths, {shape[0], 1});
  Value time = b.iota(shape[1], 1, 2, tensorType(lengths).getElementType());
  Value last = b.create<SubtractOp>(length, b.scalarLike(length, 1));
  Value step = b.create<WhereOp>(b.compare<LessOp>(time, length), b.create<SubtractOp>(last, time), time);
  Value first = b.iota(shape[0], 0, 2, tensorType(lengths).getElementType());
  Value row = b.create<AddOp>(b.create<MultiplyOp>(first, b.scalarLike(first, static_cast<double>(shape[1]))), step);
  Value result = b.reshape(takeRows(b, b.reshape(rows, flat), row), shape);
  return {timeFirst ? b.transpose(result, swap) : result};
}

void forge::registerReorderOps(OnnxRegistry &r) {
  r.add("DepthToSpace", {1, 11, 13, 28}, convertDepthToSpace);
  r.add("SpaceToDepth", {1, 13, 28}, convertSpaceToDepth);
  r.add("ReverseSequence", {10, 28}, convertReverseSequence);
}
