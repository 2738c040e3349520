//===- Matmul.h - the matrix product converters -----------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_MATMUL_MATMUL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_MATMUL_MATMUL_H

#include "../Elementwise/Elementwise.h"
#include "../Reduction/Reduction.h"

namespace forge {

/// Calls `multiply` on matrices: as in numpy.matmul, a vector is a row on the left and a column on the right, and the
/// result loses the axis of size 1.
mlir::Value multiplyAsMatrices(ForgeBuilder &builder, mlir::Value x, mlir::Value y,
                               llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> multiply);
/// The semantics of numpy.matmul.
mlir::Value matmul(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y);
/// Gemm: alpha * A' * B' + beta * C of operands 0 and 1, and `c` (may be null).
mlir::Value gemm(OnnxNode &node, ForgeBuilder &builder, mlir::Value c, bool broadcast);

// Converters that have files of their own.
ConverterFunction convertGemm, convertDet, convertEinsum;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_MATMUL_MATMUL_H
