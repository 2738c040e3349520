//===- ColumnMap.h - which columns a value is made of -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SLICES_COLUMNMAP_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SLICES_COLUMNMAP_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// A number, times a column of a table if there is one.
struct Factor {
  float number = 0;
  mlir::Value table = {};
  int64_t column = 0;
};

/// A column of the source times a factor.
struct Term {
  int64_t column;
  Factor factor;
};

/// The columns of a value [rows.., columns], as sums of columns of one other value with the same rows.
class ColumnMap {
public:
  explicit ColumnMap(mlir::Value root) : root(root), columns(shapeOf(root).back()), rows(1) {
    for (int64_t size : shapeOf(root).drop_back())
      rows *= size;
  }

  /// Follows each column to the value that all of them are made of: the last one with the same rows. Whether there is
  /// one.
  bool follow();

  mlir::Value root, source;
  int64_t columns, rows;
  llvm::SmallVector<llvm::SmallVector<Term, 2>> terms; ///< of each column
  llvm::SetVector<mlir::Operation *> ops;              ///< between root and source

private:
  /// How many of the first axes of `value` are its rows; its other axes, in order, are the columns.
  std::optional<int64_t> rowAxes(mlir::Value value) const {
    int64_t size = 1, axis = 0;
    for (int64_t each : shapeOf(value)) {
      if (size == rows)
        return axis;
      size *= each;
      ++axis;
    }
    return size == rows ? std::optional(axis) : std::nullopt;
  }

  bool followTo(mlir::Value last);
  bool isLikeRoot(mlir::Value value) const {
    return tensorType(value).getRank() == tensorType(root).getRank() &&
           shapeOf(value).drop_back() == shapeOf(root).drop_back();
  }
  void follow(mlir::Value value, int64_t column, Factor factor, llvm::SmallVectorImpl<Term> &found);
  bool followOp(mlir::Operation *op, int64_t column, Factor factor, llvm::SmallVectorImpl<Term> &found);

  llvm::SetVector<mlir::Value> sources; ///< that there may be, met on the way
  mlir::Value end;                      ///< what is not followed further
  bool isOfOne = true;
  int depth = 0;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SLICES_COLUMNMAP_H
