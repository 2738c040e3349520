//===- Range.cpp - ONNX Range ---------------------------------------------===//

#include "Shape.h"

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"
#include "forge/Dialect/Forge/IR/Movement/SliceRange.h"

#include <cmath>

using namespace mlir;
using namespace forge;

constexpr int64_t kLongestRange = 1 << 24;

// Range of integers, which doubles could not represent exactly.
static Value integerRange(OnnxNode &n, ForgeBuilder &b, Type element) {
  SmallVector<int64_t> bounds;
  for (unsigned i : {0, 1, 2})
    llvm::append_range(bounds, n.constantInts(i, "bound"));
  if (n.failed())
    return {};
  int64_t start = bounds[0], limit = bounds[1], delta = bounds[2];
  limit = delta > 0 ? std::max(start, limit) : std::min(start, limit);
  int64_t length;
  bool isSound = delta != 0 && !llvm::SubOverflow(limit, start, length);
  int64_t count = isSound ? SliceRange{start, limit, delta}.count() : 0;
  if (!isSound || count > kLongestRange)
    return n.refuse(Code::SizeInvalid, "the step is 0, a bound is not finite, or the range has too many elements");
  HostTensor values{RankedTensorType::get({count}, element), {}, {}};
  for (int64_t i = 0; i < count; ++i)
    values.ints.push_back(start + i * delta);
  return b.constant(values.toAttr());
}

// Range (since 11, 27): start, limit and delta are constants; element i is start + i * delta.
Values forge::convertRange(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("stash_type"); // The precision of a running sum; here each element is computed independently.
  Value like = n.input(0);
  double start = n.constantScalar(0, "start"), limit = n.constantScalar(1, "limit"),
         delta = n.constantScalar(2, "delta");
  if (n.failed())
    return {};
  if (isa<IntegerType>(elementOf(like)))
    return {integerRange(n, b, elementOf(like))};
  double count = std::ceil((limit - start) / delta);
  if (delta == 0 || !(count <= kLongestRange)) // Any NaN makes the count NaN.
    return n.refuse(Code::SizeInvalid, "the step is 0, a bound is not finite, or the range has too many elements");
  int64_t size = static_cast<int64_t>(std::max(0.0, count));
  return {b.tabulate(size, elementOf(like),
                     [&](ArrayRef<int64_t> at) { return start + static_cast<double>(at[0]) * delta; })};
}
