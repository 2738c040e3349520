//===- PaddingFills.h - fills of tile padding as forge ops ------*- C++ -*-===//
//
// A fill is a forge.pad of the two trailing axes to the next multiple of the tile size. What was tile padding becomes
// elements, so that later passes and kernels keep its value. The user computes on the larger shape, and a forge.index
// crops its result if that has the axis. (Forge's ConstantPad cannot be called as shipped.)
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_TILEPADDING_PADDINGFILLS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_TILEPADDING_PADDINGFILLS_H

#include "Casts.h"
#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"

namespace forge {

/// The elements of a fill: one value, or copies of the last element along the axis.
struct Fill {
  double value = 0;
  bool replicate = false;

  std::string str() const { return replicate ? "copies of elements" : itd::PaddingValue::of(value).str(); }
  friend bool operator==(const Fill &a, const Fill &b) { return a.value == b.value && a.replicate == b.replicate; }
};

/// The fill that satisfies `need` of a kernel of kind `reader`, for elements of this type; none if there is none.
std::optional<Fill> fillFor(const itd::FillRequirement &need, mlir::Type element, TilePaddingRow reader);

/// Enlarges the rows, the columns or both of `value` to whole tiles with `fill`. A vector keeps its rank unless rows
/// are filled: then it is a matrix of one row, as a scalar is. Fails if Forge cannot replicate elements at this rank.
mlir::FailureOr<mlir::Value> padToTiles(mlir::ImplicitLocOpBuilder &b, mlir::Value value, bool rows, bool cols,
                                        Fill fill);
/// The first elements of `value` along its two trailing axes, as a value of `shape`. A matrix that padToTiles() made of
/// a vector or a scalar becomes that again.
mlir::Value crop(mlir::ImplicitLocOpBuilder &b, mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// sum(padded) / count along `dim`. Sums of 16-bit floats are computed in f32, as means are.
mlir::Value meanOfPadded(mlir::ImplicitLocOpBuilder &b, mlir::Value padded, int64_t dim, int64_t count, bool keepDim);
/// A constant of shape [1] that holds `number`.
mlir::Value oneElement(mlir::ImplicitLocOpBuilder &b, double number, mlir::Type element);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_TILEPADDING_PADDINGFILLS_H
