//===- Trilu.cpp - ONNX Trilu ---------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Trilu (since 14): keeps the elements on one side of diagonal k; the others become zero, even if they are NaN.
Values forge::convertTrilu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool upper = n.flagAttr("upper", true);
  int64_t k = n.optionalConstantInt(1, "k").value_or(0);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank < 2)
    return n.refuse(Code::RankWrong, "the operand must have rank 2 or more");
  int64_t rows = shapeOf(x)[rank - 2], columns = shapeOf(x)[rank - 1];
  if (rows != 0 && columns > (1 << 24) / rows)
    return n.refuse(Code::TooManyElements, "the matrices have too many elements");
  auto keeps = [&](int64_t diagonal) { return upper ? diagonal >= k : diagonal <= k; };
  return {b.create<WhereOp>(b.diagonals(rows, columns, keeps), x, b.scalarLike(x, 0))};
}
