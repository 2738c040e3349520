//===- MixedTypes.h - products of several element types ---------*- C++ -*-===//
//
// Products mix float32 with a type of 16 bits, and compute in float32 if one operand has it.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_MIXEDTYPES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_MIXEDTYPES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// Whether the result of `product`, a matrix product or convolution, has the element type of one of its two factors. If
/// not, both factors have 16 bits and a bias of float32 makes the result float32: a rewrite that removed the bias would
/// round the product to 16 bits.
inline bool hasTypeOfFactors(mlir::Operation *product) {
  mlir::Type element = tensorType(product->getResult(0)).getElementType();
  return llvm::is_contained(
      {tensorType(product->getOperand(0)).getElementType(), tensorType(product->getOperand(1)).getElementType()},
      element);
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_MIXEDTYPES_H
