//===- RawTensor.h - tensors in the raw layout of ONNX ----------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_RAWTENSOR_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_RAWTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace forge {

// ONNX's raw layout (TensorProto.raw_data): little-endian, in C order, one byte per boolean, two 4-bit integers per
// byte from the low bits up. Blobs that torch-mlir's importer makes hold it.

/// On a weight of the model: the element type that it has in its file, where the device holds another one.
inline constexpr llvm::StringLiteral kFileTypeAttr = "forge.file_type";

/// Bytes of a tensor in that layout; none for an element type without one, or a size beyond 2^63.
std::optional<int64_t> rawBytes(mlir::ShapedType type);

/// The bytes of a blob; none for a handle whose data is elsewhere.
std::optional<llvm::ArrayRef<char>> blobOf(mlir::DenseResourceElementsAttr attr);

/// The tensor of `type` that `raw` holds; null where rawBytes(type) is not its size, or an element is wider than 64
/// bits.
mlir::DenseElementsAttr denseFromRaw(mlir::RankedTensorType type, llvm::ArrayRef<char> raw);

/// The bytes of `dense` in that layout; it must have a rawBytes().
std::vector<char> rawFromDense(mlir::DenseElementsAttr dense);

/// Integer `index` of a raw tensor of integers, extended by its sign; an unsigned one of 64 bits keeps its bits.
int64_t rawInteger(llvm::ArrayRef<char> raw, mlir::IntegerType element, int64_t index);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_RAWTENSOR_H
