//===- Simplify.h - one step towards a smaller module -----------*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_REDUCE_SIMPLIFY_H
#define FORGE_TOOLS_FORGE_REDUCE_SIMPLIFY_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Whether simplify has something to do for `op`.
bool canSimplify(mlir::Operation *op);
/// Puts one of its operands, or zeros, in the place of each result of an op, and zeros into a constant. False, and
/// nothing done, where a type has no zeros.
bool simplify(mlir::Operation *op);
/// Erases the ops below `root` whose results nothing uses, functions and terminators aside.
void eraseUnused(mlir::Operation *root);

} // namespace forge

#endif // FORGE_TOOLS_FORGE_REDUCE_SIMPLIFY_H
