//===- Terms.h - the terms of linear ops ------------------------*- C++ -*-===//
//
// Only for this library. Passes use AffineRegion and AxisSums, so that all of them follow linear ops by the same rules.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_ANALYSIS_TERMS_H
#define FORGE_LIB_DIALECT_FORGE_ANALYSIS_TERMS_H

#include "mlir/IR/Operation.h"

namespace forge {

/// A product of operands that an op sums. It is linear in each of them.
using Term = llvm::SmallVector<mlir::OpOperand *, 2>;
/// The terms of an op whose result is a sum of products of its operands: elementwise, by movement or along an axis.
/// Empty for other ops. Operands that are in no term, such as conditions and divisors, must not change.
llvm::SmallVector<Term, 2> termsOf(mlir::Operation *op);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_ANALYSIS_TERMS_H
