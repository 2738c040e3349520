//===- Reduction.h - what the reduction converters share --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_REDUCTION_REDUCTION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_REDUCTION_REDUCTION_H

#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Reverses the order of values: -x, and -1 - x for integers, which cannot overflow. An involution.
Expr orderReversed(Expr x);
/// Converts narrow and unsigned integers and booleans to i32, which keeps their order. Other types are unchanged.
Expr comparable(Expr x);
/// The lowest number of an element type; for floats minus infinity.
double lowestOf(mlir::Type element);
/// 0, 1, 2 ... along `axis` of a tensor of `rank`, whose other axes have size 1; i32.
Expr iota(ForgeBuilder &builder, int64_t size, int64_t axis, int64_t rank);
/// The index of the first (or last) maximum along `axis`, which is kept with size 1; i32.
Expr argMax(Expr x, int64_t axis, bool last = false);
/// The elements of `x` in reverse order along `axis`.
Expr flip(Expr x, int64_t axis);
/// The product along `axis`, which is kept with size 1, by repeated halving.
Expr product(Expr x, int64_t axis);

// Converters that have files of their own.
ConverterFunction convertArgMax, convertArgMin, convertHardmax, convertCumSum, convertCumProd, convertTopK;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_REDUCTION_REDUCTION_H
