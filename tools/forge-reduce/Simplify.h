//===- Simplify.h - one step towards a smaller module -----------*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_REDUCE_SIMPLIFY_H
#define FORGE_TOOLS_FORGE_REDUCE_SIMPLIFY_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Whether simplify can change `op`.
bool canSimplify(mlir::Operation *op);
/// Replaces each result of an op by one of its operands or zeros, and the elements of a constant by zeros. Returns
/// false, without any change, if a type has no zeros.
bool simplify(mlir::Operation *op);
/// Erases ops below `root` without uses, except functions and terminators.
void eraseUnused(mlir::Operation *root);

} // namespace forge

#endif // FORGE_TOOLS_FORGE_REDUCE_SIMPLIFY_H
