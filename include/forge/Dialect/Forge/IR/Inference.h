//===- Inference.h - result types and constraints of forge ops --*- C++ -*-===//
//
// An op's `inferType` returns the result type, or reports the violated constraint. Builders, verifiers and the Python
// op classes all use it.
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

/// Checks and shape functions for `inferType`. Violations are reported at `location`, if there is one.
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
  /// As `broadcast`, but operands may mix Float32 with one float type of 16 bits; the result is then Float32.
  InferredType broadcastPromoted(mlir::ValueRange operands) const;
  // `constraint` is the number of the op's constraint that a diagnostic names.

  /// The broadcast of two shapes.
  mlir::FailureOr<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b,
                                                              llvm::StringRef constraint = "(C2)") const;
  /// `operand` with the axis `dim` reduced to 1 or dropped. With `needsElements`, as `ofElements`.
  InferredType reduce(mlir::Value operand, int64_t dim, bool keepDim, bool needsElements = false) const;
  /// `result`, if it is empty or no operand is.
  InferredType ofElements(mlir::ValueRange operands, mlir::RankedTensorType result, llvm::StringRef constraint) const;
  /// `dim` as an index in [0, rank), counting from the end when negative.
  mlir::FailureOr<int64_t> axis(llvm::StringRef attribute, int64_t dim, int64_t rank,
                                llvm::StringRef constraint = "(C1)") const;
  /// All operands have the element type of the first one.
  mlir::LogicalResult oneElementType(mlir::ValueRange operands) const;
  /// The common element type of the operands. Forge promotes a mix of Float32 and one float type of 16 bits to Float32.
  mlir::FailureOr<mlir::Type> promotedType(mlir::ValueRange operands) const;
  mlir::LogicalResult floatingPoint(mlir::Value operand, llvm::StringRef constraint = "(C1)") const;
  mlir::LogicalResult integers(mlir::Value operand, llvm::StringRef constraint = "(C1)") const;
  mlir::LogicalResult rank(llvm::StringRef operand, mlir::Value value, int64_t expected) const;
  /// `values` has `count` entries, each at least `minimum`.
  mlir::LogicalResult list(llvm::StringRef attribute, llvm::ArrayRef<int64_t> values, size_t count, int64_t minimum,
                           llvm::StringRef constraint = "(C2)") const;
  /// The number of positions of a window along an axis; failure if there is none.
  mlir::FailureOr<int64_t> window(int64_t size, int64_t padding, int64_t kernel, int64_t stride, int64_t dilation,
                                  bool ceilMode, llvm::StringRef constraint) const;
  /// Constant indices lie in [0, size).
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
/// The `dim` of a reduction of `axis`, which is counted from the front: from the back if possible. None for an axis in
/// the middle of more than 8, because Forge's reductions accept only [-4, 3].
inline std::optional<int64_t> reductionDim(int64_t axis, int64_t rank) {
  if (rank - axis <= 4)
    return axis - rank;
  return axis <= 3 ? std::optional(axis) : std::nullopt;
}

/// The size of the axis `dim` of a value.
inline int64_t axisSize(mlir::Value value, int64_t dim) {
  return shapeOf(value)[fromFront(dim, tensorType(value).getRank())];
}

/// Whether the number of elements fits 63 bits.
inline bool isCountable(llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  // A size of 0 anywhere makes the product 0.
  return llvm::is_contained(shape, 0) ||
         llvm::none_of(shape, [&](int64_t size) { return llvm::MulOverflow(elements, size, elements); });
}

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_INFERENCE_H
