//===- ColumnMap.h - columns as sums of other columns -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ROTARY_COLUMNMAP_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ROTARY_COLUMNMAP_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

/// Column `column` of the source times `coefficient` and, if `table` is not null, times column `tableColumn` of it.
struct Summand {
  int64_t column;
  float coefficient = 1;
  mlir::Value table = {};
  int64_t tableColumn = 0;
};

/// Each column of `root`, [rows..., columns], as a sum of columns of another value `source` with the same rows. For
/// root = add(%x * %cos, concatenate(-%x[2:4], %x[0:2]) * %sin) with 4 columns and the source %x, column 0 is the sum
/// of {column 0, coefficient 1, %cos, 0} and {column 2, coefficient -1, %sin, 0}. Values between them have as many
/// rows, but may have rows and columns in several axes: a column has the index that it has in [rows, columns].
class ColumnMap {
public:
  using Columns = llvm::SmallVector<llvm::SmallVector<Summand, 2>>;

  explicit ColumnMap(mlir::Value root) : root(root), rows(IndexMap::elementsOf(shapeOf(root).drop_back())) {}

  /// Finds the source: of the values from which all columns of `root` can be computed, the farthest from the root, so
  /// that most ops are replaced. Returns whether there is one.
  bool find();

  mlir::Value root, source;
  Columns columns;
  llvm::SmallVector<mlir::Operation *> ops; ///< the ops between source and root, in program order

private:
  using KnownColumns = llvm::DenseMap<mlir::Value, Columns>;

  /// The first axis of `value` that belongs to the columns: those before it have `rows` elements. None if no
  /// leading axes have as many; the rank if all axes together have.
  std::optional<int64_t> firstColumnAxis(mlir::Value value) const;
  /// Whether each column of the result of `op` is a sum of columns of its operands, times constants or weights; false
  /// for null. The columns may be split over several trailing axes, such as [H, D]. Slices and concatenations have to
  /// be along one of these axes. Operands of a sum must not be broadcast, and must not be weights.
  bool isLinear(mlir::Operation *op);
  bool computeLinear(mlir::Operation *op) const;
  /// Sets `ops`. Returns false if one of them is not linear, or if there are more than kMostOps.
  bool collectOps();
  /// Sets `columns` by following those of the source through `ops`. Returns false if columnsOf() fails for one of them.
  bool findColumns();
  /// The columns of the result of a linear op as sums of columns of the source. `known` has those of its operands. None
  /// if a sum is too long, or if a product is none that scaledColumns() matches.
  std::optional<Columns> columnsOf(mlir::Operation *op, const KnownColumns &known) const;
  /// `columns` times the weight of `op`: a scalar, or a table whose trailing axis has one element for each column. None
  /// for other weights, if the result has not the rows of the root, along which tables are broadcast, or if a column is
  /// multiplied by a table already.
  std::optional<Columns> scaledColumns(MultiplyOp op, Columns columns) const;
  /// The columns of a slice or a concatenation `op` along an axis of the columns. A column of the result has the index
  /// (outer * size + at) * inner + rest, where `at` is the index along that axis, `size` the size of the axis, and
  /// `inner` the number of elements of the axes after it. Only `at` and `size` differ in the operand.
  Columns movedColumns(mlir::Operation *op, const KnownColumns &known) const;

  int64_t rows;
  llvm::SmallDenseMap<mlir::Operation *, bool>
      linear; ///< the results of isLinear(), which is asked for each source again
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ROTARY_COLUMNMAP_H
