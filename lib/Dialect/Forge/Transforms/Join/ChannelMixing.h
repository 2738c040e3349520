//===- ChannelMixing.h - whether readers mix channels -----------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_CHANNELMIXING_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_CHANNELMIXING_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Whether the result of `op`, an elementwise one, is infinite or NaN wherever its first operand is.
bool keepsInfinities(mlir::Operation *op);
/// Whether all that depends on `image`, with its channels on axis 1, is made of all of them, as by convolutions and
/// matrix products, and what lies between keeps infinities: where one channel is not finite, what comes of the others
/// is NaN or infinite then. Rewrites may multiply channels by zeros there, which makes NaN of infinities. Looks a few
/// ops ahead.
bool areChannelsMixed(mlir::Value image);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_CHANNELMIXING_H
