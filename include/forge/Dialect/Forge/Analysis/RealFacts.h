//===- RealFacts.h - facts about the elements of float values ---*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_REALFACTS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_REALFACTS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

/// Facts that hold for all elements of a value. The interval is that of the elements other than NaN.
struct RealFact {
  Interval range;
  bool isNumber = false;  ///< no element is NaN
  bool isFinite = false;  ///< no element is NaN or infinite
  bool isInteger = false; ///< every finite element is an integer

  /// Whether every element lies in `bounds`.
  bool liesIn(Interval bounds) const { return isFinite && bounds.contains(range); }
  /// Whether every element lies in `bounds` or is NaN.
  bool liesInOrIsNaN(Interval bounds) const { return bounds.contains(range); }
};

/// Facts about the values of a block, computed op by op from constants and types. Assumes that sums and differences of
/// Float32 round to nearest as in IEEE 754.
class RealFacts {
public:
  RealFacts() = default;
  /// As an MLIR analysis of a function of one block.
  explicit RealFacts(mlir::Operation *function);
  RealFact of(mlir::Value value) const;
  void visit(mlir::Operation *op);
  /// Assumes that no element of `value` is NaN.
  void assumeNumber(mlir::Value value) {
    RealFact known = of(value);
    known.isNumber = true;
    facts[value] = known;
  }

private:
  llvm::DenseMap<mlir::Value, RealFact> facts;
};

/// The operand x of a NaN test, x == x or x != x; null for other conditions. `isNaN` is set for x != x.
mlir::Value nanTestOperand(mlir::Value condition, bool &isNaN);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_REALFACTS_H
