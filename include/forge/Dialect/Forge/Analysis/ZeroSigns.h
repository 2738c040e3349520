//===- ZeroSigns.h - where it shows whether a zero is negative --*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_ZEROSIGNS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_ZEROSIGNS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/DenseSet.h"

namespace forge {

/// The values of a block for which +0 and -0 (IEEE 754) lead to results that are not equal: 1 / x is one of two
/// infinities. Comparisons, sums with what is not zero, exp and the like give the same for both zeros.
class ZeroSigns {
public:
  /// In time linear in the block. `outputsShow` says that what `block` returns is read by a program that may divide by
  /// it.
  ZeroSigns(mlir::Block &block, bool outputsShow);

  /// Whether a result may change, by more than the sign of a zero, with the sign of a zero of `value`.
  bool show(mlir::Value value) const { return shown.contains(value); }

private:
  llvm::DenseSet<mlir::Value> shown;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_ZEROSIGNS_H
