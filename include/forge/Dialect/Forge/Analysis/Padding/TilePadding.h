//===- TilePadding.h - forge ops on padded tiles ----------------*- C++ -*-===//
//
// A tensor whose two trailing axes do not fill whole 32 x 32 tiles is stored with padding, and kernels compute on whole
// tiles. These functions define for each TilePaddingRow what the padding of the operands has to contain, and what the
// padding of the result contains. forge/IterDomain/PaddingState.h has the theory.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_PADDING_TILEPADDING_H
#define FORGE_DIALECT_FORGE_ANALYSIS_PADDING_TILEPADDING_H

#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/IterDomain/PaddingState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

/// What the padding of an operand has to contain, and in which tails: those that affect elements of the result.
struct PaddingNeed {
  itd::FillRequirement fill;
  bool rows = false, cols = false;

  bool needed() const { return fill.needed() && (rows || cols); }
};

/// How a backend treats padding. TargetProfiles.def lists the profiles.
struct TargetProfile {
  llvm::StringRef name;
  itd::PaddingValue host;   ///< the padding of inputs, weights and constants, which the host tilizes
  itd::PaddingValue retile; ///< the padding of values that the device tilizes
  llvm::SmallVector<TilePaddingRow> masked;
  bool masksAll = false;

  bool masks(TilePaddingRow row) const { return masksAll || llvm::is_contained(masked, row); }
  static llvm::ArrayRef<TargetProfile> all();
  /// Parses a pass option. Reports an unknown name at `op`.
  static mlir::FailureOr<const TargetProfile *> parse(mlir::Operation *op, llvm::StringRef name);
};

/// The axis along which a Sum, Mean, Max, ArgMax, CumSum or softmax computes; none for the whole tensor.
std::optional<int64_t> reducedDim(mlir::Operation *op);

/// Whether a backend may return the tiles of the first operand: as a view, or because the op does nothing.
bool mayHandOnTiles(TilePaddingOpInterface op);
/// Whether a pad only turns padding into elements: it adds no element before others, and no tile.
bool padsWithinTiles(PadOp op);
/// What the elements that a pad adds contain.
itd::PaddingValue paddedElements(PadOp op);

/// The padding that holds `value`, stored as `element`. It is a constant only if the type represents it exactly,
/// because rounding differs between devices.
itd::PaddingValue storedPadding(double value, mlir::Type element);

/// The result of an elementwise op in the padding, where its operands contain `operands`. Undefined for other ops.
itd::PaddingValue applyToPadding(mlir::Operation *op, llvm::ArrayRef<itd::PaddingValue> operands);

/// What the padding of operand number `operand` has to contain, if values are stored as `format`.
PaddingNeed paddingNeed(TilePaddingOpInterface op, unsigned operand, const itd::ElementFormat &format);
/// The padding state of a result whose operands have the states `operands`, by the row of the op. That of weights and
/// constants is what the host writes; that of other ops, and of kernels that skip padding, is unknown.
itd::PaddingState paddingOf(mlir::OpResult result, llvm::ArrayRef<itd::PaddingState> operands,
                            const TargetProfile &target);
/// The padding states of all values of a function. Linear in its ops.
llvm::DenseMap<mlir::Value, itd::PaddingState> predictPadding(mlir::func::FuncOp func, const TargetProfile &target);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_PADDING_TILEPADDING_H
