//===- TilePadding.h - forge ops on padded tiles ----------------*- C++ -*-===//
//
// A tensor whose last two axes do not fill whole 32 x 32 tiles is stored with padding, and kernels compute on whole
// tiles. Each op names its TilePaddingRow; here is what the rows mean: what a kernel must find in the padding of its
// operands, and what it leaves in that of its result. The theory is that of forge/IterDomain/PaddingState.h.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_TILEPADDING_H
#define FORGE_DIALECT_FORGE_ANALYSIS_TILEPADDING_H

#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/IterDomain/PaddingState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

/// What the padding of an operand must hold, in the tails that the kernel reads into its elements.
struct PaddingNeed {
  itd::FillRequirement fill;
  bool rows = false, cols = false;

  bool needed() const { return fill.needed() && (rows || cols); }
};

/// What a backend does with padding by itself. The profiles are data: TargetProfiles.def.
struct TargetProfile {
  llvm::StringRef name;
  itd::PaddingValue host;   ///< of inputs, weights and constants, which the host tilizes
  itd::PaddingValue retile; ///< of what the device tilizes
  llvm::SmallVector<TilePaddingRow> masked;
  bool masksAll = false;

  bool masks(TilePaddingRow row) const { return masksAll || llvm::is_contained(masked, row); }
  static llvm::ArrayRef<TargetProfile> all();
  /// From a pass option. Reports to `op` when there is none of this name.
  static mlir::FailureOr<const TargetProfile *> parse(mlir::Operation *op, llvm::StringRef name);
};

/// The axis that a Sum, Mean, Max, ArgMax, CumSum or softmax runs along; None without one (the whole tensor).
std::optional<int64_t> reducedDim(mlir::Operation *op);

/// The function of an elementwise op on padding: `operands` are what it meets there. Undefined for other ops.
itd::PaddingValue applyToPadding(mlir::Operation *op, llvm::ArrayRef<itd::PaddingValue> operands);

/// What the padding of operand number `operand` must hold, where values are stored as `format`.
PaddingNeed paddingNeed(TilePaddingOpInterface op, unsigned operand, const itd::ElementFormat &format);
/// What the padding of a tensor holds when those of its op's operands are in states `operands`: what the op's row says;
/// for weights and constants what the host writes; unknown for other ops, and for results of kernels that skip padding.
itd::PaddingState paddingOf(mlir::OpResult result, llvm::ArrayRef<itd::PaddingState> operands,
                            const TargetProfile &target);
/// The states of all values of a function. Linear in its ops.
llvm::DenseMap<mlir::Value, itd::PaddingState> predictPadding(mlir::func::FuncOp func, const TargetProfile &target);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_TILEPADDING_H
