//===- Terms.h - what ops sum up --------------------------------*- C++ -*-===//
//
// For this library alone: a pass that asked in what an op is linear would follow values by rules of its own. Passes say
// what they move, to an AffineRegion or to AxisSums.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_ANALYSIS_TERMS_H
#define FORGE_LIB_DIALECT_FORGE_ANALYSIS_TERMS_H

#include "mlir/IR/Operation.h"

namespace forge {

/// What an op sums up: products of operands, of which each is linear.
using Term = llvm::SmallVector<mlir::OpOperand *, 2>;
/// The terms of an op whose result is a sum of products of its operands, element by element, moved, or along an axis;
/// none for any other op. Operands that are in no term say how it is computed.
llvm::SmallVector<Term, 2> termsOf(mlir::Operation *op);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_ANALYSIS_TERMS_H
