//===- JoinProjections.h - projections of one operand, such as Q, K, V -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINPROJECTIONS_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINPROJECTIONS_H

#include "mlir/IR/Block.h"

#include <optional>
#include <tuple>

namespace forge {

/// What distinguishes the users of values that may be merged: the name of the op, the rank of its result and, for a
/// reshape, the size of the trailing axis.
using UserKind = std::tuple<const void *, int64_t, int64_t>;

/// The kind of the only user of `value`; none if there are several users.
std::optional<UserKind> onlyUserKind(mlir::Value value);

/// Calls `merge` for lists of up to `most` projections (products with weights) that share their left operand and whose
/// users are of one kind, such as those of queries, keys and values. If `merge` returns false, a shorter list is tried.
/// With `keepTiles`, products with whole tiles of columns are left alone: --forge-divisibility-rewrite separated them.
void forEachProjectionGroup(mlir::Block &block, bool keepTiles, size_t most,
                            llvm::function_ref<bool(llvm::ArrayRef<mlir::Operation *>)> merge);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINPROJECTIONS_H
