//===- Col2Im.cpp - ONNX Col2Im -------------------------------------------===//

#include "Image.h"

using namespace mlir;
using namespace forge;

constexpr size_t kMostTerms = 64;

namespace {
// The checked operands and attributes; one entry per axis of the image.
struct Col2Im {
  Value x;
  SmallVector<int64_t> image;
  Window window;               // its kernel is the block
  SmallVector<int64_t> blocks; // the number of blocks
  int64_t blockSize() const { return ShapedType::getNumElements(window.kernel); }
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
  c.window.kernel = n.constantInts(2, "block_shape");
  size_t rank = c.image.size();
  if (!n.failed())
    readSteps(n, rank, c.window);
  if (n.failed())
    return failure();
  if (!areSizes(c.image, rank) || !areSizes(c.window.kernel, rank) || rankOf(c.x) != 3 ||
      !isa<FloatType>(elementOf(c.x)))
    return n.refuse(
        Code::RankWrong,
        "the operand must be floating point of rank 3, with one positive size per image axis in every list");
  for (auto [i, size] : llvm::enumerate(c.image))
    c.blocks.push_back(std::max<int64_t>(0, c.window.count(i, size)));
  SmallVector<int64_t> elements = concatShapes(c.window.kernel, c.blocks);
  bool areFew = isCountable(elements) && ShapedType::getNumElements(elements) <= (1 << 26) && isCountable(c.image);
  if (!areFew || ShapedType::getNumElements(c.image) > (1 << 24) || llvm::is_contained(c.blocks, 0) ||
      shapeOf(c.x)[2] != c.blockCount() || shapeOf(c.x)[1] % c.blockSize() != 0)
    return n.refuse(Code::ShapeMismatch,
                    "the operand does not hold the blocks of such an image, or has too many elements");
  return c;
}

// For each element of the image, the elements of a block column that are added to it.
static SmallVector<SmallVector<int64_t>> sourcesOf(const Col2Im &c) {
  SmallVector<SmallVector<int64_t>> sources(ShapedType::getNumElements(c.image));
  SmallVector<int64_t> imageStrides = stridesOf(c.image);
  const Window &w = c.window;
  int64_t element = 0;
  forEachIndex(concatShapes(w.kernel, c.blocks), [&](ArrayRef<int64_t> offsetAndBlock) {
    int64_t target = 0;
    bool inside = true;
    for (size_t i = 0, rank = c.image.size(); i < rank; ++i) {
      int64_t at = offsetAndBlock[rank + i] * w.strides[i] + offsetAndBlock[i] * w.dilations[i] - w.padBegin[i];
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
  size_t terms = 1;
  for (ArrayRef<int64_t> list : sources)
    terms = std::max(terms, list.size());
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
