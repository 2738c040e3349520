//===- Inference.h - result types and constraints of forge ops --*- C++ -*-===//
//
// The same rules serve building, verifying and the Python op classes: an op's `inferType` returns the result type or a
// diagnostic that names the broken constraint.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_INFERENCE_H
#define FORGE_DIALECT_FORGE_IR_INFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/Support/MathExtras.h"

namespace forge {

using InferredType = mlir::FailureOr<mlir::RankedTensorType>;

/// Where to report while an op infers its type; silent without a location.
struct Inference {
  std::optional<mlir::Location> location;
  llvm::StringRef opName;

  /// Emits "'forge.x' op <message>" when there is a location. Always a failure.
  template <typename... Args>
  mlir::LogicalResult error(Args &&...args) const {
    return mlir::emitOptionalError(location, "'", opName, "' op ", std::forward<Args>(args)...);
  }

  /// The type of the first operand.
  InferredType sameType(mlir::ValueRange operands) const;
  /// One element type, shapes broadcast (aligned at the last dim).
  InferredType broadcast(mlir::ValueRange operands) const;
  /// As `broadcast`, where floats of 16 bits may meet Float32, as which they are computed.
  InferredType broadcastPromoted(mlir::ValueRange operands) const;
  // The checks below name the op's constraint that they serve.

  /// The broadcast of two shapes.
  mlir::FailureOr<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b,
                                                              llvm::StringRef constraint = "(C2)") const;
  /// `operand` with the axis `dim` reduced to 1 or dropped.
  InferredType reduce(mlir::Value operand, int64_t dim, bool keepDim) const;
  /// `dim` as an index in [0, rank), counting from the end when negative.
  mlir::FailureOr<int64_t> axis(llvm::StringRef attribute, int64_t dim, int64_t rank,
                                llvm::StringRef constraint = "(C1)") const;
  /// All operands have the element type of the first one.
  mlir::LogicalResult oneElementType(mlir::ValueRange operands) const;
  /// The one element type of all operands, or Float32 for operands of Float32 and of one float type of 16 bits, which
  /// Forge promotes.
  mlir::FailureOr<mlir::Type> promotedType(mlir::ValueRange operands) const;
  mlir::LogicalResult floatingPoint(mlir::Value operand, llvm::StringRef constraint = "(C1)") const;
  mlir::LogicalResult integers(mlir::Value operand, llvm::StringRef constraint = "(C1)") const;
  mlir::LogicalResult rank(llvm::StringRef operand, mlir::Value value, int64_t expected) const;
  /// `values` has `count` entries, each at least `minimum`.
  mlir::LogicalResult list(llvm::StringRef attribute, llvm::ArrayRef<int64_t> values, size_t count, int64_t minimum,
                           llvm::StringRef constraint = "(C2)") const;
  /// Output size of a window, or failure when not even one fits.
  mlir::FailureOr<int64_t> window(int64_t size, int64_t padding, int64_t kernel, int64_t stride, int64_t dilation,
                                  bool ceilMode, llvm::StringRef constraint) const;
  /// An index known at compile time lies in [0, size).
  mlir::LogicalResult constantIndices(mlir::Value indices, int64_t size) const;
};

/// The tensor type of a value of this dialect.
inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) { return tensorType(value).getShape(); }
/// The operand's type with one dim changed.
inline mlir::RankedTensorType withDim(mlir::Value operand, int64_t dim, int64_t size) {
  llvm::SmallVector<int64_t> shape(shapeOf(operand));
  shape[dim] = size;
  return tensorType(operand).clone(shape);
}
/// `dim` counted from the front.
inline int64_t fromFront(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

/// The size of the axis `dim` of a value.
inline int64_t axisSize(mlir::Value value, int64_t dim) {
  return shapeOf(value)[fromFront(dim, tensorType(value).getRank())];
}

/// Whether the number of elements fits 63 bits.
inline bool isCountable(llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  // A size of 0 makes any product fit, wherever it stands.
  return llvm::is_contained(shape, 0) ||
         llvm::none_of(shape, [&](int64_t size) { return llvm::MulOverflow(elements, size, elements); });
}

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_INFERENCE_H
