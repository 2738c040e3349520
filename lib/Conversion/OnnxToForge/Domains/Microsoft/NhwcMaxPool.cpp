//===- NhwcMaxPool.cpp - NhwcMaxPool --------------------------------------===//

#include "Microsoft.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace forge;

// NhwcMaxPool (since 1): MaxPool of 8-bit integers with channels last.
Values forge::microsoft::convertNhwcMaxPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  if (rank < 3)
    return n.refuse(Code::RankWrong, "the operand must have rank 3 or more");
  SmallVector<int64_t> toLast = concatShapes(withoutAxis(allAxes(rank), 1), 1);
  SmallVector<int64_t> toFirst = invertPermutationVector(toLast);
  std::optional<PoolNd> pool = readPoolNd(n, b.transpose(x, toFirst), /*firstCeilMode=*/1);
  if (!pool)
    return {};
  Value result = maxPool(n, b, *pool);
  return {result ? b.transpose(result, toLast) : Value()};
}
