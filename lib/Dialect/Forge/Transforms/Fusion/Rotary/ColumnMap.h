//===- ColumnMap.h - columns as sums of columns -----------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ROTARY_COLUMNMAP_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ROTARY_COLUMNMAP_H

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// A column of the source times `number` and, if `table` is not null, times a column of that table.
struct Summand {
  int64_t column;
  float number = 1;
  mlir::Value table = {};
  int64_t tableColumn = 0;
};

/// Describes each column of `root`, [rows..., columns], as a sum of columns of another value `source` with the same
/// rows. Values between them may have the columns, and the rows, in several axes.
class ColumnMap {
public:
  using Columns = llvm::SmallVector<llvm::SmallVector<Summand, 2>>;

  explicit ColumnMap(mlir::Value root) : root(root), rows(IndexMap::elementsOf(shapeOf(root).drop_back())) {}

  /// Finds the source, which is the earliest value from which all columns of `root` can be computed, and describes
  /// them. Returns whether there is one.
  bool find();

  mlir::Value root, source;
  Columns columns;
  llvm::SetVector<mlir::Operation *> ops; ///< the ops between source and root, in program order

private:
  using KnownColumns = llvm::DenseMap<mlir::Value, Columns>;

  /// The number of leading axes of `value` that are rows; none if no number of leading axes has `rows` elements.
  std::optional<int64_t> columnAxes(mlir::Value value) const;
  bool isLinear(mlir::Operation *op) const;
  bool collect(mlir::Value value);
  std::optional<Columns> columnsOf(mlir::Operation *op, const KnownColumns &known) const;
  std::optional<Columns> scaledColumns(MultiplyOp op, Columns columns) const;
  Columns movedColumns(mlir::Operation *op, const KnownColumns &known) const;

  int64_t rows;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ROTARY_COLUMNMAP_H
