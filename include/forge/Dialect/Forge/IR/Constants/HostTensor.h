//===- HostTensor.h - small tensors in host memory --------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_HOSTTENSOR_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_HOSTTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <vector>

namespace forge {

/// A small tensor in host memory. Integers of all widths are stored as int64_t, floats as double.
struct HostTensor {
  mlir::RankedTensorType type;
  std::vector<int64_t> ints;  ///< used when the element type is an integer
  std::vector<double> floats; ///< used otherwise

  /// Whether the elements are integers or floats. Complex numbers and strings are not supported.
  static bool holds(mlir::DenseElementsAttr attr) {
    return llvm::isa<mlir::IntegerType, mlir::FloatType>(attr.getElementType());
  }
  /// Requires `holds(attr)`.
  static HostTensor fromAttr(mlir::DenseElementsAttr attr);
  /// Rounds and wraps each element to the element type.
  mlir::DenseElementsAttr toAttr() const;

  bool isFloat() const { return llvm::isa<mlir::FloatType>(type.getElementType()); }
  llvm::ArrayRef<int64_t> shape() const { return type.getShape(); }
  /// Appends an element of `from`, which has the same kind of elements.
  void append(const HostTensor &from, int64_t index) {
    if (isFloat())
      floats.push_back(from.floats[index]);
    else
      ints.push_back(from.ints[index]);
  }
  /// The tensor of `shape` whose element i is element `source[i]` of this one.
  HostTensor pick(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> source) const;
  /// The tensor of `shape` whose element at an index is an element of this tensor: `moveToSource` replaces the index by
  /// that of this tensor.
  HostTensor remap(llvm::ArrayRef<int64_t> shape,
                   llvm::function_ref<void(llvm::SmallVectorImpl<int64_t> &)> moveToSource) const;
  /// For each element of `shape`, the number of the element of this tensor that broadcasts to it.
  std::vector<int64_t> broadcastIndices(llvm::ArrayRef<int64_t> shape) const;
};

/// Calls `visit(index)` for every index of `shape` in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);
/// Row-major strides of `shape`.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_HOSTTENSOR_H
