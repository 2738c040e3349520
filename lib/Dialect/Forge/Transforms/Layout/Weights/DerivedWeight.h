//===- DerivedWeight.h - parts of weights -----------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_DERIVEDWEIGHT_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_DERIVEDWEIGHT_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// Elements [begin, end) of an axis. They are divided into blocks of `block` elements, and each block is padded with
/// zeros to `padded` elements, `offset` of them before the block.
struct WeightPart {
  int64_t axis, begin, end, block, padded, offset = 0;

  static WeightPart slice(int64_t axis, int64_t begin, int64_t end) {
    return {axis, begin, end, end - begin, end - begin};
  }
  int64_t size() const { return (end - begin) / block * padded; }
};

/// Builds the part of `weight` as arithmetic on weights, which produces no calls.
mlir::Value deriveWeight(mlir::OpBuilder &builder, mlir::Value weight, WeightPart part);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_WEIGHTS_DERIVEDWEIGHT_H
