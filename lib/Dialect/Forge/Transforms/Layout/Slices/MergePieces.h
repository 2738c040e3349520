//===- MergePieces.h - neighbouring slices as one value ---------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICES_MERGEPIECES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICES_MERGEPIECES_H

#include "mlir/IR/Builders.h"

namespace forge {

/// Whether `a` and `b` come from slices of one value that meet, through ops that are the same for both: what their
/// concatenation along `axis` holds can be computed from one slice.
bool areNeighbours(mlir::Value a, mlir::Value b, int64_t axis);

/// What the concatenation of `pieces` along `axis` holds, from one slice; null where that is not possible. Each piece
/// and the one before it are neighbours.
mlir::Value mergePieces(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> pieces, int64_t axis);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICES_MERGEPIECES_H
