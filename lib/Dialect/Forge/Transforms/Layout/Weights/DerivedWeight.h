//===- DerivedWeight.h - parts of weights -----------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_DERIVEDWEIGHT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_DERIVEDWEIGHT_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// Elements [begin, end) of an axis, in blocks of `block` elements, each among `padded` elements that are zeros but for
/// the block, which begins at `offset`.
struct WeightPart {
  int64_t axis, begin, end, block, padded, offset = 0;

  static WeightPart slice(int64_t axis, int64_t begin, int64_t end) {
    return {axis, begin, end, end - begin, end - begin};
  }
  int64_t size() const { return (end - begin) / block * padded; }
};

/// A part of `weight` that needs no work on the device.
mlir::Value deriveWeight(mlir::OpBuilder &builder, mlir::Value weight, WeightPart part);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_DERIVEDWEIGHT_H
