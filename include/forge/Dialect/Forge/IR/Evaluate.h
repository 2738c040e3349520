//===- Evaluate.h - forge ops on constants at compile time ------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_EVALUATE_H
#define FORGE_DIALECT_FORGE_IR_EVALUATE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace forge {

/// A small tensor in host memory. Integers of all widths are held in 64 bits, floats in double.
struct HostTensor {
  mlir::RankedTensorType type;
  std::vector<int64_t> ints;  ///< used when the element type is an integer
  std::vector<double> floats; ///< used otherwise

  static HostTensor fromAttr(mlir::DenseElementsAttr attr);
  /// Rounds and wraps each element to the element type.
  mlir::DenseElementsAttr toAttr() const;

  bool isFloat() const { return llvm::isa<mlir::FloatType>(type.getElementType()); }
  llvm::ArrayRef<int64_t> shape() const { return type.getShape(); }
  /// The tensor of `shape` whose element i is element `source[i]` of this one.
  HostTensor pick(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> source) const;
  /// For each element of `shape`, the element of this tensor that broadcasts to it.
  std::vector<int64_t> broadcastIndices(llvm::ArrayRef<int64_t> shape) const;
};

/// Calls `visit(index)` for every index of `shape` in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);
/// Row-major strides of `shape`.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);

/// The results of a forge op whose operands are constants; nothing when an operand is not one, the op has no evaluator,
/// or a result is larger than `limit` bytes. A splat stays one element where the op allows that.
llvm::SmallVector<mlir::DenseElementsAttr> evaluate(mlir::Operation *op, int64_t limit);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_EVALUATE_H
