//===- Reduction.h - what the reduction converters share --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_REDUCTION_REDUCTION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_REDUCTION_REDUCTION_H

#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// A value whose order is the reverse of x's: -x, for integers -1 - x, which cannot overflow. Its own inverse.
Expr orderReversed(Expr x);
/// Narrow and unsigned integers and booleans as i32, everything else as it is: the order stays.
Expr comparable(Expr x);
/// The lowest value of a type that `comparable` gives.
double lowestValue(mlir::Type element);
/// 0, 1, 2 ... along `axis` of a tensor of `rank`, 1 along all others; i32.
Expr iota(ForgeBuilder &builder, int64_t size, int64_t axis, int64_t rank);
/// Index of the first (or last) maximum along `axis`, which stays with size 1; i32.
Expr argMax(Expr x, int64_t axis, bool last = false);
/// The product along `axis`, which stays with size 1, by halving it.
Expr product(Expr x, int64_t axis);

// Converters of other files than the table's.
ConverterFunction convertEinsum;
ConverterFunction convertTopK;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_REDUCTION_REDUCTION_H
