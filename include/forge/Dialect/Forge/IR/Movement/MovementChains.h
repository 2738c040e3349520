//===- MovementChains.h - reshapes and transposes in a row ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTCHAINS_H
#define FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTCHAINS_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Patterns for chains of movement that end with an `OpTy`, a reshape or a transpose: such of one kind are joined, and
/// slices of one item each of what they give are slices of an axis that is there anyway.
template <typename OpTy>
void populateMovesOf(mlir::RewritePatternSet &patterns);

/// Patterns for chains of reshapes and transposes in fewer calls. No canonical forms: those turn channels one step at a
/// time.
void populateMovementChains(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTCHAINS_H
