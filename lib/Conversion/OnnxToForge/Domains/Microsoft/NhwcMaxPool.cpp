//===- NhwcMaxPool.cpp - NhwcMaxPool --------------------------------------===//

#include "Microsoft.h"

#include "../../Pool/Pool.h"

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
  SmallVector<int64_t> axes = allAxes(rank), toLast = concatShapes(withoutAxis(axes, 1), 1);
  SmallVector<int64_t> toFirst = concatShapes({0, rank - 1}, ArrayRef(axes).slice(1, rank - 2));
  std::optional<PoolNd> pool = readPoolNd(n, b.transpose(x, toFirst), /*firstCeilMode=*/1);
  if (!pool)
    return {};
  Value result = maxPool(n, b, *pool);
  return {result ? b.transpose(result, toLast) : Value()};
}
