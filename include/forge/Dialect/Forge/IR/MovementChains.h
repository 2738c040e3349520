//===- MovementChains.h - reshapes and transposes in a row ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_MOVEMENTCHAINS_H
#define FORGE_DIALECT_FORGE_IR_MOVEMENTCHAINS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// The two axes that a transpose swaps, counted from the front.
using AxisSwap = std::pair<int64_t, int64_t>;
AxisSwap swapOf(TransposeOp op);
/// The axis of the operand of a transpose that becomes `axis` of its result, and the other way round.
int64_t transposedAxis(TransposeOp op, int64_t axis);

/// Swaps that make a tensor whose axis i is axis order[i] of the source: one less than each cycle is long.
llvm::SmallVector<AxisSwap> swapsFor(llvm::SmallVector<int64_t> order);

/// Whether `op` changes the shape only; may be null.
bool isReshape(mlir::Operation *op);

/// A pattern for slices of one item each of what ends in an `OpTy`, a reshape or a transpose.
template <typename OpTy>
void populateSlicesOfMoves(mlir::RewritePatternSet &patterns);

/// Patterns for chains of reshapes and transposes in fewer calls. No canonical forms: those turn channels one step at a
/// time.
void populateMovementChains(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_MOVEMENTCHAINS_H
