//===- RealFacts.h - what is known of the elements of values ----*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_REALFACTS_H
#define FORGE_DIALECT_FORGE_ANALYSIS_REALFACTS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

/// What holds for all elements of a value. The interval is of its numbers; infinities and NaN are none.
struct RealFact {
  Interval range;
  bool isNumber = false;  ///< no element is NaN
  bool isFinite = false;  ///< no element is NaN or infinite
  bool isBounded = false; ///< no element is infinite; some may be NaN
  bool isWhole = false;   ///< every number is an integer

  /// Whether every element is a number of `bounds`.
  bool liesIn(Interval bounds) const { return isFinite && bounds.contains(range); }
  /// Whether every element is a number of `bounds` or NaN.
  bool liesInOrIsNaN(Interval bounds) const { return isBounded && bounds.contains(range); }
};

/// Facts on values of a block, from constants, types and ops, in the order in which ops are visited. Sums and
/// differences of Float32 round to nearest, as IEEE 754 has it and as quantisation needs it.
class RealFacts {
public:
  RealFacts() = default;
  /// As an analysis: of all values of a function of one block, as they are.
  explicit RealFacts(mlir::Operation *function);
  RealFact of(mlir::Value value) const;
  void visit(mlir::Operation *op);
  /// Takes for granted that no element of `value` is NaN.
  void assumeNumber(mlir::Value value) {
    RealFact known = of(value);
    known.isNumber = true;
    facts[value] = known;
  }

private:
  llvm::DenseMap<mlir::Value, RealFact> facts;
};

/// The value of which a condition says that it is not NaN (x == x) or is (x != x), which `isNaN` tells; null for
/// others.
mlir::Value nanTestOperand(mlir::Value condition, bool &isNaN);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_REALFACTS_H
