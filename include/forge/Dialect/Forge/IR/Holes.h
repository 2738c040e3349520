//===- Holes.h - forge ops on tiles with holes ------------------*- C++ -*-===//
//
// A tensor whose last two axes do not fill whole 32 x 32 tiles is stored with holes, and kernels compute on whole
// tiles. Each op names its row of the table here; what the rows mean is in Holes.cpp and HoleFunctions.cpp. The theory
// is that of forge/IterDomain/HoleState.h.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_HOLES_H
#define FORGE_DIALECT_FORGE_IR_HOLES_H

#include "forge/IterDomain/HoleState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

/// How the kernel of an op treats holes.
enum class HoleRow {
  /// Reads items only, leaves anything behind: convolutions, pooling and resampling, which the device runs on sticks of
  /// channels that it lays out itself, and ops nobody has looked at.
  Opaque,
  Retile,          ///< reads items only and writes new tiles: gathers, permutations across tiles
  Elementwise,     ///< applies its function to holes too; the function is in HoleFunctions.cpp
  IntegerDivision, ///< elementwise, and integers trap on a zero divisor
  View,            ///< the same tiles under another shape, else Retile
  Transpose,
  Index,
  Concatenate,
  Stack,
  Repeat,
  Pad,
  Sum, ///< reductions along `dim`
  Mean,
  Max,
  ArgMax,
  CumSum,
  Softmax, ///< along `dim`
  LogSoftmax,
  LayerNorm, ///< over the last axis
  Matmul,
  CacheWrite, ///< writes the rows of operand 1 into operand 0
};

/// What the holes of an operand must hold, in the tails that the kernel reads into its items.
struct HoleNeed {
  itd::FillRequirement fill;
  bool rows = false, cols = false;

  bool needed() const { return fill.needed() && (rows || cols); }
};

/// What a backend does with holes by itself. The profiles are data: HoleProfiles.def.
struct TargetProfile {
  llvm::StringRef name;
  itd::HoleVal host;   ///< of inputs, weights and constants, which the host tilizes
  itd::HoleVal retile; ///< of what the device tilizes
  llvm::SmallVector<HoleRow> masked;
  bool masksAll = false;

  bool masks(HoleRow row) const { return masksAll || llvm::is_contained(masked, row); }
  static llvm::ArrayRef<TargetProfile> all();
  /// From a pass option. Reports to `op` when there is none of this name.
  static mlir::FailureOr<const TargetProfile *> parse(mlir::Operation *op, llvm::StringRef name);
};

/// Height and width of the matrices that are tiled: a vector is one row.
struct MatrixShape {
  int64_t height = 1, width = 1;

  explicit MatrixShape(mlir::Value value);
  friend bool operator==(MatrixShape a, MatrixShape b) { return a.height == b.height && a.width == b.width; }
};

/// Which tiled axis `dim` (from the end if negative) of a tensor is.
enum class TiledAxis { None, Rows, Cols };
TiledAxis tiledAxis(mlir::Value value, int64_t dim);
/// The axis that a Sum, Mean, Max, ArgMax, CumSum or softmax runs along; None without one (the whole tensor).
std::optional<int64_t> reducedDim(mlir::Operation *op);

/// The function of an elementwise op on one hole: `operands` are what it meets there. Undefined for other ops.
itd::HoleVal applyToHole(mlir::Operation *op, llvm::ArrayRef<itd::HoleVal> operands);

/// What the holes of a tensor hold when those of its op's operands are in states `operands`: what the op's row says;
/// for weights and constants what the host writes; unknown for other ops, and behind kernels that skip holes.
itd::HoleState holesOf(mlir::OpResult result, llvm::ArrayRef<itd::HoleState> operands, const TargetProfile &target);
/// The states of all values of a function as it stands. Linear in its ops.
llvm::DenseMap<mlir::Value, itd::HoleState> predictHoles(mlir::func::FuncOp func, const TargetProfile &target);

namespace detail {
HoleNeed requiredFill(mlir::Operation *op, HoleRow row, unsigned operand, const itd::ElementFormat &format);
itd::HoleState transferHoles(mlir::Operation *op, HoleRow row, llvm::ArrayRef<itd::HoleState> operands,
                             const itd::HoleVal &retile);
} // namespace detail

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_HOLES_H
