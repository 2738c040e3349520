//===- Col2Im.cpp - ONNX Col2Im -------------------------------------------===//

#include "Image.h"

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

using namespace mlir;
using namespace forge;

constexpr size_t kMostTerms = 64;

namespace {
// The checked operands and attributes; one entry per axis of the image.
struct Col2Im {
  Value x;
  SmallVector<int64_t> image, block, strides, dilations, pads;
  SmallVector<int64_t> blocks; // the number of blocks
  int64_t blockSize() const { return ShapedType::getNumElements(block); }
  int64_t blockCount() const { return ShapedType::getNumElements(blocks); }
};
} // namespace

static bool areSizes(ArrayRef<int64_t> values, size_t rank) {
  return values.size() == rank && rank > 0 &&
         llvm::all_of(values, [](int64_t value) { return value > 0 && value <= INT16_MAX; });
}

static FailureOr<Col2Im> readCol2Im(OnnxNode &n) {
  Col2Im c;
  c.x = n.input(0);
  c.image = n.constantInts(1, "image_shape");
  c.block = n.constantInts(2, "block_shape");
  size_t rank = c.image.size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  c.strides = n.intsAttr("strides", ArrayRef(ones));
  c.dilations = n.intsAttr("dilations", ArrayRef(ones));
  c.pads = n.intsAttr("pads", ArrayRef(zeros));
  if (n.failed())
    return failure();
  bool soundPads =
      c.pads.size() == 2 * rank && llvm::all_of(c.pads, [](int64_t pad) { return pad >= 0 && pad <= INT16_MAX; });
  if (!areSizes(c.image, rank) || !areSizes(c.block, rank) || !areSizes(c.strides, rank) ||
      !areSizes(c.dilations, rank) || !soundPads || rankOf(c.x) != 3 || !isa<FloatType>(elementOf(c.x)))
    return n.refuse(
        Code::RankWrong,
        "the operand must be floating point of rank 3, with one positive size per image axis in every list");
  for (size_t i = 0; i < rank; ++i) {
    int64_t room = c.image[i] + c.pads[i] + c.pads[rank + i] - (c.block[i] - 1) * c.dilations[i] - 1;
    c.blocks.push_back(room < 0 ? 0 : room / c.strides[i] + 1);
  }
  bool areFew = isCountable(c.block) && isCountable(c.blocks) && isCountable(c.image);
  if (!areFew || ShapedType::getNumElements(c.image) > (1 << 24) || llvm::is_contained(c.blocks, 0) ||
      shapeOf(c.x)[2] != c.blockCount() || shapeOf(c.x)[1] % c.blockSize() != 0)
    return n.refuse(Code::ShapeMismatch, "the operand does not hold the blocks of such an image");
  return c;
}

// The most addends of an image element, at least 1.
static size_t mostTerms(ArrayRef<SmallVector<int64_t>> sources) {
  size_t most = 1;
  for (ArrayRef<int64_t> list : sources)
    most = std::max(most, list.size());
  return most;
}

// For each element of the image, the elements of a block column that are added to it.
static SmallVector<SmallVector<int64_t>> sourcesOf(const Col2Im &c) {
  SmallVector<SmallVector<int64_t>> sources(ShapedType::getNumElements(c.image));
  SmallVector<int64_t> imageStrides = stridesOf(c.image);
  int64_t element = 0;
  forEachIndex(concatShapes(c.block, c.blocks), [&](ArrayRef<int64_t> offsetAndBlock) {
    int64_t target = 0;
    bool inside = true;
    for (size_t i = 0, rank = c.image.size(); i < rank; ++i) {
      int64_t at = offsetAndBlock[rank + i] * c.strides[i] + offsetAndBlock[i] * c.dilations[i] - c.pads[i];
      inside &= at >= 0 && at < c.image[i];
      target += at * imageStrides[i];
    }
    if (inside)
      sources[target].push_back(element);
    ++element;
  });
  return sources;
}

// Col2Im (since 18): adds the elements of block columns to the image. The sources of each image element are known at
// compile time, so that the i-th sources of all elements are one gather; elements with fewer sources add a zero.
Values forge::convertCol2Im(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<Col2Im> c = readCol2Im(n);
  if (failed(c))
    return {};
  SmallVector<SmallVector<int64_t>> sources = sourcesOf(*c);
  size_t terms = mostTerms(sources);
  if (terms > kMostTerms)
    return n.refuse(Code::TooMuchToUnroll, Twine(terms) + " overlapping blocks are too many to unroll");
  int64_t blockSize = c->blockSize(), zero = blockSize * c->blockCount();
  int64_t batch = shapeOf(c->x)[0], channels = shapeOf(c->x)[1] / blockSize;
  Value columns = b.reshape(c->x, {batch, channels, zero});
  columns = b.concatenate({columns, b.splat(tensorType(c->x).clone({batch, channels, 1}), 0)}, 2);
  Value sum;
  for (size_t term = 0; term < terms; ++term) {
    auto table =
        llvm::map_to_vector(sources, [&](ArrayRef<int64_t> list) { return term < list.size() ? list[term] : zero; });
    Value picked = b.take(columns, 2, table);
    sum = sum ? b.create<AddOp>(sum, picked) : picked;
  }
  return {b.reshape(sum, concatShapes({batch, channels}, c->image))};
}
