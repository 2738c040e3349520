//===- ChannelMixing.h - whether users mix channels -------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_CHANNELMIXING_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_CHANNELMIXING_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Whether the result of `op`, an elementwise op, is infinite or NaN if its first operand is.
bool keepsInfinities(mlir::Operation *op);
/// Whether all users of `image`, which has its channels on axis 1, mix its channels as convolutions and matrix products
/// do, maybe after a few ops that keep infinities. Then a channel that is not finite makes results of all channels
/// infinite or NaN, so that a rewrite may multiply channels by zeros, which makes NaN of infinities.
bool areChannelsMixed(mlir::Value image);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_CHANNELMIXING_H
