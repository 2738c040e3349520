//===- DepthToSpace.cpp - ONNX DepthToSpace and SpaceToDepth --------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// The block size, and whether the mode is CRD: the block is inside of the channel, in contrast to DCR.
static std::pair<int64_t, bool> readBlock(OnnxNode &n, Value x, bool hasMode) {
  int64_t block = n.intAttr("blocksize");
  bool isCRD = hasMode && n.choiceAttr("mode", {"DCR", "CRD"}) == "CRD";
  if (n.failed())
    return {1, false};
  if (block < 1 || block > INT16_MAX || rankOf(x) != 4)
    n.refuse(Code::RankWrong, "the operand must have rank 4 and 'blocksize' must be positive");
  return {block, isCRD};
}

// DepthToSpace (since 1, 11, 13, 28): only DCR before 11.
Values forge::convertDepthToSpace(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  auto [block, isCRD] = readBlock(n, x, n.since() >= 11);
  if (n.failed())
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  if (s[1] % (block * block) != 0)
    return n.refuse(Code::DoesNotDivide, "the block does not divide " + Twine(s[1]) + " channels");
  int64_t channels = s[1] / (block * block);
  Value blocks = isCRD ? b.transpose(b.reshape(x, {s[0], channels, block, block, s[2], s[3]}), {0, 1, 4, 2, 5, 3})
                       : b.transpose(b.reshape(x, {s[0], block, block, channels, s[2], s[3]}), {0, 3, 4, 1, 5, 2});
  return {b.reshape(blocks, {s[0], channels, s[2] * block, s[3] * block})};
}

// SpaceToDepth (since 1, 13, 28): only DCR before 28.
Values forge::convertSpaceToDepth(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  auto [block, isCRD] = readBlock(n, x, n.since() >= 28);
  if (n.failed())
    return {};
  SmallVector<int64_t> s(shapeOf(x));
  if (s[2] % block != 0 || s[3] % block != 0)
    return n.refuse(Code::DoesNotDivide, "the block does not divide the height and the width");
  Value blocks = b.reshape(x, {s[0], s[1], s[2] / block, block, s[3] / block, block});
  blocks = isCRD ? b.transpose(blocks, {0, 1, 3, 5, 2, 4}) : b.transpose(blocks, {0, 3, 5, 1, 2, 4});
  return {b.reshape(blocks, {s[0], s[1] * block * block, s[2] / block, s[3] / block})};
}
