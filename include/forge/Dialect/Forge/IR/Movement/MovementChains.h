//===- MovementChains.h - reshapes and transposes in a row ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTCHAINS_H
#define FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTCHAINS_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Patterns that end with a reshape. Consecutive reshapes are merged. Slices of size 1 of the result become slices of
/// an axis that the operand already has.
void populateReshapeChains(mlir::RewritePatternSet &patterns);

/// Patterns that rewrite chains of reshapes and transposes to fewer calls. They are no canonicalizations, because
/// --forge-channels-last has to see the layout transposes individually.
void populateMovementChains(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_MOVEMENT_MOVEMENTCHAINS_H
