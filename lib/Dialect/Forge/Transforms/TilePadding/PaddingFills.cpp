//===- PaddingFills.cpp - fills of tile padding as forge ops --------------===//
//
// A fill turns the tile padding of a value into elements with known values (PaddingFills.h).
//
//===----------------------------------------------------------------------===//

#include "TilePadding/PaddingFills.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;
using namespace forge::itd;

// A fill writes a constant, which Forge's pad takes as a 32-bit float, or copies of the last element. Some requirements
// cannot be met in this way.
std::optional<Fill> forge::fillFor(const FillRequirement &need, Type element, TilePaddingRow reader) {
  switch (need.kind) {
  case FillRequirement::Fill:
  case FillRequirement::FillOrReplicate: {
    double value = need.want;
    // For integers, an infinity means the least or the largest integer. The latter, 2^31 - 1, is no 32-bit float.
    if (std::isinf(value) && isa<IntegerType>(element)) {
      if (value > 0)
        return std::nullopt;
      value = std::numeric_limits<int32_t>::min();
    }
    return Fill{value};
  }
  case FillRequirement::ReplicateOrCast:
    // Copies of the last element do not change a maximum, nor an arg-max, which is the first of equal elements.
    if (reader == TilePaddingRow::Max || reader == TilePaddingRow::ArgMax)
      return Fill{0, /*replicate=*/true};
    return std::nullopt;
  case FillRequirement::NonZero: return Fill{1};
  case FillRequirement::OneSideZero: return Fill{0};
  case FillRequirement::DontCare:
  case FillRequirement::NoneExists: return std::nullopt;
  }
  llvm_unreachable("unknown kind");
}

// Forge's pad lists the amounts from the trailing axis on, so that columns are padded by 0 if only rows are filled.
// Fails if Forge cannot replicate elements along these axes.
FailureOr<Value> forge::padToTiles(ImplicitLocOpBuilder &b, Value value, bool rows, bool cols, Fill fill) {
  MatrixShape shape(value);
  if (shapeOf(value).size() < (rows ? 2 : 1))
    value = ReshapeOp::create(b, value, ArrayRef<int64_t>{1, shape.width});
  auto missing = [](int64_t size) { return int64_t(llvm::alignTo(size, kTile)) - size; };
  SmallVector<int64_t> pads{0, cols ? missing(shape.width) : 0};
  if (rows)
    pads.append({0, missing(shape.height)});
  // Forge replicates elements only along the trailing axis of rank 2 and 3, and along two trailing axes of rank 3
  // and 4.
  size_t rank = shapeOf(value).size(), axes = pads.size() / 2;
  if (fill.replicate && rank != axes + 1 && rank != axes + 2)
    return failure();
  return Value(PadOp::create(b, value, pads, fill.replicate ? PadMode::Replicate : PadMode::Constant,
                             APFloat(static_cast<float>(fill.value)), /*channel_last=*/false));
}

// By a slice of each of the two trailing axes that is larger than wanted, and a reshape if the rank differs.
Value forge::crop(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> shape) {
  int64_t rank = shape.size();
  for (int64_t fromEnd = 1; fromEnd <= std::min<int64_t>(2, shapeOf(value).size()); ++fromEnd) {
    int64_t size = fromEnd <= rank ? shape[rank - fromEnd] : 1; // A vector or a scalar is one row.
    if (axisSize(value, -fromEnd) != size)
      value = IndexOp::create(b, value, -fromEnd, int64_t(0), size, int64_t(1));
  }
  return reshaped(b, value, shape);
}

// `padded` has been filled with zeros, which add nothing to the sum.
Value forge::meanOfPadded(ImplicitLocOpBuilder &b, Value padded, int64_t dim, int64_t count, bool keepDim) {
  Type wide = b.getF32Type();
  Value sum = ReduceSumOp::create(b, castTo(b, padded, wide), dim, keepDim);
  return castTo(b, DivideOp::create(b, sum, oneElement(b, count, wide)), tensorType(padded).getElementType());
}

Value forge::oneElement(ImplicitLocOpBuilder &b, double number, Type element) {
  return ConstantOp::create(b, splatAttr(RankedTensorType::get({1}, element), number));
}
