//===- Col2Im.cpp - ONNX Col2Im -------------------------------------------===//

#include "Image.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"

using namespace mlir;
using namespace forge;

constexpr size_t kMostTerms = 64;

// Col2Im (since 18): every block column adds its elements to the image. For each element of the image the columns that
// reach it are known, so the i-th ones are one gather; a zero stands in where there are fewer.
Values forge::convertCol2Im(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> image = n.constantInts(1, "image_shape"), block = n.constantInts(2, "block_shape");
  size_t rank = image.size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  SmallVector<int64_t> strides = n.intsAttr("strides", ArrayRef(ones)),
                       dilations = n.intsAttr("dilations", ArrayRef(ones));
  SmallVector<int64_t> pads = n.intsAttr("pads", ArrayRef(zeros));
  if (n.failed())
    return {};
  auto positive = [](ArrayRef<int64_t> values) {
    return llvm::all_of(values, [](int64_t value) { return value > 0 && value <= INT16_MAX; });
  };
  if (rank == 0 || block.size() != rank || strides.size() != rank || dilations.size() != rank ||
      pads.size() != 2 * rank || !positive(image) || !positive(block) || !positive(strides) || !positive(dilations) ||
      llvm::any_of(pads, [](int64_t pad) { return pad < 0 || pad > INT16_MAX; }) || tensorType(x).getRank() != 3 ||
      !isa<FloatType>(tensorType(x).getElementType())) {
    n.refuse(Code::RankWrong,
             "the operand must be floating point of rank 3, with one positive size per image axis in every list");
    return {};
  }
  SmallVector<int64_t> blocks;
  int64_t blockSize = 1, blockCount = 1, imageSize = 1;
  for (size_t i = 0; i < rank; ++i) {
    int64_t room = image[i] + pads[i] + pads[rank + i] - (block[i] - 1) * dilations[i] - 1;
    blocks.push_back(room < 0 ? 0 : room / strides[i] + 1);
    if (llvm::MulOverflow(blockSize, block[i], blockSize) || llvm::MulOverflow(blockCount, blocks[i], blockCount) ||
        llvm::MulOverflow(imageSize, image[i], imageSize))
      blockCount = 0;
  }
  SmallVector<int64_t> s(shapeOf(x));
  if (blockCount == 0 || s[2] != blockCount || s[1] % blockSize != 0 || imageSize > (1 << 24)) {
    n.refuse(Code::ShapeMismatch, "the operand does not hold the blocks of such an image");
    return {};
  }
  SmallVector<SmallVector<int64_t>> sources(imageSize);
  SmallVector<int64_t> imageStrides = stridesOf(image);
  size_t terms = 1;
  int64_t element = 0;
  forEachIndex(block, [&](ArrayRef<int64_t> offset) {
    forEachIndex(blocks, [&](ArrayRef<int64_t> position) {
      int64_t target = 0;
      bool inside = true;
      for (size_t i = 0; i < rank; ++i) {
        int64_t at = position[i] * strides[i] + offset[i] * dilations[i] - pads[i];
        inside &= at >= 0 && at < image[i];
        target += at * imageStrides[i];
      }
      if (inside) {
        sources[target].push_back(element);
        terms = std::max(terms, sources[target].size());
      }
      ++element;
    });
  });
  if (terms > kMostTerms) {
    n.refuse(Code::TooMuchToUnroll, Twine(terms) + " overlapping blocks are too many to unroll");
    return {};
  }
  int64_t channels = s[1] / blockSize, zero = blockSize * blockCount;
  Value columns = b.reshape(x, {s[0], channels, zero});
  columns = b.concatenate({columns, b.splat(tensorType(x).clone({s[0], channels, 1}), 0)}, 2);
  Value sum;
  for (size_t term = 0; term < terms; ++term) {
    SmallVector<int64_t> table;
    for (ArrayRef<int64_t> list : sources)
      table.push_back(term < list.size() ? list[term] : zero);
    Value picked = b.take(columns, 2, table);
    sum = sum ? b.create<AddOp>(sum, picked) : picked;
  }
  SmallVector<int64_t> result{s[0], channels};
  llvm::append_range(result, image);
  return {b.reshape(sum, result)};
}
